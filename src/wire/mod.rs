//! JSON to events and back.
//!
//! **Owns**: the wire format of SPEC section 4, its aliases as one table, and what is refused with which words.
//! **Sees**: model.
//! **Never**: state, decisions about rows.
