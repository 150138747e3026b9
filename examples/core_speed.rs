//! Text deltas a second of the native core, for `bench/run`: as typed events, and from JSON. Run with `--release`.

use turnseal::model::{Envelope, ThreadId};
use turnseal::store::{Input, Limits, RowDirt, Store};
use turnseal::wire;

const ROUNDS: usize = 41;
const DELTAS: usize = 16_384;
const FRAME: usize = 16;

fn lines(from: usize) -> Vec<String> {
    let line = |n| format!(r#"{{"type":"text-delta","threadId":"main","turnId":"turn-live","n":{n},"delta":" turn"}}"#);
    (from..from + DELTAS).map(line).collect()
}

fn events(frame: &str) -> Vec<Envelope> {
    wire::decode(frame.as_bytes()).events
}

fn feed(store: &mut Store, events: Vec<Envelope>) {
    for event in events {
        let effects = store.apply(Input::Event(event));
        assert!(effects.is_empty(), "a delta asks for nothing: {effects:?}");
    }
}

/// What a reader does after each frame: it takes what grew. Returns its length.
fn look(store: &mut Store, thread: &ThreadId) -> usize {
    let mut grown = 0;
    if let Some(touched) = store.touched(thread) {
        for (row, dirt) in &touched.rows {
            if let RowDirt::Grew(growth) = dirt {
                grown += store.grown(thread, *row, *growth).map_or(0, str::len);
            }
        }
    }
    let _ = store.apply(Input::Drawn { thread: thread.clone() });
    grown
}

#[allow(clippy::disallowed_types)] // A measurement needs a clock; the crate does not.
fn seconds(run: impl FnOnce()) -> f64 {
    let start = std::time::Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// Deltas a second in the best of short rounds: a rate is a machine's, and what else runs there must not count.
fn rate(mut round: impl FnMut(usize) -> f64) -> f64 {
    DELTAS as f64 / (0..ROUNDS).map(|at| round(3 + at * DELTAS)).fold(f64::INFINITY, f64::min)
}

fn streaming(thread: &ThreadId) -> Store {
    let mut store = Store::new(Limits::default());
    let start = r#"{"type":"turn-start","threadId":"main","turnId":"turn-live","n":1,"user":{"text":"?"}}"#;
    let first = r#"{"type":"text-delta","threadId":"main","turnId":"turn-live","n":2,"delta":"So:"}"#;
    for event in [start, first].iter().flat_map(|line| events(line)) {
        let _ = store.apply(Input::Event(event));
    }
    let _ = look(&mut store, thread);
    store
}

fn main() {
    let thread = ThreadId::new("main");
    let mut store = streaming(&thread);
    let apply = rate(|from| {
        let frames: Vec<_> = lines(from).chunks(FRAME).map(|frame| events(&frame.join("\n"))).collect();
        let mut grown = 0;
        let time = seconds(|| {
            for frame in frames {
                feed(&mut store, frame);
                grown += look(&mut store, &thread);
            }
        });
        assert_eq!(grown, DELTAS * " turn".len(), "every delta is shown");
        time
    });
    let mut store = streaming(&thread);
    let json = rate(|from| {
        let frames: Vec<String> = lines(from).chunks(FRAME).map(|frame| frame.join("\n")).collect();
        let mut grown = 0;
        let time = seconds(|| {
            for frame in &frames {
                feed(&mut store, events(frame));
                grown += look(&mut store, &thread);
            }
        });
        assert_eq!(grown, DELTAS * " turn".len(), "every delta is shown");
        time
    });
    println!(r#"{{"apply":{apply:.0},"json":{json:.0}}}"#);
}
