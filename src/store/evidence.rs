//! Proof that a live row may go. Code that has none cannot take a row away.

use crate::model::{Seq, TurnId};

/// Why a live row may leave. The absence of something is never among the reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Evidence {
    /// Its own chunk is in the window and takes its place.
    Chunk(Seq),
    /// Its own chunk is in the window, in another turn than the one it stood in.
    ChunkElsewhere,
    /// Its turn is sealed, and the turn's chunks are in the window.
    Folded(TurnId),
    /// It became part of another row, which has its names now.
    Joined,
    /// The server has said that the message was taken back.
    Cancelled,
    /// It had departed, and a page asked for afterwards has told what became of it.
    Told,
    /// The user sent it away.
    Dismissed,
    /// The server's log was cut before it.
    Truncated,
    /// The snapshot of its turn lists the rows that take its place.
    Replaced,
    /// The note's anchor left the window.
    AnchorEvicted,
}

impl Evidence {
    /// The chunk that takes the row's place in its turn.
    pub(super) fn chunk(&self) -> Option<Seq> {
        match self {
            Self::Chunk(seq) => Some(*seq),
            Self::ChunkElsewhere
            | Self::Folded(_)
            | Self::Joined
            | Self::Cancelled
            | Self::Told
            | Self::Dismissed
            | Self::Truncated
            | Self::Replaced
            | Self::AnchorEvicted => None,
        }
    }
}
