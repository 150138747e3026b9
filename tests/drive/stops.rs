//! L9: a stop ends the turn at once, in each phase, and all that worked for it.

use std::time::Duration;

use tokio::time::Instant;
use turnseal::engine::{Input, Status};
use turnseal::model::{Event, Outcome};

use crate::hosts::pass;
use crate::world::World;

/// Stops turn `t:1`: it ends at once, everything that worked for it ends, and the message that waited runs next.
async fn stops(world: &World) {
    assert_eq!(world.send("m2", "hello").await, Status::Queued);
    let stopped = Instant::now();
    world.stop().await;
    pass(0).await;
    let (ended, outcome) = world.end("t:1").expect("the turn ends");
    assert_eq!(outcome, Outcome::Aborted);
    assert!(ended - stopped <= Duration::from_millis(100), "it took {:?}", ended - stopped);
    assert!(world.words().ends_with("held") || world.words().contains("held; "), "{}", world.words());
    let before = world.events().len();
    assert_eq!(world.put(Input::ResumeQueue).await.expect("an answer").status, Status::Ok);
    world.sealed("t:2").await;
    assert_eq!(world.end("t:2").map(|(_, outcome)| outcome), Some(Outcome::Done));
    // The grace of a tool is over by now: nothing is left at work, and what came late touched nothing.
    pass(10_000).await;
    assert_eq!(world.alive.count(), 0, "something works on");
    for event in world.events().iter().skip(before) {
        let of_old = matches!(&event.event,
            Event::Delta { turn: Some(turn), .. } | Event::ToolResult { turn: Some(turn), .. }
            | Event::ToolOutput { turn: Some(turn), .. } if turn.as_str() == "t:1");
        assert!(!of_old, "late: {event:?}");
    }
}

async fn in_phase(text: &str, ms: u64) -> World {
    let world = World::new().await;
    assert_eq!(world.send("m1", text).await, Status::Ok);
    pass(ms).await;
    world
}

#[tokio::test(start_paused = true)]
async fn pending() {
    stops(&in_phase("silent", 50).await).await;
}

#[tokio::test(start_paused = true)]
async fn streaming() {
    let world = in_phase("stream", 55).await;
    assert!(world.text().starts_with("word word "), "{}", world.text());
    stops(&world).await;
}

#[tokio::test(start_paused = true)]
async fn awaiting_a_tool_that_cleans_up() {
    let world = in_phase("call slow", 50).await;
    stops(&world).await;
    let late = "late: something that was cancelled went on to speak";
    assert!(world.diagnostics().contains(&late.to_owned()), "{:?}", world.diagnostics());
}

#[tokio::test(start_paused = true)]
async fn awaiting_a_tool_that_ignores_it() {
    stops(&in_phase("call deaf", 50).await).await;
}

#[tokio::test(start_paused = true)]
async fn a_result_after_the_stop_is_dropped() {
    let world = in_phase("call stubborn", 50).await;
    stops(&world).await;
    assert!(!world.words().contains("result c0"), "{}", world.words());
}

#[tokio::test(start_paused = true)]
async fn awaiting_two_tools_of_which_one_has_answered() {
    let world = in_phase("call quick slow", 50).await;
    assert!(world.words().contains("result c0 false"), "{}", world.words());
    stops(&world).await;
}

#[tokio::test(start_paused = true)]
async fn awaiting_an_approval() {
    let world = in_phase("call ask", 50).await;
    stops(&world).await;
    assert_eq!(world.approve("c0").await, Status::Stale);
    assert!(!world.words().contains("result c0"), "it never ran");
}

#[tokio::test(start_paused = true)]
async fn between_two_steps() {
    let world = in_phase("muse quick", 15).await;
    // The result is there, the write of the first step takes long, and the next step is asked for meanwhile.
    world.log.delay(40);
    pass(10).await;
    assert!(world.words().ends_with("result c0 false"), "{}", world.words());
    assert_eq!(world.text(), "");
    stops(&world).await;
}

#[tokio::test(start_paused = true)]
async fn while_its_start_is_being_written() {
    let world = World::new().await;
    world.log.delay(40);
    let thread = world.thread.clone();
    let first = crate::world::message("m1", "stream", turnseal::model::Intent::Queue);
    let sent = tokio::spawn(async move { thread.put(Input::Send(first)).await });
    pass(10).await;
    world.stop().await;
    assert!(sent.await.unwrap().is_ok());
    pass(100).await;
    assert_eq!(world.end("t:1").map(|(_, outcome)| outcome), Some(Outcome::Aborted));
    assert_eq!((world.text().as_str(), world.alive.count()), ("", 0), "the model was never asked");
}

#[tokio::test(start_paused = true)]
async fn while_sealing_the_outcome_stays_and_the_write_is_tried_at_once() {
    let world = World::new().await;
    world.log.fail_seals(3);
    assert_eq!(world.send("m1", "hello").await, Status::Ok);
    pass(1_600).await;
    // It failed at 0, 0.5 and 1.5 s; the next try is due at 3.5 s.
    let stopped = Instant::now();
    world.stop().await;
    world.sealed("t:1").await;
    assert!(stopped.elapsed() <= Duration::from_millis(100), "{:?}", stopped.elapsed());
    assert_eq!(world.end("t:1").map(|(_, outcome)| outcome), Some(Outcome::Done), "the first end wins");
    assert_eq!(world.send("m2", "hello").await, Status::Ok);
    world.sealed("t:2").await;
}
