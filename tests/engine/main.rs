//! The engine: each test is named after the numbered rule that it holds, E1 to E65; natively and in wasm.

mod approvals;
mod bench;
mod books;
mod chance;
mod client;
mod closed;
mod draw;
mod hostile;
mod laws;
mod many;
mod network;
mod quiet;
mod random;
mod restart;
mod served;
mod snapshot;
mod stale;
mod steer;
mod table;
mod turns;
