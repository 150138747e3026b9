//! What a host brings: who answers, what can be called, where it is kept.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::engine::{Ask, Diagnostic, Meta, Saved};
use crate::model::{CallId, Chunk, ExecutionId, Json, Seq, ThreadId, TurnId};
use crate::transcript::{self, Projection, Vendor};

use super::voice::{Output, Voice};

/// What takes time. It is polled inside a task of its turn, and dropped where it is no longer wanted.
pub type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Who answers.
pub trait Model: Send + Sync + 'static {
    /// Answers one request: says it through `voice` as it comes, and returns when the response is over.
    ///
    /// A response that has called tools is asked for again when they have answered. The work is dropped where the answer
    /// is no longer wanted, which closes its connection.
    /// Errors: the execution ends as failed with that text. A panic does the same.
    fn answer(self: Arc<Self>, request: Request, voice: Voice) -> Work<Result<(), String>>;
}

/// What can be called.
pub trait Tools: Send + Sync + 'static {
    /// What a person is asked before this call runs; `None`: it runs at once. May not wait for anything.
    fn approval(&self, call: &Call) -> Option<Ask>;

    /// Runs a call. `output` takes what it prints, and tells when the result is no longer wanted.
    ///
    /// A cancelled call has the time of [`super::Limits::grace`] to clean up behind itself; then it is dropped. What it
    /// gives after it was cancelled is dropped too: nobody waits for it.
    /// Errors: the model is told that text as a failed result. A panic ends the execution as failed.
    fn run(self: Arc<Self>, call: Call, output: Output) -> Work<Result<Json, String>>;
}

/// Where a thread is kept. All calls for one thread come one after another.
pub trait Log: Send + Sync + 'static {
    /// All rows of a thread, and what [`Self::write`] was given last beside them. An unknown thread is empty.
    fn load(self: Arc<Self>, thread: ThreadId) -> Work<Result<Saved, String>>;

    /// Writes rows behind all others, and `meta` in the place of the last one, in one transaction: both or nothing.
    /// Gives the seq of each row. There may be no rows.
    ///
    /// Errors: nothing was written; the same is tried again later.
    fn write(self: Arc<Self>, thread: ThreadId, rows: Vec<Chunk>, meta: Meta) -> Work<Result<Vec<Seq>, String>>;
}

/// Hears what a developer should know.
pub type Diagnostics = Arc<dyn Fn(&ThreadId, &Diagnostic) + Send + Sync>;

/// What a driver works with.
#[derive(Clone)]
pub struct Host {
    /// Who answers.
    pub model: Arc<dyn Model>,
    /// What can be called.
    pub tools: Arc<dyn Tools>,
    /// Where it is kept.
    pub log: Arc<dyn Log>,
    /// Who is told what a developer should know.
    pub diagnostics: Diagnostics,
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").finish_non_exhaustive()
    }
}

/// What a model is asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// The thread.
    pub thread: ThreadId,
    /// The turn.
    pub turn: TurnId,
    /// The execution: the model's part in the turn.
    pub execution: ExecutionId,
    /// The step, from 0.
    pub step: u32,
    /// Whom to ask, where the engine was told.
    pub model: Option<String>,
    /// All rows that were handed over before it, written or not, in their order.
    pub chunks: Vec<Chunk>,
}

impl Request {
    /// The thread in the words of a vendor, as this execution is told it.
    #[must_use]
    pub fn messages(&self, vendor: Vendor) -> Projection {
        transcript::project(&self.chunks, &transcript::Options { vendor, execution: Some(self.execution.clone()) })
    }
}

/// One call of a tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The thread.
    pub thread: ThreadId,
    /// The turn.
    pub turn: TurnId,
    /// The execution that called.
    pub execution: ExecutionId,
    /// Its name; it may come again in a later step.
    pub call: CallId,
    /// The tool.
    pub name: String,
    /// The arguments.
    pub arguments: Json,
}

/// The text itself where it is JSON, else a JSON string that holds it: models and tools say what they like.
#[must_use]
pub fn json(text: &str) -> Json {
    let is_json = serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok();
    if is_json { Json::new(text.trim()) } else { string(text) }
}

/// A JSON string.
pub(super) fn string(text: &str) -> Json {
    Json::new(serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned()))
}
