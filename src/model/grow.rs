//! How deltas, calls and results become parts. One rule for live rows and for sealed ones, so both have one shape.

use super::{
    Approval, ApprovalState, CallId, Chunk, ChunkBody, Cut, Decision, DeltaKind, Json, Opaque, Origin, Part, Stream,
    Tool, ToolState, joined, settle,
};

/// The parts of one row, in arrival order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    list: Vec<Part>,
    /// Beside `list`: under which names each part was streamed.
    origins: Vec<Origin>,
    /// High surrogates that wait for their other half.
    held: Vec<Half>,
    step: u32,
}

/// A string of a part that grows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Field {
    /// The text of a text or reasoning part.
    Text,
    /// The arguments of a call, as they stream.
    Arguments,
    /// Standard output of a call.
    Stdout,
    /// Standard error of a call.
    Stderr,
}

/// Where a row has grown by appending and by nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The index of the part.
    pub part: usize,
    /// The string of it.
    pub field: Field,
    /// Its length in bytes before; 0 where the part is new.
    pub from: usize,
    /// True where the part, or the string of it, was opened by this.
    pub opened: bool,
}

impl Parts {
    /// Takes parts that are whole already, a user's message for one.
    #[must_use]
    pub fn whole(list: Vec<Part>) -> Self {
        let origins = vec![Origin::default(); list.len()];
        let step = list.iter().map(|part| if let Part::Tool(tool) = part { tool.step } else { 0 }).max().unwrap_or(0);
        Self { list, origins, held: Vec::new(), step }
    }

    /// Takes parts that are whole so far and may grow on, under the names that they were streamed under.
    #[must_use]
    pub fn named(list: Vec<Part>, origin: &Origin) -> Self {
        let mut parts = Self::whole(list);
        parts.origins.fill(origin.clone());
        parts
    }

    /// Adds parts that are whole so far, under the names that they were streamed under.
    pub fn join(&mut self, list: Vec<Part>, origin: &Origin) {
        let more = Self::named(list, origin);
        self.step = self.step.max(more.step);
        self.list.extend(more.list);
        self.origins.extend(more.origins);
    }

    /// The parts.
    #[must_use]
    pub fn list(&self) -> &[Part] {
        &self.list
    }

    /// Under which names each part was streamed; as long as [`Parts::list`].
    #[must_use]
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The parts, taken out.
    #[must_use]
    pub fn into_list(self) -> Vec<Part> {
        self.list
    }

    /// The string that a spot points at.
    #[must_use]
    pub fn grown(&self, part: usize, field: Field) -> Option<&str> {
        match (self.list.get(part)?, field) {
            (Part::Text { text } | Part::Reasoning { text, .. }, Field::Text) => Some(text),
            (Part::Tool(tool), Field::Arguments) => tool.arguments_text.as_deref(),
            (Part::Tool(tool), Field::Stdout) => tool.output.as_ref().map(|output| output.stdout.as_str()),
            (Part::Tool(tool), Field::Stderr) => tool.output.as_ref().map(|output| output.stderr.as_str()),
            (_, _) => None,
        }
    }

    /// A text or reasoning delta: extends the part that it names, else the last one of its kind, else opens one.
    pub fn delta(&mut self, kind: DeltaKind, delta: &Cut, origin: &Origin) -> Spot {
        let found = self.delta_target(kind, origin);
        let opened = found.is_none();
        let part = found.unwrap_or_else(|| {
            self.push(
                match kind {
                    DeltaKind::Text => Part::Text { text: String::new() },
                    DeltaKind::Reasoning => Part::Reasoning { text: String::new(), metadata: None, sealed: false },
                },
                origin.clone(),
            )
        });
        if let Some(known) = self.origins.get_mut(part)
            && origin.part.is_some()
            && known.part != origin.part
        {
            known.part.clone_from(&origin.part);
        }
        let from = match self.list.get_mut(part) {
            Some(Part::Text { text } | Part::Reasoning { text, .. }) => {
                let from = text.len();
                append(&mut self.held, (part, Field::Text), delta, text);
                from
            }
            Some(Part::Tool(_) | Part::Opaque(_) | Part::Notice { .. } | Part::Error { .. }) | None => 0,
        };
        Spot { part, field: Field::Text, from, opened }
    }

    /// The part that a delta extends: the newest one under the same part id; else the last part, if it is of the kind,
    /// unsealed and of no other message; else, for a named message, that message's last part if it is of the kind.
    fn delta_target(&self, kind: DeltaKind, origin: &Origin) -> Option<usize> {
        let fits = |index: usize| match (self.list.get(index), kind) {
            (Some(Part::Text { .. }), DeltaKind::Text) => true,
            (Some(Part::Reasoning { sealed, .. }), DeltaKind::Reasoning) => !sealed,
            (_, _) => false,
        };
        let last = self.list.len().checked_sub(1)?;
        let same_message = |index: usize| self.origins.get(index).is_some_and(|known| known.message == origin.message);
        if let Some(id) = &origin.part {
            let known = self.origins.iter().rposition(|known| known.part.as_ref() == Some(id));
            if let Some(index) = known.filter(|&index| fits(index) && same_message(index)) {
                return Some(index);
            }
        }
        if fits(last) && same_message(last) {
            return Some(last);
        }
        let message = origin.message.as_ref()?;
        let newest = self.origins.iter().rposition(|known| known.message.as_ref() == Some(message))?;
        fits(newest).then_some(newest)
    }

    /// Seals the newest reasoning part, if it is open. Returns whether anything changed.
    pub fn reasoning_end(&mut self, metadata: Option<Json>) -> bool {
        let newest = self.list.iter().rposition(|part| matches!(part, Part::Reasoning { .. }));
        let Some(index) = newest else { return false };
        let Some(Part::Reasoning { text, metadata: known, sealed }) = self.list.get_mut(index) else { return false };
        if *sealed {
            return false;
        }
        settle_at(&mut self.held, (index, Field::Text), text);
        *sealed = true;
        if metadata.is_some() {
            *known = metadata;
        }
        true
    }

    /// The arguments of a call begin to stream. Repeated for an open call it only names the tool.
    pub fn tool_input_start(&mut self, call: &CallId, name: &str, step: Option<u32>) -> usize {
        if let Some(index) = self.open_call(call) {
            if let Some(Part::Tool(tool)) = self.list.get_mut(index)
                && tool.name.is_empty()
            {
                name.clone_into(&mut tool.name);
            }
            return index;
        }
        self.push_call(call, name, step)
    }

    /// The arguments of a call grow. `None` where no call of that id takes arguments any more.
    pub fn tool_input_delta(&mut self, call: &CallId, delta: &Cut) -> Option<Spot> {
        let index = self.open_call(call)?;
        let Some(Part::Tool(tool)) = self.list.get_mut(index) else { return None };
        if tool.state != ToolState::InputStreaming {
            return None;
        }
        let opened = tool.arguments_text.is_none();
        let text = tool.arguments_text.get_or_insert_default();
        let from = text.len();
        append(&mut self.held, (index, Field::Arguments), delta, text);
        Some(Spot { part: index, field: Field::Arguments, from, opened })
    }

    /// A call is whole. A call of that id without a result is completed, else a new call opens.
    pub fn tool_call(&mut self, call: &CallId, name: &str, arguments: Json, step: Option<u32>) -> usize {
        let index = self.open_call(call).unwrap_or_else(|| self.push_call(call, name, step));
        take_half(&mut self.held, (index, Field::Arguments));
        if let Some(Part::Tool(tool)) = self.list.get_mut(index) {
            name.clone_into(&mut tool.name);
            tool.arguments = Some(arguments);
            tool.arguments_text = None;
            if tool.state == ToolState::InputStreaming {
                tool.state = ToolState::Running;
            }
        }
        index
    }

    /// A tool printed something. Without a call id: the newest open call. `None` where there is no such call.
    pub fn tool_output(&mut self, call: Option<&CallId>, stream: Stream, data: &Cut) -> Option<Spot> {
        let index = self.list.iter().rposition(|part| match (part, call) {
            (Part::Tool(tool), Some(call)) => tool.call == *call,
            (Part::Tool(tool), None) => tool.state.is_open(),
            (_, _) => false,
        })?;
        let Some(Part::Tool(tool)) = self.list.get_mut(index) else { return None };
        let opened = tool.output.is_none();
        let output = tool.output.get_or_insert_default();
        let (field, text) = match stream {
            Stream::Stdout => (Field::Stdout, &mut output.stdout),
            Stream::Stderr => (Field::Stderr, &mut output.stderr),
        };
        let from = text.len();
        append(&mut self.held, (index, field), data, text);
        Some(Spot { part: index, field, from, opened })
    }

    /// A result. It belongs to the newest call of that id that has none. `None` where there is no such call.
    ///
    /// An interrupted call shows a late result and stays interrupted.
    pub fn tool_result(&mut self, call: &CallId, result: &Json, is_error: bool) -> Option<usize> {
        let index = self
            .list
            .iter()
            .rposition(|part| matches!(part, Part::Tool(tool) if tool.call == *call && tool.result.is_none()))?;
        self.settle_part(index);
        if let Some(Part::Tool(tool)) = self.list.get_mut(index) {
            answer(tool, result.clone(), is_error);
        }
        Some(index)
    }

    /// A call waits for a person. `None` where there is no such call without a result.
    pub fn approval_request(&mut self, call: &CallId, prompt: Option<String>, options: Option<Json>) -> Option<usize> {
        let index = self.open_call(call)?;
        if let Some(Part::Tool(tool)) = self.list.get_mut(index)
            && tool.approval.is_none()
        {
            tool.state = ToolState::AwaitingApproval;
            tool.approval = Some(Approval { prompt, options, state: ApprovalState::Open, reason: None });
        }
        Some(index)
    }

    /// A call was decided. `None` where there is no such call without a result.
    pub fn approval_resolved(&mut self, call: &CallId, decision: Decision, reason: Option<String>) -> Option<usize> {
        let index = self.open_call(call)?;
        if let Some(Part::Tool(tool)) = self.list.get_mut(index) {
            let (state, approval) = match decision {
                Decision::Approved => (ToolState::Approved, ApprovalState::Approved),
                Decision::Denied => (ToolState::Denied, ApprovalState::Denied),
                Decision::Expired => (ToolState::Denied, ApprovalState::Expired),
                Decision::Cancelled => (ToolState::Interrupted, ApprovalState::Cancelled),
            };
            let known = tool.approval.take();
            tool.state = state;
            if decision == Decision::Cancelled && known.as_ref().is_none_or(|known| known.state.is_decided()) {
                // A call that waited for nobody is only given up.
                tool.approval = known;
                return Some(index);
            }
            let (prompt, options) = known.map_or((None, None), |known| (known.prompt, known.options));
            tool.approval = Some(Approval { prompt, options, state: approval, reason });
        }
        Some(index)
    }

    /// This client has decided, or takes that back; the server has not said anything yet.
    pub fn approval_answering(&mut self, call: &CallId, state: ApprovalState) -> bool {
        let Some(index) = self.open_call(call) else { return false };
        let Some(Part::Tool(tool)) = self.list.get_mut(index) else { return false };
        match &mut tool.approval {
            Some(approval) if tool.state == ToolState::AwaitingApproval => {
                approval.state = state;
                true
            }
            Some(_) | None => false,
        }
    }

    /// A file, a source or data: replaces the part of the same kind and id in place, else comes last.
    pub fn opaque(&mut self, part: Opaque) -> usize {
        let known = part.id.as_ref().and_then(|id| {
            self.list.iter().rposition(
                |known| matches!(known, Part::Opaque(known) if known.kind == part.kind && known.id.as_ref() == Some(id)),
            )
        });
        match known.and_then(|index| self.list.get_mut(index).map(|slot| (index, slot))) {
            Some((index, slot)) => {
                *slot = Part::Opaque(part);
                index
            }
            None => self.push(Part::Opaque(part), Origin::default()),
        }
    }

    /// A notice. Never merges with anything.
    pub fn notice(&mut self, text: String, code: Option<Json>) -> usize {
        self.push(Part::Notice { text, code }, Origin::default())
    }

    /// An error. Never merges with anything.
    pub fn error(&mut self, text: String, code: Option<Json>) -> usize {
        self.push(Part::Error { text, code }, Origin::default())
    }

    /// Nothing more comes: open reasoning is sealed, open calls are interrupted, lone surrogates are settled.
    /// Returns whether anything changed.
    pub fn end(&mut self) -> bool {
        let mut changed = !self.held.is_empty();
        for index in 0..self.list.len() {
            self.settle_part(index);
            match self.list.get_mut(index) {
                Some(Part::Reasoning { sealed, .. }) if !*sealed => {
                    *sealed = true;
                    changed = true;
                }
                Some(Part::Tool(tool)) if tool.state.is_open() => {
                    tool.state = ToolState::Interrupted;
                    if let Some(approval) = tool.approval.as_mut().filter(|approval| !approval.state.is_decided()) {
                        approval.state = ApprovalState::Cancelled;
                    }
                    changed = true;
                }
                Some(_) | None => {}
            }
        }
        changed
    }

    /// Adds a sealed row as it stands in the log. A result whose call is not here becomes a call without arguments.
    pub fn chunk(&mut self, chunk: &Chunk) {
        let origin = Origin { message: chunk.message.clone(), part: None };
        match &chunk.body {
            ChunkBody::Text { text } => {
                self.push(Part::Text { text: text.clone() }, origin);
            }
            ChunkBody::Reasoning { text, metadata } => {
                self.push(Part::Reasoning { text: text.clone(), metadata: metadata.clone(), sealed: true }, origin);
            }
            ChunkBody::ToolCall { call, name, arguments } => {
                // A sealed call is its own row: it never completes an earlier one.
                let index = self.push_call(call, name, chunk.step);
                if let Some(Part::Tool(tool)) = self.list.get_mut(index) {
                    tool.arguments = Some(arguments.clone());
                    tool.state = ToolState::Running;
                }
            }
            ChunkBody::ToolResult { call, name, result, is_error, output } => {
                let index = self.tool_result(call, result, *is_error).unwrap_or_else(|| {
                    let index = self.push_call(call, name.as_deref().unwrap_or_default(), chunk.step);
                    if let Some(Part::Tool(tool)) = self.list.get_mut(index) {
                        answer(tool, result.clone(), *is_error);
                    }
                    index
                });
                if let (Some(Part::Tool(tool)), Some(output)) = (self.list.get_mut(index), output) {
                    tool.output = Some(output.clone());
                }
            }
            ChunkBody::Error { message, status_code } => {
                self.push(Part::Error { text: message.clone(), code: status_code.clone() }, origin);
            }
            ChunkBody::Part(part) => {
                self.opaque(part.clone());
            }
            ChunkBody::System { kind, text } => {
                let code = (!kind.is_empty() && kind != "notice").then(|| quote(kind));
                self.push(Part::Notice { text: text.clone(), code }, origin);
            }
            ChunkBody::Usage(_) | ChunkBody::Unknown { .. } => {}
        }
    }

    /// True where a call of that id waits for its result.
    #[must_use]
    pub fn has_open_call(&self, call: &CallId) -> bool {
        self.open_call(call).is_some()
    }

    /// True where a call of that id is here, open or not.
    #[must_use]
    pub fn has_call(&self, call: &CallId) -> bool {
        self.list.iter().any(|part| matches!(part, Part::Tool(tool) if tool.call == *call))
    }

    fn open_call(&self, call: &CallId) -> Option<usize> {
        self.list.iter().rposition(
            |part| matches!(part, Part::Tool(tool) if tool.call == *call && tool.result.is_none() && tool.state.is_open()),
        )
    }

    fn push_call(&mut self, call: &CallId, name: &str, step: Option<u32>) -> usize {
        self.step = step.unwrap_or_else(|| if self.step_is_answered() { self.step + 1 } else { self.step });
        self.push(
            Part::Tool(Box::new(Tool {
                call: call.clone(),
                name: name.to_owned(),
                step: self.step,
                state: ToolState::InputStreaming,
                arguments: None,
                arguments_text: None,
                output: None,
                result: None,
                is_error: false,
                approval: None,
            })),
            Origin::default(),
        )
    }

    /// The step that a next call would be of. `None` where there is no call yet.
    #[must_use]
    pub fn next_step(&self) -> Option<u32> {
        let called = self.list.iter().any(|part| matches!(part, Part::Tool(_)));
        called.then(|| if self.step_is_answered() { self.step + 1 } else { self.step })
    }

    /// Goes on counting where the row before has stopped.
    pub fn follow(&mut self, step: u32) {
        if self.next_step().is_none() {
            self.step = step;
        }
    }

    /// True where the current step has calls and each of them has its result: the next call is of the next step.
    fn step_is_answered(&self) -> bool {
        let mut calls = self
            .list
            .iter()
            .rev()
            .filter_map(|part| if let Part::Tool(tool) = part { Some(tool) } else { None })
            .take_while(|tool| tool.step == self.step)
            .peekable();
        calls.peek().is_some() && calls.all(|tool| tool.result.is_some())
    }

    fn push(&mut self, part: Part, mut origin: Origin) -> usize {
        // A part that names no message belongs to the message before it: a call follows its text.
        if origin.message.is_none()
            && let Some(last) = self.origins.last()
            && !matches!(part, Part::Text { .. } | Part::Reasoning { .. })
        {
            origin.message.clone_from(&last.message);
        }
        self.list.push(part);
        self.origins.push(origin);
        self.list.len() - 1
    }

    /// No further piece reaches that part: what waits for its other half is settled.
    pub fn settle_part(&mut self, index: usize) {
        if self.held.is_empty() {
            return;
        }
        let Some(part) = self.list.get_mut(index) else { return };
        match part {
            Part::Text { text } | Part::Reasoning { text, .. } => settle_at(&mut self.held, (index, Field::Text), text),
            Part::Tool(tool) => {
                if let Some(text) = &mut tool.arguments_text {
                    settle_at(&mut self.held, (index, Field::Arguments), text);
                }
                if let Some(output) = &mut tool.output {
                    settle_at(&mut self.held, (index, Field::Stdout), &mut output.stdout);
                    settle_at(&mut self.held, (index, Field::Stderr), &mut output.stderr);
                }
            }
            Part::Opaque(_) | Part::Notice { .. } | Part::Error { .. } => {}
        }
    }
}

fn answer(tool: &mut Tool, result: Json, is_error: bool) {
    tool.result = Some(result);
    tool.is_error = is_error;
    if tool.state != ToolState::Interrupted {
        tool.state = if is_error { ToolState::Error } else { ToolState::Done };
        // The question is over, and the log does not keep it: the live shape is the sealed shape.
        tool.approval = None;
    }
}

/// Which string of which part waits for the other half of what.
type Half = ((usize, Field), u16);

fn take_half(held: &mut Vec<Half>, key: (usize, Field)) -> Option<u16> {
    let at = held.iter().position(|(known, _)| *known == key)?;
    Some(held.swap_remove(at).1)
}

fn append(held: &mut Vec<Half>, key: (usize, Field), delta: &Cut, text: &mut String) {
    if delta.head.is_none() && delta.tail.is_none() && held.is_empty() {
        text.push_str(&delta.text);
        return;
    }
    let mut half = take_half(held, key);
    delta.append_to(text, &mut half);
    if let Some(half) = half {
        held.push((key, half));
    }
}

fn settle_at(held: &mut Vec<Half>, key: (usize, Field), text: &mut String) {
    settle(text, &mut take_half(held, key));
}

/// A word of the log as a JSON string. Words are plain; anything else is dropped.
fn quote(word: &str) -> Json {
    let plain: String = word.chars().filter(|c| !c.is_control() && *c != '"' && *c != '\\').collect();
    Json::new(joined(&["\"", &plain, "\""]))
}
