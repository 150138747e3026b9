//! Rows of a log in one line each.

use turnseal::model::{
    CallId, Chunk, ChunkBody, ExecutionId, Json, MessageId, Opaque, OpaqueKind, Output, Role, Seq, TurnId,
};
use turnseal::transcript::{Options, Projection, Vendor, project};

pub const VENDORS: [Vendor; 4] = [Vendor::Anthropic, Vendor::OpenaiChat, Vendor::OpenaiResponses, Vendor::Neutral];

pub fn row(seq: u64, turn: &str, role: Role, body: ChunkBody) -> Chunk {
    Chunk {
        seq: Seq(seq),
        turn: TurnId::new(turn),
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

pub fn user(seq: u64, turn: &str, text: &str) -> Chunk {
    row(seq, turn, Role::User, ChunkBody::Text { text: text.into() })
}

pub fn says(seq: u64, turn: &str, text: &str) -> Chunk {
    row(seq, turn, Role::Assistant, ChunkBody::Text { text: text.into() })
}

pub fn thinks(seq: u64, turn: &str, text: &str, metadata: Option<&str>) -> Chunk {
    let metadata = metadata.map(Json::new);
    row(seq, turn, Role::Assistant, ChunkBody::Reasoning { text: text.into(), metadata })
}

pub fn call(seq: u64, turn: &str, id: &str) -> Chunk {
    call_with(seq, turn, id, "{\"n\":1}")
}

pub fn call_with(seq: u64, turn: &str, id: &str, arguments: &str) -> Chunk {
    let body = ChunkBody::ToolCall { call: CallId::new(id), name: "run".into(), arguments: Json::new(arguments) };
    row(seq, turn, Role::Assistant, body)
}

/// A result that is a JSON value.
pub fn result(seq: u64, turn: &str, id: &str, json: &str) -> Chunk {
    let body = ChunkBody::ToolResult {
        call: CallId::new(id),
        name: Some("run".into()),
        result: Json::new(json),
        is_error: false,
        output: None,
    };
    row(seq, turn, Role::Tool, body)
}

pub fn failed(seq: u64, turn: &str, id: &str, json: &str, output: Option<Output>) -> Chunk {
    let body =
        ChunkBody::ToolResult { call: CallId::new(id), name: None, result: Json::new(json), is_error: true, output };
    row(seq, turn, Role::Tool, body)
}

pub fn system(seq: u64, turn: &str, kind: &str) -> Chunk {
    row(seq, turn, Role::System, ChunkBody::System { kind: kind.into(), text: "for readers".into() })
}

pub fn unknown(seq: u64, turn: &str, kind: &str, data: &str) -> Chunk {
    row(seq, turn, Role::Assistant, ChunkBody::Unknown { kind: kind.into(), data: Json::new(data) })
}

pub fn part(seq: u64, turn: &str, role: Role, kind: OpaqueKind, json: &str) -> Chunk {
    row(seq, turn, role, ChunkBody::Part(Opaque { kind, id: None, json: Json::new(json) }))
}

pub trait With {
    fn step(self, step: u32) -> Self;
    fn by(self, execution: &str) -> Self;
    fn message(self, id: &str) -> Self;
}

impl With for Chunk {
    fn step(mut self, step: u32) -> Self {
        self.step = Some(step);
        self
    }

    fn by(mut self, execution: &str) -> Self {
        self.execution = Some(ExecutionId::new(execution));
        self
    }

    fn message(mut self, id: &str) -> Self {
        self.message = Some(MessageId::new(id));
        self
    }
}

pub fn told(rows: &[Chunk], vendor: Vendor) -> Projection {
    project(rows, &Options { vendor, execution: None })
}

/// The messages, one a line, after checking that nothing is wrong with them.
pub fn lines(rows: &[Chunk], vendor: Vendor) -> Vec<String> {
    lines_of(&told(rows, vendor))
}

pub fn lines_of(projection: &Projection) -> Vec<String> {
    assert_eq!(projection.problems, Vec::<String>::new(), "{}", projection.messages);
    let values: Vec<&serde_json::value::RawValue> = serde_json::from_str(&projection.messages).unwrap();
    values.into_iter().map(|value| value.get().to_owned()).collect()
}

pub const PNG: &str = r#"{"type":"image","data":"aGk=","mimeType":"image/png"}"#;

/// A turn with two calls at once, a steer behind them, and an answer.
pub fn parallel() -> Vec<Chunk> {
    vec![
        user(1, "a", "A"),
        says(2, "a", "I look."),
        call(3, "a", "c1"),
        call(4, "a", "c2"),
        result(5, "a", "c2", "\"two\""),
        result(6, "a", "c1", "{\"one\": 1}"),
        user(7, "a", "steer"),
        says(8, "a", "Done."),
    ]
}
