//! What is drawn in one piece, and where it may stand.

use crate::model::TurnId;

/// A block: what is drawn in one piece. A turn, or a row outside of all turns.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BlockId {
    /// All groups of a turn.
    Turn(TurnId),
    /// One row: its number inside the thread.
    Row(u64),
}

/// Where a block stands; ascending from top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// Which stretch of the thread.
    pub zone: Zone,
    /// In the log: the first seq of the turn, or of the turn that it must stand before. In the queue: the position.
    pub major: u64,
    /// 0: a turn without chunks, before the one at `major`; 1: the turn at `major` itself.
    pub minor: u8,
    /// When it began; orders turns without chunks and rows.
    pub stamp: u64,
    /// 0: the block itself; above: notes that stand after it.
    pub note: u64,
}

/// The stretches of a thread, from top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Zone {
    /// Turns.
    Log,
    /// Accepted, waits for its turn to begin.
    Starting,
    /// Nobody knows yet what became of it.
    Departed,
    /// In the server's queue.
    Queued,
    /// Not known to have arrived.
    Pending,
}
