//! JSON text read one level at a time and written by hand, so that keys keep their order and opaque values their bytes.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// One level of a JSON value; what is inside stays text.
pub(super) enum Shape<'a> {
    Text(String),
    List(Vec<&'a str>),
    Object(Fields<'a>),
    /// A number, a boolean or null.
    Word(&'a str),
}

pub(super) type Fields<'a> = BTreeMap<String, &'a str>;

/// Reads one level. `None` where the text is no JSON value.
///
/// Nothing recurses here, so depth is no danger.
pub(super) fn read(text: &str) -> Option<Shape<'_>> {
    let text = text.trim_matches([' ', '\n', '\r', '\t']);
    match text.as_bytes().first()? {
        b'"' => string(text).map(Shape::Text),
        b'[' => {
            let list: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            Some(Shape::List(list.into_iter().map(RawValue::get).collect()))
        }
        b'{' => object(text).map(Shape::Object),
        _ => valid(text).then_some(Shape::Word(text)),
    }
}

pub(super) fn object(text: &str) -> Option<Fields<'_>> {
    let map: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
    Some(map.into_iter().map(|(key, value)| (key, value.get())).collect())
}

pub(super) fn list(text: &str) -> Option<Vec<&str>> {
    if let Some(Shape::List(list)) = read(text) { Some(list) } else { None }
}

/// The characters of a JSON string; a lone surrogate in it becomes U+FFFD.
pub(super) fn string(text: &str) -> Option<String> {
    serde_json::from_str(text).ok().or_else(|| {
        (text.starts_with('"') && valid(text)).then(|| serde_json::from_str(&without_lone_surrogates(text)).ok())?
    })
}

/// The string under a key.
pub(super) fn text_of(fields: &Fields<'_>, key: &str) -> Option<String> {
    fields.get(key).and_then(|raw| string(raw))
}

pub(super) fn valid(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

/// A value as it came, but for lone surrogates, which no API takes; what is no JSON becomes a string, so that the text
/// around it stays JSON.
pub(super) fn raw(text: &str) -> String {
    if valid(text) { without_lone_surrogates(text.trim()) } else { quote(text) }
}

pub(super) fn quote(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

/// An object of values that are JSON already.
pub(super) fn write(fields: &[(&str, &str)]) -> String {
    let inner: Vec<String> = fields.iter().map(|(key, value)| format!("{}:{value}", quote(key))).collect();
    format!("{{{}}}", inner.join(","))
}

/// An array of values that are JSON already.
pub(super) fn array(values: &[String]) -> String {
    format!("[{}]", values.join(","))
}

/// JSON text whose escapes of halves that have no other half are U+FFFD.
pub(super) fn without_lone_surrogates(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let taken = match (half(escape), escape.get(6..).and_then(half)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push('\u{FFFD}');
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        out.push_str(escape.get(..taken).unwrap_or(escape));
        rest = escape.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The unit of a `\uXXXX` escape that stands at the start.
fn half(escape: &str) -> Option<u16> {
    u16::from_str_radix(escape.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_halves_are_replaced_and_pairs_stay() {
        let read = |text| string(text).unwrap_or_default();
        assert_eq!(read(r#""a\ud83cb""#), "a\u{FFFD}b");
        assert_eq!(read(r#""\ud83c\udf0d\udf0d\\u\"""#), "\u{1F30D}\u{FFFD}\\u\"");
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(matches!(read(&deep), Some(Shape::List(_))));
        assert_eq!(raw("[1,"), "\"[1,\"");
    }
}
