//! turnseal: the chat store that never loses a message and never shows one twice.
//!
//! **Owns**: the list of rooms. **Sees**: nothing. **Never**: code.

#![forbid(unsafe_code)]
#![deny(missing_docs, unreachable_pub)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::wildcard_enum_match_arm
    )
)]

/// The Rust in the README compiles and runs.
#[cfg(all(doctest, feature = "store"))]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// So does that of the page for back ends.
#[cfg(all(doctest, feature = "store"))]
#[doc = include_str!("../docs/protocol.md")]
pub struct Protocol;

#[cfg(feature = "browser")]
pub mod browser;
#[cfg(feature = "drive")]
pub mod drive;
#[cfg(feature = "engine")]
pub mod engine;
pub mod model;
#[cfg(feature = "store")]
pub mod store;
#[cfg(feature = "engine")]
pub mod transcript;
#[cfg(feature = "wasm")]
pub mod wasm;
pub mod wire;
