//! The native store by itself, where a thread has so many groups: `cargo bench --bench store`. `bench/run` measures the whole.

use divan::{Bencher, black_box, counter::ItemsCount};
use turnseal::model::{Envelope, ThreadId};
use turnseal::store::{Input, Limits, RowDirt, Store};
use turnseal::wire;

const GROUPS: &[usize] = &[10, 1_000, 10_000, 100_000];
const FRAME: usize = 16;

fn main() {
    divan::main();
}

fn events(frame: &str) -> Vec<Envelope> {
    wire::decode(frame.as_bytes()).events
}

/// A page of questions and answers.
fn page(groups: usize) -> String {
    let chunk = |seq: usize| {
        let role = if seq % 2 == 1 { "user" } else { "assistant" };
        format!(
            r#"{{"seq":{seq},"turnId":"t{}","messageId":"m{seq}","role":"{role}","type":"text","data":{{"text":"text {seq}"}}}}"#,
            seq.div_ceil(2)
        )
    };
    let chunks: Vec<String> = (1..=groups).map(chunk).collect();
    format!(
        r#"{{"type":"chunks-loaded","threadId":"main","total":{groups},"oldestSeq":1,"chunks":[{}]}}"#,
        chunks.join(",")
    )
}

/// What a reader does after each frame: it takes what grew, and says that it has drawn.
fn look(store: &mut Store, thread: &ThreadId) -> usize {
    let grown = store.touched(thread).map_or(0, |touched| {
        let lengths = touched.rows.iter().map(|(row, dirt)| match dirt {
            RowDirt::Grew(growth) => store.grown(thread, *row, *growth).map_or(0, str::len),
            _ => 0,
        });
        lengths.sum()
    });
    let _ = store.apply(Input::Drawn { thread: thread.clone() });
    grown
}

fn feed(store: &mut Store, frame: &str) {
    for event in events(frame) {
        black_box(store.apply(Input::Event(event)));
    }
}

/// A store whose window holds so many groups, and no more.
fn filled(groups: usize) -> Store {
    let mut store = filled_with(&page(groups), groups);
    let _ = look(&mut store, &ThreadId::new("main"));
    store
}

fn delta(n: usize) -> String {
    format!(r#"{{"type":"text-delta","threadId":"main","turnId":"live","n":{n},"delta":" turn"}}"#)
}

/// A frame of 16 deltas, from its text until the reader has what grew.
#[divan::bench(args = GROUPS)]
fn deltas(bencher: Bencher, groups: usize) {
    let thread = ThreadId::new("main");
    let mut store = filled(groups);
    feed(&mut store, r#"{"type":"turn-start","threadId":"main","turnId":"live","n":1,"user":{"text":"?"}}"#);
    feed(&mut store, &delta(2));
    let _ = look(&mut store, &thread);
    let mut n = 3;
    let store = std::cell::RefCell::new(store);
    let frame = move || {
        n += FRAME;
        (n - FRAME..n).map(delta).collect::<Vec<_>>().join("\n")
    };
    bencher.counter(ItemsCount::new(FRAME)).with_inputs(frame).bench_local_values(|frame| {
        let mut store = store.borrow_mut();
        feed(&mut store, &frame);
        assert_eq!(look(&mut store, &thread), FRAME * " turn".len(), "every delta is shown");
    });
}

/// A whole turn: it starts, streams 16 deltas, ends, and folds by a seal that brings its chunks; the oldest leave the window.
#[divan::bench(args = GROUPS)]
fn turn_until_its_fold(bencher: Bencher, groups: usize) {
    let thread = ThreadId::new("main");
    let store = std::cell::RefCell::new(filled(groups));
    let mut turn = 0;
    let frame = move || {
        let seq = groups + 2 * turn;
        turn += 1;
        let place = format!(r#""threadId":"main","turnId":"new-{turn}""#);
        let chunk = |seq: usize, role: &str| {
            format!(
                r#"{{"seq":{seq},"turnId":"new-{turn}","messageId":"{role}-{turn}","role":"{role}","type":"text","data":{{"text":"text"}}}}"#
            )
        };
        let mut lines =
            vec![format!(r#"{{"type":"turn-start",{place},"user":{{"messageId":"user-{turn}","text":"?"}}}}"#)];
        lines.extend((0..FRAME).map(|_| format!(r#"{{"type":"text-delta",{place},"delta":" turn"}}"#)));
        lines.push(format!(r#"{{"type":"turn-end",{place},"outcome":"done"}}"#));
        lines.push(format!(
            r#"{{"type":"turn-sealed",{place},"prevSeq":{seq},"firstSeq":{},"lastSeq":{},"chunks":[{},{}]}}"#,
            seq + 1,
            seq + 2,
            chunk(seq + 1, "user"),
            chunk(seq + 2, "assistant")
        ));
        lines.join("\n")
    };
    bencher.with_inputs(frame).bench_local_values(|frame| {
        let mut store = store.borrow_mut();
        feed(&mut store, &frame);
        black_box(look(&mut store, &thread));
    });
}

/// The newest page, from its text until the groups are there.
#[divan::bench(args = GROUPS, sample_count = 10)]
fn attach(bencher: Bencher, groups: usize) {
    let page = page(groups);
    bencher.counter(ItemsCount::new(groups)).bench_local(|| {
        let store = filled_with(&page, groups);
        assert_eq!(store.groups(&ThreadId::new("main")).len(), groups, "every chunk is a group");
    });
}

fn filled_with(page: &str, groups: usize) -> Store {
    let mut store = Store::new(Limits { window: groups, ..Limits::default() });
    feed(&mut store, page);
    store
}
