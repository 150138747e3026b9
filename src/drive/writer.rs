//! Writes what a thread hands over, strictly in that order, and tells what is durable.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use crate::engine::{Meta, Policy, Saved};
use crate::model::{Chunk, ThreadId, TurnId};

use super::caught::tried;
use super::host::{Log, Work};

/// Event numbers are kept so far ahead: after a crash none comes twice, and not every delta is a write.
const N_AHEAD: u64 = 4096;

/// Something to write.
#[derive(Debug)]
pub(super) enum Job {
    /// Rows and what stands beside them. It is tried until it succeeds: what comes behind it needs it.
    Keep {
        rows: Vec<Chunk>,
        meta: Meta,
        /// Whether somebody waits for it.
        is_bound: bool,
    },
    /// The last rows of a turn. A failure is the engine's to decide about.
    Seal { turn: TurnId, from: usize, rows: Vec<Chunk> },
}

/// What became of it.
#[derive(Debug)]
pub(super) enum Written {
    /// A `Keep` is durable.
    Kept { is_bound: bool },
    /// A `Keep` failed and is tried again.
    Delayed { error: String },
    /// A turn is durable: all its rows.
    Sealed { turn: TurnId, rows: Vec<Chunk> },
    /// A seal failed.
    Unsealed { turn: TurnId, from: usize, error: String },
}

/// The writing end of a thread's log.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: UnboundedSender<Job>,
    hurry: Arc<Notify>,
    /// Jobs that are not told of yet.
    open: usize,
    /// Up to this number events are kept.
    reserved: u64,
}

impl Writer {
    pub(super) fn keep(&mut self, rows: Vec<Chunk>, mut meta: Meta, is_bound: bool) {
        meta.n += N_AHEAD;
        self.reserved = meta.n;
        self.send(Job::Keep { rows, meta, is_bound });
    }

    pub(super) fn seal(&mut self, turn: TurnId, from: usize, rows: Vec<Chunk>) {
        self.send(Job::Seal { turn, from, rows });
    }

    fn send(&mut self, job: Job) {
        self.open += 1;
        // The desk lives as long as its thread does.
        let _ = self.jobs.send(job);
    }

    /// Counts what was told. True where nothing is left to write.
    pub(super) fn told(&mut self, written: &Written) {
        match written {
            Written::Kept { .. } | Written::Sealed { .. } | Written::Unsealed { .. } => self.open -= 1,
            Written::Delayed { .. } => {}
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.open == 0
    }

    /// True where the numbers that are kept run out.
    pub(super) fn is_short_of_numbers(&self, n: u64) -> bool {
        n + N_AHEAD / 2 > self.reserved
    }

    /// Somebody does not want to wait for the clock.
    pub(super) fn hurry(&self) {
        self.hurry.notify_one();
    }
}

/// Who writes.
pub(super) struct Desk {
    thread: ThreadId,
    log: Arc<dyn Log>,
    policy: Policy,
    /// What stands in the log beside the rows.
    base: Meta,
    /// The written rows of turns that are not sealed.
    rows: BTreeMap<TurnId, Vec<Chunk>>,
    told: UnboundedSender<Written>,
    hurry: Arc<Notify>,
}

impl Desk {
    pub(super) fn new(
        thread: ThreadId,
        log: Arc<dyn Log>,
        policy: Policy,
        saved: &Saved,
        told: UnboundedSender<Written>,
    ) -> Self {
        let of = |turn: &TurnId| saved.chunks.iter().filter(|row| row.turn == *turn).cloned().collect();
        let rows = saved.meta.open.iter().map(|open| (open.turn.clone(), of(&open.turn))).collect();
        Self { thread, log, policy, base: saved.meta.clone(), rows, told, hurry: Arc::new(Notify::new()) }
    }

    /// Begins to write, in a task that `serve` starts.
    pub(super) fn open(self, serve: impl FnOnce(Work<()>)) -> Writer {
        let (jobs, inbox) = mpsc::unbounded_channel();
        let writer = Writer { jobs, hurry: Arc::clone(&self.hurry), open: 0, reserved: self.base.n };
        serve(Box::pin(self.run(inbox)));
        writer
    }

    /// Writes until its thread is gone.
    async fn run(mut self, mut jobs: UnboundedReceiver<Job>) {
        // Turns that the log has whole, while the engine has not heard of it.
        let mut sealed = BTreeSet::new();
        while let Some(job) = jobs.recv().await {
            let written = match job {
                Job::Keep { rows, mut meta, is_bound } => {
                    sealed.retain(|turn| meta.open.iter().any(|open| open.turn == *turn));
                    meta.open.retain(|open| !sealed.contains(&open.turn));
                    self.keep(rows, meta).await;
                    Written::Kept { is_bound }
                }
                Job::Seal { turn, from, rows } => {
                    let mut meta = self.base.clone();
                    meta.open.retain(|open| open.turn != turn);
                    match self.write(rows, meta).await {
                        Ok(()) => {
                            sealed.insert(turn.clone());
                            let rows = self.rows.remove(&turn).unwrap_or_default();
                            Written::Sealed { turn, rows }
                        }
                        Err(error) => Written::Unsealed { turn, from, error },
                    }
                }
            };
            if self.told.send(written).is_err() {
                return;
            }
        }
    }

    async fn keep(&mut self, rows: Vec<Chunk>, meta: Meta) {
        let Policy { backoff_ms_min, backoff_ms_max, .. } = self.policy;
        let mut wait_ms = backoff_ms_min;
        while let Err(error) = self.write(rows.clone(), meta.clone()).await {
            let _ = self.told.send(Written::Delayed { error });
            let wait = tokio::time::sleep(Duration::from_millis(wait_ms));
            tokio::select! {
                () = wait => {}
                () = self.hurry.notified() => {}
            }
            wait_ms = wait_ms.saturating_mul(2).min(backoff_ms_max);
        }
    }

    async fn write(&mut self, rows: Vec<Chunk>, meta: Meta) -> Result<(), String> {
        let (log, thread) = (Arc::clone(&self.log), self.thread.clone());
        let (given, beside) = (rows.clone(), meta.clone());
        let seqs = tried("the log", move || log.write(thread, given, beside)).await?;
        // A log that gives too few places has written all the same; the engine sees that rows are missing.
        for (row, seq) in rows.into_iter().zip(seqs) {
            let known = self.rows.entry(row.turn.clone()).or_default();
            known.push(Chunk { seq, ..row });
        }
        self.base = meta;
        Ok(())
    }
}
