//! Threads put aside as JSON, and taken up again.

use std::sync::Arc;

use crate::model::{ClientId, ExecutionId, Intent, MessageId, Outcome, Part, Role, Seq, ThreadId, TurnId};
use crate::store::{Owner, Saved, SavedRow, SavedTurn};
use crate::wire::{
    encode::text::{Writer, list, string},
    encode::{chunk, parts},
    read::Object,
    words::{INTENTS, OUTCOMES, ROLES, name},
};

/// The only version of this format so far.
const VERSION: u64 = 1;

/// All threads.
pub(super) fn encode(threads: &[(ThreadId, Saved)]) -> String {
    let mut out = String::new();
    let mut object = Writer::open(&mut out);
    object.number("v", VERSION);
    list(threads, object.key("threads"), |(id, saved), out| thread(id, saved, out));
    object.close();
    out
}

fn thread(id: &ThreadId, saved: &Saved, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("id", id.as_str());
    object.opt_text("epoch", saved.epoch.as_deref());
    object.flag("atStart", saved.at_start);
    object.opt_number("applied", saved.applied);
    list(&saved.chunks, object.key("chunks"), |it, out| chunk(it, out));
    list(&saved.keys, object.key("keys"), |(seq, key), out| {
        let mut object = Writer::open(out);
        object.number("seq", seq.0);
        object.text("key", key);
        object.close();
    });
    list(&saved.turns, object.key("turns"), turn);
    list(&saved.rows, object.key("rows"), row);
    object.all_ids("queue", saved.queue.iter().map(MessageId::as_str));
    object.opt_number("version", saved.version);
    object.flag("held", saved.held);
    object.all_ids("late", saved.late.iter().map(TurnId::as_str));
    object.all_ids("sent", saved.sent.iter().map(ClientId::as_str));
    list(&saved.meta, object.key("meta"), |(kind, json), out| {
        let mut object = Writer::open(out);
        object.text("type", kind);
        object.json("json", json);
        object.close();
    });
    object.close();
}

fn turn(turn: &SavedTurn, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("turnId", turn.turn.as_str());
    object.flag("ended", turn.ended.is_some());
    if let Some(Some(outcome)) = turn.ended {
        object.text("outcome", name(OUTCOMES, outcome));
    }
    object.opt_text("error", turn.error.as_deref());
    object.flag("sealed", turn.sealed.is_some());
    object.opt_number("lastSeq", turn.sealed.flatten().map(|seq| seq.0));
    object.flag("fromChunks", turn.from_chunks);
    list(&turn.rows, object.key("rows"), row);
    object.close();
}

fn row(row: &SavedRow, out: &mut String) {
    let mut object = Writer::open(out);
    object.text("key", &row.key);
    owner(&row.owner, &mut object);
    object.text("role", name(ROLES, row.role));
    object.opt_text("executionId", row.execution.as_ref().map(|id| id.as_str()));
    object.ids("messageIds", row.messages.iter().map(MessageId::as_str));
    object.ids("clientIds", row.clients.iter().map(ClientId::as_str));
    object.text("intent", name(INTENTS, row.intent));
    object.flag("open", row.open);
    parts(&row.parts, object.key("parts"));
    object.close();
}

fn owner(owner: &Owner, object: &mut Writer<'_>) {
    let (word, id, error) = match owner {
        Owner::Sending { client } => ("sending", Some(client.as_str()), None),
        Owner::Failed { client, error } => ("failed", Some(client.as_str()), Some(error)),
        Owner::Queued { message } => ("queued", Some(message.as_str()), None),
        Owner::Starting { turn } => ("starting", turn.as_ref().map(TurnId::as_str), None),
        Owner::Departed { .. } => ("departed", None, None),
        Owner::Turn { turn } => ("turn", Some(turn.as_str()), None),
        Owner::Note { after } => ("note", after.as_ref().map(TurnId::as_str), None),
    };
    object.text("owner", word);
    if let Some(id) = id {
        string(id, object.key("ownerId"));
    }
    object.opt_text("error", error.map(String::as_str));
}

/// Reads what [`encode`] wrote. What does not fit is noted in the reading: the state is refused whole.
pub(super) fn decode(state: &Object<'_>) -> Vec<(ThreadId, Saved)> {
    if state.number("v") != VERSION {
        state.bad("v", "is a version that is not known here");
    }
    state.check_depth();
    state.each("threads", read_thread)
}

fn read_thread(object: &Object<'_>) -> (ThreadId, Saved) {
    let saved = Saved {
        epoch: object.opt_string("epoch"),
        at_start: object.flag("atStart"),
        applied: object.opt_number("applied"),
        chunks: object.each("chunks", |item| Arc::new(crate::wire::chunks::chunk(item))),
        keys: object.each("keys", |item| (Seq(item.number("seq")), item.string("key"))),
        turns: object.each("turns", read_turn),
        rows: object.each("rows", read_row),
        queue: ids(object, "queue", MessageId::new),
        version: object.opt_number("version"),
        held: object.flag("held"),
        late: ids(object, "late", TurnId::new),
        sent: ids(object, "sent", ClientId::new),
        meta: object.each("meta", |item| (item.string("type"), item.json("json"))),
    };
    (ThreadId::new(object.id("id")), saved)
}

fn ids<T>(object: &Object<'_>, field: &str, id: fn(Arc<str>) -> T) -> Vec<T> {
    object.opt_ids(field).unwrap_or_default().into_iter().map(id).collect()
}

fn read_turn(object: &Object<'_>) -> SavedTurn {
    let outcome: Option<Outcome> = object.opt_word("outcome", OUTCOMES);
    SavedTurn {
        turn: TurnId::new(object.id("turnId")),
        ended: object.flag("ended").then_some(outcome),
        error: object.opt_string("error"),
        sealed: object.flag("sealed").then(|| object.opt_seq("lastSeq")),
        from_chunks: object.flag("fromChunks"),
        rows: object.each("rows", read_row),
    }
}

fn read_row(object: &Object<'_>) -> SavedRow {
    let parts: Vec<Part> = object.each("parts", crate::wire::parts::part);
    SavedRow {
        key: object.string("key"),
        owner: read_owner(object),
        role: object.word("role", ROLES, Role::User),
        execution: object.opt_id("executionId").map(ExecutionId::new),
        messages: crate::wire::parts::messages(object),
        clients: crate::wire::parts::clients(object),
        intent: object.opt_word("intent", INTENTS).unwrap_or(Intent::Queue),
        parts,
        open: object.flag("open"),
    }
}

fn read_owner(object: &Object<'_>) -> Owner {
    let id = || object.id("ownerId");
    match &*object.text("owner") {
        "sending" => Owner::Sending { client: ClientId::new(id()) },
        "failed" => Owner::Failed {
            client: ClientId::new(id()),
            error: object.opt_string("error").unwrap_or_else(|| "not known to have arrived".to_owned()),
        },
        "queued" => Owner::Queued { message: MessageId::new(id()) },
        "starting" => Owner::Starting { turn: object.opt_id("ownerId").map(TurnId::new) },
        "departed" => Owner::Departed { since: 0 },
        "turn" => Owner::Turn { turn: TurnId::new(id()) },
        "note" => Owner::Note { after: object.opt_id("ownerId").map(TurnId::new) },
        _ => {
            object.bad("owner", "is a word that is not known here");
            Owner::Departed { since: 0 }
        }
    }
}
