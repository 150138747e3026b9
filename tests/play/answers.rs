//! What the server answers, and does for it.

use turnseal::model::Decision;
use turnseal::store::{Action, Answer, Connection, Failure, FailureKind, Input, Receipt, ReceiptStatus};

use super::{Client, Trouble};
use crate::paper::{Phase, Server};
use crate::script::Line;

pub fn reconnect(client: &mut Client, server: &Server, replay: bool, unnoticed: bool) -> Result<(), Trouble> {
    client.linked = true;
    if !unnoticed {
        client.apply(Input::Connection(Connection::Online), server)?;
    }
    if replay {
        // A host that knows how far it came asks for what is behind.
        for envelope in &server.said {
            client.apply(Input::Event(envelope.clone()), server)?;
        }
        Ok(())
    } else {
        client.apply(Input::Event(server.snapshot_event()), server)
    }
}

/// The server takes what a client has sent: it starts a turn, or it waits. A known client id is the same message.
pub fn take(server: &mut Server, client: &str) -> Result<(), String> {
    if server.receipts.contains_key(client) {
        return Ok(());
    }
    let (_, intent) = server.typed.get(client).cloned().ok_or_else(|| format!("nobody sent {client}"))?;
    if server.messages.iter().any(|message| message.fate == crate::paper::Fate::Consumed) {
        return Err("a consumed message waits for its turn".to_owned());
    }
    let held = std::mem::take(&mut server.held);
    if server.running().is_none() && server.queue.is_empty() {
        let id = format!("m-{client}");
        server.can_start(&format!("t-{client}"))?;
        server.accept(&id, Some(client), None, None, crate::paper::Fate::Consumed)?;
        server.start(&format!("t-{client}"), &[id], true)?;
    } else {
        server.enqueue(&format!("q-{client}"), Some(client), None, Some(intent))?;
    }
    if held && server.options.numbers {
        server.list_queue();
    }
    Ok(())
}

pub fn failed(kind: FailureKind) -> Answer {
    Answer::Failed(Failure { kind, error: "no route".to_owned() })
}

/// What the server answers, and does for it.
pub fn answer(server: &mut Server, action: &Action, line: &Line) -> Result<Answer, String> {
    if line.has("fails") {
        return Ok(failed(FailureKind::Failed));
    }
    if line.has("timeout") {
        return Ok(failed(FailureKind::Timeout));
    }
    Ok(match action {
        Action::LoadChunks { limit, before, .. } => Answer::Page(server.page(*limit, *before, line.has("stale"))),
        Action::Send(send) => sent(server, send.client.as_str(), line)?,
        Action::CancelQueued(id) => {
            let gone = !line.has("no") && server.cancel(id.as_str()).is_ok();
            Answer::Cancelled(gone)
        }
        Action::EditQueued(id, text) => {
            _ = server.edit(id.as_str(), text);
            Answer::Done
        }
        Action::MoveQueued(id, index) => match server.shift(id.as_str(), *index as usize) {
            Ok(()) => Answer::Done,
            Err(_) => failed(FailureKind::Failed),
        },
        Action::SendNow(id) => {
            _ = server.shift(id.as_str(), 0);
            Answer::Done
        }
        Action::ResumeQueue => {
            server.hold(false);
            Answer::Done
        }
        Action::Stop { turn } => {
            stop(server, turn.as_ref().map(|turn| turn.as_str()))?;
            Answer::Done
        }
        Action::ResolveApproval { call, decision, .. } => decided(server, call.as_str(), *decision)?,
        Action::Resync { .. } => {
            let n = server.options.numbers.then_some(server.n);
            Answer::Snapshot { n, snapshot: Box::new(server.snapshot()) }
        }
    })
}

pub fn sent(server: &mut Server, client: &str, line: &Line) -> Result<Answer, String> {
    let refusal = [("refused", ReceiptStatus::Refused), ("returned", ReceiptStatus::Returned)];
    if let Some((_, status)) = refusal.into_iter().find(|(word, _)| line.has(word)) {
        return Ok(Answer::Sent(Receipt { status, message: None, turn: None, n: None }));
    }
    take(server, client)?;
    server.receipts.get(client).cloned().map(Answer::Sent).ok_or_else(|| format!("{client} has no answer"))
}

pub fn stop(server: &mut Server, turn: Option<&str>) -> Result<(), String> {
    let running = server.running().map(|turn| turn.id.clone());
    match running {
        Some(running) if turn.is_none_or(|turn| turn == running) => {
            server.end(&running, turnseal::model::Outcome::Aborted, None)?;
            server.hold(true);
            Ok(())
        }
        Some(_) | None => Ok(()),
    }
}

pub fn decided(server: &mut Server, call: &str, decision: Decision) -> Result<Answer, String> {
    let asked =
        |turn: &&crate::paper::Turn| turn.phase == Phase::Running && turn.asks.iter().any(|(known, _)| known == call);
    let Some(turn) = server.turns.iter().find(asked).map(|turn| turn.id.clone()) else { return Ok(Answer::Unknown) };
    server.decide(&turn, call, decision)?;
    Ok(Answer::Done)
}
