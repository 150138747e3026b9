//! The words of the project as types: ids, chunks, parts and how deltas grow them, messages, events.
//!
//! **Owns**: the vocabulary of a thread that every other room speaks, and the one rule by which deltas become parts.
//! **Sees**: nothing.
//! **Never**: serde, state machines, time, I/O. Opaque JSON stays text, exactly as it came.

mod chunk;
mod event;
mod grow;
mod ids;
mod message;
mod part;
mod snapshot;
mod text;

pub use chunk::{Chunk, ChunkBody, Role};
pub use event::{
    Consumed, Decision, DeltaKind, Envelope, Event, Intent, Outcome, Page, QueueItem, StatusKind, Stream, ThreadStatus,
};
pub use grow::{Field, Parts, Spot};
pub use ids::{CallId, ClientId, ExecutionId, Json, MessageId, PartId, Seq, ThreadId, TurnId};
pub use message::{Body, UserMessage};
pub use part::{Approval, ApprovalState, Opaque, OpaqueKind, Origin, Output, Part, Tool, ToolState};
pub use snapshot::{OpenApproval, Phase, Snapshot, SnapshotRow, SnapshotTurn};
pub use text::{Cut, decimal, joined, push_decimal, settle};
