//! Turns become durable: handed over, written, told; and written again where that failed.

use std::collections::BTreeSet;

use crate::model::{Chunk, Event, Seq, TurnId};

use super::effect::{Code, Effect, Why};
use super::input::TimerId;
use super::policy::Policy;
use super::thread::{Out, Thread};
use super::turn::{Turn, TurnPhase, Write};

impl Thread {
    /// Hands over the last rows of an ended turn, and those that could not be written.
    pub(super) fn seal(&mut self, id: &TurnId, out: &mut Out<'_>) {
        let Some(turn) = self.turn_mut(id) else { return };
        let from = turn.unwritten.unwrap_or(turn.handed).min(turn.rows.len());
        turn.unwritten = Some(from);
        turn.newest = from;
        turn.handed = turn.rows.len();
        let chunks = turn.rows.get(from..).unwrap_or_default().to_vec();
        out.push(Effect::Seal { turn: id.clone(), from, chunks });
    }

    pub(super) fn on_persisted(&mut self, id: &TurnId, chunks: Vec<Chunk>, out: &mut Out<'_>) {
        let Some(at) = self.turns.iter().position(|turn| turn.id == *id) else {
            out.report(Code::Late, Some(id), "persisted: the turn is sealed, or not known");
            return;
        };
        let prev = self.before(at, &chunks);
        if !self.confirms(at, &chunks, out) {
            return;
        }
        let Some(turn) = self.turns.get(at) else { return };
        if turn.handed < turn.rows.len() {
            self.seal_more(id, out);
            return;
        }
        let is_whole = turn.is_all(&chunks);
        self.turns.remove(at);
        self.learn(chunks.iter().map(|chunk| chunk.seq));
        let (first, last) = (chunks.iter().map(|it| it.seq).min(), chunks.iter().map(|it| it.seq).max());
        let sealed = Event::TurnSealed { turn: id.clone(), first, last, prev, chunks: is_whole.then_some(chunks) };
        self.publish(None, sealed, out);
        self.chain(out);
    }

    /// Whether the host's word settles the write of a turn. Where rows are known to be unwritten, nothing short of all of
    /// them does: they are written again.
    fn confirms(&mut self, at: usize, chunks: &[Chunk], out: &mut Out<'_>) -> bool {
        let Some(turn) = self.turns.get(at) else { return false };
        let (id, is_whole, has_gap) = (turn.id.clone(), turn.is_all(chunks), turn.has_gap());
        let missing = "persisted: rows are missing; they are written again";
        match turn.end {
            TurnPhase::Open => {
                out.report(Code::Refused, Some(&id), "persisted: the turn runs");
                return false;
            }
            TurnPhase::Ended { write: Write::Backoff { .. }, .. } if !is_whole => {
                out.report(Code::Refused, Some(&id), missing);
                return false;
            }
            TurnPhase::Ended { write: Write::Backoff { timer, .. }, .. } => out.push(Effect::CancelTimer { timer }),
            TurnPhase::Ended { write: Write::Asked { attempt }, .. } if !is_whole && has_gap => {
                self.back_off(&id, attempt, out);
                out.report(Code::PersistFailed, Some(&id), missing);
                return false;
            }
            TurnPhase::Ended { write: Write::Asked { .. }, .. } => {}
        }
        if !is_whole {
            out.report(Code::Unconfirmed, Some(&id), "persisted: these are not all rows of the turn");
        }
        true
    }

    /// The seq before a turn, where it is certain: all older turns are written, and no younger row can stand before.
    fn before(&self, at: usize, chunks: &[Chunk]) -> Option<Seq> {
        let first = chunks.iter().map(|chunk| chunk.seq).min()?;
        let is_first_written = at == 0 && self.turns.get(at).is_some_and(|turn| turn.unwritten != Some(0));
        let before = self.seqs.range(..first).next_back().copied();
        before.filter(|_| is_first_written)
    }

    pub(super) fn on_persist_failed(&mut self, id: &TurnId, from: Option<usize>, error: &str, out: &mut Out<'_>) {
        let Some(turn) = self.turn_mut(id) else {
            out.report(Code::Late, Some(id), "persist-failed: the turn is sealed, or not known");
            return;
        };
        let attempt = match &turn.end {
            TurnPhase::Open => {
                turn.fell_short(from);
                out.report(Code::PersistFailed, Some(id), error);
                return;
            }
            TurnPhase::Ended { write: Write::Backoff { .. }, .. } => {
                turn.fell_short(from.or(turn.unwritten));
                out.report(Code::Stale, Some(id), "persist-failed: it is to be written again already");
                return;
            }
            TurnPhase::Ended { write: Write::Asked { .. }, .. } if from.is_some_and(|from| from != turn.newest) => {
                // An earlier `append`: the seal, which lacks its rows, cannot be written and has its own answer to come.
                turn.fell_short(from);
                out.report(Code::PersistFailed, Some(id), error);
                return;
            }
            TurnPhase::Ended { write: Write::Asked { attempt }, .. } => *attempt,
        };
        turn.fell_short(from.or(turn.unwritten));
        self.back_off(id, attempt, out);
        out.report(Code::PersistFailed, Some(id), error);
    }

    fn back_off(&mut self, id: &TurnId, attempt: u32, out: &mut Out<'_>) {
        let timer = self.start_timer(backoff(out.policy(), attempt), Why::SealBackoff, out);
        self.write(id, Write::Backoff { attempt: attempt.saturating_add(1), timer });
    }

    /// The rows that the last seal brought are written; those of results that came since are not.
    fn seal_more(&mut self, id: &TurnId, out: &mut Out<'_>) {
        if let Some(turn) = self.turn_mut(id) {
            turn.unwritten = None;
        }
        self.write(id, Write::Asked { attempt: 0 });
        self.seal(id, out);
    }

    fn write(&mut self, id: &TurnId, next: Write) {
        if let Some(Turn { end: TurnPhase::Ended { write, .. }, .. }) = self.turn_mut(id) {
            *write = next;
        }
    }

    /// The turns that wait to be written again.
    fn unwritten(&self) -> Vec<(TurnId, u32, TimerId)> {
        let waiting = self.turns.iter().filter_map(|turn| match &turn.end {
            TurnPhase::Ended { write: Write::Backoff { attempt, timer }, .. } => {
                Some((turn.id.clone(), *attempt, *timer))
            }
            TurnPhase::Ended { write: Write::Asked { .. }, .. } | TurnPhase::Open => None,
        });
        waiting.collect()
    }

    /// A timer says that a turn shall be written again. False where it is no timer of such a turn.
    pub(super) fn write_again(&mut self, timer: TimerId, out: &mut Out<'_>) -> bool {
        let found = self.unwritten().into_iter().find(|(_, _, own)| *own == timer);
        let Some((id, attempt, _)) = found else { return false };
        self.write(&id, Write::Asked { attempt });
        self.seal(&id, out);
        true
    }

    /// A stop does not wait for the clock.
    pub(super) fn write_now(&mut self, out: &mut Out<'_>) {
        for (id, attempt, timer) in self.unwritten() {
            out.push(Effect::CancelTimer { timer });
            self.write(&id, Write::Asked { attempt });
            self.seal(&id, out);
        }
    }
}

impl Turn {
    /// True where these are all rows that were handed over, each once.
    fn is_all(&self, chunks: &[Chunk]) -> bool {
        let seqs: BTreeSet<Seq> = chunks.iter().map(|chunk| chunk.seq).collect();
        seqs.len() == self.handed && chunks.len() == self.handed && chunks.iter().all(|chunk| chunk.turn == self.id)
    }

    /// True where rows before those of the newest seal are known to be unwritten.
    fn has_gap(&self) -> bool {
        self.unwritten.is_some_and(|from| from < self.newest)
    }

    /// Rows from `from` on, or those of the newest effect, are not written and come again with the seal.
    fn fell_short(&mut self, from: Option<usize>) {
        let from = from.unwrap_or(self.newest).min(self.handed);
        self.unwritten = Some(self.unwritten.map_or(from, |known| known.min(from)));
    }
}

fn backoff(policy: &Policy, attempt: u32) -> u64 {
    let factor = 1_u64.checked_shl(attempt).unwrap_or(u64::MAX);
    policy.backoff_ms_min.saturating_mul(factor).min(policy.backoff_ms_max)
}
