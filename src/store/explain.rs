//! Why a group is here, in words.

use crate::model::{ClientId, MessageId, ThreadId, decimal, joined};

use super::Store;
use super::live::{Live, Owner, RowId, Seal, Source, TurnPhase};
use super::thread::Thread;
use super::view::{BlockId, Group, GroupState};

/// Why a group is here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The group's key.
    pub key: String,
    /// The kind of its owner: `chunk`, or one of SPEC section 3 in small letters.
    pub owner: &'static str,
    /// Where it stands.
    pub state: GroupState,
    /// Its turn.
    pub turn: Option<String>,
    /// The reasons, one sentence each.
    pub because: Vec<String>,
}

impl Store {
    /// Why the group with this key is here. `None` where there is none.
    #[must_use]
    pub fn explain(&self, thread: &ThreadId, key: &str) -> Option<Explanation> {
        self.thread(thread)?.explain(key)
    }
}

impl Thread {
    fn explain(&self, key: &str) -> Option<Explanation> {
        let found = self.view.order.iter().find_map(|block| {
            self.draw(block).into_iter().find(|drawn| drawn.group.key == key).map(|drawn| (block.clone(), drawn))
        });
        let (block, drawn) = found?;
        let group = &drawn.group;
        let row = drawn.rows.first().and_then(|(id, _)| self.live.row(*id));
        let (owner, mut because) = match row {
            None => ("chunk", self.why_sealed(group)),
            Some(row) => why_owned(&row.owner),
        };
        if let BlockId::Turn(_) = &block {
            because.extend(self.why_turn(group));
        }
        for (id, _) in &drawn.rows {
            because.extend(names(&self.live, *id));
        }
        Some(Explanation {
            key: key.to_owned(),
            owner,
            state: group.state,
            turn: group.turn.as_ref().map(|turn| turn.as_str().to_owned()),
            because,
        })
    }

    fn why_sealed(&self, group: &Group<'_>) -> Vec<String> {
        let seq = group.seq.map_or_else(String::new, |seq| joined(&[" from seq ", &decimal(seq.0)]));
        let mut because = vec![joined(&["drawn from chunks of the log", &seq])];
        if group.seq.is_some_and(|seq| self.view.user_key(seq).is_some()) {
            because.push("took over a live row and its key".to_owned());
        }
        because
    }

    fn why_turn(&self, group: &Group<'_>) -> Vec<String> {
        let Some(record) = group.turn.as_ref().and_then(|turn| self.live.turns.get(turn)) else {
            return vec!["its turn is folded, or only known from its chunks".to_owned()];
        };
        let phase = match &record.phase {
            TurnPhase::Running => "its turn runs".to_owned(),
            TurnPhase::Ended { outcome: None, .. } => "its turn ended; no outcome was told".to_owned(),
            TurnPhase::Ended { outcome: Some(outcome), .. } => joined(&["its turn ended: ", outcome_word(*outcome)]),
        };
        let seal = match &record.seal {
            Seal::Open => "not sealed".to_owned(),
            Seal::Sealed { last: Some(last), misses, .. } => joined(&[
                "sealed up to seq ",
                &decimal(last.0),
                ", which is not in the window; ",
                &decimal(u64::from(*misses)),
                " pages lacked it",
            ]),
            Seal::Sealed { last: None, misses, .. } => joined(&[
                "sealed; no page asked for afterwards held an answer of it; ",
                &decimal(u64::from(*misses)),
                " pages lacked it",
            ]),
        };
        let source = match record.source {
            Source::Live => "drawn from events: its start was seen before its chunks",
            Source::Chunks => "drawn from chunks: they were here before its start was seen",
        };
        vec![phase, seal, source.to_owned()]
    }
}

fn outcome_word(outcome: crate::model::Outcome) -> &'static str {
    match outcome {
        crate::model::Outcome::Done => "done",
        crate::model::Outcome::Aborted => "aborted",
        crate::model::Outcome::Error => "error",
    }
}

fn why_owned(owner: &Owner) -> (&'static str, Vec<String>) {
    let (word, why) = match owner {
        Owner::Sending { client } => {
            ("sending", joined(&[client.as_str(), " was sent; the server has not said a word about it"]))
        }
        Owner::Failed { error, .. } => ("failed", joined(&["it is not known to have arrived: ", error])),
        Owner::Queued { message } => ("queued", joined(&["the server keeps ", message.as_str(), " for a turn"])),
        Owner::Starting { turn: Some(turn) } => {
            ("starting", joined(&["accepted; ", turn.as_str(), " has not begun here"]))
        }
        Owner::Starting { turn: None } => ("starting", "accepted; its turn has not begun here".to_owned()),
        Owner::Departed { .. } => {
            ("departed", "the server no longer lists it; the next page tells what became of it".to_owned())
        }
        Owner::Turn { turn } => ("turn", joined(&["it belongs to ", turn.as_str(), ", which is not folded"])),
        Owner::Note { after: Some(turn) } => {
            ("note", joined(&["it came after ", turn.as_str(), ", outside of any turn"]))
        }
        Owner::Note { after: None } => ("note", "it came before any turn".to_owned()),
    };
    (word, vec![why])
}

fn names(live: &Live, id: RowId) -> Option<String> {
    let row = live.row(id)?;
    let mut list = String::new();
    for name in row.messages.iter().map(MessageId::as_str).chain(row.clients.iter().map(ClientId::as_str)) {
        list.push_str(if list.is_empty() { "" } else { ", " });
        list.push_str(name);
    }
    (!list.is_empty()).then(|| joined(&["known as ", &list]))
}
