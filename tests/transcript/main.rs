//! L13: the model's order. Each rule of the projection as a scenario with the bytes that come out, and the check.

mod anthropic;
mod chat;
mod check;
mod fillers;
mod makers;
mod order;
#[cfg(not(target_arch = "wasm32"))]
mod random;
mod responses;
mod rows;
