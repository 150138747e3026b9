//! Counters, as Prometheus reads them.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is counted since the start.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: AtomicU64,
    refused: AtomicU64,
    messages: AtomicU64,
    sockets: AtomicU64,
    sockets_cut: AtomicU64,
    events: AtomicU64,
    writes: AtomicU64,
    writes_failed: AtomicU64,
    model_requests: AtomicU64,
    tool_runs: AtomicU64,
    diagnostics: AtomicU64,
}

fn add(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// A socket that is open; it is not when this is dropped.
pub(crate) struct OpenSocket(std::sync::Arc<Metrics>);

impl Drop for OpenSocket {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    pub(crate) fn request(&self, is_refused: bool) {
        add(&self.requests);
        if is_refused {
            add(&self.refused);
        }
    }

    pub(crate) fn message(&self) {
        add(&self.messages);
    }

    pub(crate) fn socket(self: &std::sync::Arc<Self>) -> OpenSocket {
        add(&self.sockets);
        OpenSocket(std::sync::Arc::clone(self))
    }

    pub(crate) fn cut(&self) {
        add(&self.sockets_cut);
    }

    pub(crate) fn event(&self) {
        add(&self.events);
    }

    pub(crate) fn written(&self, is_ok: bool) {
        add(if is_ok { &self.writes } else { &self.writes_failed });
    }

    pub(crate) fn model_request(&self) {
        add(&self.model_requests);
    }

    pub(crate) fn tool_run(&self) {
        add(&self.tool_runs);
    }

    pub(crate) fn diagnostic(&self) {
        add(&self.diagnostics);
    }

    /// The text form, version 0.0.4.
    pub(crate) fn text(&self) -> String {
        let counters = [
            ("requests_total", "counter", "HTTP requests", &self.requests),
            ("requests_refused_total", "counter", "HTTP requests answered with 4xx or 5xx", &self.refused),
            ("messages_total", "counter", "messages that were taken", &self.messages),
            ("sockets", "gauge", "open sockets", &self.sockets),
            ("sockets_cut_total", "counter", "sockets that were too slow", &self.sockets_cut),
            ("events_sent_total", "counter", "events sent to sockets", &self.events),
            ("writes_total", "counter", "transactions", &self.writes),
            ("writes_failed_total", "counter", "transactions that failed", &self.writes_failed),
            ("model_requests_total", "counter", "requests to a model", &self.model_requests),
            ("tool_runs_total", "counter", "tool calls that were run", &self.tool_runs),
            ("diagnostics_total", "counter", "diagnostics of the engine", &self.diagnostics),
        ];
        let mut text = String::new();
        for (name, kind, help, value) in counters {
            let value = value.load(Ordering::Relaxed);
            // Writing to a String does not fail.
            let _ =
                write!(text, "# HELP turnseal_{name} {help}\n# TYPE turnseal_{name} {kind}\nturnseal_{name} {value}\n");
        }
        text
    }
}
