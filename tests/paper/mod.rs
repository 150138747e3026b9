//! The paper server: a log, a queue and turns, as simple as they can be. What it holds is true; what it says may be lost.

mod pages;
mod project;
mod queue;
mod tools;
mod turns;
mod writing;

pub use project::{Sight, project};
pub use turns::{Phase, Row, Turn};

use std::collections::BTreeMap;

use turnseal::model::{Chunk, Envelope, Event, Intent, Seq, ThreadId};
use turnseal::store::Receipt;

/// How this server differs from others.
#[derive(Clone, Debug)]
pub struct Options {
    /// Events carry numbers.
    pub numbers: bool,
    /// Events and chunks carry the ids of messages and clients, and events their turn. Without: the G1 stream.
    pub ids: bool,
    /// The seq of the first chunk.
    pub first: u64,
    /// How far apart the seqs of visible chunks are.
    pub gap: u64,
    /// What a seal tells.
    pub seal: Seal,
    /// A consumed steer is quoted in a tool's result instead of having a row of its own.
    pub quotes: bool,
    /// The text of users is changed when it is written.
    pub changed: bool,
    /// Chunks and calls tell their step.
    pub steps: bool,
    /// No page is longer.
    pub cap: Option<usize>,
}

/// What a seal tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seal {
    /// The turn.
    Plain,
    /// Also its first and last seq.
    Range,
    /// Also the seq before its first.
    Linked,
    /// Also its chunks.
    Inline,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            numbers: true,
            ids: true,
            first: 1,
            gap: 1,
            seal: Seal::Plain,
            quotes: false,
            changed: false,
            steps: true,
            cap: None,
        }
    }
}

/// A message that a person typed.
#[derive(Clone, Debug)]
pub struct Message {
    pub id: String,
    pub text: String,
    pub client: Option<String>,
    pub intent: Intent,
    pub fate: Fate,
    /// Where its own chunk stands in the log.
    pub seq: Option<u64>,
    /// What else it said, or may be shown to say, before and after edits.
    pub versions: Vec<String>,
}

/// Where a message is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// In the queue.
    Queued,
    /// Out of the queue, before its turn has begun.
    Consumed,
    /// In a turn, as a row of its own.
    Turn(String),
    /// In a turn, inside a tool's result.
    Quoted(String),
    /// Taken back.
    Cancelled,
    /// Cut off the log.
    Cut,
}

/// All that is true about one thread.
#[derive(Clone, Debug, Default)]
pub struct Server {
    pub options: Options,
    pub thread: String,
    pub epoch: u64,
    pub n: u64,
    pub log: Vec<Chunk>,
    /// The log before its last change: what a lagging replica answers from.
    pub before: Vec<Chunk>,
    pub queue: Vec<String>,
    /// What left the queue as the beginning of a turn, in that order.
    pub(super) taken: Vec<String>,
    pub held: bool,
    pub version: u64,
    /// In the order of their starts.
    pub turns: Vec<Turn>,
    pub messages: Vec<Message>,
    /// What was sent, by client id: text and intent.
    pub typed: BTreeMap<String, (String, Intent)>,
    /// What was answered, by client id.
    pub receipts: BTreeMap<String, Receipt>,
    /// Everything said, for a replay.
    pub said: Vec<Envelope>,
    /// Said and not handed to the channels yet.
    pub outbox: Vec<Envelope>,
    last_seq: Option<u64>,
}

impl Server {
    pub fn new(options: Options) -> Self {
        Self { options, thread: "main".to_owned(), ..Self::default() }
    }

    /// All that decides what it may say and do from here on: everything but what it has said, for a replay.
    pub fn state(&self) -> impl std::fmt::Debug {
        let queue = (&self.queue, &self.taken, self.held, self.version);
        let people = (&self.messages, &self.typed, &self.receipts);
        (
            &self.thread,
            self.epoch,
            self.n,
            &self.log,
            &self.before,
            queue,
            &self.turns,
            people,
            &self.outbox,
            self.last_seq,
        )
    }

    pub fn thread(&self) -> ThreadId {
        self.thread.as_str().into()
    }

    /// Says something to everyone.
    pub fn say(&mut self, event: Event) {
        self.say_for(None, event);
    }

    pub fn say_for(&mut self, execution: Option<&str>, event: Event) {
        if self.options.numbers {
            self.n += 1;
        }
        let envelope = Envelope {
            thread: self.thread(),
            n: self.options.numbers.then_some(self.n),
            execution: execution.map(Into::into),
            event,
        };
        self.said.push(envelope.clone());
        self.outbox.push(envelope);
    }

    /// Tells the number of the last event, and nothing else.
    pub fn ping(&mut self) {
        let n = self.options.numbers.then_some(self.n);
        self.outbox.push(Envelope { thread: self.thread(), n, execution: None, event: Event::Ping });
    }

    pub fn message(&self, id: &str) -> Option<&Message> {
        self.messages.iter().find(|message| message.id == id)
    }

    pub fn message_mut(&mut self, id: &str) -> Result<&mut Message, String> {
        self.messages.iter_mut().find(|message| message.id == id).ok_or_else(|| format!("no message {id}"))
    }

    pub fn next_seq(&mut self) -> Seq {
        let seq = self.last_seq.map_or(self.options.first, |last| last + self.options.gap);
        self.last_seq = Some(seq);
        Seq(seq)
    }

    /// History is cut: chunks from a seq on are gone, and with them what they held.
    pub fn truncate(&mut self, from: u64, renewed: bool) -> Result<(), String> {
        if self.turns.iter().any(|turn| !turn.sealed) {
            return Err("a log is cut at rest".to_owned());
        }
        self.log.retain(|chunk| chunk.seq.0 < from);
        self.before.clone_from(&self.log);
        let left: Vec<String> = self.log.iter().map(|chunk| chunk.turn.to_string()).collect();
        self.turns.retain(|turn| left.contains(&turn.id));
        self.forget(from);
        if renewed {
            self.epoch += 1;
        }
        let epoch = renewed.then(|| self.epoch_name());
        self.say(Event::LogTruncated { from: Seq(from), epoch });
        Ok(())
    }

    /// The log is written anew: what it held is one summary now.
    pub fn reset(&mut self) -> Result<(), String> {
        if self.turns.iter().any(|turn| !turn.sealed) {
            return Err("a log is rewritten at rest".to_owned());
        }
        self.log.clear();
        self.before.clear();
        self.turns.clear();
        self.forget(0);
        self.epoch += 1;
        self.last_seq = None;
        let epoch = self.epoch_name();
        self.say(Event::LogReset { epoch });
        Ok(())
    }

    fn forget(&mut self, from: u64) {
        for message in &mut self.messages {
            let gone = match &message.fate {
                Fate::Turn(_) => message.seq.is_none_or(|seq| seq >= from),
                Fate::Quoted(turn) => !self.turns.iter().any(|known| known.id == *turn),
                Fate::Queued | Fate::Consumed | Fate::Cancelled | Fate::Cut => false,
            };
            if gone {
                message.fate = Fate::Cut;
            }
        }
    }

    pub fn epoch_name(&self) -> String {
        format!("e{}", self.epoch)
    }
}
