//! A stop ends what runs: the process group of a command, the request to a model; and SIGTERM ends the server well.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::kit::{Folder, LONG, Server, Socket};

/// A turn whose command runs. Gives the socket behind its first output.
async fn running(server: &Server) -> Socket {
    let (mut socket, _) = server.listen().await;
    server.say("k1", "run it").await;
    let asked = socket.until("approval-request").await.pop().unwrap();
    let path = format!("/threads/main/approvals/{}", asked["callId"].as_str().unwrap());
    server.post(&path, &json!({ "decision": "approved" })).await;
    let output = socket.until("tool-output").await.pop().unwrap();
    assert_eq!(output["data"], "step 1 of 8\n");
    socket
}

/// Of each process: its id, state, parent and group.
fn processes() -> Vec<(i32, String, u32, i32)> {
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let pid: i32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let mut words = stat.rsplit_once(") ")?.1.split(' ');
        Some((pid, words.next()?.to_owned(), words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    });
    entries.collect()
}

/// The group of the command that a server runs.
fn group(server: &Server) -> i32 {
    let of = server.child.id().unwrap();
    processes().into_iter().find(|(_, _, parent, _)| *parent == of).expect("the command is a child").3
}

/// Waits until nobody of a group runs any more; who is dead and not buried does not run.
async fn gone(group: i32) {
    for _ in 0..200 {
        if !processes().into_iter().any(|(_, state, _, of)| of == group && state != "Z") {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("the process group lives on");
}

#[tokio::test]
async fn a_stop_kills_the_process_group_and_answers_at_once() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let mut socket = running(&server).await;
    let group = group(&server);
    let stopped = Instant::now();
    server.post("/threads/main/stop", &json!({})).await;
    let events = socket.until("turn-sealed").await;
    let took = stopped.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
    let killed = Instant::now();
    assert!(events.iter().any(|event| event["type"] == "turn-end" && event["outcome"] == "aborted"));
    gone(group).await;
    assert!(killed.elapsed() < Duration::from_secs(1), "it did not wait for its grace: {:?}", killed.elapsed());
    assert_eq!(server.rows().await.last().unwrap()["type"], "tool_interrupted");
    assert_eq!(server.say("k2", "late?").await["status"], "ok");
    socket.until("turn-sealed").await;
}

#[tokio::test]
async fn a_steer_ends_the_speech_and_is_answered_next() {
    let folder = Folder::new();
    let server = Server::start(&["--db", &folder.db(), "--pace", "20"], &[]).await;
    let (mut socket, _) = server.listen().await;
    server.say("k1", "hello").await;
    socket.until("reasoning-end").await;
    assert_eq!(server.steer("k2", "late?").await["status"], "queued");
    let first = socket.until("turn-sealed").await;
    let second = if first.iter().any(|event| event["type"] == "turn-sealed" && event["turnId"] == "main:2") {
        Vec::new()
    } else {
        socket.until("turn-sealed").await
    };
    let ends: Vec<&Value> = first.iter().chain(&second).filter(|event| event["type"] == "turn-end").collect();
    assert!(ends.iter().all(|event| event["outcome"] == "done"), "{ends:?}");
    let text: String =
        first.iter().filter(|event| event["turnId"] == "main:1").filter_map(|event| event["delta"].as_str()).collect();
    assert!(!text.contains("start it again"), "it did not speak to its end: {text}");
}

#[tokio::test]
async fn sigterm_seals_what_runs_closes_sockets_and_ends() {
    let folder = Folder::new();
    let mut server = Server::quick(&folder).await;
    let mut socket = running(&server).await;
    server.say("k2", "late?").await;
    let group = group(&server);
    let pid = Pid::from_raw(i32::try_from(server.child.id().unwrap()).unwrap()).unwrap();
    kill_process(pid, Signal::TERM).unwrap();
    let status = timeout(LONG, server.child.wait()).await.expect("it ends").unwrap();
    assert!(status.success(), "{status}");
    gone(group).await;
    while socket.try_next().await.is_some() {}
    let server = Server::quick(&folder).await;
    let snapshot = server.get("/threads/main/snapshot").await;
    assert_eq!((&snapshot["turns"], &snapshot["held"]), (&json!([]), &json!(true)));
    assert_eq!(snapshot["queue"][0]["messageId"], "m-k2");
    assert_eq!(server.rows().await.last().unwrap()["type"], "tool_interrupted");
}
