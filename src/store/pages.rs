//! Pages into the window: merged by seq, never as a replacement; and what changes the log itself.

use std::sync::Arc;

use crate::model::{Chunk, Page, Role, Seq, TurnId, joined};

use super::asks::Out;
use super::effect::Code;
use super::evidence::Evidence;
use super::flat::Index;
use super::live::{RowId, Seal, Slot};
use super::loader::{KeptPage, Loader};
use super::log::{Joint, Past, is_short};
use super::thread::Thread;
use super::view::{BlockId, MISSES_MAX};

impl Thread {
    /// A newest page, asked for at `asked`.
    pub(super) fn on_page(&mut self, kept: KeptPage, out: &mut Out<'_>) {
        if self.scrolled_up && self.log.oldest().is_some() {
            self.kept.push(kept);
            return;
        }
        let KeptPage { page, limit, asked, reach } = kept;
        let short = limit.is_some_and(|limit| is_short(&page, limit));
        let lags = page.chunks.last().map(|chunk| chunk.seq) < reach;
        let told = Told { short, full: limit.is_some() && !short, asked, lags };
        if !self.same_epoch(page.epoch.as_deref()) {
            self.reset_log(page.epoch.clone());
        }
        match self.log.joint(&page, limit) {
            Joint::Older => self.report(out, Code::Stale, "a page from before the window was dropped"),
            Joint::Newer => {
                self.clear_log();
                self.log.past = Past::Unknown;
                self.merge_newest(page, &told, out);
            }
            Joint::Connects => self.merge_newest(page, &told, out),
        }
        self.fold_what_is_loaded(out);
        if lags && self.lags < MISSES_MAX {
            // L8: what the server has told of is there, though this page does not hold it yet.
            self.lags += 1;
            self.want_page(out);
        } else {
            self.lags = 0;
            self.tell_departed(asked);
        }
        self.trim(out);
        out.flush(&self.id);
    }

    /// Merges a newest page that connects, and folds what it proves.
    fn merge_newest(&mut self, page: Page, told: &Told, out: &mut Out<'_>) {
        let short = told.short;
        let first = page.chunks.first().map(|chunk| chunk.seq);
        let at_start = short && (first.is_some() || self.log.oldest().is_none());
        if at_start && self.log.oldest().is_none_or(|oldest| first.is_none_or(|first| first <= oldest)) {
            self.log.past = Past::Start;
        }
        // What was said of the log's beginning does not hold where a full page has rows before it.
        if !short && first.is_some_and(|first| self.log.oldest().is_none_or(|oldest| first < oldest)) {
            self.log.past = Past::Unknown;
        }
        if page.epoch.is_some() {
            self.log.epoch.clone_from(&page.epoch);
        }
        self.prove(&page, told);
        let total = page.total;
        let ends = page.chunks.first().map(|chunk| chunk.seq).zip(page.chunks.last().map(|chunk| chunk.seq));
        let start = |first: Seq| if at_start { Seq(0) } else { first };
        let apart = ends.map_or_else(Vec::new, |(first, last)| self.log.tighten(start(first), last));
        self.take_in(page.chunks, out);
        if !apart.is_empty() {
            self.remove_chunks(&apart);
            self.log.past = Past::Unknown;
        }
        self.settle_inline(out);
        if total.is_some_and(|total| usize::try_from(total).is_ok_and(|total| total <= self.log.len())) {
            self.log.past = Past::Start;
        }
    }

    /// Merges rows by seq, and hands over the user rows that they are.
    pub(super) fn take_in(&mut self, chunks: Vec<Chunk>, out: &mut Out<'_>) {
        self.take_shared(chunks.into_iter().map(Arc::new).collect(), out);
    }

    /// The same, where somebody else may hold them too.
    pub(super) fn take_shared(&mut self, chunks: Vec<Arc<Chunk>>, out: &mut Out<'_>) {
        // A row may take the place of another turn's (SPEC 5.4): that turn changes, too.
        let lost = self.displaced(&chunks);
        let turns = turns_of(lost.iter().chain(&chunks).map(|chunk| &**chunk));
        let mut changed: Vec<Seq> = Vec::new();
        self.change_log(&turns, |log| {
            for chunk in chunks {
                let seq = chunk.seq;
                if log.insert(chunk) {
                    changed.push(seq);
                }
            }
        });
        for seq in &changed {
            self.hand_over(*seq);
            let others: Vec<TurnId> = self.log.turns_of_call(*seq).cloned().collect();
            for turn in others {
                self.view.touch(BlockId::Turn(turn));
            }
        }
        for turn in &turns {
            self.begin_waiting(turn);
            self.place_turn(turn);
        }
        self.note_ambiguous(&turns, out);
    }

    /// A row that waits for a turn of which rows are here waits no longer: its own chunk is behind the window (L7).
    pub(super) fn begin_waiting(&mut self, turn: &TurnId) {
        let waiting: Vec<RowId> = self.starting_in(Some(turn)).map(|(id, _)| id).collect();
        if !waiting.is_empty() && self.open_turn(turn) {
            self.initiate(turn, waiting, None);
        }
    }

    /// A user chunk takes over the row that it is, whoever owns it (SPEC 5.7).
    fn hand_over(&mut self, seq: Seq) {
        let Some(chunk) = self.log.get(seq).filter(|chunk| chunk.role == Role::User) else { return };
        let messages: Vec<_> = chunk.message_ids().cloned().collect();
        let clients = chunk.clients.clone();
        let turn = chunk.turn.clone();
        let rows = self.rows_named(&messages, &clients);
        for message in &messages {
            self.queue.forget(message);
        }
        for client in &clients {
            self.sent.add(client.shared());
        }
        for id in rows {
            self.take_over(id, seq);
        }
        if self.view.user_key(seq).is_some() {
            return;
        }
        let waiting = self.starting_in(Some(&turn)).next();
        let first = match self.live.turns.get(&turn).and_then(|record| record.slots.first()) {
            Some(Slot::Row(id)) if self.live.row(*id).is_some_and(|row| row.role == Role::User) => Some(*id),
            Some(_) | None => waiting.map(|(id, _)| id),
        };
        if first.is_some_and(|id| self.take_over_by_turn(id)) {
            return;
        }
        self.place_chunk(&turn, seq);
    }

    /// Two readings of a user row are left: it is kept, and said (SPEC 5.9).
    fn note_ambiguous(&self, turns: &[TurnId], out: &mut Out<'_>) {
        for turn in turns {
            let Some(record) = self.live.turns.get(turn) else { continue };
            let initiator = record.slots.first().is_some_and(|slot| match slot {
                Slot::Row(id) => self.is_initiator(turn, *id),
                Slot::Chunk(_) => false,
            });
            let held = |slot: &Slot| matches!(slot, Slot::Chunk(seq) if self.log.get(*seq).is_some());
            if initiator && record.slots.iter().any(held) {
                self.report(out, Code::Ambiguous, joined(&["a user row of ", turn.as_str(), " may be drawn twice"]));
            }
        }
    }

    /// Lets go of the oldest chunks above the limit, unless the user reads older rows.
    pub(super) fn trim(&mut self, out: &mut Out<'_>) {
        if self.scrolled_up || self.log.len() <= out.limits.window {
            return;
        }
        let gone: Vec<Seq> = self.log.seqs().take(self.log.len() - out.limits.window).collect();
        self.remove_chunks(&gone);
        self.log.past = Past::Unknown;
    }

    pub(super) fn remove_chunks(&mut self, seqs: &[Seq]) {
        let turns = turns_of(seqs.iter().filter_map(|seq| self.log.get(*seq)));
        let calls: Vec<TurnId> = seqs.iter().flat_map(|seq| self.log.turns_of_call(*seq)).cloned().collect();
        self.change_log(&turns, |log| {
            for seq in seqs {
                log.remove(*seq);
            }
        });
        seqs.iter().for_each(|seq| self.view.leave_key(*seq));
        for turn in turns {
            // Where a user's chunk stood stays a border between answers (L6).
            self.place_turn(&turn);
        }
        for turn in calls {
            self.view.touch(BlockId::Turn(turn));
        }
    }

    /// Rows that were cut from the log have no place in their turns any more.
    fn drop_places(&mut self, from: Seq) {
        self.view.drop_keys(&self.log);
        for (_, record) in self.live.turns.iter_mut() {
            record.slots.retain(|slot| !matches!(slot, Slot::Chunk(seq) if *seq >= from));
        }
    }

    /// Empties the window. Live rows stay: nothing is known against them.
    pub(super) fn clear_log(&mut self) {
        let all: Vec<Seq> = self.log.seqs().collect();
        self.remove_chunks(&all);
    }

    pub(super) fn same_epoch(&self, epoch: Option<&str>) -> bool {
        self.log.epoch.as_deref().zip(epoch).is_none_or(|(known, epoch)| known == epoch)
    }

    pub(super) fn reset_log(&mut self, epoch: Option<String>) {
        self.clear_log();
        self.drop_places(Seq(0));
        self.kept.clear();
        self.log.epoch = epoch;
        self.renewed_at = self.tick();
        self.log.past = Past::Unknown;
        self.log.told = None;
    }

    pub(super) fn on_log_reset(&mut self, epoch: String, out: &mut Out<'_>) {
        if self.log.epoch.as_ref() == Some(&epoch) {
            return;
        }
        self.reset_log(Some(epoch));
        self.reload(out);
    }

    pub(super) fn on_truncated(&mut self, from: Seq, epoch: Option<String>, out: &mut Out<'_>) {
        let gone: Vec<Seq> = self.log.seqs().filter(|seq| *seq >= from).collect();
        self.remove_chunks(&gone);
        self.drop_places(from);
        // Sealed turns that the cut took away are gone with it.
        let cut: Vec<TurnId> = self
            .live
            .turns
            .iter()
            .filter(|(_, record)| matches!(record.seal, Seal::Sealed { last: Some(last), .. } if last >= from))
            .map(|(turn, _)| turn.clone())
            .collect();
        for turn in cut {
            let rows: Vec<RowId> = self.live.rows_of(&turn).map(|(id, _)| id).collect();
            for id in rows {
                self.release(id, &Evidence::Truncated);
            }
            self.live.turns.remove(&turn);
            self.late.add(turn.shared());
            self.place_turn(&turn);
        }
        if epoch.is_some() {
            self.log.epoch = epoch;
            self.renewed_at = self.tick();
        }
        self.log.told = self.log.newest();
        self.kept.clear();
        // A page that was asked for before the cut may hold what is gone.
        self.reload(out);
    }

    pub(super) fn on_chunks_updated(&mut self, mut chunks: Vec<Chunk>, out: &mut Out<'_>) {
        let (Some(oldest), Some(newest)) = (self.log.oldest(), self.log.newest()) else { return };
        chunks.retain(|chunk| oldest <= chunk.seq && chunk.seq <= newest && self.log.get(chunk.seq) != Some(chunk));
        // L8: a page that was read before the change would take it back.
        if !chunks.is_empty() && (matches!(self.loader, Loader::InFlight { .. }) || !self.kept.is_empty()) {
            self.kept.clear();
            self.reload(out);
        }
        self.take_in(chunks, out);
        self.fold_what_is_loaded(out);
    }

    /// An older page. One whose `before` is no longer the smallest seq held is dropped.
    pub(super) fn on_older_page(&mut self, page: Page, before: Seq, limit: u32, out: &mut Out<'_>) {
        if self.log.oldest() != Some(before) || !self.same_epoch(page.epoch.as_deref()) {
            self.report(out, Code::Stale, "an older page came after the window had moved");
            return;
        }
        let short = is_short(&page, limit);
        let older: Vec<Chunk> = page.chunks.into_iter().filter(|chunk| chunk.seq < before).collect();
        // An answer that brings nothing new ends the walk.
        if short || older.is_empty() {
            self.log.past = Past::Start;
        }
        self.load_error = None;
        self.take_in(older, out);
        self.fold_what_is_loaded(out);
    }
}

/// What a page tells beside its rows.
pub(super) struct Told {
    /// It holds fewer rows than were asked for: it begins where the log begins.
    pub(super) short: bool,
    /// It holds as many rows as were asked for: the log may go on before it.
    pub(super) full: bool,
    /// When it was asked for.
    pub(super) asked: u64,
    /// It ends before what the server had told of by then.
    pub(super) lags: bool,
}

/// The turns of some rows, each once. Rows of a turn mostly stand together.
fn turns_of<'a>(chunks: impl Iterator<Item = &'a Chunk>) -> Vec<TurnId> {
    let (mut turns, mut seen): (Vec<TurnId>, _) = (Vec::new(), Index::default());
    for chunk in chunks {
        if turns.last() != Some(&chunk.turn) && seen.get(chunk.turn.as_str()).is_none() {
            seen.insert(chunk.turn.shared(), 0);
            turns.push(chunk.turn.clone());
        }
    }
    turns.sort_unstable();
    turns
}
