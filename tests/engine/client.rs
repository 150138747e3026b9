//! One client of a bad network, with all that is on its way to and from it.

use std::collections::{BTreeMap, VecDeque};

use turnseal::model::{ClientId, Envelope, Part, Role};
use turnseal::store::{Action, Answer, Command, Effect as Ask, Input, Limits, RequestId, Store, TimerId};

use super::bench::thread;

/// One client, and all that is on its way to and from it.
pub struct Client {
    pub name: usize,
    pub store: Store,
    pub linked: bool,
    pub events: VecDeque<Envelope>,
    /// The last event that was put on its way.
    pub told: usize,
    pub asks: Vec<(RequestId, Action)>,
    pub answers: Vec<(RequestId, Answer)>,
    pub timers: Vec<TimerId>,
    /// What it has sent, and whether it took it back or threw it away.
    pub sent: BTreeMap<ClientId, bool>,
}

impl Client {
    pub fn new(name: usize) -> Self {
        let (events, asks, answers, timers) = (VecDeque::new(), Vec::new(), Vec::new(), Vec::new());
        let store = Store::new(Limits { window: 100_000, page: 1000, threads: 4 });
        Self { name, store, linked: true, events, told: 0, asks, answers, timers, sent: BTreeMap::new() }
    }

    pub fn apply(&mut self, input: Input) -> Result<(), String> {
        for effect in self.store.apply(input) {
            match effect {
                Ask::Request { request, action, .. } => self.asks.push((request, action)),
                Ask::StartTimer { timer, .. } => self.timers.push(timer),
                Ask::CancelTimer(timer) => self.timers.retain(|known| *known != timer),
                _ => {}
            }
        }
        self.store.laws().map_err(|error| format!("client {}: {error}", self.name))
    }

    pub fn command(&mut self, command: Command) -> Result<(), String> {
        self.apply(Input::Command { thread: thread(), command })
    }

    /// L2: no message is drawn twice, whatever is on its way.
    pub fn check(&self) -> Result<(), String> {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let groups = self.store.groups(&thread());
        let users = groups.iter().filter(|group| group.role == Role::User);
        for part in users.flat_map(|group| group.parts.iter()) {
            let Part::Text { text } = part else { continue };
            for line in text.split("\n\n").filter(|line| line.starts_with("say ")) {
                *seen.entry(line).or_default() += 1;
            }
        }
        match seen.iter().find(|(_, count)| **count > 1) {
            Some((text, _)) => Err(format!("L2: client {} draws {text:?} twice", self.name)),
            None => Ok(()),
        }
    }
}
