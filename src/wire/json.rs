//! Where JSON values begin and end: one pass, without recursion.

use std::borrow::Cow;

use super::fault::Fault;
use super::scan;

/// So many levels of objects are read in one go; what lies deeper is read once it is asked for.
const LEVELS: usize = 3;

/// A field of an object. The fields of an object that is its value stand right behind it.
#[derive(Debug)]
pub(super) struct Field<'a> {
    /// The name as it stands between its quotes.
    name: &'a str,
    /// Tells most names apart at a glance.
    tag: usize,
    /// True where the name has escapes.
    escaped: bool,
    /// The value as JSON text.
    pub(super) value: &'a str,
    /// How deep the value nests.
    pub(super) depth: usize,
    /// How many of the fields behind it are inside of it. 0 for an object: not read yet, or empty.
    pub(super) inner: usize,
}

impl<'a> Field<'a> {
    pub(super) fn name(&self) -> Cow<'a, str> {
        if self.escaped { scan::plain(self.name) } else { Cow::Borrowed(self.name) }
    }

    /// True for a field of that name, `tag` being the one of the name.
    #[inline(always)]
    pub(super) fn is(&self, name: &str, tag: usize) -> bool {
        if self.escaped { self.name() == name } else { self.tag == tag && same(self.name, name) }
    }
}

/// Which names an object may have, and which of them twice: one bit for each tag.
#[derive(Clone, Copy, Default)]
pub(super) struct Names {
    once: u64,
    twice: u64,
}

impl Names {
    /// Of the fields between two places of a tape.
    pub(super) fn of(tape: &[Field<'_>], from: usize, to: usize) -> Self {
        let (mut names, mut at) = (Self::default(), from);
        while let Some(field) = tape.get(at).filter(|_| at < to) {
            // A name with escapes may be any.
            let bit = if field.escaped { u64::MAX } else { bit(field.tag) };
            names.twice |= names.once & bit;
            names.once |= bit;
            at += 1 + field.inner;
        }
        names
    }

    /// False where no field has that tag.
    #[inline(always)]
    pub(super) fn has(self, tag: usize) -> bool {
        self.once & bit(tag) != 0
    }

    /// False where no two fields can have that tag.
    #[inline(always)]
    pub(super) fn repeats(self, tag: usize) -> bool {
        self.twice & bit(tag) != 0
    }
}

#[inline(always)]
fn bit(tag: usize) -> u64 {
    1 << ((tag ^ tag >> 5 ^ tag >> 13) & 63)
}

/// Equality of short texts of one length, in place: a call costs more than the loop.
#[inline(always)]
pub(super) fn same(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    while let ([first, ones @ ..], [second, others @ ..]) = (one, other) {
        if first != second {
            return false;
        }
        (one, other) = (ones, others);
    }
    one.len() == other.len()
}

/// A number that two names of JSON rarely share.
#[inline(always)]
pub(super) fn tag(name: &str) -> usize {
    let end = name.as_bytes().last().copied().unwrap_or_default();
    let first = name.as_bytes().first().copied().unwrap_or_default();
    name.len() << 16 | usize::from(first) << 8 | usize::from(end)
}

/// A place in JSON text.
pub(super) struct Cursor<'a> {
    text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Passes one value, and gives how deep it nests.
    pub(super) fn value(&mut self) -> Result<usize, Fault> {
        // The bracket that closes each open list and object.
        let mut open: Vec<u8> = Vec::new();
        let mut deepest = 0;
        loop {
            if let Some(close) = self.opened() {
                deepest = deepest.max(open.len() + 1);
                if !self.passed(close) {
                    open.push(close);
                    if close == b'}' {
                        self.key()?;
                    }
                    continue;
                }
            } else {
                self.scalar()?;
            }
            loop {
                let Some(&close) = open.last() else { return Ok(deepest) };
                if self.passed(close) {
                    open.pop();
                } else if self.passed(b',') {
                    if close == b'}' {
                        self.key()?;
                    }
                    break;
                } else {
                    return self.broken("a comma or a bracket is missing");
                }
            }
        }
    }

    /// Reads an object onto the tape, and leaves the cursor behind it.
    pub(super) fn object(&mut self, tape: &mut Vec<Field<'a>>) -> Result<(), Fault> {
        self.fields(tape, LEVELS).map(|_| ())
    }

    fn fields(&mut self, tape: &mut Vec<Field<'a>>, levels: usize) -> Result<usize, Fault> {
        let mut deepest = 0;
        if !self.passed(b'{') {
            return self.broken("an object is missing");
        }
        if self.passed(b'}') {
            return Ok(1);
        }
        loop {
            let (name, escaped) = self.key()?;
            self.space();
            let (at, from) = (tape.len(), self.at);
            tape.push(Field { name, tag: tag(name), escaped, value: "", depth: 0, inner: 0 });
            // Most values are strings.
            let depth = match self.peek() {
                Some(b'"') => {
                    self.string()?;
                    0
                }
                Some(b'{') if levels > 1 => self.fields(tape, levels - 1)?,
                Some(_) | None => self.value()?,
            };
            deepest = deepest.max(depth);
            let inner = tape.len() - at - 1;
            if let Some(field) = tape.get_mut(at) {
                field.value = self.text.get(from..self.at).unwrap_or_default();
                field.depth = depth;
                field.inner = inner;
            }
            if self.passed(b'}') {
                return Ok(deepest + 1);
            }
            if !self.passed(b',') {
                return self.broken("a comma or a bracket is missing");
            }
        }
    }

    /// Reads a list of objects, each onto the tape that `take` gets with its text; leaves the cursor behind the list.
    /// `take` gives a tape back for the next one, or ends it. False: something else is among them.
    pub(super) fn objects(
        &mut self,
        take: &mut dyn FnMut(&'a str, Vec<Field<'a>>) -> Option<Vec<Field<'a>>>,
    ) -> Result<bool, Fault> {
        if !self.passed(b'[') {
            return self.broken("a list is missing");
        }
        if self.passed(b']') {
            return Ok(true);
        }
        let mut tape = Vec::with_capacity(16);
        loop {
            self.space();
            let from = self.at;
            if self.peek() != Some(b'{') {
                return Ok(false);
            }
            tape.clear();
            self.object(&mut tape)?;
            match take(self.text.get(from..self.at).unwrap_or_default(), tape) {
                Some(next) => tape = next,
                None => return Ok(true),
            }
            if self.passed(b']') {
                return Ok(true);
            }
            if !self.passed(b',') {
                return self.broken("a comma or a bracket is missing");
            }
        }
    }

    /// Reads a list, and leaves the cursor behind it.
    pub(super) fn list(&mut self) -> Result<Vec<&'a str>, Fault> {
        let mut items = Vec::new();
        if !self.passed(b'[') {
            return self.broken("a list is missing");
        }
        if self.passed(b']') {
            return Ok(items);
        }
        loop {
            self.space();
            let from = self.at;
            self.value()?;
            items.push(self.text.get(from..self.at).unwrap_or_default());
            if self.passed(b']') {
                return Ok(items);
            }
            if !self.passed(b',') {
                return self.broken("a comma or a bracket is missing");
            }
        }
    }

    /// Passes space, and tells whether that was all.
    pub(super) fn at_end(&mut self) -> bool {
        self.space();
        self.peek().is_none()
    }

    /// Passes a field name and its colon. Gives what stands between the quotes, and whether escapes are in it.
    fn key(&mut self) -> Result<(&'a str, bool), Fault> {
        self.space();
        if self.peek() != Some(b'"') {
            return self.broken("a field name is missing");
        }
        let from = self.at + 1;
        let escaped = self.string()?;
        let key = self.text.get(from..self.at - 1).unwrap_or_default();
        if self.passed(b':') { Ok((key, escaped)) } else { self.broken("a colon is missing") }
    }

    fn scalar(&mut self) -> Result<(), Fault> {
        self.space();
        match self.peek() {
            Some(b'"') => self.string().map(|_| ()),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) | None => {
                let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
                match [&b"null"[..], b"true", b"false"].iter().find(|word| rest.starts_with(word)) {
                    Some(word) => {
                        self.at += word.len();
                        Ok(())
                    }
                    None => self.broken("a value is missing"),
                }
            }
        }
    }

    /// Passes a string, and tells whether escapes are in it.
    fn string(&mut self) -> Result<bool, Fault> {
        let mut escaped = false;
        self.at += 1;
        loop {
            self.plain();
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return self.broken("a control character stands in a string"),
                None => return self.broken("a string has no end"),
            }
        }
    }

    // Small builds inline nothing by themselves, and these run for each byte or each value.
    /// Passes text up to a quote, a backslash, a control character or the end, eight bytes at a time.
    #[inline(always)]
    fn plain(&mut self) {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGHS: u64 = ONES << 7;
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
        while let Some(eight) = self.text.as_bytes().get(self.at..).and_then(|rest| rest.first_chunk::<8>()) {
            let word = u64::from_le_bytes(*eight);
            let control = word.wrapping_sub(ONES * 0x20) & !word;
            let quote = zeros(word ^ (ONES * u64::from(b'"')));
            let slash = zeros(word ^ (ONES * u64::from(b'\\')));
            // Bits above the first hit may be wrong; the first is exact.
            let hits = (control | quote | slash) & HIGHS;
            if hits != 0 {
                self.at += (hits.trailing_zeros() / 8) as usize;
                return;
            }
            self.at += 8;
        }
        while self.peek().is_some_and(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
            self.at += 1;
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                let hex = self.text.as_bytes().get(self.at + 1..self.at + 5);
                if !hex.is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) {
                    return self.broken("an escape is wrong");
                }
                self.at += 5;
            }
            Some(_) | None => return self.broken("an escape is wrong"),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        let from = self.at;
        // Most are a few digits.
        if self.peek() != Some(b'0') && self.digits() && !matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return Ok(());
        }
        self.at = from;
        self.step(b"-");
        if !self.step(b"0") && !self.digits() {
            return self.broken("a digit is missing");
        }
        if self.step(b".") && !self.digits() {
            return self.broken("a digit is missing");
        }
        if self.step(b"eE") {
            self.step(b"+-");
            if !self.digits() {
                return self.broken("a digit is missing");
            }
        }
        Ok(())
    }

    fn digits(&mut self) -> bool {
        let from = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at > from
    }

    fn step(&mut self, any: &[u8]) -> bool {
        let hit = self.peek().is_some_and(|byte| any.contains(&byte));
        self.at += usize::from(hit);
        hit
    }

    /// Passes space and an opening bracket, and gives the one that closes it.
    fn opened(&mut self) -> Option<u8> {
        self.space();
        let close = match self.peek() {
            Some(b'{') => b'}',
            Some(b'[') => b']',
            Some(_) | None => return None,
        };
        self.at += 1;
        Some(close)
    }

    /// Passes space, and the byte if it is next.
    #[inline(always)]
    fn passed(&mut self, byte: u8) -> bool {
        self.space();
        let hit = self.peek() == Some(byte);
        self.at += usize::from(hit);
        hit
    }

    #[inline(always)]
    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn broken<T>(&self, detail: &'static str) -> Result<T, Fault> {
        Err(Fault::whole("bad-json", detail))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Cursor;

    /// Whether a text is one JSON value, here and by an independent reader.
    fn both(text: &str) -> (bool, bool) {
        let mut cursor = Cursor::new(text);
        let ours = cursor.value().is_ok() && cursor.at_end();
        (ours, serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok())
    }

    fn scrap() -> impl Strategy<Value = String> {
        let words = proptest::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\"a\"",
            "\\",
            "\\u00e9",
            "\\u12",
            "\\n",
            "\\x",
            "\n",
            "\u{1}",
            "null",
            "true",
            "false",
            "nul",
            "-",
            "0",
            "1",
            "12",
            ".5",
            "e9",
            "E+1",
            "e",
            " ",
            "longer than eight bytes",
            "\u{1F30D}",
            "\u{7f}",
            "\u{80}",
            "{\"a\":",
            "[1,",
        ]);
        proptest::collection::vec(words, 0..7).prop_map(|words| words.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn takes_what_is_json_and_nothing_else(text in scrap(), quoted in any::<bool>()) {
            let text = if quoted { format!("\"{text}\"") } else { text };
            let (ours, theirs) = both(&text);
            prop_assert_eq!(ours, theirs, "{}", text);
        }
    }

    #[test]
    fn knows_numbers() {
        for text in
            ["0", "-0", "01", "-", "1.", ".5", "1.5", "1e5", "1E+5", "1e-5", "1e", "1e+", "+1", "00", "-01", "1.e5"]
        {
            let (ours, theirs) = both(text);
            assert_eq!(ours, theirs, "{text}");
        }
    }

    #[test]
    fn counts_levels() {
        for (text, depth) in [("1", 0), ("[]", 1), ("[[],{\"a\":[]}]", 3), ("\"[[\"", 0)] {
            assert_eq!(Cursor::new(text).value().ok(), Some(depth), "{text}");
        }
    }
}
