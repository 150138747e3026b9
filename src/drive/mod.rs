//! The engine at work on tokio: it asks models, runs tools, writes the log and tells subscribers.
//!
//! **Owns**: the tasks of each turn, the order of writing before telling, subscribers, timers.
//! **Sees**: model, engine, transcript.
//! **Never**: a decision about a turn, JSON of events, a database, a socket, a vendor.

mod actor;
mod caught;
mod context;
mod door;
mod effects;
mod fan;
mod gate;
mod host;
mod timers;
mod tree;
mod voice;
mod writer;

pub use door::{Gone, Thread};
pub use fan::{Opening, Subscription};
pub use host::{Call, Diagnostics, Host, Log, Model, Request, Tools, Work, json};
pub use voice::{Output, Voice};

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::{self, Sender};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;

use crate::engine;
use crate::model::ThreadId;

use actor::{Actor, Command};
use caught::tried;

/// What a driver is made with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Of the engine.
    pub engine: engine::Options,
    /// Of the driver.
    pub limits: Limits,
}

/// How much of something there may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How long a cancelled tool may clean up behind itself; then it is dropped. The turn does not wait for it.
    pub grace: Duration,
    /// So many events of a thread are kept for subscribers that come back; who needs older ones gets a snapshot.
    pub events: usize,
    /// So many events may wait for a subscriber; then it is cut.
    pub waiting: usize,
    /// So many threads are at work; then those rest that have nothing to do and that nobody holds or listens to. They
    /// are read again from the log when they are asked for.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { grace: Duration::from_secs(2), events: 4_096, waiting: 1_024, threads: 1_024 }
    }
}

/// Drives the turns of all threads of one server.
///
/// Each thread is a task that owns an engine, and each turn is a tree of tasks below it: a stop, an end or the drop of the
/// driver ends the whole tree. What a send or a queue became is durable before anybody is told, so that a crash takes
/// nothing back; a thread is rebuilt from the log when it is first asked for.
///
/// Laws: L9 to L11. It has to be made inside a tokio runtime with time enabled.
///
/// ```
/// use std::sync::Arc;
/// use turnseal::drive::{Call, Driver, Host, Log, Model, Options, Output, Request, Tools, Voice, Work};
/// use turnseal::engine::{Ask, Input, Message, Meta, Saved, Status};
/// use turnseal::model::{Body, Chunk, Event, Intent, Json, Seq, ThreadId};
///
/// struct Parrot;
/// impl Model for Parrot {
///     fn answer(self: Arc<Self>, request: Request, voice: Voice) -> Work<Result<(), String>> {
///         Box::pin(async move { Ok(voice.text(&format!("{} rows so far", request.chunks.len())).await) })
///     }
/// }
/// struct NoTools;
/// impl Tools for NoTools {
///     fn approval(&self, _: &Call) -> Option<Ask> { None }
///     fn run(self: Arc<Self>, call: Call, _: Output) -> Work<Result<Json, String>> {
///         Box::pin(async move { Err(format!("there is no tool {}", call.name)) })
///     }
/// }
/// struct NoLog;
/// impl Log for NoLog {
///     fn load(self: Arc<Self>, _: ThreadId) -> Work<Result<Saved, String>> { Box::pin(async { Ok(Saved::default()) }) }
///     fn write(self: Arc<Self>, _: ThreadId, rows: Vec<Chunk>, _: Meta) -> Work<Result<Vec<Seq>, String>> {
///         Box::pin(async move { Ok((1..).take(rows.len()).map(Seq).collect()) })
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let diagnostics = Arc::new(|_: &ThreadId, said: &turnseal::engine::Diagnostic| eprintln!("{}", said.detail));
/// let host = Host { model: Arc::new(Parrot), tools: Arc::new(NoTools), log: Arc::new(NoLog), diagnostics };
/// let driver = Driver::new(host, Options::default());
/// let thread = driver.thread(&ThreadId::from("main"));
/// let mut events = thread.subscribe(None).await?;
/// let body = Body::text("hello");
/// let message = Message { id: "m1".into(), client: None, body, intent: Intent::Queue, models: Vec::new() };
/// let answer = thread.put(Input::Send(message)).await?;
/// assert_eq!(answer.map(|answer| answer.status), Some(Status::Ok));
/// while let Some(event) = events.next().await {
///     if let Event::TurnSealed { .. } = &event.event { break }
/// }
/// driver.close().await;
/// # Ok::<(), turnseal::drive::Gone>(()) }).unwrap();
/// ```
#[derive(Debug)]
pub struct Driver {
    host: Host,
    options: Options,
    threads: Mutex<BTreeMap<ThreadId, Running>>,
}

/// A thread at work.
#[derive(Debug)]
struct Running {
    commands: Sender<Command>,
    task: AbortHandle,
    /// Held by each handle and each subscription.
    lease: Arc<()>,
    /// True where nothing is at work.
    rests: Arc<AtomicBool>,
}

impl Running {
    /// True where its end would not be noticed.
    fn is_forgotten(&self) -> bool {
        let is_read = self.commands.capacity() == self.commands.max_capacity();
        self.commands.is_closed()
            || Arc::strong_count(&self.lease) == 1 && is_read && self.rests.load(Ordering::Acquire)
    }
}

/// So many commands wait for a thread at most; who comes then waits.
const COMMANDS_MAX: usize = 64;

impl Driver {
    /// A driver without threads.
    #[must_use]
    pub fn new(host: Host, options: Options) -> Self {
        Self { host, options, threads: Mutex::default() }
    }

    /// A thread. It begins to work here, where it does not already: what a crash left open is sealed.
    #[must_use]
    pub fn thread(&self, id: &ThreadId) -> Thread {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = threads.get(id).filter(|known| !known.commands.is_closed()) {
            return Thread { commands: known.commands.clone(), lease: Arc::clone(&known.lease) };
        }
        if threads.len() >= self.options.limits.threads {
            threads.retain(|_, running| {
                let is_forgotten = running.is_forgotten();
                if is_forgotten {
                    running.task.abort();
                }
                !is_forgotten
            });
        }
        let (commands, inbox) = mpsc::channel(COMMANDS_MAX);
        let (id, host, options) = (id.clone(), self.host.clone(), self.options.clone());
        let (lease, rests) = (Arc::new(()), Arc::new(AtomicBool::new(false)));
        let task = tokio::spawn(work(id.clone(), host, options, inbox, Arc::clone(&rests))).abort_handle();
        threads.insert(id, Running { commands: commands.clone(), task, lease: Arc::clone(&lease), rests });
        Thread { commands, lease }
    }

    /// How many threads are at work.
    #[must_use]
    pub fn count(&self) -> usize {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Stops every turn and waits until all is written. A log that cannot write is waited for: give it a time limit.
    pub async fn close(&self) {
        let closing: Vec<_> = {
            let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
            threads.values().map(|running| running.commands.clone()).collect()
        };
        let ask = closing.into_iter().map(|commands| async move {
            let (reply, closed) = oneshot::channel();
            if commands.send(Command::Close { reply }).await.is_ok() {
                // A thread that ended otherwise has nothing left to write.
                let _ = closed.await;
            }
        });
        let mut all: tokio::task::JoinSet<()> = ask.collect();
        while all.join_next().await.is_some() {}
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let threads = self.threads.get_mut().unwrap_or_else(PoisonError::into_inner);
        threads.values().for_each(|running| running.task.abort());
    }
}

/// Reads a thread and lets it work. Where it cannot be read, who has asked hears that it is gone, and may ask again.
async fn work(id: ThreadId, host: Host, options: Options, inbox: mpsc::Receiver<Command>, rests: Arc<AtomicBool>) {
    let (log, thread) = (Arc::clone(&host.log), id.clone());
    match tried("the log", move || log.load(thread)).await {
        Ok(saved) => Actor::new(id, host, options, inbox, saved).run(rests).await,
        Err(error) => {
            let code = engine::Code::PersistFailed;
            let diagnostic =
                engine::Diagnostic { code, turn: None, detail: format!("the thread was not read: {error}") };
            (host.diagnostics)(&id, &diagnostic);
        }
    }
}
