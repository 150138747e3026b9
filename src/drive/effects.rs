//! Effects of the engine, carried out.

use std::sync::Arc;

use crate::engine::Effect;
use crate::model::{Chunk, Event};

use super::actor::{Actor, Reply};
use super::gate::Out;
use super::host::{Call, Request};

impl Actor {
    /// Carries effects out. `decides`: they may have changed what stands beside the rows.
    pub(super) fn carry(&mut self, effects: Vec<Effect>, decides: bool, reply: Option<Reply>) {
        let mut batch = Batch { outs: Vec::new(), rows: Vec::new(), n: 0, reply };
        for effect in effects {
            self.effect(effect, &mut batch);
        }
        batch.outs.extend(batch.reply.map(|reply| Out::Reply(reply, None)));
        self.keep(batch.rows, decides, batch.n);
        batch.outs.into_iter().for_each(|out| self.gate.push(out));
        self.release();
    }

    /// What ends, ends at once; what begins or is told waits at the gate.
    fn effect(&mut self, effect: Effect, batch: &mut Batch) {
        match effect {
            Effect::Request { turn, execution, step, model } => {
                let token = self.tree.place(&turn, &execution);
                let (thread, chunks) = (self.thread.clone(), self.context.told());
                let request = Request { thread, turn, execution, step, model, chunks };
                batch.outs.push(Out::Request(request, token));
            }
            Effect::RunTool { turn, execution, call, name, arguments } => {
                let token = self.tree.place_call(&turn, &execution, &call);
                let call = Call { thread: self.thread.clone(), turn, execution, call, name, arguments };
                batch.outs.push(Out::Run(call, token));
            }
            Effect::Yield { execution } => self.tree.hint(&execution),
            Effect::CancelRequest { execution } => self.tree.cancel(&execution),
            Effect::CancelTool { execution, call, .. } => self.tree.cancel_call(&execution, &call),
            Effect::Append { turn, from, chunks } => {
                self.context.take(&turn, from, &chunks);
                batch.rows.extend(chunks);
            }
            Effect::Seal { turn, from, chunks } => {
                self.context.take(&turn, from, &chunks);
                self.writer.seal(turn, from, chunks);
            }
            Effect::Publish(envelope) => {
                if let Event::TurnEnd { turn, .. } = &envelope.event {
                    self.tree.end(turn);
                }
                batch.n = envelope.n.unwrap_or(batch.n);
                batch.outs.push(Out::Publish(Arc::new(envelope)));
            }
            Effect::StartTimer { timer, after_ms, .. } => self.timers.start(timer, after_ms),
            Effect::CancelTimer { timer } => self.timers.cancel(timer),
            Effect::Answer(answer) => {
                batch.outs.extend(batch.reply.take().map(|reply| Out::Reply(reply, Some(answer))));
            }
            Effect::Diagnostic(diagnostic) => self.report(&diagnostic),
        }
    }

    /// Gives the writer what has changed. What a message or a queue became is durable before it is told (L11).
    fn keep(&mut self, rows: Vec<Chunk>, decides: bool, n: u64) {
        if !decides && rows.is_empty() && !self.writer.is_short_of_numbers(n) {
            return;
        }
        let meta = self.engine.meta(&self.thread);
        let is_bound =
            (meta.started, &meta.queue, &meta.answered) != (self.kept.started, &self.kept.queue, &self.kept.answered);
        let is_new = is_bound || (meta.version, &meta.open) != (self.kept.version, &self.kept.open);
        if is_new || !rows.is_empty() || self.writer.is_short_of_numbers(n) {
            self.kept = meta.clone();
            self.writer.keep(rows, meta, is_bound);
            if is_bound {
                self.gate.close();
            }
        }
    }

    /// Lets out what may leave.
    pub(super) fn release(&mut self) {
        while let Some(out) = self.gate.next() {
            match out {
                Out::Publish(event) => self.fan.publish(event),
                // Who does not wait for the answer any more has gone.
                Out::Reply(reply, answer) => drop(reply.send(answer)),
                Out::Request(request, token) => self.tree.request(request, token, &self.host),
                Out::Run(call, token) => self.tree.run(call, token, &self.host),
                Out::Subscribe(reply, after, snapshot) => drop(reply.send(self.fan.subscribe(after, snapshot))),
            }
        }
    }
}

/// What one input leads to, as it grows.
struct Batch {
    outs: Vec<Out>,
    rows: Vec<Chunk>,
    /// The number of the last event; 0 where there is none.
    n: u64,
    reply: Option<Reply>,
}
