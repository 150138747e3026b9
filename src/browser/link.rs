//! A socket that comes back, as a machine without a socket: what happened goes in, what to do comes out.

use std::collections::BTreeMap;

use crate::model::ThreadId;
use crate::wire::encode::text::Writer;

use super::rules::{LOOK_MS, OPEN_MS, SILENT_MS, SUSPECT_MS, THREADS_MAX, wait_ms};
use super::standing::{LinkPhase, LinkState, Moment};

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkInput {
    /// It begins.
    Begin,
    /// A thread is looked at.
    Listen(ThreadId),
    /// A thread has another name.
    Rename {
        /// The old one.
        from: ThreadId,
        /// The new one.
        to: ThreadId,
    },
    /// The socket is open.
    Opened,
    /// The socket is gone, or never opened.
    Lost,
    /// A frame came, with the numbers of its events.
    Heard(Vec<(ThreadId, u64)>),
    /// The timer is due.
    TimerFired,
    /// The page is back: it is seen again, or the network is there.
    Back,
    /// The network is gone.
    Offline,
    /// The user does not want to wait.
    Retry,
    /// It ends.
    Close,
}

/// What to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkEffect {
    /// Let the socket go: whatever it still says is not heard.
    Drop,
    /// Open a socket.
    Connect,
    /// Send a frame.
    Say(String),
    /// Start the one timer, in the place of the one that runs.
    StartTimer {
        /// Milliseconds.
        after_ms: u64,
    },
    /// Stop the timer.
    StopTimer,
    /// Things stand otherwise.
    State(LinkState),
}

/// The machine.
#[derive(Debug)]
pub struct Link {
    phase: LinkPhase,
    /// In the order in which they were looked at.
    opened: Vec<ThreadId>,
    /// The last number heard of each.
    last: BTreeMap<ThreadId, u64>,
    /// What the open socket listens to.
    here: Vec<ThreadId>,
    attempt: u32,
    heard_ms: u64,
}

impl Default for Link {
    fn default() -> Self {
        Self {
            phase: LinkPhase::Waiting,
            opened: Vec::new(),
            last: BTreeMap::new(),
            here: Vec::new(),
            attempt: 0,
            heard_ms: 0,
        }
    }
}

impl Link {
    /// The one door.
    #[must_use]
    pub fn apply(&mut self, input: LinkInput, now: Moment) -> Vec<LinkEffect> {
        if self.phase == LinkPhase::Closed {
            return Vec::new();
        }
        match input {
            LinkInput::Begin => self.connect(),
            LinkInput::Listen(thread) => self.on_listen(thread),
            LinkInput::Rename { from, to } => self.on_rename(&from, to),
            LinkInput::Opened => self.on_opened(now),
            LinkInput::Lost | LinkInput::Offline => self.lose(now),
            LinkInput::Heard(numbers) => self.on_heard(numbers, now),
            LinkInput::TimerFired => self.on_timer(now),
            LinkInput::Back => self.on_back(now),
            LinkInput::Retry => self.on_retry(),
            LinkInput::Close => self.on_close(),
        }
    }

    fn connect(&mut self) -> Vec<LinkEffect> {
        self.phase = LinkPhase::Connecting;
        // A network that swallows what it is given says nothing at all.
        let timer = LinkEffect::StartTimer { after_ms: OPEN_MS };
        vec![LinkEffect::Drop, self.state(None), timer, LinkEffect::Connect]
    }

    fn state(&self, retry_ms: Option<u64>) -> LinkEffect {
        LinkEffect::State(LinkState { phase: self.phase, attempt: self.attempt, retry_ms })
    }

    fn lose(&mut self, now: Moment) -> Vec<LinkEffect> {
        self.phase = if now.offline { LinkPhase::Offline } else { LinkPhase::Waiting };
        self.attempt = self.attempt.saturating_add(1);
        let after_ms = wait_ms(self.attempt, now.chance);
        let state = self.state(Some(now.ms.saturating_add(after_ms)));
        vec![LinkEffect::Drop, state, LinkEffect::StartTimer { after_ms }]
    }

    fn on_listen(&mut self, thread: ThreadId) -> Vec<LinkEffect> {
        self.opened.retain(|other| *other != thread);
        self.opened.push(thread);
        self.tell()
    }

    fn on_rename(&mut self, from: &ThreadId, to: ThreadId) -> Vec<LinkEffect> {
        self.opened.retain(|other| other != from);
        self.last.remove(from);
        if !self.opened.contains(&to) {
            self.opened.push(to);
        }
        self.tell()
    }

    fn on_opened(&mut self, now: Moment) -> Vec<LinkEffect> {
        self.phase = LinkPhase::Open;
        self.heard_ms = now.ms;
        self.here.clear();
        let mut effects = vec![self.state(None)];
        effects.extend(self.tell());
        effects.push(LinkEffect::StartTimer { after_ms: LOOK_MS });
        effects
    }

    fn on_heard(&mut self, numbers: Vec<(ThreadId, u64)>, now: Moment) -> Vec<LinkEffect> {
        self.heard_ms = now.ms;
        // Not before: a server that takes a socket and ends it at once is waited for longer and longer.
        self.attempt = 0;
        self.last.extend(numbers);
        Vec::new()
    }

    fn on_timer(&mut self, now: Moment) -> Vec<LinkEffect> {
        match self.phase {
            LinkPhase::Open if self.is_silent(now, SILENT_MS) => self.lose(now),
            LinkPhase::Open => vec![LinkEffect::StartTimer { after_ms: LOOK_MS }],
            LinkPhase::Connecting => self.lose(now),
            LinkPhase::Waiting | LinkPhase::Offline => self.connect(),
            LinkPhase::Closed => Vec::new(),
        }
    }

    fn on_back(&mut self, now: Moment) -> Vec<LinkEffect> {
        match self.phase {
            // One that is still opening has its own time.
            LinkPhase::Connecting | LinkPhase::Closed => Vec::new(),
            LinkPhase::Open if !self.is_silent(now, SUSPECT_MS) => Vec::new(),
            LinkPhase::Open | LinkPhase::Waiting | LinkPhase::Offline => self.anew(),
        }
    }

    fn on_retry(&mut self) -> Vec<LinkEffect> {
        match self.phase {
            LinkPhase::Open | LinkPhase::Closed => Vec::new(),
            LinkPhase::Connecting | LinkPhase::Waiting | LinkPhase::Offline => self.anew(),
        }
    }

    fn anew(&mut self) -> Vec<LinkEffect> {
        self.attempt = 0;
        self.connect()
    }

    fn on_close(&mut self) -> Vec<LinkEffect> {
        self.phase = LinkPhase::Closed;
        vec![LinkEffect::StopTimer, LinkEffect::Drop, self.state(None)]
    }

    /// Who listens to nothing is told nothing.
    fn is_silent(&self, now: Moment, limit: u64) -> bool {
        !self.here.is_empty() && now.ms.saturating_sub(self.heard_ms) > limit
    }

    /// Says what changed in what is listened to: the threads that were looked at last.
    fn tell(&mut self) -> Vec<LinkEffect> {
        if self.phase != LinkPhase::Open {
            return Vec::new();
        }
        let past = self.opened.len().saturating_sub(THREADS_MAX);
        let wanted: Vec<ThreadId> = self.opened.iter().skip(past).cloned().collect();
        let gone =
            self.here.iter().filter(|thread| !wanted.contains(thread)).map(|thread| say("unsubscribe", thread, None));
        let new = wanted.iter().filter(|thread| !self.here.contains(thread));
        let new = new.map(|thread| say("subscribe", thread, self.last.get(thread).copied()));
        let effects = gone.chain(new).collect();
        self.here = wanted;
        effects
    }
}

fn say(kind: &str, thread: &ThreadId, after: Option<u64>) -> LinkEffect {
    let mut out = String::new();
    let mut object = Writer::open(&mut out);
    object.text("type", kind);
    object.text("threadId", thread.as_str());
    object.opt_number("after", after);
    object.close();
    LinkEffect::Say(out)
}
