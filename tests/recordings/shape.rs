//! The shape of a recorded turn: as its events grow it, and as its chunks hold it.
//!
//! **Owns**: how events and chunks become rows of parts, told with the crate's one rule for parts.
//! **Never**: a store. What is compared here is the shape alone.

use std::collections::BTreeMap;

use turnseal::model::{Chunk, ChunkBody, Envelope, Event, Origin, Part, Parts, Role};
use turnseal::wire;

use crate::traces::RecordedTurn;

/// The rows of a turn: who speaks and in which execution, with the parts.
pub type Shape = BTreeMap<(Role, Option<String>), Vec<Part>>;

type Growing = BTreeMap<(Role, Option<String>), Parts>;

/// The events of a turn as the crate reads them: all in one frame.
pub fn events(turn: &RecordedTurn) -> Vec<Envelope> {
    let decoded = wire::decode(turn.events.join("\n").as_bytes());
    assert_eq!(decoded.refused, [], "{:.600}", turn.events.join("\n"));
    assert_eq!(decoded.events.len(), turn.events.len());
    decoded.events
}

/// The chunks of a turn as the crate reads them, with a `seq` each.
pub fn chunks(turn: &RecordedTurn) -> Vec<Chunk> {
    let numbered = turn.chunks.iter().enumerate().map(|(seq, chunk)| {
        let json = format!("{{\"seq\":{},{}", seq + 1, &chunk[1..]);
        wire::chunk(&json).unwrap_or_else(|refused| panic!("{refused:?}: {json:.200}"))
    });
    numbered.collect()
}

/// The shape that the events leave behind. The second answer: calls whose arguments never became whole. They end with
/// the turn and no server writes them, so they are counted and left out.
pub fn live_shape(turn: &RecordedTurn) -> (Shape, usize) {
    let mut rows = Growing::new();
    for envelope in events(turn) {
        let execution = envelope.execution.map(|execution| execution.to_string());
        apply(envelope.event, execution, &mut rows);
    }
    let mut halves = 0;
    let mut shape = end(rows);
    for parts in shape.values_mut() {
        let before = parts.len();
        parts.retain(|part| !matches!(part, Part::Tool(tool) if tool.arguments.is_none() && tool.result.is_none()));
        halves += before - parts.len();
    }
    shape.retain(|_, parts| !parts.is_empty());
    (shape, halves)
}

/// The shape that the chunks hold.
pub fn sealed_shape(turn: &RecordedTurn) -> Shape {
    let mut rows = Growing::new();
    for chunk in chunks(turn) {
        let execution = chunk.execution.as_ref().map(ToString::to_string);
        let role = if chunk.role == Role::Tool { Role::Assistant } else { chunk.role };
        if !matches!(chunk.body, ChunkBody::Usage(_)) {
            rows.entry((role, execution)).or_default().chunk(&chunk);
        }
    }
    end(rows)
}

fn end(rows: Growing) -> Shape {
    let end = |mut parts: Parts| {
        parts.end();
        parts.into_list()
    };
    rows.into_iter().map(|(place, parts)| (place, end(parts))).collect()
}

/// One event, by the rule that the store follows.
fn apply(event: Event, execution: Option<String>, rows: &mut Growing) {
    match event {
        Event::TurnStart { user, .. } => {
            rows.extend(user.map(|user| ((Role::User, None), Parts::whole(user.body.parts))));
        }
        // A notice stands beside the answer.
        Event::Notice { message, .. } => {
            rows.entry((Role::System, execution)).or_default().notice(message, None);
        }
        Event::TurnEnd { .. } => {}
        event => grow(event, rows.entry((Role::Assistant, execution)).or_default()),
    }
}

/// An event of the answer. Each must find what it is about: a recording tells nothing twice and nothing late.
fn grow(event: Event, parts: &mut Parts) {
    let found = match &event {
        Event::Delta { kind, delta, message, part, .. } => {
            parts.delta(*kind, delta, &Origin { message: message.clone(), part: part.clone() });
            true
        }
        Event::ReasoningEnd { metadata, .. } => parts.reasoning_end(metadata.clone()),
        Event::ToolInputStart { call, name, step, .. } => {
            parts.tool_input_start(call, name, *step) < parts.list().len()
        }
        Event::ToolInputDelta { call, delta, .. } => {
            // A call that an approval brings again streams its arguments again: they are whole already.
            parts.tool_input_delta(call, delta);
            parts.has_open_call(call)
        }
        Event::ToolCall { call, name, arguments, step, .. } => {
            parts.tool_call(call, name, arguments.clone(), *step) < parts.list().len()
        }
        Event::ToolOutput { data, stream, call, .. } => parts.tool_output(call.as_ref(), *stream, data).is_some(),
        Event::ToolResult { call, result, is_error, .. } => parts.tool_result(call, result, *is_error).is_some(),
        Event::ApprovalRequest { call, prompt, options, .. } => {
            parts.approval_request(call, prompt.clone(), options.clone()).is_some()
        }
        Event::ApprovalResolved { call, decision, reason, .. } => {
            parts.approval_resolved(call, *decision, reason.clone()).is_some()
        }
        Event::Part { part, .. } => parts.opaque(part.clone()) < parts.list().len(),
        Event::Error { error, status_code, .. } => parts.error(error.clone(), status_code.clone()) < parts.list().len(),
        other => panic!("no reader tells {other:?}"),
    };
    assert!(found, "it is about nothing: {:.200}", format!("{event:?}"));
}

/// The first place where two shapes differ, for a person.
pub fn difference(live: &Shape, sealed: &Shape) -> String {
    let empty = Vec::new();
    for place in live.keys().chain(sealed.keys()) {
        let (live, sealed) = (live.get(place).unwrap_or(&empty), sealed.get(place).unwrap_or(&empty));
        for at in 0..live.len().max(sealed.len()) {
            if live.get(at) != sealed.get(at) {
                return format!(
                    "  {place:?} part {at}\n  live   {:.300}\n  sealed {:.300}",
                    text(live.get(at)),
                    text(sealed.get(at))
                );
            }
        }
    }
    "  no difference".to_owned()
}

fn text(part: Option<&Part>) -> String {
    format!("{part:?}")
}
