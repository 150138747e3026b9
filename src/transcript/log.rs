//! The rows of the log as items: what users said, and the steps of models.

use std::collections::BTreeMap;

use crate::model::{CallId, Chunk, ChunkBody, ExecutionId, Json, Output, Role, Seq, TurnId};

use super::cause::Cause;
use super::content;
use super::turn::Turns;

/// One thing that a model is told, in order.
pub(super) enum Item {
    User(Vec<Piece>),
    Step(Step),
}

/// Something written or attached.
pub(super) enum Piece {
    Text(String),
    /// A file part as it came.
    File(Json),
}

/// One answer of a model: thinking, then words, then calls; all results follow.
#[derive(Default)]
pub(super) struct Step {
    pub(super) label: Option<u32>,
    pub(super) thinking: Vec<Thinking>,
    pub(super) pieces: Vec<Piece>,
    pub(super) calls: Vec<Call>,
    /// How many of the calls have no result.
    pub(super) open: usize,
    /// True where the turn has calls, in this step or in another.
    pub(super) tool_turn: bool,
}

/// Reasoning that its maker has signed in some way.
pub(super) struct Thinking {
    pub(super) text: String,
    pub(super) metadata: Json,
}

/// A call with its one result.
pub(super) struct Call {
    pub(super) call: CallId,
    /// The id in the messages.
    pub(super) wire: String,
    pub(super) name: String,
    /// `None` where the call is a filler.
    pub(super) arguments: Option<Json>,
    pub(super) answer: Answer,
}

/// What a call is answered with: `Filler -> Given`, so that no call is ever without a result.
pub(super) enum Answer {
    Filler { cause: Cause, started: bool },
    Given(Given),
}

/// A result of the log.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) result: Json,
    pub(super) is_error: bool,
    pub(super) output: Option<Output>,
}

impl Step {
    /// True where a row that has no place of its own yet goes on with this step. A step whose calls all have their results
    /// is over, and one of another label is another.
    pub(super) fn takes(&self, label: Option<u32>) -> bool {
        let is_answered = !self.calls.is_empty() && self.open == 0;
        !is_answered && (label.is_none() || self.label.is_none())
    }

    /// All its words as one text; files are named.
    pub(super) fn said(&self) -> String {
        let texts: Vec<String> = self
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::File(json) => content::joined(&[content::file(json.as_str())]),
            })
            .collect();
        texts.join("\n\n")
    }

    fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.calls.is_empty()
    }
}

impl Call {
    pub(super) fn is_open(&self) -> bool {
        matches!(self.answer, Answer::Filler { .. })
    }
}

/// The items of a thread: turns by their first seq, of each turn one execution.
pub(super) fn read(chunks: &[Chunk], asking: Option<&ExecutionId>) -> Vec<Item> {
    let rows: BTreeMap<Seq, &Chunk> = chunks.iter().map(|chunk| (chunk.seq, chunk)).collect();
    let mut order: Vec<Vec<&Chunk>> = Vec::new();
    let mut places: BTreeMap<&TurnId, usize> = BTreeMap::new();
    for chunk in rows.into_values() {
        let place = *places.entry(&chunk.turn).or_insert_with(|| {
            order.push(Vec::new());
            order.len() - 1
        });
        if let Some(rows) = order.get_mut(place) {
            rows.push(chunk);
        }
    }
    let running = running(&order, asking);
    let mut turns = Turns::default();
    for (place, rows) in order.iter().enumerate() {
        let execution = if Some(place) == running { asking } else { first_execution(rows) };
        let told: Vec<&Chunk> = rows.iter().copied().filter(|row| is_told(row, execution)).collect();
        turns.read(&told);
    }
    turns.into_items().filter(|item| !is_empty(item)).collect()
}

/// The turn whose execution asks: the newest that has a row of it, else the last, whose execution may have none yet.
fn running(order: &[Vec<&Chunk>], asking: Option<&ExecutionId>) -> Option<usize> {
    let asking = asking?;
    let own = order.iter().rposition(|rows| rows.iter().any(|row| row.execution.as_ref() == Some(asking)));
    own.or_else(|| order.len().checked_sub(1))
}

/// Whose answer a model is told, of those of a turn: the first that did not fail. L12: first by the order of the models,
/// where the names tell that; else by what was written first.
fn first_execution<'a>(rows: &[&'a Chunk]) -> Option<&'a ExecutionId> {
    let mut found: Vec<(&ExecutionId, bool)> = Vec::new();
    for row in rows.iter().filter(|row| row.role != Role::User) {
        let Some(id) = &row.execution else { continue };
        let (is_told, has_failed) = match &row.body {
            ChunkBody::Text { .. }
            | ChunkBody::Reasoning { .. }
            | ChunkBody::ToolCall { .. }
            | ChunkBody::ToolResult { .. }
            | ChunkBody::Part(_) => (true, false),
            ChunkBody::Error { .. } => (false, true),
            ChunkBody::System { .. } | ChunkBody::Usage(_) | ChunkBody::Unknown { .. } => (false, false),
        };
        match found.iter_mut().find(|(known, _)| *known == id) {
            Some((_, failed)) => *failed |= has_failed,
            None if is_told || has_failed => found.push((id, has_failed)),
            None => {}
        }
    }
    let turn = rows.first().map(|row| &row.turn);
    // The order of what is written first is kept among those whose names tell nothing.
    found.sort_by_key(|(id, failed)| (*failed, turn.and_then(|turn| place(turn, id)).unwrap_or((u32::MAX, 0))));
    found.first().map(|(id, _)| *id)
}

/// The place of the model and the attempt, as the engine names executions: `turn.2` or `turn.2.1`.
fn place(turn: &TurnId, id: &ExecutionId) -> Option<(u32, u32)> {
    let rest = id.as_str().strip_prefix(turn.as_str())?.strip_prefix('.')?;
    match rest.split_once('.') {
        Some((place, attempt)) => Some((place.parse().ok()?, attempt.parse().ok()?)),
        None => Some((rest.parse().ok()?, 1)),
    }
}

/// What a user says always; another row where it is of the execution, or of none.
fn is_told(row: &Chunk, execution: Option<&ExecutionId>) -> bool {
    let said = row.role == Role::User && matches!(row.body, ChunkBody::Text { .. } | ChunkBody::Part(_));
    said || execution.is_none() || row.execution.is_none() || row.execution.as_ref() == execution
}

fn is_empty(item: &Item) -> bool {
    match item {
        Item::User(pieces) => pieces.is_empty(),
        Item::Step(step) => step.is_empty(),
    }
}
