//! What the network does: answers, delays, losses, and a rest at last.

use turnseal::model::Event;
use turnseal::store::{Action, Answer, Command, Connection, Input};

use super::answers::{answer, reconnect, take};
use super::user::named;
use super::{Client, Trouble, World};
use crate::paper::Server;
use crate::script::Line;

/// Rounds until a rest is given up.
const ROUNDS: usize = 300;

impl World {
    pub fn on_network(&mut self, line: &Line) -> Result<(), Trouble> {
        match line.verb.as_str() {
            "load" => self.on_answer(line, "load", None),
            "resync" => self.on_answer(line, "resync", None),
            "answer" => self.on_answer(line, line.at(0)?, line.names.get(1).map(String::as_str)),
            "take" => {
                take(&mut self.server, line.at(0)?)?;
                self.spread()
            }
            "quiet" => self.on_quiet(!line.has("unchecked")),
            "ping" => {
                self.server.ping();
                self.spread()
            }
            _ => self.on_channel(line),
        }
    }

    fn on_channel(&mut self, line: &Line) -> Result<(), Trouble> {
        let (client, server) = self.client(line)?;
        match line.verb.as_str() {
            "slow" => client.slow = true,
            "fast" => {
                client.slow = false;
                client.hear_all(server)?;
            }
            "hear" | "miss" => hear(client, server, line)?,
            "lose" => {
                client.lose += line.names.first().map_or(Ok(1), |count| count.parse()).map_err(|_| "how many?")?
            }
            "drop" => {
                client.linked = false;
                client.socket.clear();
                if !line.has("unnoticed") {
                    client.apply(Input::Connection(Connection::Offline), server)?;
                }
            }
            "online" => client.apply(Input::Connection(Connection::Online), server)?,
            "reconnect" => reconnect(client, server, line.has("replay"), line.has("unnoticed"))?,
            "snapshot" => client.apply(Input::Event(server.snapshot_event()), server)?,
            "host-page" => {
                let page = server.page(100, None, line.has("stale"));
                let event = Event::ChunksLoaded(page);
                let thread = client.thread.clone();
                let envelope = turnseal::model::Envelope { thread, n: None, execution: None, event };
                client.apply(Input::Event(envelope), server)?;
            }
            "wait" => {
                if client.timers.is_empty() {
                    return Err(Trouble::Cannot("no timer runs".to_owned()));
                }
                let (timer, _) = client.timers.remove(0);
                client.apply(Input::TimerFired { timer }, server)?;
            }
            "again" if line.client.is_none() => {
                for client in &mut self.clients {
                    client.again(&self.server)?;
                }
            }
            _ => client.again(server)?,
        }
        Ok(())
    }

    /// Answers the oldest open request of a kind. `sent`: the server has done it, the answer is still on its way.
    fn on_answer(&mut self, line: &Line, what: &str, whose: Option<&str>) -> Result<(), Trouble> {
        let word = if matches!(what, "load" | "resync") {
            line.names.first()
        } else {
            line.names.get(1).or(line.names.first())
        };
        let fits = |action: &Action| {
            let (kind, name) = named(action);
            kind == what && whose.is_none_or(|whose| MODES.contains(&whose) || whose == name)
                || kind == "send" && name == what
        };
        let _ = word;
        let at = line.client.unwrap_or(1).wrapping_sub(1);
        let client = self.clients.get_mut(at).ok_or("there is no such client")?;
        let mut ask = client.ask(line.has("last"), fits)?;
        // A failure on the way back: what the server has done is done.
        let lost = line.has("fails") || line.has("timeout");
        let answer = match ask.answer.take().filter(|_| !lost) {
            Some(answer) => answer,
            None => answer(&mut self.server, &ask.action, line).inspect_err(|_| client.asks.push(ask.clone()))?,
        };
        if line.has("sent") {
            ask.answer = Some(answer);
            client.asks.insert(0, ask);
            return self.spread();
        }
        if answer == Answer::Cancelled(false)
            && let Action::CancelQueued(id) = &ask.action
        {
            client.facts.taken_back.retain(|known| known != id.as_str());
        }
        if let (Action::CancelQueued(id), Answer::Failed(_)) = (&ask.action, &answer) {
            client.facts.taken_back.retain(|known| known != id.as_str());
        }
        self.spread()?;
        self.clients[at].answer(ask.request, answer, &self.server)
    }

    /// Delivers all, answers all, and looks at what every client shows (L8).
    fn on_quiet(&mut self, look: bool) -> Result<(), Trouble> {
        for at in 0..self.clients.len() {
            let client = &mut self.clients[at];
            (client.slow, client.lose) = (false, 0);
            if !client.linked {
                reconnect(client, &self.server, false, false)?;
            }
            let thread = client.thread.clone();
            client.apply(Input::Command { thread, command: Command::ScrolledUp(false) }, &self.server)?;
        }
        let mut still = 0;
        for _ in 0..ROUNDS {
            let mut busy = false;
            self.spread()?;
            for at in 0..self.clients.len() {
                busy |= self.settle(at)?;
            }
            still = if busy || !self.server.outbox.is_empty() { 0 } else { still + 1 };
            if still == 1 {
                self.server.ping();
            } else if still > 1 {
                return self.clients.iter().filter(|_| look).try_for_each(|client| self.at_rest(client));
            }
        }
        Err(Trouble::Broken("L8: it never comes to rest".to_owned()))
    }

    fn settle(&mut self, at: usize) -> Result<bool, Trouble> {
        let asks: Vec<_> = self.clients[at].asks.drain(..).collect();
        let timers: Vec<_> = self.clients[at].timers.drain(..).collect();
        let busy = !asks.is_empty() || !timers.is_empty();
        for ask in asks {
            let answer = match ask.answer {
                Some(answer) => answer,
                None => answer(&mut self.server, &ask.action, &Line::verb("answer")).map_err(Trouble::Broken)?,
            };
            if let (Action::CancelQueued(id), Answer::Cancelled(false)) = (&ask.action, &answer) {
                self.clients[at].facts.taken_back.retain(|known| known != id.as_str());
            }
            self.spread()?;
            self.clients[at].answer(ask.request, answer, &self.server)?;
        }
        for (timer, _) in timers {
            self.clients[at].apply(Input::TimerFired { timer }, &self.server)?;
        }
        Ok(busy)
    }
}

/// `hear 3`, `miss 3`: the third on its way overtakes, or is lost; without a number the first.
fn hear(client: &mut Client, server: &Server, line: &Line) -> Result<(), Trouble> {
    let place: usize = line.names.first().map_or(Ok(1), |place| place.parse()).map_err(|_| "which one?")?;
    let at = place.checked_sub(1).ok_or("the first is 1")?;
    let envelope = client.socket.remove(at).ok_or("nothing is on its way")?;
    if line.verb == "hear" { client.apply(Input::Event(envelope), server) } else { Ok(()) }
}

/// Words of an answer that are no names.
const MODES: &[&str] =
    &["fails", "stale", "sent", "last", "ok", "queued", "refused", "returned", "unknown", "timeout", "no"];
