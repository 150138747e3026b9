//! One frame of the transport: one event, an array of events, or several of both, one behind the other.

use super::fault::{Fault, Place, Reading};
use super::json::Cursor;
use super::read::Object;
use super::{Refused, events, refused, scan};
use crate::model::Envelope;

/// How many refusals of one frame are told; further ones only stay without effect.
const REFUSED_MAX: usize = 1_000;

/// How many broken values over several lines a frame may have. Then each line stands alone: the search for the end of
/// a value that has none must not be repeated for every line.
const TORN_MAX: usize = 16;

/// What one frame held.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Decoded {
    /// The events, in order.
    pub events: Vec<Envelope>,
    /// What was refused, at most 1,000 of it.
    pub refused: Vec<Refused>,
}

/// Reads a frame: one JSON object, an array of objects, or several of them as lines. A value may span lines.
///
/// Errors: none; a broken line is refused alone, also one that is not UTF-8.
#[must_use]
pub fn decode(frame: &[u8]) -> Decoded {
    let mut reader = Reader { out: Decoded::default(), torn: 0, reading: Reading::default() };
    let mut rest = frame.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(frame);
    loop {
        match std::str::from_utf8(rest) {
            Ok(text) => {
                reader.text(text);
                return reader.out;
            }
            Err(error) => {
                let (valid, bad) = rest.split_at(error.valid_up_to());
                let start = valid.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
                let before = valid.get(..start).unwrap_or_default();
                reader.text(std::str::from_utf8(before).unwrap_or_default());
                reader.refuse(Fault::whole("bad-json", "is not UTF-8"));
                rest = bad.iter().position(|&byte| byte == b'\n').and_then(|at| bad.get(at..)).unwrap_or_default();
            }
        }
    }
}

struct Reader {
    out: Decoded,
    /// How many values over several lines were broken so far.
    torn: usize,
    reading: Reading,
}

impl Reader {
    fn text(&mut self, text: &str) {
        let mut rest = skip_space(text);
        while !rest.is_empty() {
            let reach = if self.torn < TORN_MAX { rest } else { first_line(rest) };
            let len = self.value(reach).unwrap_or_else(|fault| {
                self.refuse(fault);
                first_line(rest).len()
            });
            rest = skip_space(rest.get(len..).unwrap_or_default());
        }
    }

    /// Reads the value at the start of `text`, and gives its length.
    fn value(&mut self, text: &str) -> Result<usize, Fault> {
        let mut cursor = Cursor::new(text);
        if text.starts_with('{') {
            let mut tape = Vec::with_capacity(8);
            let read = cursor.object(&mut tape);
            read.inspect_err(|_| self.note(text, cursor.at))?;
            let len = ends(text, cursor.at)?;
            let object = Object::new(text.get(..len).unwrap_or_default(), tape, &self.reading, Place::Top);
            let read = events::event(&object);
            self.push(read);
            return Ok(len);
        }
        if text.starts_with('[') {
            let items = cursor.list();
            let items = items.inspect_err(|_| self.note(text, cursor.at))?;
            let len = ends(text, cursor.at)?;
            for item in items {
                let read = event(item, &self.reading);
                self.push(read);
            }
            return Ok(len);
        }
        scan::depth(first_line(text))?;
        Err(Fault::not_an_object())
    }

    /// Counts a value that broke behind its first line.
    fn note(&mut self, text: &str, at: usize) {
        if at > first_line(text).len() {
            self.torn += 1;
        }
    }

    fn push(&mut self, (event, refused): (Option<Envelope>, Option<Refused>)) {
        self.out.events.extend(event);
        if let Some(refused) = refused
            && self.out.refused.len() < REFUSED_MAX
        {
            self.out.refused.push(refused);
        }
    }

    fn refuse(&mut self, fault: Fault) {
        self.push((None, Some(refused(fault))));
    }
}

/// One event object.
pub(super) fn event(json: &str, reading: &Reading) -> (Option<Envelope>, Option<Refused>) {
    match Object::top(json, reading) {
        Ok(object) => events::event(&object),
        Err(fault) => (None, Some(refused(fault))),
    }
}

/// The end of a value, if nothing but another value follows on its last line.
fn ends(text: &str, len: usize) -> Result<usize, Fault> {
    let after = text.get(len..).unwrap_or_default().trim_start_matches([' ', '\t', '\r']);
    if after.is_empty() || after.starts_with(['\n', '{', '[']) {
        Ok(len)
    } else {
        Err(Fault::whole("bad-json", "something else follows on its line"))
    }
}

fn first_line(text: &str) -> &str {
    text.split_once('\n').map_or(text, |(line, _)| line)
}

fn skip_space(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\r', '\n'])
}
