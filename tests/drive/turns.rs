//! Turns that go well: tools, approvals, steers, several models, subscribers, timers.

use turnseal::drive::{Limits, Opening, Options};
use turnseal::engine::{self, Input, Policy, Status};
use turnseal::model::{Event, Intent};

use crate::hosts::pass;
use crate::world::{World, id, message, queued};

#[tokio::test(start_paused = true)]
async fn a_turn_with_tools_and_an_approval_is_told_and_written() {
    let world = World::new().await;
    assert_eq!(world.send("m1", "call quick ask fails").await, Status::Ok);
    pass(100).await;
    assert_eq!(world.words(), "start t:1; result c2 true; result c0 false", "it waits for a person");
    assert_eq!(world.approve("c1").await, Status::Ok);
    world.sealed("t:1").await;
    assert!(world.words().ends_with("result c1 false; end t:1 done; sealed t:1"), "{}", world.words());
    let saved = world.log.saved(&id());
    // User; text, three calls and three results of step 0; the answer of step 1.
    assert_eq!(saved.chunks.len(), 9);
    assert!(saved.meta.open.is_empty());
    assert_eq!(world.alive.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_queued_message_runs_next_and_the_same_client_id_is_the_same_message() {
    let world = World::new().await;
    world.send("m1", "call quick").await;
    assert_eq!(world.send("m2", "hello").await, Status::Queued);
    assert_eq!(world.send("m2", "hello").await, Status::Queued);
    world.sealed("t:2").await;
    assert_eq!(world.words().matches("queued m2").count(), 1);
    assert_eq!(world.words().matches("start").count(), 2);
    let cancel = Input::CancelQueued { message: queued("m2") };
    assert_eq!(world.put(cancel).await.expect("an answer").status, Status::Stale);
}

#[tokio::test(start_paused = true)]
async fn a_steer_ends_the_turn_at_its_next_step_and_runs() {
    let world = World::new().await;
    world.send("m1", "polite").await;
    pass(35).await;
    assert_eq!(world.steer("m2", "hello").await, Status::Queued);
    world.sealed("t:2").await;
    let expected = "start t:1; queued m2; result c0 false; end t:1 done; start t:2";
    assert!(world.words().starts_with(expected), "{}", world.words());
}

#[tokio::test(start_paused = true)]
async fn several_models_answer_one_turn() {
    let options = engine::Options { models: vec!["big".into(), "small".into()], policy: Policy::default() };
    let world = World::with(Options { engine: options, ..Options::default() }).await;
    world.send("m1", "big: call quick\nsmall: stream").await;
    pass(200).await;
    assert!(world.end("t:1").is_none(), "small still speaks");
    world.stop().await;
    world.sealed("t:1").await;
    assert!(world.words().contains("end t:1 aborted"), "a stop says how it ended: {}", world.words());
    world.send("m2", "big: fail\nsmall: hello").await;
    world.sealed("t:2").await;
    assert!(world.words().contains("error no capacity; end t:2 error"), "{}", world.words());
    assert_eq!(world.alive.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_says_nothing_is_given_up_after_a_time() {
    let policy = Policy { idle_timeout_ms: Some(5_000), ..Policy::default() };
    let engine = engine::Options { models: Vec::new(), policy };
    let world = World::with(Options { engine, ..Options::default() }).await;
    world.send("m1", "silent").await;
    pass(4_990).await;
    assert!(world.end("t:1").is_none());
    pass(20).await;
    assert!(world.words().contains("end t:1 aborted"), "{}", world.words());
    assert_eq!(world.alive.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn one_of_several_that_is_given_up_ends_alone() {
    let policy = Policy { idle_timeout_ms: Some(1_000), ..Policy::default() };
    let engine = engine::Options { models: vec!["big".into(), "small".into()], policy };
    let world = World::with(Options { engine, ..Options::default() }).await;
    world.send("m1", "big: stream\nsmall: silent").await;
    pass(900).await;
    assert_eq!(world.alive.count(), 2);
    pass(200).await;
    assert_eq!(world.alive.count(), 1, "the silent one is not asked any more");
    assert!(world.end("t:1").is_none(), "the other goes on");
}

#[tokio::test(start_paused = true)]
async fn what_a_model_leaves_behind_does_not_speak_in_the_next_step() {
    let world = World::new().await;
    world.send("m1", "late").await;
    world.send("m2", "stream").await;
    pass(200).await;
    assert!(!world.text().contains("too late"));
    assert_eq!(world.diagnostics(), ["late: something that was cancelled went on to speak"]);
}

#[tokio::test(start_paused = true)]
async fn a_subscriber_that_comes_back_misses_nothing_or_gets_a_snapshot() {
    let limits = Limits { events: 3, ..Limits::default() };
    let world = World::with(Options { limits, ..Options::default() }).await;
    world.send("m1", "hello").await;
    world.sealed("t:1").await;
    let all = world.events();
    let last = all.last().and_then(|event| event.n).expect("a number");
    let back = world.thread.subscribe(Some(last - 3)).await.expect("it works");
    assert_eq!(back.opening, Opening::Replay(all[all.len() - 3..].to_vec()));
    let nothing = world.thread.subscribe(Some(last)).await.expect("it works");
    assert_eq!(nothing.opening, Opening::Replay(Vec::new()));
    for lost in [None, Some(0), Some(last + 1)] {
        let anew = world.thread.subscribe(lost).await.expect("it works");
        let Opening::Snapshot(snapshot) = anew.opening else { panic!("a snapshot for {lost:?}") };
        assert_eq!(snapshot.n, Some(last));
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_subscriber_is_cut_and_the_others_are_not() {
    let limits = Limits { waiting: 8, ..Limits::default() };
    let world = World::with(Options { limits, ..Options::default() }).await;
    let mut slow = world.thread.subscribe(None).await.expect("it works");
    world.send("m1", "stream").await;
    pass(1_000).await;
    let mut got = 0;
    while slow.next().await.is_some() {
        got += 1;
    }
    assert_eq!(got, 8);
    assert!(world.events().len() > 90);
}

#[tokio::test(start_paused = true)]
async fn a_steer_that_comes_after_a_stop_is_given_back() {
    let world = World::new().await;
    world.log.fail_seals(usize::MAX);
    world.send("m1", "stream").await;
    pass(20).await;
    world.stop().await;
    assert_eq!(world.steer("m2", "hello").await, Status::Returned);
    let retried = world.put(Input::Send(message("m3", "hello", Intent::Queue))).await;
    assert_eq!(retried.expect("an answer").status, Status::Ok);
}

#[tokio::test(start_paused = true)]
async fn threads_do_not_wait_for_each_other() {
    let world = World::new().await;
    world.send("m1", "call deaf").await;
    let other = world.driver.thread(&"other".into());
    let mut subscription = other.subscribe(None).await.expect("it works");
    other.put(Input::Send(message("m1", "hello", Intent::Queue))).await.expect("it works");
    loop {
        let event = subscription.next().await.expect("it works");
        assert_eq!(event.thread.as_str(), "other");
        if matches!(event.event, Event::TurnSealed { .. }) {
            return;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn threads_that_nobody_holds_rest_and_come_back_as_they_were() {
    let limits = Limits { threads: 3, ..Limits::default() };
    let world = World::with(Options { limits, ..Options::default() }).await;
    let send = |thread: &'static str, id: &'static str, text: &'static str| {
        let thread = world.driver.thread(&thread.into());
        async move { thread.put(Input::Send(message(id, text, Intent::Queue))).await.expect("it works").map(|it| it.status) }
    };
    // One works, one is listened to (t, by the world), and many come and go.
    assert_eq!(send("busy", "m1", "stream").await, Some(Status::Ok));
    for thread in ["a", "b", "c", "d", "e", "f"] {
        assert_eq!(send(thread, "m1", "hello").await, Some(Status::Ok));
        pass(100).await;
    }
    assert!(world.driver.count() <= 4, "{} are at work", world.driver.count());
    assert_eq!(world.alive.count(), 1, "the busy one still is");
    assert_eq!(send("a", "m1", "hello").await, Some(Status::Ok), "the same answer");
    assert_eq!(world.log.saved(&"a".into()).chunks.len(), 2, "nothing is answered twice");
    assert_eq!(world.send("m1", "hello").await, Status::Ok);
    world.sealed("t:1").await;
}
