//! One WebSocket, and what the link wants with it.

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use js_sys::{Array, ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BinaryType, MessageEvent, WebSocket};

use crate::browser::link::{LinkEffect, LinkInput};
use crate::browser::standing::{LinkPhase, LinkState};
use crate::store::Input;
use crate::wire::{Refused, decode};

use super::{Handle, Report, Runtime, page};

/// A socket that is heard. Dropped, it is closed and no longer heard.
pub(super) struct Socket {
    socket: WebSocket,
    _listeners: [EventListener; 4],
}

impl Drop for Socket {
    fn drop(&mut self) {
        // It fails for codes and reasons, and there are none.
        let _closed = self.socket.close();
    }
}

impl Socket {
    fn open(handle: &Handle, url: &str, protocols: &[String]) -> Result<Self, JsValue> {
        let protocols: Array = protocols.iter().map(|name| JsValue::from_str(name)).collect();
        let socket = WebSocket::new_with_str_sequence(url, &protocols)?;
        socket.set_binary_type(BinaryType::Arraybuffer);
        let tell = |input: LinkInput| {
            let handle = handle.clone();
            move |_: &web_sys::Event| handle.with(|runtime| runtime.link(input.clone()))
        };
        let message = {
            let handle = handle.clone();
            move |event: &web_sys::Event| handle.with(|runtime| runtime.heard(event))
        };
        let listeners = [
            EventListener::new(&socket, "open", tell(LinkInput::Opened)),
            // One that never opened says so in one way or in both.
            EventListener::new(&socket, "close", tell(LinkInput::Lost)),
            EventListener::new(&socket, "error", tell(LinkInput::Lost)),
            EventListener::new(&socket, "message", message),
        ];
        Ok(Self { socket, _listeners: listeners })
    }
}

impl Runtime {
    /// Tells the link what happened, and does what it wants.
    pub(super) fn link(&self, input: LinkInput) {
        let effects = self.0.borrow_mut().link.apply(input, page::moment());
        for effect in effects {
            self.follow(effect);
        }
    }

    fn follow(&self, effect: LinkEffect) {
        match effect {
            LinkEffect::Drop => {
                let old = self.0.borrow_mut().socket.take();
                drop(old);
            }
            LinkEffect::Connect => self.connect(),
            LinkEffect::Say(text) => {
                let inner = self.0.borrow();
                // One that is closing tells of its end by itself.
                let _said = inner.socket.as_ref().map(|socket| socket.socket.send_with_str(&text));
            }
            LinkEffect::StartTimer { after_ms } => {
                let handle = self.handle();
                let due = move || handle.with(|runtime| runtime.link(LinkInput::TimerFired));
                let ms = u32::try_from(after_ms).unwrap_or(u32::MAX);
                self.0.borrow_mut().retry = Some(Timeout::new(ms, due));
            }
            LinkEffect::StopTimer => self.0.borrow_mut().retry = None,
            LinkEffect::State(state) => self.stands(state),
        }
    }

    fn connect(&self) {
        let opened = {
            let inner = self.0.borrow();
            Socket::open(&self.handle(), &inner.ws, &inner.options.protocols)
        };
        match opened {
            Ok(socket) => self.0.borrow_mut().socket = Some(socket),
            // A page of `https:` may not, for one, open `ws:`.
            Err(_) => self.link(LinkInput::Lost),
        }
    }

    fn stands(&self, state: LinkState) {
        let before = std::mem::replace(&mut self.0.borrow_mut().state, state);
        if before.phase != state.phase || state.phase == LinkPhase::Connecting {
            self.online(state.phase);
        }
        if state.phase == LinkPhase::Open {
            self.wake();
        }
        self.changed();
    }

    fn heard(&self, event: &web_sys::Event) {
        let Some(data) = event.dyn_ref::<MessageEvent>().map(MessageEvent::data) else { return };
        let bytes = match (data.as_string(), data.dyn_ref::<ArrayBuffer>()) {
            (Some(text), _) => text.into_bytes(),
            (None, Some(buffer)) => Uint8Array::new(buffer).to_vec(),
            (None, None) => return,
        };
        let decoded = decode(&bytes);
        for refused in decoded.refused {
            self.refused(refused);
        }
        let mut numbers = Vec::new();
        for envelope in decoded.events {
            numbers.extend(envelope.n.map(|n| (envelope.thread.clone(), n)));
            self.apply(Input::Event(envelope));
        }
        self.link(LinkInput::Heard(numbers));
    }

    fn refused(&self, refused: Refused) {
        let (code, thread) = (refused.code.to_owned(), refused.thread);
        self.0.borrow_mut().report(Report { code, thread, detail: refused.detail });
    }
}
