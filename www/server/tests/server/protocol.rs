//! PROTOCOL.md is played, and names every path, every event that was seen and every code.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::kit::{Folder, Server, Socket};

const PAGE: &str = include_str!("../../PROTOCOL.md");

/// The lines of its blocks.
fn lines() -> Vec<&'static str> {
    let mut inside = false;
    let lines = PAGE.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        inside ^= is_fence;
        inside && !is_fence && !line.is_empty()
    });
    lines.collect()
}

/// True where a value is as it is told; `…` is any.
fn fits(told: &Value, is: &Value) -> bool {
    match (told, is) {
        (Value::String(any), _) if any == "…" => true,
        (Value::Array(told), Value::Array(_)) if told == &[Value::from("…")] => true,
        (Value::Array(told), Value::Array(is)) => {
            told.len() == is.len() && told.iter().zip(is).all(|(a, b)| fits(a, b))
        }
        (Value::Object(told), Value::Object(is)) => {
            told.len() == is.len() && told.iter().all(|(key, value)| is.get(key).is_some_and(|is| fits(value, is)))
        }
        (told, is) => told == is,
    }
}

/// Plays the page: what was seen on the way, and what does not hold.
struct Play {
    server: Server,
    socket: Socket,
    answer: Option<(u16, Value)>,
    /// The call of the newest request for an approval.
    call: String,
    seen: BTreeSet<String>,
}

impl Play {
    async fn line(&mut self, line: &str) {
        let (mark, rest) = line.split_once(' ').unwrap();
        match mark {
            ">" => {
                let mut words = rest.splitn(3, ' ');
                let (method, path) = (words.next().unwrap(), words.next().unwrap().replace("{callId}", &self.call));
                let body = serde_json::from_str(words.next().unwrap_or("{}")).unwrap();
                self.answer = Some(self.server.ask(method, &path, &body).await);
            }
            "<" => {
                let (status, told) = rest.split_once(' ').unwrap();
                let (given, is) = self.answer.take().expect("a request stands before");
                assert_eq!(given.to_string(), status, "{line}\nis {is}");
                assert!(fits(&serde_json::from_str(told).unwrap(), &is), "{line}\nis {is}");
            }
            "ws>" => self.socket.say(&serde_json::from_str(rest).unwrap()).await,
            "ws<" => self.event(&serde_json::from_str(rest).unwrap()).await,
            _ => panic!("{line}"),
        }
    }

    /// Reads on to an event of that type and turn.
    async fn event(&mut self, told: &Value) {
        loop {
            let event = self.socket.next().await;
            self.seen.insert(event["type"].as_str().unwrap().to_owned());
            if event["type"] == "approval-request" {
                self.call = event["callId"].as_str().unwrap().to_owned();
            }
            let is_it = event["type"] == told["type"] && event["turnId"] == told["turnId"];
            if is_it && (fits(told, &event) || event["type"] != "queue-snapshot") {
                assert!(fits(told, &event), "{told}\nis {event}");
                return;
            }
        }
    }
}

#[tokio::test]
async fn the_page_is_what_the_server_does() {
    let folder = Folder::new();
    let server = Server::start(&["--db", &folder.db(), "--pace", "0", "--chaos", "off"], &[]).await;
    let socket = server.socket().await;
    let mut play = Play { server, socket, answer: None, call: String::new(), seen: BTreeSet::new() };
    for line in lines() {
        play.line(line).await;
    }
    let told: BTreeSet<String> = lines()
        .into_iter()
        .filter_map(|line| line.strip_prefix("ws< "))
        .map(|json| serde_json::from_str::<Value>(json).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(play.seen.difference(&told).collect::<Vec<_>>(), Vec::<&String>::new(), "events that the page lacks");
}

/// The texts between two marks in the source.
fn between(source: &str, start: &str, end: char) -> Vec<String> {
    source.split(start).skip(1).filter_map(|rest| rest.split(end).next()).map(str::to_owned).collect()
}

#[test]
fn the_page_names_every_path_and_every_code() {
    let routes = include_str!("../../src/routes.rs");
    for path in between(routes, ".route(\"", '"') {
        let fixed: Vec<&str> = path.split('/').filter(|part| !part.starts_with('{') && !part.is_empty()).collect();
        let named =
            lines().into_iter().any(|line| line.starts_with("> ") && fixed.iter().all(|part| line.contains(part)));
        assert!(named || PAGE.contains(&format!("`GET {path}`")), "{path} is not on the page");
    }
    let sources = [
        include_str!("../../src/problem.rs"),
        routes,
        include_str!("../../src/acts.rs"),
        include_str!("../../src/guard.rs"),
        include_str!("../../src/hub.rs"),
        include_str!("../../src/ws.rs"),
        include_str!("../../src/list.rs"),
        include_str!("../../src/chaos.rs"),
    ];
    let all = sources.concat();
    let mut codes: BTreeSet<String> = between(&all, "Problem::bad(\"", '"').into_iter().collect();
    codes.extend(between(&all, "code: \"", '"'));
    codes.extend(between(&all, "refused(\"", '"'));
    codes.extend(["too-large".to_owned(), "bad-body".to_owned()]);
    let told: BTreeSet<String> =
        PAGE.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).map(str::to_owned).collect();
    assert_eq!(codes, told);
}
