//! The live state of a thread as others are told it. Pure.

use crate::model::{ApprovalState, Body, Envelope, Event, OpenApproval, Role, Snapshot, SnapshotRow, SnapshotTurn};

use super::execution::{Execution, OpenCall};
use super::thread::Thread;
use super::turn::{Said, Turn};

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
    let spoken = turn.attempts().filter(|it| !it.parts.list().is_empty());
    rows.extend(spoken.map(|execution| SnapshotRow {
        role: Role::Assistant,
        execution: execution.tag.clone(),
        message: None,
        messages: Vec::new(),
        clients: Vec::new(),
        parts: execution.parts.list().to_vec(),
    }));
    rows.extend(turn.injected.iter().map(said));
    SnapshotTurn { turn: turn.id.clone(), phase: turn.phase(), outcome: turn.ended(), sealed: false, rows }
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
