//! JSON to events and back.
//!
//! **Owns**: the wire format of SPEC section 4, its aliases as one table, and what is refused with which words.
//! **Sees**: model.
//! **Never**: state, decisions about rows.

pub(crate) mod chunks;
pub mod encode;
mod events;
pub(crate) mod fault;
mod frame;
mod json;
mod legacy;
pub(crate) mod parts;
pub(crate) mod read;
mod scan;
pub(crate) mod snapshots;
pub(crate) mod words;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use frame::{Decoded, decode};

use crate::model::{Body, Chunk, Envelope, Page, ThreadId};
use fault::{Fault, Place, Reading};
use read::Object;

/// One piece of input that was not understood, and which words of it.
///
/// Codes: `bad-json` (no JSON, or no UTF-8), `not-an-object` (JSON, but no object where one must stand), `missing-field`
/// (a required field is absent, `null` or an empty id), `bad-field` (a field has another type or a word that is not
/// known there), `unknown-type` (an event of a type that this version does not know), `too-deep` (nested deeper than 64).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// Which of the codes.
    pub code: &'static str,
    /// The thread, where it could be read.
    pub thread: Option<ThreadId>,
    /// The `type` of the event, where it could be read.
    pub kind: Option<String>,
    /// The path of the field, like `chunks[3].seq`.
    pub field: Option<String>,
    /// What is wrong, for a person.
    pub detail: String,
}

/// Reads one event object.
///
/// Both are given where an event is refused whose thread and number can be read: the number counts as applied, so the
/// envelope holds [`Event::Nothing`](crate::model::Event::Nothing).
#[must_use]
pub fn event(json: &str) -> (Option<Envelope>, Option<Refused>) {
    frame::event(json, &Reading::default())
}

/// Reads a page of the log, as a transport's `loadChunks` answers it.
///
/// Errors: the page is refused whole.
pub fn page(json: &str) -> Result<Page, Refused> {
    whole(json, chunks::page)
}

/// Reads one chunk.
///
/// Errors: as [`page`].
pub fn chunk(json: &str) -> Result<Chunk, Refused> {
    whole(json, chunks::chunk)
}

/// Reads what a message says: a JSON string, or an array of text, file, source and data parts.
///
/// Errors: the body is refused whole.
pub fn body(json: &str) -> Result<Body, Refused> {
    if scan::depth(json).map_err(refused)? > scan::DEPTH_MAX {
        return Err(refused(Fault::whole("too-deep", "is nested deeper than 64")));
    }
    let reading = Reading::default();
    let body = parts::body(json.trim_matches([' ', '\t', '\r', '\n']), &reading, &Place::Top);
    reading.settle(body).map_err(refused)
}

/// Reads an object that is the whole.
fn whole<T>(json: &str, read: fn(&Object<'_>) -> T) -> Result<T, Refused> {
    let reading = Reading::default();
    let object = Object::top(json, &reading).map_err(refused)?;
    object.check_depth();
    let value = read(&object);
    reading.settle(value).map_err(refused)
}

/// A refusal that knows neither thread nor type.
fn refused(fault: Fault) -> Refused {
    Refused {
        code: fault.code,
        thread: None,
        kind: None,
        field: (!fault.field.is_empty()).then_some(fault.field),
        detail: fault.detail.to_owned(),
    }
}
