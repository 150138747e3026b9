//! One turn of one execution: rows become steps, and each result finds its call.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{CallId, Chunk, ChunkBody, MessageId, OpaqueKind, Role};

use super::cause::{Cause, Causes};
use super::log::{Answer, Call, Given, Item, Piece, Step, Thinking};

/// The turns so far, in order.
#[derive(Default)]
pub(super) struct Turns<'a> {
    turns: Vec<Turn<'a>>,
    /// Which turns left calls of that id open; the newest is the last.
    open: BTreeMap<&'a CallId, Vec<usize>>,
}

#[derive(Default)]
struct Turn<'a> {
    items: Vec<Item>,
    causes: Causes,
    /// Which item is the step of that label.
    labels: BTreeMap<u32, usize>,
    /// Where the calls of each id stand; and those of them that have no result. The newest is the last.
    calls: BTreeMap<&'a CallId, Vec<Place>>,
    open: BTreeMap<&'a CallId, Vec<Place>>,
    /// Results that came before their calls.
    early: BTreeMap<&'a CallId, Given>,
    /// The ids of all calls of the turn, those to come too.
    ids: BTreeSet<&'a CallId>,
    /// The messages that the last user item is made of.
    user: Vec<&'a MessageId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    item: usize,
    call: usize,
}

impl<'a> Turns<'a> {
    /// Reads the rows of the next turn, ascending by seq.
    pub(super) fn read(&mut self, rows: &[&'a Chunk]) {
        let mut turn = Turn::default();
        turn.ids.extend(rows.iter().filter_map(|row| call_id(row)));
        for row in rows {
            self.on_row(&mut turn, row);
        }
        for (id, places) in &turn.open {
            self.open.entry(id).or_default().extend(places.iter().map(|_| self.turns.len()));
        }
        self.turns.push(turn);
    }

    /// The items of all turns, each open call with its filler.
    pub(super) fn into_items(self) -> impl Iterator<Item = Item> {
        self.turns.into_iter().flat_map(Turn::into_items)
    }

    fn on_row(&mut self, turn: &mut Turn<'a>, row: &'a Chunk) {
        match &row.body {
            ChunkBody::Text { text } => turn.on_piece(row, Piece::Text(text.clone())),
            ChunkBody::Part(part) => match part.kind {
                OpaqueKind::File => turn.on_piece(row, Piece::File(part.json.clone())),
                // Shown to readers, not told to models.
                OpaqueKind::Source | OpaqueKind::Data => {}
            },
            ChunkBody::Reasoning { text, metadata } => {
                // A7: reasoning that nobody signed is of a stopped turn, or of a model that does not want it back.
                if let (Role::Assistant, Some(metadata)) = (row.role, metadata.as_ref().filter(|json| !json.is_null()))
                {
                    let thinking = Thinking { text: text.clone(), metadata: metadata.clone() };
                    turn.add(row.step, |step| step.thinking.push(thinking));
                }
            }
            ChunkBody::ToolCall { call, name, arguments } => {
                let (arguments, wire) = (Some(arguments.clone()), String::new());
                let answer = match turn.early.remove(call) {
                    Some(given) => Answer::Given(given),
                    None => Answer::Filler { cause: Cause::Stopped, started: true },
                };
                turn.add_call(row, call, Call { call: call.clone(), wire, name: name.clone(), arguments, answer });
            }
            ChunkBody::ToolResult { call, name, result, is_error, output } => {
                let given = Given { result: result.clone(), is_error: *is_error, output: output.clone() };
                self.on_result(turn, row, call, name.as_deref(), given);
            }
            ChunkBody::System { .. } | ChunkBody::Unknown { .. } => turn.causes.on_row(row),
            ChunkBody::Error { .. } | ChunkBody::Usage(_) => {}
        }
    }

    /// A result without a call in its turn may belong to an open call of an earlier one; else a call is made up for it.
    fn on_result(&mut self, turn: &mut Turn<'a>, row: &'a Chunk, id: &'a CallId, name: Option<&str>, given: Given) {
        if turn.calls.contains_key(id) {
            turn.on_result(id, row.step, given);
        } else if turn.ids.contains(id) {
            turn.early.entry(id).or_insert(given);
        } else if let Some(earlier) = self.open.get_mut(id).and_then(Vec::pop).and_then(|at| self.turns.get_mut(at)) {
            earlier.on_result(id, None, given);
        } else {
            let (name, wire) = (name.unwrap_or_default().to_owned(), String::new());
            let answer = Answer::Given(given);
            turn.add_call(row, id, Call { call: id.clone(), wire, name, arguments: None, answer });
        }
    }
}

impl<'a> Turn<'a> {
    fn into_items(mut self) -> Vec<Item> {
        let tool_turn = !self.calls.is_empty();
        for item in &mut self.items {
            let Item::Step(step) = item else { continue };
            step.tool_turn = tool_turn;
            for call in step.calls.iter_mut().filter(|call| call.is_open()) {
                let (cause, started) = self.causes.of_call(&call.call);
                call.answer = Answer::Filler { cause, started };
            }
        }
        self.items
    }

    fn on_piece(&mut self, row: &'a Chunk, piece: Piece) {
        match row.role {
            Role::User => self.on_user(row, piece),
            Role::Assistant => {
                // An API that is told an empty text refuses the whole request.
                if !matches!(&piece, Piece::Text(text) if text.trim().is_empty()) {
                    self.add(row.step, |step| step.pieces.push(piece));
                }
            }
            Role::Tool | Role::System => {}
        }
    }

    /// Rows side by side are one message where they name the same ids. A file without ids goes with what it follows.
    fn on_user(&mut self, row: &'a Chunk, piece: Piece) {
        let ids: Vec<&MessageId> = row.message_ids().collect();
        let joins = self.user == ids && (!ids.is_empty() || matches!(piece, Piece::File(_)));
        match self.items.last_mut() {
            Some(Item::User(pieces)) if joins => pieces.push(piece),
            Some(Item::User(_) | Item::Step(_)) | None => self.items.push(Item::User(vec![piece])),
        }
        self.user = ids;
    }

    /// A result is for the call of its step where that is told, else for the newest open one. One output per call: the
    /// first wins.
    fn on_result(&mut self, id: &CallId, label: Option<u32>, given: Given) {
        let step = label.and_then(|label| self.labels.get(&label));
        let own = self.calls.get(id).and_then(|places| places.iter().rev().find(|place| Some(&place.item) == step));
        let Some(open) = self.open.get_mut(id) else { return };
        let index = match own {
            Some(own) => open.iter().rposition(|place| place == own),
            None => open.len().checked_sub(1),
        };
        let Some(index) = index else { return };
        let place = open.remove(index);
        if let Some(Item::Step(step)) = self.items.get_mut(place.item) {
            step.open -= 1;
            if let Some(call) = step.calls.get_mut(place.call) {
                call.answer = Answer::Given(given);
            }
        }
    }

    fn add_call(&mut self, row: &Chunk, id: &'a CallId, call: Call) {
        let is_open = call.is_open();
        let mut index = 0;
        let item = self.add(row.step, |step| {
            index = step.calls.len();
            step.open += usize::from(is_open);
            step.calls.push(call);
        });
        let place = Place { item, call: index };
        self.calls.entry(id).or_default().push(place);
        if is_open {
            self.open.entry(id).or_default().push(place);
        }
    }

    /// Adds to the step of that label; without one to the last step, until it is answered or a user speaks. Returns
    /// which item it is.
    fn add(&mut self, label: Option<u32>, add: impl FnOnce(&mut Step)) -> usize {
        let labelled = label.and_then(|label| self.labels.get(&label).copied());
        let last = self.items.len().checked_sub(1).filter(|_| labelled.is_none());
        if let Some(at) = labelled.or(last)
            && let Some(Item::Step(step)) = self.items.get_mut(at)
            && (labelled.is_some() || step.takes(label))
        {
            step.label = step.label.or(label);
            self.labels.extend(step.label.map(|label| (label, at)));
            add(step);
            return at;
        }
        let mut step = Step { label, ..Step::default() };
        add(&mut step);
        self.items.push(Item::Step(step));
        let at = self.items.len() - 1;
        self.labels.extend(label.map(|label| (label, at)));
        at
    }
}

/// The id of the call that a row is.
fn call_id(row: &Chunk) -> Option<&CallId> {
    if let ChunkBody::ToolCall { call, .. } = &row.body { Some(call) } else { None }
}
