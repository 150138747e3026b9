//! What of a turn is in the log, and when that is told.

use turnseal::model::{Chunk, ChunkBody, Event, Json, Role, Seq};

use super::{Phase, Row, Seal, Server};

impl Server {
    /// Writes what of a turn is not in the log. Announces nothing.
    pub fn write(&mut self, turn: &str, user_only: bool) -> Result<(), String> {
        let known = self.turn_mut(turn)?;
        let from = known.written;
        let to = if user_only { known.rows.len().min(1) } else { known.rows.len() };
        known.written = to.max(from);
        let rows = known.rows.get(from..to).unwrap_or_default().to_vec();
        if !user_only && !rows.is_empty() {
            self.before.clone_from(&self.log);
        }
        for (execution, row) in rows {
            let seq = self.next_seq();
            let chunk = self.chunk(turn, execution.as_deref(), &row, seq);
            if let Row::User { messages, .. } = &row {
                for message in messages {
                    self.message_mut(message)?.seq = Some(seq.0);
                }
            }
            self.log.push(chunk);
        }
        Ok(())
    }

    fn chunk(&self, turn: &str, execution: Option<&str>, row: &Row, seq: Seq) -> Chunk {
        let (role, body, step) = body(row, self.options.changed);
        let messages = if let Row::User { messages, .. } = row { messages.clone() } else { Vec::new() };
        let clients = self.clients_of(&messages);
        Chunk {
            seq,
            turn: turn.into(),
            execution: execution.map(Into::into),
            role,
            body,
            step: step.filter(|_| self.options.steps),
            message: messages.first().map(|id| id.as_str().into()),
            messages: messages.iter().filter(|_| messages.len() > 1).map(|id| id.as_str().into()).collect(),
            clients: clients.iter().map(|id| id.as_str().into()).collect(),
            created_at: None,
        }
    }

    /// Writes the rest of an ended turn and says so.
    pub fn seal(&mut self, turn: &str, style: Option<Seal>) -> Result<(), String> {
        let known = self.turn_mut(turn)?;
        if known.phase == Phase::Running || known.sealed {
            return Err(format!("{turn} runs or is sealed"));
        }
        self.write(turn, false)?;
        self.turn_mut(turn)?.sealed = true;
        self.say_sealed(turn, style.unwrap_or(self.options.seal));
        Ok(())
    }

    pub fn say_sealed(&mut self, turn: &str, style: Seal) {
        let chunks: Vec<Chunk> =
            self.log.iter().filter(|chunk| chunk.turn.as_str() == turn).map(|chunk| self.told_chunk(chunk)).collect();
        let first = chunks.first().map(|chunk| chunk.seq);
        let last = chunks.last().map(|chunk| chunk.seq);
        let prev = self.log.iter().map(|chunk| chunk.seq).filter(|seq| Some(*seq) < first).max();
        let event = match style {
            Seal::Plain => Event::TurnSealed { turn: turn.into(), first: None, last: None, prev: None, chunks: None },
            Seal::Range => Event::TurnSealed { turn: turn.into(), first, last, prev: None, chunks: None },
            Seal::Linked => Event::TurnSealed { turn: turn.into(), first, last, prev, chunks: None },
            Seal::Inline => Event::TurnSealed { turn: turn.into(), first, last, prev, chunks: Some(chunks) },
        };
        self.say(event);
    }
}

/// What the log holds of a row.
pub fn body(row: &Row, changed: bool) -> (Role, ChunkBody, Option<u32>) {
    match row {
        Row::User { text, .. } => {
            let text = if changed { format!("(as the model reads it)\n\n{text}") } else { text.clone() };
            (Role::User, ChunkBody::Text { text }, None)
        }
        Row::Text(text) => (Role::Assistant, ChunkBody::Text { text: text.clone() }, None),
        Row::Think { text, metadata, .. } => {
            (Role::Assistant, ChunkBody::Reasoning { text: text.clone(), metadata: metadata.clone() }, None)
        }
        Row::Call { call, name, arguments, step, .. } => (
            Role::Assistant,
            ChunkBody::ToolCall {
                call: call.as_str().into(),
                name: name.clone(),
                arguments: Json::new(arguments.as_str()),
            },
            Some(*step),
        ),
        Row::Result { call, result, error, step, output } => (
            Role::Tool,
            ChunkBody::ToolResult {
                call: call.as_str().into(),
                name: None,
                result: Json::new(crate::script::quoted(result)),
                is_error: *error,
                output: output.clone(),
            },
            Some(*step),
        ),
        Row::Notice(text) => (Role::System, ChunkBody::System { kind: "notice".into(), text: text.clone() }, None),
        Row::Error(text) => (Role::Assistant, ChunkBody::Error { message: text.clone(), status_code: None }, None),
        Row::Part(part) => (Role::Assistant, ChunkBody::Part(part.clone()), None),
    }
}
