//! What the server does.

use turnseal::model::{
    Consumed, Cut, Decision, DeltaKind, Event, Intent, Json, Opaque, OpaqueKind, Outcome, Seq, StatusKind, Stream,
};

use super::{Trouble, World, seal};
use crate::paper::{Fate, Server};
use crate::script::Line;

impl World {
    pub fn on_server(&mut self, line: &Line) -> Result<(), Trouble> {
        let server = &mut self.server;
        match line.verb.as_str() {
            "turn-start" => start(server, line)?,
            "delta" | "think" | "think-end" | "input" | "call" | "output" | "result" | "ask" | "decided" | "part"
            | "notice" | "error" | "turn-end" => on_turn(server, line)?,
            "queue" | "consume" | "cancel" | "edited" | "queue-list" | "hold" | "release" => on_queue(server, line)?,
            "seal" => server.seal(line.at(0)?, line.names.get(1).and_then(|word| seal(word)))?,
            "write" => server.write(line.at(0)?, false)?,
            "status" => server.say(Event::Status(status(line.at(0)?)?)),
            "statuses" => {
                let event = server.statuses();
                server.say(event);
            }
            "truncate" => server.truncate(seq(line)?, line.has("renewed"))?,
            "reset" => self.on_reset()?,
            "change" => change(server, line)?,
            "rename" => rename(server, line)?,
            "meta" => {
                let json = Json::new(line.texts.first().map_or("{}", String::as_str));
                server.say(Event::Meta { kind: line.at(0)?.to_owned(), json });
            }
            "stray" => stray(server, line)?,
            verb => return Err(Trouble::Cannot(format!("there is no verb {verb}"))),
        }
        Ok(())
    }

    fn on_reset(&mut self) -> Result<(), String> {
        self.server.reset()?;
        self.clients.iter_mut().for_each(|client| client.facts.keys.clear());
        Ok(())
    }
}

fn seq(line: &Line) -> Result<u64, String> {
    line.get("seq").and_then(|seq| seq.parse().ok()).ok_or_else(|| "seq=?".to_owned())
}

/// `turn-start a k1`, `turn-start a q1 q2`, `turn-start a "text"`: of what was sent, what waits, or somebody else's.
fn start(server: &mut Server, line: &Line) -> Result<(), String> {
    let turn = line.at(0)?;
    server.can_start(turn)?;
    let mut messages = Vec::new();
    for name in line.names.iter().skip(1).filter(|name| *name != "bare") {
        if server.message(name).is_some() {
            messages.push(name.clone());
        } else {
            let id = format!("m-{name}");
            server.accept(&id, Some(name), None, None, Fate::Consumed)?;
            messages.push(id);
        }
    }
    if messages.is_empty() {
        let id = format!("m-{turn}");
        server.accept(&id, None, Some(line.said()?), None, Fate::Consumed)?;
        messages.push(id);
    }
    server.start(turn, &messages, !line.has("bare"))
}

fn on_turn(server: &mut Server, line: &Line) -> Result<(), String> {
    let execution = line.get("execution").map(str::to_owned);
    let execution = execution.as_deref();
    let outside = line.names.is_empty();
    let turn = if outside { "" } else { line.at(0)? };
    match line.verb.as_str() {
        "delta" => server.delta(turn, execution, DeltaKind::Text, line.said()?),
        "think" => server.delta(turn, execution, DeltaKind::Reasoning, line.said()?),
        "think-end" => server.think_end(turn, execution, line.texts.first().map(String::as_str)),
        "input" => server.input(
            turn,
            line.at(1)?,
            line.names.get(2).map(String::as_str),
            line.texts.first().map(String::as_str),
        ),
        "call" => {
            let name = line.names.get(2).map_or("ls", String::as_str);
            server.call(turn, execution, line.at(1)?, name, line.texts.first().map_or("{}", String::as_str))
        }
        "output" => {
            let stream = if line.has("stderr") { Stream::Stderr } else { Stream::Stdout };
            server.output(turn, line.at(1)?, stream, line.said()?)
        }
        "result" => server.result(turn, line.at(1)?, line.said()?, line.has("error")),
        "ask" => server.ask(turn, line.at(1)?, line.texts.first().map(String::as_str)),
        "decided" => server.decide(turn, line.at(1)?, decision(line.at(2)?)?),
        "part" => server.part(turn, execution, opaque(line)?),
        "notice" if outside => {
            server.say(Event::Notice { message: line.said()?.to_owned(), turn: None });
            Ok(())
        }
        "error" if outside => {
            server.say(Event::Error { error: line.said()?.to_owned(), status_code: None, turn: None });
            Ok(())
        }
        "notice" => server.notice(turn, line.said()?),
        "error" => server.fault(turn, execution, line.said()?),
        _ => server.end(turn, outcome(line.at(1)?)?, line.texts.first().map(String::as_str)),
    }
}

fn on_queue(server: &mut Server, line: &Line) -> Result<(), String> {
    match line.verb.as_str() {
        "queue" => {
            let client = line.names.get(1).filter(|name| *name != "steer").map(String::as_str);
            let intent = line.has("steer").then_some(Intent::Steer);
            server.enqueue(line.at(0)?, client, line.texts.first().map(String::as_str), intent)
        }
        "consume" => {
            let reason = if line.has("continuation") { Consumed::Continuation } else { Consumed::Interrupt };
            let ids: Vec<String> =
                line.names.iter().filter(|name| *name != "continuation" && *name != "nameless").cloned().collect();
            server.consume(&ids, reason, !line.has("nameless"))
        }
        "cancel" => server.cancel(line.at(0)?),
        "edited" => server.edit(line.at(0)?, line.said()?),
        "hold" => {
            server.hold(true);
            Ok(())
        }
        "release" => {
            server.hold(false);
            Ok(())
        }
        _ => {
            server.list_queue();
            Ok(())
        }
    }
}

fn opaque(line: &Line) -> Result<Opaque, String> {
    let (id, text) = (line.at(1)?, line.said()?);
    let json = format!("{{\"type\":\"data\",\"id\":\"{id}\",\"text\":\"{text}\"}}");
    Ok(Opaque { kind: OpaqueKind::Data, id: Some(id.into()), json: Json::new(json) })
}

fn decision(word: &str) -> Result<Decision, String> {
    match word {
        "approved" => Ok(Decision::Approved),
        "denied" => Ok(Decision::Denied),
        "expired" => Ok(Decision::Expired),
        "cancelled" => Ok(Decision::Cancelled),
        _ => Err(format!("{word} is no decision")),
    }
}

fn outcome(word: &str) -> Result<Outcome, String> {
    match word {
        "done" => Ok(Outcome::Done),
        "aborted" => Ok(Outcome::Aborted),
        "error" => Ok(Outcome::Error),
        _ => Err(format!("{word} is no outcome")),
    }
}

fn status(word: &str) -> Result<StatusKind, String> {
    match word {
        "idle" => Ok(StatusKind::Idle),
        "running" => Ok(StatusKind::Running),
        "error" => Ok(StatusKind::Error),
        _ => Err(format!("{word} is no status")),
    }
}

/// A sealed text is changed in place.
fn change(server: &mut Server, line: &Line) -> Result<(), String> {
    let seq = Seq(seq(line)?);
    let text = line.said()?.to_owned();
    let chunk = server.log.iter_mut().find(|chunk| chunk.seq == seq).ok_or("no such chunk")?;
    let turn = chunk.turn.to_string();
    let turnseal::model::ChunkBody::Text { text: known } = &mut chunk.body else { return Err("not a text".to_owned()) };
    let old = std::mem::replace(known, text.clone());
    let changed = chunk.clone();
    let message = changed.message.as_ref().map(ToString::to_string);
    for (_, row) in &mut server.turn_mut(&turn)?.rows {
        match row {
            crate::paper::Row::Text(known) if *known == old => known.clone_from(&text),
            _ => {}
        }
    }
    if let Some(message) = message {
        server.message_mut(&message)?.versions.push(text);
    }
    let told = server.told_chunk(&changed);
    server.say(Event::ChunksUpdated { chunks: vec![told] });
    Ok(())
}

fn rename(server: &mut Server, line: &Line) -> Result<(), String> {
    let (from, to) = (line.at(0)?.to_owned(), line.at(1)?.to_owned());
    if server.thread != from {
        return Err(format!("the thread is {}", server.thread));
    }
    server.say(Event::ThreadRenamed { from: from.as_str().into(), to: to.as_str().into() });
    server.thread = to;
    Ok(())
}

/// An event that the server should not say: of a turn that is over, of none, of a kind that nobody knows.
fn stray(server: &mut Server, line: &Line) -> Result<(), String> {
    let turn = line.names.get(1).map(|turn| turn.as_str().into());
    let event = match line.at(0)? {
        "delta" => {
            let delta = Cut::whole(line.said()?);
            Event::Delta { kind: DeltaKind::Text, delta, turn, message: None, part: None }
        }
        "result" => Event::ToolResult {
            call: line.at(2)?.into(),
            result: Json::new(crate::script::quoted(line.said()?)),
            is_error: false,
            turn,
        },
        "call" => Event::ToolCall {
            call: line.at(2)?.into(),
            name: "ls".to_owned(),
            arguments: Json::new("{}"),
            turn,
            step: None,
        },
        "turn-end" => {
            let turn = turn.ok_or("which turn?")?;
            Event::TurnEnd { turn, outcome: outcome(line.at(2)?)?, error: None }
        }
        "seal" => {
            let turn = turn.ok_or("which turn?")?;
            Event::TurnSealed { turn, first: None, last: None, prev: None, chunks: None }
        }
        "consume" => {
            let messages = line.names.iter().skip(1).map(|id| id.as_str().into()).collect();
            Event::MessageConsumed { messages, reason: Consumed::Continuation, turn: None }
        }
        "cancel" => Event::MessageCancelled { message: line.at(1)?.into() },
        "ask" => Event::ApprovalRequest { call: line.at(2)?.into(), prompt: None, options: None, turn },
        "nothing" => Event::Nothing,
        other => return Err(format!("no stray {other}")),
    };
    server.say(event);
    Ok(())
}
