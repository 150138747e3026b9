//! A log in memory that can be slow, and can fail.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use turnseal::drive::{Log, Work};
use turnseal::engine::{Meta, Saved};
use turnseal::model::{Chunk, Seq, ThreadId};

use crate::hosts::pass;

#[derive(Default)]
pub struct Paper(Mutex<State>);

#[derive(Default)]
struct State {
    threads: BTreeMap<ThreadId, Saved>,
    /// So many writes fail from now on.
    failures: usize,
    /// Only those fail that end a turn.
    only_seals: bool,
    panics: bool,
    /// Each write takes so long.
    delay_ms: u64,
    writes: usize,
}

impl Paper {
    pub fn fail(&self, failures: usize) {
        self.0.lock().unwrap().failures = failures;
    }

    pub fn fail_seals(&self, failures: usize) {
        let mut state = self.0.lock().unwrap();
        (state.failures, state.only_seals) = (failures, true);
    }

    pub fn panic_once(&self) {
        let mut state = self.0.lock().unwrap();
        (state.failures, state.panics) = (1, true);
    }

    pub fn delay(&self, ms: u64) {
        self.0.lock().unwrap().delay_ms = ms;
    }

    pub fn writes(&self) -> usize {
        self.0.lock().unwrap().writes
    }

    pub fn saved(&self, thread: &ThreadId) -> Saved {
        self.0.lock().unwrap().threads.get(thread).cloned().unwrap_or_default()
    }

    fn write_now(&self, thread: ThreadId, rows: Vec<Chunk>, meta: Meta) -> Result<Vec<Seq>, String> {
        let mut state = self.0.lock().unwrap();
        let known = state.threads.get(&thread).map_or(0, |saved| saved.meta.open.len());
        let seals = meta.open.len() < known;
        if state.failures > 0 && (seals || !state.only_seals) {
            state.failures -= 1;
            let panics = std::mem::take(&mut state.panics);
            drop(state);
            assert!(!panics, "the log is ill");
            return Err("disk full".to_owned());
        }
        state.writes += 1;
        let saved = state.threads.entry(thread).or_default();
        let first = saved.chunks.last().map_or(0, |last| last.seq.0) + 1;
        let seqs: Vec<Seq> = (first..).take(rows.len()).map(Seq).collect();
        saved.chunks.extend(rows.into_iter().zip(&seqs).map(|(row, seq)| Chunk { seq: *seq, ..row }));
        saved.meta = meta;
        Ok(seqs)
    }
}

impl Log for Paper {
    fn load(self: Arc<Self>, thread: ThreadId) -> Work<Result<Saved, String>> {
        Box::pin(async move {
            if thread.as_str() == "unreadable" { Err("bad page".to_owned()) } else { Ok(self.saved(&thread)) }
        })
    }

    fn write(self: Arc<Self>, thread: ThreadId, rows: Vec<Chunk>, meta: Meta) -> Work<Result<Vec<Seq>, String>> {
        Box::pin(async move {
            let delay = self.0.lock().unwrap().delay_ms;
            pass(delay).await;
            self.write_now(thread, rows, meta)
        })
    }
}
