//! The loader and the resync: when a page or a snapshot is asked for, and what its answer leads to.

use super::asks::{Out, Question};
use super::cursor::Resync;
use super::effect::{Action, Code, Why};
use super::flat::Set;
use super::input::{Failure, FailureKind, RequestId, TimerId};
use super::loader::{KeptPage, Loader, Older, backoff_ms};
use super::log::Past;
use super::thread::Thread;

impl Thread {
    /// The newest page is wanted: at once, after the one on its way, or at the return to the bottom.
    pub(super) fn want_page(&mut self, out: &mut Out<'_>) {
        self.opened = true;
        if self.scrolled_up && self.log.oldest().is_some() {
            match &mut self.loader {
                Loader::Idle => self.loader = Loader::Deferred,
                Loader::InFlight { again, .. } => *again = true,
                Loader::Backoff { timer, .. } => {
                    out.stop_timer(*timer);
                    self.loader = Loader::Deferred;
                }
                Loader::Deferred => {}
            }
            return;
        }
        match &mut self.loader {
            Loader::InFlight { again, .. } => *again = true,
            Loader::Backoff { timer, attempt } => {
                let attempt = *attempt;
                out.stop_timer(*timer);
                self.load(attempt, out);
            }
            Loader::Idle | Loader::Deferred => self.load(0, out),
        }
    }

    /// The log changed under what is on its way: that page is no longer wanted.
    pub(super) fn reload(&mut self, out: &mut Out<'_>) {
        if let Loader::InFlight { request, .. } = &self.loader {
            let request = *request;
            out.cancel(request);
            out.asks.open.remove(&request);
            self.loader = Loader::Idle;
        }
        if let Older::InFlight { request, .. } = self.older {
            out.cancel(request);
            out.asks.open.remove(&request);
            self.older = Older::Idle;
        }
        self.want_page(out);
    }

    fn load(&mut self, attempt: u32, out: &mut Out<'_>) {
        let limit = u32::try_from(out.limits.window).unwrap_or(u32::MAX);
        let covers = self.unfolded();
        let action = Action::LoadChunks { limit, before: None, covers: covers.iter().cloned().collect() };
        let question = Question::Newest { limit, epoch: self.log.epoch.clone(), reach: self.log.told };
        let at = self.tick();
        let request = out.ask(&self.id, at, question, action);
        self.loader = Loader::InFlight { request, covers, again: false, attempt };
    }

    /// The first word about a thread loads its newest page.
    pub(super) fn first_load(&mut self, out: &mut Out<'_>) {
        if !self.opened {
            self.want_page(out);
        }
    }

    pub(super) fn on_newest(&mut self, request: RequestId, kept: KeptPage, out: &mut Out<'_>) {
        let (covers, again) = match &self.loader {
            Loader::InFlight { request: current, covers, again, .. } if *current == request => (covers.clone(), *again),
            Loader::InFlight { .. } | Loader::Idle | Loader::Backoff { .. } | Loader::Deferred => {
                (Set::default(), false)
            }
        };
        let current = matches!(&self.loader, Loader::InFlight { request: current, .. } if *current == request);
        if current {
            self.loader = Loader::Idle;
        }
        self.load_error = None;
        self.view.touched.head = true;
        let waits = self.scrolled_up && self.log.oldest().is_some();
        self.on_page(kept, out);
        let retry = !waits && self.missing_evidence(&covers, out);
        if again || retry {
            self.want_page(out);
        }
    }

    pub(super) fn on_load_failed(&mut self, request: RequestId, failure: &Failure, out: &mut Out<'_>) {
        let Loader::InFlight { request: current, attempt, again, .. } = &self.loader else { return };
        if *current != request {
            return;
        }
        let (attempt, again) = (*attempt, *again);
        self.view.touched.head = true;
        self.report(out, Code::LoadFailed, failure.error.clone());
        self.load_error = Some(failure.error.clone());
        if failure.kind == FailureKind::Unsupported {
            self.loader = Loader::Idle;
            return;
        }
        if self.scrolled_up && self.log.oldest().is_some() {
            self.loader = Loader::Deferred;
            return;
        }
        if again {
            // Something was sealed meanwhile: that asks at once.
            self.load(attempt + 1, out);
            return;
        }
        let timer = out.start_timer(&self.id, backoff_ms(attempt), Why::LoadBackoff);
        self.loader = Loader::Backoff { timer, attempt: attempt + 1 };
    }

    pub(super) fn on_timer(&mut self, timer: TimerId, why: Why, out: &mut Out<'_>) {
        match why {
            Why::LoadBackoff => {
                if let Loader::Backoff { timer: current, attempt } = self.loader
                    && current == timer
                {
                    self.load(attempt, out);
                }
            }
            Why::ResyncBackoff => {
                if let Resync::Backoff { timer: current, attempt } = self.cursor.resync
                    && current == timer
                {
                    self.resync(attempt, out);
                }
            }
        }
    }

    /// The host is connected (again): what had failed is tried at once.
    pub(super) fn on_online(&mut self, out: &mut Out<'_>) {
        if let Loader::Backoff { timer, attempt } = self.loader {
            out.stop_timer(timer);
            self.load(attempt, out);
        }
        if let Resync::Backoff { timer, attempt } = self.cursor.resync {
            out.stop_timer(timer);
            self.resync(attempt, out);
        }
    }

    pub(super) fn on_load_older(&mut self, out: &mut Out<'_>) {
        let Some(before) = self.log.oldest().filter(|_| self.has_older()) else { return };
        match self.older {
            // One request a cursor.
            Older::InFlight { before: asked, .. } if asked == before => return,
            Older::InFlight { request, .. } => out.cancel(request),
            Older::Idle => {}
        }
        let limit = out.limits.page;
        let question = Question::Older { before, limit, epoch: self.log.epoch.clone() };
        let at = self.tick();
        let action = Action::LoadChunks { limit, before: Some(before), covers: Vec::new() };
        let request = out.ask(&self.id, at, question, action);
        self.older = Older::InFlight { request, before };
        self.view.touched.head = true;
    }

    pub(super) fn has_older(&self) -> bool {
        self.log.oldest().is_some() && self.log.past == Past::Unknown
    }

    pub(super) fn close_older(&mut self, request: RequestId) {
        if let Older::InFlight { request: current, .. } = self.older
            && current == request
        {
            self.older = Older::Idle;
            self.view.touched.head = true;
        }
    }

    pub(super) fn on_scrolled_up(&mut self, up: bool, out: &mut Out<'_>) {
        if self.scrolled_up == up {
            return;
        }
        self.scrolled_up = up;
        if up {
            return;
        }
        let kept = std::mem::take(&mut self.kept);
        for page in kept {
            let covers = self.unfolded();
            self.on_page(page, out);
            self.missing_evidence(&covers, out);
        }
        self.settle_parked(out);
        self.trim(out);
        let waits = !self.unfolded().is_empty();
        match self.loader {
            Loader::Deferred => {
                self.loader = Loader::Idle;
                self.want_page(out);
            }
            Loader::Idle if waits => self.want_page(out),
            Loader::Idle | Loader::InFlight { .. } | Loader::Backoff { .. } => {}
        }
    }

    /// A hole in the event numbers: ask for the live state, once.
    pub(super) fn want_resync(&mut self, out: &mut Out<'_>) {
        match self.cursor.resync {
            Resync::Idle => {
                self.report(out, Code::Gap, "event numbers jumped");
                self.resync(0, out);
            }
            Resync::InFlight { .. } | Resync::Backoff { .. } => {}
        }
    }

    fn resync(&mut self, attempt: u32, out: &mut Out<'_>) {
        let after = self.cursor.applied.unwrap_or(0);
        let at = self.tick();
        let request = out.ask(&self.id, at, Question::Resync, Action::Resync { after });
        self.cursor.resync = Resync::InFlight { request, attempt };
    }

    /// The hole was filled by what came late: the snapshot on its way would only take back.
    pub(super) fn end_resync(&mut self, out: &mut Out<'_>) {
        match std::mem::take(&mut self.cursor.resync) {
            Resync::Idle => {}
            Resync::InFlight { request, .. } => out.cancel(request),
            Resync::Backoff { timer, .. } => out.stop_timer(timer),
        }
    }

    /// Returns true where the hole was given up because the host cannot fill it.
    pub(super) fn on_resync_failed(&mut self, request: RequestId, failure: &Failure, out: &mut Out<'_>) -> bool {
        let Resync::InFlight { request: current, attempt } = self.cursor.resync else { return false };
        if current != request {
            return false;
        }
        self.report(out, Code::ResyncFailed, failure.error.clone());
        if failure.kind == FailureKind::Unsupported {
            self.cursor.resync = Resync::Idle;
            self.cursor.skip_hole();
            return true;
        }
        let timer = out.start_timer(&self.id, backoff_ms(attempt), Why::ResyncBackoff);
        self.cursor.resync = Resync::Backoff { timer, attempt: attempt + 1 };
        false
    }
}
