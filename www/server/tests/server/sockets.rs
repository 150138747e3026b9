//! Sockets that drop, come back, and do not read.

use std::time::Duration;

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

use crate::kit::{Folder, LONG, Server, Socket};

fn n(event: &Value) -> u64 {
    event["n"].as_u64().unwrap()
}

#[tokio::test]
async fn a_socket_that_comes_back_gets_what_it_missed_and_nothing_twice() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let (mut whole, _) = server.listen().await;
    let (mut first, _) = server.listen().await;
    server.say("k1", "late?").await;
    let seen = first.until("tool-call").await;
    drop(first);
    let all = whole.until("turn-sealed").await;
    let mut back = server.socket().await;
    back.say(&json!({ "type": "subscribe", "threadId": "main", "after": n(seen.last().unwrap()) })).await;
    let rest = back.until("turn-sealed").await;
    let together: Vec<Value> = seen.into_iter().chain(rest).collect();
    assert_eq!(together, all);
}

#[tokio::test]
async fn who_was_away_too_long_or_met_another_server_gets_a_snapshot() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let (mut socket, opening) = server.listen().await;
    server.say("k1", "late?").await;
    let last = n(&socket.until("turn-sealed").await.pop().unwrap());
    server.kill().await;
    let server = Server::quick(&folder).await;
    // The log is the same, the events are not there any more.
    let mut back = server.socket().await;
    back.say(&json!({ "threadId": "main", "after": last })).await;
    let snapshot = back.next().await;
    assert_eq!((&snapshot["type"], &snapshot["epoch"]), (&json!("snapshot"), &opening["epoch"]));
    assert!(n(&snapshot) >= last, "no number comes twice");
    assert_eq!(snapshot["lastSeq"], server.rows().await.last().unwrap()["seq"]);
    let other = Folder::new();
    let server = Server::quick(&other).await;
    let (_, snapshot) = server.listen().await;
    assert_ne!(snapshot["epoch"], opening["epoch"], "another log has another epoch");
}

#[tokio::test]
async fn a_snapshot_in_mid_turn_and_the_events_behind_it_are_the_whole() {
    let folder = Folder::new();
    let server = Server::start(&["--db", &folder.db(), "--pace", "5"], &[]).await;
    let (mut whole, _) = server.listen().await;
    server.say("k1", "hello").await;
    whole.until("reasoning-end").await;
    sleep(Duration::from_millis(50)).await;
    let (mut late, snapshot) = server.listen().await;
    let parts = snapshot["turns"][0]["rows"][1]["parts"].as_array().unwrap().clone();
    let mut text =
        parts.iter().filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str()).collect::<String>();
    for event in late.until("turn-sealed").await {
        if event["type"] == "text-delta" {
            text.push_str(event["delta"].as_str().unwrap());
        }
        if event["type"] == "turn-sealed" {
            assert_eq!(event["chunks"].as_array().unwrap().last().unwrap()["data"]["text"], text);
        }
    }
}

#[tokio::test]
async fn one_socket_listens_to_several_threads_and_lets_go() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let mut socket = server.socket().await;
    for thread in ["a", "b"] {
        socket.say(&json!({ "threadId": thread })).await;
        let snapshot = socket.next().await;
        assert_eq!((&snapshot["type"], &snapshot["threadId"]), (&json!("snapshot"), &json!(thread)));
    }
    socket.say(&json!({ "type": "unsubscribe", "threadId": "a" })).await;
    socket.say(&json!({ "type": "dance", "threadId": "a" })).await;
    assert_eq!(socket.next().await["code"], "bad-frame");
    for thread in ["a", "b"] {
        let message = json!({ "clientId": "k1", "text": "late?" });
        server.post(&format!("/threads/{thread}/messages"), &message).await;
    }
    let events = socket.until("turn-sealed").await;
    assert!(events.iter().all(|event| event["threadId"] == "b"));
}

#[tokio::test]
async fn frames_that_make_no_sense_are_refused_and_the_socket_stays() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let mut socket = server.socket().await;
    for (frame, code) in [
        (json!({}), "bad-frame"),
        (json!("x"), "bad-frame"),
        (json!({ "threadId": "" }), "bad-id"),
        (json!({ "threadId": "x".repeat(201) }), "bad-id"),
        (json!({ "threadId": "main", "after": -1 }), "bad-frame"),
    ] {
        socket.say(&frame).await;
        let refused = socket.next().await;
        assert_eq!((&refused["type"], &refused["code"]), (&json!("refused"), &json!(code)), "{frame}");
    }
    socket.say(&json!({ "threadId": "main" })).await;
    assert_eq!(socket.next().await["type"], "snapshot");
}

/// Reads at last: what was waiting, and then the end. Gives its code, where one came.
async fn closed(socket: &mut Socket) -> Option<u16> {
    loop {
        match socket.stream.next().await {
            Some(Ok(Message::Close(Some(frame)))) => return Some(u16::from(frame.code)),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return None,
        }
    }
}

#[tokio::test]
async fn a_socket_that_does_not_read_is_cut_and_nobody_waits_for_it() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let (mut slow, _) = server.listen().await;
    let (mut quick, _) = server.listen().await;
    // Much more than the buffers of the system and of the server hold.
    let text = format!("report {}", "x".repeat(200_000));
    for at in 0..120 {
        server.say(&format!("k{at}"), &text).await;
        server.post("/threads/main/stop", &json!({})).await;
        quick.until("turn-sealed").await;
    }
    let closed = timeout(LONG, closed(&mut slow));
    let cut = "turnseal_sockets_cut_total 1";
    for _ in 0..100 {
        if server.metrics().await.contains(cut) {
            break;
        }
        sleep(Duration::from_millis(200)).await;
    }
    assert!(server.metrics().await.contains(cut));
    assert!(matches!(closed.await.expect("it is closed"), Some(1013) | None));
}
