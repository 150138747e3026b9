//! What a UI should show of a log, written from section 6 of the specification and from nothing else.

use turnseal::model::{
    Approval, ApprovalState, Chunk, ChunkBody, Json, Opaque, Output, Part, Role, Seq, Tool, ToolState,
};

use super::writing::body;
use super::{Phase, Server, Turn};

/// One thing that a UI should draw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    pub role: Role,
    pub turn: Option<String>,
    pub execution: Option<String>,
    pub messages: Vec<String>,
    pub clients: Vec<String>,
    pub parts: Vec<Part>,
    /// Steps are counted over the turn and not told: these parts' steps say nothing.
    open: bool,
}

/// The groups of a log, turns by their first chunk.
pub fn project(log: &[Chunk]) -> Vec<Sight> {
    let mut turns: Vec<(Seq, &str, Vec<&Chunk>)> = Vec::new();
    for chunk in log {
        match turns.iter_mut().find(|(_, turn, _)| *turn == chunk.turn.as_str()) {
            Some((_, _, chunks)) => chunks.push(chunk),
            None => turns.push((chunk.seq, chunk.turn.as_str(), vec![chunk])),
        }
    }
    turns.sort_by_key(|(first, _, _)| *first);
    turns.iter().flat_map(|(_, turn, chunks)| groups(turn, chunks)).collect()
}

fn groups(turn: &str, chunks: &[&Chunk]) -> Vec<Sight> {
    let mut out: Vec<Sight> = Vec::new();
    let mut step = 0;
    for chunk in chunks {
        if matches!(chunk.body, ChunkBody::Usage(_) | ChunkBody::Unknown { .. }) {
            continue;
        }
        let execution = chunk.execution.as_ref().map(ToString::to_string);
        if let ChunkBody::ToolResult { call, result, is_error, output, .. } = &chunk.body
            && let Some(tool) = open_call(&mut out, execution.as_deref(), call.as_str())
        {
            answer(tool, result, *is_error, output.as_ref());
            continue;
        }
        let role = if chunk.role == Role::Tool { Role::Assistant } else { chunk.role };
        let own: Vec<String> = chunk.message_ids().map(ToString::to_string).collect();
        let goes_on = out.last().is_some_and(|last| last.role == Role::User && last.messages.first() == own.first());
        let goes_on = (goes_on && !own.is_empty()).then(|| out.len() - 1);
        let at = if role == Role::User { goes_on } else { joins(&out, role, execution.as_deref()) };
        let at = at.unwrap_or_else(|| {
            if role != Role::Assistant || out.last().is_some_and(|last| last.role != Role::Assistant) {
                out.iter_mut().for_each(|known| known.open = false);
            }
            out.push(Sight {
                role,
                turn: Some(turn.to_owned()),
                execution: execution.clone(),
                messages: chunk.message_ids().map(ToString::to_string).collect(),
                clients: chunk.clients.iter().map(ToString::to_string).collect(),
                parts: Vec::new(),
                open: role != Role::User,
            });
            out.len() - 1
        });
        if let ChunkBody::ToolCall { .. } = chunk.body {
            step = chunk.step.unwrap_or_else(|| next_step(&out, execution.as_deref(), step));
        }
        let part = part(&chunk.body, chunk.step.unwrap_or(step));
        place(&mut out[at].parts, part);
    }
    out
}

/// Runs of several executions go on side by side; a system's line, or a user's, ends them.
fn joins(out: &[Sight], role: Role, execution: Option<&str>) -> Option<usize> {
    out.iter()
        .rposition(|known| known.open && known.role == role && known.execution.as_deref() == execution)
        .filter(|at| role == Role::Assistant || *at + 1 == out.len())
}

fn next_step(out: &[Sight], execution: Option<&str>, step: u32) -> u32 {
    let tools = out.iter().filter(|known| known.execution.as_deref() == execution).flat_map(|known| &known.parts);
    let of_step = tools.filter_map(|part| if let Part::Tool(tool) = part { Some(tool) } else { None });
    let mut of_step = of_step.filter(|tool| tool.step == step).peekable();
    if of_step.peek().is_some() && of_step.all(|tool| tool.result.is_some()) { step + 1 } else { step }
}

fn open_call<'a>(out: &'a mut [Sight], execution: Option<&str>, call: &str) -> Option<&'a mut Tool> {
    let own = out.iter_mut().rev().filter(|known| known.execution.as_deref() == execution);
    own.flat_map(|known| known.parts.iter_mut().rev()).find_map(|part| match part {
        Part::Tool(tool) if tool.call.as_str() == call && tool.result.is_none() => Some(&mut **tool),
        _ => None,
    })
}

fn answer(tool: &mut Tool, result: &Json, error: bool, output: Option<&Output>) {
    tool.result = Some(result.clone());
    tool.is_error = error;
    tool.state = if error { ToolState::Error } else { ToolState::Done };
    tool.output = output.cloned();
}

fn tool(call: &str, name: &str, step: u32) -> Tool {
    Tool {
        call: call.into(),
        name: name.to_owned(),
        step,
        state: ToolState::Interrupted,
        arguments: None,
        arguments_text: None,
        output: None,
        result: None,
        is_error: false,
        approval: None,
    }
}

fn part(body: &ChunkBody, step: u32) -> Part {
    match body {
        ChunkBody::Text { text } => Part::Text { text: text.clone() },
        ChunkBody::Reasoning { text, metadata } => {
            Part::Reasoning { text: text.clone(), metadata: metadata.clone(), sealed: true }
        }
        ChunkBody::ToolCall { call, name, arguments } => {
            let arguments = Some(arguments.clone());
            Part::Tool(Box::new(Tool { arguments, ..tool(call.as_str(), name, step) }))
        }
        // A result whose call is not loaded.
        ChunkBody::ToolResult { call, name, result, is_error, output } => {
            let mut stub = tool(call.as_str(), name.as_deref().unwrap_or_default(), step);
            answer(&mut stub, result, *is_error, output.as_ref());
            Part::Tool(Box::new(stub))
        }
        ChunkBody::Error { message, status_code } => Part::Error { text: message.clone(), code: status_code.clone() },
        ChunkBody::Part(part) => Part::Opaque(part.clone()),
        ChunkBody::System { text, .. } => Part::Notice { text: text.clone(), code: None },
        ChunkBody::Usage(json) | ChunkBody::Unknown { data: json, .. } => {
            Part::Notice { text: json.as_str().to_owned(), code: None }
        }
    }
}

/// A part with an id takes the place of the one before it.
fn place(parts: &mut Vec<Part>, part: Part) {
    let same = |known: &Part| match (known, &part) {
        (Part::Opaque(Opaque { kind, id: Some(id), .. }), Part::Opaque(new)) => {
            *kind == new.kind && new.id.as_ref() == Some(id)
        }
        _ => false,
    };
    match parts.iter().position(same) {
        Some(at) => parts[at] = part,
        None => parts.push(part),
    }
}

impl Server {
    /// What a turn shows while it is not sealed: as it would be sealed now, and still open.
    pub fn shown(&self, turn: &Turn) -> Vec<Sight> {
        let chunks: Vec<Chunk> = turn
            .rows
            .iter()
            .enumerate()
            .map(|(at, (execution, row))| {
                let (role, body, step) = body(row, false);
                let mut chunk = self.blank(&turn.id, Seq(at as u64), role, body);
                chunk.execution = execution.as_deref().map(Into::into);
                chunk.step = step;
                if let super::Row::User { messages, .. } = row {
                    let known = messages.iter().filter_map(|id| self.message(id));
                    chunk.clients = known.filter_map(|message| message.client.as_deref().map(Into::into)).collect();
                    chunk.message = messages.first().map(|id| id.as_str().into());
                    chunk.messages = messages.iter().map(|id| id.as_str().into()).collect();
                }
                chunk
            })
            .collect();
        let mut sights = groups(&turn.id, &chunks.iter().collect::<Vec<_>>());
        if turn.phase == Phase::Running {
            sights.iter_mut().flat_map(|sight| &mut sight.parts).for_each(|part| reopen(part, turn));
        }
        sights
    }

    pub fn blank(&self, turn: &str, seq: Seq, role: Role, body: ChunkBody) -> Chunk {
        Chunk {
            seq,
            turn: turn.into(),
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
}

/// Of a running turn: calls run or wait for a person, reasoning goes on unless it was closed.
fn reopen(part: &mut Part, turn: &Turn) {
    match part {
        Part::Tool(tool) if tool.result.is_none() => {
            tool.state = ToolState::Running;
            tool.output = turn
                .rows
                .iter()
                .rev()
                .find_map(|(_, row)| match row {
                    super::Row::Call { call, output, answered: false, .. } if *call == *tool.call.as_str() => {
                        Some(output.clone())
                    }
                    _ => None,
                })
                .flatten();
            if let Some((_, prompt)) = turn.asks.iter().find(|(call, _)| *call == *tool.call.as_str()) {
                tool.state = ToolState::AwaitingApproval;
                let (prompt, state) = (prompt.clone(), ApprovalState::Open);
                tool.approval = Some(Approval { prompt, options: None, state, reason: None });
            }
        }
        Part::Reasoning { text, sealed, .. } => {
            *sealed = turn
                .rows
                .iter()
                .any(|(_, row)| matches!(row, super::Row::Think { text: known, sealed: true, .. } if known == text));
        }
        _ => {}
    }
}
