//! The queue of the paper server, and what becomes of a message.

use turnseal::model::{Body, Consumed, Event, Intent, QueueItem};
use turnseal::store::{Receipt, ReceiptStatus};

use super::{Fate, Message, Server};

impl Server {
    /// A message waits. `client` names what was sent; without it `text` is somebody else's.
    pub fn enqueue(
        &mut self,
        id: &str,
        client: Option<&str>,
        text: Option<&str>,
        intent: Option<Intent>,
    ) -> Result<(), String> {
        let intent = self.accept(id, client, text, intent, Fate::Queued)?;
        let at = if intent == Intent::Steer {
            self.queue
                .iter()
                .take_while(|id| self.message(id).is_some_and(|known| known.intent == Intent::Steer))
                .count()
        } else {
            self.queue.len()
        };
        self.queue.insert(at, id.to_owned());
        let event = Event::MessageQueued {
            message: id.into(),
            body: Body::text(self.text_of(id)),
            client: client.filter(|_| self.options.ids).map(Into::into),
            intent,
        };
        self.say(event);
        self.receive(client, ReceiptStatus::Queued, Some(id), None);
        // Where a message was moved, steers first is no longer the whole truth about the order.
        let steers: Vec<bool> =
            self.queue.iter().map(|id| self.message(id).is_some_and(|known| known.intent == Intent::Steer)).collect();
        if self.options.numbers && !steers.is_sorted_by(|one, next| one >= next) {
            self.list_queue();
        }
        Ok(())
    }

    /// Notes a message that nobody knew.
    pub fn accept(
        &mut self,
        id: &str,
        client: Option<&str>,
        text: Option<&str>,
        intent: Option<Intent>,
        fate: Fate,
    ) -> Result<Intent, String> {
        if self.message(id).is_some() {
            return Err(format!("{id} is a message already"));
        }
        let typed = client.map(|client| self.typed.get(client).cloned().ok_or_else(|| format!("nobody sent {client}")));
        if let Some(client) = client
            && self.receipts.contains_key(client)
        {
            return Err(format!("{client} is answered already"));
        }
        let typed = typed.transpose()?;
        let known = typed.as_ref().map(|(text, _)| text.as_str());
        let text = known.or(text).ok_or_else(|| format!("{id} says nothing"))?.to_owned();
        let intent = typed.map(|(_, intent)| intent).or(intent).unwrap_or(Intent::Queue);
        let client = client.map(str::to_owned);
        self.messages.push(Message { id: id.to_owned(), text, client, intent, fate, seq: None, versions: Vec::new() });
        Ok(intent)
    }

    /// Writes down what the sender will be answered.
    pub fn receive(&mut self, client: Option<&str>, status: ReceiptStatus, message: Option<&str>, turn: Option<&str>) {
        let Some(client) = client else { return };
        let known = message.filter(|_| self.options.ids || status == ReceiptStatus::Queued);
        let receipt = Receipt {
            status,
            message: known.map(Into::into),
            turn: turn.filter(|_| self.options.ids).map(Into::into),
            n: self.options.numbers.then_some(self.n),
        };
        self.receipts.insert(client.to_owned(), receipt);
    }

    pub fn text_of(&self, id: &str) -> String {
        self.message(id).map(|message| message.text.clone()).unwrap_or_default()
    }

    pub fn unqueue(&mut self, id: &str) -> Result<(), String> {
        let at = self.queue.iter().position(|known| known == id).ok_or_else(|| format!("{id} is not queued"))?;
        self.queue.remove(at);
        Ok(())
    }

    /// What left the queue and waits for its turn to begin, in the order in which it left.
    pub fn consumed(&self) -> Vec<String> {
        let waits = |id: &&String| self.message(id).is_some_and(|message| message.fate == Fate::Consumed);
        self.taken.iter().filter(waits).cloned().collect()
    }

    /// Messages leave the queue: into the running turn, or as the next one.
    pub fn consume(&mut self, ids: &[String], reason: Consumed, named: bool) -> Result<(), String> {
        let running = self.running().map(|turn| turn.id.clone());
        let turn = match reason {
            Consumed::Interrupt => Some(running.ok_or("no turn runs that could be interrupted")?),
            Consumed::Continuation => None,
        };
        for id in ids {
            self.unqueue(id)?;
        }
        if let Some(turn) = &turn {
            for id in ids {
                self.steer(turn, id)?;
            }
        } else {
            for id in ids {
                self.message_mut(id)?.fate = Fate::Consumed;
                self.taken.push(id.clone());
            }
        }
        let named = named && self.options.ids;
        self.say(Event::MessageConsumed {
            messages: ids.iter().map(|id| id.as_str().into()).collect(),
            reason,
            turn: turn.filter(|_| named).map(|turn| turn.as_str().into()),
        });
        Ok(())
    }

    pub fn cancel(&mut self, id: &str) -> Result<(), String> {
        self.unqueue(id)?;
        self.message_mut(id)?.fate = Fate::Cancelled;
        self.say(Event::MessageCancelled { message: id.into() });
        Ok(())
    }

    pub fn edit(&mut self, id: &str, text: &str) -> Result<(), String> {
        if !self.queue.iter().any(|known| known == id) {
            return Err(format!("{id} is not queued"));
        }
        let message = self.message_mut(id)?;
        let old = std::mem::replace(&mut message.text, text.to_owned());
        message.versions.push(old);
        self.say(Event::MessageEdited { message: id.into(), body: Body::text(text), rev: None });
        Ok(())
    }

    pub fn shift(&mut self, id: &str, index: usize) -> Result<(), String> {
        self.unqueue(id)?;
        let index = index.min(self.queue.len());
        self.queue.insert(index, id.to_owned());
        self.list_queue();
        Ok(())
    }

    pub fn hold(&mut self, held: bool) {
        self.held = held;
        self.list_queue();
    }

    /// Tells the whole queue.
    pub fn list_queue(&mut self) {
        self.version += 1;
        let event = Event::QueueSnapshot { items: self.items(), held: self.held, version: self.version };
        self.say(event);
    }

    pub fn items(&self) -> Vec<QueueItem> {
        let known = self.queue.iter().filter_map(|id| self.message(id));
        known
            .map(|message| QueueItem {
                message: message.id.as_str().into(),
                body: Body::text(message.text.clone()),
                client: message.client.as_deref().filter(|_| self.options.ids).map(Into::into),
                intent: message.intent,
            })
            .collect()
    }
}
