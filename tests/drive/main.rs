//! The driver: each turn a tree of tasks that a stop ends at once, on simulated time.

#![cfg(feature = "drive")]

mod faults;
mod hosts;
mod log;
mod stops;
mod turns;
mod world;
