//! Events, chunks and parts as JSON. What is absent is left out, never `null`.
//!
//! Opaque JSON comes out byte for byte as it came in, line breaks between its tokens included;
//! everything else stands on one line.
//!
//! **Owns**: the writing half of the wire format. **Sees**: model. **Never**: decisions about what is sent.

mod chunks;
mod events;
mod parts;
mod snapshots;
pub(crate) mod text;

pub use chunks::{chunk, page};
pub use events::event;
pub use parts::{part, parts};
pub use text::string;
