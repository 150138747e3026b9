//! Engine and stores in one loop over a bad network: events and log reach two clients delayed, dropped, doubled and
//! reordered between channels; clients lose their connection, the engine is started anew from its log and its meta. At
//! rest every client shows the projection of the log, the queue and its own pending sends (L8), and no message is lost or
//! doubled (L1, L2, L11). `RUNS=20000 cargo test --release --test engine network` plays as many; `SEED=7` plays one.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::{Effect, Engine, Input as Told, Options, Saved};
use turnseal::model::{Body, ClientId, Decision, Intent, MessageId};
use turnseal::store::{Answer, Command, Connection, Failure, FailureKind, Input};

use super::bench::thread;
use super::chance::{Chance, runs};
use super::client::Client;
use super::random::Run;

pub struct World {
    pub run: Run,
    chance: Chance,
    pub clients: Vec<Client>,
    models: Vec<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut run = Run::new(seed);
        // A store keeps the intent that it knows, also where `send-now` made the message a steer.
        run.sends_now = false;
        let models = run.models.iter().map(|model| (*model).to_owned()).collect();
        Self { run, chance: Chance::new(seed ^ 0x5EED), clients: vec![Client::new(1), Client::new(2)], models }
    }

    /// What the engine has said since is on its way to all that are linked.
    pub fn spread(&mut self) {
        for client in &mut self.clients {
            let events = &self.run.bench.events;
            if client.linked {
                client.events.extend(events.get(client.told..).unwrap_or_default().iter().cloned());
            }
            client.told = events.len();
        }
    }

    pub fn tell(&mut self, input: Told) -> Vec<Effect> {
        let effects = self.run.put(input);
        self.spread();
        effects
    }

    fn step(&mut self) -> Result<(), String> {
        let at = self.chance.below(self.clients.len());
        match self.chance.below(100) {
            0..40 => {
                self.run.step();
                self.spread();
            }
            40..52 => self.act(at)?,
            52..74 => self.hear(at)?,
            74..82 => self.ask(at)?,
            82..90 => self.answer(at)?,
            90..92 => self.timer(at)?,
            92..94 => self.unlink(at)?,
            94..97 => self.link(at)?,
            97..98 => self.restart(),
            _ => self.run.bench.broken = !self.run.bench.broken,
        }
        self.clients.iter().try_for_each(Client::check)
    }

    /// A user does something.
    fn act(&mut self, at: usize) -> Result<(), String> {
        let queue: Vec<MessageId> =
            self.clients[at].store.queue(&thread()).into_iter().map(|entry| entry.message).collect();
        let queued = (!queue.is_empty()).then(|| self.chance.of(&queue));
        let index = self.chance.below(3) as u32;
        let own: Vec<ClientId> = self.clients[at].sent.keys().cloned().collect();
        let call = format!("c{}", self.chance.below(3)).as_str().into();
        let command = match (self.chance.below(12), queued) {
            (0..4, _) => self.send(at),
            (4, Some(id)) => {
                let client = &mut self.clients[at];
                let groups = client.store.groups(&thread());
                let group = groups.iter().find(|group| group.message.as_ref() == Some(&id));
                let name = group.and_then(|group| group.client.clone());
                if let Some(taken) = name.and_then(|name| client.sent.get_mut(&name)) {
                    *taken = true;
                }
                Command::CancelQueued(id)
            }
            // Not `MoveQueued`: a store moves by an answer that a snapshot has overtaken.
            (5, Some(id)) => Command::EditQueued(id, format!("other {index}")),
            (6, Some(id)) => Command::EditQueued(id, format!("new {index}")),
            (7, _) => Command::ResumeQueue,
            (8, _) => Command::Decide { call, decision: Decision::Approved, reason: None },
            (9, _) if !own.is_empty() => Command::Retry(self.chance.of(&own)),
            (10, _) => Command::Stop,
            (_, _) => Command::Open,
        };
        self.clients[at].command(command)
    }

    fn send(&mut self, at: usize) -> Command {
        let intent = self.chance.of(&[Intent::Queue, Intent::Queue, Intent::Steer]);
        let client = &mut self.clients[at];
        let name = ClientId::from(format!("u{}-{}", client.name, client.sent.len()).as_str());
        client.sent.insert(name.clone(), false);
        Command::Send { body: Body::text(format!("say {name}")), client: name, intent }
    }

    /// The next event arrives; or it is lost, or comes twice.
    fn hear(&mut self, at: usize) -> Result<(), String> {
        let how = self.chance.below(40);
        let client = &mut self.clients[at];
        let Some(event) = client.events.pop_front() else { return Ok(()) };
        match how {
            0 => Ok(()),
            1 => client.apply(Input::Event(event.clone())).and_then(|()| client.apply(Input::Event(event))),
            _ => client.apply(Input::Event(event)),
        }
    }

    /// A request reaches the server, in any order, or does not; its answer is on its way then, or gets lost.
    fn ask(&mut self, at: usize) -> Result<(), String> {
        let count = self.clients[at].asks.len();
        if count == 0 {
            return Ok(());
        }
        let (request, action) = self.clients[at].asks.remove(self.chance.below(count));
        let (is_lost, is_unheard) = (self.chance.below(12) == 0, self.chance.below(12) == 0);
        let failure = Answer::Failed(Failure { kind: FailureKind::Failed, error: "no route".to_owned() });
        if is_lost || !self.clients[at].linked {
            self.clients[at].answers.push((request, failure));
            return Ok(());
        }
        let answer = self.serve(action);
        self.clients[at].answers.push((request, if is_unheard { failure } else { answer }));
        Ok(())
    }

    pub fn answer(&mut self, at: usize) -> Result<(), String> {
        let count = self.clients[at].answers.len();
        if count == 0 {
            return Ok(());
        }
        let (request, answer) = self.clients[at].answers.remove(self.chance.below(count));
        self.clients[at].apply(Input::Answer { request, answer })
    }

    pub fn timer(&mut self, at: usize) -> Result<(), String> {
        let client = &mut self.clients[at];
        if client.timers.is_empty() {
            return Ok(());
        }
        let timer = client.timers.remove(0);
        client.apply(Input::TimerFired { timer })
    }

    fn unlink(&mut self, at: usize) -> Result<(), String> {
        let client = &mut self.clients[at];
        client.linked = false;
        client.events.clear();
        client.apply(Input::Connection(Connection::Offline))
    }

    /// The connection is back: the server tells the whole live state, or all events that the client may have missed.
    pub fn link(&mut self, at: usize) -> Result<(), String> {
        if self.clients[at].linked {
            return Ok(());
        }
        let replays = self.chance.below(2) == 0;
        let snapshot = self.run.bench.engine.snapshot(&thread());
        let client = &mut self.clients[at];
        client.linked = true;
        client.apply(Input::Connection(Connection::Online))?;
        if replays {
            client.events.extend(self.run.bench.events.iter().cloned());
        } else {
            client.events.push_back(snapshot);
        }
        client.told = self.run.bench.events.len();
        Ok(())
    }

    /// The program ends and begins anew with its log and its meta; what it had not told yet is lost.
    fn restart(&mut self) {
        // What could not be written is told before the meta is kept: both go the same way.
        let told = |input: &Told| matches!(input, Told::PersistFailed { .. });
        for failed in self.run.bench.answers.clone().into_iter().filter(told) {
            self.tell(failed);
        }
        let saved = Saved { chunks: self.run.bench.log.clone(), meta: self.run.bench.engine.meta(&thread()) };
        let options = Options { models: self.models.clone(), policy: self.run.policy.clone() };
        let (engine, mut effects) = Engine::restore(options, vec![(thread(), saved)]);
        let effects = effects.pop().map(|(_, effects)| effects).unwrap_or_default();
        self.run.restarted(engine, &effects);
        for client in &mut self.clients {
            if self.chance.below(2) == 0 {
                client.events.clear();
            }
        }
        self.spread();
    }
}

fn played(seed: u64) -> Result<(), String> {
    let mut world = World::new(seed);
    for at in 0..world.clients.len() {
        world.clients[at].events.push_back(world.run.bench.engine.snapshot(&thread()));
    }
    for _ in 0..160 {
        world.step()?;
    }
    world.quiet()?;
    world.at_rest()
}

#[test]
fn l08_all_clients_converge_over_a_bad_network() {
    let only = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let seeds = only.map_or(1..=runs(120), |seed| seed..=seed);
    println!("network: seeds {seeds:?}");
    for seed in seeds {
        let outcome = std::panic::catch_unwind(|| played(seed));
        match outcome {
            Ok(Ok(())) => {}
            Ok(Err(error)) => panic!("SEED={seed}: {error}"),
            Err(_) => panic!("SEED={seed}"),
        }
    }
}
