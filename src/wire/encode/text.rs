//! The small things that JSON is made of.

use crate::model::{Cut, Json, push_decimal};

/// Appends a JSON string.
pub fn string(text: &str, out: &mut String) {
    out.push('"');
    escaped(text, out);
    out.push('"');
}

/// Appends a JSON string that may be cut inside a surrogate pair.
pub(crate) fn cut(cut: &Cut, out: &mut String) {
    out.push('"');
    if let Some(low) = cut.head {
        unit(low, out);
    }
    escaped(&cut.text, out);
    if let Some(high) = cut.tail {
        unit(high, out);
    }
    out.push('"');
}

fn escaped(text: &str, out: &mut String) {
    out.reserve(text.len());
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        let (run, special) = rest.split_at(at);
        out.push_str(run);
        match special.as_bytes().first() {
            Some(b'"') => out.push_str("\\\""),
            Some(b'\\') => out.push_str("\\\\"),
            Some(b'\n') => out.push_str("\\n"),
            Some(b'\r') => out.push_str("\\r"),
            Some(b'\t') => out.push_str("\\t"),
            Some(&other) => unit(u16::from(other), out),
            None => {}
        }
        rest = special.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
}

fn unit(unit: u16, out: &mut String) {
    out.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        out.push(char::from_digit(u32::from(unit >> shift) & 0xF, 16).unwrap_or('0'));
    }
}

/// An object that is being written.
pub(crate) struct Writer<'a> {
    pub(crate) out: &'a mut String,
    first: bool,
}

impl<'a> Writer<'a> {
    pub(crate) fn open(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, first: true }
    }

    pub(crate) fn close(self) {
        self.out.push('}');
    }

    /// Begins a field; its value is appended to what this gives.
    pub(crate) fn key(&mut self, name: &str) -> &mut String {
        self.out.push_str(if self.first { "\"" } else { ",\"" });
        self.first = false;
        self.out.push_str(name);
        self.out.push_str("\":");
        self.out
    }

    /// Fields that are JSON text already, without their braces.
    pub(crate) fn raw(&mut self, fields: &str) {
        self.out.push_str(fields);
        self.first = false;
    }

    pub(crate) fn text(&mut self, name: &str, text: &str) {
        string(text, self.key(name));
    }

    pub(crate) fn opt_text(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    pub(crate) fn number(&mut self, name: &str, number: u64) {
        push_decimal(number, self.key(name));
    }

    pub(crate) fn opt_number(&mut self, name: &str, number: Option<u64>) {
        if let Some(number) = number {
            self.number(name, number);
        }
    }

    pub(crate) fn flag(&mut self, name: &str, flag: bool) {
        self.key(name).push_str(if flag { "true" } else { "false" });
    }

    pub(crate) fn json(&mut self, name: &str, json: &Json) {
        self.key(name).push_str(json.as_str());
    }

    pub(crate) fn opt_json(&mut self, name: &str, json: Option<&Json>) {
        if let Some(json) = json {
            self.json(name, json);
        }
    }

    /// A list of ids; nothing where it is empty.
    pub(crate) fn ids<'b>(&mut self, name: &str, ids: impl Iterator<Item = &'b str>) {
        let mut ids = ids.peekable();
        if ids.peek().is_some() {
            self.all_ids(name, ids);
        }
    }

    /// A list of ids, also an empty one.
    pub(crate) fn all_ids<'b>(&mut self, name: &str, ids: impl Iterator<Item = &'b str>) {
        list(ids, self.key(name), string);
    }
}

/// Appends a JSON array.
pub(crate) fn list<T>(items: impl IntoIterator<Item = T>, out: &mut String, write: impl Fn(T, &mut String)) {
    out.push('[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}
