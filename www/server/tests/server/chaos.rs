//! The bad network, and the list of threads.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::kit::{Folder, Server};

async fn start(folder: &Folder, rules: &str) -> Server {
    Server::start(&["--db", &folder.db(), "--pace", "0", "--chaos", rules], &[]).await
}

#[tokio::test]
async fn a_lost_frame_is_lost_and_the_next_one_shows_that() {
    let folder = Folder::new();
    let server = start(&folder, "loss=100").await;
    let mut socket = server.socket().await;
    socket.say(&json!({ "threadId": "main" })).await;
    // The snapshot is lost; what is said behind it, too.
    while server.metrics().await.contains("turnseal_events_sent_total 0\n") {}
    server.say("k1", "late?").await;
    while server.get("/threads/main/snapshot").await["turns"] != json!([]) {}
    assert_eq!(server.ask("PUT", "/chaos", &json!({})).await.0, 200);
    server.say("k2", "late?").await;
    let seen = socket.until("turn-sealed").await;
    assert!(seen.iter().any(|event| event["turnId"] == "main:2"));
    assert!(seen.iter().all(|event| event["turnId"] != "main:1"), "{seen:?}");
}

#[tokio::test]
async fn a_repeated_frame_comes_twice() {
    let folder = Folder::new();
    let server = start(&folder, "repeat=100,delay=20").await;
    let (mut socket, snapshot) = server.listen().await;
    assert_eq!(socket.next().await, snapshot);
}

#[tokio::test]
async fn a_socket_is_cut_without_a_word() {
    let folder = Folder::new();
    let server = start(&folder, "cut=1").await;
    let (mut socket, _) = server.listen().await;
    while socket.try_next().await.is_some() {}
    // The server is well, and takes the next one.
    server.listen().await;
}

#[tokio::test]
async fn a_page_is_slow_and_only_with_the_option_there_are_rules() {
    let folder = Folder::new();
    let server = start(&folder, "slow=300").await;
    let begun = Instant::now();
    server.get("/threads/main/chunks").await;
    assert!(begun.elapsed() >= Duration::from_millis(300));
    assert_eq!(server.ask("PUT", "/chaos", &json!({ "rain": 1 })).await.0, 400);
    assert_eq!(server.get("/chaos").await["slow"], 300);
    let other = Folder::new();
    assert_eq!(Server::quick(&other).await.ask("PUT", "/chaos", &json!({})).await.0, 404);
}

#[tokio::test]
async fn the_list_has_titles_the_newest_first_and_what_runs() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let (mut socket, _) = server.listen().await;
    server.say("k1", "Which  orders\nare late?").await;
    socket.until("turn-sealed").await;
    socket.say(&json!({ "threadId": "b" })).await;
    server.post("/threads/b/messages", &json!({ "clientId": "k2", "text": "Ship them" })).await;
    socket.until("approval-request").await;
    let line = |at: usize, list: &serde_json::Value| {
        let entry = &list["threads"][at];
        (entry["id"].clone(), entry["title"].clone(), entry["running"].clone())
    };
    let list = server.get("/threads").await;
    assert_eq!(line(0, &list), (json!("b"), json!("Ship them"), json!(true)));
    assert_eq!(line(1, &list), (json!("main"), json!("Which orders are late?"), json!(false)));
    assert_eq!(server.ask("PATCH", "/threads/main", &json!({ "title": " Late " })).await.0, 200);
    assert_eq!(line(1, &server.get("/threads").await).1, json!("Late"));
    assert_eq!(server.ask("PATCH", "/threads/main", &json!({ "title": "" })).await.0, 200);
    assert_eq!(line(1, &server.get("/threads").await).1, json!("Which orders are late?"));
}
