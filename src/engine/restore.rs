//! After a crash: what was kept becomes a thread again, and what was open is closed.

use std::collections::BTreeSet;

use crate::model::{Body, CallId, Chunk, ChunkBody, Event, ExecutionId, Outcome, Role, ThreadId, TurnId};

use super::effect::{Answer, Status};
use super::input::Message;
use super::queue::{Flow, Item, Queue};
use super::rows::{self, Cause};
use super::text;
use super::thread::{Out, Thread};
use super::turn::{Said, Turn, TurnPhase, Write};

/// What a host has kept of a thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Saved {
    /// The rows of the log, or at least those of its open turns and the newest one.
    pub chunks: Vec<Chunk>,
    /// What [`super::Engine::meta`] gave last.
    pub meta: Meta,
}

/// What a host has to keep beside the log. Read after each input; kept together with what that input wrote.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Meta {
    /// How many turns were ever started.
    pub started: u64,
    /// The number of the last event.
    pub n: u64,
    /// The number of the last change of the queue.
    pub version: u64,
    /// The turns that are not sealed.
    pub open: Vec<TurnId>,
    /// The queue.
    pub queue: Vec<Message>,
    /// The messages that were answered, oldest first.
    pub answered: Vec<Answered>,
}

/// A message that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered(pub Answer);

impl Thread {
    pub(super) fn meta(&self) -> Meta {
        Meta {
            started: self.started,
            n: self.n,
            version: self.queue.version,
            open: self.turns.iter().map(|turn| turn.id.clone()).collect(),
            queue: self.queue.items().iter().map(|item| item.0.clone()).collect(),
            answered: self.answers.list().cloned().map(Answered).collect(),
        }
    }

    pub(super) fn restored(id: ThreadId, saved: Saved, out: &mut Out<'_>) -> Self {
        let Saved { mut chunks, meta } = saved;
        chunks.sort_by_key(|chunk| chunk.seq);
        let flow = if meta.queue.is_empty() { Flow::Flowing } else { Flow::Held };
        let mut thread = Self::new(id);
        // A turn of the log whose number the meta does not know yet must not come twice.
        let prefix = format!("{}:", thread.id);
        let numbers = chunks.iter().filter_map(|chunk| chunk.turn.as_str().strip_prefix(&prefix)?.parse().ok());
        thread.started = numbers.chain([meta.started]).max().unwrap_or_default();
        thread.n = meta.n;
        // A message of the log is not in the queue, whatever the meta still says.
        let taken = |message: &Message| chunks.iter().any(|row| row.message_ids().any(|id| *id == message.id));
        let items = meta.queue.iter().filter(|message| !taken(message)).cloned().map(Item).collect();
        thread.queue = Queue::new(items, flow, meta.version);
        for Answered(answer) in meta.answered {
            thread.answers.keep(answer);
        }
        let open = open_turns(&chunks, &meta.open);
        thread.learn(chunks.iter().filter(|row| !open.contains(&row.turn)).map(|chunk| chunk.seq));
        thread.remember(&chunks);
        for turn in open {
            thread.close(turn, &chunks, out);
        }
        if thread.queue.is_held() {
            thread.publish_queue(out);
        }
        thread
    }

    /// Messages of the log were taken, even where the meta was not kept any more.
    fn remember(&mut self, chunks: &[Chunk]) {
        for row in chunks.iter().filter(|row| row.role == Role::User) {
            for client in &row.clients {
                let message = row.message_ids().next().cloned();
                let is_known = message.as_ref().is_none_or(|id| self.answers.known(Some(client), id).is_some());
                if !is_known {
                    let (client, turn) = (Some(client.clone()), Some(row.turn.clone()));
                    let (to, status, n) = ("send", Status::Ok, self.n);
                    self.answers.keep(Answer { to, client, message, call: None, status, turn, n });
                }
            }
        }
    }

    /// Seals a turn as aborted, with a word on each call that has no result.
    fn close(&mut self, id: TurnId, chunks: &[Chunk], out: &mut Out<'_>) {
        let mut rows: Vec<Chunk> = chunks.iter().filter(|row| row.turn == id).cloned().collect();
        let handed = rows.len();
        for (execution, call, step) in open_calls(&rows) {
            let data = text::interrupted(&call, Cause::Restarted, true);
            let body = ChunkBody::Unknown { kind: "tool_interrupted".to_owned(), data };
            rows.push(Chunk { execution, step, ..rows::row(&id, Role::Tool, body) });
        }
        let outcome = Outcome::Aborted;
        let turn = Turn {
            id: id.clone(),
            said: Said { messages: Vec::new(), clients: Vec::new(), body: Body { parts: Vec::new() } },
            injected: Vec::new(),
            slots: Vec::new(),
            end: TurnPhase::Ended { outcome, write: Write::Asked { attempt: 0 } },
            rows,
            handed,
            newest: handed,
            unwritten: None,
        };
        self.turns.push(turn);
        self.publish(None, Event::TurnEnd { turn: id.clone(), outcome, error: None }, out);
        self.seal(&id, out);
    }
}

/// A call by its execution, its id and its step.
type CallKey = (Option<ExecutionId>, CallId, Option<u32>);

/// The calls of a turn of which the log does not say what became.
fn open_calls(rows: &[Chunk]) -> BTreeSet<CallKey> {
    let mut open = BTreeSet::new();
    for row in rows {
        let key = |call: &CallId| (row.execution.clone(), call.clone(), row.step);
        match &row.body {
            ChunkBody::ToolCall { call, .. } => {
                open.insert(key(call));
            }
            ChunkBody::ToolResult { call, .. } => {
                open.remove(&key(call));
            }
            // The word on a call is in the log already where only the answer to its seal was lost.
            ChunkBody::Unknown { data, .. } => open.retain(|(_, call, _)| !text::names(data, call)),
            ChunkBody::Text { .. }
            | ChunkBody::Reasoning { .. }
            | ChunkBody::Error { .. }
            | ChunkBody::Part(_)
            | ChunkBody::System { .. }
            | ChunkBody::Usage(_) => {}
        }
    }
    open
}

/// The turns that were open and have rows in the log.
fn open_turns(chunks: &[Chunk], open: &[TurnId]) -> Vec<TurnId> {
    open.iter().filter(|turn| chunks.iter().any(|row| row.turn == **turn)).cloned().collect()
}
