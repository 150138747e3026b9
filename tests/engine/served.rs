//! What the server of a bad network answers, and does for a client; and what holds at rest.

use turnseal::engine::{Answer as Said, Effect, Input as Told, Message, Status, Target};
use turnseal::model::{Chunk, Decision, Envelope, Event, MessageId, Role};
use turnseal::store::{Action, Answer, GroupState, Receipt, ReceiptStatus, Store};

use super::bench::thread;
use super::closed::{fresh, page, said};
use super::network::World;

impl World {
    /// What a server does for a client.
    pub fn serve(&mut self, action: Action) -> Answer {
        match &action {
            Action::LoadChunks { limit, before, .. } => {
                return Answer::Page(page(&self.run.bench.log, *limit, *before));
            }
            Action::Resync { .. } => {
                let Envelope { n, event, .. } = self.run.bench.engine.snapshot(&thread());
                let Event::Snapshot(snapshot) = event else { panic!("{event:?}") };
                return Answer::Snapshot { n, snapshot };
            }
            _ => {}
        }
        let effects = input(action).map(|input| self.tell(input)).unwrap_or_default();
        let answer = effects.into_iter().find_map(|effect| match effect {
            Effect::Answer(answer) => Some(answer),
            _ => None,
        });
        answer.map_or(Answer::Done, answered)
    }

    /// L8, L1, L11.
    pub fn at_rest(&self) -> Result<(), String> {
        self.run.conserved()?;
        let log = &self.run.bench.log;
        let snapshot = self.run.bench.engine.snapshot(&thread());
        let expected: Vec<String> = drawn(&fresh(log, &snapshot).store);
        let queue = self.run.bench.snapshot().queue.unwrap_or_default();
        for client in &self.clients {
            client.check()?;
            let shown = drawn(&client.store);
            if shown != expected {
                let differs = shown.iter().zip(&expected).find(|(shown, expected)| shown != expected);
                let rest = format!("{} groups, not {}", shown.len(), expected.len());
                return Err(format!("L8: client {} shows {differs:#?} {rest}", client.name));
            }
            let pending = client.store.groups(&thread());
            for (name, taken) in &client.sent {
                let has = |row: &&Chunk| row.role == Role::User && row.clients.contains(name) && is_first(row, log);
                let written = log.iter().filter(has).count();
                let waits = queue.iter().filter(|item| item.client.as_ref() == Some(name)).count();
                let keeps = pending.iter().filter(|group| {
                    group.client.as_ref() == Some(name)
                        && matches!(group.state, GroupState::Failed | GroupState::Sending)
                });
                let count = written + waits + keeps.count();
                let dropped = self.run.is_dropped(&format!("m-{name}"));
                if count > 1 || count == 0 && !taken && !dropped {
                    return Err(format!("L11: {name} is in {count} places"));
                }
            }
        }
        Ok(())
    }
}

/// The input that an act of a client is.
fn input(action: Action) -> Option<Told> {
    Some(match action {
        Action::LoadChunks { .. } | Action::Resync { .. } => return None,
        Action::Send(send) => {
            let id = MessageId::from(format!("m-{}", send.client).as_str());
            let (client, body, intent) = (Some(send.client), send.body, send.intent);
            Told::Send(Message { id, client, body, intent, models: Vec::new() })
        }
        Action::Stop { turn } => Told::Stop { turn },
        Action::CancelQueued(message) => Told::CancelQueued { message },
        Action::EditQueued(message, text) => Told::EditQueued { message, text },
        Action::MoveQueued(message, index) => Told::MoveQueued { message, index: index as usize },
        Action::SendNow(message) => Told::SendNow { message },
        Action::ResumeQueue => Told::ResumeQueue,
        Action::ResolveApproval { call, turn, decision, reason } => {
            let target = Target { call, turn, execution: None, reason };
            if decision == Decision::Approved { Told::Approve(target) } else { Told::Deny(target) }
        }
    })
}

fn answered(answer: Said) -> Answer {
    match (answer.to, answer.status) {
        ("send", status) => Answer::Sent(Receipt {
            status: match status {
                Status::Ok => ReceiptStatus::Ok,
                Status::Queued => ReceiptStatus::Queued,
                Status::Returned => ReceiptStatus::Returned,
                Status::Stale | Status::Refused => ReceiptStatus::Refused,
            },
            message: answer.message,
            turn: answer.turn,
            n: Some(answer.n),
        }),
        ("cancel-queued", status) => Answer::Cancelled(status == Status::Ok),
        ("approve" | "deny", Status::Stale) => Answer::Unknown,
        _ => Answer::Done,
    }
}

/// Of the rows of one message the first.
fn is_first(row: &Chunk, log: &[Chunk]) -> bool {
    let same = |other: &&Chunk| other.turn == row.turn && other.clients == row.clients && other.role == Role::User;
    log.iter().find(same).is_some_and(|first| first.seq == row.seq)
}

/// What a client shows but for what only it can know.
fn drawn(store: &Store) -> Vec<String> {
    let groups = store.groups(&thread());
    let own = |group: &&turnseal::store::Group<'_>| !matches!(group.state, GroupState::Failed | GroupState::Sending);
    groups.iter().filter(own).map(said).collect()
}
