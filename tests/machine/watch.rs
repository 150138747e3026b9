//! What holds after every input, seen from outside: by the effects alone.

use std::collections::{BTreeMap, BTreeSet};

use turnseal::engine::{Effect, OnEnd, Policy, Status};
use turnseal::model::{CallId, Chunk, ChunkBody, Consumed, Event, ExecutionId, MessageId, Outcome, TurnId};

/// An observer of one thread that keeps books.
#[derive(Clone, Debug)]
pub struct Watch {
    policy: Policy,
    n: u64,
    started: BTreeSet<TurnId>,
    ended: BTreeMap<TurnId, Outcome>,
    sealed: BTreeSet<TurnId>,
    asked_to_seal: BTreeSet<TurnId>,
    /// How the newest turn ended, and whether somebody has let the queue go on since.
    blocked: Option<TurnId>,
    /// E62: where each message is.
    pub messages: BTreeMap<MessageId, Place>,
    /// E62: where each call is.
    pub calls: BTreeMap<(ExecutionId, u32, CallId), Fate>,
    executions: BTreeSet<ExecutionId>,
    steps: BTreeMap<ExecutionId, u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Queued,
    Consumed,
    Returned,
    Cancelled,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Open,
    Answered,
    /// A row says that it has no result.
    Interrupted,
}

impl Watch {
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            n: 0,
            started: BTreeSet::new(),
            ended: BTreeMap::new(),
            sealed: BTreeSet::new(),
            asked_to_seal: BTreeSet::new(),
            blocked: None,
            messages: BTreeMap::new(),
            calls: BTreeMap::new(),
            executions: BTreeSet::new(),
            steps: BTreeMap::new(),
        }
    }

    /// The program ended: what follows counts on from here. Calls that the log has not heard of are gone.
    pub fn restart(&mut self, n: u64, log: &[Chunk]) {
        self.n = n;
        self.calls.retain(|(execution, step, call), fate| {
            let is = |chunk: &Chunk| {
                of(chunk.execution.as_ref(), Some(&chunk.turn)) == *execution
                    && chunk.step == Some(*step)
                    && matches!(&chunk.body, ChunkBody::ToolCall { call: known, .. } if known == call)
            };
            *fate != Fate::Open || log.iter().any(is)
        });
    }

    /// It has begun anew: what ran is over, and clients read its end in a snapshot.
    pub fn restarted(&mut self) {
        for turn in &self.started {
            self.ended.entry(turn.clone()).or_insert(Outcome::Aborted);
        }
    }

    /// A user has let the queue go on.
    pub fn released(&mut self) {
        self.blocked = None;
    }

    /// The executions of a turn that were ever asked.
    pub fn executions_of(&self, turn: &TurnId) -> Vec<ExecutionId> {
        let prefix = format!("{turn}.");
        self.executions.iter().filter(|id| id.as_str().starts_with(&prefix)).cloned().collect()
    }

    /// Books the effects of one input, or says which rule they break.
    pub fn take(&mut self, effects: &[Effect]) -> Result<(), String> {
        effects.iter().try_for_each(|effect| self.one(effect))
    }

    fn one(&mut self, effect: &Effect) -> Result<(), String> {
        match effect {
            Effect::Publish(envelope) => {
                self.n += 1;
                check(envelope.n == Some(self.n), || format!("n is {:?}, not {}", envelope.n, self.n))?;
                self.event(envelope.execution.as_ref(), &envelope.event)
            }
            Effect::Request { turn, execution, step, .. } => {
                check(self.started.contains(turn), || format!("L9: {turn} is asked for before its start"))?;
                check(!self.ended.contains_key(turn), || format!("L9: {turn} is asked for after its end"))?;
                if *step == 0 {
                    let new = self.executions.insert(execution.clone());
                    check(new, || format!("the id {execution} comes twice"))?;
                    self.retried(execution);
                }
                self.steps.insert(execution.clone(), *step);
                Ok(())
            }
            Effect::RunTool { turn, .. } => {
                check(!self.ended.contains_key(turn), || format!("L9: a tool of {turn} runs after its end"))
            }
            Effect::Seal { turn, chunks: rows, .. } => {
                self.asked_to_seal.insert(turn.clone());
                check(self.ended.contains_key(turn), || format!("{turn} is sealed before its end"))?;
                self.rows(rows);
                Ok(())
            }
            Effect::Append { turn, chunks: rows, .. } => {
                check(!self.ended.contains_key(turn), || format!("rows of {turn} after its seal"))?;
                self.rows(rows);
                Ok(())
            }
            Effect::Answer(answer) if answer.to == "send" => {
                let (Some(message), Status::Returned) = (&answer.message, answer.status) else { return Ok(()) };
                self.place(message, Place::Returned)
            }
            Effect::Answer(_)
            | Effect::Yield { .. }
            | Effect::CancelRequest { .. }
            | Effect::CancelTool { .. }
            | Effect::Diagnostic(_)
            | Effect::StartTimer { .. }
            | Effect::CancelTimer { .. } => Ok(()),
        }
    }

    /// What an older attempt had called is given up with it.
    fn retried(&mut self, execution: &ExecutionId) {
        let place = |id: &ExecutionId| id.as_str().splitn(3, '.').take(2).map(str::to_owned).collect::<Vec<_>>();
        for ((of, ..), fate) in &mut self.calls {
            if of != execution && place(of) == place(execution) && *fate == Fate::Open {
                *fate = Fate::Interrupted;
            }
        }
    }

    /// E62: a call without a result has a row that says so.
    fn rows(&mut self, rows: &[Chunk]) {
        for row in rows {
            let ChunkBody::Unknown { data, .. } = &row.body else { continue };
            for ((execution, step, call), fate) in &mut self.calls {
                let named = data.as_str().contains(&format!("\"callId\":\"{call}\""));
                if *execution == of(row.execution.as_ref(), Some(&row.turn))
                    && row.step == Some(*step)
                    && named
                    && *fate == Fate::Open
                {
                    *fate = Fate::Interrupted;
                }
            }
        }
    }

    fn event(&mut self, execution: Option<&ExecutionId>, event: &Event) -> Result<(), String> {
        match event {
            Event::TurnStart { turn, messages, .. } => {
                check(self.started.insert(turn.clone()), || format!("the id {turn} comes twice"))?;
                check(self.blocked.is_none(), || format!("L11: {turn} is chained onto {:?}", self.blocked))?;
                let runs = self.started.iter().find(|known| *known != turn && !self.ended.contains_key(*known));
                check(runs.is_none(), || format!("{turn} starts while {runs:?} runs"))?;
                messages.iter().try_for_each(|message| self.place(message, Place::Consumed))
            }
            Event::MessageQueued { message, .. } => self.place(message, Place::Queued),
            Event::MessageConsumed { messages, reason, .. } => {
                messages.iter().try_for_each(|message| {
                    let known = self.messages.get(message);
                    check(known == Some(&Place::Queued), || format!("L11: {message} is consumed as {known:?}"))?;
                    match reason {
                        Consumed::Interrupt => self.place(message, Place::Consumed),
                        // Its turn-start follows and books it.
                        Consumed::Continuation => Ok(()),
                    }
                })
            }
            Event::MessageCancelled { message } => self.place(message, Place::Cancelled),
            Event::TurnEnd { turn, outcome, .. } => {
                check(self.started.contains(turn), || format!("L9: {turn} ends before its start"))?;
                let first = self.ended.insert(turn.clone(), *outcome);
                check(first.is_none(), || format!("L9: {turn} ends twice"))?;
                let holds = match outcome {
                    Outcome::Done => false,
                    Outcome::Aborted => self.policy.on_stop == OnEnd::Hold,
                    Outcome::Error => self.policy.on_error == OnEnd::Hold,
                };
                self.blocked = holds.then(|| turn.clone());
                Ok(())
            }
            Event::TurnSealed { turn, .. } => {
                check(self.asked_to_seal.contains(turn), || format!("{turn} is sealed unasked"))?;
                check(self.sealed.insert(turn.clone()), || format!("{turn} is sealed twice"))?;
                let open = self.calls.iter().find(|((execution, ..), fate)| {
                    **fate == Fate::Open && execution.as_str().starts_with(&format!("{turn}."))
                });
                check(open.is_none(), || format!("E62: {open:?} has neither result nor filler"))
            }
            Event::ToolCall { call, step, turn, .. } => {
                let key = (of(execution, turn.as_ref()), step.unwrap_or(0), call.clone());
                check(self.calls.insert(key.clone(), Fate::Open).is_none(), || format!("{key:?} comes twice"))
            }
            Event::ToolResult { call, turn, .. } => {
                let late = turn.as_ref().is_some_and(|turn| self.ended.contains_key(turn));
                let found = self.calls.iter_mut().rev().find(|((holder, _, known), fate)| {
                    *holder == of(execution, turn.as_ref()) && known == call && **fate == Fate::Open
                });
                match found {
                    Some((_, fate)) => *fate = Fate::Answered,
                    None => check(late, || format!("{call} has two results"))?,
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn place(&mut self, message: &MessageId, place: Place) -> Result<(), String> {
        let known = self.messages.insert(message.clone(), place);
        let fits = match (known, place) {
            (None, _) | (Some(Place::Queued), Place::Consumed | Place::Cancelled | Place::Returned) => true,
            // What was given back may come again under the same name; a policy that drops cancels and returns.
            (Some(Place::Returned | Place::Cancelled), _) => true,
            (Some(Place::Consumed), _) | (Some(Place::Queued), Place::Queued) => false,
        };
        check(fits, || format!("L11: {message} was {known:?} and is {place:?}"))
    }
}

fn check(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

/// A turn with one execution does not name it: it is the first one.
fn of(execution: Option<&ExecutionId>, turn: Option<&TurnId>) -> ExecutionId {
    let first = || ExecutionId::new(format!("{}.1", turn.map_or("", TurnId::as_str)));
    execution.cloned().unwrap_or_else(first)
}
