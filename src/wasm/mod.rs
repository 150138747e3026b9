//! The binding for JavaScript.
//!
//! **Owns**: what crosses the boundary: text, bytes and numbers; and the patch by which JavaScript's mirror follows.
//! **Sees**: model, wire, store, engine, transcript.
//! **Never**: decisions about rows or turns, JavaScript callbacks or objects, globals.

#[cfg(feature = "engine")]
pub mod transcript;
