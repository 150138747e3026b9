//! What a piece of JSON text says, read without recursion.

use std::borrow::Cow;

use super::fault::Fault;
use super::json::Cursor;
use crate::model::{Cut, joined};

/// How deep an event, a page or a body may nest, itself included.
pub(super) const DEPTH_MAX: usize = 64;

/// The greatest whole number that every JSON reader holds exactly.
pub(super) const NUMBER_MAX: u64 = (1 << 53) - 1;

/// Checks that `json` is one JSON value, and gives how deep it nests.
pub(super) fn depth(json: &str) -> Result<usize, Fault> {
    let mut cursor = Cursor::new(json);
    let depth = cursor.value()?;
    if cursor.at_end() { Ok(depth) } else { Err(Fault::whole("bad-json", "something stands behind the value")) }
}

/// The text of a JSON string; lone halves of surrogate pairs become U+FFFD. `None` for any other value.
pub(super) fn text(raw: &str) -> Option<Cow<'_, str>> {
    quoted(raw).map(plain)
}

/// What stands between the quotes of a JSON string, with its escapes undone.
pub(super) fn plain(inner: &str) -> Cow<'_, str> {
    if inner.as_bytes().contains(&b'\\') { Cow::Owned(unescape(inner).lossy()) } else { Cow::Borrowed(inner) }
}

/// The text of a JSON string that may be cut inside a surrogate pair. `None` for any other value.
pub(super) fn cut(raw: &str) -> Option<Cut> {
    let inner = quoted(raw)?;
    Some(if inner.as_bytes().contains(&b'\\') { unescape(inner) } else { Cut::whole(inner) })
}

/// A whole number from 0 to 2^53 - 1, however it is written: `5`, `5.0`, `50e-1`.
pub(super) fn number(raw: &str) -> Option<u64> {
    if let Some(number) = digits(raw).filter(|_| raw.len() <= 16) {
        return (number <= NUMBER_MAX).then_some(number);
    }
    if !is_number(raw) {
        return None;
    }
    let (mantissa, exponent) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
    let (negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let both = joined(&[whole, fraction]);
    let significant = both.trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    let dropped = both.len() - significant.len();
    let (below, exponent) = match exponent.split_at_checked(1) {
        Some(("-", rest)) => (true, rest),
        Some(("+", rest)) => (false, rest),
        Some(_) | None => (false, exponent),
    };
    // Longer ones are out of all bounds, unless they are mere zeros.
    let exponent = exponent.trim_start_matches('0');
    let power =
        if exponent.is_empty() { 0 } else { i64::try_from(digits(exponent).filter(|_| exponent.len() < 17)?).ok()? };
    let zeros = (if below { -power } else { power }) + dropped as i64 - fraction.len() as i64;
    let significant = significant.trim_start_matches('0');
    if negative || !(0..=16).contains(&zeros) || significant.len() > 16 {
        return None;
    }
    let number = digits(significant)?.checked_mul(10_u64.checked_pow(u32::try_from(zeros).ok()?)?)?;
    (number <= NUMBER_MAX).then_some(number)
}

/// The number that digits say, wrapped where they are too many; `None` where anything else is among them.
fn digits(text: &str) -> Option<u64> {
    let mut number: u64 = 0;
    for byte in text.bytes() {
        if !byte.is_ascii_digit() {
            return None;
        }
        number = number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
    }
    (!text.is_empty()).then_some(number)
}

/// True where a JSON value is a number.
pub(super) fn is_number(raw: &str) -> bool {
    raw.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

fn quoted(raw: &str) -> Option<&str> {
    if raw.as_bytes().first() == Some(&b'"') { raw.get(1..raw.len() - 1) } else { None }
}

/// Undoes the escapes between the quotes of a valid JSON string.
fn unescape(inner: &str) -> Cut {
    let mut out = Halves { cut: Cut::default(), high: None };
    out.cut.text.reserve(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        let (run, escape) = rest.split_at(at);
        out.run(run);
        let (unit, len) = match escape.as_bytes().get(1) {
            Some(b'u') => (escape.get(2..6).and_then(|hex| u16::from_str_radix(hex, 16).ok()).unwrap_or(0xFFFD), 6),
            Some(b'n') => (0x0A, 2),
            Some(b't') => (0x09, 2),
            Some(b'r') => (0x0D, 2),
            Some(b'b') => (0x08, 2),
            Some(b'f') => (0x0C, 2),
            Some(other) => (u16::from(*other), 2),
            None => (0xFFFD, 1),
        };
        out.unit(unit);
        rest = escape.get(len..).unwrap_or_default();
    }
    out.run(rest);
    out.cut.tail = out.high;
    out.cut
}

/// Text that is put together from runs and UTF-16 units.
struct Halves {
    cut: Cut,
    /// A high half that waits for its low one.
    high: Option<u16>,
}

impl Halves {
    fn run(&mut self, run: &str) {
        if !run.is_empty() {
            self.settle();
            self.cut.text.push_str(run);
        }
    }

    fn unit(&mut self, unit: u16) {
        match unit {
            0xD800..=0xDBFF => {
                self.settle();
                self.high = Some(unit);
            }
            0xDC00..=0xDFFF => match self.high.take() {
                Some(high) => {
                    let code = 0x1_0000 + ((u32::from(high) - 0xD800) << 10) + (u32::from(unit) - 0xDC00);
                    self.cut.text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                None if self.cut.head.is_none() && self.cut.text.is_empty() => self.cut.head = Some(unit),
                None => self.cut.text.push(char::REPLACEMENT_CHARACTER),
            },
            _ => {
                self.settle();
                self.cut.text.push(char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }

    /// A high half that is still alone can never be whole.
    fn settle(&mut self) {
        if self.high.take().is_some() {
            self.cut.text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}
