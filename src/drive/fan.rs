//! Who listens, and what was said last, so that a client that comes back misses nothing.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::mpsc::{self, Receiver, Sender};

use crate::model::Envelope;

/// What a subscriber gets: first how it begins, then every event behind that, without gaps.
#[derive(Debug)]
pub struct Subscription {
    /// How it begins.
    pub opening: Opening,
    events: Receiver<Arc<Envelope>>,
    /// Its thread stays at work while somebody listens.
    pub(super) lease: Option<Arc<()>>,
}

/// How a subscription begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opening {
    /// The events behind the one that the subscriber had named; it missed nothing else.
    Replay(Vec<Arc<Envelope>>),
    /// The `snapshot` event: the whole live state.
    Snapshot(Arc<Envelope>),
}

impl Subscription {
    /// The next event. `None`: the thread is gone, or this subscriber was too slow and has to begin anew.
    pub async fn next(&mut self) -> Option<Arc<Envelope>> {
        self.events.recv().await
    }

    /// The next event, where it is here already.
    pub fn ready(&mut self) -> Option<Arc<Envelope>> {
        self.events.try_recv().ok()
    }
}

/// The subscribers of a thread and its newest events.
#[derive(Debug)]
pub(super) struct Fan {
    subscribers: Vec<Sender<Arc<Envelope>>>,
    events: VecDeque<Arc<Envelope>>,
    /// So many events are kept; the oldest is forgotten, and who needs it gets a snapshot.
    events_max: usize,
    /// So many events may wait for a subscriber; then it is cut.
    waiting_max: usize,
}

impl Fan {
    pub(super) fn new(events_max: usize, waiting_max: usize) -> Self {
        Self { subscribers: Vec::new(), events: VecDeque::new(), events_max, waiting_max: waiting_max.max(1) }
    }

    pub(super) fn publish(&mut self, event: Arc<Envelope>) {
        self.subscribers.retain(|subscriber| subscriber.try_send(Arc::clone(&event)).is_ok());
        self.events.push_back(event);
        while self.events.len() > self.events_max {
            self.events.pop_front();
        }
    }

    /// A new subscriber that has seen the events up to `after`; `snapshot` is the state behind the last event.
    pub(super) fn subscribe(&mut self, after: Option<u64>, snapshot: Arc<Envelope>) -> Subscription {
        let (sender, events) = mpsc::channel(self.waiting_max);
        self.subscribers.push(sender);
        let opening = after
            .and_then(|after| self.behind(after, snapshot.n?))
            .map_or(Opening::Snapshot(snapshot), Opening::Replay);
        Subscription { opening, events, lease: None }
    }

    /// All events behind a number, where none of them is forgotten.
    fn behind(&self, after: u64, last: u64) -> Option<Vec<Arc<Envelope>>> {
        let missing = usize::try_from(last.checked_sub(after)?).ok()?;
        let from = self.events.len().checked_sub(missing)?;
        let events: Vec<_> = self.events.iter().skip(from).cloned().collect();
        // L4: only an unbroken run is a replay.
        let is_whole = events.iter().zip(after + 1..).all(|(event, n)| event.n == Some(n));
        is_whole.then_some(events)
    }
}
