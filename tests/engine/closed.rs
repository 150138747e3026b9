//! Engine and store in one loop over a lossless channel: at rest the store shows the projection of the log.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::BTreeSet;

use turnseal::engine::{Effect, Input as EngineInput, OnSteer};
use turnseal::model::{
    Chunk, Cut, Envelope, Event, Json, Opaque, OpaqueKind, Outcome, Page, Part, Role, ToolState, TurnId,
};
use turnseal::store::{Action, Answer, Command, Effect as Ask, Group, Input, Limits, Store};

use super::bench::{self, Bench, X, thread};
use super::chance::runs;
use super::random::Run;

/// A client with all of the log in its window.
pub struct Client {
    pub store: Store,
    laws: bool,
}

impl Client {
    pub fn new() -> Self {
        Self { store: Store::new(Limits { window: 100_000, page: 1000, threads: 4 }), laws: true }
    }

    pub fn take(&mut self, input: Input, log: &[Chunk], snapshot: &Envelope) {
        let mut open = vec![input];
        while let Some(input) = open.pop() {
            for effect in self.store.apply(input) {
                if let Ask::Request { request, action, .. } = effect {
                    let answer = match action {
                        Action::LoadChunks { limit, before, .. } => Answer::Page(page(log, limit, before)),
                        Action::Resync { .. } => {
                            let Event::Snapshot(state) = snapshot.event.clone() else { panic!() };
                            Answer::Snapshot { n: snapshot.n, snapshot: state }
                        }
                        other => panic!("{other:?}"),
                    };
                    open.push(Input::Answer { request, answer });
                }
            }
            if self.laws {
                self.store.laws().unwrap();
            }
        }
    }
}

pub fn page(log: &[Chunk], limit: u32, before: Option<turnseal::model::Seq>) -> Page {
    let known: Vec<Chunk> = log.iter().filter(|row| before.is_none_or(|before| row.seq < before)).cloned().collect();
    let from = known.len().saturating_sub(limit as usize);
    let oldest = log.first().map(|row| row.seq);
    Page { chunks: known[from..].to_vec(), total: Some(log.len() as u64), oldest, ..Page::default() }
}

/// What a group says, without what only one way of drawing it knows.
pub fn said(group: &Group<'_>) -> String {
    let parts: Vec<String> = group.parts.iter().map(|part| format!("{part:?}")).collect();
    let ids = (&group.turn, &group.execution, &group.message);
    format!("{:?} {:?} {ids:?}\n    {}", group.role, group.state, parts.join("\n    "))
}

pub fn drawn(store: &Store) -> Vec<String> {
    store.groups(&thread()).iter().map(said).collect()
}

/// The projection of a log and a queue: a client that was not there.
pub fn fresh(log: &[Chunk], snapshot: &Envelope) -> Client {
    let mut client = Client::new();
    client.take(Input::Event(snapshot.clone()), log, snapshot);
    client.take(Input::Command { thread: thread(), command: Command::Open }, log, snapshot);
    client
}

fn feed(client: &mut Client, run: &Run, effects: &[Effect]) {
    let snapshot = run.bench.engine.snapshot(&thread());
    for effect in effects {
        if let Effect::Publish(envelope) = effect {
            client.take(Input::Event(envelope.clone()), &run.bench.log, &snapshot);
        }
    }
}

#[test]
fn at_rest_the_store_shows_the_projection_of_the_log() {
    for seed in 3001..=3000 + runs(150) {
        let mut run = Run::new(seed);
        if run.policy.steer == OnSteer::Inject {
            continue;
        }
        let mut client = Client::new();
        let rest = run.bench.engine.snapshot(&thread());
        client.take(Input::Event(rest), &[], &run.bench.engine.snapshot(&thread()));
        for _ in 0..60 {
            let effects = run.step();
            feed(&mut client, &run, &effects);
        }
        let from = run.bench.all.len();
        run.quiet();
        let effects = run.bench.all[from..].to_vec();
        feed(&mut client, &run, &effects);
        let snapshot = run.bench.engine.snapshot(&thread());
        let expected = drawn(&fresh(&run.bench.log, &snapshot).store);
        let shown = drawn(&client.store);
        for (shown, expected) in shown.iter().zip(&expected) {
            assert_eq!(shown, expected, "seed {seed}");
        }
        assert_eq!(shown.len(), expected.len(), "seed {seed}: {shown:#?} {expected:#?}");
    }
}

#[test]
fn a_turn_looks_the_same_live_and_sealed() {
    let mut compared = 0;
    for seed in 4001..=4000 + runs(150) {
        let mut run = Run::new(seed);
        if run.policy.steer == OnSteer::Inject {
            continue;
        }
        let mut client = Client::new();
        let mut over: BTreeSet<TurnId> = BTreeSet::new();
        for _ in 0..60 {
            let effects = run.step();
            feed(&mut client, &run, &effects);
            for effect in &effects {
                let Effect::Publish(Envelope { event: Event::TurnSealed { turn, chunks: Some(_), .. }, .. }) = effect
                else {
                    continue;
                };
                over.insert(turn.clone());
            }
            let ended = effects.iter().find_map(|effect| match effect {
                Effect::Publish(Envelope { event: Event::TurnEnd { turn, outcome: Outcome::Done, .. }, .. }) => {
                    Some(turn.clone())
                }
                _ => None,
            });
            let Some(turn) = ended else { continue };
            let rows: Vec<Chunk> = run.bench.engine_rows(&turn);
            let live = answers(&client.store, &turn);
            let sealed = answers(&fresh(&rows, &super::bench::Bench::new().engine.snapshot(&thread())).store, &turn);
            assert_eq!(live, sealed, "seed {seed}");
            compared += 1;
        }
    }
    assert!(compared > 0);
}

/// Plays one turn of one model to its end, and compares what it shows with what its rows show.
fn plays(inputs: Vec<EngineInput>) -> Vec<Vec<Part>> {
    let mut b = Bench::new();
    let mut client = Client::new();
    b.send("a");
    for input in inputs.into_iter().chain([bench::end(X, Outcome::Done)]) {
        b.put(input);
    }
    let snapshot = b.engine.snapshot(&thread());
    for envelope in &b.events {
        client.take(Input::Event(envelope.clone()), &b.log, &snapshot);
    }
    let turn = TurnId::from("t:1");
    let live = answers(&client.store, &turn);
    let rows = b.engine_rows(&turn);
    assert_eq!(live, answers(&fresh(&rows, &Bench::new().engine.snapshot(&thread())).store, &turn));
    live
}

#[test]
fn text_of_a_later_step_never_joins_that_of_an_earlier_one() {
    let step = EngineInput::StepEnd { execution: X.into() };
    let live = plays(vec![
        bench::called(X, "c", None),
        bench::delta(X, "while it "),
        bench::delta(X, "runs"),
        bench::result("t:1", "c"),
        step,
        bench::delta(X, "there"),
        bench::delta(X, "after"),
    ]);
    let text = |text: &str| Part::Text { text: text.into() };
    assert_eq!(live[0][1..], [text("while it runs"), text("thereafter")]);
}

#[test]
fn a_part_is_replaced_in_its_place_also_where_its_row_is_written() {
    let part = |value: u8| {
        let json = Json::new(format!("{{\"type\":\"data\",\"id\":\"p\",\"v\":{value}}}"));
        let part = Opaque { kind: OpaqueKind::Data, id: Some("p".into()), json };
        EngineInput::Part { execution: X.into(), part }
    };
    let step = EngineInput::StepEnd { execution: X.into() };
    let calls = [bench::called(X, "c", None), bench::result("t:1", "c"), step];
    let live = plays([vec![part(1)], calls.to_vec(), vec![bench::delta(X, "x"), part(2)]].concat());
    assert!(matches!(&live[0][0], Part::Opaque(part) if part.json.as_str().contains(":2")), "{live:?}");
}

#[test]
fn half_a_character_at_the_end_of_a_step_is_written_as_it_is_shown() {
    let half = |text: &str| {
        let delta = Cut { head: None, text: text.into(), tail: Some(0xD83D) };
        EngineInput::Delta { execution: X.into(), kind: turnseal::model::DeltaKind::Text, delta }
    };
    let step = EngineInput::StepEnd { execution: X.into() };
    let (call, result) = (bench::called(X, "c", None), bench::result("t:1", "c"));
    let live = plays(vec![half("a"), call, result, step, half("b")]);
    assert_eq!(live[0][0], Part::Text { text: "a\u{FFFD}".into() });
    assert_eq!(live[0][2], Part::Text { text: "b\u{FFFD}".into() });
}

#[test]
fn arguments_that_were_torn_do_not_take_a_later_call() {
    let torn = EngineInput::ToolInput { execution: X.into(), call: "d".into(), name: None, delta: Cut::whole("{") };
    let step = || EngineInput::StepEnd { execution: X.into() };
    let (c, d) = (bench::called(X, "c", None), bench::called(X, "d", None));
    let live = plays(vec![torn, c, bench::result("t:1", "c"), step(), d, bench::result("t:1", "d"), step()]);
    assert_eq!(live[0].len(), 2, "{live:?}");
}

/// The parts of the answers of a turn, by execution: live ones stand as they first spoke, sealed ones as they were
/// handed over. A call that never became whole is no row, and not compared.
fn answers(store: &Store, turn: &TurnId) -> Vec<Vec<Part>> {
    let mut groups = store.groups(&thread());
    groups.sort_by_key(|group| group.execution.clone());
    let own = groups.iter().filter(|group| group.role == Role::Assistant && group.turn.as_ref() == Some(turn));
    let whole = |part: &&Part| !matches!(part, Part::Tool(tool) if tool.arguments.is_none());
    let plain = |part: &Part| match part {
        // A call that had no result has no output in the log.
        Part::Tool(tool) if tool.state == ToolState::Interrupted => {
            let tool = turnseal::model::Tool { approval: None, output: None, ..(**tool).clone() };
            Part::Tool(Box::new(tool))
        }
        part => part.clone(),
    };
    let parts = own.map(|group| group.parts.iter().filter(whole).map(plain).collect::<Vec<Part>>());
    parts.filter(|parts| !parts.is_empty()).collect()
}
