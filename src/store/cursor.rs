//! Event numbers: what is applied, what waits behind a hole, and the resync that fills it.

use crate::model::{Envelope, Event};

use super::flat::Map;
use super::input::{RequestId, TimerId};

/// Events that wait behind a hole. Beyond that the newest are dropped; the resync after the next tells them.
const WAITING_MAX: usize = 4096;

/// Where a thread stands in the numbers of its events.
#[derive(Clone, Debug, Default)]
pub(super) struct Cursor {
    /// The last number applied in order.
    pub(super) applied: Option<u64>,
    waiting: Map<u64, Envelope>,
    pub(super) resync: Resync,
    /// The greatest number that a `ping` told.
    told: u64,
}

/// The state of the resync: `Idle -> InFlight -> Idle | Backoff -> InFlight`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Resync {
    #[default]
    Idle,
    InFlight {
        request: RequestId,
        attempt: u32,
    },
    Backoff {
        timer: TimerId,
        attempt: u32,
    },
}

/// What to do with a numbered event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Turnstile {
    /// It is next.
    Pass,
    /// It was applied before.
    Repeat,
    /// Something is missing before it: it waits.
    Wait,
}

impl Cursor {
    /// Judges a number. Event numbers begin at 1, so a first one above that has a hole before it too.
    pub(super) fn judge(&self, n: u64) -> Turnstile {
        let applied = self.applied.unwrap_or(0);
        if n <= applied && self.applied.is_some() {
            Turnstile::Repeat
        } else if n <= applied + 1 {
            Turnstile::Pass
        } else {
            Turnstile::Wait
        }
    }

    /// True where this number is the next one and nothing waits behind it.
    pub(super) fn is_next(&self, n: u64) -> bool {
        self.applied == n.checked_sub(1) && self.applied.is_some() && !self.has_hole()
    }

    pub(super) fn park(&mut self, n: u64, envelope: Envelope) {
        if self.waiting.len() < WAITING_MAX && !self.waiting.contains_key(&n) {
            self.waiting.insert(n, envelope);
        }
    }

    /// The next event, if it is here.
    pub(super) fn next(&mut self) -> Option<Envelope> {
        let applied = self.applied.unwrap_or(0);
        self.waiting.retain(|n, _| *n > applied);
        self.waiting.remove(&(applied + 1))
    }

    /// True while something waits behind a hole.
    pub(super) fn has_hole(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The numbering began anew: what waits belongs to the old one.
    pub(super) fn restart(&mut self) {
        self.waiting.clear();
    }

    /// A `ping` told the number of the last event. True where events are missing.
    pub(super) fn tell(&mut self, n: u64) -> bool {
        self.told = self.told.max(n);
        self.is_behind()
    }

    /// True while a `ping` told of events that have not come.
    pub(super) fn is_behind(&self) -> bool {
        self.told > self.applied.unwrap_or(0)
    }

    /// A snapshot says all there is: what a `ping` told before is answered.
    pub(super) fn answered(&mut self) {
        self.told = 0;
    }

    /// Gives the hole up: the first waiting event is next.
    pub(super) fn skip_hole(&mut self) {
        if let Some(first) = self.waiting.keys().next() {
            self.applied = Some(first.saturating_sub(1));
        }
    }

    /// Takes the number of an event as applied.
    pub(super) fn pass(&mut self, n: u64) {
        self.applied = Some(self.applied.map_or(n, |applied| applied.max(n)));
    }
}

/// True for events whose `n` is not a number of their own.
pub(super) fn counts_itself(event: &Event) -> bool {
    !matches!(event, Event::Ping | Event::Snapshot(_) | Event::Statuses(_) | Event::ChunksLoaded(_))
}
