//! The binding for JavaScript.
//!
//! **Owns**: what crosses the boundary: text, bytes and numbers; and the patch by which JavaScript's mirror follows.
//! **Sees**: model, wire, store, engine, transcript.
//! **Never**: decisions about rows or turns, JavaScript callbacks or objects, globals.

#[cfg(feature = "store")]
mod core;
#[cfg(feature = "store")]
mod effects;
#[cfg(feature = "store")]
mod groups;
#[cfg(feature = "store")]
mod held;
#[cfg(feature = "store")]
mod hot;
#[cfg(feature = "store")]
mod inputs;
#[cfg(feature = "store")]
mod mirror;
#[cfg(feature = "store")]
mod saved;
#[cfg(feature = "store")]
mod splice;

#[cfg(feature = "store")]
pub use self::core::Core;
#[cfg(feature = "store")]
pub use self::held::{Base, Later};
#[cfg(feature = "engine")]
mod engine;
#[cfg(feature = "engine")]
mod engine_json;
#[cfg(feature = "engine")]
mod engine_read;
#[cfg(feature = "engine")]
pub mod transcript;
#[cfg(feature = "engine")]
pub use self::engine::EngineCore;
