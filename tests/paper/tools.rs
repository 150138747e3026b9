//! Tool calls on the paper server: their arguments, output, results and approvals.

use turnseal::model::{CallId, Cut, Decision, Event, Json, Stream};

use super::turns::new_call;
use super::{Row, Server};

impl Server {
    pub fn call(
        &mut self,
        turn: &str,
        execution: Option<&str>,
        call: &str,
        name: &str,
        arguments: &str,
    ) -> Result<(), String> {
        let live = self.live(turn)?;
        let step = live.step(execution);
        let early = live.early.iter().position(|(known, _)| known == call).map(|at| live.early.remove(at).1);
        let open = |(_, row): &(Option<String>, Row)| match row {
            Row::Call { call: known, answered: false, whole: true, .. } => known == call,
            _ => false,
        };
        if live.rows.iter().any(open) {
            return Err(format!("{call} is open already"));
        }
        let begun = live.rows.iter_mut().rev().find_map(|(_, row)| match row {
            Row::Call { call: known, arguments, whole, .. } if known == call && !*whole => Some((arguments, whole)),
            _ => None,
        });
        match begun {
            Some((kept, whole)) => (*kept, *whole) = (arguments.to_owned(), true),
            None => live.rows.push((execution.map(str::to_owned), new_call(call, name, arguments, step, true))),
        }
        if let Some(result) = early {
            live.answer(call, &result, false)?;
        }
        let event = Event::ToolCall {
            call: call.into(),
            name: name.to_owned(),
            arguments: Json::new(arguments),
            turn: self.told(turn),
            step: self.options.steps.then_some(step),
        };
        self.say_for(execution, event);
        Ok(())
    }

    /// The arguments of a call stream.
    pub fn input(&mut self, turn: &str, call: &str, name: Option<&str>, text: Option<&str>) -> Result<(), String> {
        let told = self.told(turn);
        let tell_step = self.options.steps;
        let live = self.live(turn)?;
        if let Some(name) = name {
            let step = live.step(None);
            live.rows.push((None, new_call(call, name, "{}", step, false)));
            let step = tell_step.then_some(step);
            self.say(Event::ToolInputStart { call: call.into(), name: name.to_owned(), turn: told.clone(), step });
        }
        if let Some(text) = text {
            self.say(Event::ToolInputDelta { call: call.into(), delta: Cut::whole(text), turn: told });
        }
        Ok(())
    }

    pub fn output(&mut self, turn: &str, call: &str, stream: Stream, text: &str) -> Result<(), String> {
        let live = self.live(turn)?;
        let (execution, kept) = live
            .rows
            .iter_mut()
            .rev()
            .find_map(|(execution, row)| match row {
                Row::Call { call: known, output, answered: false, .. } if known == call => {
                    Some((execution.clone(), output.get_or_insert_default()))
                }
                _ => None,
            })
            .ok_or_else(|| format!("{call} is not open"))?;
        match stream {
            Stream::Stdout => kept.stdout.push_str(text),
            Stream::Stderr => kept.stderr.push_str(text),
        }
        let named: Option<CallId> = self.options.ids.then(|| call.into());
        let turn = self.told(turn);
        self.say_for(execution.as_deref(), Event::ToolOutput { data: Cut::whole(text), stream, call: named, turn });
        Ok(())
    }

    /// A tool has answered. Where its call is not told yet, the result waits for it.
    pub fn result(&mut self, turn: &str, call: &str, result: &str, error: bool) -> Result<(), String> {
        let live = self.live(turn)?;
        let execution = if live.open().iter().any(|(_, known)| known == call) {
            live.answer(call, result, error)?
        } else {
            live.early.push((call.to_owned(), result.to_owned()));
            None
        };
        let told = self.turn(turn).and_then(|turn| {
            turn.rows.iter().rev().find_map(|(_, row)| match row {
                Row::Result { call: known, result, .. } if known == call => Some(result.clone()),
                _ => None,
            })
        });
        let event = Event::ToolResult {
            call: call.into(),
            result: Json::new(crate::script::quoted(&told.unwrap_or_else(|| result.to_owned()))),
            is_error: error,
            turn: self.told(turn),
        };
        self.say_for(execution.as_deref(), event);
        Ok(())
    }

    /// A call waits for a person.
    pub fn ask(&mut self, turn: &str, call: &str, prompt: Option<&str>) -> Result<(), String> {
        let live = self.live(turn)?;
        let (execution, _) = live
            .open()
            .into_iter()
            .rev()
            .find(|(_, known)| known == call)
            .ok_or_else(|| format!("{call} is not open"))?;
        live.asks.push((call.to_owned(), prompt.map(str::to_owned)));
        let turn = self.told(turn);
        let event =
            Event::ApprovalRequest { call: call.into(), prompt: prompt.map(str::to_owned), options: None, turn };
        self.say_for(execution.as_deref(), event);
        Ok(())
    }

    pub fn decide(&mut self, turn: &str, call: &str, decision: Decision) -> Result<(), String> {
        let live = self.live(turn)?;
        let at =
            live.asks.iter().position(|(known, _)| known == call).ok_or_else(|| format!("{call} is not asked for"))?;
        live.asks.remove(at);
        let turn = self.told(turn);
        self.say(Event::ApprovalResolved { call: call.into(), decision, reason: None, turn });
        Ok(())
    }
}
