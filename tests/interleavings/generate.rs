//! Makes up lines that could happen now.

use turnseal::model::Intent;
use turnseal::store::{Action, Group, GroupState};

use crate::dice::Dice;
use crate::paper::{Phase, Row};
use crate::play::World;
use crate::script::Line;

/// What one run is like.
pub struct Generator {
    /// Numbers and ids are told: events may get lost, connections may drop.
    pub numbers: bool,
    pub lossy: bool,
    pub ids: bool,
    pub executions: usize,
    pub rewrites: bool,
    pub quotes: bool,
    /// Rows are written while their turn runs; then a seal has to tell its last seq, or a lagging page would be believed.
    pub writes: bool,
    pub words: usize,
    pub turns: usize,
    pub sends: usize,
}

/// `LEAVE=windows,edits` leaves out what a search is not about.
pub fn leaves(what: &str) -> bool {
    let words = std::env::var("LEAVE").unwrap_or_default();
    words.split(',').any(|word| word == what)
}

pub fn styles(writes: bool) -> &'static [&'static str] {
    if writes { &["range", "linked", "inline"] } else { &["plain", "range", "linked", "inline"] }
}

pub fn begin(turn: String, messages: Vec<String>) -> Line {
    messages.into_iter().fold(Line::verb("turn-start").name(turn), Line::name)
}

impl Generator {
    pub fn line(&mut self, dice: &mut Dice, world: &World) -> Option<Line> {
        let client = 1 + dice.roll(world.clients.len());
        match dice.roll(100) {
            0..40 => self.server(dice, world),
            40..62 => self.channel(dice, world, client),
            62..82 => self.answer(dice, world, client),
            _ => self.user(dice, world, client),
        }
    }

    fn execution(&self, dice: &mut Dice, line: Line) -> Line {
        if self.executions == 0 { line } else { line.key("execution", format!("e{}", 1 + dice.roll(self.executions))) }
    }

    fn word(&mut self) -> String {
        self.words += 1;
        format!("w{} ", self.words)
    }

    fn server(&mut self, dice: &mut Dice, world: &World) -> Option<Line> {
        let server = &world.server;
        let ended: Vec<String> = server
            .turns
            .iter()
            .filter(|turn| !turn.sealed && turn.phase != Phase::Running)
            .map(|turn| turn.id.clone())
            .collect();
        let consumed = server.consumed();
        if !consumed.is_empty() {
            self.turns += 1;
            return Some(begin(format!("t{}", self.turns), consumed));
        }
        if let Some(turn) = dice.pick(&ended).filter(|_| dice.often(25)) {
            let line = Line::verb("seal").name(turn);
            let style = dice.pick(styles(self.writes)).filter(|_| dice.often(50));
            return Some(style.into_iter().fold(line, Line::name));
        }
        if dice.often(12) {
            return self.queue(dice, world);
        }
        match server.running() {
            Some(_) => self.running(dice, world),
            None => self.idle(dice, world),
        }
    }

    fn queue(&mut self, dice: &mut Dice, world: &World) -> Option<Line> {
        let waiting = dice.pick(&world.server.queue);
        self.sends += 1;
        Some(match (dice.roll(8), waiting) {
            (0, Some(id)) => Line::verb("cancel").name(id),
            (1, Some(id)) if !leaves("edits") => Line::verb("edited").name(id).text(format!("edit {}", self.sends)),
            (2, _) if self.numbers => Line::verb(if world.server.held { "release" } else { "hold" }),
            (3, _) if self.numbers => Line::verb("queue-list"),
            _ => {
                let line =
                    Line::verb("queue").name(format!("x{}", self.sends)).text(format!("from elsewhere {}", self.sends));
                if dice.often(40) { line.name("steer") } else { line }
            }
        })
    }

    fn idle(&mut self, dice: &mut Dice, world: &World) -> Option<Line> {
        let server = &world.server;
        self.turns += 1;
        let rest = server.turns.iter().all(|turn| turn.sealed);
        // What a client holds of a turn that was cut before it was loaded, nobody can tell.
        let loaded = world.clients.iter().all(|client| {
            client.socket.is_empty() && client.view.iter().all(|group| group.state == GroupState::Sealed)
        });
        if self.rewrites && rest && loaded && dice.often(40) {
            return Some(match (dice.pick(&server.log), dice.roll(3)) {
                (Some(chunk), 0) => Line::verb("truncate").key("seq", chunk.seq.0.to_string()).name("renewed"),
                (Some(chunk), 1) => {
                    Line::verb("change").key("seq", chunk.seq.0.to_string()).text(format!("changed {}", self.word()))
                }
                _ => Line::verb("reset"),
            });
        }
        if !server.queue.is_empty() && !server.held && dice.often(60) {
            let count = if self.ids && dice.often(30) { 2 } else { 1 };
            let ids = server.queue.iter().take(count).cloned();
            return Some(ids.fold(Line::verb("consume"), Line::name).name("continuation"));
        }
        // Without ids a turn that somebody else begins now is taken for the one that this client waits for.
        let waits = |group: &Group<'_>| matches!(group.state, GroupState::Sending | GroupState::Starting);
        let waits = !self.ids && world.clients.iter().any(|client| client.view.iter().any(waits));
        (!waits && dice.often(25)).then(|| {
            let line = Line::verb("turn-start").name(format!("t{}", self.turns)).text(format!("ask {}", self.turns));
            if dice.often(10) { line.name("bare") } else { line }
        })
    }

    fn running(&mut self, dice: &mut Dice, world: &World) -> Option<Line> {
        let turn = world.server.running()?;
        let id = turn.id.clone();
        let open = turn.open();
        let text_last = matches!(turn.rows.last(), Some((_, Row::Text(_) | Row::Think { .. })));
        let on = |verb: &str| Line::verb(verb).name(id.clone());
        let word = self.word();
        let any = dice.pick(&open).map(|(_, call)| call);
        let steer = world
            .server
            .queue
            .iter()
            .find(|id| world.server.message(id).is_some_and(|message| message.intent == Intent::Steer));
        let asked = dice.pick(&turn.asks).map(|(call, _)| call);
        Some(match (dice.roll(30), any) {
            (0..9, _) => self.execution(dice, on("delta").text(word)),
            (9..11, _) => self.execution(dice, on("think").text(word)),
            (11, _) => self.execution(dice, on("think-end").text("{\"s\":1}")),
            (12..15, _) => {
                // Without ids a call that is named twice may be of either turn.
                let call = if self.ids { format!("c{}", 1 + dice.roll(4)) } else { format!("c{}", self.words) };
                if open.iter().any(|(_, known)| *known == call) {
                    return None;
                }
                self.execution(dice, on("call").name(call))
            }
            (15..18, Some(call)) => on("result").name(call).text(word),
            (18, Some(call)) => on("output").name(call).text(word),
            (19, Some(call)) => on("ask").name(call).text("may it?"),
            (20, _) => on("decided").name(asked?).name(["approved", "denied", "expired"][dice.roll(3)]),
            (21, _) => on("notice").text(word),
            (22, _) => on("part").name(format!("f{}", dice.roll(3))).text(word),
            (23..25, _) if !leaves("steers") && self.ids && (!self.quotes || !open.is_empty()) => {
                Line::verb("consume").name(steer?.clone())
            }
            (25, _) if self.writes && !text_last && self.executions == 0 => on("write"),
            (26..28, _) => {
                let line = on("turn-end").name(["done", "done", "aborted", "error"][dice.roll(4)]);
                if line.has("error") { line.text("it broke") } else { line }
            }
            _ => return None,
        })
    }

    fn channel(&mut self, dice: &mut Dice, world: &World, client: usize) -> Option<Line> {
        let known = &world.clients[client - 1];
        let line = |verb: &str| Line::verb(verb).of(client);
        Some(match dice.roll(40) {
            0 if self.lossy => line("lose"),
            1 if self.lossy && known.linked => {
                let line = line("drop");
                if dice.often(30) { line.name("unnoticed") } else { line }
            }
            2..4 if !known.linked => {
                let line = line("reconnect");
                if dice.often(30) { line.name("replay") } else { line }
            }
            4 if self.lossy => line("snapshot"),
            5 => line("fast"),
            6 if dice.often(50) => line("slow"),
            7 | 8 if !known.last.is_empty() && self.numbers => line("again"),
            9 => line("ping"),
            10 if !known.timers.is_empty() => line("wait"),
            11 => line("online"),
            _ if !known.socket.is_empty() => line("hear"),
            _ => return None,
        })
    }

    fn answer(&mut self, dice: &mut Dice, world: &World, client: usize) -> Option<Line> {
        let known = &world.clients[client - 1];
        let ask = dice.pick(&known.asks)?;
        let line = |verb: &str| Line::verb(verb).of(client);
        let line = match &ask.action {
            Action::LoadChunks { .. } => line("load"),
            Action::Resync { .. } => line("resync"),
            Action::Send(send) => line("answer").name("send").name(send.client.to_string()),
            Action::CancelQueued(id) => line("answer").name("take-back").name(id.to_string()),
            Action::EditQueued(id, _) => line("answer").name("edit").name(id.to_string()),
            Action::MoveQueued(id, _) => line("answer").name("move").name(id.to_string()),
            Action::SendNow(id) => line("answer").name("send-now").name(id.to_string()),
            Action::ResumeQueue => line("answer").name("resume"),
            Action::Stop { .. } => line("answer").name("stop"),
            Action::ResolveApproval { call, .. } => line("answer").name("decide").name(call.to_string()),
        };
        let line = if dice.often(15) { line.name("last") } else { line };
        Some(match dice.roll(20) {
            0 | 1 => line.name("fails"),
            2 | 3 if self.numbers && matches!(ask.action, Action::LoadChunks { before: None, .. }) => {
                line.name("stale")
            }
            4..9 if self.numbers => line.name("sent"),
            9 if matches!(ask.action, Action::Send(_)) && self.numbers => line.name("refused"),
            _ => line,
        })
    }

    fn user(&mut self, dice: &mut Dice, world: &World, client: usize) -> Option<Line> {
        let known = &world.clients[client - 1];
        let head = known.store.head(&known.thread)?;
        let queued = dice.pick(&known.store.queue(&known.thread)).map(|entry| entry.message.to_string());
        let failed: Vec<String> = known
            .view
            .iter()
            .filter(|group| group.state == GroupState::Failed)
            .filter_map(|group| group.client.as_ref().map(ToString::to_string))
            .collect();
        let line = |verb: &str| Line::verb(verb).of(client);
        self.sends += 1;
        let name = format!("k{}", self.sends);
        Some(match dice.roll(30) {
            // Without ids the messages of two clients that are accepted at once cannot be told apart.
            0..11 if !self.ids && (client != 1 || !known.socket.is_empty()) => return None,
            0..6 => line("send").name(name.clone()).text(format!("say {name}")),
            6..9 => line("steer").name(name.clone()).text(format!("say {name}")),
            9 | 10 => line("retry").name(dice.pick(&failed)?),
            11 if dice.often(30) => line("dismiss").name(dice.pick(&failed)?),
            12 => line("take-back").name(queued?),
            13 => line("edit").name(queued?).text(format!("edit {}", self.sends)),
            14 if self.numbers => line("move").name(queued?).name(dice.roll(3).to_string()),
            15 if self.numbers => line("send-now").name(queued?),
            16 if self.numbers => line("resume"),
            17 if self.numbers && dice.often(40) => line("stop"),
            18 | 19 => {
                let ask = dice.pick(&head.approvals)?;
                line(if dice.often(50) { "approve" } else { "deny" }).name(ask.call.to_string())
            }
            20..24 => line("scroll").name(if dice.often(50) { "up" } else { "down" }),
            24..26 => line("older"),
            _ => return None,
        })
    }
}
