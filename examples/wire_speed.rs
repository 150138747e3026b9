//! How long the wire takes: deltas in frames, and a page of 10,000 chunks. Run with `--release`.

use std::hint::black_box;
use turnseal::{model, wire};

#[allow(clippy::disallowed_types)] // A measurement needs a clock; the crate does not.
fn timed(what: &str, times: u32, per: u32, bytes: usize, mut run: impl FnMut()) {
    run();
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = std::time::Instant::now();
        for _ in 0..times {
            run();
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(times));
    }
    let each = best * 1e9 / f64::from(per);
    println!("{what}: {each:.0} ns each, {:.0} MB/s", bytes as f64 / best / 1e6);
}

fn main() {
    for (what, line) in [
        ("delta", r#"{"type":"text-delta","threadId":"main","turnId":"turn-17","n":1234,"delta":" hello"}"#),
        (
            "delta with escapes",
            r#"{"type":"text-delta","threadId":"main","turnId":"t","n":1,"delta":" a\n\"b\" \u00e9"}"#,
        ),
        (
            "tool output",
            r#"{"type":"tool-output","threadId":"main","turnId":"t","n":1,"callId":"c","data":"line of text\n"}"#,
        ),
    ] {
        let frame = [line; 16].join("\n");
        timed(what, 20_000, 16, frame.len(), || {
            black_box(wire::decode(black_box(frame.as_bytes())));
        });
    }
    let chunks: Vec<String> = (0..10_000)
        .map(|seq| {
            let text = "The quick brown fox jumps over the lazy dog. ".repeat(6);
            format!(r#"{{"seq":{seq},"turnId":"t{}","role":"assistant","type":"text","data":{{"text":"{text}\n"}},"step":0,"messageId":"m{seq}"}}"#, seq / 4)
        })
        .collect();
    let page = format!(r#"{{"type":"chunks-loaded","chunks":[{}]}}"#, chunks.join(","));
    timed("chunk of a page", 5, 10_000, page.len(), || {
        black_box(wire::decode(black_box(page.as_bytes())));
    });
    let delta = wire::event(r#"{"type":"text-delta","threadId":"main","turnId":"t","n":1,"delta":" hello"}"#).0;
    let delta =
        delta.unwrap_or(model::Envelope { thread: "".into(), n: None, execution: None, event: model::Event::Ping });
    timed("encode a delta", 200_000, 1, 80, || {
        black_box(wire::encode::event(black_box(&delta)));
    });
}
