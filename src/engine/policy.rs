//! Where products differ: one switch each, with the default of SPEC 8.

/// The switches. The default is what SPEC 8 says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// What a message does while an approval is open.
    pub on_approval: OnApproval,
    /// When the next turn may start.
    pub gate: Gate,
    /// How a steer reaches the running turn.
    pub steer: OnSteer,
    /// What a steer does that came after the turn was aborted or had failed.
    pub late_steer: OnLateSteer,
    /// What a tool's result does that comes after the end of its turn.
    pub late_output: OnLateOutput,
    /// What happens to the queue when the user stops a turn.
    pub on_stop: OnEnd,
    /// What happens to the queue when a turn fails.
    pub on_error: OnEnd,
    /// What a denial does.
    pub on_deny: OnDeny,
    /// How a turn ends of whose executions some were aborted and none failed.
    pub mixed: Mixed,
    /// What becomes of a running turn that nobody watches any more.
    pub background: Background,
    /// How many queued messages one turn takes.
    pub batch: Batch,
    /// After so many failed tool calls in a row, an execution gives up. 0: never.
    pub tool_failures_max: u32,
    /// An approval that nobody decides expires after that time. `None`: never.
    pub approval_timeout_ms: Option<u64>,
    /// A model that says nothing for that time is given up. `None`: never.
    pub idle_timeout_ms: Option<u64>,
    /// How long the first failed write waits; it doubles up to `backoff_ms_max`.
    pub backoff_ms_min: u64,
    /// How long a failed write waits at most.
    pub backoff_ms_max: u64,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            on_approval: OnApproval::Queue,
            gate: Gate::Ended,
            steer: OnSteer::Yield,
            late_steer: OnLateSteer::Return,
            late_output: OnLateOutput::Discard,
            on_stop: OnEnd::Hold,
            on_error: OnEnd::Hold,
            on_deny: OnDeny::Continue,
            mixed: Mixed::Done,
            background: Background::Continue,
            batch: Batch::One,
            tool_failures_max: 6,
            approval_timeout_ms: None,
            idle_timeout_ms: None,
            backoff_ms_min: 500,
            backoff_ms_max: 30_000,
        }
    }
}

/// What a message does while an approval is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnApproval {
    /// It waits.
    Queue,
    /// It takes the place of the calls that wait, unless a tool or a model is at work.
    Supersede,
}

/// When the next turn may start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// When the last one has ended.
    Ended,
    /// When all earlier ones are sealed.
    Sealed,
}

/// How a steer reaches the running turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnSteer {
    /// The turn ends at its next step boundary, the steer starts the next.
    Yield,
    /// It is told at the next step boundary, inside the running turn. Where several models answer, as `Yield`.
    Inject,
    /// It waits like any other message.
    Queue,
}

/// What a late steer does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnLateSteer {
    /// It goes back to the user.
    Return,
    /// It is refused: the sender keeps it as failed.
    Drop,
    /// It starts a turn, like any other message.
    Start,
}

/// What a tool's result does that comes after the end of its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnLateOutput {
    /// It is counted and dropped.
    Discard,
    /// It is told to those who look on, until the turn is sealed. No model hears of it.
    Display,
    /// As `Display`; and it becomes the result in the log, as long as the turn is not sealed and no model was asked since.
    Replace,
}

/// How a turn ends of whose executions some were aborted and none failed. After a stop of the user: always as aborted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mixed {
    /// As done, where at least one was.
    Done,
    /// As aborted.
    Aborted,
}

/// What becomes of a running turn that nobody watches any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Background {
    /// It goes on.
    Continue,
    /// It is stopped.
    Abort,
}

/// What happens to the queue at a stop or a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnEnd {
    /// It waits for the next explicit send or resume.
    Hold,
    /// Its messages are cancelled.
    Drop,
    /// It goes on.
    Run,
}

/// What a denial does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDeny {
    /// The model is told, and goes on.
    Continue,
    /// The execution ends as aborted.
    End,
}

/// How many queued messages one turn takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Batch {
    /// One.
    One,
    /// The head and all behind it of the same intent and for the same models.
    Alike,
}
