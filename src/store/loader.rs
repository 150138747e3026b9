//! The one loader of a thread: at most one newest page and one older page are on their way.

use crate::model::{Page, Seq, TurnId};

use super::flat::Set;
use super::input::{RequestId, TimerId};

/// The state of loading the newest page.
#[derive(Clone, Debug, Default)]
pub(super) enum Loader {
    /// Nothing is wanted.
    #[default]
    Idle,
    /// A page is on its way.
    InFlight {
        request: RequestId,
        /// The turns that were sealed when it was asked for.
        covers: Set<TurnId>,
        /// Something was sealed since: load again.
        again: bool,
        attempt: u32,
    },
    /// The last load failed; a timer runs.
    Backoff { timer: TimerId, attempt: u32 },
    /// The user reads older rows: wait for the return to the bottom.
    Deferred,
}

/// The state of loading an older page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Older {
    #[default]
    Idle,
    InFlight {
        request: RequestId,
        before: Seq,
    },
}

/// A page that waits for the return to the bottom, with its question.
#[derive(Clone, Debug)]
pub(super) struct KeptPage {
    pub(super) page: Page,
    pub(super) limit: Option<u32>,
    /// When it was asked for.
    pub(super) asked: u64,
    /// The newest seq that the server had told of by then: a page that does not reach it lags behind.
    pub(super) reach: Option<Seq>,
}

/// Milliseconds before attempt `attempt` (from 0) is tried again: 0.5 s doubling to 30 s. The host adds jitter.
pub(super) fn backoff_ms(attempt: u32) -> u64 {
    const FIRST_MS: u64 = 500;
    const MAX_MS: u64 = 30_000;
    (FIRST_MS << attempt.min(10)).min(MAX_MS)
}
