//! What a user said.

use super::{ClientId, MessageId, Part};

/// The content of a user's message.
///
/// Shape: parts in the order of typing; only [`Part::Text`] and [`Part::Opaque`] occur.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// The parts.
    pub parts: Vec<Part>,
}

impl Body {
    /// A message of text alone.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { parts: vec![Part::Text { text: text.into() }] }
    }

    /// The text of all text parts, joined by a blank line.
    #[must_use]
    pub fn plain(&self) -> String {
        let mut out = String::new();
        for part in &self.parts {
            if let Part::Text { text } = part {
                if !out.is_empty() {
                    out.push_str("\n\n");
                }
                out.push_str(text);
            }
        }
        out
    }

    /// True where the message is exactly one text part.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        matches!(self.parts.as_slice(), [Part::Text { .. }])
    }

    /// Several messages that become one initiator: texts joined by a blank line, other parts kept in order.
    #[must_use]
    pub fn joined<'a>(bodies: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        for body in bodies {
            let mut first = true;
            for part in &body.parts {
                match (parts.last_mut(), part) {
                    (Some(Part::Text { text }), Part::Text { text: next }) if first => {
                        text.push_str("\n\n");
                        text.push_str(next);
                    }
                    (_, _) => parts.push(part.clone()),
                }
                first = false;
            }
        }
        Self { parts }
    }
}

/// A user's message as a `turn-start` or a snapshot tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UserMessage {
    /// The server's name for it.
    pub message: Option<MessageId>,
    /// The names that clients gave it.
    pub clients: Vec<ClientId>,
    /// What it says.
    pub body: Body,
}
