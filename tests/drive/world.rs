//! A driver with a paper host, and what its clients have seen.

use std::sync::{Arc, Mutex};

use tokio::time::Instant;
use turnseal::drive::{Driver, Host, Opening, Options, Thread};
use turnseal::engine::{Answer, Diagnostic, Input, Message, Status, Target};
use turnseal::model::{Body, CallId, Envelope, Event, Intent, MessageId, Outcome, ThreadId, TurnId};

use crate::hosts::{Actress, Alive, Stage, pass};
use crate::log::Paper;

type Seen = Arc<Mutex<Vec<(Instant, Arc<Envelope>)>>>;

pub struct World {
    pub driver: Driver,
    pub thread: Thread,
    pub log: Arc<Paper>,
    pub alive: Alive,
    said: Arc<Mutex<Vec<Diagnostic>>>,
    seen: Seen,
}

pub fn id() -> ThreadId {
    ThreadId::from("t")
}

pub fn message(id: &str, text: &str, intent: Intent) -> Message {
    let client = Some(format!("k-{id}").as_str().into());
    Message { id: id.into(), client, body: Body::text(text), intent, models: Vec::new() }
}

impl World {
    pub async fn new() -> Self {
        Self::on(Arc::default(), Options::default()).await
    }

    pub async fn with(options: Options) -> Self {
        Self::on(Arc::default(), options).await
    }

    /// A driver over a log, as after a restart.
    pub async fn on(log: Arc<Paper>, options: Options) -> Self {
        let (alive, said) = (Alive::default(), Arc::new(Mutex::new(Vec::new())));
        let heard = Arc::clone(&said);
        let host = Host {
            model: Arc::new(Actress(alive.clone())),
            tools: Arc::new(Stage(alive.clone())),
            log: Arc::clone(&log) as _,
            diagnostics: Arc::new(move |_, diagnostic| heard.lock().unwrap().push(diagnostic.clone())),
        };
        let driver = Driver::new(host, options);
        let thread = driver.thread(&id());
        let seen = listen(&thread).await;
        Self { driver, thread, log, alive, said, seen }
    }

    pub async fn put(&self, input: Input) -> Option<Answer> {
        self.thread.put(input).await.expect("the thread works")
    }

    pub async fn send(&self, id: &str, text: &str) -> Status {
        self.put(Input::Send(message(id, text, Intent::Queue))).await.expect("an answer").status
    }

    pub async fn steer(&self, id: &str, text: &str) -> Status {
        self.put(Input::Send(message(id, text, Intent::Steer))).await.expect("an answer").status
    }

    pub async fn stop(&self) {
        assert_eq!(self.put(Input::Stop { turn: None }).await, None);
    }

    pub async fn approve(&self, call: &str) -> Status {
        let target = Target { call: CallId::from(call), turn: None, execution: None, reason: None };
        self.put(Input::Approve(target)).await.expect("an answer").status
    }

    pub fn events(&self) -> Vec<Arc<Envelope>> {
        self.seen.lock().unwrap().iter().map(|(_, event)| Arc::clone(event)).collect()
    }

    /// Each event in one word or two, for those that are asked for.
    pub fn words(&self) -> String {
        let words = self.events().into_iter().filter_map(|event| match &event.event {
            Event::TurnStart { turn, .. } => Some(format!("start {turn}")),
            Event::TurnEnd { turn, outcome, .. } => Some(format!("end {turn} {}", outcome_word(*outcome))),
            Event::TurnSealed { turn, .. } => Some(format!("sealed {turn}")),
            Event::MessageQueued { message, .. } => Some(format!("queued {message}")),
            Event::ToolResult { call, is_error, .. } => Some(format!("result {call} {is_error}")),
            Event::Error { error, .. } => Some(format!("error {error}")),
            Event::QueueSnapshot { held: true, .. } => Some("held".to_owned()),
            _ => None,
        });
        words.collect::<Vec<_>>().join("; ")
    }

    /// The text that a turn has streamed.
    pub fn text(&self) -> String {
        let deltas = self.events().into_iter().filter_map(|event| match &event.event {
            Event::Delta { delta, .. } => Some(delta.text.clone()),
            _ => None,
        });
        deltas.collect()
    }

    /// When a turn ended, and how.
    pub fn end(&self, turn: &str) -> Option<(Instant, Outcome)> {
        let turn = TurnId::from(turn);
        self.seen.lock().unwrap().iter().find_map(|(at, event)| match &event.event {
            Event::TurnEnd { turn: of, outcome, .. } if *of == turn => Some((*at, *outcome)),
            _ => None,
        })
    }

    pub fn diagnostics(&self) -> Vec<String> {
        self.said.lock().unwrap().iter().map(|it| format!("{}: {}", it.code.as_str(), it.detail)).collect()
    }

    /// Waits, in simulated time, until a turn is sealed.
    pub async fn sealed(&self, turn: &str) {
        let word = format!("sealed {turn}");
        for _ in 0..10_000 {
            if self.words().contains(&word) {
                return;
            }
            pass(10).await;
        }
        panic!("{turn} is not sealed: {}", self.words());
    }
}

pub fn queued(id: &str) -> MessageId {
    MessageId::from(id)
}

fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Aborted => "aborted",
        Outcome::Error => "error",
    }
}

/// Subscribes and keeps what comes, with the time; events are numbered without gaps.
async fn listen(thread: &Thread) -> Seen {
    let seen = Seen::default();
    let mut subscription = thread.subscribe(None).await.expect("the thread works");
    let Opening::Snapshot(snapshot) = &subscription.opening else { panic!("a snapshot comes first") };
    let (kept, mut last) = (Arc::clone(&seen), snapshot.n);
    tokio::spawn(async move {
        while let Some(event) = subscription.next().await {
            assert_eq!(event.n, last.map(|n| n + 1), "events come without gaps");
            last = event.n;
            kept.lock().unwrap().push((Instant::now(), event));
        }
    });
    seen
}
