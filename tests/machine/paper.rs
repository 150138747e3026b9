//! A log on paper: it writes what the engine hands over, and gives each row its place.

use std::collections::{BTreeMap, VecDeque};

use turnseal::engine::{Effect, Input};
use turnseal::model::{Chunk, Seq, TurnId};

/// One write that the log has not done yet.
#[derive(Clone, Debug)]
struct Write {
    seals: bool,
    from: usize,
    chunks: Vec<Chunk>,
}

/// One thread's log.
#[derive(Clone, Default, Debug)]
pub struct Paper {
    /// What is written.
    pub log: Vec<Chunk>,
    /// What was handed over, in order, written or not: what a model is told. By turn and place in the turn.
    handed: Vec<((TurnId, usize), Chunk)>,
    waiting: BTreeMap<TurnId, VecDeque<Write>>,
    /// Turns of which nothing is written until a seal brings the rows from there on.
    broken: BTreeMap<TurnId, usize>,
}

impl Paper {
    pub fn take(&mut self, effect: &Effect) {
        let (seals, turn, from, chunks) = match effect {
            Effect::Append { turn, from, chunks } => (false, turn, *from, chunks),
            Effect::Seal { turn, from, chunks } => (true, turn, *from, chunks),
            _ => return,
        };
        for (at, chunk) in chunks.iter().enumerate() {
            let place = (turn.clone(), from + at);
            match self.handed.iter_mut().find(|(known, _)| *known == place) {
                Some((_, known)) => known.clone_from(chunk),
                None => self.handed.push((place, chunk.clone())),
            }
        }
        let write = Write { seals, from, chunks: chunks.clone() };
        self.waiting.entry(turn.clone()).or_default().push_back(write);
    }

    /// The turns that wait for a write.
    pub fn waits(&self) -> Vec<TurnId> {
        self.waiting.iter().filter(|(_, writes)| !writes.is_empty()).map(|(turn, _)| turn.clone()).collect()
    }

    /// Does the oldest write of a turn. Only a seal is answered.
    pub fn write(&mut self, turn: &TurnId) -> Option<Input> {
        let write = self.waiting.get_mut(turn).and_then(VecDeque::pop_front)?;
        let missing = self.broken.get(turn).copied().unwrap_or(usize::MAX);
        if missing < write.from {
            let (turn, error) = (turn.clone(), "rows before it are missing".to_owned());
            return write.seals.then_some(Input::PersistFailed { turn, from: Some(write.from), error });
        }
        self.broken.remove(turn);
        for mut chunk in write.chunks {
            chunk.seq = Seq(self.log.last().map_or(0, |last| last.seq.0) + 1);
            self.log.push(chunk);
        }
        let chunks = || self.log.iter().filter(|chunk| chunk.turn == *turn).cloned().collect();
        write.seals.then(|| Input::Persisted { turn: turn.clone(), chunks: chunks() })
    }

    /// The disk is full.
    pub fn fail(&mut self, turn: &TurnId, error: &str) -> Option<Input> {
        let failed = self.waiting.get_mut(turn).and_then(VecDeque::pop_front)?;
        let missing = self.broken.entry(turn.clone()).or_insert(failed.from);
        *missing = failed.from.min(*missing);
        Some(Input::PersistFailed { turn: turn.clone(), from: Some(failed.from), error: error.to_owned() })
    }

    /// The program ended: what was not written is gone.
    pub fn crashed(&self) -> Self {
        let place = |(at, chunk): (usize, &Chunk)| ((chunk.turn.clone(), at), chunk.clone());
        Self { log: self.log.clone(), handed: self.log.iter().enumerate().map(place).collect(), ..Self::default() }
    }

    /// What a model is told: every row that was handed over, in that order.
    pub fn told(&self) -> Vec<Chunk> {
        let row = |((_, chunk), seq): (&(_, Chunk), u64)| Chunk { seq: Seq(seq), ..chunk.clone() };
        self.handed.iter().zip(1..).map(row).collect()
    }
}
