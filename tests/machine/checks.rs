//! What must hold behind every line of a random run, and behind its last.

use std::collections::{BTreeMap, BTreeSet};

use turnseal::engine::{Effect, Engine, Input, Meta};
use turnseal::model::{ExecutionId, Json, MessageId, Outcome, Phase, Snapshot, TurnId};
use turnseal::transcript::{self, Vendor};

use crate::lines;
use crate::play::Play;
use crate::random::VENDORS;
use crate::script::Line;
use crate::watch::{Fate, Place};

/// All that must hold behind a line.
pub fn check(
    play: &Play,
    before: &Engine,
    turns: &mut BTreeMap<TurnId, Option<Outcome>>,
    gone: &mut BTreeSet<TurnId>,
) -> Result<(), String> {
    let is_report = |effect: &Effect| match effect {
        Effect::Diagnostic(it) => it.code.as_str() != "persist-failed",
        Effect::Answer(answer) => matches!(answer.status.as_str(), "stale" | "refused"),
        _ => false,
    };
    let effects = play.effects();
    if !effects.is_empty() && effects.iter().all(is_report) && play.engine != *before {
        return Err("E61: a refused input changed the state".to_owned());
    }
    let snapshot = play.snapshot();
    forward(&snapshot, turns, gone)?;
    conserved(play, &snapshot)?;
    let writes =
        |effect: &Effect| matches!(effect, Effect::Append { .. } | Effect::Seal { .. } | Effect::Request { .. });
    if effects.iter().any(writes) {
        told(play, &snapshot)?;
    }
    settles_alike(play, &snapshot)
}

/// E61: a turn runs, has an end, is gone; never back.
fn forward(
    snapshot: &Snapshot,
    turns: &mut BTreeMap<TurnId, Option<Outcome>>,
    gone: &mut BTreeSet<TurnId>,
) -> Result<(), String> {
    for turn in &snapshot.turns {
        let known = turns.insert(turn.turn.clone(), turn.outcome);
        if let Some(Some(outcome)) = known
            && turn.outcome != Some(outcome)
        {
            return Err(format!("E61: {} was {outcome:?} and is {:?}", turn.turn, turn.outcome));
        }
        if gone.contains(&turn.turn) {
            return Err(format!("E61: {} was sealed and is back", turn.turn));
        }
        if (turn.phase == Phase::Ended) != turn.outcome.is_some() {
            return Err(format!("E61: {} is {:?} with {:?}", turn.turn, turn.phase, turn.outcome));
        }
    }
    let listed: BTreeSet<&TurnId> = snapshot.turns.iter().map(|turn| &turn.turn).collect();
    gone.extend(turns.keys().filter(|turn| !listed.contains(turn)).cloned());
    Ok(())
}

/// E62: every message is in one place, and every open call of the running turn is one that somebody waits for.
fn conserved(play: &Play, snapshot: &Snapshot) -> Result<(), String> {
    let listed: BTreeSet<&MessageId> = snapshot.queue.iter().flatten().map(|item| &item.message).collect();
    let booked: BTreeSet<&MessageId> =
        play.watch().messages.iter().filter(|(_, place)| **place == Place::Queued).map(|(id, _)| id).collect();
    if listed != booked {
        return Err(format!("E62: the queue is {listed:?}, by the events it is {booked:?}"));
    }
    let running = snapshot.turns.iter().find(|turn| turn.outcome.is_none());
    for ((execution, _, call), fate) in &play.watch().calls {
        let ours = running.is_some_and(|turn| execution.as_str().starts_with(&format!("{}.", turn.turn)));
        if *fate == Fate::Open && !ours && running.is_some() {
            let unsealed = snapshot.turns.iter().any(|turn| execution.as_str().starts_with(&format!("{}.", turn.turn)));
            if !unsealed {
                return Err(format!("E62: {call} of {execution} has neither result nor filler"));
            }
        }
    }
    Ok(())
}

/// The executions of the running turn that were ever asked, in the order of their names.
fn asked(play: &Play, snapshot: &Snapshot) -> Vec<ExecutionId> {
    let Some(turn) = snapshot.turns.iter().find(|turn| turn.outcome.is_none()) else { return Vec::new() };
    play.watch().executions_of(&turn.turn)
}

/// E63, L13: what a model is told breaks no rule of its vendor, in any state: for those that run now, and for whoever
/// comes next.
fn told(play: &Play, snapshot: &Snapshot) -> Result<(), String> {
    let rows = play.paper.told();
    let running = asked(play, snapshot);
    for execution in running.into_iter().map(Some).chain([None]) {
        for vendor in VENDORS {
            let options = transcript::Options { vendor, execution: execution.clone() };
            let told = transcript::project(&rows, &options);
            if let Some(problem) = told.problems.first() {
                return Err(format!("E63: {} for {execution:?}: {problem}", vendor.name()));
            }
            for item in snapshot.queue.iter().flatten() {
                let text = item.body.plain();
                if text.parse::<u64>().is_ok() && told.messages.contains(&format!("\"{text}\"")) {
                    return Err(format!("L13: {} is told {text}, which waits", vendor.name()));
                }
            }
        }
    }
    Ok(())
}

/// What a thread is behind its last line: its phases, what it keeps, what a model is told.
type Behind = (Vec<String>, Meta, String);

pub fn behind(play: &Play) -> Behind {
    let options = transcript::Options { vendor: Vendor::Neutral, execution: None };
    let told = transcript::project(&play.paper.told(), &options).messages;
    // How many events it took, and in which order earlier steps were handed over, is no decision.
    let kept = play.engine.meta(&play.thread);
    let meta = Meta { n: 0, open: Vec::new(), answered: Vec::new(), ..kept };
    (lines::phases(&play.snapshot()), meta, told)
}

/// L12: in whatever order those that run now settle, the thread is the same behind it.
fn settles_alike(play: &Play, snapshot: &Snapshot) -> Result<(), String> {
    if play.supersedes() && snapshot.queue.iter().flatten().next().is_some() {
        // The message settles who only asks, as soon as nobody else is at work.
        return Ok(());
    }
    let usage = |id: &ExecutionId| Input::Usage { execution: id.clone(), usage: Json::new("0") };
    let runs = |id: &ExecutionId| {
        // Whoever is over has nothing to say any more.
        let effects = play.engine.clone().apply(&play.thread, usage(id));
        !effects.iter().any(|effect| matches!(effect, Effect::Diagnostic(_)))
    };
    let asked = asked(play, snapshot);
    let running: Vec<ExecutionId> = if asked.len() > 1 { asked.into_iter().filter(runs).collect() } else { Vec::new() };
    if running.len() < 2 || running.len() > 3 {
        return Ok(());
    }
    // Equal states are tried with equal ends.
    let salt = snapshot.turns.iter().flat_map(|turn| &turn.rows).map(|row| row.parts.len()).sum::<usize>();
    let ends = ["done", "error \"bad\"", "aborted", "done"];
    let end = |at: usize| format!("execution-end {} {}", running[at], ends[(salt + at * at) % ends.len()]);
    let mut known: Option<Behind> = None;
    let orders: &[&[usize]] = match running.len() {
        2 => &[&[0, 1], &[1, 0]],
        _ => &[&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]],
    };
    for order in orders {
        let mut play = play.clone();
        for at in *order {
            play.line(&Line::parse(1, &end(*at)).unwrap().unwrap())?;
        }
        let now = behind(&play);
        match &known {
            Some(known) if *known != now => return Err(format!("L12: in order {order:?} {now:?}, else {known:?}")),
            Some(_) => {}
            None => known = Some(now),
        }
    }
    Ok(())
}

/// E62, behind the last line: what runs is stopped and all is written; then the log has each message that a turn took
/// once, and behind each call one word on it.
pub fn at_rest(mut play: Play) -> Result<(), String> {
    let line = |play: &mut Play, text: &str| play.line(&Line::parse(1, text).unwrap().unwrap());
    line(&mut play, "stop")?;
    for _ in 0..200 {
        for turn in play.paper.waits() {
            line(&mut play, &format!("persisted {turn}"))?;
        }
        line(&mut play, "stop")?;
        if play.snapshot().turns.is_empty() {
            break;
        }
    }
    if !play.snapshot().turns.is_empty() {
        return Err(format!("it never comes to rest: {:?}", lines::phases(&play.snapshot())));
    }
    let mut users: BTreeMap<MessageId, usize> = BTreeMap::new();
    for chunk in &play.paper.log {
        for id in chunk.message_ids() {
            *users.entry(id.clone()).or_default() += 1;
        }
    }
    for (message, place) in &play.watch().messages {
        let times = users.get(message).copied().unwrap_or(0);
        let fits = if *place == Place::Consumed { times == 1 } else { times == 0 };
        if !fits {
            return Err(format!("L11: {message} is {place:?} and {times} times in the log"));
        }
    }
    let open = play.watch().calls.iter().find(|(_, fate)| **fate == Fate::Open);
    open.map_or(Ok(()), |(call, _)| Err(format!("E62: {call:?} has neither result nor filler")))
}
