//! One thread: its rooms, and the small moves that every input is made of.

use std::collections::VecDeque;

use crate::model::{Chunk, Intent, Json, MessageId, Parts, Role, Seq, StatusKind, ThreadId, TurnId};

use super::asks::Out;
use super::cursor::Cursor;
use super::effect::Code;
use super::evidence::Evidence;
use super::flat::{Map, Memory, Set};
use super::input::PendingSend;
use super::live::{Heard, Live, LiveRow, LiveTurn, Owner, RowId, Seal, Slot, Source, TurnPhase};
use super::loader::{KeptPage, Loader, Older};
use super::log::{Log, Past};
use super::queue::Queue;
use super::view::{BlockId, Place, View, Zone, runs};

/// Turns that are over are remembered, so that a late word about them changes nothing. The oldest is forgotten.
const LATE_TURNS_MAX: usize = 256;

/// Turns without a live row that have ended and were not sealed. The oldest is forgotten.
const SILENT_TURNS_MAX: usize = 256;

/// Client ids of messages that arrived are remembered: a repeated send is the same message. The oldest is forgotten.
const SENT_MAX: usize = 256;

/// One conversation, as this client knows it.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub(super) id: ThreadId,
    pub(super) log: Log,
    pub(super) live: Live,
    pub(super) queue: Queue,
    pub(super) cursor: Cursor,
    pub(super) loader: Loader,
    pub(super) older: Older,
    pub(super) kept: Vec<KeptPage>,
    pub(super) view: View,
    /// Ended and gone: folded turns, and those that only their end was heard of.
    pub(super) late: Memory,
    /// Messages of this client that are known to have arrived.
    pub(super) sent: Memory,
    /// Notes by their anchor.
    pub(super) notes: Map<Option<TurnId>, Vec<RowId>>,
    /// Rows that a cancel on its way hides.
    pub(super) hidden: Set<RowId>,
    pub(super) scrolled_up: bool,
    /// True once the first page was asked for.
    pub(super) opened: bool,
    /// The legacy word on the thread, as long as no turn says more.
    pub(super) legacy: Option<StatusKind>,
    /// True where the last turn that ended failed.
    pub(super) failed: bool,
    pub(super) load_error: Option<String>,
    pub(super) meta: Map<String, Json>,
    /// When the generation of the log last changed.
    pub(super) renewed_at: u64,
    /// The event number that what is being applied speaks for.
    pub(super) speaks_for: Option<u64>,
    /// So many pages in a row have lagged behind what the server had told by then.
    pub(super) lags: u8,
    /// When the last snapshot was taken in.
    pub(super) snapshot_at: u64,
    /// Counts inputs: the thread's only clock.
    pub(super) stamp: u64,
    /// Turns that began without a word on their message, with when.
    pub(super) bare: VecDeque<(u64, TurnId)>,
    /// When the thread was last spoken of; the least recent idle one is evicted first.
    pub(super) used: u64,
    /// True where the set of messages that are not known to have arrived may have changed.
    pub(super) pending_changed: bool,
    /// Edits of messages that are not here yet.
    pub(super) edits: Map<MessageId, (crate::model::Body, Option<u64>)>,
}

impl Thread {
    /// Only the running turn streams: where that is another one now, both are drawn anew.
    pub(super) fn mark_running(&mut self, ran: Option<&TurnId>) {
        let runs = self.live.running();
        if ran != runs {
            for turn in ran.into_iter().chain(runs) {
                self.view.touch(BlockId::Turn(turn.clone()));
            }
        }
    }

    pub(super) fn new(id: ThreadId) -> Self {
        Self {
            id,
            log: Log::default(),
            live: Live::default(),
            queue: Queue::default(),
            cursor: Cursor::default(),
            loader: Loader::default(),
            older: Older::default(),
            kept: Vec::new(),
            view: View::default(),
            late: Memory::new(LATE_TURNS_MAX),
            sent: Memory::new(SENT_MAX),
            notes: Map::new(),
            hidden: Set::default(),
            scrolled_up: false,
            opened: false,
            legacy: None,
            failed: false,
            load_error: None,
            meta: Map::new(),
            renewed_at: 0,
            speaks_for: None,
            lags: 0,
            snapshot_at: 0,
            stamp: 0,
            bare: VecDeque::new(),
            used: 0,
            pending_changed: false,
            edits: Map::new(),
        }
    }

    pub(super) fn tick(&mut self) -> u64 {
        self.stamp += 1;
        self.stamp
    }

    /// True where something would be lost with the thread.
    pub(super) fn is_busy(&self) -> bool {
        self.live.rows().next().is_some() || self.live.running().is_some()
    }

    /// Opens a turn that begins now, or that streams without having begun here. False: the turn is over.
    pub(super) fn open_turn(&mut self, turn: &TurnId) -> bool {
        let known = self.live.turns.contains_key(turn);
        if known || !self.hear_of(turn) {
            return known;
        }
        if let Some(start) = self.live.turns.get(turn).map(|record| record.start) {
            self.view.order.set_start(turn, start);
            self.place_turn(turn);
        }
        self.legacy = None;
        self.failed = false;
        true
    }

    /// Turns that ended and have nothing to show may never be sealed: their records are bounded.
    fn forget_silent_turns(&mut self) {
        if self.live.turns.len() < SILENT_TURNS_MAX {
            return;
        }
        let over = |turn: &LiveTurn| {
            turn.phase != TurnPhase::Running && !turn.slots.iter().any(|slot| matches!(slot, Slot::Row(_)))
        };
        let silent = self.live.turns.iter().filter(|(_, turn)| over(turn)).min_by_key(|(_, turn)| turn.start);
        if let Some(turn) = silent.map(|(turn, _)| turn.clone()) {
            self.live.turns.remove(&turn);
            self.late.add(turn.shared());
            self.place_turn(&turn);
        }
    }

    /// Keeps a record of a turn. Hearing of it says nothing about when it began (L7). False: the turn is over.
    pub(super) fn hear_of(&mut self, turn: &TurnId) -> bool {
        if self.live.turns.contains_key(turn) {
            return true;
        }
        if self.late.has(turn.as_str()) {
            return false;
        }
        self.forget_silent_turns();
        let start = self.tick();
        // The turn that ran until now no longer streams.
        if let Some(before) = self.live.running().cloned() {
            self.view.touch(BlockId::Turn(before));
        }
        let drawn = self.log.chunks_of(turn).any(|chunk| chunk.role != Role::User);
        let users = self.log.chunks_of(turn).filter(|chunk| chunk.role == Role::User);
        let slots = users.map(|chunk| Slot::Chunk(chunk.seq)).collect();
        self.live.turns.insert(
            turn.clone(),
            Box::new(LiveTurn {
                start,
                phase: TurnPhase::Running,
                seal: Seal::Open,
                source: if drawn { Source::Chunks } else { Source::Live },
                slots,
                current: Vec::new(),
                line: None,
                orphans: Vec::new(),
                stopping: false,
            }),
        );
        self.place_turn(turn);
        true
    }

    /// Puts the turn's block, and the notes behind it, where they belong.
    pub(super) fn place_turn(&mut self, turn: &TurnId) {
        let first = self.log.of_turn(turn).first().copied();
        let live = self.live.turns.get(turn).map(|record| record.start);
        let moved = self.view.order.place_turn(turn, first, live);
        for block in moved {
            if let BlockId::Turn(turn) = &block {
                self.place_notes(turn);
            }
            self.view.touch(block);
        }
        self.view.touch(BlockId::Turn(turn.clone()));
        self.view.touched.head = true;
    }

    fn place_notes(&mut self, turn: &TurnId) {
        let Some(notes) = self.notes.get(&Some(turn.clone())).cloned() else { return };
        if self.view.order.place(&BlockId::Turn(turn.clone())).is_some() {
            for id in notes {
                self.place_row(id);
            }
        } else {
            for id in notes {
                self.release(id, &Evidence::AnchorEvicted);
            }
        }
    }

    /// Puts a row's block where its owner wants it.
    pub(super) fn place_row(&mut self, id: RowId) {
        let block = BlockId::Row(id.0);
        let place = self.live.row(id).filter(|_| !self.hidden.contains(&id)).and_then(|row| {
            let at = |zone, major| Some(Place { zone, major, minor: 0, stamp: row.stamp, note: 0 });
            match &row.owner {
                Owner::Sending { .. } | Owner::Failed { .. } => at(Zone::Pending, 0),
                Owner::Queued { message } => at(Zone::Queued, self.queue.rank(message).unwrap_or(u64::MAX)),
                Owner::Starting { .. } => at(Zone::Starting, 0),
                Owner::Departed { .. } => at(Zone::Departed, 0),
                Owner::Turn { .. } => None,
                Owner::Note { after } => self.view.order.note_place(after.as_ref(), row.stamp),
            }
        });
        let before = self.view.order.place(&block);
        let pending = |place: Option<Place>| place.is_some_and(|place| place.zone == Zone::Pending);
        self.pending_changed |= pending(before) || pending(place);
        if before != place {
            self.view.order.put(block.clone(), place);
        }
        self.view.touch(block);
        self.view.touched.head = true;
    }

    /// Takes a row away, with the proof that it may go.
    pub(super) fn release(&mut self, id: RowId, proof: &Evidence) -> Option<LiveRow> {
        let row = self.live.release(id, proof)?;
        self.hidden.remove(&id);
        self.pending_changed |= Live::is_pending(&row.owner);
        for message in &row.messages {
            self.queue.remove(message);
        }
        match &row.owner {
            Owner::Turn { turn } => self.view.touch(BlockId::Turn(turn.clone())),
            Owner::Note { after } => {
                if let Some(notes) = self.notes.get_mut(after) {
                    notes.retain(|note| *note != id);
                    if notes.is_empty() {
                        self.notes.remove(after);
                    }
                }
            }
            Owner::Sending { .. }
            | Owner::Failed { .. }
            | Owner::Queued { .. }
            | Owner::Starting { .. }
            | Owner::Departed { .. } => {}
        }
        let block = BlockId::Row(id.0);
        self.view.order.put(block.clone(), None);
        self.view.touch(block);
        self.view.touched.head = true;
        Some(row)
    }

    /// A row's chunk is in the window: the chunk takes its place and its key, in one step.
    pub(super) fn take_over(&mut self, id: RowId, seq: Seq) {
        let Some(turn) = self.log.get(seq).map(|chunk| chunk.turn.clone()) else { return };
        let elsewhere =
            self.live.row(id).is_some_and(|row| matches!(&row.owner, Owner::Turn { turn: at } if *at != turn));
        let proof = if elsewhere { Evidence::ChunkElsewhere } else { Evidence::Chunk(seq) };
        let Some(row) = self.release(id, &proof) else { return };
        for client in &row.clients {
            self.sent.add(client.shared());
        }
        for message in &row.messages {
            self.queue.forget(message);
        }
        self.view.keep_key(seq, row.key);
        // A row that waited elsewhere comes to stand in its turn.
        self.place_chunk(&turn, seq);
        self.view.touch(BlockId::Turn(turn));
    }

    /// Gives a user chunk its place in a live turn. Where a user's row leads and the window begins with the chunk, rows
    /// before it may be missing: it is then no beginning.
    pub(super) fn place_chunk(&mut self, turn: &TurnId, seq: Seq) {
        let leads = self.live.turns.get(turn).and_then(|record| record.slots.first());
        let led = matches!(leads, Some(Slot::Row(id)) if self.live.row(*id).is_some_and(|row| row.role == Role::User));
        let first = self.log.of_turn(turn).first() == Some(&seq);
        let cut = self.log.oldest() == Some(seq) && self.log.past != Past::Start;
        let own = self.log.get(seq);
        let same = |other: &&Chunk| other.seq < seq && own.is_some_and(|own| own.is_same_message(other));
        let beside = self.log.chunks_of(turn).filter(same).last().map(|other| other.seq);
        if let Some(record) = self.live.turns.get_mut(turn) {
            record.place_chunk(seq, first && !(led && cut), beside);
        }
    }

    /// Gives a row another owner and puts it where that wants it. A hidden row that the server speaks of is shown again.
    pub(super) fn move_row(&mut self, id: RowId, owner: Owner) {
        let Some(row) = self.live.row_mut(id) else { return };
        if let Owner::Turn { turn } = &row.owner {
            let turn = turn.clone();
            if let Some(record) = self.live.turns.get_mut(&turn) {
                record.slots.retain(|slot| *slot != Slot::Row(id));
            }
            self.view.touch(BlockId::Turn(turn));
        }
        let Some(row) = self.live.row_mut(id) else { return };
        if let Owner::Turn { turn } = &owner {
            self.view.touch(BlockId::Turn(turn.clone()));
        }
        let queued = matches!(owner, Owner::Queued { .. });
        row.owner = owner;
        if !queued {
            let messages = row.messages.clone();
            for message in &messages {
                self.queue.remove(message);
            }
            self.hidden.remove(&id);
        }
        self.place_row(id);
    }

    /// Puts queued rows in their places after the order of the queue changed.
    pub(super) fn rank_queue(&mut self) {
        let order: Vec<MessageId> = self.queue.order().cloned().collect();
        for message in &order {
            let Some(id) = self.live.by_message(message) else { continue };
            let place = self.view.order.place(&BlockId::Row(id.0));
            if place.map(|place| place.major) != self.queue.rank(message) {
                self.place_row(id);
            }
        }
    }

    /// The rows that wait for their turn to begin, as they came.
    pub(super) fn starting(&self) -> impl Iterator<Item = (RowId, &LiveRow)> {
        self.view.order.rows_in(Zone::Starting).filter_map(|id| Some((id, self.live.row(id)?)))
    }

    /// A new row outside of all turns, or a user's row in one.
    pub(super) fn new_row(&mut self, key: String, owner: Owner, role: Role, parts: Parts) -> LiveRow {
        let stamp = self.tick();
        LiveRow {
            key: self.view.fresh_key(key, stamp),
            owner,
            role,
            execution: None,
            parts,
            messages: Vec::new(),
            clients: Vec::new(),
            intent: Intent::Queue,
            stamp,
            rev: None,
            heard: Heard::Event,
            edited: 0,
        }
    }

    /// The messages of this thread that are not known to have arrived, for the host to keep.
    pub(super) fn pending_sends(&self) -> Vec<PendingSend> {
        let rows = self.view.order.rows_in(Zone::Pending).filter_map(|id| self.live.row(id));
        rows.filter_map(|row| {
            let client = row.clients.first()?.clone();
            let body = crate::model::Body { parts: row.parts.list().to_vec() };
            Some(PendingSend { client, body, intent: row.intent })
        })
        .collect()
    }

    /// Changes the log and keeps the numbers of groups that go on (L6).
    pub(super) fn change_log(&mut self, turns: &[TurnId], change: impl FnOnce(&mut Log)) {
        // A turn that is drawn live does not draw its chunks: they have no numbers to keep.
        let drawn = |live: &Live, turn: &TurnId| live.turns.get(turn).is_none_or(|turn| turn.source == Source::Chunks);
        let before: Vec<_> =
            turns.iter().filter(|turn| drawn(&self.live, turn)).map(|turn| (turn, runs(&self.log, turn))).collect();
        change(&mut self.log);
        for (turn, before) in before {
            if before.is_empty() {
                continue;
            }
            let numbers = self.view.numbers(turn).cloned().unwrap_or_default();
            self.view.set_numbers(turn, numbers.rebased(&before, &runs(&self.log, turn)));
        }
    }

    /// True where what is being applied is older than the acceptance of the row: its silence says nothing (L1).
    pub(super) fn is_too_old_for(&self, row: &LiveRow) -> bool {
        matches!((self.speaks_for, row.heard), (Some(now), Heard::Answer { n: Some(n) }) if now < n)
    }

    pub(super) fn report(&self, out: &mut Out<'_>, code: Code, detail: impl Into<String>) {
        out.report(&self.id, code, detail.into());
    }
}
