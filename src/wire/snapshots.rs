//! The live state of a thread, and its queue.

use super::parts;
use super::read::Object;
use super::words::{INTENTS, OUTCOMES, PHASES, ROLES};
use crate::model::{
    CallId, ClientId, ExecutionId, Intent, MessageId, OpenApproval, Part, Phase, QueueItem, Role, Snapshot,
    SnapshotRow, SnapshotTurn, TurnId,
};

pub(crate) fn snapshot(object: &Object<'_>) -> Snapshot {
    Snapshot {
        epoch: super::chunks::epoch(object),
        last_seq: object.opt_seq("lastSeq"),
        turns: object.each("turns", turn),
        queue: object.opt_each("queue", item),
        held: object.opt_flag("held"),
        approvals: object.opt_each("approvals", approval),
    }
}

/// One message of a queue.
pub(crate) fn item(object: &Object<'_>) -> QueueItem {
    QueueItem {
        message: MessageId::new(object.id("messageId")),
        body: parts::said(object, "message"),
        client: object.opt_id("clientId").map(ClientId::new),
        intent: object.opt_word("intent", INTENTS).unwrap_or(Intent::Queue),
    }
}

fn turn(object: &Object<'_>) -> SnapshotTurn {
    SnapshotTurn {
        turn: TurnId::new(object.id("turnId")),
        phase: object.word("phase", PHASES, Phase::Ended),
        outcome: object.opt_word("outcome", OUTCOMES),
        sealed: object.opt_flag("sealed").unwrap_or(false),
        rows: object.each("rows", row),
    }
}

/// A row has parts; a user's may have a text instead.
fn row(object: &Object<'_>) -> SnapshotRow {
    let text = object.opt_string("text").map(|text| vec![Part::Text { text }]);
    let parts = object.opt_each("parts", parts::part).or(text);
    if parts.is_none() {
        object.missing("parts");
    }
    SnapshotRow {
        role: object.word("role", ROLES, Role::System),
        execution: object.opt_id("executionId").map(ExecutionId::new),
        message: object.opt_id("messageId").map(MessageId::new),
        messages: parts::messages(object),
        clients: parts::clients(object),
        parts: parts.unwrap_or_default(),
    }
}

fn approval(object: &Object<'_>) -> OpenApproval {
    OpenApproval {
        call: CallId::new(object.id("callId")),
        turn: TurnId::new(object.id("turnId")),
        name: object.string("name"),
        prompt: object.opt_string("prompt"),
        options: object.opt_json("options"),
    }
}
