//! Draws a block: chunks and live rows become groups by one rule, whatever they come from.

use std::borrow::Cow;

use crate::model::{Chunk, ChunkBody, ExecutionId, MessageId, Part, Parts, Role, Seq, TurnId};

use super::keys::{assistant_key, system_key, user_chunk};
use super::runs::{Track, is_drawn, track_of};
use super::{BlockId, Group, GroupState, Numbers, View};
use crate::store::flat::Set;
use crate::store::live::{Live, LiveRow, LiveTurn, Owner, RowId, Seal, Slot, Source, TurnPhase};
use crate::store::log::Log;

/// A group with the live rows that it shows.
#[derive(Debug)]
pub(in crate::store) struct Drawn<'a> {
    pub(in crate::store) group: Group<'a>,
    /// Its number among the groups of its track; users have none.
    pub(in crate::store) number: Option<i64>,
    /// Each row with the index of its first part in the group.
    pub(in crate::store) rows: Vec<(RowId, usize)>,
}

/// The groups of a block, from top to bottom.
pub(in crate::store) fn draw_block<'a>(log: &'a Log, live: &'a Live, view: &View, block: &BlockId) -> Vec<Drawn<'a>> {
    match block {
        BlockId::Row(id) => {
            let id = RowId(*id);
            live.row(id).map(|row| user_row(id, row, live)).into_iter().collect()
        }
        BlockId::Turn(turn) => {
            let mut pen = Pen { log, view, turn, out: Vec::new(), sealed: Vec::new(), open: Vec::new() };
            match live.turns.get(turn) {
                None => pen.chunks(),
                Some(record) => pen.live_turn(live, record),
            }
            pen.finish(live)
        }
    }
}

/// Draws one turn.
struct Pen<'a, 'v> {
    log: &'a Log,
    view: &'v View,
    turn: &'v TurnId,
    out: Vec<Drawn<'a>>,
    /// Beside `out`: the parts of groups that are put together here.
    sealed: Vec<Option<Parts>>,
    /// Groups that still take chunks or rows.
    open: Vec<(Track, usize)>,
}

impl<'a> Pen<'a, '_> {
    fn chunks(&mut self) {
        let log = self.log;
        for chunk in log.chunks_of(self.turn).filter(|chunk| is_drawn(chunk)) {
            self.chunk(chunk);
        }
    }

    fn live_turn(&mut self, live: &'a Live, record: &LiveTurn) {
        match record.source {
            Source::Live => {
                for slot in &record.slots {
                    match slot {
                        Slot::Row(id) => self.slot_row(*id, live),
                        // Another row of the log may have taken that place meanwhile.
                        Slot::Chunk(seq) => match self.log.get(*seq).filter(|chunk| self.is_own_user(chunk)) {
                            Some(chunk) => self.chunk(chunk),
                            None => self.open.clear(),
                        },
                    }
                }
            }
            Source::Chunks => {
                // The initiator leads, also where the window begins behind its chunk.
                let lead = record.slots.first().copied();
                if let Some(Slot::Row(id)) = lead.filter(|slot| is_user_row(slot, live)) {
                    self.slot_row(id, live);
                }
                self.chunks();
                // One source per message: what its chunks do not hold yet is drawn live, where ids tell.
                let held: Set<&MessageId> =
                    self.log.chunks_of(self.turn).flat_map(|chunk| chunk.message_ids()).collect();
                for slot in &record.slots {
                    if let Slot::Row(id) = slot
                        && let Some(row) = live.row(*id)
                    {
                        match row.role {
                            Role::User if lead == Some(*slot) => {}
                            Role::User => self.slot_row(*id, live),
                            Role::Assistant | Role::Tool => self.unheld_parts(row, &held),
                            Role::System => {}
                        }
                    }
                }
            }
        }
    }

    fn is_own_user(&self, chunk: &Chunk) -> bool {
        chunk.role == Role::User && chunk.turn == *self.turn
    }

    fn slot_row(&mut self, id: RowId, live: &'a Live) {
        let Some(row) = live.row(id) else { return };
        match row.role {
            Role::User => {
                self.open.clear();
                self.push(user_row(id, row, live), None);
            }
            Role::System => self.live_row(id, row, Track::System),
            Role::Assistant | Role::Tool => self.live_row(id, row, Track::Assistant(row.execution.clone())),
        }
    }

    fn live_row(&mut self, id: RowId, row: &'a LiveRow, track: Track) {
        let list = row.parts.list();
        if list.is_empty() {
            return;
        }
        let message = row.parts.origins().iter().find_map(|origin| origin.message.clone());
        match self.joined(&track) {
            // A row joins the group before it: its parts follow.
            Some(index) => {
                if let Some(drawn) = self.out.get_mut(index) {
                    drawn.rows.push((id, drawn.group.parts.len()));
                    drawn.group.parts.to_mut().extend(list.iter().cloned());
                    drawn.group.state = GroupState::Live;
                }
            }
            None => {
                let mut drawn = self.counted(&track, row.execution.as_ref(), None);
                drawn.group.state = GroupState::Live;
                drawn.group.message = message;
                drawn.group.parts = Cow::Borrowed(list);
                drawn.rows.push((id, 0));
                self.push(drawn, Some(track));
            }
        }
    }

    /// The parts of a row whose message no chunk holds, behind the turn's chunks.
    fn unheld_parts(&mut self, row: &LiveRow, held: &Set<&MessageId>) {
        let unheld = row.parts.list().iter().zip(row.parts.origins());
        let parts: Vec<Part> = unheld
            .filter(|(_, origin)| origin.message.as_ref().is_some_and(|id| !held.contains(&id)))
            .map(|(part, _)| part.clone())
            .collect();
        if parts.is_empty() {
            return;
        }
        let track = Track::Assistant(row.execution.clone());
        let index = match self.joined(&track) {
            Some(index) => index,
            None => {
                let drawn = self.counted(&track, row.execution.as_ref(), None);
                self.push(drawn, Some(track))
            }
        };
        self.settle(index);
        if let Some(drawn) = self.out.get_mut(index) {
            drawn.group.parts.to_mut().extend(parts);
            drawn.group.state = GroupState::Live;
        }
    }

    fn chunk(&mut self, chunk: &'a Chunk) {
        let call = (chunk.role == Role::Tool).then(|| self.log.call_of(chunk.seq)).flatten();
        if let Some(call) = call {
            // A result stands with its call, wherever that is; a call of another turn takes it there.
            let at = self.sealed.iter().rposition(|parts| parts.as_ref().is_some_and(|parts| has_call(parts, chunk)));
            if self.log.get(call).is_some_and(|call| call.turn == *self.turn)
                && let Some(parts) = at.and_then(|index| self.sealed.get_mut(index)).and_then(Option::as_mut)
            {
                parts.chunk(chunk);
            }
            return;
        }
        if chunk.role == Role::User {
            self.open.clear();
            // A message may be several rows: its text, its files.
            let named = chunk.message_ids().next();
            let goes_on = |last: &Drawn<'_>| last.group.role == Role::User && last.group.message.as_ref() == named;
            if named.is_some() && self.out.last().is_some_and(goes_on) {
                self.add(self.out.len() - 1, chunk);
                return;
            }
            let mut group = self.blank(user_chunk(chunk, self.log, self.view), Role::User, None);
            group.message = chunk.message_ids().next().cloned();
            group.client = chunk.clients.first().cloned();
            group.seq = Some(chunk.seq);
            let index = self.push(Drawn { group, number: None, rows: Vec::new() }, None);
            self.add(index, chunk);
            return;
        }
        let track = track_of(chunk);
        let index = match self.joined(&track) {
            Some(index) => index,
            None => {
                let mut drawn = self.counted(&track, chunk.execution.as_ref(), Some(chunk.seq));
                drawn.group.message = chunk.message_ids().next().cloned();
                drawn.group.seq = Some(chunk.seq);
                self.push(drawn, Some(track))
            }
        };
        self.add(index, chunk);
        if let Some(result) = self.log.foreign_result(chunk.seq) {
            self.add(index, result);
        }
    }

    fn add(&mut self, index: usize, chunk: &Chunk) {
        let execution = self.out.get(index).and_then(|drawn| drawn.group.execution.clone());
        // Steps are counted over the turn.
        let before = self.out.iter().zip(&self.sealed).take(index).rev();
        let mut same =
            before.filter(|(drawn, _)| drawn.group.execution == execution).filter_map(|(_, parts)| parts.as_ref());
        let step = same.find_map(Parts::next_step);
        if let Some(slot) = self.sealed.get_mut(index) {
            let parts = slot.get_or_insert_default();
            if let Some(step) = step {
                parts.follow(step);
            }
            parts.chunk(chunk);
        }
    }

    /// The open group of a track. Runs of a system and of assistants end each other.
    fn joined(&mut self, track: &Track) -> Option<usize> {
        self.open.retain(|(known, _)| (*known == Track::System) == (*track == Track::System));
        self.open.iter().find(|(known, _)| known == track).map(|(_, index)| *index)
    }

    fn push(&mut self, drawn: Drawn<'a>, track: Option<Track>) -> usize {
        let index = self.out.len();
        self.out.push(drawn);
        self.sealed.push(None);
        if let Some(track) = track {
            self.open.push((track, index));
        }
        index
    }

    /// The next group of a track, with its number. `seq`: its first chunk, if it has one.
    fn counted(&self, track: &Track, execution: Option<&ExecutionId>, seq: Option<Seq>) -> Drawn<'a> {
        let role = if *track == Track::System { Role::System } else { Role::Assistant };
        let same = |drawn: &&Drawn<'_>| drawn.group.role == role && track.holds(drawn.group.execution.as_ref());
        let last = self.out.iter().filter(same).filter_map(|drawn| drawn.number).max();
        let next = |numbers: &Numbers| numbers.next(track, seq, last);
        let number = self.view.numbers(self.turn).map_or_else(|| last.map_or(0, |last| last + 1), next);
        let key = match track {
            Track::System => system_key(self.turn, number),
            Track::Assistant(execution) => assistant_key(self.turn, execution.as_ref(), number),
        };
        Drawn { group: self.blank(key, role, execution.cloned()), number: Some(number), rows: Vec::new() }
    }

    /// A group of this turn without parts.
    fn blank(&self, key: String, role: Role, execution: Option<ExecutionId>) -> Group<'a> {
        Group {
            key,
            role,
            state: GroupState::Sealed,
            owner: Some(self.turn.as_str().to_owned()),
            turn: Some(self.turn.clone()),
            execution,
            message: None,
            client: None,
            seq: None,
            streaming: false,
            intent: None,
            error: None,
            parts: Cow::Borrowed(&[]),
        }
    }

    /// Moves the parts that were put together here into their group.
    fn settle(&mut self, index: usize) {
        if let Some(mut parts) = self.sealed.get_mut(index).and_then(Option::take) {
            parts.end();
            if let Some(drawn) = self.out.get_mut(index) {
                let live = std::mem::replace(&mut drawn.group.parts, Cow::Owned(parts.into_list()));
                for (_, offset) in &mut drawn.rows {
                    *offset += drawn.group.parts.len();
                }
                drawn.group.parts.to_mut().extend(live.iter().cloned());
            }
        }
    }

    fn finish(mut self, live: &Live) -> Vec<Drawn<'a>> {
        for index in 0..self.out.len() {
            self.settle(index);
        }
        let Some(record) = live.turns.get(self.turn) else { return self.out };
        let runs = live.running() == Some(self.turn);
        let unconfirmed = matches!(record.seal, Seal::Sealed { misses, .. } if misses >= MISSES_MAX);
        let last_answer = self.out.iter().rposition(|drawn| drawn.group.role == Role::Assistant);
        let last_answer = last_answer.or(self.out.len().checked_sub(1));
        for (index, drawn) in self.out.iter_mut().enumerate() {
            if drawn.group.state != GroupState::Live {
                continue;
            }
            if unconfirmed {
                drawn.group.state = GroupState::Unconfirmed;
            }
            drawn.group.streaming =
                runs && drawn.rows.iter().any(|(id, _)| record.current.iter().any(|(_, current)| current == id));
            if let TurnPhase::Ended { error: Some(error), .. } = &record.phase
                && last_answer == Some(index)
            {
                drawn.group.error = Some(error.clone());
            }
        }
        self.out
    }
}

/// Pages that should have held a sealed turn and did not, before its rows are marked: the first and three more.
pub(in crate::store) const MISSES_MAX: u8 = 4;

fn is_user_row(slot: &Slot, live: &Live) -> bool {
    matches!(slot, Slot::Row(id) if live.row(*id).is_some_and(|row| row.role == Role::User))
}

fn has_call(parts: &Parts, result: &Chunk) -> bool {
    let ChunkBody::ToolResult { call, .. } = &result.body else { return false };
    parts.list().iter().any(|part| matches!(part, Part::Tool(tool) if tool.call == *call && tool.result.is_none()))
}

fn user_row<'a>(id: RowId, row: &'a LiveRow, live: &Live) -> Drawn<'a> {
    let (state, owner) = match &row.owner {
        Owner::Sending { client } => (GroupState::Sending, client.as_str().to_owned()),
        Owner::Failed { client, .. } => (GroupState::Failed, client.as_str().to_owned()),
        Owner::Queued { message } => (GroupState::Queued, message.as_str().to_owned()),
        Owner::Starting { .. } | Owner::Departed { .. } => {
            let name = row.messages.first().map(|id| id.as_str()).or(row.clients.first().map(|id| id.as_str()));
            let starting = matches!(row.owner, Owner::Starting { .. });
            (if starting { GroupState::Starting } else { GroupState::Unconfirmed }, name.unwrap_or_default().to_owned())
        }
        Owner::Turn { turn } => {
            let lost = live
                .turns
                .get(turn)
                .is_some_and(|turn| matches!(turn.seal, Seal::Sealed { misses, .. } if misses >= MISSES_MAX));
            (if lost { GroupState::Unconfirmed } else { GroupState::Live }, turn.as_str().to_owned())
        }
        Owner::Note { after } => (GroupState::Live, after.as_ref().map_or("", |id| id.as_str()).to_owned()),
    };
    let turn = match &row.owner {
        Owner::Turn { turn } => Some(turn.clone()),
        Owner::Starting { turn } => turn.clone(),
        Owner::Sending { .. }
        | Owner::Failed { .. }
        | Owner::Queued { .. }
        | Owner::Departed { .. }
        | Owner::Note { .. } => None,
    };
    let waits = matches!(state, GroupState::Queued | GroupState::Sending | GroupState::Failed);
    Drawn {
        group: Group {
            key: row.key.clone(),
            role: row.role,
            state,
            owner: Some(owner),
            turn,
            execution: row.execution.clone(),
            message: row.messages.first().cloned(),
            client: row.clients.first().cloned(),
            seq: None,
            streaming: false,
            intent: waits.then_some(row.intent),
            error: if let Owner::Failed { error, .. } = &row.owner { Some(error.clone()) } else { None },
            parts: Cow::Borrowed(row.parts.list()),
        },
        number: None,
        rows: vec![(id, 0)],
    }
}
