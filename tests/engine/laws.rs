//! L9 and L11, each in all states in which it could break.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use turnseal::engine::{Effect, Engine, Input, Options, Saved};
use turnseal::model::{Event, Intent, Outcome, Phase};

use super::bench::{Bench, X, end, message, thread};
use super::table::phases;

#[test]
fn l09_a_stop_ends_what_runs_at_once_in_every_phase() {
    for (phase, mut b) in phases() {
        let runs = b.snapshot().turns.iter().filter(|turn| turn.outcome.is_none()).count();
        let from = b.events.len();
        b.stop();
        let ends = b.events[from..].iter().filter(|it| matches!(it.event, Event::TurnEnd { .. })).count();
        assert_eq!(ends, runs, "{phase}");
        assert!(b.snapshot().turns.iter().all(|turn| turn.phase == Phase::Ended), "{phase}");
        let asks = b.all.iter().rev().take_while(|it| !matches!(it, Effect::Publish(_)));
        assert!(!asks.clone().any(|it| matches!(it, Effect::Request { .. } | Effect::RunTool { .. })), "{phase}");
    }
}

#[test]
fn a_write_that_fails_for_ever_is_never_given_up() {
    let mut b = Bench::new();
    b.send("a");
    b.delta(X, "A");
    b.broken = true;
    b.done(X);
    let failed = Input::PersistFailed { turn: "t:1".into(), from: None, error: "disk full".into() };
    for round in 1..60 {
        assert!(b.put(failed.clone()).ends_with("says persist-failed"), "{round}");
        assert_eq!(b.nothing(failed.clone()), "says stale", "the same failure again");
        let bare = Input::Persisted { turn: "t:1".into(), chunks: Vec::new() };
        assert_eq!(b.nothing(bare), "says refused", "nothing short of all rows proves the contrary");
        if round % 2 == 0 {
            b.stop()
        } else {
            b.fires(round)
        };
    }
    assert_eq!(b.snapshot().turns[0].outcome, Some(Outcome::Done));
    b.put(failed);
    b.broken = false;
    b.fires(60);
    assert_eq!(b.persisted("t:1"), "sealed t:1 2");
}

#[test]
fn l11_nothing_is_chained_onto_an_aborted_or_a_failed_turn() {
    for outcome in [Outcome::Aborted, Outcome::Error] {
        let mut b = Bench::new();
        b.send("a");
        b.send("b");
        b.steer("s");
        let said = b.put(end(X, outcome));
        assert!(said.ends_with("queue [s+b] held"), "{said}");
        assert_eq!(b.queue(), "s b held");
        // Neither the seal nor a late word lets it go on; the user does.
        b.persisted("t:1");
        b.nothing(end(X, Outcome::Done));
        assert_eq!(b.queue(), "s b held");
        assert!(b.put(Input::ResumeQueue).contains("turn-start t:2 s"));
    }
}

#[test]
fn l11_a_late_steer_goes_back_and_may_come_again() {
    for outcome in [Outcome::Aborted, Outcome::Error] {
        let mut b = Bench::new();
        b.send("a");
        b.put(end(X, outcome));
        let late = Input::Send(message("s", Intent::Steer));
        assert_eq!(b.nothing(late.clone()), "answer send returned");
        b.persisted("t:1");
        assert!(b.put(late).starts_with("turn-start t:2 s"));
    }
}

#[test]
fn l09_a_restart_tells_no_second_end() {
    for outcome in [Outcome::Done, Outcome::Error, Outcome::Aborted] {
        let mut b = Bench::new();
        b.send("a");
        b.delta(X, "A");
        b.put(end(X, outcome));
        let saved = Saved { chunks: b.log.clone(), meta: b.engine.meta(&thread()) };
        let (engine, effects) = Engine::restore(Options::default(), vec![(thread(), saved)]);
        let ends = effects[0].1.iter().filter(|it| matches!(it, Effect::Publish(it) if is_end(&it.event)));
        assert_eq!(ends.count(), 0, "{outcome:?}");
        let Event::Snapshot(told) = engine.snapshot(&thread()).event else { panic!() };
        assert_eq!(told.turns[0].outcome, Some(outcome));
    }
}

fn is_end(event: &Event) -> bool {
    matches!(event, Event::TurnEnd { .. })
}
