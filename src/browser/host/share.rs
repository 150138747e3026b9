//! The other tabs of the page.

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use js_sys::JSON;
use wasm_bindgen::JsCast;
use web_sys::{BroadcastChannel, MessageEvent};

use crate::browser::kept::Scope;
use crate::browser::tabs::{SILENCE_MS, Word};
use crate::model::{ClientId, ThreadId};
use crate::store::{Answer, Command, GroupState, Input, PendingSend, Receipt, RequestId};

use super::{Handle, Runtime};
use crate::browser::answers::failed;

/// The line to the other tabs, where the host has such.
pub(super) fn open(handle: &Handle, scope: &Scope) -> Option<(BroadcastChannel, EventListener)> {
    let channel = BroadcastChannel::new(&scope.channel()).ok()?;
    let handle = handle.clone();
    let listener = EventListener::new(&channel, "message", move |event| {
        let data = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
        let text = data.and_then(|data| JSON::stringify(&data).ok()).and_then(|text| text.as_string());
        if let Some(word) = text.and_then(|text| Word::read(&text)) {
            handle.with(|runtime| runtime.told(word));
        }
    });
    Some((channel, listener))
}

impl Runtime {
    /// Tells the other tabs.
    pub(super) fn say(&self, word: &Word) {
        let inner = self.0.borrow();
        if let Some((channel, _)) = &inner.channel
            && let Ok(message) = JSON::parse(&word.write())
        {
            // It fails for what cannot be copied, and plain JSON can.
            let _said = channel.post_message(&message);
        }
    }

    fn told(&self, word: Word) {
        match word {
            Word::Sending(thread, send) => self.adopt(&thread, send),
            Word::Sent(client, outcome) => {
                let request = self.0.borrow_mut().tabs.settle(&client);
                self.0.borrow_mut().silences.remove(&client);
                if let Some(request) = request {
                    self.answered(request, outcome);
                }
            }
            Word::Hello(thread) => {
                let words: Vec<Word> = self.0.borrow().tabs.own(&thread).collect();
                for word in words {
                    self.say(&word);
                }
            }
            Word::Dismiss(thread, client) => self.dismissed(&thread, &client),
            Word::Draft(thread, text) => self.typed(thread, text),
        }
    }

    fn answered(&self, request: RequestId, outcome: Result<Receipt, String>) {
        let answer = outcome.map_or_else(failed, Answer::Sent);
        self.apply(Input::Answer { request, answer });
    }

    /// Shows a message that another tab sends. Its request here waits for that tab.
    fn adopt(&self, thread: &ThreadId, send: PendingSend) {
        let PendingSend { client, body, intent } = send;
        let is_news = {
            let mut inner = self.0.borrow_mut();
            inner.opened.contains(thread) && inner.tabs.heard(&client)
        };
        if !is_news {
            return;
        }
        // L5: a message that failed here is on its way again; a known one is the same message.
        let command = match self.state_of(thread, &client) {
            Some((GroupState::Failed, _)) => Some(Command::Retry(client.clone())),
            Some(_) => None,
            None => Some(Command::Send { client: client.clone(), body, intent }),
        };
        if let Some(command) = command {
            self.apply(Input::Command { thread: thread.clone(), command });
        }
        self.0.borrow_mut().tabs.shown(&client);
    }

    fn dismissed(&self, thread: &ThreadId, client: &ClientId) {
        if let Some((GroupState::Failed, key)) = self.state_of(thread, client) {
            self.apply(Input::Command { thread: thread.clone(), command: Command::Dismiss(key) });
        }
    }

    fn state_of(&self, thread: &ThreadId, client: &ClientId) -> Option<(GroupState, String)> {
        let inner = self.0.borrow();
        let group = inner.store.groups(thread).into_iter().find(|group| group.client.as_ref() == Some(client))?;
        Some((group.state, group.key))
    }

    /// Waits for the tab that sends; where it says nothing, the message is sent from here.
    pub(super) fn wait_for_tab(&self, client: ClientId, retry: impl FnOnce(&Self) + 'static) {
        let handle = self.handle();
        let gone = client.clone();
        let due = move || {
            handle.with(|runtime| {
                let request = runtime.0.borrow_mut().tabs.settle(&gone);
                if request.is_some() {
                    retry(runtime);
                }
            });
        };
        self.0.borrow_mut().silences.insert(client, Timeout::new(SILENCE_MS, due));
    }
}
