//! The server as its clients meet it: a process, sockets, and SIGKILL.

mod api;
mod bad;
mod chaos;
mod kill;
mod kit;
mod models;
mod protocol;
mod sockets;
// It looks for processes where Linux has them.
#[cfg(target_os = "linux")]
mod stops;
