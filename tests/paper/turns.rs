//! The turns of the paper server: what a model says, what is written of it, and when.

use turnseal::model::{Body, Cut, DeltaKind, Event, Json, Opaque, Outcome, Output, TurnId, UserMessage};
use turnseal::store::ReceiptStatus;

use super::{Fate, Server};

/// One run of the agent.
#[derive(Clone, Debug)]
pub struct Turn {
    pub id: String,
    pub phase: Phase,
    pub rows: Vec<(Option<String>, Row)>,
    /// So many rows are in the log.
    pub written: usize,
    pub sealed: bool,
    /// Calls that wait for a person.
    pub asks: Vec<(String, Option<String>)>,
    /// Results that were told before their calls.
    pub(super) early: Vec<(String, String)>,
    /// Steers that the next result quotes.
    quotes: Vec<String>,
}

/// Where a turn stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phase {
    Running,
    Ended(Outcome, Option<String>),
}

/// What a turn holds, in the order of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Row {
    User {
        messages: Vec<String>,
        text: String,
    },
    Text(String),
    Think {
        text: String,
        metadata: Option<Json>,
        sealed: bool,
    },
    Call {
        call: String,
        name: String,
        arguments: String,
        step: u32,
        output: Option<Output>,
        answered: bool,
        whole: bool,
    },
    Result {
        call: String,
        result: String,
        error: bool,
        step: u32,
        output: Option<Output>,
    },
    Notice(String),
    Error(String),
    Part(Opaque),
}

impl Turn {
    fn calls(&self, execution: Option<&str>) -> impl DoubleEndedIterator<Item = (&str, u32, bool)> {
        let execution = execution.map(str::to_owned);
        self.rows.iter().filter(move |(known, _)| *known == execution).filter_map(|(_, row)| match row {
            Row::Call { call, step, answered, .. } => Some((call.as_str(), *step, *answered)),
            _ => None,
        })
    }

    /// The step that a new call is of: the next one where all calls so far are answered.
    pub(super) fn step(&self, execution: Option<&str>) -> u32 {
        let last = self.calls(execution).next_back().map_or(0, |(_, step, _)| step);
        let all = self.calls(execution).filter(|(_, step, _)| *step == last);
        let (mut any, mut open) = (false, false);
        for (_, _, answered) in all {
            any = true;
            open |= !answered;
        }
        if any && !open { last + 1 } else { last }
    }

    /// The open calls, oldest first.
    pub fn open(&self) -> Vec<(Option<String>, String)> {
        let open = self.rows.iter().filter_map(|(execution, row)| match row {
            Row::Call { call, answered: false, .. } => Some((execution.clone(), call.clone())),
            _ => None,
        });
        open.collect()
    }

    /// The row that text of an execution extends: its last one, unless something of all executions stands behind it.
    fn tail(&mut self, execution: Option<&str>) -> Option<&mut Row> {
        let from = self
            .rows
            .iter()
            .rposition(|(_, row)| matches!(row, Row::User { .. } | Row::Notice(_)))
            .map_or(0, |at| at + 1);
        let from = from.max(self.written);
        let mut own = self.rows.get_mut(from..)?.iter_mut().rev().filter(|(known, _)| known.as_deref() == execution);
        // A result stands with its call: text goes on around it.
        own.find(|(_, row)| !matches!(row, Row::Result { .. })).map(|(_, row)| row)
    }
}

impl Server {
    pub fn running(&self) -> Option<&Turn> {
        self.turns.iter().rev().find(|turn| turn.phase == Phase::Running)
    }

    pub fn turn(&self, id: &str) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.id == id)
    }

    pub fn turn_mut(&mut self, id: &str) -> Result<&mut Turn, String> {
        self.turns.iter_mut().find(|turn| turn.id == id).ok_or_else(|| format!("no turn {id}"))
    }

    /// A turn that still takes events.
    pub(super) fn live(&mut self, id: &str) -> Result<&mut Turn, String> {
        let turn = self.turn_mut(id)?;
        if turn.phase == Phase::Running { Ok(turn) } else { Err(format!("{id} has ended")) }
    }

    pub(super) fn told(&self, id: &str) -> Option<TurnId> {
        self.options.ids.then(|| id.into())
    }

    /// Whether a turn of that name may begin.
    pub fn can_start(&self, id: &str) -> Result<(), String> {
        if self.turn(id).is_some() {
            return Err(format!("{id} is a turn already"));
        }
        if self.running().is_some() { Err("a turn runs".to_owned()) } else { Ok(()) }
    }

    /// A turn begins with messages that wait or were just accepted. `told`: the event names the user's message.
    pub fn start(&mut self, id: &str, messages: &[String], told: bool) -> Result<(), String> {
        self.can_start(id)?;
        let told = told && self.options.ids;
        if !told && messages.iter().any(|message| self.queue.contains(message)) {
            return Err("a start that names nothing takes what was consumed before".to_owned());
        }
        for message in messages {
            self.queue.retain(|known| known != message);
            self.message_mut(message)?.fate = Fate::Turn(id.to_owned());
        }
        let text = messages.iter().map(|id| self.text_of(id)).collect::<Vec<_>>().join("\n\n");
        let clients = self.clients_of(messages);
        let user = told.then(|| UserMessage {
            message: messages.first().map(|id| id.as_str().into()),
            clients: clients.iter().map(|id| id.as_str().into()).collect(),
            body: Body::text(text.clone()),
        });
        let names = messages.iter().filter(|_| told).map(|id| id.as_str().into()).collect();
        let rows = vec![(None, Row::User { messages: messages.to_vec(), text })];
        self.turns.push(Turn {
            id: id.to_owned(),
            phase: Phase::Running,
            rows,
            written: 0,
            sealed: false,
            asks: Vec::new(),
            early: Vec::new(),
            quotes: Vec::new(),
        });
        self.before.clone_from(&self.log);
        self.write(id, true)?;
        self.say(Event::TurnStart { turn: id.into(), user, messages: names });
        for message in messages {
            let client = self.message(message).and_then(|message| message.client.clone());
            if client.as_ref().is_some_and(|client| !self.receipts.contains_key(client)) {
                self.receive(client.as_deref(), ReceiptStatus::Ok, Some(message), Some(id));
            }
        }
        Ok(())
    }

    pub(super) fn clients_of(&self, messages: &[String]) -> Vec<String> {
        messages.iter().filter_map(|id| self.message(id)?.client.clone()).collect()
    }

    /// A steer reaches the running turn.
    pub(super) fn steer(&mut self, turn: &str, message: &str) -> Result<(), String> {
        let text = self.text_of(message);
        if self.options.quotes {
            self.turn_mut(turn)?.quotes.push(text);
            self.message_mut(message)?.fate = Fate::Quoted(turn.to_owned());
        } else {
            self.turn_mut(turn)?.rows.push((None, Row::User { messages: vec![message.to_owned()], text }));
            self.message_mut(message)?.fate = Fate::Turn(turn.to_owned());
        }
        Ok(())
    }

    pub fn delta(&mut self, turn: &str, execution: Option<&str>, kind: DeltaKind, text: &str) -> Result<(), String> {
        let owner = execution.map(str::to_owned);
        let live = self.live(turn)?;
        match (live.tail(execution), kind) {
            (Some(Row::Text(known)), DeltaKind::Text) => known.push_str(text),
            (Some(Row::Think { text: known, sealed: false, .. }), DeltaKind::Reasoning) => known.push_str(text),
            (_, DeltaKind::Text) => live.rows.push((owner, Row::Text(text.to_owned()))),
            (_, DeltaKind::Reasoning) => {
                live.rows.push((owner, Row::Think { text: text.to_owned(), metadata: None, sealed: false }));
            }
        }
        let turn = self.told(turn);
        self.say_for(execution, Event::Delta { kind, delta: Cut::whole(text), turn, message: None, part: None });
        Ok(())
    }

    pub fn think_end(&mut self, turn: &str, execution: Option<&str>, metadata: Option<&str>) -> Result<(), String> {
        let live = self.live(turn)?;
        let newest = live.rows.iter_mut().rev().find_map(|(known, row)| match row {
            Row::Think { metadata, sealed, .. } if known.as_deref() == execution => Some((metadata, sealed)),
            _ => None,
        });
        if let Some((known, sealed)) = newest
            && !*sealed
        {
            *known = metadata.map(Json::new);
            *sealed = true;
        }
        let turn = self.told(turn);
        self.say_for(execution, Event::ReasoningEnd { metadata: metadata.map(Json::new), turn });
        Ok(())
    }

    pub fn part(&mut self, turn: &str, execution: Option<&str>, part: Opaque) -> Result<(), String> {
        let live = self.live(turn)?;
        let known = live.rows.iter_mut().find_map(|(_, row)| match row {
            Row::Part(known) if known.id == part.id && known.kind == part.kind => Some(known),
            _ => None,
        });
        match known {
            Some(known) => *known = part.clone(),
            None => live.rows.push((execution.map(str::to_owned), Row::Part(part.clone()))),
        }
        let turn = self.told(turn);
        self.say_for(execution, Event::Part { part, turn });
        Ok(())
    }

    pub fn notice(&mut self, turn: &str, text: &str) -> Result<(), String> {
        self.live(turn)?.rows.push((None, Row::Notice(text.to_owned())));
        let turn = self.told(turn);
        self.say(Event::Notice { message: text.to_owned(), turn });
        Ok(())
    }

    pub fn fault(&mut self, turn: &str, execution: Option<&str>, text: &str) -> Result<(), String> {
        self.live(turn)?.rows.push((execution.map(str::to_owned), Row::Error(text.to_owned())));
        let turn = self.told(turn);
        self.say_for(execution, Event::Error { error: text.to_owned(), status_code: None, turn });
        Ok(())
    }

    pub fn end(&mut self, turn: &str, outcome: Outcome, error: Option<&str>) -> Result<(), String> {
        let live = self.live(turn)?;
        live.phase = Phase::Ended(outcome, error.map(str::to_owned));
        live.asks.clear();
        live.early.clear();
        // What a stopped tool would have carried to the model stands in its last result.
        if !live.quotes.is_empty() {
            let (_, call) = live.open().pop().ok_or("a quote without a call")?;
            live.answer(&call, "stopped", true)?;
        }
        self.say(Event::TurnEnd { turn: turn.into(), outcome, error: error.map(str::to_owned) });
        Ok(())
    }
}

impl Turn {
    /// Answers the newest open call of that id; the answer carries the steers that wait.
    pub(super) fn answer(&mut self, call: &str, result: &str, error: bool) -> Result<Option<String>, String> {
        let found = self.rows.iter_mut().rev().find_map(|(execution, row)| match row {
            Row::Call { call: known, step, output, answered, .. } if known == call && !*answered => {
                *answered = true;
                Some((execution.clone(), *step, output.take()))
            }
            _ => None,
        });
        let (execution, step, output) = found.ok_or_else(|| format!("{call} is not open"))?;
        let mut result = result.to_owned();
        for quote in self.quotes.drain(..) {
            result.push_str("\n[USER INTERRUPT] ");
            result.push_str(&quote);
        }
        self.asks.retain(|(known, _)| known != call);
        self.rows.push((execution.clone(), Row::Result { call: call.to_owned(), result, error, step, output }));
        Ok(execution)
    }
}

pub(super) fn new_call(call: &str, name: &str, arguments: &str, step: u32, whole: bool) -> Row {
    let (call, name, arguments) = (call.to_owned(), name.to_owned(), arguments.to_owned());
    Row::Call { call, name, arguments, step, output: None, answered: false, whole }
}
