//! A JSON object as its fields, each read by the type that it must have.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::fault::{Fault, Place, Reading};
use super::json::{self, Cursor, Field, Names};
use super::scan;
use crate::model::{Cut, Json, Seq, decimal};

/// The fields of an object in their order, values as JSON text.
///
/// Reads named `opt_` take an absent field and `null` as `None`; the others refuse both. Of repeated fields the last
/// one counts. What a failed read gives is never seen: see [`Reading`].
pub(crate) struct Object<'a> {
    /// The object as it came, without space around it.
    whole: &'a str,
    /// The fields of this object, those of objects inside of it, and perhaps of others around it.
    tape: Rc<Vec<Field<'a>>>,
    /// Where its fields begin on the tape, and where they end.
    from: usize,
    to: usize,
    names: Names,
    reading: &'a Reading,
    place: Place<'a>,
}

impl<'a> Object<'a> {
    /// Takes one JSON object that is the whole.
    pub(crate) fn top(json: &'a str, reading: &'a Reading) -> Result<Self, Fault> {
        let whole = json.trim_matches([' ', '\t', '\r', '\n']);
        if !whole.starts_with('{') {
            scan::depth(whole)?;
            return Err(Fault::not_an_object());
        }
        let mut cursor = Cursor::new(whole);
        let mut tape = Vec::with_capacity(8);
        cursor.object(&mut tape)?;
        if !cursor.at_end() {
            return Err(Fault::whole("bad-json", "something stands behind the object"));
        }
        Ok(Self::new(whole, tape, reading, Place::Top))
    }

    pub(super) fn new(whole: &'a str, tape: Vec<Field<'a>>, reading: &'a Reading, place: Place<'a>) -> Self {
        let (to, names) = (tape.len(), Names::of(&tape, 0, tape.len()));
        Self { whole, from: 0, to, names, tape: Rc::new(tape), reading, place }
    }

    /// Takes a value that must be an object.
    pub(crate) fn inner(whole: &'a str, reading: &'a Reading, place: Place<'a>) -> Self {
        let mut tape = Vec::new();
        if !whole.starts_with('{') || Cursor::new(whole).object(&mut tape).is_err() {
            reading.refuse("bad-field", &place, "", "must be an object");
        }
        Self::new(whole, tape, reading, place)
    }

    pub(crate) fn whole(&self) -> &'a str {
        self.whole
    }

    pub(crate) fn reading(&self) -> &'a Reading {
        self.reading
    }

    /// The place of a field.
    pub(crate) fn place<'b>(&'b self, name: &'b str) -> Place<'b> {
        Place::Field(&self.place, name)
    }

    /// Its own fields in order, repeated ones too, with where they stand on the tape.
    fn own(&self) -> impl Iterator<Item = (usize, &Field<'a>)> {
        let mut at = self.from;
        std::iter::from_fn(move || {
            let field = self.tape.get(at).filter(|_| at < self.to)?;
            let here = at;
            at += 1 + field.inner;
            Some((here, field))
        })
    }

    /// Every field in order, repeated ones too.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (Cow<'a, str>, &'a str)> {
        self.own().map(|(_, field)| (field.name(), field.value))
    }

    fn field(&self, name: &str) -> Option<(usize, &Field<'a>)> {
        let tag = json::tag(name);
        if !self.names.has(tag) {
            return None;
        }
        let repeats = self.names.repeats(tag);
        let (mut at, mut found) = (self.from, None);
        // By hand: this runs a hundred times for a row of a page.
        while let Some(field) = self.tape.get(at).filter(|_| at < self.to) {
            if field.is(name, tag) {
                found = Some((at, field));
                if !repeats {
                    break;
                }
            }
            at += 1 + field.inner;
        }
        found
    }

    /// Refuses fields that nest deeper than the limit; the object itself is the first level.
    pub(crate) fn check_depth(&self) {
        if let Some((_, field)) = self.own().find(|(_, field)| field.depth >= scan::DEPTH_MAX) {
            self.reading.refuse("too-deep", &self.place, &field.name(), "is nested deeper than 64");
        }
    }

    pub(crate) fn missing(&self, name: &str) {
        self.reading.refuse("missing-field", &self.place, name, "is missing");
    }

    pub(crate) fn bad(&self, name: &str, detail: &'static str) {
        self.reading.refuse("bad-field", &self.place, name, detail);
    }

    pub(crate) fn unknown_type(&self) {
        self.reading.refuse("unknown-type", &self.place, "type", "is of no known type");
    }

    /// The value of a field, `null` included.
    pub(crate) fn value(&self, name: &str) -> Option<&'a str> {
        self.field(name).map(|(_, field)| field.value)
    }

    /// The value of a field that is not `null`.
    pub(crate) fn given(&self, name: &str) -> Option<&'a str> {
        self.value(name).filter(|&value| value != "null")
    }

    fn needed(&self, name: &str) -> Option<&'a str> {
        let value = self.given(name);
        if value.is_none() {
            self.missing(name);
        }
        value
    }

    pub(crate) fn text(&self, name: &str) -> Cow<'a, str> {
        self.needed(name).map(|raw| self.text_of(name, raw)).unwrap_or_default()
    }

    fn text_of(&self, name: &str, raw: &'a str) -> Cow<'a, str> {
        let text = scan::text(raw);
        if text.is_none() {
            self.bad(name, "must be a string");
        }
        text.unwrap_or_default()
    }

    pub(crate) fn string(&self, name: &str) -> String {
        self.text(name).into_owned()
    }

    pub(crate) fn opt_string(&self, name: &str) -> Option<String> {
        self.given(name).map(|raw| self.text_of(name, raw).into_owned())
    }

    /// A string that may be cut inside a surrogate pair.
    pub(crate) fn cut(&self, name: &str) -> Cut {
        let Some(raw) = self.needed(name) else { return Cut::default() };
        scan::cut(raw).unwrap_or_else(|| {
            self.bad(name, "must be a string");
            Cut::default()
        })
    }

    /// An id: a string, or a number by its decimal text. An empty one counts as absent.
    pub(crate) fn opt_id(&self, name: &str) -> Option<Arc<str>> {
        let raw = self.given(name).filter(|&raw| raw != "\"\"")?;
        let id = id(raw, self.reading);
        if id.is_none() {
            self.bad(name, "must be an id: a string or a number");
        }
        id
    }

    pub(crate) fn id(&self, name: &str) -> Arc<str> {
        self.first_id(&[name])
    }

    /// The id under the first of several names that is there.
    pub(crate) fn opt_first_id(&self, names: &[&str]) -> Option<Arc<str>> {
        names.iter().find_map(|name| self.opt_id(name))
    }

    pub(crate) fn first_id(&self, names: &[&str]) -> Arc<str> {
        self.opt_first_id(names).unwrap_or_else(|| {
            self.missing(names.first().unwrap_or(&""));
            Arc::default()
        })
    }

    pub(crate) fn opt_ids(&self, name: &str) -> Option<Vec<Arc<str>>> {
        let place = self.place(name);
        let items = list(self.given(name)?, self.reading, &place);
        let read = items.into_iter().enumerate().map_while(|(index, raw)| {
            let id = if raw == "\"\"" { None } else { id(raw, self.reading) };
            if id.is_none() {
                let item = Place::Item(&place, index);
                self.reading.refuse("bad-field", &item, "", "must be an id: a string or a number");
            }
            id
        });
        Some(read.collect())
    }

    /// A whole number from 0 to 2^53 - 1.
    pub(crate) fn opt_number(&self, name: &str) -> Option<u64> {
        self.number_of(name, self.given(name)?)
    }

    pub(crate) fn number(&self, name: &str) -> u64 {
        self.needed(name).and_then(|raw| self.number_of(name, raw)).unwrap_or_default()
    }

    fn number_of(&self, name: &str, raw: &str) -> Option<u64> {
        let number = scan::number(raw);
        if number.is_none() {
            self.bad(name, "must be a whole number from 0 to 2^53 - 1");
        }
        number
    }

    /// A number of something that is never many.
    pub(crate) fn opt_small(&self, name: &str) -> Option<u32> {
        let small = u32::try_from(self.opt_number(name)?);
        if small.is_err() {
            self.bad(name, "is too large");
        }
        small.ok()
    }

    pub(crate) fn opt_seq(&self, name: &str) -> Option<Seq> {
        self.opt_number(name).map(Seq)
    }

    pub(crate) fn opt_flag(&self, name: &str) -> Option<bool> {
        let raw = self.given(name)?;
        if raw != "true" && raw != "false" {
            self.bad(name, "must be true or false");
        }
        Some(raw == "true")
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.needed(name).is_some() && self.opt_flag(name).unwrap_or_default()
    }

    pub(crate) fn opt_json(&self, name: &str) -> Option<Json> {
        self.given(name).map(Json::new)
    }

    /// Opaque JSON; `null` is a value.
    pub(crate) fn json(&self, name: &str) -> Json {
        Json::new(self.value(name).unwrap_or_else(|| {
            self.missing(name);
            ""
        }))
    }

    /// A code: a number or a string, carried as JSON.
    pub(crate) fn opt_code(&self, name: &str) -> Option<Json> {
        let raw = self.given(name)?;
        if !scan::is_number(raw) && !raw.starts_with('"') {
            self.bad(name, "must be a number or a string");
        }
        Some(Json::new(raw))
    }

    /// One of the words of a table.
    pub(crate) fn opt_word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Option<T> {
        self.word_of(name, self.given(name)?, words)
    }

    /// One of the words of a table. `unread` is what a failed read gives.
    pub(crate) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)], unread: T) -> T {
        self.needed(name).and_then(|raw| self.word_of(name, raw, words)).unwrap_or(unread)
    }

    fn word_of<T: Copy>(&self, name: &str, raw: &str, words: &[(&str, T)]) -> Option<T> {
        let word = self.text_of(name, raw);
        let found = words.iter().find(|(known, _)| json::same(known, &word)).map(|(_, value)| *value);
        if found.is_none() {
            self.bad(name, "is a word that is not known here");
        }
        found
    }

    pub(crate) fn opt_object<'b>(&'b self, name: &'b str) -> Option<Object<'b>> {
        let (at, field) = self.field(name).filter(|(_, field)| field.value != "null")?;
        if field.inner == 0 {
            return Some(Object::inner(field.value, self.reading, self.place(name)));
        }
        let (from, to) = (at + 1, at + 1 + field.inner);
        let tape = Rc::clone(&self.tape);
        let names = Names::of(&tape, from, to);
        Some(Object { whole: field.value, tape, from, to, names, reading: self.reading, place: self.place(name) })
    }

    pub(crate) fn object<'b>(&'b self, name: &'b str) -> Object<'b> {
        self.opt_object(name).unwrap_or_else(|| {
            self.missing(name);
            Object::new("", Vec::new(), self.reading, self.place(name))
        })
    }

    /// A list of objects.
    pub(crate) fn opt_each<T>(&self, name: &str, read: fn(&Object<'_>) -> T) -> Option<Vec<T>> {
        self.given(name).map(|raw| each(raw, self.reading, &self.place(name), read))
    }

    pub(crate) fn each<T>(&self, name: &str, read: fn(&Object<'_>) -> T) -> Vec<T> {
        self.needed(name).map(|raw| each(raw, self.reading, &self.place(name), read)).unwrap_or_default()
    }
}

/// The items of a list of objects, up to the first that is refused.
pub(crate) fn each<T>(raw: &str, reading: &Reading, place: &Place<'_>, read: fn(&Object<'_>) -> T) -> Vec<T> {
    let mut out = Vec::new();
    objects(raw, reading, place, &mut |object| out.push(read(object)));
    out
}

fn objects(raw: &str, reading: &Reading, place: &Place<'_>, take: &mut dyn FnMut(&Object<'_>)) {
    let mut count = 0;
    let done = Cursor::new(raw).objects(&mut |whole, tape| {
        let object = Object::new(whole, tape, reading, Place::Item(place, count));
        take(&object);
        count += 1;
        if reading.failed() { None } else { Some(Rc::try_unwrap(object.tape).unwrap_or_default()) }
    });
    match done {
        Ok(true) => {}
        Ok(false) => reading.refuse("bad-field", &Place::Item(place, count), "", "must be an object"),
        Err(_) => reading.refuse("bad-field", place, "", "must be a list"),
    }
}

/// The items of a JSON array as JSON text.
fn list<'a>(raw: &'a str, reading: &Reading, place: &Place<'_>) -> Vec<&'a str> {
    let items = if raw.starts_with('[') { Cursor::new(raw).list().ok() } else { None };
    match items {
        Some(items) => items,
        None => {
            reading.refuse("bad-field", place, "", "must be a list");
            Vec::new()
        }
    }
}

fn id(raw: &str, reading: &Reading) -> Option<Arc<str>> {
    if scan::is_number(raw) {
        return Some(scan::number(raw).map_or_else(|| raw.into(), |number| decimal(number).into()));
    }
    scan::text(raw).map(|text| reading.name(&text))
}
