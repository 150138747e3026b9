//! E52, E56: whoever comes late is told by the snapshot what the stream has told the others.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::Effect;
use turnseal::model::{Chunk, Envelope, Part, SnapshotRow, TurnId};
use turnseal::store::{Command, Input, Status};

use super::bench::thread;
use super::chance::runs;
use super::closed::{Client, drawn};
use super::random::Run;

/// The log as it shows at once: rows of turns that are not sealed are in the snapshot too.
fn sealed(run: &Run) -> Vec<Chunk> {
    let open = run.bench.snapshot().turns;
    let is_open = |row: &Chunk| open.iter().any(|turn| turn.turn == row.turn);
    run.bench.log.iter().filter(|row| !is_open(row)).cloned().collect()
}

fn late(log: &[Chunk], snapshot: &Envelope) -> Client {
    let mut client = Client::new();
    client.take(Input::Event(snapshot.clone()), log, snapshot);
    client.take(Input::Command { thread: thread(), command: Command::Open }, log, snapshot);
    client
}

/// L7: a turn without a chunk stands behind all chunks, unless a later one is known to have started later. Who was there
/// knows that of a turn that was written before an older one; who comes late cannot.
fn overtaken(run: &Run, log: &[Chunk]) -> bool {
    let number = |turn: &TurnId| turn.as_str().strip_prefix("t:").and_then(|number| number.parse::<u64>().ok());
    let newest = log.iter().filter_map(|row| number(&row.turn)).max();
    let open = run.bench.snapshot().turns;
    open.iter().filter_map(|turn| number(&turn.turn)).min().zip(newest).is_some_and(|(open, newest)| open < newest)
}

/// An open approval names its call and its turn. Of two executions that hold that call, one asking, it does not tell which.
fn clashes(run: &Run) -> bool {
    let snapshot = run.bench.snapshot();
    let rows = snapshot.turns.iter().flat_map(|turn| turn.rows.iter());
    let holds = |row: &&SnapshotRow, call| {
        row.parts.iter().any(|part| matches!(part, Part::Tool(tool) if tool.call == call && tool.state.is_open()))
    };
    let calls = snapshot.approvals.iter().flatten().map(|open| open.call.clone());
    calls.into_iter().any(|call| rows.clone().filter(|row| holds(row, call.clone())).count() > 1)
}

fn hear(client: &mut Client, effects: &[Effect], log: &[Chunk], snapshot: &Envelope) {
    for effect in effects {
        if let Effect::Publish(envelope) = effect {
            client.take(Input::Event(envelope.clone()), log, snapshot);
        }
    }
}

/// All that a client knows about a thread and that is no group.
fn head(client: &Client) -> String {
    let head = client.store.head(&thread());
    head.map_or(String::new(), |head| {
        // That the last turn failed is no live state any more once it is sealed.
        let status = if head.status == Status::Error { Status::Idle } else { head.status };
        let queue = client.store.queue(&thread());
        let queue: Vec<_> = queue.iter().map(|entry| (&entry.message, &entry.client, &entry.parts)).collect();
        format!("{status:?} {queue:?} {:?} {:?}", head.held, head.approvals)
    })
}

/// One run, with a client that hears all of it, one that comes late after each step, and one that has come late once and
/// hears what follows. Gives how often something was live.
fn compared(seed: u64) -> usize {
    let mut run = Run::new(seed);
    // A store keeps the intent that it knows, also where `send-now` made the message a steer.
    run.sends_now = false;
    let (mut client, mut joined, mut live_turns) = (Client::new(), None::<Client>, 0);
    let rest = run.bench.engine.snapshot(&thread());
    client.take(Input::Event(rest.clone()), &[], &rest);
    for step in 0..60 {
        let effects = run.step();
        let (log, snapshot) = (sealed(&run), run.bench.engine.snapshot(&thread()));
        for client in [Some(&mut client), joined.as_mut()].into_iter().flatten() {
            hear(client, &effects, &log, &snapshot);
        }
        if overtaken(&run, &log) || clashes(&run) {
            joined = None;
            continue;
        }
        let late = late(&log, &snapshot);
        live_turns += usize::from(!run.bench.snapshot().turns.is_empty());
        for other in [Some(&late), joined.as_ref()].into_iter().flatten() {
            assert_eq!(drawn(&client.store), drawn(&other.store), "seed {seed}, step {step}");
            assert_eq!(head(&client), head(other), "seed {seed}, step {step}");
        }
        if joined.is_none() && run.chance.below(10) == 0 {
            joined = Some(late);
        }
    }
    live_turns
}

#[test]
fn e52_e56_a_late_joiner_shows_what_a_full_replay_shows() {
    let live_turns: usize = (6001..=6000 + runs(150)).map(compared).sum();
    assert!(live_turns > 0);
}
