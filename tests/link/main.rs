//! The rules of a connection. `cases.json` and `socket.txt` are played by TypeScript as well
//! (`pkg/test/connect-rules.test.mjs`).
#![cfg(not(target_arch = "wasm32"))]

mod format;
mod table;
