//! Messages: sent, queued, edited, moved, taken into a turn.

use crate::model::{Consumed, Event, Intent, MessageId, Outcome, Phase, TurnId, UserMessage};

use super::effect::{Answer, Code, Effect, Status};
use super::input::Message;
use super::policy::{Gate, OnLateSteer, OnSteer};
use super::queue::{Flow, Item};
use super::rows;
use super::thread::{Out, Thread};
use super::turn::{Said, Turn};

impl Thread {
    pub(super) fn on_send(&mut self, mut message: Message, out: &mut Out<'_>) {
        if let Some(known) = self.answers.known(message.client.as_ref(), &message.id) {
            out.push(Effect::Answer(known.clone()));
            return;
        }
        if !message.body.parts.iter().any(rows::is_said) {
            out.report(Code::Refused, None, format!("message {} says nothing", message.id));
            return self.answer_send(&message, Status::Refused, None, out);
        }
        if self.knows(&message.id) {
            out.report(Code::Refused, None, format!("message {} is known under another client id", message.id));
            self.answer_send(&message, Status::Refused, None, out);
            return;
        }
        if message.intent == Intent::Steer && self.is_late() {
            match out.policy().late_steer {
                OnLateSteer::Return => return self.answer_send(&message, Status::Returned, None, out),
                OnLateSteer::Drop => {
                    out.report(Code::Late, None, format!("message {} was to steer a turn that is over", message.id));
                    return self.answer_send(&message, Status::Refused, None, out);
                }
                OnLateSteer::Start => {}
            }
        }
        if message.intent == Intent::Steer && out.policy().steer == OnSteer::Queue {
            message.intent = Intent::Queue;
        }
        let (turn, status) = if self.queue.is_empty() && self.may_start(out) {
            (Some(self.start(vec![Item(message.clone())], Vec::new(), out)), Status::Ok)
        } else {
            self.enqueue(message.clone(), out);
            let taken = self.turns.last().filter(|turn| turn.answers(&message.id));
            match taken.map(|turn| turn.id.clone()) {
                Some(turn) => (Some(turn), Status::Ok),
                None => (None, Status::Queued),
            }
        };
        self.answer_send(&message, status, turn, out);
    }

    fn knows(&self, id: &MessageId) -> bool {
        let in_turn = self.turns.iter().any(|turn| turn.answers(id));
        in_turn || self.queue.has(id) || self.answers.has_message(id)
    }

    /// L11: a steer for a turn that was aborted or has failed goes back, until that turn is sealed or the user has let
    /// another message follow it.
    fn is_late(&self) -> bool {
        let newest = TurnId::new(format!("{}:{}", self.id, self.started));
        let last = self.turns.last().filter(|turn| turn.id == newest).and_then(Turn::ended);
        let is_over = matches!(last, Some(Outcome::Aborted | Outcome::Error));
        let goes_on = !self.queue.is_empty() && !self.queue.is_held();
        is_over && !goes_on
    }

    fn answer_send(&mut self, message: &Message, status: Status, turn: Option<TurnId>, out: &mut Out<'_>) {
        let answer = Answer {
            to: "send",
            client: message.client.clone(),
            message: Some(message.id.clone()),
            call: None,
            status,
            turn,
            n: self.n,
        };
        if matches!(status, Status::Ok | Status::Queued) {
            self.answers.keep(answer.clone());
        }
        out.push(Effect::Answer(answer));
    }

    /// An explicit send: it waits behind its like and releases a held queue.
    fn enqueue(&mut self, message: Message, out: &mut Out<'_>) {
        let is_steer = message.intent == Intent::Steer;
        let first_steer = is_steer && !self.has_steer();
        let event = Event::MessageQueued {
            message: message.id.clone(),
            body: message.body.clone(),
            client: message.client.clone(),
            intent: message.intent,
        };
        self.queue.push(message);
        self.publish(None, event, out);
        self.release(out);
        if first_steer {
            self.hint(out);
        }
        self.supersede(out);
        self.chain(out);
    }

    /// True where a message waits for the running turn to make room.
    pub(super) fn has_steer(&self) -> bool {
        self.queue.has_steer() && !self.queue.is_held()
    }

    /// Tells the models that a steer waits; where a person is asked, nothing is to be hurried.
    pub(super) fn hint(&mut self, out: &mut Out<'_>) {
        let Some(turn) = self.open() else { return };
        if turn.phase() == Phase::AwaitingApproval || turn.injects(out.policy()) {
            return;
        }
        for execution in turn.executions().filter(|execution| execution.outcome().is_none()) {
            out.push(Effect::Yield { execution: execution.id.clone() });
        }
    }

    pub(super) fn release(&mut self, out: &mut Out<'_>) -> bool {
        let was_held = self.queue.is_held();
        if was_held {
            self.queue.set(Flow::Flowing);
            self.publish_queue(out);
        }
        was_held
    }

    pub(super) fn publish_queue(&mut self, out: &mut Out<'_>) {
        self.queue.version += 1;
        let (items, held, version) = (self.queue.told(), self.queue.is_held(), self.queue.version);
        self.publish(None, Event::QueueSnapshot { items, held, version }, out);
    }

    /// An empty queue holds nothing back.
    pub(super) fn settle_queue(&mut self, out: &mut Out<'_>) {
        if self.queue.is_empty() {
            self.release(out);
        }
    }

    /// True where no turn stands in the way of the next.
    pub(super) fn may_start(&self, out: &Out<'_>) -> bool {
        match out.policy().gate {
            Gate::Ended => self.open().is_none(),
            Gate::Sealed => self.turns.is_empty(),
        }
    }

    /// The chain gate: the one place where a waiting message becomes a turn.
    pub(super) fn chain(&mut self, out: &mut Out<'_>) {
        if !self.queue.is_held() && !self.queue.is_empty() && self.may_start(out) {
            let items = self.queue.take(out.policy().batch);
            let waited = items.iter().map(|item| item.0.id.clone()).collect();
            self.start(items, waited, out);
        }
    }

    /// Starts a turn. `waited`: those of its messages that were in the queue.
    pub(super) fn start(&mut self, items: Vec<Item>, waited: Vec<MessageId>, out: &mut Out<'_>) -> TurnId {
        self.started += 1;
        let id = TurnId::new(format!("{}:{}", self.id, self.started));
        let models = items.first().map(|item| item.0.models.clone()).unwrap_or_default();
        let models = if models.is_empty() { out.options.models.clone() } else { models };
        let said = Said::of(&items);
        let mut turn = Turn::new(id.clone(), said, &models);
        turn.rows = rows::user(&id, &turn.said);
        let said = turn.said.clone();
        self.turns.push(turn);
        if !waited.is_empty() {
            let consumed =
                Event::MessageConsumed { messages: waited, reason: Consumed::Continuation, turn: Some(id.clone()) };
            self.publish(None, consumed, out);
        }
        let (message, clients, body) = (said.message(), said.clients, said.body);
        let user = Some(UserMessage { message, clients, body });
        self.publish(None, Event::TurnStart { turn: id.clone(), user, messages: said.messages }, out);
        self.append(out);
        let executions: Vec<_> = self.open().into_iter().flat_map(Turn::executions).map(|it| it.id.clone()).collect();
        for execution in executions {
            self.request(&execution, out);
        }
        id
    }
}
