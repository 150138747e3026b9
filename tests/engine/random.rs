//! Random runs by seed: the laws hold after every step, whatever comes. RUNS sets how many.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::{BTreeMap, BTreeSet};

use turnseal::engine::{Ask, Code, Effect, Engine, Input, OnApproval, OnEnd, Policy, Status, TimerId};
use turnseal::model::{Cut, DeltaKind, Event, ExecutionId, Intent, Json, Opaque, OpaqueKind, Outcome, PartId, TurnId};
use turnseal::transcript::Vendor;

use super::bench::{Bench, called, end, message, output, queued, result, target};
use super::chance::{Chance, policy, runs};
use super::draw;

pub const VENDORS: [Vendor; 4] = [Vendor::Anthropic, Vendor::OpenaiChat, Vendor::OpenaiResponses, Vendor::Neutral];

/// One run: a bench, and what it has seen.
pub struct Run {
    pub bench: Bench,
    pub chance: Chance,
    pub policy: Policy,
    pub models: &'static [&'static str],
    /// False: nobody says `send-now`.
    pub sends_now: bool,
    sent: usize,
    executions: Vec<ExecutionId>,
    started: Vec<TurnId>,
    ended: BTreeMap<TurnId, Outcome>,
    pub taken: BTreeMap<String, usize>,
    cancelled: BTreeSet<String>,
    accepted: BTreeSet<String>,
    timers: Vec<TimerId>,
    /// One of several that failed in the running turn.
    failed: Option<(TurnId, ExecutionId)>,
}

impl Run {
    pub fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let policy = policy(&mut chance);
        let models: &'static [&'static str] = chance.of(&[&[] as &[&str], &[], &["p", "q"], &["p", "q", "r"]]);
        Self {
            bench: Bench::with(policy.clone(), models),
            chance,
            policy,
            models,
            sends_now: true,
            sent: 0,
            executions: Vec::new(),
            started: Vec::new(),
            ended: BTreeMap::new(),
            taken: BTreeMap::new(),
            cancelled: BTreeSet::new(),
            accepted: BTreeSet::new(),
            timers: Vec::new(),
            failed: None,
        }
    }

    fn execution(&mut self) -> ExecutionId {
        let newest = self.executions.len().saturating_sub(3);
        let at = if self.chance.below(8) == 0 { 0 } else { newest };
        let known = self.executions[at..].to_vec();
        if known.is_empty() { ExecutionId::from("t:1.1") } else { self.chance.of(&known) }
    }

    fn turn(&mut self) -> TurnId {
        let at = if self.chance.below(8) == 0 { 0 } else { self.started.len().saturating_sub(1) };
        let known = self.started[at..].to_vec();
        if known.is_empty() { TurnId::from("t:1") } else { self.chance.of(&known) }
    }

    fn id(&mut self) -> String {
        // The name of a message that was cancelled is not given again.
        let is_over = self.cancelled.contains(&format!("m{}", self.sent));
        if self.chance.below(6) > 0 || self.sent == 0 || is_over {
            self.sent += 1;
        }
        format!("m{}", self.sent)
    }

    fn known(&mut self) -> String {
        format!("m{}", self.sent.saturating_sub(self.chance.below(4)).max(1))
    }

    /// Something that may or may not make sense now.
    pub fn input(&mut self) -> Input {
        let x = self.execution();
        let name = x.to_string();
        let turn = self.turn();
        let call = format!("c{}", self.chance.below(3));
        if let Some((turn, execution)) = self.failed.take_if(|_| self.chance.below(3) == 0) {
            return Input::Retry { turn, execution };
        }
        match self.chance.below(34) {
            0..=2 => Input::Send(message(&self.id(), Intent::Queue)),
            3 => Input::Send(message(&self.id(), Intent::Steer)),
            4 => Input::Stop { turn: self.chance.of(&[None, Some(turn)]) },
            5..=8 => {
                let kind = self.chance.of(&[DeltaKind::Text, DeltaKind::Text, DeltaKind::Reasoning]);
                let delta = Cut::whole(self.chance.of(&["", "a", "bc "]));
                Input::Delta { execution: x, kind, delta }
            }
            9 => Input::ReasoningEnd { execution: x, metadata: self.chance.of(&[None, Some(Json::new("{\"s\":1}"))]) },
            10 => {
                let delta = Cut::whole(self.chance.of(&["", "{"]));
                Input::ToolInput { execution: x, call: call.as_str().into(), name: Some("tool".into()), delta }
            }
            11..=14 => called(&name, &call, None),
            15..=16 => called(&name, &call, Some(Ask::default())),
            17..=18 => output(turn.as_str(), &call),
            19..=23 => result(turn.as_str(), &call),
            24..=26 => Input::StepEnd { execution: x },
            27 => end(&name, self.chance.of(&[Outcome::Done, Outcome::Done, Outcome::Aborted, Outcome::Error])),
            28 => self.chance.of(&[Input::Approve(target(&call)), Input::Deny(target(&call))]),
            29 => {
                let id = self.chance.of(&[None, Some(PartId::from("p"))]);
                let json = Json::new(format!("{{\"type\":\"data\",\"v\":{}}}", self.chance.below(9)));
                let json = if id.is_some() { Json::new(json.as_str().replace("{", "{\"id\":\"p\",")) } else { json };
                Input::Part { execution: x, part: Opaque { kind: OpaqueKind::Data, id, json } }
            }
            30 => self.chance.of(&[
                Input::Usage { execution: x.clone(), usage: Json::new("{}") },
                Input::Retry { turn, execution: x },
            ]),
            31 => {
                let message = queued(&self.known());
                let index = self.chance.below(4);
                self.chance.of(&[
                    Input::CancelQueued { message: message.clone() },
                    Input::EditQueued { message: message.clone(), text: "new".into() },
                    Input::MoveQueued { message: message.clone(), index },
                    if self.sends_now { Input::SendNow { message } } else { Input::CancelQueued { message } },
                ])
            }
            32 => self.chance.of(&[Input::ResumeQueue, Input::ResumeQueue, Input::Watchers { count: 0 }]),
            _ => match self.timers.pop() {
                Some(timer) => Input::TimerFired { timer },
                None => Input::ResumeQueue,
            },
        }
    }

    /// The next step: an input of someone, or the writer's word.
    pub fn step(&mut self) -> Vec<Effect> {
        self.bench.broken = self.chance.below(6) == 0;
        let input = if !self.bench.answers.is_empty() && self.chance.below(3) == 0 {
            self.bench.answers.remove(0)
        } else {
            self.input()
        };
        self.put(input)
    }

    pub fn put(&mut self, input: Input) -> Vec<Effect> {
        let before = self.bench.engine.clone();
        let at = self.bench.all.len();
        let said = self.bench.put(input.clone());
        let effects = self.bench.all[at..].to_vec();
        let dropped = |effect: &Effect| match effect {
            Effect::Diagnostic(it) => matches!(it.code, Code::Late | Code::Stale | Code::Refused),
            _ => false,
        };
        if effects.iter().any(dropped) {
            assert_eq!(before, self.bench.engine, "what is dropped changes nothing: {input:?}: {said}");
        }
        self.note(&effects);
        self.check(&effects, &said);
        effects
    }

    fn note(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Request { execution, .. } => {
                    if !self.executions.contains(execution) {
                        self.executions.push(execution.clone());
                    }
                    for vendor in VENDORS {
                        let told = self.bench.told(vendor, Some(execution.as_str()));
                        assert!(told.problems.is_empty(), "L13: {:?}\n{}", told.problems, told.messages);
                        assert!(
                            self.policy != Policy::default() || !self.is_alone() || self.open_is_told(&told.messages)
                        );
                    }
                }
                Effect::StartTimer { timer, .. } => self.timers.push(*timer),
                Effect::Answer(answer)
                    if matches!(answer.status, Status::Ok | Status::Queued) && answer.to == "send" =>
                {
                    self.accepted.insert(answer.message.as_ref().unwrap().to_string());
                }
                Effect::Publish(envelope) => {
                    if let (Event::Error { turn: Some(turn), .. }, Some(id)) = (&envelope.event, &envelope.execution) {
                        self.failed = Some((turn.clone(), id.clone()));
                    }
                    self.on_event(&envelope.event);
                }
                _ => {}
            }
        }
    }

    fn is_alone(&self) -> bool {
        !self.executions.iter().any(|id| id.as_str().ends_with(".2"))
    }

    /// Queued messages are in no context.
    fn open_is_told(&self, messages: &str) -> bool {
        let queue = self.bench.snapshot().queue.unwrap_or_default();
        queue.iter().all(|item| {
            !item.body.plain().starts_with("say") || !messages.contains(&format!("\"{}\"", item.body.plain()))
        })
    }

    fn on_event(&mut self, event: &Event) {
        match event {
            Event::TurnStart { turn, messages, .. } => {
                assert!(!self.started.contains(turn), "no turn id comes twice");
                let open = self.started.iter().filter(|turn| !self.ended.contains_key(*turn)).count();
                assert_eq!(open, 0, "one turn at a time");
                self.started.push(turn.clone());
                for message in messages {
                    *self.taken.entry(message.to_string()).or_default() += 1;
                }
            }
            Event::MessageConsumed { messages, reason: turnseal::model::Consumed::Interrupt, .. } => {
                for message in messages {
                    *self.taken.entry(message.to_string()).or_default() += 1;
                }
            }
            Event::MessageCancelled { message } => {
                self.cancelled.insert(message.to_string());
            }
            Event::TurnEnd { turn, outcome, .. } => {
                assert!(self.started.contains(turn));
                assert!(self.ended.insert(turn.clone(), *outcome).is_none(), "L9: {turn} ends once");
            }
            _ => {}
        }
    }

    fn check(&mut self, effects: &[Effect], said: &str) {
        // L11: nothing is chained onto a turn that was aborted or has failed.
        let bad_end = effects.iter().any(|effect| match effect {
            Effect::Publish(it) => {
                matches!(it.event, Event::TurnEnd { outcome: Outcome::Aborted | Outcome::Error, .. })
            }
            _ => false,
        });
        let starts = said.contains("turn-start");
        let allowed = self.policy.on_stop == OnEnd::Run
            || self.policy.on_error == OnEnd::Run
            || self.policy.on_approval == OnApproval::Supersede;
        assert!(!(bad_end && starts) || allowed, "{said}");
        // Conservation: taken once, or queued, or cancelled.
        let snapshot = self.bench.snapshot();
        let queue: Vec<String> =
            snapshot.queue.unwrap_or_default().iter().map(|item| item.message.to_string()).collect();
        for id in &self.accepted {
            let taken = self.taken.get(id).copied().unwrap_or_default();
            let waits = queue.iter().filter(|queued| *queued == id).count();
            // What was dropped by policy may come again.
            let gone = usize::from(self.cancelled.contains(id) && taken + waits == 0);
            assert_eq!(taken + waits + gone, 1, "L11: {id} after {said}");
        }
        // One running turn at most, and it is the last.
        let open = self.started.iter().filter(|turn| !self.ended.contains_key(*turn));
        assert!(open.count() <= 1);
        if let Some(last) = snapshot.turns.last() {
            let is_over = self.ended.get(&last.turn).copied();
            assert_eq!(last.outcome, is_over);
        }
    }

    /// The program began anew: what the writer had to tell and all timers are gone.
    pub fn restarted(&mut self, engine: Engine, effects: &[Effect]) {
        self.bench.engine = engine;
        self.bench.context.clone_from(&self.bench.log);
        self.bench.short.clear();
        self.bench.answers.clear();
        self.timers.clear();
        self.failed = None;
        let at = self.bench.all.len();
        self.bench.carry(effects);
        let effects = self.bench.all[at..].to_vec();
        self.note(&effects);
        self.check(&effects, &draw::words(&effects));
    }

    /// True where nothing runs and all is written.
    pub fn is_quiet(&self) -> bool {
        self.bench.answers.is_empty() && self.bench.snapshot().turns.is_empty()
    }

    /// True where the policy, or a user, has cancelled the message.
    pub fn is_dropped(&self, message: &str) -> bool {
        self.cancelled.contains(message)
    }

    /// Ends what runs, writes what is not written.
    pub fn quiet(&mut self) {
        self.bench.broken = false;
        self.put(Input::Stop { turn: None });
        for _ in 0..1000 {
            if self.bench.answers.is_empty() && self.bench.snapshot().turns.is_empty() {
                return;
            }
            match (self.bench.answers.is_empty(), self.timers.pop()) {
                (false, _) => {
                    let answer = self.bench.answers.remove(0);
                    self.put(answer);
                }
                (true, Some(timer)) => {
                    self.put(Input::TimerFired { timer });
                }
                (true, None) => {
                    self.put(Input::Stop { turn: None });
                }
            }
        }
        panic!("the thread does not come to rest");
    }
}

#[test]
fn e61_random_events_never_regress_phase_and_rejected_event_is_identity() {
    for seed in 1..=runs(300) {
        let mut run = Run::new(seed);
        for _ in 0..60 {
            run.step();
        }
        run.quiet();
        assert_eq!(run.started.len(), run.ended.len(), "seed {seed}: each turn ended");
    }
}

#[test]
fn e62_conservation() {
    for seed in 1001..=1000 + runs(200) {
        let mut run = Run::new(seed);
        for _ in 0..80 {
            run.step();
        }
        run.quiet();
        run.conserved().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

#[test]
fn e63_projection_valid_for_every_vendor_and_e65_byte_stable() {
    for seed in 2001..=2000 + runs(100) {
        let mut run = Run::new(seed);
        for _ in 0..80 {
            run.step();
            if run.chance.below(8) == 0 {
                let vendor = run.chance.of(&VENDORS);
                let told = run.bench.told(vendor, None);
                assert!(told.problems.is_empty(), "seed {seed}: {:?}", told.problems);
                assert_eq!(told, run.bench.told(vendor, None));
            }
        }
    }
}

#[test]
fn l14_equal_inputs_give_equal_effects() {
    for seed in 1..=runs(50) {
        let (mut one, mut two) = (Run::new(seed), Run::new(seed));
        for _ in 0..60 {
            assert_eq!(draw::words(&one.step()), draw::words(&two.step()), "seed {seed}");
        }
        assert_eq!(one.bench.engine, two.bench.engine);
    }
}

/// Every word that a run can lead to; a generator that never reaches one proves nothing about it.
const REACHED: &[&str] = &[
    " done",
    " aborted",
    " error",
    "/1",
    "/2",
    "Interrupt",
    "Continuation",
    "yield",
    "Approved",
    "Denied",
    "Expired",
    "Cancelled",
    "seal-backoff",
    "idle",
    "no-timer",
    "run c",
    "cancel-tool",
    "cancel-request",
    "input-delta",
    "part",
    "usage",
    "reasoning-end",
    "returned",
    "queued",
    "held",
    "cancelled",
    "edited",
    "send-now ok",
    "move-queued ok",
    "resume-queue ok",
    ".1.2/0",
    "persist-failed",
    "output",
    "sealed",
];

#[test]
fn random_runs_reach_every_word() {
    let mut all = String::new();
    for seed in 5001..=5400 {
        let mut run = Run::new(seed);
        for _ in 0..80 {
            all.push_str(&draw::words(&run.step()));
            all.push('\n');
        }
    }
    let missing: Vec<&&str> = REACHED.iter().filter(|word| !all.contains(**word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
