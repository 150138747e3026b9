//! The timers that an engine has started.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::engine::TimerId;

/// The timers of a thread.
#[derive(Debug, Default)]
pub(super) struct Timers {
    due: BTreeMap<TimerId, Instant>,
}

impl Timers {
    pub(super) fn start(&mut self, timer: TimerId, after_ms: u64) {
        // A time that is too far to be told is never.
        if let Some(due) = Instant::now().checked_add(Duration::from_millis(after_ms)) {
            self.due.insert(timer, due);
        }
    }

    pub(super) fn cancel(&mut self, timer: TimerId) {
        self.due.remove(&timer);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.due.is_empty()
    }

    /// Waits for the next timer and takes it; for ever, where there is none.
    pub(super) async fn next(&mut self) -> TimerId {
        let Some((timer, due)) = self.due.iter().min_by_key(|(_, due)| **due).map(|(timer, due)| (*timer, *due)) else {
            return std::future::pending().await;
        };
        sleep_until(due).await;
        self.due.remove(&timer);
        timer
    }
}
