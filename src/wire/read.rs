//! A JSON object as its fields, each read by the type that it must have.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::scan;
use crate::model::{Cut, Json, Seq};

/// Why something is refused, and at which field.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) field: String,
    pub(super) detail: Cow<'static, str>,
}

pub(super) type Read<T> = Result<T, Fault>;

impl Fault {
    fn new(code: &'static str, field: &str, detail: &'static str) -> Self {
        Self { code, field: field.to_owned(), detail: Cow::Borrowed(detail) }
    }

    pub(super) fn missing(field: &str) -> Self {
        Self::new("missing-field", field, "is missing")
    }

    pub(super) fn bad(field: &str, detail: &'static str) -> Self {
        Self::new("bad-field", field, detail)
    }

    pub(super) fn unknown_type(field: &str) -> Self {
        Self::new("unknown-type", field, "is of no known type")
    }

    pub(super) fn too_deep(field: &str) -> Self {
        Self::new("too-deep", field, "is nested deeper than 64")
    }

    pub(super) fn not_an_object() -> Self {
        Self::new("not-an-object", "", "is not an object")
    }

    pub(super) fn bad_json(error: &serde_json::Error) -> Self {
        Self { code: "bad-json", field: String::new(), detail: Cow::Owned(error.to_string()) }
    }

    pub(super) fn bad_text() -> Self {
        Self::new("bad-json", "", "is not UTF-8")
    }

    pub(super) fn trailing() -> Self {
        Self::new("bad-json", "", "something else follows on its line")
    }

    /// The same fault, seen from the object or list that holds the field.
    pub(super) fn under(mut self, outer: &str) -> Self {
        let dot = if self.field.is_empty() || self.field.starts_with('[') { "" } else { "." };
        self.field = [outer, dot, &self.field].concat();
        if self.code == "not-an-object" {
            self.code = "bad-field";
        }
        self
    }

    /// The same fault, seen from the list of which it is item `index`.
    pub(super) fn at(self, index: usize) -> Self {
        self.under(&["[", &index.to_string(), "]"].concat())
    }
}

/// The fields of an object in their order, values as JSON text.
pub(super) struct Object<'a> {
    /// The object as it came, without space around it.
    whole: &'a str,
    fields: Vec<(Cow<'a, str>, &'a str)>,
    names: &'a Names,
}

/// The last ids that were read. An id mostly names what the line before named: then both share one text.
#[derive(Default)]
pub(super) struct Names {
    ring: RefCell<[Option<Arc<str>>; 4]>,
    next: Cell<usize>,
}

impl Names {
    fn name(&self, text: &str) -> Arc<str> {
        let Ok(mut ring) = self.ring.try_borrow_mut() else { return text.into() };
        if let Some(known) = ring.iter().flatten().find(|known| ***known == *text) {
            return known.clone();
        }
        let name: Arc<str> = text.into();
        let next = self.next.get();
        if let Some(slot) = ring.get_mut(next) {
            *slot = Some(name.clone());
        }
        self.next.set((next + 1) % ring.len());
        name
    }
}

/// What serde fills; an [`Object`] also knows its text.
pub(super) struct Fields<'a>(Vec<(Cow<'a, str>, &'a str)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        source.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Vec::with_capacity(8);
        // Keys come as raw text too: serde_json refuses a lone surrogate in a string that it reads itself.
        while let Some(key) = map.next_key::<&RawValue>()? {
            let value = map.next_value::<&RawValue>()?;
            fields.push((scan::text(key.get()).unwrap_or_default(), value.get()));
        }
        Ok(Fields(fields))
    }
}

impl<'a> Object<'a> {
    /// Takes one JSON object.
    pub(super) fn parse(json: &'a str, names: &'a Names) -> Read<Self> {
        let whole = json.trim_matches([' ', '\t', '\r', '\n']);
        if !whole.starts_with('{') {
            scan::check(whole)?;
            return Err(Fault::not_an_object());
        }
        match serde_json::from_str(whole) {
            Ok(fields) => Ok(Self::new(whole, fields, names)),
            Err(error) => Err(Fault::bad_json(&error)),
        }
    }

    pub(super) fn new(whole: &'a str, fields: Fields<'a>, names: &'a Names) -> Self {
        Self { whole, fields: fields.0, names }
    }

    pub(super) fn names(&self) -> &'a Names {
        self.names
    }

    pub(super) fn whole(&self) -> &'a str {
        self.whole
    }

    /// Refuses fields that nest deeper than the limit; the object itself is the first level.
    pub(super) fn check_depth(&self) -> Read<()> {
        let deep = |value: &str| {
            matches!(value.as_bytes().first(), Some(b'[' | b'{')) && scan::too_deep(value, scan::DEPTH_MAX - 1)
        };
        match self.fields.iter().find(|(_, value)| deep(value)) {
            Some((key, _)) => Err(Fault::too_deep(key)),
            None => Ok(()),
        }
    }

    /// Every field in order, repeated ones too.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.fields.iter().map(|(key, value)| (key.as_ref(), *value))
    }

    /// The value of a field, `null` included. Of repeated fields the last one counts.
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        self.fields.iter().rev().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// The value of a field that is not `null`.
    pub(super) fn given(&self, name: &str) -> Option<&'a str> {
        self.value(name).filter(|&value| value != "null")
    }

    fn needed(&self, name: &str) -> Read<&'a str> {
        self.given(name).ok_or_else(|| Fault::missing(name))
    }

    /// A required string.
    pub(super) fn text(&self, name: &str) -> Read<Cow<'a, str>> {
        scan::text(self.needed(name)?).ok_or_else(|| not_a_string(name))
    }

    /// A required string.
    pub(super) fn string(&self, name: &str) -> Read<String> {
        self.text(name).map(Cow::into_owned)
    }

    /// A string.
    pub(super) fn opt_string(&self, name: &str) -> Read<Option<String>> {
        if self.given(name).is_some() { self.string(name).map(Some) } else { Ok(None) }
    }

    /// A required string that may be cut inside a surrogate pair.
    pub(super) fn cut(&self, name: &str) -> Read<Cut> {
        scan::cut(self.needed(name)?).ok_or_else(|| not_a_string(name))
    }

    /// An id: a string, or a number by its decimal text. An empty one counts as absent.
    pub(super) fn opt_id(&self, name: &str) -> Read<Option<Arc<str>>> {
        match self.given(name) {
            Some("\"\"") | None => Ok(None),
            Some(raw) => {
                id(raw, self.names).map(Some).ok_or_else(|| Fault::bad(name, "must be an id: a string or a number"))
            }
        }
    }

    /// A required id.
    pub(super) fn id(&self, name: &str) -> Read<Arc<str>> {
        self.opt_id(name)?.ok_or_else(|| Fault::missing(name))
    }

    /// The first of several names that is there, as an id.
    pub(super) fn first_id(&self, names: &[&str]) -> Read<Option<Arc<str>>> {
        for name in names {
            if let Some(id) = self.opt_id(name)? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// A list of ids.
    pub(super) fn opt_ids(&self, name: &str) -> Read<Option<Vec<Arc<str>>>> {
        let Some(items) = self.opt_list(name)? else { return Ok(None) };
        let mut ids = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let id = if item == "\"\"" { None } else { id(item, self.names) };
            ids.push(id.ok_or_else(|| Fault::bad("", "must be an id: a string or a number").at(index).under(name))?);
        }
        Ok(Some(ids))
    }

    /// A whole number from 0 to 2^53 - 1.
    pub(super) fn opt_number(&self, name: &str) -> Read<Option<u64>> {
        match self.given(name) {
            Some(raw) => match scan::number(raw) {
                Some(number) => Ok(Some(number)),
                None => Err(Fault::bad(name, "must be a whole number from 0 to 2^53 - 1")),
            },
            None => Ok(None),
        }
    }

    /// A required whole number.
    pub(super) fn number(&self, name: &str) -> Read<u64> {
        self.opt_number(name)?.ok_or_else(|| Fault::missing(name))
    }

    /// A whole number that counts something small.
    pub(super) fn opt_small(&self, name: &str) -> Read<Option<u32>> {
        match self.opt_number(name)? {
            Some(number) => u32::try_from(number).map(Some).map_err(|_| Fault::bad(name, "is too large")),
            None => Ok(None),
        }
    }

    /// A place in the log.
    pub(super) fn opt_seq(&self, name: &str) -> Read<Option<Seq>> {
        Ok(self.opt_number(name)?.map(Seq))
    }

    /// `true` or `false`.
    pub(super) fn opt_flag(&self, name: &str) -> Read<Option<bool>> {
        match self.given(name) {
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(_) => Err(Fault::bad(name, "must be true or false")),
            None => Ok(None),
        }
    }

    /// A required flag.
    pub(super) fn flag(&self, name: &str) -> Read<bool> {
        self.opt_flag(name)?.ok_or_else(|| Fault::missing(name))
    }

    /// Opaque JSON, `null` counts as absent.
    pub(super) fn opt_json(&self, name: &str) -> Option<Json> {
        self.given(name).map(Json::new)
    }

    /// Required opaque JSON; `null` is a value.
    pub(super) fn json(&self, name: &str) -> Read<Json> {
        self.value(name).map(Json::new).ok_or_else(|| Fault::missing(name))
    }

    /// A code: a number or a string, carried as JSON.
    pub(super) fn opt_code(&self, name: &str) -> Read<Option<Json>> {
        match self.given(name) {
            Some(raw) if scan::is_number(raw) || raw.starts_with('"') => Ok(Some(Json::new(raw))),
            Some(_) => Err(Fault::bad(name, "must be a number or a string")),
            None => Ok(None),
        }
    }

    /// One of the words of a table.
    pub(super) fn opt_word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Read<Option<T>> {
        if self.given(name).is_none() {
            return Ok(None);
        }
        let word = self.text(name)?;
        match words.iter().find(|(known, _)| *known == word) {
            Some((_, value)) => Ok(Some(*value)),
            None => Err(Fault::bad(name, "is a word that is not known here")),
        }
    }

    /// A required word.
    pub(super) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Read<T> {
        self.opt_word(name, words)?.ok_or_else(|| Fault::missing(name))
    }

    /// An object.
    pub(super) fn opt_object(&self, name: &str) -> Read<Option<Object<'a>>> {
        match self.given(name) {
            Some(raw) => Object::parse(raw, self.names).map(Some).map_err(|fault| fault.under(name)),
            None => Ok(None),
        }
    }

    /// A required object.
    pub(super) fn object(&self, name: &str) -> Read<Object<'a>> {
        self.opt_object(name)?.ok_or_else(|| Fault::missing(name))
    }

    /// A list, its items as JSON text.
    fn opt_list(&self, name: &str) -> Read<Option<Vec<&'a str>>> {
        self.given(name).map(list).transpose().map_err(|fault| fault.under(name))
    }

    /// A list of objects.
    pub(super) fn opt_each<T>(&self, name: &str, read: fn(&Object<'_>) -> Read<T>) -> Read<Option<Vec<T>>> {
        match self.given(name) {
            Some(raw) => each(raw, self.names, read).map(Some).map_err(|fault| fault.under(name)),
            None => Ok(None),
        }
    }

    /// A required list of objects.
    pub(super) fn each<T>(&self, name: &str, read: fn(&Object<'_>) -> Read<T>) -> Read<Vec<T>> {
        self.opt_each(name, read)?.ok_or_else(|| Fault::missing(name))
    }
}

/// The items of a list of objects.
pub(super) fn each<T>(raw: &str, names: &Names, read: fn(&Object<'_>) -> Read<T>) -> Read<Vec<T>> {
    let items = list(raw)?;
    let mut out = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        out.push(Object::parse(item, names).and_then(|object| read(&object)).map_err(|fault| fault.at(index))?);
    }
    Ok(out)
}

/// The items of a JSON array as JSON text.
fn list(raw: &str) -> Read<Vec<&str>> {
    if !raw.starts_with('[') {
        return Err(Fault::bad("", "must be a list"));
    }
    match serde_json::from_str::<Vec<&RawValue>>(raw) {
        Ok(items) => Ok(items.into_iter().map(RawValue::get).collect()),
        Err(error) => Err(Fault::bad_json(&error)),
    }
}

fn id(raw: &str, names: &Names) -> Option<Arc<str>> {
    if scan::is_number(raw) {
        return Some(scan::number(raw).map_or_else(|| raw.into(), |number| number.to_string().into()));
    }
    scan::text(raw).map(|text| names.name(&text))
}

fn not_a_string(name: &str) -> Fault {
    Fault::bad(name, "must be a string")
}
