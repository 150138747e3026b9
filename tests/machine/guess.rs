//! Makes lines: what users, models, tools and a log may say next, sense and nonsense.

use turnseal::engine::Effect;
use turnseal::model::Event;

use crate::dice::Dice;
use crate::play::Play;

/// First lines: every policy at least once.
pub const MACHINES: &[&str] = &[
    "",
    "",
    "models=x,y",
    "models=x,y,z",
    "next_turn=sealed",
    "steer=inject",
    "steer=inject models=x,y",
    "steer=queue late_steer=start",
    "queue_on_stop=drop queue_on_error=drop",
    "queue_on_stop=run queue_on_error=run",
    "send_on_approval=supersede",
    "send_on_approval=supersede models=x,y batch=models",
    "on_deny=end approval_timeout_ms=1000",
    "late_output=display models=x,y mixed=aborted",
    "late_output=replace",
    "late_output=replace models=x,y next_turn=sealed",
    "late_steer=drop background=abort idle_timeout_ms=1000",
    "tool_failures_max=2 approval_timeout_ms=1000 batch=models",
];

/// What was seen so far.
#[derive(Default)]
pub struct Seen {
    turns: Vec<String>,
    executions: Vec<String>,
    messages: Vec<String>,
    timers: Vec<u64>,
    count: usize,
}

impl Seen {
    pub fn take(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Request { execution, step: 0, .. } => self.executions.push(execution.to_string()),
                Effect::Publish(envelope) => match &envelope.event {
                    Event::TurnStart { turn, .. } => self.turns.push(turn.to_string()),
                    Event::MessageQueued { message, .. } => self.messages.push(message.to_string()),
                    _ => {}
                },
                Effect::StartTimer { timer, .. } => self.timers.push(timer.0),
                _ => {}
            }
        }
    }

    /// The next line.
    pub fn line(&mut self, dice: &mut Dice, play: &Play) -> String {
        let execution = dice.recent(&self.executions).unwrap_or_else(|| "main:1.1".to_owned());
        let turn = dice.recent(&self.turns).unwrap_or_else(|| "main:1".to_owned());
        let call = dice.pick(&["c1", "c2", "c3"]);
        let message = dice.recent(&self.messages).unwrap_or_else(|| "m0".to_owned());
        match dice.below(100) {
            0..12 => self.send(dice),
            12..24 => {
                format!("{} {execution} \"{}\"", dice.pick(&["delta", "delta", "think"]), dice.pick(&["a", "b", "c "]))
            }
            24..34 => format!("{} {execution} {call} run", dice.pick(&["tool-call", "ask"])),
            34..36 => format!("tool-input {execution} {call} run \"{{\""),
            36..44 => format!("step-end {execution}"),
            44..52 => format!(
                "tool-result {turn} {call} \"ok\"{}",
                dice.pick(&["", "", " error", &format!(" execution={execution}")])
            ),
            52..53 => format!("tool-output {turn} {call} \"out\""),
            53..60 => format!(
                "execution-end {execution} {}",
                dice.pick(&["done", "done", "done", "error \"bad\"", "aborted"])
            ),
            60..67 => format!(
                "{} {call}{}",
                dice.pick(&["approve", "approve", "deny"]),
                dice.pick(&["", "", &format!(" turn={turn}")])
            ),
            67..70 => dice.pick(&["stop", "stop", &format!("stop {turn}")]).to_owned(),
            70..84 => self.log(dice, play, &turn),
            84..92 => edit(dice, &message),
            92..93 => format!("retry {turn} {execution}"),
            93..95 => format!("timer-fired {}", dice.recent(&self.timers).unwrap_or(1)),
            95..96 => dice.pick(&[&format!("usage {execution} 7"), "watchers 0", "watchers 1"]).to_owned(),
            96..98 => format!("part {execution} data \"{}\"", dice.pick(&["d1", "d2"])),
            98..99 => format!("reasoning-end {execution} \"1\""),
            _ => "crash".to_owned(),
        }
    }

    fn send(&mut self, dice: &mut Dice) -> String {
        // A client that sends again keeps its own name for the message; the server gives a new one.
        self.count += 1;
        let (count, client) = (self.count, if dice.below(12) == 0 { dice.below(self.count) } else { self.count });
        let models = dice.pick(&["", "", "", "", " models=v", " models=v,w", " models=v,v"]);
        format!("{} m{count} \"{count}\" client=k{client}{models}", dice.pick(&["send", "send", "steer"]))
    }

    fn log(&mut self, dice: &mut Dice, play: &Play, turn: &str) -> String {
        let waits = play.paper.waits();
        let turn =
            if waits.is_empty() || dice.below(10) == 0 { turn.to_owned() } else { dice.pick(&waits).to_string() };
        let verb = dice.pick(&["persisted", "persisted", "persisted", "persisted", "persist-failed"]);
        let rest = if verb == "persist-failed" { " \"full\"" } else { "" };
        format!("{verb} {turn}{rest}")
    }
}

fn edit(dice: &mut Dice, message: &str) -> String {
    match dice.below(6) {
        0 => format!("cancel-queued {message}"),
        1 => format!("edit-queued {message} \"new\""),
        2 => format!("move-queued {message} {}", dice.below(4)),
        3 => format!("send-now {message}"),
        _ => "resume-queue".to_owned(),
    }
}
