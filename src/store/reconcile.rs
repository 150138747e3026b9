//! Reconcile: what is durable, what is loaded, and what may therefore go. The only place where turns fold (SPEC 5).

use crate::model::{Chunk, Page, Role, Seq, TurnId, joined};

use super::asks::Out;
use super::effect::Code;
use super::evidence::Evidence;
use super::flat::Set;
use super::live::{LiveRow, Owner, RowId, Seal, Slot, Source};
use super::loader::Loader;
use super::log::{Joint, Past};
use super::pages::Told;
use super::thread::Thread;
use super::view::{BlockId, MISSES_MAX, Numbers, Shown, draw_block};

impl Thread {
    /// The server has written a turn. Its rows stay until its chunks are in the window (SPEC 5.1).
    pub(super) fn on_sealed(
        &mut self,
        turn: &TurnId,
        last: Option<Seq>,
        prev: Option<Seq>,
        chunks: Option<Vec<Chunk>>,
        out: &mut Out<'_>,
    ) {
        self.log.tell(last.max(prev));
        if self.late.has(turn.as_str()) {
            return;
        }
        let seen = self.live.turns.contains_key(turn);
        if !self.hear_of(turn) {
            return;
        }
        // Sealed always comes after the end: what has not ended here ended unheard.
        self.end_turn(turn, None, None);
        out.flush(&self.id);
        let since = self.tick();
        let Some(record) = self.live.turns.get_mut(turn) else { return };
        if !seen {
            // Nothing of it was shown: its chunks are all there will be.
            record.source = Source::Chunks;
        }
        let parked = Page { chunks: chunks.unwrap_or_default(), prev, ..Page::default() };
        let inline_last = parked.chunks.last().map(|chunk| chunk.seq);
        match &mut record.seal {
            Seal::Open => {
                record.seal =
                    Seal::Sealed { last: last.or(inline_last), reach: None, since, misses: 0, proven: false, parked };
            }
            Seal::Sealed { last: known, parked: held, .. } => {
                // Said twice: only what it adds counts.
                *known = known.or(last).or(inline_last);
                if held.chunks.is_empty() {
                    *held = parked;
                }
            }
        }
        self.settle_inline(out);
        if self.live.turns.contains_key(turn) {
            self.fold_what_is_loaded(out);
        }
        // A turn of which nothing is shown folds at once; its chunks are loaded all the same.
        let missing = inline_last.is_none_or(|seq| self.log.get(seq).is_none());
        if self.live.turns.contains_key(turn) || (missing && last.is_none_or(|last| self.log.get(last).is_none())) {
            self.want_page(out);
        }
        self.trim(out);
    }

    /// Takes inline chunks in, where they connect to the window. While the user reads older rows they wait.
    pub(super) fn settle_inline(&mut self, out: &mut Out<'_>) {
        if self.scrolled_up && self.log.oldest().is_some() {
            return;
        }
        loop {
            let next = self.live.turns.iter().find_map(|(turn, record)| match &record.seal {
                Seal::Sealed { parked, .. } if !parked.chunks.is_empty() => {
                    (self.log.joint(parked, None) == Joint::Connects).then(|| turn.clone())
                }
                Seal::Sealed { .. } | Seal::Open => None,
            });
            let Some(record) = next.and_then(|turn| self.live.turns.get_mut(&turn)) else { return };
            // Other turns may have come and gone before a snapshot.
            let heard_whole = record.start > self.snapshot_at && record.source == Source::Live;
            let Seal::Sealed { proven, parked, .. } = &mut record.seal else { return };
            *proven = true;
            let page = std::mem::take(parked);
            // An empty window has nothing to connect to: what may stand before these rows is still asked for.
            let oldest = self.log.oldest();
            let bare = oldest.is_none();
            let first = page.chunks.first().map(|chunk| chunk.seq.0);
            let more = page.prev.is_some() || first.is_some_and(|first| first > 1);
            let older = page.chunks.iter().any(|chunk| oldest.is_some_and(|oldest| chunk.seq < oldest));
            let seqs: Vec<Seq> = page.chunks.iter().map(|chunk| chunk.seq).collect();
            // Rows of two turns may interleave in the log: only where no other turn is open, or sealed and on its way, these
            // have no holes.
            let alone = self.live.turns.len() < 2 && heard_whole && matches!(self.loader, Loader::Idle);
            self.take_in(page.chunks, out);
            if !alone || older {
                self.log.loosen(&seqs);
            }
            if bare && more {
                self.log.past = Past::Unknown;
            }
            if (bare && more) || self.log.is_loose() {
                self.want_page(out);
            }
        }
    }

    /// Sealed turns that are only known by their absence from a snapshot: their chunks are at or before its last seq.
    pub(super) fn reach_to(&mut self, turn: &TurnId, seq: Option<Seq>) {
        if let Some(Seal::Sealed { reach, .. }) = self.live.turns.get_mut(turn).map(|record| &mut record.seal) {
            *reach = seq;
        }
    }

    /// Which sealed turns this page proves: it was asked for after the seal and holds an answer of theirs.
    pub(super) fn prove(&mut self, page: &Page, told: &Told) {
        let Told { short, full, asked, lags } = *told;
        let oldest = page.chunks.first();
        for turn in &self.unfolded() {
            let mut own = page.chunks.iter().filter(|chunk| chunk.turn == *turn);
            // The page goes on from the window: what stands there of the turn stands before it.
            let held = self.log.chunks_of(turn).any(|chunk| chunk.role != Role::User) && oldest.is_some();
            let answered = held || own.clone().any(|chunk| chunk.role != Role::User);
            let begun = own.next().is_some();
            let bare =
                self.live.rows_of(turn).all(|(id, row)| self.is_initiator(turn, id) || row.parts.list().is_empty());
            let began_later = |chunk: &Chunk| self.view.order.began_before(turn, &chunk.turn);
            let outgrown = full && !begun && page.chunks.iter().any(began_later);
            let Some(record) = self.live.turns.get_mut(turn) else { continue };
            let Seal::Sealed { last, reach, since, misses, proven, .. } = &mut record.seal else { continue };
            if asked <= *since {
                continue;
            }
            // The whole turn is older than what the newest page holds: `loadOlder` reaches it.
            let older = matches!((*last, oldest), (Some(last), Some(oldest)) if last < oldest.seq);
            let holds = last.is_none() && !lags && (answered || (begun && bare));
            // All of it is at or before `reach`, and the page goes on beyond that: what it does not hold is older.
            let outreached = (full || begun) && reach.is_some() && page.chunks.last().map(|chunk| chunk.seq) >= *reach;
            // It was written before the log was renewed, and the whole renewed log has nothing of it: it was cut.
            let renewed = *since < self.renewed_at && self.renewed_at < asked && page.epoch.is_some();
            let cut = renewed && short && !begun;
            if holds || older || outreached || cut {
                *proven = true;
                continue;
            }
            if last.is_none_or(|last| !page.chunks.iter().any(|chunk| chunk.seq == last)) {
                *misses = misses.saturating_add(1);
                self.view.touch(BlockId::Turn(turn.clone()));
            }
            // Each retry found a full page that holds turns that began later and nothing of this one: it is older than
            // any page of that size, and only `loadOlder` reaches it.
            *proven |= outgrown && *misses >= MISSES_MAX;
        }
    }

    pub(super) fn is_initiator(&self, turn: &TurnId, id: RowId) -> bool {
        self.live.turns.get(turn).and_then(|turn| turn.slots.first()) == Some(&Slot::Row(id))
            && self.live.row(id).is_some_and(|row| row.role == Role::User)
    }

    /// Folds each turn that is sealed and loaded, in one step.
    pub(super) fn fold_what_is_loaded(&mut self, out: &mut Out<'_>) {
        let ready: Vec<TurnId> = self
            .live
            .turns
            .iter()
            .filter(|(turn, record)| match &record.seal {
                Seal::Open => false,
                Seal::Sealed { last, proven, .. } => {
                    *proven || last.is_some_and(|last| self.log.get(last).is_some()) || self.shows_nothing(turn)
                }
            })
            .map(|(turn, _)| turn.clone())
            .collect();
        for turn in ready {
            self.fold(&turn, out);
        }
    }

    /// True where no live row of the turn would be missed.
    fn shows_nothing(&self, turn: &TurnId) -> bool {
        let drawn_live = self.live.turns.get(turn).is_some_and(|record| record.source == Source::Live);
        let visible = |role: Role| role == Role::User || drawn_live;
        !self.live.rows_of(turn).any(|(_, row)| visible(row.role) && !row.parts.list().is_empty())
            && self.parked_of(turn).is_empty()
    }

    fn parked_of(&self, turn: &TurnId) -> &[Chunk] {
        match self.live.turns.get(turn).map(|record| &record.seal) {
            Some(Seal::Sealed { parked, .. }) => &parked.chunks,
            Some(Seal::Open) | None => &[],
        }
    }

    /// Folds a turn: its chunks take the place of its live rows, in one step.
    ///
    /// Laws: L2, L3, L6. Rows of other turns are not looked at. Source: SPEC 5.5.
    fn fold(&mut self, turn: &TurnId, out: &mut Out<'_>) {
        let Some(record) = self.live.turns.get(turn) else { return };
        let was_live = record.source == Source::Live;
        let users: Vec<RowId> =
            self.live.rows_of(turn).filter(|(_, row)| row.role == Role::User).map(|(id, _)| id).collect();
        for id in users {
            if !self.take_over_by_ids(id) {
                self.take_over_by_turn(id);
            }
        }
        if was_live {
            self.align(turn);
        }
        let rest: Vec<RowId> = self.live.rows_of(turn).map(|(id, _)| id).collect();
        for id in rest {
            if let Some(row) = self.release(id, &Evidence::Folded(turn.clone())) {
                for client in row.clients {
                    self.sent.add(client.shared());
                }
            }
        }
        self.live.turns.remove(turn);
        self.late.add(turn.shared());
        self.place_turn(turn);
        out.flush(&self.id);
    }

    /// The groups of a turn keep their numbers, also where the window holds only its end, or its start was missed (L6).
    fn align(&mut self, turn: &TurnId) {
        let first = self.live.turns.get(turn).and_then(|record| record.slots.first());
        let starts_here = matches!(first, Some(Slot::Chunk(seq)) if self.log.of_turn(turn).first() == Some(seq));
        let shown = draw_block(&self.log, &self.live, &self.view, &BlockId::Turn(turn.clone()));
        let cut = self.log.past != Past::Start && !starts_here;
        let numbers = Numbers::aligned(&self.log, turn, &Shown::all(&shown), cut);
        self.view.set_numbers(turn, numbers);
    }

    /// What departed before a page was asked for is told by that page: it is in the log, or it was cancelled.
    pub(super) fn tell_departed(&mut self, asked: u64) {
        let told = |row: &LiveRow| matches!(row.owner, Owner::Departed { since } if since < asked);
        let gone: Vec<RowId> = self.live.rows().filter(|(_, row)| told(row)).map(|(id, _)| id).collect();
        for id in gone {
            self.release(id, &Evidence::Told);
        }
    }

    /// Sealed turns of which a page should have had rows and had none; whether another try is due.
    pub(super) fn missing_evidence(&mut self, covers: &Set<TurnId>, out: &mut Out<'_>) -> bool {
        let mut again = false;
        for turn in covers {
            let Some(record) = self.live.turns.get(turn) else { continue };
            let &Seal::Sealed { misses, .. } = &record.seal else { continue };
            if misses < MISSES_MAX {
                again = true;
            } else if misses == MISSES_MAX {
                self.report(
                    out,
                    Code::Unconfirmed,
                    joined(&["turn ", turn.as_str(), " is sealed and not in the log that was loaded"]),
                );
            }
            self.view.touch(BlockId::Turn(turn.clone()));
        }
        again
    }

    /// Back at the bottom: inline chunks that waited are taken in.
    pub(super) fn settle_parked(&mut self, out: &mut Out<'_>) {
        self.settle_inline(out);
        self.fold_what_is_loaded(out);
    }

    /// The sealed turns that wait for their chunks.
    pub(super) fn unfolded(&self) -> Set<TurnId> {
        let sealed = self.live.turns.iter().filter(|(_, record)| matches!(record.seal, Seal::Sealed { .. }));
        sealed.map(|(turn, _)| turn.clone()).collect()
    }
}
