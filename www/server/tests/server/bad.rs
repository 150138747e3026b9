//! Requests that make no sense: 4xx, and JSON with a code and words.

use serde_json::{Value, json};

use crate::kit::{Folder, Server};

#[tokio::test]
async fn bad_requests_say_what_is_wrong() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let messages = "/threads/main/messages";
    let long = format!("/threads/{}/stop", "x".repeat(201));
    for (method, path, body, status, code) in [
        ("POST", messages, json!({}), 400, "bad-body"),
        ("POST", messages, json!({ "clientId": "k", "text": 7 }), 400, "bad-body"),
        ("POST", messages, json!({ "clientId": "k" }), 400, "bad-body"),
        ("POST", messages, json!({ "clientId": "k", "text": "a", "parts": [] }), 400, "bad-body"),
        ("POST", messages, json!({ "clientId": "k", "parts": [{ "type": "text" }] }), 400, "bad-body"),
        ("POST", messages, json!({ "clientId": "k", "text": " " }), 400, "empty"),
        ("POST", messages, json!({ "clientId": "", "text": "a" }), 400, "bad-id"),
        ("POST", messages, json!({ "clientId": "k", "text": "a", "intent": "shout" }), 400, "bad-body"),
        ("POST", "/threads/main/approvals/c", json!({ "decision": "maybe" }), 400, "bad-body"),
        ("PATCH", "/threads/main/queue/m", json!({ "text": "a", "index": 1 }), 400, "bad-body"),
        ("PATCH", "/threads/main/queue/m", json!({}), 400, "bad-body"),
        ("POST", &long, json!({}), 400, "bad-id"),
        ("GET", "/threads/main/chunks?before=x", json!({}), 400, "bad-query"),
        ("GET", "/threads/main/chunks?limit=x", json!({}), 400, "bad-query"),
        ("GET", "/nothing", json!({}), 404, "not-found"),
        ("GET", messages, json!({}), 405, "wrong-method"),
        ("GET", "/ws", json!({}), 400, "no-socket"),
    ] {
        let (given, answer) = server.ask(method, path, &body).await;
        assert_eq!((given, &answer["code"]), (status, &json!(code)), "{method} {path} {body}: {answer}");
        assert!(answer["message"].as_str().is_some_and(|words| !words.is_empty()));
    }
    assert_eq!(server.rows().await, Vec::<Value>::new(), "nothing came of it");
}

#[tokio::test]
async fn what_is_no_json_or_too_large_is_refused() {
    let folder = Folder::new();
    let server = Server::quick(&folder).await;
    let url = format!("{}/threads/main/messages", server.url);
    let post = |body: Vec<u8>| server.http.post(&url).body(body).send();
    let large = json!({ "clientId": "k", "text": "x".repeat(1024 * 1024) }).to_string().into_bytes();
    let deep = format!("{{\"clientId\":\"k\",\"parts\":{}{}}}", "[".repeat(500), "]".repeat(500)).into_bytes();
    for (body, status, code) in [
        (b"{".to_vec(), 400, "bad-body"),
        (vec![0xff; 9], 400, "bad-body"),
        (large, 413, "too-large"),
        (deep, 400, "bad-body"),
    ] {
        let response = post(body).await.unwrap();
        assert_eq!(response.status().as_u16(), status);
        let answer: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        assert_eq!(answer["code"], code, "{answer}");
    }
}

#[tokio::test]
async fn pages_of_other_origins_and_other_names_are_refused() {
    let folder = Folder::new();
    let origin = "http://localhost:5173";
    let server = Server::start(&["--db", &folder.db(), "--pace", "0", "--origin", origin], &[]).await;
    let ask = |headers: &[(&'static str, &str)]| {
        let mut request = server.http.get(format!("{}/threads", server.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        async { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(ask(&[]).await, 200);
    assert_eq!(ask(&[("origin", &server.url)]).await, 200);
    assert_eq!(ask(&[("origin", origin)]).await, 200);
    assert_eq!(ask(&[("origin", "http://evil.example")]).await, 403);
    assert_eq!(ask(&[("origin", "null")]).await, 403);
    assert_eq!(ask(&[("host", "evil.example")]).await, 403);
    // A browser lets such a page read what it may.
    let preflight = server.http.request("OPTIONS".parse().unwrap(), format!("{}/threads/a/stop", server.url));
    let preflight = preflight.header("origin", origin).send().await.unwrap();
    assert_eq!(preflight.status().as_u16(), 204);
    assert_eq!(preflight.headers()["access-control-allow-origin"], origin);
    // A socket is no exception: a page of any site may open one.
    let request = format!("{}/ws", server.url.replace("http", "ws"));
    let mut request = tokio_tungstenite::tungstenite::client::IntoClientRequest::into_client_request(request).unwrap();
    request.headers_mut().insert("origin", "http://evil.example".parse().unwrap());
    assert!(tokio_tungstenite::connect_async(request).await.is_err());
}

#[tokio::test]
async fn files_of_the_site_are_served_and_nothing_beside_them() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.file("site/a")).unwrap();
    std::fs::write(folder.file("site/index.html"), "<p>hello").unwrap();
    std::fs::write(folder.file("site/a/b.wasm"), "wasm").unwrap();
    std::fs::write(folder.file("secret.txt"), "secret").unwrap();
    std::os::unix::fs::symlink(folder.file("secret.txt"), folder.file("site/link.txt")).unwrap();
    let site = folder.file("site").to_string_lossy().into_owned();
    let server = Server::start(&["--db", &folder.db(), "--site", &site], &[]).await;
    let get = |path: &str| server.http.get(format!("{}{path}", server.url)).send();
    let page = get("/").await.unwrap();
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    assert!(page.headers().contains_key("content-security-policy"));
    assert_eq!(page.text().await.unwrap(), "<p>hello");
    assert_eq!(get("/a/b.wasm").await.unwrap().headers()["content-type"], "application/wasm");
    // Without its slash a folder leads to itself.
    std::fs::write(folder.file("site/a/index.html"), "<p>a").unwrap();
    let below = get("/a").await.unwrap();
    assert!(below.url().path() == "/a/" && below.text().await.unwrap() == "<p>a");
    for path in ["/link.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/b", "/nothing.js", "/log.db"] {
        assert_eq!(get(path).await.unwrap().status().as_u16(), 404, "{path}");
    }
}

#[tokio::test]
async fn a_command_line_that_makes_no_sense_ends_with_words() {
    let run =
        |args: &[&str]| std::process::Command::new(env!("CARGO_BIN_EXE_turnseal-server")).args(args).output().unwrap();
    let output = run(&["--model", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("there is no model x\nusage: turnseal-server"));
    let output = run(&["--db", "/nowhere/at/all/x.db"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}
