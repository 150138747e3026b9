//! Notices and errors: in their turn, or after the last one.

use crate::model::{ExecutionId, Json, Parts, Role, TurnId, joined};

use super::asks::Out;
use super::effect::Code;
use super::live::{Owner, Slot};
use super::thread::Thread;
use super::view::{BlockId, row_key};

impl Thread {
    /// A notice, or an error: in its turn, else in the running one, else after the last one.
    pub(super) fn on_line(
        &mut self,
        execution: Option<&ExecutionId>,
        line: &Line<'_>,
        turn: Option<TurnId>,
        out: &mut Out<'_>,
    ) {
        let turn = match turn {
            Some(turn) => {
                if !self.open_turn(&turn) {
                    self.report(out, Code::Late, joined(&["turn ", turn.as_str(), " is over"]));
                    return;
                }
                Some(turn)
            }
            None => self.live.running().cloned(),
        };
        match (turn, line) {
            (Some(turn), Line::Error { text, code }) => {
                let Some(id) = self.answer_row(&turn, execution) else { return };
                let Some(row) = self.live.row_mut(id) else { return };
                let part = row.parts.error((*text).to_owned(), code.cloned());
                self.changed(&turn, id, part);
            }
            (Some(turn), Line::Notice { text }) => self.on_turn_notice(&turn, text),
            (None, line) => self.on_note(line),
        }
        self.view.touched.head = true;
        out.flush(&self.id);
    }

    /// A notice in a turn is a row of the system: the log seals it so. Neighbours join.
    fn on_turn_notice(&mut self, turn: &TurnId, text: &str) {
        let line = self.live.turns.get(turn).and_then(|record| record.line);
        let last = line.filter(|id| self.live.row(*id).is_some());
        let id = match last {
            Some(id) => id,
            None => {
                let owner = Owner::Turn { turn: turn.clone() };
                let row = self.new_row(String::new(), owner, Role::System, Parts::default());
                let id = self.live.insert(row);
                if let Some(record) = self.live.turns.get_mut(turn) {
                    record.slots.push(Slot::Row(id));
                    record.current.clear();
                    record.line = Some(id);
                }
                id
            }
        };
        if let Some(row) = self.live.row_mut(id) {
            row.parts.notice(text.to_owned(), None);
        }
        self.view.touch(BlockId::Turn(turn.clone()));
    }

    fn on_note(&mut self, line: &Line<'_>) {
        let after = self.view.order.last_turn().cloned();
        let last = self.notes.get(&after).and_then(|notes| notes.last().copied());
        let joins = last.filter(|id| {
            matches!(line, Line::Notice { .. }) && self.live.row(*id).is_some_and(|row| row.role == Role::System)
        });
        let id = match joins {
            Some(id) => id,
            None => {
                let role = if matches!(line, Line::Notice { .. }) { Role::System } else { Role::Assistant };
                let mut row = self.new_row(String::new(), Owner::Note { after: after.clone() }, role, Parts::default());
                row.key = row_key(&[], &[], None, row.stamp);
                let id = self.live.insert(row);
                self.notes.push(after, id);
                id
            }
        };
        if let Some(row) = self.live.row_mut(id) {
            match line {
                Line::Notice { text } => row.parts.notice((*text).to_owned(), None),
                Line::Error { text, code } => row.parts.error((*text).to_owned(), code.cloned()),
            };
        }
        self.place_row(id);
    }
}

/// What a `notice` or an `error` brings.
pub(super) enum Line<'a> {
    Notice { text: &'a str },
    Error { text: &'a str, code: Option<&'a Json> },
}
