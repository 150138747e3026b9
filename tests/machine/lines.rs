//! Effects and rows as lines that read aloud.

use turnseal::engine::Effect;
use turnseal::model::{
    Body, Chunk, ChunkBody, Consumed, Decision, DeltaKind, Envelope, Event, Intent, Json, Outcome, Part, Phase,
    QueueItem, Role, Seq, Snapshot, Stream,
};

use crate::script::quoted;

pub fn effect(effect: &Effect) -> String {
    match effect {
        Effect::Request { turn: _, execution, step, model } => {
            format!("request {execution} step={step}{}", named("model", model.as_ref()))
        }
        Effect::Yield { execution } => format!("yield {execution}"),
        Effect::CancelRequest { execution } => format!("cancel-request {execution}"),
        Effect::RunTool { execution, call, name, arguments, .. } => {
            format!("run-tool {execution} {call} {name} {}", arguments.as_str())
        }
        Effect::CancelTool { execution, call, .. } => format!("cancel-tool {execution} {call}"),
        Effect::Diagnostic(it) => {
            format!("diagnostic {}{} {}", it.code.as_str(), word(it.turn.as_ref()), quoted(&it.detail))
        }
        Effect::Append { turn, chunks, .. } => format!("append {turn}{}", rows(chunks)),
        Effect::Seal { turn, chunks, .. } => format!("seal {turn}{}", rows(chunks)),
        Effect::Publish(envelope) => format!("publish {}", event(envelope)),
        Effect::StartTimer { timer, after_ms, .. } => format!("start-timer {} ms={after_ms}", timer.0),
        Effect::CancelTimer { timer } => format!("cancel-timer {}", timer.0),
        Effect::Answer(answer) => {
            let about = [word(answer.message.as_ref()), word(answer.call.as_ref())].concat();
            let rest = [named("client", answer.client.as_ref()), named("turn", answer.turn.as_ref())].concat();
            format!("answer {}{about} {}{rest} n={}", answer.to, answer.status.as_str(), answer.n)
        }
    }
}

fn word(id: Option<&impl ToString>) -> String {
    id.map(|id| format!(" {}", id.to_string())).unwrap_or_default()
}

fn named(name: &str, id: Option<&impl ToString>) -> String {
    id.map(|id| format!(" {name}={}", id.to_string())).unwrap_or_default()
}

fn rows(rows: &[Chunk]) -> String {
    rows.iter().map(|row| format!(" [{}]", chunk(row))).collect()
}

/// The turns and the queue of a snapshot.
pub fn phases(snapshot: &Snapshot) -> Vec<String> {
    let mut lines: Vec<String> =
        snapshot.turns.iter().map(|turn| format!("{} {}", turn.turn, phase(turn.phase, turn.outcome))).collect();
    let queue: String = snapshot.queue.iter().flatten().map(item).collect();
    if !queue.is_empty() {
        lines.push(format!("queue{}{queue}", if snapshot.held == Some(true) { " held" } else { "" }));
    }
    lines
}

fn phase(phase: Phase, outcome: Option<Outcome>) -> &'static str {
    match phase {
        Phase::Pending => "pending",
        Phase::Streaming => "streaming",
        Phase::AwaitingTool => "awaiting-tool",
        Phase::AwaitingApproval => "awaiting-approval",
        Phase::Ended => outcome.map_or("ended", ended),
    }
}

/// One row without its place.
pub fn chunk(chunk: &Chunk) -> String {
    let who = match chunk.role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::System => "system",
    };
    let ids: Vec<String> = match chunk.role {
        Role::User => chunk.message_ids().map(ToString::to_string).collect(),
        Role::Assistant | Role::Tool | Role::System => chunk.execution.iter().map(ToString::to_string).collect(),
    };
    format!("{who} {} {}", ids.join(","), self::body(&chunk.body))
}

fn body(body: &ChunkBody) -> String {
    match body {
        ChunkBody::Text { text } => quoted(text),
        ChunkBody::Reasoning { text, metadata } => {
            format!("reasoning {}{}", quoted(text), named("metadata", metadata.as_ref().map(Json::as_str).as_ref()))
        }
        ChunkBody::ToolCall { call, name, arguments } => format!("call {call} {name} {}", arguments.as_str()),
        ChunkBody::ToolResult { call, result, is_error, output, .. } => {
            let printed = output.as_ref().map(|output| format!(" printed={}", quoted(&output.stdout)));
            let error = if *is_error { " error" } else { "" };
            format!("result {call} {}{error}{}", result.as_str(), printed.unwrap_or_default())
        }
        ChunkBody::Error { message, .. } => format!("error {}", quoted(message)),
        ChunkBody::Part(part) => format!("part {}", part.json.as_str()),
        ChunkBody::System { kind, text } => format!("system {kind} {}", quoted(text)),
        ChunkBody::Usage(usage) => format!("usage {}", usage.as_str()),
        ChunkBody::Unknown { kind, data } => format!("{kind} {}", data.as_str()),
    }
}

fn said(body: &Body) -> String {
    body.parts
        .iter()
        .map(|part| if let Part::Opaque(part) = part { part.json.as_str().to_owned() } else { quoted(&text(part)) })
        .collect::<Vec<_>>()
        .join(" ")
}

fn text(part: &Part) -> String {
    match part {
        Part::Text { text } | Part::Reasoning { text, .. } | Part::Notice { text, .. } | Part::Error { text, .. } => {
            text.clone()
        }
        Part::Tool(tool) => format!("{}", tool.call),
        Part::Opaque(part) => part.json.as_str().to_owned(),
    }
}

fn event(envelope: &Envelope) -> String {
    let of = word(envelope.execution.as_ref());
    match &envelope.event {
        Event::TurnStart { turn, user, messages } => {
            let ids: Vec<String> = messages.iter().map(ToString::to_string).collect();
            let words = user.as_ref().map(|user| said(&user.body)).unwrap_or_default();
            let clients: Vec<String> =
                user.iter().flat_map(|user| user.clients.iter().map(ToString::to_string)).collect();
            let clients = if clients.is_empty() { String::new() } else { format!(" clients={}", clients.join(",")) };
            format!("turn-start {turn} {} {words}{clients}", ids.join(","))
        }
        Event::Delta { kind: DeltaKind::Text, delta, .. } => format!("text-delta{of} {}", quoted(&delta.text)),
        Event::Delta { kind: DeltaKind::Reasoning, delta, .. } => {
            format!("reasoning-delta{of} {}", quoted(&delta.text))
        }
        Event::ReasoningEnd { metadata, .. } => {
            format!("reasoning-end{of}{}", named("metadata", metadata.as_ref().map(Json::as_str).as_ref()))
        }
        Event::ToolInputStart { call, name, .. } => format!("tool-input-start{of} {call} {name}"),
        Event::ToolInputDelta { call, delta, .. } => format!("tool-input-delta{of} {call} {}", quoted(&delta.text)),
        Event::ToolCall { call, name, step, .. } => {
            format!("tool-call{of} {call} {name}{}", named("step", step.as_ref()))
        }
        Event::ToolOutput { data, stream, call, .. } => {
            let stream = match stream {
                Stream::Stdout => "",
                Stream::Stderr => " stderr",
            };
            format!("tool-output{of}{}{stream} {}", word(call.as_ref()), quoted(&data.text))
        }
        Event::ToolResult { call, result, is_error, .. } => {
            format!("tool-result{of} {call} {}{}", result.as_str(), if *is_error { " error" } else { "" })
        }
        Event::ApprovalRequest { call, prompt, .. } => {
            format!(
                "approval-request{of} {call}{}",
                prompt.as_ref().map(|text| format!(" {}", quoted(text))).unwrap_or_default()
            )
        }
        Event::ApprovalResolved { call, decision, .. } => {
            format!("approval-resolved{of} {call} {}", decided(*decision))
        }
        Event::Part { part, .. } => format!("part{of} {}", part.json.as_str()),
        other => of_thread(other),
    }
}

fn of_thread(event: &Event) -> String {
    match event {
        Event::MessageQueued { message, body, client, intent } => {
            format!(
                "message-queued {message} {}{}{}",
                said(body),
                named("client", client.as_ref()),
                if *intent == Intent::Steer { " steer" } else { "" }
            )
        }
        Event::MessageConsumed { messages, reason, turn } => {
            let ids: Vec<String> = messages.iter().map(ToString::to_string).collect();
            let reason = match reason {
                Consumed::Interrupt => "interrupt",
                Consumed::Continuation => "continuation",
            };
            format!("message-consumed {} {reason}{}", ids.join(","), named("turn", turn.as_ref()))
        }
        Event::MessageCancelled { message } => format!("message-cancelled {message}"),
        Event::MessageEdited { message, body, rev } => {
            format!("message-edited {message} {}{}", said(body), named("rev", rev.as_ref()))
        }
        Event::QueueSnapshot { items, held, .. } => {
            format!("queue-snapshot{}{}", if *held { " held" } else { "" }, items.iter().map(item).collect::<String>())
        }
        Event::TurnEnd { turn, outcome, error } => {
            let error = error.as_ref().map(|error| format!(" {}", quoted(error))).unwrap_or_default();
            format!("turn-end {turn} {}{error}", ended(*outcome))
        }
        Event::TurnSealed { turn, first, last, prev, chunks } => {
            let seq = |name: &str, seq: &Option<Seq>| seq.map(|seq| format!(" {name}={}", seq.0)).unwrap_or_default();
            let inline = chunks.as_ref().map(|chunks| format!(" chunks={}", chunks.len())).unwrap_or_default();
            format!("turn-sealed {turn}{}{}{}{inline}", seq("first", first), seq("last", last), seq("prev", prev))
        }
        Event::Error { error, turn, .. } => format!("error{} {}", word(turn.as_ref()), quoted(error)),
        Event::Notice { message, turn } => format!("notice{} {}", word(turn.as_ref()), quoted(message)),
        Event::Meta { json, .. } => format!("meta {}", json.as_str()),
        other => format!("{other:?}"),
    }
}

fn item(item: &QueueItem) -> String {
    format!(" {}{}", item.message, if item.intent == Intent::Steer { "^" } else { "" })
}

fn decided(decision: Decision) -> &'static str {
    match decision {
        Decision::Approved => "approved",
        Decision::Denied => "denied",
        Decision::Expired => "expired",
        Decision::Cancelled => "cancelled",
    }
}

pub fn ended(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Aborted => "aborted",
        Outcome::Error => "error",
    }
}

/// A snapshot: its number, its turns with their rows, the open approvals, the queue.
pub fn snapshot(n: u64, snapshot: &Snapshot) -> Vec<String> {
    let mut lines = vec![format!("n={n}{}", named("last", snapshot.last_seq.map(|seq| seq.0).as_ref()))];
    for turn in &snapshot.turns {
        lines.push(format!(
            "{} {:?}{}",
            turn.turn,
            turn.phase,
            turn.outcome.map(|how| format!(" {}", ended(how))).unwrap_or_default()
        ));
        for row in &turn.rows {
            let who = row.execution.as_ref().map(ToString::to_string).or(row.message.as_ref().map(ToString::to_string));
            lines.push(format!(
                "  {} {}",
                who.unwrap_or_default(),
                row.parts.iter().map(part).collect::<Vec<_>>().join(" ")
            ));
        }
    }
    for open in snapshot.approvals.iter().flatten() {
        lines.push(format!("approval {} {} {}", open.turn, open.call, open.name));
    }
    let queue: String = snapshot.queue.iter().flatten().map(item).collect();
    lines.push(format!("queue{}{queue}", if snapshot.held == Some(true) { " held" } else { "" }));
    lines
}

fn part(part: &Part) -> String {
    match part {
        Part::Text { text } => quoted(text),
        Part::Reasoning { text, .. } => format!("reasoning {}", quoted(text)),
        Part::Tool(tool) => format!("[{} {:?}]", tool.call, tool.state),
        Part::Opaque(part) => part.json.as_str().to_owned(),
        Part::Notice { text, .. } => format!("notice {}", quoted(text)),
        Part::Error { text, .. } => format!("error {}", quoted(text)),
    }
}
