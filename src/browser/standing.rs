//! How things stand with a socket, and when.

/// When it happened.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moment {
    /// Milliseconds since any one instant.
    pub ms: u64,
    /// From 0 to 1: a crowd of clients shall not come back in one beat.
    pub chance: f64,
    /// The host says that there is no network.
    pub offline: bool,
}

/// How things stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkState {
    /// Where it is.
    pub phase: LinkPhase,
    /// Attempts since something was heard last.
    pub attempt: u32,
    /// When the next attempt is, where one waits.
    pub retry_ms: Option<u64>,
}

/// `Connecting -> Open -> Waiting | Offline -> Connecting`, and from anywhere `Closed`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkPhase {
    /// A socket is opening.
    Connecting,
    /// A socket is open.
    Open,
    /// The next attempt waits for its time.
    Waiting,
    /// The same, and the host says that there is no network.
    Offline,
    /// Over.
    Closed,
}
