//! Panics, writes that fail, crashes, and the end of the driver.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout};
use turnseal::drive::{Gone, Options};
use turnseal::engine::{Input, Status};
use turnseal::model::{Event, Intent, Role};

use crate::hosts::pass;
use crate::world::{World, id, message};

#[tokio::test(start_paused = true)]
async fn a_panic_in_a_model_ends_the_turn_as_failed() {
    let world = World::new().await;
    world.send("m1", "panic").await;
    world.sealed("t:1").await;
    assert!(world.words().contains("error the model panicked: the model is ill; end t:1 error"), "{}", world.words());
    assert_eq!(world.send("m2", "hello").await, Status::Ok);
    world.sealed("t:2").await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_a_tool_ends_the_turn_as_failed_and_its_siblings() {
    let world = World::new().await;
    world.send("m1", "call slow panic").await;
    world.sealed("t:1").await;
    let expected = "error the tool panic panicked: the tool is ill; end t:1 error";
    assert!(world.words().contains(expected), "{}", world.words());
    pass(5_000).await;
    assert_eq!(world.alive.count(), 0);
    assert_eq!(world.send("m2", "hello").await, Status::Ok);
    world.sealed("t:2").await;
}

#[tokio::test(start_paused = true)]
async fn a_seal_that_fails_is_tried_again_with_growing_waits() {
    let world = World::new().await;
    world.log.fail_seals(4);
    world.send("m1", "hello").await;
    pass(7_400).await;
    assert!(!world.words().contains("sealed"), "0.5 + 1 + 2 + 4 s have not passed");
    pass(200).await;
    assert!(world.words().ends_with("end t:1 done; sealed t:1"), "{}", world.words());
    assert_eq!(world.diagnostics(), ["persist-failed: disk full"; 4]);
    assert_eq!(world.log.saved(&id()).chunks.len(), 2, "nothing is written twice");
}

#[tokio::test(start_paused = true)]
async fn a_message_is_answered_only_when_it_is_durable() {
    let world = World::new().await;
    world.log.fail(3);
    let sent = timeout(Duration::from_millis(1_400), world.send("m1", "hello")).await;
    assert!(sent.is_err(), "the disk is full");
    assert_eq!((world.words().as_str(), world.alive.count()), ("", 0), "nobody was told, nobody was asked");
    // The same message again: the same answer, and one turn.
    assert_eq!(world.send("m1", "hello").await, Status::Ok);
    world.sealed("t:1").await;
    assert_eq!(world.words(), "start t:1; end t:1 done; sealed t:1");
    assert_eq!(world.log.saved(&id()).chunks.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_stop_does_not_wait_for_the_next_try_of_a_write() {
    let world = World::new().await;
    world.log.fail(4);
    let thread = world.thread.clone();
    let first = message("m1", "hello", Intent::Queue);
    let sent = tokio::spawn(async move { thread.put(Input::Send(first)).await });
    // It failed at 0, 0.5, 1.5 and 3.5 s; the next try is due at 7.5 s.
    pass(3_600).await;
    assert!(!sent.is_finished());
    let stopped = Instant::now();
    world.stop().await;
    assert!(sent.await.expect("it is answered").is_ok());
    assert!(stopped.elapsed() <= Duration::from_millis(100), "{:?}", stopped.elapsed());
    pass(0).await;
    assert!(world.words().starts_with("start t:1; end t:1 aborted"), "{}", world.words());
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_the_log_is_a_write_that_failed() {
    let world = World::new().await;
    world.log.panic_once();
    assert_eq!(world.send("m1", "hello").await, Status::Ok);
    world.sealed("t:1").await;
    assert_eq!(world.diagnostics().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_next_turn_does_not_wait_for_a_seal_that_fails() {
    let world = World::new().await;
    world.log.fail_seals(2);
    world.send("m1", "hello").await;
    world.send("m2", "hello").await;
    world.sealed("t:2").await;
    world.sealed("t:1").await;
    assert!(world.words().contains("end t:1 done; start t:2"), "{}", world.words());
}

#[tokio::test(start_paused = true)]
async fn dropping_the_driver_ends_everything() {
    let world = World::new().await;
    world.send("m1", "call deaf slow").await;
    let other = world.driver.thread(&"other".into());
    other.put(Input::Send(message("m1", "stream", Intent::Queue))).await.expect("it works");
    pass(50).await;
    assert_eq!(world.alive.count(), 3);
    let World { driver, thread, alive, .. } = world;
    drop(driver);
    pass(1).await;
    assert_eq!(alive.count(), 0);
    assert_eq!(thread.put(Input::Stop { turn: None }).await, Err(Gone));
    assert!(thread.subscribe(None).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn after_a_crash_the_open_turn_is_sealed_and_the_queue_is_held() {
    let world = World::new().await;
    world.send("m1", "call quick").await;
    pass(60).await;
    world.sealed("t:1").await;
    world.send("m2", "call deaf").await;
    world.send("m3", "hello").await;
    pass(50).await;
    let last = world.events().last().and_then(|event| event.n);
    let log = Arc::clone(&world.log);
    drop(world);
    let again = World::on(log, Options::default()).await;
    again.sealed("t:2").await;
    assert!(again.events().iter().all(|event| event.n > last), "no number comes twice");
    // Clients may have seen more of it; this row is their evidence that the log has no more.
    let saved = again.log.saved(&id());
    let kinds = saved.chunks.iter().filter(|row| row.turn.as_str() == "t:2").map(|row| row.role);
    assert_eq!(kinds.collect::<Vec<_>>(), [Role::User, Role::System]);
    assert!(saved.chunks.iter().map(|row| row.seq.0).eq(1..=saved.chunks.len() as u64), "{saved:?}");
    assert_eq!(again.send("m2", "call deaf").await, Status::Ok, "the same answer");
    assert_eq!(again.send("m3", "hello").await, Status::Queued, "the same answer");
    assert!(!again.words().contains("start"), "nothing is answered twice");
    assert_eq!(again.put(Input::ResumeQueue).await.expect("an answer").status, Status::Ok);
    again.sealed("t:3").await;
}

#[tokio::test(start_paused = true)]
async fn a_crash_behind_a_seal_does_not_seal_again() {
    let world = World::new().await;
    world.send("m1", "hello").await;
    // The seal is durable, and the crash comes before anything else is written.
    world.sealed("t:1").await;
    assert_eq!(world.log.saved(&id()).meta.open, []);
    let rows = world.log.saved(&id()).chunks;
    let log = Arc::clone(&world.log);
    drop(world);
    let again = World::on(log, Options::default()).await;
    assert_eq!(again.words(), "");
    assert_eq!(again.log.saved(&id()).chunks, rows);
}

#[tokio::test(start_paused = true)]
async fn closing_stops_every_turn_and_writes_it() {
    let world = World::new().await;
    world.send("m1", "call slow").await;
    world.log.fail_seals(2);
    pass(50).await;
    let World { driver, log, .. } = world;
    driver.close().await;
    let saved = log.saved(&id());
    assert!(saved.meta.open.is_empty());
    assert!(saved.chunks.len() >= 4, "user, text, call, and a word on the call: {:?}", saved.chunks);
}

#[tokio::test(start_paused = true)]
async fn a_thread_that_cannot_be_read_says_so_and_can_be_asked_again() {
    let world = World::new().await;
    for _ in 0..2 {
        let thread = world.driver.thread(&"unreadable".into());
        assert_eq!(thread.put(Input::ResumeQueue).await, Err(Gone));
    }
    assert_eq!(world.diagnostics(), ["persist-failed: the thread was not read: bad page"; 2]);
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_not_a_write_per_delta() {
    let world = World::new().await;
    world.send("m1", "stream").await;
    pass(50_000).await;
    let deltas = world.events().iter().filter(|event| matches!(event.event, Event::Delta { .. })).count();
    assert!(deltas > 4_900, "{deltas}");
    assert!(world.log.writes() <= 4, "{}", world.log.writes());
    let reserved = world.log.saved(&id()).meta.n;
    assert!(reserved > world.events().last().and_then(|event| event.n).expect("a number"));
}
