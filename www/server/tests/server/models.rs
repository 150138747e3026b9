//! The models: a recording, and an endpoint that speaks chat completions.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::response::Response;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::kit::{Folder, Server, types};

fn chunk(delta: Value, finish: Option<&str>) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] }))
}

/// What an endpoint answers to its first request, and to all later ones.
fn responses() -> [String; 2] {
    let call = |index: u32, id: Option<&str>, name: Option<&str>, arguments: &str| json!({ "tool_calls": [{ "index": index, "id": id, "function": { "name": name, "arguments": arguments } }] });
    let first = [
        ": a comment\n\n".to_owned(),
        chunk(json!({ "role": "assistant", "reasoning_content": "Two queries. " }), None),
        chunk(json!({ "content": "Let me sée" }), None),
        chunk(call(0, Some("c0"), Some("query_database"), ""), None),
        chunk(call(0, None, None, "{\"sql\":\"SELECT "), None),
        chunk(call(1, Some("c1"), Some("list_files"), "{}"), None),
        chunk(call(0, None, None, "count(*) FROM orders\"}"), None),
        chunk(json!({}), Some("tool_calls")),
        "data: {\"choices\":[],\"usage\":{\"total_tokens\":7}}\n\ndata: [DONE]\n\n".to_owned(),
    ];
    let second =
        [chunk(json!({ "content": "Eight." }), None), chunk(json!({}), Some("stop")), "data: [DONE]\n\n".to_owned()];
    [first.concat(), second.concat()]
}

/// An endpoint: keeps what it was asked, and sends what it is given, byte by byte where that is wanted.
struct Endpoint {
    url: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Endpoint {
    async fn new(answer: impl Fn(usize) -> Response + Clone + Send + Sync + 'static) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        let handler = move |headers: axum::http::HeaderMap, bytes: Bytes| {
            assert_eq!(headers["authorization"], "Bearer secret");
            let mut seen = seen.lock().unwrap();
            seen.push(serde_json::from_slice(&bytes).unwrap());
            let response = answer(seen.len());
            async move { response }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let app = Router::new().route("/v1/chat/completions", post(handler));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, asked }
    }

    async fn server(&self, folder: &Folder) -> Server {
        let env = [("OPENAI_BASE_URL", self.url.as_str()), ("OPENAI_API_KEY", "secret"), ("MODEL", "small")];
        Server::start(&["--db", &folder.db(), "--model", "openai"], &env).await
    }
}

/// A body that comes in pieces of that size.
fn pieces(text: String, size: usize) -> Response {
    let (sender, mut receiver) = mpsc::channel::<Vec<u8>>(4);
    tokio::spawn(async move {
        for piece in text.into_bytes().chunks(size) {
            if sender.send(piece.to_vec()).await.is_err() {
                return;
            }
            tokio::task::yield_now().await;
        }
    });
    let stream = futures_util::stream::poll_fn(move |context| {
        receiver.poll_recv(context).map(|piece| piece.map(Ok::<_, std::convert::Infallible>))
    });
    Response::new(Body::from_stream(stream))
}

#[tokio::test]
async fn an_endpoint_is_asked_streams_and_calls_tools() {
    let endpoint = Endpoint::new(|count| pieces(responses()[usize::from(count > 1)].clone(), 7)).await;
    let folder = Folder::new();
    let server = endpoint.server(&folder).await;
    let (mut socket, _) = server.listen().await;
    server.say("k1", "How many orders?").await;
    let events = socket.until("turn-sealed").await;
    assert_eq!(
        types(&events),
        ["turn-start", "usage", "tool-call", "tool-call", "tool-result", "tool-result", "turn-end", "turn-sealed"]
    );
    let kinds: Vec<Value> = server.rows().await.iter().map(|row| row["type"].clone()).collect();
    for kind in ["reasoning", "text", "tool_call", "tool_result", "usage"] {
        assert!(kinds.contains(&json!(kind)), "{kind} in {kinds:?}");
    }
    let asked = endpoint.asked.lock().unwrap().clone();
    assert_eq!((&asked[0]["model"], &asked[0]["stream"]), (&json!("small"), &json!(true)));
    assert_eq!(asked[0]["messages"], json!([{ "role": "user", "content": "How many orders?" }]));
    let told = asked[1]["messages"].as_array().unwrap();
    assert_eq!(told[1]["tool_calls"].as_array().unwrap().len(), 2);
    assert_eq!(told[1]["content"], "Let me sée", "a character may be cut between two pieces");
    assert!(told[2]["content"].as_str().unwrap().contains("[[8]]"), "{told:?}");
    assert_eq!(told.len(), 4);
}

#[tokio::test]
async fn an_endpoint_that_fails_or_breaks_off_ends_the_turn_as_failed() {
    let endpoint = Endpoint::new(|count| match count {
        1 => Response::builder().status(429).body(Body::from("{\"error\":{\"message\":\"slow down\"}}")).unwrap(),
        2 => pieces(chunk(json!({ "content": "I was" }), None), 1000),
        3 => pieces("data: {\"error\":{\"message\":\"overloaded\"}}\n\n".to_owned(), 1000),
        _ => pieces("data: {\n\n".to_owned(), 1000),
    })
    .await;
    let folder = Folder::new();
    let server = endpoint.server(&folder).await;
    let (mut socket, _) = server.listen().await;
    for (client, why) in [("k1", "429"), ("k2", "broke off"), ("k3", "overloaded"), ("k4", "a chunk of the model")] {
        server.say(client, "hello").await;
        let events = socket.until("turn-sealed").await;
        let end = events.iter().find(|event| event["type"] == "turn-end").unwrap();
        assert_eq!(end["outcome"], "error");
        assert!(end["error"].as_str().unwrap().contains(why), "{end}");
    }
}

#[tokio::test]
async fn a_stop_drops_the_request_to_the_endpoint() {
    let (dropped_in, dropped) = oneshot::channel::<()>();
    let dropped_in = Arc::new(Mutex::new(Some(dropped_in)));
    let endpoint = Endpoint::new(move |_| {
        let (sender, mut receiver) = mpsc::channel::<Vec<u8>>(1);
        let dropped = dropped_in.lock().unwrap().take();
        tokio::spawn(async move {
            while sender.send(chunk(json!({ "content": "word " }), None).into_bytes()).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            dropped.map(|dropped| dropped.send(()))
        });
        let stream = futures_util::stream::poll_fn(move |context| {
            receiver.poll_recv(context).map(|piece| piece.map(Ok::<_, std::convert::Infallible>))
        });
        Response::new(Body::from_stream(stream))
    })
    .await;
    let folder = Folder::new();
    let server = endpoint.server(&folder).await;
    let (mut socket, _) = server.listen().await;
    server.say("k1", "hello").await;
    socket.until("text-delta").await;
    server.post("/threads/main/stop", &json!({})).await;
    socket.until("turn-end").await;
    tokio::time::timeout(Duration::from_secs(5), dropped).await.expect("the connection is closed").unwrap();
}

#[tokio::test]
async fn a_recording_is_said_again_one_response_a_request() {
    let folder = Folder::new();
    let file = folder.file("recorded.sse");
    std::fs::write(&file, responses().concat()).unwrap();
    let file = file.to_string_lossy().into_owned();
    let args = ["--db", &folder.db(), "--model", "replay", "--replay", &file, "--pace", "0"];
    let server = Server::start(&args, &[]).await;
    let (mut socket, _) = server.listen().await;
    server.say("k1", "anything").await;
    let events = socket.until("turn-sealed").await;
    let text: String = events
        .iter()
        .filter(|event| event["type"] == "text-delta")
        .filter_map(|event| event["delta"].as_str())
        .collect();
    assert_eq!(text, "Let me séeEight.");
}
