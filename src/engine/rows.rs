//! Parts as rows of the log: what a model wrote in one step, and what a user said.

use crate::model::{CallId, Chunk, ChunkBody, Part, Role, Seq, Tool, TurnId};

use super::execution::Execution;
use super::text;
use super::turn::Said;

/// Why a turn ended before its calls had their results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    Stopped,
    TimedOut,
    Superseded,
    Restarted,
}

impl Cause {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::TimedOut => "timed-out",
            Self::Superseded => "superseded",
            Self::Restarted => "restarted",
        }
    }
}

/// A row without anything that the caller does not say.
pub(super) fn row(turn: &TurnId, role: Role, body: ChunkBody) -> Chunk {
    Chunk {
        seq: Seq(0),
        turn: turn.clone(),
        execution: None,
        role,
        body,
        step: None,
        message: None,
        messages: Vec::new(),
        clients: Vec::new(),
        created_at: None,
    }
}

/// The word on a call that has no result.
pub(super) fn interrupted(turn: &TurnId, call: &CallId, cause: Cause, started: bool) -> Chunk {
    let data = text::interrupted(call, cause, started);
    row(turn, Role::Tool, ChunkBody::Unknown { kind: "tool_interrupted".to_owned(), data })
}

/// True where the part of a message becomes a row.
pub(super) fn is_said(part: &Part) -> bool {
    match part {
        Part::Text { .. } | Part::Opaque(_) => true,
        Part::Reasoning { .. } | Part::Tool(_) | Part::Notice { .. } | Part::Error { .. } => false,
    }
}

/// What a user said: one row for each part, all with the same ids.
pub(super) fn user(turn: &TurnId, said: &Said) -> Vec<Chunk> {
    let single = if let [only] = said.messages.as_slice() { Some(only.clone()) } else { None };
    let bodies = said.body.parts.iter().filter_map(|part| match part {
        Part::Text { text } => Some(ChunkBody::Text { text: text.clone() }),
        Part::Opaque(opaque) => Some(ChunkBody::Part(opaque.clone())),
        Part::Reasoning { .. } | Part::Tool(_) | Part::Notice { .. } | Part::Error { .. } => None,
    });
    let rows = bodies.map(|body| Chunk {
        message: single.clone(),
        messages: if single.is_some() { Vec::new() } else { said.messages.clone() },
        clients: said.clients.clone(),
        ..row(turn, Role::User, body)
    });
    rows.collect()
}

impl Execution {
    /// The rows of the running step, each part once: what was written, then the results. Marks them as taken.
    pub(super) fn take_rows(&mut self, turn: &TurnId, cause: Cause) -> Vec<Chunk> {
        // Text of the next step never joins that of this one.
        (self.taken..self.parts.list().len()).for_each(|index| self.parts.settle_part(index));
        let fresh = self.parts.list().get(self.taken..).unwrap_or_default();
        let written = fresh.iter().filter_map(body).map(|body| (Role::Assistant, body));
        let tools = fresh.iter().filter_map(|part| if let Part::Tool(tool) = part { Some(tool) } else { None });
        let results = tools.filter(|tool| tool.arguments.is_some()).map(|tool| (Role::Tool, self.result(tool, cause)));
        let later = self.later.iter().map(|body| (Role::Assistant, body.clone()));
        let rows = written.chain(results).chain(later).map(|(role, body)| Chunk {
            execution: self.tag.clone(),
            step: Some(self.step),
            ..row(turn, role, body)
        });
        let rows = rows.collect();
        self.taken = self.parts.list().len();
        self.later.clear();
        rows
    }

    fn result(&self, tool: &Tool, cause: Cause) -> ChunkBody {
        match &tool.result {
            Some(result) => ChunkBody::ToolResult {
                call: tool.call.clone(),
                name: Some(tool.name.clone()),
                result: result.clone(),
                is_error: tool.is_error,
                output: tool.output.clone(),
            },
            None => ChunkBody::Unknown {
                kind: "tool_interrupted".to_owned(),
                data: text::interrupted(&tool.call, cause, self.started(&tool.call)),
            },
        }
    }
}

/// A call whose arguments never became whole is no row: no model can be told of it.
fn body(part: &Part) -> Option<ChunkBody> {
    Some(match part {
        Part::Text { text } => ChunkBody::Text { text: text.clone() },
        Part::Reasoning { text, metadata, sealed: _ } => {
            ChunkBody::Reasoning { text: text.clone(), metadata: metadata.clone() }
        }
        Part::Tool(tool) => {
            ChunkBody::ToolCall { call: tool.call.clone(), name: tool.name.clone(), arguments: tool.arguments.clone()? }
        }
        Part::Opaque(part) => ChunkBody::Part(part.clone()),
        Part::Notice { .. } => return None,
        Part::Error { text, code } => ChunkBody::Error { message: text.clone(), status_code: code.clone() },
    })
}
