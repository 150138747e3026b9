//! The store in a page: socket, requests, storage, other tabs, frames.
//!
//! **Owns**: the socket and when it comes back, the requests of the server's protocol, what is kept over a reload and its
//! form, what tabs tell each other, when a page is drawn.
//! **Sees**: model, wire, store.
//! **Never**: a decision about a row.
//!
//! What can be decided without a page is plain Rust and is tested natively; what needs one is there for wasm alone:
//! `Runtime`, which owns a store and carries its effects out.
#![cfg_attr(target_arch = "wasm32", doc = include_str!("example.md"))]

mod answers;
mod kept;
mod link;
mod requests;
mod rules;
mod standing;
mod tabs;

pub use answers::answer;
pub use kept::{KEPT_MAX, Kind, Scope, Sends, read_draft, read_send, read_sends, write_draft, write_sends};
pub use link::{Link, LinkEffect, LinkInput};
pub use requests::{Request, is_repeatable, request};
pub use rules::{Location, addresses, is_passing, wait_ms};
pub use standing::{LinkPhase, LinkState, Moment};
pub use tabs::{SILENCE_MS, Tabs, Word};

#[cfg(target_arch = "wasm32")]
mod host;
#[cfg(target_arch = "wasm32")]
pub use host::{ConnectError, Options, Report, Runtime};
