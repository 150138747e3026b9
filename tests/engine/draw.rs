//! Effects as short words, so that a test reads aloud.

use turnseal::engine::Effect;
use turnseal::model::{Event, Intent, MessageId, Outcome};

pub fn words(effects: &[Effect]) -> String {
    effects.iter().map(word).collect::<Vec<_>>().join("; ")
}

pub fn word(effect: &Effect) -> String {
    match effect {
        Effect::Request { execution, step, model: None, .. } => format!("request {execution}/{step}"),
        Effect::Request { execution, step, model: Some(model), .. } => format!("request {execution}/{step} {model}"),
        Effect::Yield { execution } => format!("yield {execution}"),
        Effect::CancelRequest { execution } => format!("cancel-request {execution}"),
        Effect::RunTool { call, .. } => format!("run {call}"),
        Effect::CancelTool { call, .. } => format!("cancel-tool {call}"),
        Effect::Append { turn, chunks, .. } => format!("append {turn} {}", chunks.len()),
        Effect::Seal { turn, chunks, .. } => format!("seal {turn} {}", chunks.len()),
        Effect::Publish(envelope) => event(&envelope.event),
        Effect::StartTimer { timer, after_ms, why } => format!("timer {} {after_ms} {}", timer.0, why.as_str()),
        Effect::CancelTimer { timer } => format!("no-timer {}", timer.0),
        Effect::Answer(answer) => {
            let turn = answer.turn.as_ref().map(|turn| format!(" {turn}")).unwrap_or_default();
            format!("answer {} {}{turn}", answer.to, answer.status.as_str())
        }
        Effect::Diagnostic(it) => format!("says {}", it.code.as_str()),
    }
}

fn ids(ids: &[MessageId]) -> String {
    ids.iter().map(|id| id.as_str()).collect::<Vec<_>>().join("+")
}

pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Aborted => "aborted",
        Outcome::Error => "error",
    }
}

pub fn event(event: &Event) -> String {
    match event {
        Event::TurnStart { turn, messages, .. } => format!("turn-start {turn} {}", ids(messages)),
        Event::Delta { delta, .. } => format!("delta {:?}", delta.text),
        Event::ReasoningEnd { .. } => "reasoning-end".into(),
        Event::ToolInputStart { call, .. } => format!("input-start {call}"),
        Event::ToolInputDelta { call, .. } => format!("input-delta {call}"),
        Event::ToolCall { call, .. } => format!("call {call}"),
        Event::ToolOutput { .. } => "output".into(),
        Event::ToolResult { call, is_error, .. } => format!("result {call}{}", if *is_error { " error" } else { "" }),
        Event::ApprovalRequest { call, .. } => format!("ask {call}"),
        Event::ApprovalResolved { call, decision, .. } => format!("resolved {call} {decision:?}"),
        Event::Part { .. } => "part".into(),
        Event::MessageQueued { message, intent: Intent::Queue, .. } => format!("queued {message}"),
        Event::MessageQueued { message, intent: Intent::Steer, .. } => format!("queued {message} steer"),
        Event::MessageConsumed { messages, reason, .. } => format!("consumed {} {reason:?}", ids(messages)),
        Event::MessageCancelled { message } => format!("cancelled {message}"),
        Event::MessageEdited { message, .. } => format!("edited {message}"),
        Event::QueueSnapshot { items, held, .. } => {
            let list: Vec<_> = items.iter().map(|item| item.message.clone()).collect();
            format!("queue [{}]{}", ids(&list), if *held { " held" } else { "" })
        }
        Event::TurnEnd { turn, outcome: how, .. } => format!("turn-end {turn} {}", outcome(*how)),
        Event::TurnSealed { turn, chunks, .. } => {
            format!("sealed {turn} {}", chunks.as_ref().map_or("?".into(), |chunks| chunks.len().to_string()))
        }
        Event::Error { error, .. } => format!("error {error:?}"),
        Event::Meta { kind, .. } => kind.clone(),
        Event::Notice { .. } => "notice".into(),
        other => panic!("the engine does not publish {other:?}"),
    }
}
