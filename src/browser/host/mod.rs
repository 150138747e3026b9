//! The part that needs a page.
//!
//! **Owns**: a store, its socket, requests, timers and frames; the page's storage and the line to other tabs.
//! **Sees**: the rest of this room, model, wire, store.
//! **Never**: a decision that could be made without a page.

mod carry;
mod fetch;
mod keep;
mod notice;
mod options;
mod page;
mod share;
mod socket;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use js_sys::Function;
use web_sys::{AbortController, BroadcastChannel};

use crate::browser::kept::Scope;
use crate::browser::link::{Link, LinkInput};
use crate::browser::standing::{LinkPhase, LinkState};
use crate::browser::tabs::{Tabs, Word};
use crate::model::{Body, ClientId, Intent, ThreadId};
use crate::store::{Command, Connection, Input, RequestId, Store, TimerId};

use keep::Keep;
use options::Shared;
pub use options::{ConnectError, Options, Report};
use page::Later;
use socket::Socket;

/// A store and its connection to a server, in a page. Clones are the same one; it ends with [`Runtime::close`].
#[derive(Clone, Debug)]
pub struct Runtime(Rc<RefCell<Inner>>);

#[derive(Clone, Debug)]
struct Handle(Weak<RefCell<Inner>>);

struct Flight {
    abort: AbortController,
    _late: Timeout,
}

struct Inner {
    store: Store,
    link: Link,
    state: LinkState,
    tabs: Tabs,
    options: Options,
    http: String,
    ws: String,
    keep: Keep,
    drafts: BTreeMap<ThreadId, String>,
    opened: BTreeSet<ThreadId>,
    socket: Option<Socket>,
    retry: Option<Timeout>,
    timers: BTreeMap<TimerId, Timeout>,
    flights: BTreeMap<RequestId, Flight>,
    silences: BTreeMap<ClientId, Timeout>,
    /// Sends that wait for a better time.
    waiting: Vec<Function>,
    channel: Option<(BroadcastChannel, EventListener)>,
    _page: Vec<EventListener>,
    frame: Option<Later>,
    on_change: Rc<dyn Fn(&Runtime)>,
    reports: Vec<Report>,
}

impl fmt::Debug for Inner {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Runtime").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Runtime {
    /// Begins to connect. `on_change` is called once a frame in which something changed, never inside of a call.
    ///
    /// Errors: [`ConnectError`].
    pub fn open(store: Store, options: Options, on_change: impl Fn(&Self) + 'static) -> Result<Self, ConnectError> {
        let (http, ws) = page::addresses(&options.url)?;
        let scope = Scope::new(&String::from(js_sys::encode_uri(options.name.as_deref().unwrap_or(&options.url))));
        let storage = if options.shared == Shared::Nobody { None } else { page::storage() };
        let state = LinkState { phase: LinkPhase::Connecting, attempt: 0, retry_ms: None };
        let inner = Inner {
            store,
            link: Link::default(),
            state,
            tabs: Tabs::default(),
            http,
            ws,
            keep: Keep::new(storage, scope.clone()),
            drafts: BTreeMap::new(),
            opened: BTreeSet::new(),
            socket: None,
            retry: None,
            timers: BTreeMap::new(),
            flights: BTreeMap::new(),
            silences: BTreeMap::new(),
            waiting: Vec::new(),
            channel: None,
            _page: Vec::new(),
            frame: None,
            on_change: Rc::new(on_change),
            reports: Vec::new(),
            options,
        };
        let runtime = Self(Rc::new(RefCell::new(inner)));
        runtime.begin(&scope);
        Ok(runtime)
    }

    fn begin(&self, scope: &Scope) {
        let handle = self.handle();
        let listeners = page::listen(&handle);
        let channel = share::open(&handle, scope);
        {
            let mut inner = self.0.borrow_mut();
            inner._page = listeners;
            if inner.options.shared == Shared::Tabs {
                inner.channel = channel;
            }
        }
        self.link(LinkInput::Begin);
    }

    fn handle(&self) -> Handle {
        Handle(Rc::downgrade(&self.0))
    }

    /// Feeds one input, and carries out what follows.
    pub fn apply(&self, input: Input) {
        let effects = self.0.borrow_mut().store.apply(input);
        for effect in effects {
            self.carry(effect);
        }
        self.changed();
    }

    /// Reads the store.
    pub fn read<T>(&self, read: impl FnOnce(&Store) -> T) -> T {
        read(&self.0.borrow().store)
    }

    /// Looks at a thread: what was kept of it comes back, its newest page is loaded, its events come.
    pub fn listen(&self, thread: &ThreadId) {
        if self.0.borrow_mut().opened.insert(thread.clone()) {
            let sends = self.keep(|keep| keep.sends(thread));
            let restore = Command::Restore(sends);
            self.apply(Input::Command { thread: thread.clone(), command: restore });
            self.apply(Input::Command { thread: thread.clone(), command: Command::Open });
            self.say(&Word::Hello(thread.clone()));
        }
        self.link(LinkInput::Listen(thread.clone()));
    }

    /// Sends a message, and gives the name that this client has for it.
    pub fn send(&self, thread: &ThreadId, text: &str) -> ClientId {
        let client = ClientId::new(page::new_id());
        let command = Command::Send { client: client.clone(), body: Body::text(text), intent: Intent::Queue };
        self.command(thread, command);
        client
    }

    /// Does what the user wants in a thread.
    pub fn command(&self, thread: &ThreadId, command: Command) {
        if let Command::Dismiss(key) = &command
            && let Some(client) = self.client_of(thread, key)
        {
            self.say(&Word::Dismiss(thread.clone(), client));
        }
        self.apply(Input::Command { thread: thread.clone(), command });
    }

    fn client_of(&self, thread: &ThreadId, key: &str) -> Option<ClientId> {
        let inner = self.0.borrow();
        inner.store.groups(thread).into_iter().find(|group| group.key == key)?.client
    }

    /// How things stand with the server.
    #[must_use]
    pub fn state(&self) -> LinkState {
        self.0.borrow().state
    }

    /// Tries at once what would be tried later.
    pub fn retry(&self) {
        self.link(LinkInput::Retry);
    }

    /// What was refused, repaired or could not be kept, since it was asked for last.
    #[must_use]
    pub fn reports(&self) -> Vec<Report> {
        std::mem::take(&mut self.0.borrow_mut().reports)
    }

    /// Ends socket, requests and timers. The store can still be read.
    pub fn close(&self) {
        self.link(LinkInput::Close);
        let mut inner = self.0.borrow_mut();
        for flight in std::mem::take(&mut inner.flights).into_values() {
            flight.abort.abort();
        }
        inner.timers.clear();
        inner.silences.clear();
        inner._page.clear();
        inner.frame = None;
        if let Some((channel, _)) = inner.channel.take() {
            channel.close();
        }
    }

    fn online(&self, phase: LinkPhase) {
        let connection = match phase {
            LinkPhase::Connecting => Connection::Connecting,
            LinkPhase::Open => Connection::Online,
            LinkPhase::Waiting | LinkPhase::Offline | LinkPhase::Closed => Connection::Offline,
        };
        self.apply(Input::Connection(connection));
    }
}

/// So many reports wait for somebody to take them; the oldest is forgotten.
const REPORTS_MAX: usize = 1_000;

impl Inner {
    fn report(&mut self, report: Report) {
        if self.reports.len() == REPORTS_MAX {
            self.reports.remove(0);
        }
        self.reports.push(report);
    }
}

impl Handle {
    /// Does something with the runtime, where it is still there.
    fn with(&self, act: impl FnOnce(&Runtime)) {
        if let Some(inner) = self.0.upgrade() {
            act(&Runtime(inner));
        }
    }
}
