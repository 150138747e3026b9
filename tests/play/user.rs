//! What users do.

use turnseal::model::{Body, Decision, Intent};
use turnseal::store::{Action, Command, Input, PendingSend};

use super::{Trouble, World};
use crate::script::Line;

impl World {
    pub fn on_user(&mut self, line: &Line) -> Result<(), Trouble> {
        let command = self.command(line)?;
        let (client, server) = self.client(line)?;
        let thread = client.thread.clone();
        client.apply(Input::Command { thread, command }, server)
    }

    fn command(&mut self, line: &Line) -> Result<Command, String> {
        Ok(match line.verb.as_str() {
            "open" => Command::Open,
            "send" => self.typed(line, Intent::Queue)?,
            "steer" => self.typed(line, Intent::Steer)?,
            "stop" => Command::Stop,
            "approve" => decide(line, Decision::Approved)?,
            "deny" => decide(line, Decision::Denied)?,
            "retry" => Command::Retry(line.at(0)?.into()),
            "dismiss" => {
                let name = line.at(0)?.to_owned();
                let (client, _) = self.client(line)?;
                let key = client.key_of(&name).ok_or_else(|| format!("{name} is not shown"))?;
                client.facts.dismissed.push(name);
                Command::Dismiss(key)
            }
            "scroll" => Command::ScrolledUp(line.has("up")),
            "older" => Command::LoadOlder,
            "take-back" => {
                let name = line.at(0)?.to_owned();
                let (client, _) = self.client(line)?;
                client.facts.taken_back.push(name.clone());
                Command::CancelQueued(name.as_str().into())
            }
            "edit" => {
                let text = line.said()?.to_owned();
                let message = self.server.message_mut(line.at(0)?)?;
                message.versions.push(text.clone());
                Command::EditQueued(line.at(0)?.into(), text)
            }
            "move" => {
                Command::MoveQueued(line.at(0)?.into(), line.at(1)?.parse().map_err(|_| "move where?".to_owned())?)
            }
            "send-now" => Command::SendNow(line.at(0)?.into()),
            "resume" => Command::ResumeQueue,
            "restore" => {
                self.typed(line, Intent::Queue)?;
                let body = Body::text(line.said()?);
                Command::Restore(vec![PendingSend { client: line.at(0)?.into(), body, intent: Intent::Queue }])
            }
            verb => return Err(format!("no user does {verb}")),
        })
    }

    fn typed(&mut self, line: &Line, intent: Intent) -> Result<Command, String> {
        let (name, text) = (line.at(0)?.to_owned(), line.said()?.to_owned());
        self.server.typed.entry(name.clone()).or_insert_with(|| (text.clone(), intent));
        let (client, _) = self.client(line)?;
        if !client.facts.typed.contains(&name) {
            client.facts.typed.push(name.clone());
        }
        Ok(Command::Send { client: name.as_str().into(), body: Body::text(text), intent })
    }
}

fn decide(line: &Line, decision: Decision) -> Result<Command, String> {
    Ok(Command::Decide { call: line.at(0)?.into(), decision, reason: line.texts.first().cloned() })
}

/// The word for a request, and what it is about: what `answer` and the block `effects` call it.
pub fn named(action: &Action) -> (&'static str, String) {
    match action {
        Action::LoadChunks { .. } => ("load", String::new()),
        Action::Send(send) => ("send", send.client.to_string()),
        Action::Stop { turn } => ("stop", turn.as_ref().map(ToString::to_string).unwrap_or_default()),
        Action::CancelQueued(id) => ("take-back", id.to_string()),
        Action::EditQueued(id, _) => ("edit", id.to_string()),
        Action::MoveQueued(id, _) => ("move", id.to_string()),
        Action::SendNow(id) => ("send-now", id.to_string()),
        Action::ResumeQueue => ("resume", String::new()),
        Action::ResolveApproval { call, .. } => ("decide", call.to_string()),
        Action::Resync { .. } => ("resync", String::new()),
    }
}
