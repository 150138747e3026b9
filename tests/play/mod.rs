//! Plays lines: a paper server, clients with the store under test, and a network between them that keeps no promise.

mod answers;
mod client;
mod draw;
mod network;
mod server;
mod user;

#[allow(unused_imports, reason = "the models read these")]
pub use client::{Ask, Client};
#[allow(unused_imports, reason = "the models read these")]
pub use user::named;

use turnseal::model::Envelope;
use turnseal::store::Limits;

use crate::laws;
use crate::paper::{Fate, Options, Seal, Server};
use crate::script::Line;

/// Why a line did not work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It makes no sense here.
    Cannot(String),
    /// A law does not hold after it.
    Broken(String),
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self::Cannot(why)
    }
}

impl From<&str> for Trouble {
    fn from(why: &str) -> Self {
        Self::Cannot(why.to_owned())
    }
}

impl Trouble {
    pub fn why(&self) -> &str {
        match self {
            Self::Cannot(why) | Self::Broken(why) => why,
        }
    }
}

/// A server and its clients.
#[derive(Clone)]
pub struct World {
    pub server: Server,
    pub clients: Vec<Client>,
    pub limits: Limits,
}

impl World {
    pub fn new() -> Self {
        let limits = Limits::default();
        Self { server: Server::new(Options::default()), clients: vec![Client::new(limits)], limits }
    }

    /// Plays one line. All laws but L8 are checked after every input of every client.
    pub fn play(&mut self, line: &Line) -> Result<(), Trouble> {
        if line.verb != "again" {
            self.clients.iter_mut().for_each(|client| client.last.clear());
        }
        for client in &mut self.clients {
            client.effects.clear();
            client.says.clear();
        }
        // The server consumes and starts in one step: nobody sees what is between.
        let looks = matches!(line.verb.as_str(), "snapshot" | "reconnect" | "resync" | "quiet" | "statuses");
        if looks && self.server.messages.iter().any(|message| message.fate == Fate::Consumed) {
            return Err("a consumed message waits for its turn".into());
        }
        match line.verb.as_str() {
            "server" => self.on_options(line)?,
            "clients" | "limits" => self.on_limits(line)?,
            "open" | "send" | "steer" | "stop" | "approve" | "deny" | "retry" | "dismiss" | "scroll" | "older"
            | "take-back" | "edit" | "move" | "send-now" | "resume" | "restore" => self.on_user(line)?,
            "answer" | "load" | "resync" | "drop" | "lose" | "slow" | "fast" | "hear" | "miss" | "reconnect"
            | "wait" | "take" | "again" | "quiet" | "host-page" | "snapshot" | "ping" | "online" => {
                self.on_network(line)?
            }
            _ => {
                self.on_server(line)?;
                self.spread()?;
            }
        }
        Ok(())
    }

    /// The client that a line is about: the first one where it names none.
    pub fn client(&mut self, line: &Line) -> Result<(&mut Client, &Server), String> {
        let at = line.client.unwrap_or(1);
        let client = self.clients.get_mut(at.wrapping_sub(1)).ok_or_else(|| format!("there is no client {at}"))?;
        Ok((client, &self.server))
    }

    /// What the server has said goes into the channels, and out of those that are fast.
    pub fn spread(&mut self) -> Result<(), Trouble> {
        let said: Vec<Envelope> = self.server.outbox.drain(..).collect();
        for envelope in said {
            for client in &mut self.clients {
                client.hand(envelope.clone());
            }
        }
        for client in &mut self.clients {
            if !client.slow {
                client.hear_all(&self.server)?;
            }
        }
        Ok(())
    }

    fn on_options(&mut self, line: &Line) -> Result<(), String> {
        if !self.server.said.is_empty() {
            return Err("the server is what it is once it has spoken".to_owned());
        }
        let options = &mut self.server.options;
        for (key, value) in &line.keys {
            let number = value.parse().map_err(|_| format!("{key} is a number"));
            match key.as_str() {
                "numbers" => options.numbers = value == "yes",
                "ids" => options.ids = value == "yes",
                "quotes" => options.quotes = value == "yes",
                "changed" => options.changed = value == "yes",
                "steps" => options.steps = value == "yes",
                "first" => options.first = number?,
                "gap" => options.gap = number?,
                "cap" => options.cap = Some(number? as usize),
                "seal" => options.seal = seal(value).ok_or("a seal is plain, range, linked or inline")?,
                _ => return Err(format!("no option {key}")),
            }
        }
        Ok(())
    }

    fn on_limits(&mut self, line: &Line) -> Result<(), String> {
        let number = |key: &str| line.get(key).map(|value| value.parse::<usize>().map_err(|_| format!("{key}?")));
        if let Some(window) = number("window") {
            self.limits.window = window?;
        }
        if let Some(page) = number("page") {
            self.limits.page = page? as u32;
        }
        let count = if line.verb == "clients" {
            line.at(0)?.parse::<usize>().map_err(|_| "how many clients?".to_owned())?
        } else {
            self.clients.len()
        };
        self.clients = (0..count).map(|_| Client::new(self.limits)).collect();
        Ok(())
    }

    /// L8: what this client shows is what it should show at rest.
    pub fn at_rest(&self, client: &Client) -> Result<(), Trouble> {
        laws::rest(&client.view, &self.server, &client.facts, client.window(&self.server)).map_err(Trouble::Broken)
    }
}

/// What a seal tells, by its word.
pub fn seal(word: &str) -> Option<Seal> {
    match word {
        "plain" => Some(Seal::Plain),
        "range" => Some(Seal::Range),
        "linked" => Some(Seal::Linked),
        "inline" => Some(Seal::Inline),
        _ => None,
    }
}
