//! A paper host: carries effects out, keeps the log, and says what happened in words.

use std::collections::BTreeMap;

use turnseal::engine::{Ask, Effect, Engine, Input, Message, Options, Policy, Target, TimerId};
use turnseal::model::{
    Body, CallId, Chunk, Cut, DeltaKind, Envelope, Event, ExecutionId, Intent, Json, MessageId, Outcome, Phase, Seq,
    Snapshot, Stream, ThreadId, TurnId,
};
use turnseal::transcript::{self, Projection, Vendor};

use super::draw;

pub const X: &str = "t:1.1";

#[derive(Clone)]
pub struct Bench {
    pub engine: Engine,
    pub log: Vec<Chunk>,
    /// All chunks handed over, written or not: the context of the next request.
    pub context: Vec<Chunk>,
    pub events: Vec<Envelope>,
    pub all: Vec<Effect>,
    /// Writes fail while this is true.
    pub broken: bool,
    /// The turns of which an `append` failed, and at which row.
    pub short: BTreeMap<TurnId, usize>,
    /// What the writer has to tell the engine.
    pub answers: Vec<Input>,
}

pub fn thread() -> ThreadId {
    ThreadId::from("t")
}

pub fn message(id: &str, intent: Intent) -> Message {
    let client = Some(format!("k-{id}").as_str().into());
    Message { id: id.into(), client, body: Body::text(format!("say {id}")), intent, models: Vec::new() }
}

pub fn target(call: &str) -> Target {
    Target { call: call.into(), turn: None, execution: None, reason: None }
}

impl Bench {
    pub fn new() -> Self {
        Self::with(Policy::default(), &[])
    }

    pub fn policy(policy: Policy) -> Self {
        Self::with(policy, &[])
    }

    pub fn models(models: &[&str]) -> Self {
        Self::with(Policy::default(), models)
    }

    pub fn with(policy: Policy, models: &[&str]) -> Self {
        let models = models.iter().map(|model| (*model).to_owned()).collect();
        Self::of(Engine::new(Options { models, policy }))
    }

    pub fn of(engine: Engine) -> Self {
        let (log, context, events, all) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (short, answers) = (BTreeMap::new(), Vec::new());
        Self { engine, log, context, events, all, broken: false, short, answers }
    }

    /// One input, its effects in words.
    pub fn put(&mut self, input: Input) -> String {
        let effects = self.engine.apply(&thread(), input);
        self.carry(&effects);
        draw::words(&effects)
    }

    pub fn carry(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Append { turn, from, chunks } => {
                    self.context.extend(chunks.iter().cloned());
                    if self.broken && !self.short.contains_key(turn) {
                        self.short.insert(turn.clone(), *from);
                        self.answers.push(failed_from(turn, *from));
                    }
                    if !self.short.contains_key(turn) {
                        self.write(chunks);
                    }
                }
                Effect::Seal { turn, from, chunks } => {
                    let known = self.context.iter().filter(|row| row.turn == *turn).count();
                    self.context.extend(chunks.iter().skip(known.saturating_sub(*from)).cloned());
                    let missing = self.short.get(turn).copied().filter(|short| short < from);
                    if self.broken || missing.is_some() {
                        self.answers.push(failed_from(turn, *from));
                    } else {
                        self.short.remove(turn);
                        self.write(chunks);
                        self.answers.push(self.written(turn.as_str()));
                    }
                }
                Effect::Publish(envelope) => {
                    let last = self.events.last().and_then(|last| last.n);
                    assert!(last.is_none() || envelope.n == last.map(|n| n + 1), "events are numbered without gaps");
                    self.events.push(envelope.clone());
                }
                _ => {}
            }
        }
        self.all.extend(effects.iter().cloned());
    }

    fn write(&mut self, chunks: &[Chunk]) {
        for chunk in chunks {
            let seq = Seq(self.log.len() as u64 + 1);
            self.log.push(Chunk { seq, ..chunk.clone() });
        }
    }

    /// All rows of a turn that were handed over, in their order.
    pub fn engine_rows(&self, turn: &TurnId) -> Vec<Chunk> {
        let rows = self.context.iter().filter(|row| row.turn == *turn).zip(1..);
        rows.map(|(row, seq)| Chunk { seq: Seq(seq), ..row.clone() }).collect()
    }

    /// L10: nothing is done but telling a developer or the one who asked, and the state is the same.
    pub fn nothing(&mut self, input: Input) -> String {
        let before = self.engine.clone();
        let effects = self.engine.apply(&thread(), input);
        assert_eq!(before, self.engine, "a late input changes nothing");
        let quiet = |effect: &Effect| matches!(effect, Effect::Diagnostic(_) | Effect::Answer(_));
        assert!(effects.iter().all(quiet), "{}", draw::words(&effects));
        draw::words(&effects)
    }

    pub fn snapshot(&self) -> Snapshot {
        match self.engine.snapshot(&thread()).event {
            Event::Snapshot(snapshot) => *snapshot,
            other => panic!("{other:?}"),
        }
    }

    /// The phase of the newest turn.
    pub fn phase(&self) -> Option<Phase> {
        self.snapshot().turns.last().map(|turn| turn.phase)
    }

    pub fn queue(&self) -> String {
        let snapshot = self.snapshot();
        let ids: Vec<_> = snapshot.queue.unwrap_or_default().iter().map(|item| item.message.to_string()).collect();
        format!("{}{}", ids.join(" "), if snapshot.held == Some(true) { " held" } else { "" })
    }

    pub fn send(&mut self, id: &str) -> String {
        self.put(Input::Send(message(id, Intent::Queue)))
    }

    pub fn steer(&mut self, id: &str) -> String {
        self.put(Input::Send(message(id, Intent::Steer)))
    }

    pub fn stop(&mut self) -> String {
        self.put(Input::Stop { turn: None })
    }

    pub fn delta(&mut self, x: &str, text: &str) -> String {
        self.put(delta(x, text))
    }

    pub fn call(&mut self, x: &str, call: &str) -> String {
        self.put(called(x, call, None))
    }

    pub fn ask(&mut self, x: &str, call: &str) -> String {
        self.put(called(x, call, Some(Ask::default())))
    }

    pub fn result(&mut self, turn: &str, call: &str) -> String {
        self.put(result(turn, call))
    }

    pub fn step_end(&mut self, x: &str) -> String {
        self.put(Input::StepEnd { execution: x.into() })
    }

    pub fn done(&mut self, x: &str) -> String {
        self.put(end(x, Outcome::Done))
    }

    pub fn fail(&mut self, x: &str) -> String {
        self.put(end(x, Outcome::Error))
    }

    pub fn approve(&mut self, call: &str) -> String {
        self.put(Input::Approve(target(call)))
    }

    pub fn deny(&mut self, call: &str) -> String {
        self.put(Input::Deny(target(call)))
    }

    pub fn persisted(&mut self, turn: &str) -> String {
        let input = self.written(turn);
        self.put(input)
    }

    pub fn written(&self, turn: &str) -> Input {
        let turn = TurnId::from(turn);
        let chunks = self.log.iter().filter(|row| row.turn == turn).cloned().collect();
        Input::Persisted { turn, chunks }
    }

    pub fn fires(&mut self, timer: u64) -> String {
        self.put(Input::TimerFired { timer: TimerId(timer) })
    }

    /// The context of the next request, for a vendor.
    pub fn told(&self, vendor: Vendor, execution: Option<&str>) -> Projection {
        let mut rows = self.context.clone();
        for (row, seq) in rows.iter_mut().zip(1..) {
            row.seq = Seq(seq);
        }
        transcript::project(&rows, &transcript::Options { vendor, execution: execution.map(ExecutionId::from) })
    }

    /// The context in short: `user "say m1"`, `assistant ..`, by a neutral reading of the messages.
    pub fn messages(&self) -> String {
        let told = self.told(Vendor::OpenaiChat, None);
        assert!(told.problems.is_empty(), "{:?}", told.problems);
        told.messages
    }

    /// The kinds of the rows of a turn in the log.
    pub fn rows(&self, turn: &str) -> String {
        use turnseal::model::ChunkBody as B;
        let turn = TurnId::from(turn);
        let kinds = self.log.iter().filter(|row| row.turn == turn).map(|row| match &row.body {
            B::Text { text } => format!("{} {text:?}", format!("{:?}", row.role).to_lowercase()),
            B::Reasoning { .. } => "reasoning".into(),
            B::ToolCall { call, .. } => format!("call {call}"),
            B::ToolResult { call, result, .. } => format!("result {call} {}", result.as_str()),
            B::Error { message, .. } => format!("error {message:?}"),
            B::Part(_) => "part".into(),
            B::System { .. } => "system".into(),
            B::Usage(_) => "usage".into(),
            B::Unknown { kind, data } => format!("{kind} {}", data.as_str()),
        });
        kinds.collect::<Vec<_>>().join("; ")
    }
}

fn failed_from(turn: &TurnId, from: usize) -> Input {
    Input::PersistFailed { turn: turn.clone(), from: Some(from), error: "disk full".into() }
}

pub fn delta(x: &str, text: &str) -> Input {
    Input::Delta { execution: x.into(), kind: DeltaKind::Text, delta: Cut::whole(text) }
}

pub fn called(x: &str, call: &str, approval: Option<Ask>) -> Input {
    let (name, arguments) = ("tool".to_owned(), Json::new("{}"));
    Input::ToolCall { execution: x.into(), call: call.into(), name, arguments, approval }
}

pub fn result(turn: &str, call: &str) -> Input {
    let (turn, call) = (TurnId::from(turn), CallId::from(call));
    Input::ToolResult { turn, execution: None, call, result: Json::new("\"out\""), is_error: false }
}

pub fn output(turn: &str, call: &str) -> Input {
    let (turn, call) = (TurnId::from(turn), CallId::from(call));
    Input::ToolOutput { turn, execution: None, call, data: Cut::whole("line"), stream: Stream::Stdout }
}

pub fn end(x: &str, outcome: Outcome) -> Input {
    let error = (outcome == Outcome::Error).then(|| "broke".to_owned());
    Input::ExecutionEnd { execution: x.into(), outcome, error }
}

pub fn queued(id: &str) -> MessageId {
    MessageId::from(id)
}
