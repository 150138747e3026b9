//! Pending sends and drafts in the page's storage, which may be absent, full or broken: that is told, and never thrown.

use std::collections::BTreeSet;

use web_sys::Storage;

use crate::browser::kept::{Kind, Scope, read_draft, read_sends, write_draft, write_sends};
use crate::model::{ClientId, ThreadId};
use crate::store::PendingSend;

use super::Report;

type Said<T> = (T, Vec<Report>);

pub(super) struct Keep {
    storage: Option<Storage>,
    scope: Scope,
    /// What this client has read or written: any other message there is another tab's, and stays.
    mine: BTreeSet<ClientId>,
    /// Who writes with each key press shall not tell of it with each.
    told: BTreeSet<(&'static str, ThreadId)>,
}

impl Keep {
    pub(super) fn new(storage: Option<Storage>, scope: Scope) -> Self {
        Self { storage, scope, mine: BTreeSet::new(), told: BTreeSet::new() }
    }

    /// The messages that an earlier life of this page had not seen arrive.
    pub(super) fn sends(&mut self, thread: &ThreadId) -> Said<Vec<PendingSend>> {
        let (list, reports) = self.kept(thread);
        self.mine.extend(list.iter().map(|send| send.client.clone()));
        (list, reports)
    }

    /// Keeps the pending sends of a thread, beside those of other tabs.
    pub(super) fn put_sends(&mut self, thread: &ThreadId, sends: &[PendingSend]) -> Said<()> {
        let (kept, mut reports) = self.kept(thread);
        let others = kept.iter().filter(|send| !self.mine.contains(&send.client));
        let (text, left) = write_sends(others.chain(sends));
        self.mine.extend(sends.iter().map(|send| send.client.clone()));
        reports.extend(self.put(Kind::Sends, thread, &text));
        let detail = format!("{left} pending messages are too long to outlive a reload");
        reports.extend(self.tell("storage-full", thread, (left > 0).then_some(detail)));
        ((), reports)
    }

    pub(super) fn draft(&mut self, thread: &ThreadId) -> Said<String> {
        let (text, mut reports) = self.get(Kind::Draft, thread);
        let Some(text) = text else { return (String::new(), reports) };
        let draft = read_draft(&text);
        if draft.is_none() {
            reports.extend(self.put_aside(Kind::Draft, thread, &text, ""));
        }
        (draft.unwrap_or_default(), reports)
    }

    /// A draft that is too long leaves what stood there: the beginning of it, mostly.
    pub(super) fn put_draft(&mut self, thread: &ThreadId, draft: &str) -> Said<()> {
        let mut reports = Vec::new();
        let text = write_draft(draft);
        if let Some(text) = &text {
            reports.extend(self.put(Kind::Draft, thread, text));
        }
        let detail = "the draft is too long to outlive a reload".to_owned();
        reports.extend(self.tell("storage-full", thread, text.is_none().then_some(detail)));
        ((), reports)
    }

    /// A thread has another name. What stands under it already stays.
    pub(super) fn rename(&mut self, from: &ThreadId, to: &ThreadId) -> Said<()> {
        let mut reports = Vec::new();
        for kind in [Kind::Sends, Kind::Draft] {
            let (text, said) = self.get(kind, from);
            reports.extend(said);
            let Some(text) = text else { continue };
            if self.get(kind, to).0.is_none() {
                reports.extend(self.put(kind, to, &text));
            }
            reports.extend(self.put(kind, from, ""));
        }
        ((), reports)
    }

    fn kept(&mut self, thread: &ThreadId) -> Said<Vec<PendingSend>> {
        let (text, mut reports) = self.get(Kind::Sends, thread);
        let Some(text) = text else { return (Vec::new(), reports) };
        let sends = read_sends(&text);
        if !sends.is_whole {
            reports.extend(self.put_aside(Kind::Sends, thread, &text, &write_sends(&sends.list).0));
        }
        (sends.list, reports)
    }

    /// Puts aside what cannot be read; `rest` is what could be.
    fn put_aside(&mut self, kind: Kind, thread: &ThreadId, text: &str, rest: &str) -> Vec<Report> {
        let aside = self.scope.aside(kind, thread.as_str());
        let mut reports = vec![Report {
            code: "storage-corrupt".to_owned(),
            thread: Some(thread.clone()),
            detail: format!("what was kept cannot be read; it is now under {aside}"),
        }];
        // First away, so that a full storage has room for it.
        reports.extend(self.put(kind, thread, ""));
        let done = self.storage.as_ref().is_none_or(|storage| storage.set_item(&aside, text).is_ok());
        reports.extend(self.put(kind, thread, if done { rest } else { text }));
        reports
    }

    fn get(&mut self, kind: Kind, thread: &ThreadId) -> Said<Option<String>> {
        let Some(storage) = &self.storage else { return (None, Vec::new()) };
        let read = storage.get_item(&self.scope.key(kind, thread.as_str()));
        let detail = read.is_err().then(|| "the storage cannot be read".to_owned());
        (read.ok().flatten(), self.tell("storage-failed", thread, detail))
    }

    fn put(&mut self, kind: Kind, thread: &ThreadId, text: &str) -> Vec<Report> {
        let Some(storage) = &self.storage else { return Vec::new() };
        let key = self.scope.key(kind, thread.as_str());
        let done = if text.is_empty() { storage.remove_item(&key) } else { storage.set_item(&key, text) };
        let detail = done.is_err().then(|| "the storage cannot be written; it may be full".to_owned());
        self.tell("storage-failed", thread, detail)
    }

    fn tell(&mut self, code: &'static str, thread: &ThreadId, detail: Option<String>) -> Vec<Report> {
        let line = (code, thread.clone());
        let Some(detail) = detail else {
            self.told.remove(&line);
            return Vec::new();
        };
        let is_news = self.told.insert(line);
        let report = || Report { code: code.to_owned(), thread: Some(thread.clone()), detail };
        is_news.then(report).into_iter().collect()
    }
}
