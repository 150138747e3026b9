//! Short ways into a JSON value of a recording.

use serde_json::Value;

/// A line of JSON.
pub fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON ({error}): {:.80}", text))
}

/// The string at a JSON pointer; empty where there is none.
pub fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The string at a JSON pointer, if it is there and not empty.
pub fn some_text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    Some(text(value, pointer)).filter(|text| !text.is_empty())
}

/// The number at a JSON pointer; 0 where there is none.
pub fn number(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
}

/// The elements of the array at a JSON pointer; none where there is no array.
pub fn each<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The value at a JSON pointer, unless it is absent or null.
pub fn some<'a>(value: &'a Value, pointer: &str) -> Option<&'a Value> {
    value.pointer(pointer).filter(|value| !value.is_null())
}

/// Arguments as a model writes them: JSON in a string. What is no JSON is kept as the string; nothing is `{}`.
pub fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
