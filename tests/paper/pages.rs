//! What the paper server answers: pages, snapshots, and the word on a thread.

use turnseal::model::{
    Chunk, Event, OpenApproval, Outcome, Page, Phase as Stands, Seq, Snapshot, SnapshotRow, SnapshotTurn, StatusKind,
    ThreadStatus,
};

use super::{Phase, Server, Turn};

impl Server {
    /// A chunk as it leaves the server.
    pub fn told_chunk(&self, chunk: &Chunk) -> Chunk {
        let mut chunk = chunk.clone();
        if !self.options.ids {
            chunk.message = None;
            chunk.messages.clear();
            chunk.clients.clear();
        }
        chunk
    }

    /// A page: the newest chunks, or those before a seq. `stale`: from a replica that lags behind.
    pub fn page(&self, limit: u32, before: Option<Seq>, stale: bool) -> Page {
        let log = if stale { &self.before } else { &self.log };
        let asked = limit as usize;
        let limit = self.options.cap.map_or(asked, |cap| cap.min(asked));
        let older: Vec<&Chunk> = log.iter().filter(|chunk| before.is_none_or(|before| chunk.seq < before)).collect();
        let from = older.len().saturating_sub(limit);
        let chunks: Vec<Chunk> = older.iter().skip(from).map(|chunk| self.told_chunk(chunk)).collect();
        Page {
            prev: from.checked_sub(1).and_then(|at| older.get(at)).map(|chunk| chunk.seq).filter(|_| self.options.ids),
            oldest: log.first().map(|chunk| chunk.seq),
            total: Some(log.len() as u64),
            limit: (limit < asked).then_some(limit as u32),
            epoch: self.options.numbers.then(|| self.epoch_name()),
            chunks,
        }
    }

    /// The whole live state.
    pub fn snapshot(&self) -> Snapshot {
        let open = self.turns.iter().filter(|turn| !turn.sealed);
        let asks = open.clone().flat_map(|turn| {
            turn.asks.iter().map(|(call, prompt)| OpenApproval {
                call: call.as_str().into(),
                turn: turn.id.as_str().into(),
                name: "ls".into(),
                prompt: prompt.clone(),
                options: None,
            })
        });
        Snapshot {
            epoch: Some(self.epoch_name()),
            last_seq: self.log.last().map(|chunk| chunk.seq),
            approvals: Some(asks.collect()),
            turns: open.map(|turn| self.snapshot_turn(turn)).collect(),
            queue: Some(self.items()),
            held: Some(self.held),
        }
    }

    fn snapshot_turn(&self, turn: &Turn) -> SnapshotTurn {
        let outcome: Option<Outcome> = match &turn.phase {
            Phase::Running => None,
            Phase::Ended(outcome, _) => Some(*outcome),
        };
        let phase = match &turn.phase {
            Phase::Ended(..) => Stands::Ended,
            Phase::Running if !turn.asks.is_empty() => Stands::AwaitingApproval,
            Phase::Running if !turn.open().is_empty() => Stands::AwaitingTool,
            Phase::Running if turn.rows.len() > 1 => Stands::Streaming,
            Phase::Running => Stands::Pending,
        };
        let rows = self.shown(turn).into_iter().map(|sight| SnapshotRow {
            role: sight.role,
            execution: sight.execution.as_deref().map(Into::into),
            message: sight.messages.first().map(|id| id.as_str().into()),
            messages: sight.messages.iter().map(|id| id.as_str().into()).collect(),
            clients: sight.clients.iter().map(|id| id.as_str().into()).collect(),
            parts: sight.parts,
        });
        SnapshotTurn { turn: turn.id.as_str().into(), phase, outcome, sealed: false, rows: rows.collect() }
    }

    /// The snapshot as an event: its number is that of the last event in it.
    pub fn snapshot_event(&self) -> turnseal::model::Envelope {
        turnseal::model::Envelope {
            thread: self.thread(),
            n: self.options.numbers.then_some(self.n),
            execution: None,
            event: if self.options.ids { Event::Snapshot(Box::new(self.snapshot())) } else { self.statuses() },
        }
    }

    /// The G1 snapshot over all threads.
    pub fn statuses(&self) -> Event {
        let running = self.running();
        let parts = running.map(|turn| {
            self.shown(turn)
                .into_iter()
                .filter(|sight| sight.messages.is_empty())
                .flat_map(|sight| sight.parts)
                .collect()
        });
        let status = ThreadStatus {
            status: if running.is_some() { StatusKind::Running } else { StatusKind::Idle },
            turn: running.map(|turn| turn.id.as_str().into()),
            assistant: running.map(|turn| format!("live-{}", turn.id).as_str().into()),
            parts,
            tasks: None,
        };
        Event::Statuses(vec![(self.thread(), status)])
    }
}
