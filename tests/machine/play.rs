//! Plays a scenario: lines are inputs, blocks are what holds then.

use turnseal::engine::{Effect, Engine, Input, Meta, OnApproval, Options, Saved};
use turnseal::model::{Event, ExecutionId, Snapshot, ThreadId, TurnId};
use turnseal::transcript::{self, Vendor};

use crate::paper::Paper;
use crate::script::{Line, Script, Step, same};
use crate::watch::Watch;
use crate::{lines, verbs};

/// A thread that is played.
#[derive(Clone)]
pub struct Play {
    pub engine: Engine,
    pub thread: ThreadId,
    pub paper: Paper,
    watch: Watch,
    options: Options,
    effects: Vec<Effect>,
    last: Option<Line>,
    /// False: the paper log answers each `append` by itself.
    manual: bool,
}

/// Plays a file. Returns it as it is now, and what does not hold.
pub fn script(text: &str) -> Result<(Script, Vec<String>), String> {
    let mut script = Script::parse(text)?;
    let first = script.steps.first().ok_or("a scenario has lines")?;
    let mut play = Play::new(crate::options::options(&first.line)?, first.line.get("log") == Some("manual"));
    let mut wrong = Vec::new();
    for step in script.steps.iter_mut().skip(1) {
        let failed = |error: String| format!("line {}: {error}", step.line.number);
        play.line(&step.line).map_err(failed)?;
        play.blocks(step, &mut wrong)?;
    }
    Ok((script, wrong))
}

impl Play {
    pub fn new(options: Options, manual: bool) -> Self {
        Self {
            engine: Engine::new(options.clone()),
            thread: ThreadId::new("main"),
            paper: Paper::default(),
            watch: Watch::new(options.policy.clone()),
            options,
            effects: Vec::new(),
            last: None,
            manual,
        }
    }

    pub fn line(&mut self, line: &Line) -> Result<(), String> {
        if line.verb == "again" {
            return self.again();
        }
        self.effects.clear();
        let turn = line.names.first().map(|id| TurnId::new(id.as_str())).unwrap_or_else(|| TurnId::new(""));
        match line.verb.as_str() {
            // The host says that it is written, and shows nothing.
            "persisted" if line.has("bare") => self.apply(Input::Persisted { turn, chunks: Vec::new() })?,
            "persisted" => {
                if let Some(input) = self.paper.write(&turn) {
                    self.apply(input)?;
                }
            }
            "persist-failed" => {
                if let Some(input) = self.paper.fail(&turn, line.said()?) {
                    self.apply(input)?;
                }
            }
            "crash" => self.crash(line.has("without-meta"))?,
            _ => {
                let input = verbs::input(line)?.ok_or_else(|| format!("there is no verb `{}`", line.verb))?;
                self.apply(input)?;
            }
        }
        self.last = Some(line.clone());
        Ok(())
    }

    /// What the last line brought about.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    pub fn snapshot(&self) -> Snapshot {
        match self.engine.snapshot(&self.thread).event {
            Event::Snapshot(snapshot) => *snapshot,
            other => panic!("{other:?}"),
        }
    }

    pub fn manual(&self) -> bool {
        self.manual
    }

    /// True where a message takes the place of questions.
    pub fn supersedes(&self) -> bool {
        self.options.policy.on_approval == OnApproval::Supersede
    }

    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// The same line once more: nothing happens but a report or the same answer.
    fn again(&mut self) -> Result<(), String> {
        let last = self.last.clone().ok_or("there is no line to repeat")?;
        let before = self.engine.clone();
        self.line(&last)?;
        if before == self.engine { Ok(()) } else { Err(format!("`{}` again changes the state", last.draw())) }
    }

    fn crash(&mut self, without_meta: bool) -> Result<(), String> {
        let meta = if without_meta { Meta::default() } else { self.engine.meta(&self.thread) };
        self.watch.restart(meta.n, &self.paper.log);
        self.paper = self.paper.crashed();
        let log = self.paper.log.clone();
        let (engine, mut effects) =
            Engine::restore(self.options.clone(), vec![(self.thread.clone(), Saved { chunks: log, meta })]);
        self.engine = engine;
        let effects = effects.pop().map(|(_, effects)| effects).unwrap_or_default();
        self.book(&effects)?;
        self.watch.restarted();
        Ok(())
    }

    pub fn apply(&mut self, input: Input) -> Result<(), String> {
        match &input {
            Input::Send { .. } | Input::ResumeQueue | Input::SendNow { .. } => self.watch.released(),
            _ => {}
        }
        let effects = self.engine.apply(&self.thread, input);
        self.book(&effects)
    }

    fn book(&mut self, effects: &[Effect]) -> Result<(), String> {
        self.watch.take(effects)?;
        self.effects.extend(effects.iter().cloned());
        for effect in effects {
            self.paper.take(effect);
        }
        if !self.manual {
            for effect in effects {
                if let Effect::Append { turn, .. } = effect {
                    let answer = self.paper.write(turn);
                    assert!(answer.is_none(), "an append has no answer");
                }
            }
        }
        Ok(())
    }

    fn blocks(&self, step: &mut Step, wrong: &mut Vec<String>) -> Result<(), String> {
        for block in &mut step.blocks {
            let now = self.draw(&block.head).map_err(|error| format!("line {}: {error}", step.line.number))?;
            if !same(&block.lines, &now) {
                wrong.push(format!(
                    "line {}: `{}`: {}\n  expected\n    {}\n  is\n    {}",
                    step.line.number,
                    step.line.draw(),
                    block.head.join(" "),
                    block.lines.join("\n    "),
                    now.join("\n    ")
                ));
            }
            block.lines = now;
        }
        Ok(())
    }

    fn draw(&self, head: &[String]) -> Result<Vec<String>, String> {
        let mut drawn: Vec<String> = match head.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["effects"] => self.effects.iter().map(lines::effect).collect(),
            ["phase"] => lines::phases(&self.snapshot()),
            ["says"] => {
                let says = self.effects.iter().filter(|effect| matches!(effect, Effect::Diagnostic { .. }));
                says.map(lines::effect).collect()
            }
            ["log"] => self
                .paper
                .log
                .iter()
                .map(|chunk| format!("{} {} {}", chunk.seq.0, chunk.turn, lines::chunk(chunk)))
                .collect(),
            ["snapshot"] => lines::snapshot(self.engine.snapshot(&self.thread).n.unwrap_or(0), &self.snapshot()),
            ["model", execution, rest @ ..] => self.told(execution, rest.first().copied().unwrap_or("openai-chat"))?,
            _ => return Err(format!("there is no block `{}`", head.join(" "))),
        };
        if drawn.is_empty() {
            drawn.push("none".to_owned());
        }
        Ok(drawn)
    }

    /// What the model of an execution is told: one message a line.
    fn told(&self, execution: &str, vendor: &str) -> Result<Vec<String>, String> {
        let vendor = Vendor::named(vendor).ok_or("no such vendor")?;
        let options = transcript::Options { vendor, execution: Some(ExecutionId::new(execution)) };
        let told = transcript::project(&self.paper.told(), &options);
        if let Some(problem) = told.problems.first() {
            return Err(format!("L13: {problem}"));
        }
        let messages: Vec<&serde_json::value::RawValue> =
            serde_json::from_str(&told.messages).map_err(|error| error.to_string())?;
        Ok(messages.into_iter().map(|message| message.get().to_owned()).collect())
    }
}
