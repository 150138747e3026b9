//! Hands each input to its thread.

use crate::model::{Envelope, Event, ThreadId, ThreadStatus};

use super::asks::Out;
use super::effect::{Code, Effect};
use super::input::{Answer, Command, Connection, RequestId, TimerId};
use super::thread::Thread;
use super::{Saved, Store};

impl Store {
    /// The name that a thread has now.
    pub(super) fn real<'a>(&'a self, thread: &'a ThreadId) -> &'a ThreadId {
        if self.aliases.is_empty() { thread } else { self.aliases.get(thread).unwrap_or(thread) }
    }

    /// A thread by any name that it had.
    pub(super) fn thread(&self, id: &ThreadId) -> Option<&Thread> {
        self.threads.get(self.real(id).as_str()).map(|thread| &**thread)
    }

    /// Runs something on a thread, which is created if it is new.
    fn on_thread(&mut self, id: &ThreadId, effects: &mut Vec<Effect>, run: impl FnOnce(&mut Thread, &mut Out<'_>)) {
        let id = self.real(id).clone();
        if self.threads.get(id.as_str()).is_none() {
            self.make_room(effects);
            self.threads.insert(id.shared(), Box::new(Thread::new(id.clone())));
        }
        self.uses += 1;
        let uses = self.uses;
        let mut out = Out { effects, asks: &mut self.asks, limits: self.limits };
        if let Some(thread) = self.threads.get_mut(id.as_str()) {
            thread.used = uses;
            let ran = thread.live.running().cloned();
            run(thread, &mut out);
            thread.view.drop_keys(&thread.log);
            thread.mark_running(ran.as_ref());
            thread.persist(&mut out);
        }
    }

    /// Evicts the least recent thread without anything live, where there are too many.
    fn make_room(&mut self, effects: &mut Vec<Effect>) {
        if self.threads.len() < self.limits.threads.max(1) {
            return;
        }
        let idle = self.threads.values().filter(|thread| !thread.is_busy());
        let oldest = idle.min_by_key(|thread| thread.used).map(|thread| thread.id.clone());
        if let Some(id) = oldest {
            self.threads.remove(id.as_str());
            self.asks.open.retain(|_, asked| asked.thread != id);
            let mut out = Out { effects, asks: &mut self.asks, limits: self.limits };
            out.report(&id, Code::ThreadEvicted, "too many threads".to_owned());
        }
    }

    pub(super) fn on_envelope(&mut self, envelope: Envelope, effects: &mut Vec<Effect>) {
        if let Event::ThreadRenamed { from, to } = &envelope.event {
            let (from, to) = (from.clone(), to.clone());
            self.rename(&from, &to, effects);
            // Its number counts like any other.
            let told = Envelope { thread: to.clone(), event: Event::Nothing, ..envelope };
            self.on_thread(&to, effects, |thread, out| thread.on_envelope(told, out));
            return;
        }
        if let Event::Statuses(list) = envelope.event {
            self.on_statuses(list, effects);
            return;
        }
        let id = envelope.thread.clone();
        self.on_thread(&id, effects, |thread, out| thread.on_envelope(envelope, out));
    }

    pub(super) fn on_deltas(&mut self, whole: Envelope, count: u64, effects: &mut Vec<Effect>) {
        let id = whole.thread.clone();
        self.on_thread(&id, effects, |thread, out| thread.on_deltas(whole, count, out));
    }

    /// The legacy snapshot over all threads: one that is not listed is idle.
    fn on_statuses(&mut self, list: Vec<(ThreadId, ThreadStatus)>, effects: &mut Vec<Effect>) {
        let listed: Vec<ThreadId> = list.iter().map(|(id, _)| self.real(id).clone()).collect();
        for (id, status) in list {
            self.on_thread(&id, effects, |thread, out| thread.on_thread_status(Some(status), out));
        }
        let others: Vec<ThreadId> = self.threads().filter(|id| !listed.contains(id)).cloned().collect();
        for id in others {
            self.on_thread(&id, effects, |thread, out| thread.on_thread_status(None, out));
        }
    }

    /// A temporary name becomes the server's: everything moves along, the old name stays an alias.
    fn rename(&mut self, from: &ThreadId, to: &ThreadId, effects: &mut Vec<Effect>) {
        let from = self.real(from).clone();
        // An alias of another thread is that thread; one of its own is the name that it goes back to.
        let to = if *self.real(to) == from { to } else { self.real(to) }.clone();
        if from == to {
            return;
        }
        self.move_thread(&from, &to, effects);
        for (_, asked) in self.asks.open.iter_mut() {
            if asked.thread == from {
                asked.thread = to.clone();
            }
        }
        for (_, (thread, _)) in self.asks.timers.iter_mut() {
            if *thread == from {
                *thread = to.clone();
            }
        }
        for (_, alias) in self.aliases.iter_mut() {
            if *alias == from {
                *alias = to.clone();
            }
        }
        self.aliases.remove(&to);
        self.aliases.insert(from.clone(), to.clone());
        effects.push(Effect::Renamed { from, to });
    }

    fn move_thread(&mut self, from: &ThreadId, to: &ThreadId, effects: &mut Vec<Effect>) {
        // A name that only readers know of becomes that of a thread: they hold nothing of it.
        if self.threads.get(from.as_str()).is_none()
            && let Some(known) = self.threads.get_mut(to.as_str())
        {
            known.view.renew();
        }
        if let Some(mut thread) = self.threads.remove(from.as_str()) {
            if let Some(mut known) = self.threads.remove(to.as_str()) {
                let mut out = Out { effects, asks: &mut self.asks, limits: self.limits };
                known.merge_from(&thread, &mut out);
                known.view.renew();
                thread = known;
            }
            thread.id = to.clone();
            thread.view.touched.head = true;
            thread.pending_changed = true;
            self.threads.insert(to.shared(), thread);
        }
    }

    pub(super) fn on_command(&mut self, id: &ThreadId, command: Command, effects: &mut Vec<Effect>) {
        self.on_thread(id, effects, |thread, out| thread.on_command(command, out));
    }

    pub(super) fn on_answer(&mut self, request: RequestId, answer: Answer, effects: &mut Vec<Effect>) {
        let Some(asked) = self.asks.open.remove(&request) else { return };
        let id = asked.thread.clone();
        self.on_thread(&id, effects, |thread, out| thread.on_answer(request, &asked, answer, out));
    }

    pub(super) fn on_timer(&mut self, timer: TimerId, effects: &mut Vec<Effect>) {
        let Some((id, why)) = self.asks.timers.remove(&timer) else { return };
        self.on_thread(&id, effects, |thread, out| thread.on_timer(timer, why, out));
    }

    pub(super) fn on_connection(&mut self, connection: Connection, effects: &mut Vec<Effect>) {
        self.connection = connection;
        let all: Vec<ThreadId> = self.threads().cloned().collect();
        for id in all {
            self.on_thread(&id, effects, |thread, out| {
                thread.view.touched.head = true;
                if connection == Connection::Online {
                    thread.on_online(out);
                }
            });
        }
    }

    pub(super) fn on_drawn(&mut self, id: &ThreadId) {
        let id = self.real(id).clone();
        if let Some(thread) = self.threads.get_mut(id.as_str()) {
            thread.view.drawn();
        }
    }

    pub(super) fn on_restore(&mut self, id: &ThreadId, saved: Saved, effects: &mut Vec<Effect>) {
        self.on_thread(id, effects, |thread, out| thread.on_saved(saved, out));
    }
}
