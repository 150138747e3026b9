//! The authority over turns: when one starts, waits, is steered, is cancelled and is sealed.
//!
//! **Owns**: turns, executions, approvals, the queue and the policies over them.
//! **Sees**: model.
//! **Never**: store, wire, clocks, randomness, I/O, a second flag beside a phase.
