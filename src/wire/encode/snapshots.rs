//! The live state of a thread, and its queue.

use super::events::intent;
use super::parts;
use super::text::{Writer, list, string};
use crate::model::{OpenApproval, QueueItem, Snapshot, SnapshotRow, SnapshotTurn, ThreadId, ThreadStatus};
use crate::wire::words::{OUTCOMES, PHASES, ROLES, STATUSES, name};

pub(super) fn fields(snapshot: &Snapshot, object: &mut Writer<'_>) {
    object.opt_text("epoch", snapshot.epoch.as_deref());
    object.opt_number("lastSeq", snapshot.last_seq.map(|seq| seq.0));
    list(&snapshot.turns, object.key("turns"), turn);
    if let Some(queue) = &snapshot.queue {
        list(queue, object.key("queue"), item);
    }
    if let Some(held) = snapshot.held {
        object.flag("held", held);
    }
    if let Some(approvals) = &snapshot.approvals {
        list(approvals, object.key("approvals"), approval);
    }
}

fn turn(turn: &SnapshotTurn, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("turnId", turn.turn.as_str());
    object.text("phase", name(PHASES, turn.phase));
    if let Some(outcome) = turn.outcome {
        object.text("outcome", name(OUTCOMES, outcome));
    }
    if turn.sealed {
        object.flag("sealed", true);
    }
    list(&turn.rows, object.key("rows"), row);
    object.close();
}

fn row(row: &SnapshotRow, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("role", name(ROLES, row.role));
    object.opt_text("executionId", row.execution.as_ref().map(|id| id.as_str()));
    object.opt_text("messageId", row.message.as_ref().map(|id| id.as_str()));
    object.ids("messageIds", row.messages.iter().map(|id| id.as_str()));
    object.ids("clientIds", row.clients.iter().map(|id| id.as_str()));
    parts::parts(&row.parts, object.key("parts"));
    object.close();
}

pub(super) fn item(item: &QueueItem, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("messageId", item.message.as_str());
    parts::body(&item.body, "message", &mut object);
    object.opt_text("clientId", item.client.as_ref().map(|id| id.as_str()));
    intent(item.intent, &mut object);
    object.close();
}

fn approval(approval: &OpenApproval, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("callId", approval.call.as_str());
    object.text("turnId", approval.turn.as_str());
    object.text("name", &approval.name);
    object.opt_text("prompt", approval.prompt.as_deref());
    object.opt_json("options", approval.options.as_ref());
    object.close();
}

pub(super) fn statuses(threads: &[(ThreadId, ThreadStatus)], out: &mut String) {
    out.push('{');
    for (index, (thread, it)) in threads.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        string(thread.as_str(), out);
        out.push(':');
        status(it, out);
    }
    out.push('}');
}

fn status(status: &ThreadStatus, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("status", name(STATUSES, status.status));
    object.opt_text("currentTurnId", status.turn.as_ref().map(|id| id.as_str()));
    object.opt_text("currentAssistantId", status.assistant.as_ref().map(|id| id.as_str()));
    if let Some(list) = &status.parts {
        parts::parts(list, object.key("parts"));
    }
    object.opt_json("tasks", status.tasks.as_ref());
    object.close();
}
