//! One turn of one execution: rows become steps, and each result finds its call.

use std::collections::BTreeSet;

use crate::model::{CallId, Chunk, ChunkBody, MessageId, OpaqueKind, Role};

use super::cause::{Cause, Causes};
use super::log::{Answer, Call, Given, Item, Piece, Step, Thinking};

#[derive(Default)]
pub(super) struct Turn<'a> {
    items: Vec<Item>,
    causes: Causes,
    /// Results that came before their calls.
    early: Vec<(&'a CallId, Given)>,
    /// The ids of all calls of the turn, those to come too.
    ids: BTreeSet<&'a CallId>,
    /// The messages that the last user item is made of.
    user: Vec<&'a MessageId>,
}

impl<'a> Turn<'a> {
    /// Reads the rows, ascending by seq. A result without a call here may belong to an open call of an earlier turn.
    pub(super) fn read(rows: &[&'a Chunk], earlier: &mut [Self]) -> Self {
        let mut turn = Self::default();
        turn.ids.extend(rows.iter().filter_map(|row| call_id(row)));
        for row in rows {
            turn.on_row(row, earlier);
        }
        turn
    }

    /// The items, each open call with its filler.
    pub(super) fn into_items(mut self) -> Vec<Item> {
        let tool_turn = self.steps_mut().any(|step| !step.calls.is_empty());
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

    fn on_row(&mut self, row: &'a Chunk, earlier: &mut [Self]) {
        match &row.body {
            ChunkBody::Text { text } => self.on_piece(row, Piece::Text(text.clone())),
            ChunkBody::Part(part) => match part.kind {
                OpaqueKind::File => self.on_piece(row, Piece::File(part.json.clone())),
                // Shown to readers, not told to models.
                OpaqueKind::Source | OpaqueKind::Data => {}
            },
            ChunkBody::Reasoning { text, metadata } => {
                // A7: reasoning that nobody signed is of a stopped turn, or of a model that does not want it back.
                if let (Role::Assistant, Some(metadata)) = (row.role, metadata.as_ref().filter(|json| !json.is_null()))
                {
                    let thinking = Thinking { text: text.clone(), metadata: metadata.clone() };
                    self.add(row.step, |step| step.thinking.push(thinking));
                }
            }
            ChunkBody::ToolCall { call, name, arguments } => {
                let early = self.early.iter().position(|(id, _)| *id == call).map(|at| self.early.remove(at).1);
                let answer = early.map_or(Answer::Filler { cause: Cause::Stopped, started: true }, Answer::Given);
                let arguments = Some(arguments.clone());
                let call = Call { call: call.clone(), wire: String::new(), name: name.clone(), arguments, answer };
                self.add(row.step, |step| step.calls.push(call));
            }
            ChunkBody::ToolResult { call, name, result, is_error, output } => {
                let given = Given { result: result.clone(), is_error: *is_error, output: output.clone() };
                self.on_result(row, call, name.as_deref(), given, earlier);
            }
            ChunkBody::System { .. } | ChunkBody::Unknown { .. } => self.causes.on_row(row),
            ChunkBody::Error { .. } | ChunkBody::Usage(_) => {}
        }
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

    fn on_result(&mut self, row: &'a Chunk, id: &'a CallId, name: Option<&str>, given: Given, earlier: &mut [Self]) {
        if let Some(call) = self.call_for(id, row.step) {
            // One output per call: the first wins.
            if call.is_open() {
                call.answer = Answer::Given(given);
            }
        } else if self.ids.contains(id) {
            self.early.push((id, given));
        } else if let Some(call) = earlier.iter_mut().rev().find_map(|turn| turn.open_call(id)) {
            call.answer = Answer::Given(given);
        } else {
            let answer = Answer::Given(given);
            let name = name.unwrap_or_default().to_owned();
            let call = Call { call: id.clone(), wire: String::new(), name, arguments: None, answer };
            self.add(row.step, |step| step.calls.push(call));
        }
    }

    /// The call that a result is for: of its step where that is told, else the newest open one, else the newest.
    fn call_for(&mut self, id: &CallId, label: Option<u32>) -> Option<&mut Call> {
        self.steps_mut()
            .flat_map(|step| {
                let told = label.is_some() && step.label == label;
                step.calls.iter_mut().map(move |call| (told, call))
            })
            .filter(|(_, call)| call.call == *id)
            .max_by_key(|(told, call)| (*told, call.is_open()))
            .map(|(_, call)| call)
    }

    fn open_call(&mut self, id: &CallId) -> Option<&mut Call> {
        self.call_for(id, None).filter(|call| call.is_open())
    }

    /// Adds to the step of that label; without one to the last step, until it is answered or a user speaks.
    fn add(&mut self, label: Option<u32>, add: impl FnOnce(&mut Step)) {
        if label.is_some()
            && let Some(step) = self.steps_mut().find(|step| step.label == label)
        {
            return add(step);
        }
        if let Some(Item::Step(step)) = self.items.last_mut()
            && !step.is_answered()
            && (label.is_none() || step.label.is_none())
        {
            step.label = step.label.or(label);
            return add(step);
        }
        let mut step = Step { label, ..Step::default() };
        add(&mut step);
        self.items.push(Item::Step(step));
    }

    fn steps_mut(&mut self) -> impl Iterator<Item = &mut Step> {
        self.items.iter_mut().filter_map(|item| match item {
            Item::Step(step) => Some(step),
            Item::User(_) => None,
        })
    }
}

/// The id of the call that a row is.
fn call_id(row: &Chunk) -> Option<&CallId> {
    if let ChunkBody::ToolCall { call, .. } = &row.body { Some(call) } else { None }
}
