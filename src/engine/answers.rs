//! Which messages were taken, so that the same message again is answered alike and nothing happens twice.

use std::collections::VecDeque;

use crate::model::{ClientId, MessageId};

use super::effect::Answer;

/// So many messages are remembered. The oldest is forgotten.
const ANSWERS_MAX: usize = 256;

/// The answers of a thread, oldest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Answers {
    list: VecDeque<Answer>,
}

impl Answers {
    /// The answer that was given to the same message: of the same client id, or without one of the same message id.
    pub(super) fn known(&self, client: Option<&ClientId>, message: &MessageId) -> Option<&Answer> {
        self.list.iter().find(|answer| match client {
            Some(client) => answer.client.as_ref() == Some(client),
            None => answer.client.is_none() && answer.message.as_ref() == Some(message),
        })
    }

    /// True where a message of that id was taken.
    pub(super) fn has_message(&self, message: &MessageId) -> bool {
        self.list.iter().any(|answer| answer.message.as_ref() == Some(message))
    }

    pub(super) fn keep(&mut self, answer: Answer) {
        self.list.push_back(answer);
        if self.list.len() > ANSWERS_MAX {
            self.list.pop_front();
        }
    }

    /// A message that was given back may come again.
    pub(super) fn forget(&mut self, message: &MessageId) {
        self.list.retain(|answer| answer.message.as_ref() != Some(message));
    }

    pub(super) fn list(&self) -> impl Iterator<Item = &Answer> {
        self.list.iter()
    }
}
