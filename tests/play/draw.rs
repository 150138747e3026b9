//! What blocks show, as text.

use turnseal::model::{Intent, Part, Role, ToolState};
use turnseal::store::{Action, Effect, Group, Head, QueueEntry, Why};

use super::Client;
use super::user::named;
use crate::script::quoted;

impl Client {
    /// The lines of a block.
    pub fn block(&self, name: &str) -> Result<Vec<String>, String> {
        Ok(match name {
            "view" => self.view.iter().flat_map(group).collect(),
            "effects" => self.effects.iter().filter_map(effect).collect(),
            "says" => self.says.iter().map(|said| said.code.as_str().to_owned()).collect(),
            "keys" => self.view.iter().map(|group| group.key.clone()).collect(),
            "kept" => self.kept.iter().map(|send| format!("{} {}", send.client, quoted(&send.body.plain()))).collect(),
            "owners" => self.view.iter().map(|group| self.owner(group)).collect(),
            "open" => self.asks.iter().map(|ask| request(&ask.action)).collect(),
            "head" => {
                let queue = self.store.queue(&self.thread);
                self.store.head(&self.thread).map(|head| lines(&head, &queue)).unwrap_or_default()
            }
            _ => return Err(format!("there is no block {name}")),
        })
    }

    fn owner(&self, group: &Group<'_>) -> String {
        let why = self.store.explain(&self.thread, &group.key);
        let word = why.map_or("nobody", |why| why.owner);
        format!("{word} {}", quoted(&text(group)))
    }
}

fn text(group: &Group<'_>) -> String {
    let text = group.parts.iter().find_map(|part| if let Part::Text { text } = part { Some(text) } else { None });
    text.cloned().unwrap_or_default()
}

/// `assistant  live  a  "4"~`, and one line deeper for each part but a first text.
fn group(group: &Group<'static>) -> Vec<String> {
    let role = match group.role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::System => "system",
    };
    let owner = group.owner.as_deref().filter(|owner| !owner.is_empty()).unwrap_or("-");
    let mut head = format!("{role:<9}  {:<11}  {owner:<3}", group.state.as_str());
    let mut parts = group.parts.iter();
    if let Some(Part::Text { text }) = group.parts.first() {
        parts.next();
        head.push(' ');
        head.push_str(&quoted(text));
    }
    if group.intent == Some(Intent::Steer) {
        head.push_str(" steer");
    }
    if let Some(execution) = &group.execution {
        head.push_str(&format!(" execution={execution}"));
    }
    if let Some(error) = &group.error {
        head.push_str(&format!(" why={}", quoted(error)));
    }
    let mut out = vec![head.trim_end().to_owned()];
    out.extend(parts.map(|known| format!("  {}", part(known))));
    if group.streaming
        && let Some(last) = out.last_mut()
    {
        last.push('~');
    }
    out
}

fn part(part: &Part) -> String {
    match part {
        Part::Text { text } => format!("text {}", quoted(text)),
        Part::Reasoning { text, metadata, sealed } => {
            let metadata = metadata.as_ref().map(|json| format!(" metadata={}", json.as_str())).unwrap_or_default();
            format!("think {}{}{metadata}", quoted(text), if *sealed { " closed" } else { "" })
        }
        Part::Tool(tool) => {
            let mut out = format!("tool {} {} {} step={}", tool.call, tool.name, state(tool.state), tool.step);
            if let Some(text) = &tool.arguments_text {
                out.push_str(&format!(" input={}", quoted(text)));
            }
            if let Some(output) = &tool.output {
                out.push_str(&format!(" out={}", quoted(&output.stdout)));
                if !output.stderr.is_empty() {
                    out.push_str(&format!(" err={}", quoted(&output.stderr)));
                }
            }
            if let Some(result) = &tool.result {
                out.push_str(&format!(" = {}", result.as_str()));
            }
            out
        }
        Part::Opaque(part) => format!("part {}", part.json.as_str()),
        Part::Notice { text, .. } => format!("notice {}", quoted(text)),
        Part::Error { text, .. } => format!("error {}", quoted(text)),
    }
}

fn state(state: ToolState) -> &'static str {
    match state {
        ToolState::InputStreaming => "input-streaming",
        ToolState::Running => "running",
        ToolState::AwaitingApproval => "awaiting-approval",
        ToolState::Approved => "approved",
        ToolState::Denied => "denied",
        ToolState::Done => "done",
        ToolState::Error => "error",
        ToolState::Interrupted => "interrupted",
    }
}

/// What the host has to do. A flush and what is kept have no line here: every end has the one, `kept` shows the other.
fn effect(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Request { thread, action, .. } => {
            let line = request(action);
            let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
            Some(format!("{verb} {thread} {rest}").trim_end().to_owned())
        }
        Effect::Cancel(_) => Some("give-up".to_owned()),
        Effect::StartTimer { after_ms, why, .. } => {
            let why = match why {
                Why::LoadBackoff => "load",
                Why::ResyncBackoff => "resync",
            };
            Some(format!("timer {why} {after_ms}"))
        }
        Effect::CancelTimer(_) => Some("cancel-timer".to_owned()),
        Effect::Renamed { from, to } => Some(format!("renamed {from} {to}")),
        Effect::Persist { .. } | Effect::Flush(_) | Effect::Report(_) => None,
    }
}

fn request(action: &Action) -> String {
    let (word, name) = named(action);
    match action {
        Action::LoadChunks { limit, before, covers } => {
            let mut out = format!("load limit={limit}");
            if let Some(before) = before {
                out.push_str(&format!(" before={}", before.0));
            }
            if !covers.is_empty() {
                let covers: Vec<&str> = covers.iter().map(|turn| turn.as_str()).collect();
                out.push_str(&format!(" covers={}", covers.join(",")));
            }
            out
        }
        Action::Send(send) => {
            let steer = if send.intent == Intent::Steer { " steer" } else { "" };
            format!("send {name} {}{steer}", quoted(&send.body.plain()))
        }
        Action::EditQueued(_, text) => format!("edit {name} {}", quoted(text)),
        Action::MoveQueued(_, index) => format!("move {name} {index}"),
        Action::ResolveApproval { turn, decision, .. } => {
            let turn = turn.as_ref().map(|turn| turn.as_str()).unwrap_or("-");
            format!("decide {name} {turn} {decision:?}").to_lowercase()
        }
        Action::Resync { after } => format!("resync after={after}"),
        Action::Stop { .. } | Action::CancelQueued(_) | Action::SendNow(_) | Action::ResumeQueue => {
            format!("{word} {name}").trim_end().to_owned()
        }
    }
}

fn lines(head: &Head, queue: &[QueueEntry]) -> Vec<String> {
    let mut out = vec![format!("status {}", head.status.as_str())];
    out.extend(head.turn.as_ref().map(|turn| format!("turn {turn}")));
    let queue: Vec<&str> = queue.iter().map(|entry| entry.message.as_str()).collect();
    if !queue.is_empty() {
        out.push(format!("queue {}", queue.join(" ")));
    }
    if head.held {
        out.push("held".to_owned());
    }
    for ask in &head.approvals {
        let prompt = ask.prompt.as_ref().map(|prompt| format!(" {}", quoted(prompt))).unwrap_or_default();
        let answering = if ask.answering { " answering" } else { "" };
        out.push(format!("approval {} {} {}{prompt}{answering}", ask.call, ask.turn, ask.name));
    }
    out.extend(head.has_older.then(|| "has-older".to_owned()));
    out.extend(head.loading_older.then(|| "loading-older".to_owned()));
    if head.connection != turnseal::store::Connection::Online {
        out.push(format!("{:?}", head.connection).to_lowercase());
    }
    out.extend(head.load_error.as_ref().map(|error| format!("load-error {}", quoted(error))));
    out.extend(head.meta.iter().map(|(kind, json)| format!("meta {kind} {}", json.as_str())));
    out
}
