//! What users do to messages that wait.

use crate::model::{Body, Event, MessageId, Part};

use super::effect::{Answer, Code, Effect, Status};
use super::queue::{Flow, Item};
use super::thread::{Out, Thread};

impl Thread {
    fn answer_edit(&mut self, to: &'static str, message: Option<MessageId>, is_done: bool, out: &mut Out<'_>) {
        if !is_done && let Some(message) = &message {
            out.report(Code::Stale, None, format!("{to}: message {message} is not in the queue"));
        }
        let status = if is_done { Status::Ok } else { Status::Stale };
        out.push(Effect::Answer(Answer { to, client: None, message, call: None, status, turn: None, n: self.n }));
    }

    pub(super) fn on_cancel_queued(&mut self, message: MessageId, out: &mut Out<'_>) {
        let is_done = self.queue.remove(&message).is_some();
        if is_done {
            self.publish(None, Event::MessageCancelled { message: message.clone() }, out);
            self.settle_queue(out);
        }
        self.answer_edit("cancel-queued", Some(message), is_done, out);
    }

    pub(super) fn on_edit_queued(&mut self, message: MessageId, text: String, out: &mut Out<'_>) {
        let edited = self.queue.get_mut(&message).map(|item| {
            item.0.body = reworded(&item.0.body, text);
            item.0.body.clone()
        });
        let found = edited.is_some();
        if let Some(body) = edited {
            self.queue.version += 1;
            let rev = Some(self.queue.version);
            self.publish(None, Event::MessageEdited { message: message.clone(), body, rev }, out);
        }
        self.answer_edit("edit-queued", Some(message), found, out);
    }

    pub(super) fn on_move_queued(&mut self, message: MessageId, index: usize, out: &mut Out<'_>) {
        let found = self.queue.move_to(&message, index);
        if found {
            self.publish_queue(out);
        }
        self.answer_edit("move-queued", Some(message), found, out);
    }

    pub(super) fn on_send_now(&mut self, message: MessageId, out: &mut Out<'_>) {
        let first_steer = !self.has_steer();
        let found = self.queue.put_first(&message);
        let starts = self.may_start(out);
        if found {
            if !starts {
                self.queue.set(Flow::Flowing);
            }
            self.publish_queue(out);
            if starts {
                // It starts alone: a held queue stays held behind it.
                let items: Vec<Item> = self.queue.remove(&message).into_iter().collect();
                self.start(items, vec![message.clone()], out);
                self.settle_queue(out);
            } else {
                if first_steer {
                    self.hint(out);
                }
                self.supersede(out);
            }
        }
        self.answer_edit("send-now", Some(message), found, out);
    }

    pub(super) fn on_resume_queue(&mut self, out: &mut Out<'_>) {
        let was_held = self.release(out);
        if was_held {
            self.chain(out);
        }
        self.answer_edit("resume-queue", None, was_held, out);
    }
}

/// Other words for a message. What was attached to it stays.
fn reworded(body: &Body, text: String) -> Body {
    let attached = body.parts.iter().filter(|part| !matches!(part, Part::Text { .. }));
    Body { parts: std::iter::once(Part::Text { text }).chain(attached.cloned()).collect() }
}
