//! What a page gives: its clock, chance, events, frames, address.

use std::fmt;

use gloo_events::EventListener;
use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Timeout;
use web_sys::{Document, Storage, Url, window};

use crate::browser::link::LinkInput;
use crate::browser::rules::{self, Location};
use crate::browser::standing::Moment;

use super::{ConnectError, Handle};

/// A frame, where there are none.
const FRAME_MS: u32 = 16;

/// Now, a throw of the dice, and whether there is a network.
pub(super) fn moment() -> Moment {
    let offline = window().is_some_and(|window| !window.navigator().on_line());
    // Before the year 280,000.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ms = js_sys::Date::now() as u64;
    Moment { ms, chance: js_sys::Math::random(), offline }
}

/// A name that no other client gives.
pub(super) fn new_id() -> String {
    // Below 2^32: the cast neither cuts nor turns.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let part = || format!("{:08x}", (js_sys::Math::random() * f64::from(u32::MAX)) as u32);
    let parts: Vec<String> = (0..4).map(|_| part()).collect();
    format!("{:x}-{}", moment().ms, parts.concat())
}

fn document() -> Option<Document> {
    window().and_then(|window| window.document())
}

/// Where requests go, and where the socket is.
pub(super) fn addresses(url: &str) -> Result<(String, String), ConnectError> {
    let page = window().ok_or(ConnectError::NoPage)?.location().href().unwrap_or_default();
    let url = Url::new_with_base(url, &page).map_err(|_| ConnectError::BadUrl)?;
    let (protocol, host, path, search) = (url.protocol(), url.host(), url.pathname(), url.search());
    let location = Location { protocol: &protocol, host: &host, path: &path, search: &search };
    rules::addresses(location).ok_or(ConnectError::BadUrl)
}

/// The page's storage; a page may be forbidden to look at it.
pub(super) fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

/// Hears whether the page is seen and whether there is a network.
pub(super) fn listen(handle: &Handle) -> Vec<EventListener> {
    let tell = |input: LinkInput| {
        let handle = handle.clone();
        move |_: &web_sys::Event| handle.with(|runtime| runtime.link(input.clone()))
    };
    let mut listeners = Vec::new();
    if let Some(window) = window() {
        listeners.push(EventListener::new(&window, "online", tell(LinkInput::Back)));
        listeners.push(EventListener::new(&window, "pageshow", tell(LinkInput::Back)));
        listeners.push(EventListener::new(&window, "offline", tell(LinkInput::Offline)));
    }
    if let Some(document) = document() {
        let handle = handle.clone();
        let seen = move |_: &web_sys::Event| {
            if !is_hidden() {
                handle.with(|runtime| runtime.link(LinkInput::Back));
            }
        };
        listeners.push(EventListener::new(&document, "visibilitychange", seen));
    }
    listeners
}

fn is_hidden() -> bool {
    document().is_some_and(|document| document.hidden())
}

/// Something that happens with the next frame; dropped, it does not happen.
pub(super) enum Later {
    Frame { _frame: AnimationFrame },
    Timer { _timer: Timeout },
}

impl Later {
    /// A hidden page gets no frames.
    pub(super) fn next(act: impl FnOnce() + 'static) -> Self {
        if is_hidden() {
            return Self::Timer { _timer: Timeout::new(FRAME_MS, act) };
        }
        Self::Frame { _frame: request_animation_frame(move |_| act()) }
    }
}

impl Later {
    /// At once, behind the call that wants it.
    pub(super) fn soon(act: impl FnOnce() + 'static) -> Self {
        Self::Timer { _timer: Timeout::new(0, act) }
    }
}

impl fmt::Debug for Later {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Later")
    }
}
