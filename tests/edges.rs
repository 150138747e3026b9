//! What a store meets rarely: limits, hosts that cannot do a thing, threads that turn out to be one, runs of deltas, and
//! the words in which it explains itself. What is usual is played by the scenarios.

#[path = "edges/readings.rs"]
mod readings;
#[path = "edges/tools.rs"]
mod tools;

use tools::{answer, codes, does, main, request, say, sends, store, unsupported, view};
use turnseal::model::{Cut, DeltaKind, Envelope, Event, Role, TurnId};
use turnseal::store::{Action, Answer, BlockId, Command, Effect, GroupState, Input, Limits, Store};
use turnseal::wire;

/// Three deltas as one.
fn three(n: u64, text: &str) -> Input {
    let (delta, turn) = (Cut::whole(text), Some("a".into()));
    let event = Event::Delta { kind: DeltaKind::Text, delta, turn, message: None, part: None };
    Input::Deltas { whole: Envelope { thread: main(), n: Some(n), execution: None, event }, count: 3 }
}

/// L14: a run of deltas as one is what they are one by one; where it does not follow, nothing happens.
#[test]
fn a_run_of_deltas_is_what_they_are_one_by_one() {
    let start = r#""type":"turn-start","turnId":"a","n":1,"user":{"messageId":"m","text":"q"}"#;
    let delta = |n: u64, text: &str| format!(r#""type":"text-delta","turnId":"a","n":{n},"delta":"{text}""#);
    let (mut one, mut run) = (store(), store());
    for each in [&mut one, &mut run] {
        say(each, &[start, &delta(2, "a")]);
    }
    say(&mut one, &[&delta(3, "b"), &delta(4, "c"), &delta(5, "d")]);
    assert!(run.is_next(&main(), 3) && !run.is_next(&main(), 5));
    _ = run.apply(three(9, "xyz"));
    assert_eq!(view(&run, "main")[1].2, "a", "a hole before it");
    _ = run.apply(three(5, "bcd"));
    assert_eq!(view(&run, "main"), view(&one, "main"));
    assert!(run.is_next(&main(), 6), "it counts as three");
    _ = run.apply(three(5, "bcd"));
    assert_eq!(view(&run, "main"), view(&one, "main"), "L4");
}

/// SPEC 11: the least recent idle thread goes; one with something live stays, and what it had asked is nobody's.
#[test]
fn too_many_threads_cost_the_least_recent_idle_one() {
    let mut store = Store::new(Limits { threads: 2, ..Limits::default() });
    let asked = does(&mut store, "idle", Command::Open);
    sends(&mut store, "busy", "k1");
    let effects = does(&mut store, "new", Command::Open);
    assert_eq!(codes(&effects), ["thread-evicted"]);
    assert_eq!(view(&store, "busy").len(), 1);
    let page =
        wire::page(r#"{"chunks":[{"seq":1,"turnId":"a","role":"user","type":"text","data":{"text":"q"}}]}"#).unwrap();
    answer(&mut store, request(&asked, |action| matches!(action, Action::LoadChunks { .. })), Answer::Page(page));
    assert_eq!((view(&store, "idle").len(), view(&store, "new").len()), (0, 0));
    sends(&mut store, "new", "k2");
    assert_eq!(codes(&does(&mut store, "more", Command::Open)), [""; 0], "nothing is idle: nothing goes");
    assert_eq!(view(&store, "busy").len(), 1, "L1");
}

/// A host that cannot load is not asked again and again; one that cannot fill a hole goes on behind it.
#[test]
fn a_host_that_cannot_is_taken_at_its_word() {
    let mut store = store();
    let asked = does(&mut store, "main", Command::Open);
    let load = request(&asked, |action| matches!(action, Action::LoadChunks { .. }));
    let effects = answer(&mut store, load, unsupported());
    assert_eq!(codes(&effects), ["load-failed"]);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::StartTimer { .. })), "no timer: {effects:?}");
    let start = r#""type":"turn-start","turnId":"a","n":1,"user":{"messageId":"m","text":"q"}"#;
    let effects = say(&mut store, &[start, r#""type":"text-delta","turnId":"a","n":4,"delta":"late""#]);
    assert_eq!(view(&store, "main").len(), 1, "it waits for the hole");
    let resync = request(&effects, |action| matches!(action, Action::Resync { .. }));
    let effects = answer(&mut store, resync, unsupported());
    assert_eq!(codes(&effects), ["resync-failed"]);
    assert_eq!(view(&store, "main")[1].2, "late");
    assert_eq!(answer(&mut store, resync, unsupported()), [], "L4");
}

/// L1, L2: two threads that turn out to be one keep what is on its way in either, once.
#[test]
fn a_temporary_thread_brings_all_that_is_live() {
    let mut store = store();
    sends(&mut store, "temp", "k1");
    sends(&mut store, "real", "k2");
    let mut in_thread =
        |thread: &str, event: &str| drop(say(&mut store, &[&format!(r#""threadId":"{thread}",{event}"#)]));
    in_thread("temp", r#""type":"message-queued","messageId":"q1","message":"waits""#);
    in_thread("real", r#""type":"message-queued","messageId":"q1","message":"waits""#);
    in_thread("temp", r#""type":"turn-start","turnId":"a","user":{"messageId":"m","text":"ask"}"#);
    in_thread("temp", r#""type":"text-delta","turnId":"a","delta":"says""#);
    in_thread("real", r#""type":"turn-start","turnId":"b","user":{"messageId":"o","text":"other"}"#);
    in_thread("real", r#""type":"thread-renamed","from":"temp","to":"real""#);
    let mut texts: Vec<String> = view(&store, "real").into_iter().map(|(_, _, text)| text).collect();
    texts.sort();
    assert_eq!(texts, ["ask", "k1", "k2", "other", "says", "waits"]);
    assert_eq!(view(&store, "temp"), view(&store, "real"), "the old name is an alias");
}

/// L2: a page overtook the events; what they say names the row by an id that the page's chunk has.
#[test]
fn what_a_page_overtook_is_shown_once() {
    let mut store = store();
    sends(&mut store, "main", "k1");
    let chunk = r#"{"seq":1,"turnId":"a","role":"user","type":"text","messageId":"m1","data":{"text":"k1"}}"#;
    say(&mut store, &[&format!(r#""type":"chunks-loaded","oldestSeq":1,"chunks":[{chunk}]"#)]);
    assert_eq!(view(&store, "main").len(), 2, "nothing says yet that the two are one");
    say(&mut store, &[r#""type":"message-queued","messageId":"m1","clientId":"k1","message":"k1""#]);
    let sealed = [(Role::User, GroupState::Sealed, "k1".to_owned())];
    assert_eq!(view(&store, "main"), sealed);
    say(&mut store, &[r#""type":"turn-start","turnId":"a","user":{"messageId":"m1","clientIds":["k1"],"text":"k1"}"#]);
    assert_eq!(view(&store, "main"), sealed);
}

/// A cut of the log takes a sealed turn along that was never loaded; a turn before the cut stays.
#[test]
fn a_cut_takes_what_was_sealed_behind_it() {
    let mut store = store();
    for (turn, last) in [("a", 2), ("b", 4)] {
        let start =
            format!(r#""type":"turn-start","turnId":"{turn}","user":{{"messageId":"m{turn}","text":"{turn}"}}"#);
        let delta = format!(r#""type":"text-delta","turnId":"{turn}","delta":"says {turn}""#);
        let end = format!(r#""type":"turn-end","turnId":"{turn}","outcome":"done""#);
        let seal = format!(r#""type":"turn-sealed","turnId":"{turn}","lastSeq":{last}"#);
        say(&mut store, &[&start, &delta, &end, &seal]);
    }
    say(&mut store, &[r#""type":"log-truncated","fromSeq":3"#]);
    let texts: Vec<String> = view(&store, "main").into_iter().map(|(_, _, text)| text).collect();
    assert_eq!(texts, ["a", "says a"]);
}

/// Memory is bounded: turns that ended with nothing to show are forgotten, the oldest first, and stay over (L10).
#[test]
fn turns_that_show_nothing_are_forgotten() {
    let mut store = store();
    for turn in 0..600 {
        let start = format!(r#""type":"turn-start","turnId":"t{turn}""#);
        let end = format!(r#""type":"turn-end","turnId":"t{turn}","outcome":"done""#);
        say(&mut store, &[&start, &end]);
    }
    let late = say(&mut store, &[r#""type":"text-delta","turnId":"t300","delta":"late""#]);
    assert_eq!((codes(&late), view(&store, "main").len()), (vec!["late"], 0));
    let saved = store.save(&main()).expect("it is there");
    assert!(saved.turns.len() < 300, "{} turns are kept", saved.turns.len());
}

/// Every owner explains itself, and a sealed row does.
#[test]
fn every_row_says_why_it_is_here() {
    let mut store = store();
    let seal = r#""type":"turn-sealed","turnId":"z","chunks":[{"seq":1,"turnId":"z","role":"user","type":"text","data":{"text":"old"}},{"seq":2,"turnId":"z","role":"assistant","type":"text","data":{"text":"older"}}]"#;
    say(&mut store, &[seal, r#""type":"notice","message":"careful""#]);
    for (turn, outcome) in [("a", "aborted"), ("b", "error")] {
        let start =
            format!(r#""type":"turn-start","turnId":"{turn}","user":{{"messageId":"m{turn}","text":"{turn}"}}"#);
        let delta = format!(r#""type":"text-delta","turnId":"{turn}","delta":"says""#);
        let end = format!(r#""type":"turn-end","turnId":"{turn}","outcome":"{outcome}""#);
        say(&mut store, &[&start, &delta, &end]);
    }
    say(&mut store, &[r#""type":"turn-sealed","turnId":"a","lastSeq":9"#, r#""type":"turn-sealed","turnId":"b""#]);
    sends(&mut store, "main", "k1");
    let groups = store.groups(&main());
    let why = |key: &str| store.explain(&main(), key).map(|it| format!("{}: {}", it.owner, it.because.join("; ")));
    let all: Vec<String> = groups.iter().filter_map(|group| why(&group.key)).collect();
    assert_eq!(all.len(), groups.len());
    let tells = |word: &str| assert!(all.iter().any(|line| line.contains(word)), "{word}: {all:#?}");
    tells("chunk: drawn from chunks of the log from seq 1");
    tells("note: it came after z");
    tells("sending: k1 was sent");
    tells("its turn ended: aborted; sealed up to seq 9, which is not in the window");
    tells("its turn ended: error; sealed; no page");
    assert_eq!(store.explain(&main(), "nobody"), None);
}

/// L6: what is drawn later has as many groups as it has now.
#[test]
fn a_frozen_block_is_the_block() {
    let mut store = store();
    let seal = r#""type":"turn-sealed","turnId":"z","chunks":[{"seq":1,"turnId":"z","role":"user","type":"text","data":{"text":"old"}},{"seq":2,"turnId":"z","role":"assistant","type":"text","data":{"text":"older"}}]"#;
    say(&mut store, &[seal]);
    let block = BlockId::Turn(TurnId::from("z"));
    let drawn = store.block(&main(), &block).expect("it is shown");
    assert_eq!(store.freeze(&main(), &block).map(|frozen| frozen.count()), Some(drawn.groups.len()));
    sends(&mut store, "main", "k1");
    assert!(store.freeze(&main(), &BlockId::Row(1)).is_none(), "a live row is drawn now");
}
