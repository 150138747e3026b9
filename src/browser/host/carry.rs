//! The store's effects, carried out.

use gloo_timers::callback::Timeout;
use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::AbortController;

use crate::browser::answers::{answer, failed};
use crate::browser::link::LinkInput;
use crate::browser::requests::{is_repeatable, request};
use crate::browser::rules::{is_passing, wait_ms};
use crate::browser::tabs::Word;
use crate::model::ThreadId;
use crate::store::{Action, Answer, Effect, Failure, FailureKind, Input, RequestId};

use super::fetch::Asked;
use super::page::{self, Later};
use super::{Flight, Handle, Report, Runtime};

/// So long an answer may take.
const TIMEOUT_MS: u32 = 30_000;

impl Runtime {
    pub(super) fn carry(&self, effect: Effect) {
        match effect {
            Effect::Request { request, thread, action } => self.begin_request(request, thread, action),
            Effect::Cancel(request) => self.give_up(request),
            Effect::StartTimer { timer, after_ms, .. } => {
                let handle = self.handle();
                let due = move || handle.with(|runtime| runtime.apply(Input::TimerFired { timer }));
                let timeout = Timeout::new(jittered(after_ms), due);
                self.0.borrow_mut().timers.insert(timer, timeout);
            }
            Effect::CancelTimer(timer) => {
                self.0.borrow_mut().timers.remove(&timer);
            }
            Effect::Persist { thread, sends } => self.keep(|keep| keep.put_sends(&thread, &sends)),
            Effect::Renamed { from, to } => self.renamed(from, to),
            Effect::Flush(_) => self.flush(),
            Effect::Report(said) => {
                let (code, thread) = (said.code.as_str().to_owned(), Some(said.thread));
                self.0.borrow_mut().report(Report { code, thread, detail: said.detail });
            }
        }
    }

    fn renamed(&self, from: ThreadId, to: ThreadId) {
        self.keep(|keep| keep.rename(&from, &to));
        {
            let mut inner = self.0.borrow_mut();
            inner.opened.remove(&from);
            inner.opened.insert(to.clone());
            if let Some(draft) = inner.drafts.remove(&from) {
                inner.drafts.entry(to.clone()).or_insert(draft);
            }
        }
        self.link(LinkInput::Rename { from, to });
    }

    /// Readers see it at once, behind this call.
    fn flush(&self) {
        let handle = self.handle();
        let soon = Later::soon(move || handle.with(Self::draw));
        self.0.borrow_mut().frame = Some(soon);
    }

    fn begin_request(&self, id: RequestId, thread: ThreadId, action: Action) {
        if let Action::Send(send) = &action {
            if !self.0.borrow_mut().tabs.begin(id, &thread, send) {
                let client = send.client.clone();
                return self.wait_for_tab(client, move |runtime| runtime.begin_request(id, thread, action));
            }
            self.say(&Word::Sending(thread.clone(), send.clone()));
        }
        self.fly(id, &thread, action);
    }

    fn fly(&self, id: RequestId, thread: &ThreadId, action: Action) {
        let Ok(abort) = AbortController::new() else {
            return self.landed(id, &action, Err("this host cannot end requests".to_owned()));
        };
        let asked = {
            let inner = self.0.borrow();
            let (address, headers) = (inner.http.clone(), inner.options.headers.clone());
            Asked { address, headers, request: request(thread, &action), signal: abort.signal() }
        };
        let handle = self.handle();
        let late = Timeout::new(TIMEOUT_MS, move || handle.with(|runtime| runtime.late(id)));
        self.0.borrow_mut().flights.insert(id, Flight { abort, _late: late });
        let handle = self.handle();
        spawn_local(async move {
            let result = asked_until_answered(&handle, &asked, &action).await;
            handle.with(|runtime| runtime.landed(id, &action, result));
        });
    }

    fn landed(&self, id: RequestId, action: &Action, result: Result<(u16, String), String>) {
        // Who gave it up was answered then.
        let flight = self.0.borrow_mut().flights.remove(&id);
        if let Action::Send(send) = action {
            self.0.borrow_mut().tabs.end(&send.client);
        }
        if flight.is_none() {
            return;
        }
        let answer = result.map_or_else(failed, |(status, text)| answer(action, status, &text));
        if let (Action::Send(send), Some(outcome)) = (action, outcome(&answer)) {
            self.say(&Word::Sent(send.client.clone(), outcome));
        }
        self.apply(Input::Answer { request: id, answer });
    }

    fn late(&self, id: RequestId) {
        if let Some(flight) = self.0.borrow_mut().flights.remove(&id) {
            flight.abort.abort();
        }
        let error = format!("no answer in {TIMEOUT_MS} ms");
        self.apply(Input::Answer {
            request: id,
            answer: Answer::Failed(Failure { kind: FailureKind::Timeout, error }),
        });
    }

    fn give_up(&self, id: RequestId) {
        if let Some(flight) = self.0.borrow_mut().flights.remove(&id) {
            flight.abort.abort();
        }
    }

    /// What waits for a better time goes on.
    pub(super) fn wake(&self) {
        let waiting = std::mem::take(&mut self.0.borrow_mut().waiting);
        for resolve in waiting {
            // A resolver takes what it is given.
            let _resolved = resolve.call0(&JsValue::NULL);
        }
    }
}

/// L11: the same client id is the same message, so a send is tried until its time is over.
async fn asked_until_answered(handle: &Handle, asked: &Asked, action: &Action) -> Result<(u16, String), String> {
    let repeats = is_repeatable(action);
    for attempt in 1_u32.. {
        let result = asked.ask(repeats && attempt == 1).await;
        let status = result.as_ref().ok().map(|(status, _)| *status);
        if !repeats || asked.signal.aborted() || !is_passing(status) {
            return result;
        }
        pause(handle, wait_ms(attempt, js_sys::Math::random())).await;
        if asked.signal.aborted() {
            return result;
        }
    }
    Err("never".to_owned())
}

/// Until the time is over, or a socket is open.
async fn pause(handle: &Handle, ms: u64) {
    let mut resolver: Option<Function> = None;
    let promise = Promise::new(&mut |resolve, _| resolver = Some(resolve));
    let Some(resolve) = resolver else { return };
    let due = resolve.clone();
    let ms = u32::try_from(ms).unwrap_or(u32::MAX);
    let timeout = Timeout::new(ms, move || {
        // A resolver takes what it is given.
        let _resolved = due.call0(&JsValue::NULL);
    });
    handle.with(|runtime| runtime.0.borrow_mut().waiting.push(resolve));
    // It cannot fail: nobody rejects it.
    let _settled = JsFuture::from(promise).await;
    drop(timeout);
}

/// What other tabs hear of an answer.
fn outcome(answer: &Answer) -> Option<Result<crate::store::Receipt, String>> {
    match answer {
        Answer::Sent(receipt) => Some(Ok(receipt.clone())),
        Answer::Failed(failure) => Some(Err(failure.error.clone())),
        Answer::Page(_) | Answer::Cancelled(_) | Answer::Snapshot { .. } | Answer::Done | Answer::Unknown => None,
    }
}

/// A crowd of clients shall not come back in one beat.
fn jittered(ms: u64) -> u32 {
    let whole = f64::from(u32::try_from(ms).unwrap_or(u32::MAX));
    // At most five quarters of 30 s.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ms = (whole * (0.75 + page::moment().chance / 2.0)) as u32;
    ms
}
