//! The words of the wire as tables: enums by their names, and the aliases of older streams.

use crate::model::{
    ApprovalState, Consumed, Decision, Intent, OpaqueKind, Outcome, Phase, Role, StatusKind, Stream, ToolState,
};

/// The names of the values of one enum.
pub(crate) type Words<T> = &'static [(&'static str, T)];

pub(crate) const ROLES: Words<Role> =
    &[("user", Role::User), ("assistant", Role::Assistant), ("tool", Role::Tool), ("system", Role::System)];

pub(crate) const STREAMS: Words<Stream> = &[("stdout", Stream::Stdout), ("stderr", Stream::Stderr)];

pub(crate) const DECISIONS: Words<Decision> = &[
    ("approved", Decision::Approved),
    ("denied", Decision::Denied),
    ("expired", Decision::Expired),
    ("cancelled", Decision::Cancelled),
];

pub(crate) const INTENTS: Words<Intent> = &[("queue", Intent::Queue), ("steer", Intent::Steer)];

pub(crate) const CONSUMED: Words<Consumed> =
    &[("interrupt", Consumed::Interrupt), ("continuation", Consumed::Continuation)];

pub(crate) const OUTCOMES: Words<Outcome> =
    &[("done", Outcome::Done), ("aborted", Outcome::Aborted), ("error", Outcome::Error)];

/// The last word is an older one: a turn that waits for its provider's key has not ended.
pub(crate) const STATUSES: Words<StatusKind> = &[
    ("idle", StatusKind::Idle),
    ("running", StatusKind::Running),
    ("error", StatusKind::Error),
    ("waiting_for_key", StatusKind::Running),
];

pub(crate) const PHASES: Words<Phase> = &[
    ("pending", Phase::Pending),
    ("streaming", Phase::Streaming),
    ("awaiting-tool", Phase::AwaitingTool),
    ("awaiting-approval", Phase::AwaitingApproval),
    ("ended", Phase::Ended),
];

pub(crate) const TOOL_STATES: Words<ToolState> = &[
    ("input-streaming", ToolState::InputStreaming),
    ("running", ToolState::Running),
    ("awaiting-approval", ToolState::AwaitingApproval),
    ("approved", ToolState::Approved),
    ("denied", ToolState::Denied),
    ("done", ToolState::Done),
    ("error", ToolState::Error),
    ("interrupted", ToolState::Interrupted),
];

pub(crate) const APPROVAL_STATES: Words<ApprovalState> = &[
    ("open", ApprovalState::Open),
    ("answering", ApprovalState::Answering),
    ("approved", ApprovalState::Approved),
    ("denied", ApprovalState::Denied),
    ("expired", ApprovalState::Expired),
    ("cancelled", ApprovalState::Cancelled),
];

pub(crate) const OPAQUES: Words<OpaqueKind> =
    &[("file", OpaqueKind::File), ("source", OpaqueKind::Source), ("data", OpaqueKind::Data)];

/// What older streams call things, and what they mean.
const ALIASES: &[(&str, &str)] = &[("shell-output", "tool-output"), ("thinking", "reasoning")];

/// Under which names a thread is found, best first.
pub(crate) const THREAD: &[&str] = &["threadId", "tabId"];

/// Under which names the output of a tool is found, best first.
pub(crate) const OUTPUT: &[&str] = &["output", "shellOutput"];

/// Under which names the call of a result is found, best first.
pub(crate) const RESULT_CALL: &[&str] = &["toolCallId", "callId"];

/// Under which names the call of a `toolCall` is found, best first.
pub(crate) const CALL: &[&str] = &["id", "callId"];

/// Under which names the call of flat fields is found.
pub(crate) const FLAT_CALL: &[&str] = &["callId"];

/// The present name of a type.
pub(crate) fn canonical(kind: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == kind).map_or(kind, |(_, name)| name)
}

/// The first name of a value: the one to write.
pub(crate) fn name<T: PartialEq + Copy>(words: Words<T>, value: T) -> &'static str {
    words.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}
