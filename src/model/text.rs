//! Text that may have been cut inside a UTF-16 surrogate pair.

/// One piece of streamed text, with the halves of a surrogate pair that its edges may carry.
///
/// Shape: `head` is a lone low surrogate before `text`, `tail` a lone high surrogate behind it. Lone halves in the middle
/// can never find their other half and are U+FFFD in `text` already.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    /// A low surrogate (DC00 to DFFF) that belongs to the piece before.
    pub head: Option<u16>,
    /// The whole characters.
    pub text: String,
    /// A high surrogate (D800 to DBFF) that belongs to the piece behind.
    pub tail: Option<u16>,
}

impl Cut {
    /// Whole text, not cut inside a character.
    #[must_use]
    pub fn whole(text: impl Into<String>) -> Self {
        Self { head: None, text: text.into(), tail: None }
    }

    /// True where nothing at all came.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.head.is_none() && self.text.is_empty() && self.tail.is_none()
    }

    /// The text with each lone half as one U+FFFD, for places that no further piece can reach.
    #[must_use]
    pub fn lossy(self) -> String {
        let mut out = String::new();
        let mut held = None;
        self.append_to(&mut out, &mut held);
        settle(&mut out, &mut held);
        out
    }

    /// Appends this piece to `out`. `held` carries the high half that the last piece left, and takes the one that this
    /// piece leaves.
    pub fn append_to(&self, out: &mut String, held: &mut Option<u16>) {
        if self.is_empty() {
            return;
        }
        match (held.take(), self.head) {
            (Some(high), Some(low)) => out.push(join(high, low)),
            (Some(_), None) | (None, Some(_)) => out.push(char::REPLACEMENT_CHARACTER),
            (None, None) => {}
        }
        out.push_str(&self.text);
        *held = self.tail;
    }
}

/// Ends a text: a high half that is still held has lost its other half and becomes U+FFFD, once.
pub fn settle(out: &mut String, held: &mut Option<u16>) {
    if held.take().is_some() {
        out.push(char::REPLACEMENT_CHARACTER);
    }
}

/// Pieces as one text.
#[must_use]
pub fn joined(pieces: &[&str]) -> String {
    let mut out = String::new();
    for piece in pieces {
        out.push_str(piece);
    }
    out
}

/// A number by its digits.
#[must_use]
pub fn decimal(number: u64) -> String {
    let mut out = String::new();
    push_decimal(number, &mut out);
    out
}

/// Appends a number by its digits.
pub fn push_decimal(number: u64, out: &mut String) {
    if number > 9 {
        push_decimal(number / 10, out);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// The character of a surrogate pair.
fn join(high: u16, low: u16) -> char {
    char::decode_utf16([high, low]).next().and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_cut_in_the_middle_is_joined() {
        let (mut out, mut held) = (String::new(), None);
        Cut { head: None, text: "a".into(), tail: Some(0xD83C) }.append_to(&mut out, &mut held);
        assert_eq!((out.as_str(), held), ("a", Some(0xD83C)));
        Cut { head: Some(0xDF0D), text: "b".into(), tail: None }.append_to(&mut out, &mut held);
        assert_eq!((out.as_str(), held), ("a\u{1F30D}b", None));
    }

    #[test]
    fn an_empty_piece_keeps_the_half() {
        let (mut out, mut held) = (String::new(), Some(0xD83C));
        Cut::default().append_to(&mut out, &mut held);
        assert_eq!((out.as_str(), held), ("", Some(0xD83C)));
    }

    #[test]
    fn a_lone_half_becomes_one_replacement() {
        let (mut out, mut held) = (String::new(), Some(0xD83C));
        Cut::whole("x").append_to(&mut out, &mut held);
        assert_eq!(out, "\u{FFFD}x");
        held = Some(0xD83C);
        settle(&mut out, &mut held);
        settle(&mut out, &mut held);
        assert_eq!(out, "\u{FFFD}x\u{FFFD}");
    }
}
