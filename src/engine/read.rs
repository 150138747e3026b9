//! The live state of a thread as others are told it. Pure.

use crate::model::{
    ApprovalState, Body, Chunk, Envelope, Event, ExecutionId, MessageId, OpenApproval, Part, Parts, Role, Snapshot,
    SnapshotRow, SnapshotTurn,
};

use super::execution::{Execution, OpenCall};
use super::thread::Thread;
use super::turn::{Said, Shown, Turn};

impl Thread {
    /// Everything that is not in the log.
    pub(super) fn snapshot(&self) -> Envelope {
        let snapshot = Snapshot {
            epoch: None,
            last_seq: self.seqs.last().copied(),
            turns: self.turns.iter().map(told).collect(),
            queue: Some(self.queue.told()),
            held: Some(self.queue.is_held()),
            approvals: Some(self.open().into_iter().flat_map(approvals).collect()),
        };
        let event = Event::Snapshot(Box::new(snapshot));
        Envelope { thread: self.id.clone(), n: Some(self.n), execution: None, event }
    }
}

fn told(turn: &Turn) -> SnapshotTurn {
    let mut rows = Vec::new();
    if !turn.said.messages.is_empty() {
        rows.push(said(&turn.said));
    }
    for (at, shown) in turn.shown.iter().enumerate() {
        match shown {
            Shown::Spoke { execution, from } => {
                let rest = turn.shown.get(at + 1..).unwrap_or_default();
                let next = rest.iter().find_map(|later| later.from(execution));
                let spoken = turn.attempts().find(|it| it.id == *execution);
                rows.extend(spoken.into_iter().flat_map(|it| spoke(it, *from, next)));
            }
            Shown::Injected(index) => rows.extend(turn.injected.get(*index).map(said)),
        }
    }
    if turn.slots.is_empty() {
        rows.extend(written(turn));
    }
    SnapshotTurn { turn: turn.id.clone(), phase: turn.phase(), outcome: turn.ended(), sealed: false, rows }
}

/// What an execution said in one go: a row for each name under which it was streamed, so that it grows on under that.
fn spoke(execution: &Execution, from: usize, to: Option<usize>) -> Vec<SnapshotRow> {
    let (parts, origins) = (execution.parts.list(), execution.parts.origins());
    let parts = parts.get(from..to.unwrap_or(parts.len())).unwrap_or_default();
    let mut rows: Vec<SnapshotRow> = Vec::new();
    for (part, origin) in parts.iter().zip(origins.iter().skip(from)) {
        match rows.last_mut().filter(|row| row.message == origin.message) {
            Some(row) => row.parts.push(part.clone()),
            None => rows.push(answer(execution.tag.clone(), origin.message.clone(), vec![part.clone()])),
        }
    }
    rows
}

fn answer(execution: Option<ExecutionId>, message: Option<MessageId>, parts: Vec<Part>) -> SnapshotRow {
    SnapshotRow { role: Role::Assistant, execution, message, messages: Vec::new(), clients: Vec::new(), parts }
}

/// What the log has of a turn that a restart has ended, behind its first message.
fn written(turn: &Turn) -> Vec<SnapshotRow> {
    let mut told: Vec<(SnapshotRow, Parts)> = Vec::new();
    let mut since = 0;
    for chunk in turn.rows.iter().skip_while(|chunk| chunk.role == Role::User) {
        let ids: Vec<MessageId> = chunk.message_ids().cloned().collect();
        let recent = told.iter().enumerate().skip(since);
        let same = recent.rev().find(|(_, (row, _))| match chunk.role {
            Role::User => row.role == Role::User && row.messages == ids,
            Role::Assistant | Role::Tool => row.role == Role::Assistant && row.execution == chunk.execution,
            Role::System => row.role == Role::System,
        });
        let at = same.map(|(at, _)| at).unwrap_or_else(|| {
            told.push((row_of(chunk, ids), Parts::default()));
            told.len() - 1
        });
        if chunk.role == Role::User {
            // What is said next opens new rows.
            since = at;
        }
        if let Some((_, parts)) = told.get_mut(at) {
            parts.chunk(chunk);
        }
    }
    let whole = told.into_iter().map(|(row, mut parts)| {
        parts.end();
        SnapshotRow { parts: parts.into_list(), ..row }
    });
    whole.filter(|row| !row.parts.is_empty()).collect()
}

fn row_of(chunk: &Chunk, messages: Vec<MessageId>) -> SnapshotRow {
    let row = answer(chunk.execution.clone(), None, Vec::new());
    match chunk.role {
        Role::User => SnapshotRow {
            role: Role::User,
            message: chunk.message.clone(),
            messages,
            clients: chunk.clients.clone(),
            ..row
        },
        Role::Assistant | Role::Tool => row,
        Role::System => SnapshotRow { role: Role::System, ..row },
    }
}

fn said(said: &Said) -> SnapshotRow {
    let Body { parts } = said.body.clone();
    SnapshotRow {
        role: Role::User,
        execution: None,
        message: said.message(),
        messages: said.messages.clone(),
        clients: said.clients.clone(),
        parts,
    }
}

fn approvals(turn: &Turn) -> impl Iterator<Item = OpenApproval> {
    turn.executions().flat_map(move |execution| {
        let asking = execution.open().iter().filter(|open| open.is_asking());
        asking.filter_map(move |open| approval(turn, execution, open))
    })
}

fn approval(turn: &Turn, execution: &Execution, open: &OpenCall) -> Option<OpenApproval> {
    let tool = execution.tool(&open.call)?;
    let approval = tool.approval.as_ref().filter(|approval| approval.state == ApprovalState::Open)?;
    Some(OpenApproval {
        call: open.call.clone(),
        turn: turn.id.clone(),
        name: tool.name.clone(),
        prompt: approval.prompt.clone(),
        options: approval.options.clone(),
    })
}
