//! Sockets, waits and kept texts, as the table says that TypeScript plays as well.

use std::fmt::Write;

use serde_json::Value;
use turnseal::browser::{
    Link, LinkEffect, LinkInput, LinkPhase, Location, Moment, addresses, is_passing, read_draft, read_sends, wait_ms,
};
use turnseal::model::ThreadId;

/// A link with a clock and a socket of the test.
struct Bench {
    link: Link,
    ms: u64,
    due: Option<u64>,
    offline: bool,
    has_socket: bool,
    out: String,
}

impl Bench {
    fn feed(&mut self, input: LinkInput) {
        let now = Moment { ms: self.ms, chance: 0.5, offline: self.offline };
        for effect in self.link.apply(input, now) {
            match effect {
                LinkEffect::StartTimer { after_ms } => self.due = Some(self.ms + after_ms),
                LinkEffect::StopTimer => self.due = None,
                LinkEffect::Drop if self.has_socket => {
                    self.has_socket = false;
                    self.out.push_str("  drop\n");
                }
                LinkEffect::Drop => {}
                LinkEffect::Connect => {
                    self.has_socket = true;
                    self.out.push_str("  connect\n");
                }
                LinkEffect::Say(text) => writeln!(self.out, "  say {text}").unwrap(),
                LinkEffect::State(state) => {
                    let phase = match state.phase {
                        LinkPhase::Connecting => "connecting",
                        LinkPhase::Open => "open",
                        LinkPhase::Waiting => "waiting",
                        LinkPhase::Offline => "offline",
                        LinkPhase::Closed => "closed",
                    };
                    let wait = state.retry_ms.map_or_else(String::new, |at| format!(" in {}", at - self.ms));
                    writeln!(self.out, "  state {phase} {}{wait}", state.attempt).unwrap();
                }
            }
        }
    }

    fn wait(&mut self, ms: u64) {
        let end = self.ms + ms;
        while let Some(due) = self.due.filter(|due| *due <= end) {
            self.ms = due;
            self.due = None;
            self.feed(LinkInput::TimerFired);
        }
        self.ms = end;
    }

    fn line(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["begin"] => self.feed(LinkInput::Begin),
            ["listen", count, "more"] => {
                let kept = self.out.len();
                for at in 0..count.parse::<u32>().unwrap() {
                    self.feed(LinkInput::Listen(ThreadId::new(format!("t{at}"))));
                }
                self.out.truncate(kept);
            }
            ["listen", thread] => self.feed(LinkInput::Listen(ThreadId::from(*thread))),
            ["rename", from, to] => {
                self.feed(LinkInput::Rename { from: ThreadId::from(*from), to: ThreadId::from(*to) });
            }
            ["opens"] => self.feed(LinkInput::Opened),
            ["ends"] => {
                self.has_socket = false;
                self.feed(LinkInput::Lost);
            }
            ["hears", thread, n] => self.feed(LinkInput::Heard(vec![(ThreadId::from(*thread), n.parse().unwrap())])),
            ["wait", ms] => self.wait(ms.parse().unwrap()),
            ["online"] => {
                self.offline = false;
                self.feed(LinkInput::Back);
            }
            ["back"] => self.feed(LinkInput::Back),
            ["offline"] => {
                self.offline = true;
                self.feed(LinkInput::Offline);
            }
            ["retry"] => self.feed(LinkInput::Retry),
            ["close"] => self.feed(LinkInput::Close),
            _ => panic!("no such line: {line}"),
        }
    }
}

#[test]
fn a_socket_comes_back_as_the_table_says() {
    let table = include_str!("socket.txt");
    let parts: Vec<&str> = table.split("\n== ").skip(1).collect();
    assert!(parts.len() > 8, "the table is read");
    for part in parts {
        let (name, lines) = part.split_once('\n').unwrap();
        let mut bench = Bench {
            link: Link::default(),
            ms: 1_000,
            due: None,
            offline: false,
            has_socket: false,
            out: String::new(),
        };
        for line in lines.lines().filter(|line| !line.is_empty() && !line.starts_with("  ")) {
            writeln!(bench.out, "{line}").unwrap();
            bench.line(line);
        }
        assert_eq!(bench.out.trim(), lines.trim(), "{name}");
    }
}

fn cases(name: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("cases.json")).unwrap();
    all[name].as_array().unwrap().clone()
}

#[test]
fn waits_and_passing_failures_are_those_of_the_table() {
    for case in cases("waits") {
        let attempt = u32::try_from(case["attempt"].as_u64().unwrap()).unwrap();
        assert_eq!(Some(wait_ms(attempt, case["chance"].as_f64().unwrap())), case["ms"].as_u64(), "{case}");
    }
    for case in cases("passing") {
        let status = case["status"].as_u64().map(|status| u16::try_from(status).unwrap());
        assert_eq!(Some(is_passing(status)), case["is"].as_bool(), "{case}");
    }
}

#[test]
fn addresses_are_those_of_the_table() {
    for case in cases("addresses") {
        let text = |name: &str| case[name].as_str().unwrap_or_default();
        let location =
            Location { protocol: text("protocol"), host: text("host"), path: text("path"), search: text("search") };
        let wanted = case["http"].as_str().map(|http| (http.to_owned(), text("socket").to_owned()));
        assert_eq!(addresses(location), wanted, "{case}");
    }
}

#[test]
fn what_is_kept_is_read_as_the_table_says() {
    for case in cases("sends") {
        let sends = read_sends(case["text"].as_str().unwrap());
        let clients: Vec<Value> = sends.list.iter().map(|send| send.client.as_str().into()).collect();
        assert_eq!(
            (Value::from(clients), Some(sends.is_whole)),
            (case["clients"].clone(), case["whole"].as_bool()),
            "{case}"
        );
    }
    for case in cases("drafts") {
        assert_eq!(read_draft(case["text"].as_str().unwrap()).as_deref(), case["draft"].as_str(), "{case}");
    }
}
