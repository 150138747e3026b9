//! How to connect, and what a host hears of it.

use std::fmt;

use crate::model::ThreadId;

/// Why a runtime cannot begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConnectError {
    /// There is no window: this is no page.
    NoPage,
    /// The address is none.
    BadUrl,
}

impl fmt::Display for ConnectError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::NoPage => "this host has no window",
            Self::BadUrl => "the address is none of a server",
        })
    }
}

impl std::error::Error for ConnectError {}

/// How to connect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    pub(super) url: String,
    pub(super) protocols: Vec<String>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) name: Option<String>,
    pub(super) shared: Shared,
}

/// With whom pending sends and drafts are shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shared {
    /// With later lives of the page, and its other tabs.
    Tabs,
    /// With later lives of the page.
    Storage,
    /// With nobody.
    Nobody,
}

impl Options {
    /// A server that speaks the protocol of `turnseal-server`: `https://host/base`, or a path of the page's own server.
    #[must_use]
    pub fn new(url: &str) -> Self {
        let (protocols, headers) = (Vec::new(), Vec::new());
        Self { url: url.to_owned(), protocols, headers, name: None, shared: Shared::Tabs }
    }

    /// A subprotocol of the socket, where a server wants a token there.
    #[must_use]
    pub fn protocol(mut self, protocol: &str) -> Self {
        self.protocols.push(protocol.to_owned());
        self
    }

    /// A header of each request.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Whose storage and tabs these are, in place of the url. Another user of one page wants another name.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// This tab is alone.
    #[must_use]
    pub fn without_tabs(mut self) -> Self {
        self.shared = Shared::Storage;
        self
    }

    /// Nothing outlives a reload, and this tab is alone.
    #[must_use]
    pub fn without_storage(mut self) -> Self {
        self.shared = Shared::Nobody;
        self
    }
}

/// Something that was ignored, refused or repaired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// A word to look up: those of the store and of the wire, `storage-failed`, `storage-full`, `storage-corrupt`.
    pub code: String,
    /// The thread.
    pub thread: Option<ThreadId>,
    /// In words.
    pub detail: String,
}
