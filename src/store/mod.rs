//! The client machine: which rows a thread shows, and why each of them is there.
//!
//! **Owns**: the log window, live rows and their owners, the queue, pending sends, reconcile, the loader, the view.
//! **Sees**: model.
//! **Never**: engine, wire, clocks, randomness, I/O, callbacks.
