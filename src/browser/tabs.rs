//! What tabs of one page tell each other, and who of them sends a message.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ClientId, ThreadId};
use crate::store::{PendingSend, Receipt, RequestId};
use crate::wire::{encode::text::Writer, fault::Reading, read::Object, words::name};

use super::answers::{RECEIPTS, receipt};
use super::kept::{read_send, send_fields};

/// A tab that says nothing for so long is gone: the message is sent from here. Nothing is sent twice by that (L11).
pub const SILENCE_MS: u32 = 4_000;

/// What one tab tells the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// A message is on its way.
    Sending(ThreadId, PendingSend),
    /// What came of it.
    Sent(ClientId, Result<Receipt, String>),
    /// A thread is looked at: who sends there?
    Hello(ThreadId),
    /// The user gave a message up.
    Dismiss(ThreadId, ClientId),
    /// The user typed that.
    Draft(ThreadId, String),
}

impl Word {
    /// Reads a word. `None`: it is none, or one of another version.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let reading = Reading::default();
        let object = Object::top(text, &reading).ok()?;
        let thread = |object: &Object<'_>| ThreadId::new(object.id("threadId"));
        let client = || ClientId::new(object.id("clientId"));
        let word = match &*object.text("type") {
            "sending" => {
                let message = object.object("message");
                Self::Sending(thread(&message), read_send(message.whole())?)
            }
            "sent" => Self::Sent(
                client(),
                match object.opt_string("error") {
                    Some(error) => Err(error),
                    None => Ok(receipt(&object.object("answer"))),
                },
            ),
            "hello" => Self::Hello(thread(&object)),
            "dismiss" => Self::Dismiss(thread(&object), client()),
            "draft" => Self::Draft(thread(&object), object.string("text")),
            _ => return None,
        };
        reading.settle(word).ok()
    }

    /// The word as JSON.
    #[must_use]
    pub fn write(&self) -> String {
        let mut out = String::new();
        let mut object = Writer::open(&mut out);
        match self {
            Self::Sending(thread, send) => {
                object.text("type", "sending");
                let mut message = Writer::open(object.key("message"));
                message.text("threadId", thread.as_str());
                send_fields(send, &mut message);
                message.close();
            }
            Self::Sent(client, outcome) => {
                object.text("type", "sent");
                object.text("clientId", client.as_str());
                outcome_fields(outcome, &mut object);
            }
            Self::Hello(thread) => {
                object.text("type", "hello");
                object.text("threadId", thread.as_str());
            }
            Self::Dismiss(thread, client) => {
                object.text("type", "dismiss");
                object.text("threadId", thread.as_str());
                object.text("clientId", client.as_str());
            }
            Self::Draft(thread, text) => {
                object.text("type", "draft");
                object.text("threadId", thread.as_str());
                object.text("text", text);
            }
        }
        object.close();
        out
    }
}

fn outcome_fields(outcome: &Result<Receipt, String>, object: &mut Writer<'_>) {
    match outcome {
        Ok(receipt) => {
            let mut answer = Writer::open(object.key("answer"));
            answer.text("status", name(RECEIPTS, receipt.status));
            answer.opt_text("messageId", receipt.message.as_ref().map(|id| id.as_str()));
            answer.opt_text("turnId", receipt.turn.as_ref().map(|id| id.as_str()));
            answer.opt_number("n", receipt.n);
            answer.close();
        }
        Err(error) => object.text("error", error),
    }
}

/// Who sends what.
#[derive(Debug, Default)]
pub struct Tabs {
    /// What this tab sends.
    own: BTreeMap<ClientId, (ThreadId, PendingSend)>,
    /// What others send and this tab shows.
    theirs: BTreeSet<ClientId>,
    /// Requests of this tab's store that wait for the tab that sends.
    waiting: BTreeMap<ClientId, RequestId>,
}

impl Tabs {
    /// The store wants a message sent. True: this tab does it; false: another one does, and its word is waited for.
    #[must_use]
    pub fn begin(&mut self, request: RequestId, thread: &ThreadId, send: &PendingSend) -> bool {
        if self.theirs.contains(&send.client) {
            self.waiting.insert(send.client.clone(), request);
            return false;
        }
        self.own.insert(send.client.clone(), (thread.clone(), send.clone()));
        true
    }

    /// A message of this tab is answered, or given up.
    pub fn end(&mut self, client: &ClientId) {
        self.own.remove(client);
    }

    /// Another tab sends a message. True: it is news here.
    #[must_use]
    pub fn heard(&mut self, client: &ClientId) -> bool {
        !self.own.contains_key(client) && self.theirs.insert(client.clone())
    }

    /// What another tab sends was shown here. Where nobody waits for it, it was known already.
    pub fn shown(&mut self, client: &ClientId) {
        if !self.waiting.contains_key(client) {
            self.theirs.remove(client);
        }
    }

    /// Another tab has its answer, or has been silent for too long: the request here that waits for it.
    #[must_use]
    pub fn settle(&mut self, client: &ClientId) -> Option<RequestId> {
        self.theirs.remove(client);
        self.waiting.remove(client)
    }

    /// What this tab sends in a thread.
    pub fn own(&self, thread: &ThreadId) -> impl Iterator<Item = Word> {
        let here = self.own.values().filter(move |(at, _)| at == thread);
        here.map(|(at, send)| Word::Sending(at.clone(), send.clone()))
    }
}
