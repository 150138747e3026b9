//! The network comes to rest.

use turnseal::model::{Envelope, Event};
use turnseal::store::Input;

use super::bench::thread;
use super::client::Client;
use super::network::World;

impl World {
    /// The network is quiet: all arrives, all is answered, what runs comes to its end.
    pub fn quiet(&mut self) -> Result<(), String> {
        self.run.bench.broken = false;
        for at in 0..self.clients.len() {
            self.link(at)?;
        }
        for round in 0..400 {
            self.run.quiet();
            self.spread();
            for at in 0..self.clients.len() {
                self.settle(at, round)?;
            }
            let busy = |client: &Client| {
                !(client.events.is_empty()
                    && client.asks.is_empty()
                    && client.answers.is_empty()
                    && client.timers.is_empty())
            };
            if round > 1 && !self.clients.iter().any(busy) && self.run.is_quiet() {
                return Ok(());
            }
        }
        Err("L8: it never comes to rest".to_owned())
    }

    fn settle(&mut self, at: usize, round: usize) -> Result<(), String> {
        if round < 2 {
            // The tail may be lost: the server tells the number of its last event.
            let n = self.run.bench.events.last().and_then(|last| last.n);
            let ping = Envelope { thread: thread(), n, execution: None, event: Event::Ping };
            self.clients[at].events.push_back(ping);
        }
        while let Some(event) = self.clients[at].events.pop_front() {
            self.clients[at].apply(Input::Event(event))?;
        }
        for (request, action) in std::mem::take(&mut self.clients[at].asks) {
            let answer = self.serve(action);
            self.clients[at].answers.push((request, answer));
        }
        while !self.clients[at].answers.is_empty() {
            self.answer(at)?;
        }
        while !self.clients[at].timers.is_empty() {
            self.timer(at)?;
        }
        Ok(())
    }
}
