//! What is kept over a reload, as text: pending sends and drafts, each under a key with the version of its form.

use crate::model::{ClientId, Intent};
use crate::store::PendingSend;
use crate::wire::{
    encode::{parts, text::Writer},
    fault::Reading,
    parts::said,
    read::Object,
    words::{INTENTS, name},
};

/// Bytes a thread may take. Beyond, the newest messages are left out.
pub const KEPT_MAX: usize = 256 * 1024;

/// What is kept of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The messages that are not known to have arrived.
    Sends,
    /// What is typed and not sent.
    Draft,
}

/// Whose storage it is, as the start of a key: a name or the address of the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope(String);

impl Scope {
    /// `name` as `encodeURI` gives it, so that no scope is the start of another one.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(format!("{name} "))
    }

    /// The name of the channel between tabs.
    #[must_use]
    pub fn channel(&self) -> String {
        format!("turnseal:1:{}", self.0)
    }

    /// Where something is kept. Another form is another key, so that an older client does no harm.
    #[must_use]
    pub fn key(&self, kind: Kind, thread: &str) -> String {
        match kind {
            Kind::Sends => format!("turnseal:1:{}{thread}", self.0),
            Kind::Draft => format!("turnseal:draft:1:{}{thread}", self.0),
        }
    }

    /// Where it is put when it cannot be read.
    #[must_use]
    pub fn aside(&self, kind: Kind, thread: &str) -> String {
        match kind {
            Kind::Sends => format!("turnseal:corrupt:{}{thread}", self.0),
            Kind::Draft => format!("turnseal:corrupt:draft:{}{thread}", self.0),
        }
    }
}

/// What could be read of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sends {
    /// The messages, oldest first.
    pub list: Vec<PendingSend>,
    /// False: there is more in the text than that; it is to be put aside.
    pub is_whole: bool,
}

/// Reads pending sends. One that cannot be read takes no other one along.
#[must_use]
pub fn read_sends(text: &str) -> Sends {
    // The wire reads lists inside of objects.
    let whole = format!("{{\"sends\":{text}}}");
    let reading = Reading::default();
    let Ok(object) = Object::top(&whole, &reading) else { return Sends { list: Vec::new(), is_whole: false } };
    let texts = object.each("sends", |send| send.whole().to_owned());
    // A list that is none, or an item that is no object.
    let is_list = reading.settle(()).is_ok();
    let list: Vec<PendingSend> = texts.iter().filter_map(|text| read_send(text)).collect();
    Sends { is_whole: is_list && list.len() == texts.len(), list }
}

/// Reads one message. `None`: it is none.
#[must_use]
pub fn read_send(text: &str) -> Option<PendingSend> {
    let reading = Reading::default();
    let object = Object::top(text, &reading).ok()?;
    object.check_depth();
    let intent = object.word("intent", INTENTS, Intent::Queue);
    let send = PendingSend { client: ClientId::new(object.id("clientId")), body: said(&object, "text"), intent };
    reading.settle(send).ok()
}

/// Writes one message.
pub(super) fn send_fields(send: &PendingSend, object: &mut Writer<'_>) {
    object.text("clientId", send.client.as_str());
    object.text("text", &send.body.plain());
    if !send.body.is_plain() {
        parts(&send.body.parts, object.key("parts"));
    }
    object.text("intent", name(INTENTS, send.intent));
}

/// Writes pending sends, as many as the limit lets in, oldest first; and how many are left out. Empty: there is nothing.
#[must_use]
pub fn write_sends<'a>(sends: impl IntoIterator<Item = &'a PendingSend>) -> (String, usize) {
    let (mut out, mut left) = (String::new(), 0);
    for send in sends {
        let mut text = String::new();
        let mut object = Writer::open(&mut text);
        send_fields(send, &mut object);
        object.close();
        if left > 0 || out.len() + text.len() + 2 > KEPT_MAX {
            left += 1;
            continue;
        }
        out.push(if out.is_empty() { '[' } else { ',' });
        out.push_str(&text);
    }
    if !out.is_empty() {
        out.push(']');
    }
    (out, left)
}

/// Reads a draft. `None`: it is none.
#[must_use]
pub fn read_draft(text: &str) -> Option<String> {
    let reading = Reading::default();
    let object = Object::top(text, &reading).ok()?;
    let draft = object.string("text");
    reading.settle(draft).ok()
}

/// Writes a draft; empty: there is none. `None`: it is too long to be kept.
#[must_use]
pub fn write_draft(draft: &str) -> Option<String> {
    let mut out = String::new();
    if draft.len() > KEPT_MAX {
        return None;
    }
    if !draft.is_empty() {
        let mut object = Writer::open(&mut out);
        object.text("text", draft);
        object.close();
    }
    Some(out)
}
