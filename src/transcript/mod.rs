//! A thread in the order that language-model APIs accept.
//!
//! **Owns**: the projection of chunks for each vendor, and the check of a projection.
//! **Sees**: model.
//! **Never**: state machines, vendor clients, I/O.
