//! After a crash: what was kept becomes a thread again, and what was open is closed.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    Body, CallId, Chunk, ChunkBody, Event, ExecutionId, MessageId, Outcome, Parts, Role, ThreadId, TurnId,
};

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

/// What a host has to keep beside the log. Read after each input; kept together with what that input wrote, and before
/// anything of it is published. A write that failed is told to the engine first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Meta {
    /// How many turns were ever started.
    pub started: u64,
    /// The number of the last event.
    pub n: u64,
    /// The number of the last change of the queue.
    pub version: u64,
    /// The turns that are not sealed.
    pub open: Vec<OpenTurn>,
    /// The queue.
    pub queue: Vec<Message>,
    /// The messages that were answered, oldest first.
    pub answered: Vec<Answered>,
}

/// A turn that is not sealed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenTurn {
    /// Which.
    pub turn: TurnId,
    /// How it ended, where it did: it has no other end (L9).
    pub outcome: Option<Outcome>,
    /// The rows that may be nowhere else, by their places in the turn: of an ended one all; of a running one what users
    /// said, and what is known to be unwritten.
    pub rows: Vec<(usize, Chunk)>,
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
            open: self.turns.iter().map(open_turn).collect(),
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
        let mut open = meta.open;
        open.extend(unfinished(&chunks, &prefix, meta.started));
        thread.learn(chunks.iter().filter(|row| !open.iter().any(|it| it.turn == row.turn)).map(|chunk| chunk.seq));
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

    /// Seals a turn, as it ended or else as aborted, with a word on each call that has no result.
    fn close(&mut self, open: OpenTurn, chunks: &[Chunk], out: &mut Out<'_>) {
        let OpenTurn { turn: id, outcome, rows: kept } = open;
        let mut rows: Vec<Chunk> = chunks.iter().filter(|row| row.turn == id).cloned().collect();
        let handed = rows.len();
        rows.extend(kept.into_iter().filter(|(place, _)| *place >= handed).map(|(_, row)| row));
        if rows.is_empty() {
            return;
        }
        for (execution, call, step) in open_calls(&rows) {
            rows.push(Chunk { execution, step, ..rows::interrupted(&id, &call, Cause::Restarted, true) });
        }
        let is_told = outcome.is_some();
        if !is_told && rows.iter().all(|row| row.role == Role::User) {
            // What was streamed is lost, and clients may hold it: a row behind the message proves to them that it is.
            let (kind, text) = ("notice".to_owned(), text::RESTARTED.to_owned());
            rows.push(rows::row(&id, Role::System, ChunkBody::System { kind, text: text.clone() }));
            self.publish(None, Event::Notice { message: text, turn: Some(id.clone()) }, out);
        }
        let outcome = outcome.unwrap_or(Outcome::Aborted);
        self.turns.push(Turn {
            id: id.clone(),
            said: said(&rows),
            injected: Vec::new(),
            shown: Vec::new(),
            slots: Vec::new(),
            end: TurnPhase::Ended { outcome, write: Write::Asked { attempt: 0 } },
            rows,
            handed,
            newest: handed,
            unwritten: None,
        });
        if !is_told {
            self.publish(None, Event::TurnEnd { turn: id.clone(), outcome, error: None }, out);
        }
        self.seal(&id, out);
    }
}

/// What the meta says of a turn. While it runs the meta is read often, and rows of models may be many.
fn open_turn(turn: &Turn) -> OpenTurn {
    let unwritten = if turn.is_open() { turn.unwritten.unwrap_or(turn.rows.len()) } else { 0 };
    let rows = turn.rows.iter().enumerate().filter(|(at, row)| *at >= unwritten || row.role == Role::User);
    let rows = rows.map(|(at, row)| (at, row.clone())).collect();
    OpenTurn { turn: turn.id.clone(), outcome: turn.ended(), rows }
}

/// What a turn answers, by its first rows.
fn said(rows: &[Chunk]) -> Said {
    let first = rows.first().filter(|row| row.role == Role::User);
    let messages: Vec<MessageId> = first.into_iter().flat_map(Chunk::message_ids).cloned().collect();
    let own = rows.iter().take_while(|row| row.role == Role::User && row.message_ids().eq(messages.iter()));
    let mut parts = Parts::default();
    own.for_each(|row| parts.chunk(row));
    let clients = first.map(|row| row.clients.clone()).unwrap_or_default();
    Said { messages, clients, body: Body { parts: parts.into_list() } }
}

/// The newest turn of the log, where the meta does not know it and its rows break off: a model was to be asked.
fn unfinished(chunks: &[Chunk], prefix: &str, started: u64) -> Option<OpenTurn> {
    let number = |row: &Chunk| row.turn.as_str().strip_prefix(prefix)?.parse::<u64>().ok();
    let newest = chunks.iter().filter_map(|row| number(row).map(|number| (number, &row.turn))).max()?;
    let (number, turn) = newest;
    let mut last: BTreeMap<Option<&ExecutionId>, &Chunk> = BTreeMap::new();
    let own = chunks.iter().filter(|row| row.turn == *turn && !matches!(row.body, ChunkBody::Usage(_)));
    for row in own {
        last.insert(row.execution.as_ref(), row);
    }
    let many = last.len() > 1;
    let breaks_off = |row: &Chunk| match row.role {
        // Of several executions each has rows of its own; what was said is of none.
        Role::User => !many,
        Role::Tool => matches!(row.body, ChunkBody::ToolResult { .. }),
        Role::Assistant => matches!(row.body, ChunkBody::ToolCall { .. }),
        Role::System => false,
    };
    let is_open = number > started && last.values().any(|row| breaks_off(row));
    is_open.then(|| OpenTurn { turn: turn.clone(), outcome: None, rows: Vec::new() })
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
