//! Server-sent events: the payloads of a body, in order.

/// The `data` of each event. Comments, ids and event names are left out; lines of one event are joined.
pub fn payloads(body: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut data: Option<String> = None;
    for line in body.lines().chain([""]) {
        if line.is_empty() {
            out.extend(data.take());
        } else if let Some(rest) = line.strip_prefix("data:") {
            let rest = rest.strip_prefix(' ').unwrap_or(rest);
            match &mut data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(rest);
                }
                None => data = Some(rest.to_owned()),
            }
        }
    }
    out
}

/// The payloads that are JSON: without the end mark that some providers send.
pub fn values(body: &str) -> Vec<serde_json::Value> {
    payloads(body)
        .iter()
        .filter(|data| data.trim() != "[DONE]" && !data.trim().is_empty())
        .map(|data| super::value::parse(data))
        .collect()
}
