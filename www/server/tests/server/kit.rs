//! A server as a process, and its clients.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Nothing here takes that long.
pub const LONG: Duration = Duration::from_secs(30);

/// A folder of its own, gone at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("turnseal-server-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn db(&self) -> String {
        self.file("log.db").to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server that runs. Dropping it kills it.
pub struct Server {
    pub child: Child,
    pub url: String,
    pub http: reqwest::Client,
}

impl Server {
    /// A demo that speaks at once.
    pub async fn quick(folder: &Folder) -> Self {
        Self::start(&["--db", &folder.db(), "--pace", "0"], &[]).await
    }

    pub async fn start(args: &[&str], env: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnseal-server"));
        command.args(args).envs(env.iter().copied()).kill_on_drop(true).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = timeout(LONG, lines.next_line()).await.expect("it starts").unwrap().expect("a first line");
        assert!(first.starts_with("http://127.0.0.1:"), "{first}");
        Self { child, url: first.trim_end_matches('/').to_owned(), http: reqwest::Client::new() }
    }

    /// SIGKILL.
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    pub async fn get(&self, path: &str) -> Value {
        let response = self.http.get(format!("{}{path}", self.url)).send().await.unwrap();
        serde_json::from_str(&response.text().await.unwrap()).unwrap()
    }

    pub async fn metrics(&self) -> String {
        self.http.get(format!("{}/metrics", self.url)).send().await.unwrap().text().await.unwrap()
    }

    /// Status and body.
    pub async fn ask(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let method = method.parse().unwrap();
        let request = self.http.request(method, format!("{}{path}", self.url)).body(body.to_string());
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        (status, serde_json::from_str(&response.text().await.unwrap()).unwrap())
    }

    pub async fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, body).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    pub async fn say(&self, client: &str, text: &str) -> Value {
        self.post("/threads/main/messages", &json!({ "clientId": client, "text": text })).await
    }

    pub async fn steer(&self, client: &str, text: &str) -> Value {
        let message = json!({ "clientId": client, "text": text, "intent": "steer" });
        self.post("/threads/main/messages", &message).await
    }

    pub async fn socket(&self) -> Socket {
        let url = format!("{}/ws", self.url.replace("http://", "ws://"));
        Socket { stream: connect_async(url).await.unwrap().0, waiting: Vec::new() }
    }

    /// A socket that listens to `main`, and the snapshot that came first.
    pub async fn listen(&self) -> (Socket, Value) {
        let mut socket = self.socket().await;
        socket.say(&json!({ "threadId": "main" })).await;
        let snapshot = socket.next().await;
        assert_eq!(snapshot["type"], "snapshot");
        (socket, snapshot)
    }

    /// All rows of `main`.
    pub async fn rows(&self) -> Vec<Value> {
        let mut all = Vec::new();
        loop {
            let after = all.last().map_or(0, |row: &Value| row["seq"].as_u64().unwrap());
            let page = self.get(&format!("/threads/main/chunks?limit=500&after={after}")).await;
            let rows = page["chunks"].as_array().unwrap().clone();
            if rows.is_empty() {
                return all;
            }
            all.extend(rows);
        }
    }
}

/// A client's socket.
pub struct Socket {
    pub stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    waiting: Vec<Value>,
}

impl Socket {
    pub async fn say(&mut self, frame: &Value) {
        self.stream.send(Message::text(frame.to_string())).await.unwrap();
    }

    /// The next event; `None` where the server has closed.
    pub async fn try_next(&mut self) -> Option<Value> {
        while self.waiting.is_empty() {
            match timeout(LONG, self.stream.next()).await.expect("an event comes") {
                Some(Ok(Message::Text(text))) => {
                    self.waiting = text.lines().rev().map(|line| serde_json::from_str(line).unwrap()).collect();
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
        self.waiting.pop()
    }

    pub async fn next(&mut self) -> Value {
        self.try_next().await.expect("the socket is open")
    }

    /// Reads up to an event of that type, and gives all that came.
    pub async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut seen = Vec::new();
        loop {
            seen.push(self.next().await);
            if seen.last().is_some_and(|event| event["type"] == kind) {
                return seen;
            }
        }
    }
}

/// The types of events, without what streams.
pub fn types(events: &[Value]) -> Vec<&str> {
    let streams = [
        "text-delta",
        "reasoning-delta",
        "reasoning-end",
        "tool-input-start",
        "tool-input-delta",
        "tool-output",
        "ping",
    ];
    events.iter().filter_map(|event| event["type"].as_str()).filter(|kind| !streams.contains(kind)).collect()
}
