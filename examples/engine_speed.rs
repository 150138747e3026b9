//! What the engine and the transcript cost natively, for `bench/run`: inputs a second, and the projection of the threads
//! whose pages are named as arguments, in milliseconds each. Run with `--release`.

use turnseal::engine::{Effect, Engine, Input, Message, Options};
use turnseal::model::{Body, Chunk, Cut, DeltaKind, ExecutionId, Intent, Json, MessageId, Seq, ThreadId, TurnId};
use turnseal::transcript::{self, Vendor};
use turnseal::wire;

const ROUNDS: usize = 9;
const TURNS: usize = 200;
const DELTAS: usize = 40;

/// The inputs of one turn, as `bench/engine.mjs` has them.
fn turn(number: usize) -> Vec<Input> {
    let execution = ExecutionId::new(format!("t:{number}.1"));
    let id = MessageId::new(format!("m{number}"));
    let (client, body) = (Some(format!("k{number}").as_str().into()), Body::text("Why does it fail?"));
    let delta = || Input::Delta { execution: execution.clone(), kind: DeltaKind::Text, delta: Cut::whole(" turn") };
    let end = || Input::StepEnd { execution: execution.clone() };
    let (call, name, arguments) = ("c".into(), "read".to_owned(), Json::new(r#"{"path":"a.ts"}"#));
    let result = Json::new(r#""export const a = 1""#);
    let mut all = vec![Input::Send(Message { id, client, body, intent: Intent::Queue, models: Vec::new() })];
    all.extend((0..DELTAS).map(|_| delta()));
    all.push(Input::ToolCall { execution: execution.clone(), call, name, arguments, approval: None });
    all.push(end());
    let (turn, call) = (TurnId::new(format!("t:{number}")), "c".into());
    all.push(Input::ToolResult { turn, execution: None, call, result, is_error: false });
    all.extend((0..DELTAS).map(|_| delta()));
    all.push(end());
    all
}

#[allow(clippy::disallowed_types)] // A measurement needs a clock; the crate does not.
fn seconds(run: impl FnOnce()) -> f64 {
    let start = std::time::Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// The best of some rounds: what slows the machine down is not what is measured.
fn best(times: impl Iterator<Item = f64>) -> f64 {
    times.fold(f64::INFINITY, f64::min)
}

/// A host that writes at once. Gives how many inputs went in.
fn play(engine: &mut Engine, inputs: Vec<Input>, seq: &mut u64) -> usize {
    let thread = ThreadId::from("t");
    let (mut rows, mut count) = (Vec::new(), 0);
    let mut waiting = std::collections::VecDeque::from(inputs);
    while let Some(input) = waiting.pop_front() {
        count += 1;
        for effect in engine.apply(&thread, input) {
            match effect {
                Effect::Append { chunks, .. } => write(chunks, &mut rows, seq),
                Effect::Seal { turn, chunks, .. } => {
                    write(chunks, &mut rows, seq);
                    waiting.push_front(Input::Persisted { turn, chunks: std::mem::take(&mut rows) });
                }
                Effect::Diagnostic(said) => panic!("{}", said.detail),
                _ => {}
            }
        }
    }
    count
}

fn write(chunks: Vec<Chunk>, rows: &mut Vec<Chunk>, seq: &mut u64) {
    for chunk in chunks {
        *seq += 1;
        rows.push(Chunk { seq: Seq(*seq), ..chunk });
    }
}

fn inputs_a_second() -> f64 {
    let mut engine = Engine::new(Options::default());
    let (mut seq, mut count) = (0, 0);
    let round = |at: usize| {
        let turns: Vec<_> = (at * TURNS + 1..=(at + 1) * TURNS).map(turn).collect();
        seconds(|| count = turns.into_iter().map(|inputs| play(&mut engine, inputs, &mut seq)).sum())
    };
    let times = best((0..ROUNDS).map(round));
    assert_eq!(count, TURNS * (DELTAS * 2 + 6));
    count as f64 / times
}

/// Milliseconds to project the page in a file.
fn projection(path: &str) -> f64 {
    let text = std::fs::read_to_string(path).expect("a page");
    let chunks = wire::page(&text).expect("a page").chunks;
    let options = transcript::Options { vendor: Vendor::OpenaiChat, execution: None };
    let times = (0..ROUNDS).map(|_| {
        seconds(|| {
            let told = transcript::project(&chunks, &options);
            assert!(told.problems.is_empty() && told.messages.len() > chunks.len(), "{:?}", told.problems);
        })
    });
    best(times) * 1e3
}

fn main() {
    let pages: Vec<String> = std::env::args().skip(1).map(|path| format!("{:.4}", projection(&path))).collect();
    println!(r#"{{"inputs":{:.0},"projections":[{}]}}"#, inputs_a_second(), pages.join(","));
}
