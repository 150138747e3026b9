//! Turns over HTTP and a socket.

use serde_json::{Value, json};

use crate::kit::{Folder, Server, types};

#[tokio::test]
async fn a_question_is_answered_with_a_tool_told_and_written() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let (mut socket, _) = server.listen().await;
    let answer = server.say("k1", "Which orders are late?").await;
    assert_eq!((&answer["status"], &answer["turnId"]), (&json!("ok"), &json!("main:1")));
    let events = socket.until("turn-sealed").await;
    assert_eq!(types(&events), ["turn-start", "tool-call", "tool-result", "turn-end", "turn-sealed"]);
    assert!(events.windows(2).all(|pair| pair[1]["n"].as_u64() == pair[0]["n"].as_u64().map(|n| n + 1)));
    let text: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert!(text.contains("| 1 | Ada | 2025-05-12 |"), "{text}");
    // The seal carries the rows that the log has.
    let sealed = events.last().unwrap();
    let rows = server.rows().await;
    assert_eq!(sealed["lastSeq"], rows.last().unwrap()["seq"]);
    let plain = |row: &Value| (row["seq"].clone(), row["type"].clone(), row["data"].clone());
    let told: Vec<_> = sealed["chunks"].as_array().unwrap().iter().map(plain).collect();
    assert_eq!(told, rows.iter().map(plain).collect::<Vec<_>>());
}

#[tokio::test]
async fn pages_ascend_connect_and_know_their_limit() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let (mut socket, _) = server.listen().await;
    for at in 0..4 {
        server.say(&format!("k{at}"), "late?").await;
        socket.until("turn-sealed").await;
    }
    let all = server.rows().await;
    let seqs = |page: &Value| -> Vec<u64> {
        page["chunks"].as_array().unwrap().iter().map(|row| row["seq"].as_u64().unwrap()).collect()
    };
    let newest = server.get("/threads/main/chunks?limit=3").await;
    let last = all.last().unwrap()["seq"].as_u64().unwrap();
    assert_eq!(seqs(&newest), [last - 2, last - 1, last]);
    assert_eq!(newest["prevSeq"], last - 3);
    assert_eq!(newest["total"], all.len());
    assert_eq!((&newest["limit"], &newest["oldestSeq"]), (&json!(3), &json!(1)));
    let older = server.get(&format!("/threads/main/chunks?limit=3&before={}", last - 2)).await;
    assert_eq!(seqs(&older), [last - 5, last - 4, last - 3]);
    let behind = server.get("/threads/main/chunks?limit=2&after=3").await;
    assert_eq!(seqs(&behind), [4, 5]);
    let capped = server.get("/threads/main/chunks?limit=100000").await;
    assert_eq!(capped["limit"], 500);
    let nothing = server.get("/threads/nobody/chunks").await;
    assert_eq!((seqs(&nothing), &nothing["total"]), (Vec::new(), &json!(0)));
    let line = server.get("/threads").await["threads"][0].clone();
    assert_eq!((&line["id"], &line["updatedAt"]), (&json!("main"), &all.last().unwrap()["createdAt"]));
}

#[tokio::test]
async fn a_write_waits_for_an_approval_and_only_one_counts() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let (mut socket, _) = server.listen().await;
    server.say("k1", "Ship them").await;
    let asked = socket.until("approval-request").await.pop().unwrap();
    assert!(asked["prompt"].as_str().unwrap().starts_with("Change the sample database? UPDATE orders"));
    let snapshot = server.get("/threads/main/snapshot").await;
    assert_eq!(snapshot["turns"][0]["phase"], "awaiting-approval");
    assert_eq!(snapshot["approvals"][0]["callId"], asked["callId"]);
    let path = format!("/threads/main/approvals/{}", asked["callId"].as_str().unwrap());
    let approve = json!({ "decision": "approved" });
    let (one, other) = tokio::join!(server.post(&path, &approve), server.post(&path, &approve));
    let mut answers = [one["status"].as_str().unwrap(), other["status"].as_str().unwrap()];
    answers.sort_unstable();
    assert_eq!(answers, ["ok", "stale"]);
    let events = socket.until("turn-sealed").await;
    let result = events.iter().find(|event| event["type"] == "tool-result").unwrap();
    assert_eq!(result["toolResult"]["result"], json!({ "changed": 3 }));
    // Denied, the model is told, and nothing is changed.
    server.say("k2", "Ship them").await;
    let asked = socket.until("approval-request").await.pop().unwrap();
    let path = format!("/threads/main/approvals/{}", asked["callId"].as_str().unwrap());
    server.post(&path, &json!({ "decision": "denied", "reason": "not today" })).await;
    let events = socket.until("turn-end").await;
    assert_eq!(events.last().unwrap()["outcome"], "done");
    let text: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert!(text.contains("not today"), "{text}");
}

async fn edit(server: &Server, method: &str, message: &str, body: Value) -> Value {
    server.ask(method, &format!("/threads/main/queue/m-{message}"), &body).await.1
}

fn queue(snapshot: &Value) -> Vec<String> {
    let items = snapshot["queue"].as_array().unwrap();
    items.iter().map(|item| format!("{} {}", item["messageId"], item["message"])).collect()
}

#[tokio::test]
async fn the_queue_is_edited_moved_cancelled_held_and_resumed() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let (mut socket, _) = server.listen().await;
    server.say("k0", "Ship them").await;
    socket.until("approval-request").await;
    for client in ["k1", "k2", "k3"] {
        assert_eq!(server.say(client, "late?").await["status"], "queued");
    }
    assert_eq!(edit(&server, "PATCH", "k1", json!({ "text": "hello" })).await["status"], "ok");
    assert_eq!(edit(&server, "PATCH", "k3", json!({ "index": 0 })).await["status"], "ok");
    assert_eq!(edit(&server, "DELETE", "k2", json!({})).await, json!({ "success": true }));
    assert_eq!(edit(&server, "DELETE", "k2", json!({})).await, json!({ "success": false }));
    let snapshot = server.get("/threads/main/snapshot").await;
    assert_eq!(queue(&snapshot), [r#""m-k3" "late?""#, r#""m-k1" "hello""#]);
    server.post("/threads/main/stop", &json!({})).await;
    assert_eq!(server.get("/threads/main/snapshot").await["held"], true);
    assert_eq!(server.post("/threads/main/queue/resume", &json!({})).await["status"], "ok");
    assert_eq!(server.post("/threads/main/queue/resume", &json!({})).await["status"], "stale");
    for turn in ["main:1", "main:2", "main:3"] {
        assert_eq!(socket.until("turn-sealed").await.pop().unwrap()["turnId"], turn);
    }
    let users = server.rows().await.into_iter().filter(|row| row["role"] == "user");
    let texts: Vec<String> = users.map(|row| row["data"]["text"].as_str().unwrap().to_owned()).collect();
    assert_eq!(texts, ["Ship them", "late?", "hello"]);
}

#[tokio::test]
async fn the_same_client_id_is_the_same_message_whoever_sends_it_and_when() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let (mut socket, _) = server.listen().await;
    let says = (0..8).map(|_| server.say("k1", "late?"));
    let mut answers = Vec::new();
    for say in says {
        answers.push(say.await);
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
    socket.until("turn-sealed").await;
    assert_eq!(server.say("k1", "something else").await, answers[0]);
    assert_eq!(server.rows().await.iter().filter(|row| row["role"] == "user").count(), 1);
}

#[tokio::test]
async fn health_and_metrics_tell_what_is_going_on() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    assert_eq!(server.get("/healthz").await, json!({ "status": "ok" }));
    let (mut socket, _) = server.listen().await;
    server.say("k1", "late?").await;
    socket.until("turn-sealed").await;
    let text = server.metrics().await;
    for line in [
        "turnseal_messages_total 1",
        "turnseal_sockets 1",
        "turnseal_tool_runs_total 1",
        "turnseal_model_requests_total 2",
    ] {
        assert!(text.lines().any(|known| known == line), "{line} in\n{text}");
    }
}
