//! The door of a thread, as a host holds it.

use std::fmt;
use std::sync::Arc;

use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;

use crate::engine::{Answer, Input};

use super::actor::Command;
use super::fan::Subscription;

/// The door of a thread.
#[derive(Clone, Debug)]
pub struct Thread {
    pub(super) commands: Sender<Command>,
    /// Its thread stays at work while somebody holds this.
    pub(super) lease: Arc<()>,
}

/// The thread does not work any more: the driver was dropped, or its log cannot be read. What was asked may have
/// happened; the same client id may be sent again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gone;

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the thread does not work any more")
    }
}

impl std::error::Error for Gone {}

impl Thread {
    /// Gives an act of a user: a send, a stop, a decision, an edit of the queue, a retry. Inputs of models, tools, logs
    /// and timers are the driver's own.
    ///
    /// The answer comes when what was decided is durable; `None` for what has no answer, like a stop.
    ///
    /// # Errors
    /// [`Gone`], where the thread does not work any more.
    pub async fn put(&self, input: Input) -> Result<Option<Answer>, Gone> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(Command::Put { input, reply }).await.map_err(|_| Gone)?;
        answer.await.map_err(|_| Gone)
    }

    /// Listens, behind the event `after`, where a subscriber has seen events before.
    ///
    /// # Errors
    /// [`Gone`], where the thread does not work any more.
    pub async fn subscribe(&self, after: Option<u64>) -> Result<Subscription, Gone> {
        let (reply, subscription) = oneshot::channel();
        self.commands.send(Command::Subscribe { after, reply }).await.map_err(|_| Gone)?;
        let mut subscription = subscription.await.map_err(|_| Gone)?;
        subscription.lease = Some(Arc::clone(&self.lease));
        Ok(subscription)
    }
}
