//! Drafts, and who hears of a change.

use std::rc::Rc;

use crate::browser::standing::LinkPhase;
use crate::browser::tabs::Word;
use crate::model::ThreadId;

use super::keep::Keep;
use super::page::Later;
use super::{Report, Runtime};

impl Runtime {
    /// What is typed in a thread and not sent. It outlives a reload, and other tabs see it.
    #[must_use]
    pub fn draft(&self, thread: &ThreadId) -> String {
        if let Some(draft) = self.0.borrow().drafts.get(thread) {
            return draft.clone();
        }
        let draft = self.keep(|keep| keep.draft(thread));
        self.0.borrow_mut().drafts.insert(thread.clone(), draft.clone());
        draft
    }

    /// Keeps another draft. Set it to nothing once it is sent.
    pub fn set_draft(&self, thread: &ThreadId, text: &str) {
        if self.draft(thread) == text {
            return;
        }
        self.keep(|keep| keep.put_draft(thread, text));
        self.say(&Word::Draft(thread.clone(), text.to_owned()));
        self.typed(thread.clone(), text.to_owned());
    }

    pub(super) fn typed(&self, thread: ThreadId, text: String) {
        self.0.borrow_mut().drafts.insert(thread, text);
        self.changed();
    }

    /// Something changed: `on_change` hears of it with the next frame.
    pub(super) fn changed(&self) {
        let handle = self.handle();
        let mut inner = self.0.borrow_mut();
        if inner.frame.is_none() && inner.state.phase != LinkPhase::Closed {
            inner.frame = Some(Later::next(move || handle.with(Self::draw)));
        }
    }

    pub(super) fn draw(&self) {
        let on_change = {
            let mut inner = self.0.borrow_mut();
            inner.frame = None;
            Rc::clone(&inner.on_change)
        };
        on_change(self);
    }

    pub(super) fn keep<T>(&self, act: impl FnOnce(&mut Keep) -> (T, Vec<Report>)) -> T {
        let mut inner = self.0.borrow_mut();
        let (value, reports) = act(&mut inner.keep);
        for report in reports {
            inner.report(report);
        }
        value
    }
}
