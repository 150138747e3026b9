//! What all requests share.

use std::sync::Arc;

use tokio::sync::watch;
use turnseal::drive::{Driver, Opening, Subscription, Thread};
use turnseal::model::{Envelope, Event, ThreadId};

use crate::chaos::Sky;
use crate::db::Db;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::site::Site;

/// So long an id may be.
const ID_MAX: usize = 200;

/// The server, as its handlers see it.
pub(crate) struct Hub {
    pub(crate) driver: Driver,
    pub(crate) db: Arc<Db>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) site: Option<Site>,
    /// The bad network that is played.
    pub(crate) sky: Sky,
    /// Origins of pages that may talk to it, beside its own.
    pub(crate) origins: Vec<String>,
    /// False: it listens on loopback only, and answers to no other name.
    pub(crate) is_public: bool,
    /// True once the server ends.
    pub(crate) ending: watch::Receiver<bool>,
}

impl Hub {
    /// A thread by its name in a URL or a frame.
    pub(crate) fn thread(&self, name: &str) -> Result<Thread, Problem> {
        Ok(self.driver.thread(&thread_id(name)?))
    }

    /// Listens to a thread.
    pub(crate) async fn subscribe(&self, name: &str, after: Option<u64>) -> Result<Subscription, Problem> {
        let mut subscription = self.thread(name)?.subscribe(after).await?;
        if let Opening::Snapshot(snapshot) = &mut subscription.opening {
            *snapshot = Arc::new(self.stamped(snapshot));
        }
        Ok(subscription)
    }

    /// A snapshot with the generation of the log: a client of another one loads anew.
    fn stamped(&self, snapshot: &Envelope) -> Envelope {
        let mut stamped = snapshot.clone();
        if let Event::Snapshot(state) = &mut stamped.event {
            state.epoch = Some(self.db.epoch().to_owned());
        }
        stamped
    }
}

/// An id that somebody gave.
pub(crate) fn valid(what: &'static str, id: &str) -> Result<(), Problem> {
    if id.is_empty() || id.len() > ID_MAX || id.chars().any(char::is_control) {
        return Err(Problem::bad("bad-id", format!("{what} is 1 to {ID_MAX} bytes without control characters")));
    }
    Ok(())
}

/// A thread's id.
pub(crate) fn thread_id(name: &str) -> Result<ThreadId, Problem> {
    valid("a thread's id", name)?;
    Ok(ThreadId::new(name))
}
