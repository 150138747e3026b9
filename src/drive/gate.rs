//! Nothing that a crash could take back is told: what an input leads to waits until what it needs is durable.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::engine::Answer;
use crate::model::Envelope;

use super::actor::Reply;
use super::fan::Subscription;
use super::host::{Call, Request};

/// Something that leaves a thread.
#[derive(Debug)]
pub(super) enum Out {
    Publish(Arc<Envelope>),
    /// To the one who asked; without an answer it only hears that it is done.
    Reply(Reply, Option<Answer>),
    Request(Request, CancellationToken),
    Run(Call, CancellationToken),
    Subscribe(oneshot::Sender<Subscription>, Option<u64>, Arc<Envelope>),
}

/// What waits, oldest first. The order in which it leaves is that in which it came.
#[derive(Debug, Default)]
pub(super) struct Gate {
    waiting: VecDeque<Waiting>,
}

#[derive(Debug)]
enum Waiting {
    /// Everything behind it waits for a write.
    Write,
    Out(Out),
}

impl Gate {
    /// What comes from now on waits for the newest write.
    pub(super) fn close(&mut self) {
        self.waiting.push_back(Waiting::Write);
    }

    pub(super) fn push(&mut self, out: Out) {
        self.waiting.push_back(Waiting::Out(out));
    }

    /// The oldest write is durable.
    pub(super) fn open(&mut self) {
        if let Some(Waiting::Write) = self.waiting.front() {
            self.waiting.pop_front();
        }
    }

    /// What may leave now.
    pub(super) fn next(&mut self) -> Option<Out> {
        match self.waiting.pop_front() {
            Some(Waiting::Out(out)) => Some(out),
            Some(Waiting::Write) => {
                self.waiting.push_front(Waiting::Write);
                None
            }
            None => None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
