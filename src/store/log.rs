//! The window: the sealed chunks that this client holds, without holes, and where to find what in them.

use super::flat::{Index, Table};
use std::collections::VecDeque;
use std::sync::Arc;

use crate::model::{CallId, Chunk, ChunkBody, ClientId, MessageId, Page, Role, Seq, TurnId};

/// The sealed chunks of one thread that are held, ascending by seq and contiguous in the server's log.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// Ascending by seq. Shared with what was saved and with what is not drawn yet.
    chunks: VecDeque<(Seq, Arc<Chunk>)>,
    turns: Table<Vec<Seq>>,
    users: Index,
    clients: Index,
    /// Calls and results by call id, ascending.
    calls: Table<Vec<Seq>>,
    /// Generation of the log, once known.
    pub(super) epoch: Option<String>,
    /// What is known of the log before the window.
    pub(super) past: Past,
    /// The newest seq that the server has told of, in whatever way.
    pub(super) told: Option<Seq>,
    /// Rows that came inline, before which rows of another turn may be missing. Ascending.
    loose: Vec<Seq>,
}

/// What is known of the log before the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Past {
    /// Nothing: there may be older rows.
    #[default]
    Unknown,
    /// The window begins where the log begins.
    Start,
}

/// How a page lies to the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Joint {
    /// No hole between them.
    Connects,
    /// It is newer, and rows between them may be missing.
    Newer,
    /// It is older, and rows between them may be missing.
    Older,
}

impl Log {
    pub(super) fn seqs(&self) -> impl DoubleEndedIterator<Item = Seq> {
        self.chunks.iter().map(|(seq, _)| *seq)
    }

    pub(super) fn shared(&self) -> impl Iterator<Item = &Arc<Chunk>> {
        self.chunks.iter().map(|(_, chunk)| chunk)
    }

    pub(super) fn len(&self) -> usize {
        self.chunks.len()
    }

    pub(super) fn get(&self, seq: Seq) -> Option<&Chunk> {
        self.share(seq).map(|chunk| &**chunk)
    }

    pub(super) fn share(&self, seq: Seq) -> Option<&Arc<Chunk>> {
        self.chunks.get(self.at(seq).ok()?).map(|(_, chunk)| chunk)
    }

    pub(super) fn oldest(&self) -> Option<Seq> {
        self.chunks.front().map(|(seq, _)| *seq)
    }

    pub(super) fn newest(&self) -> Option<Seq> {
        self.chunks.back().map(|(seq, _)| *seq)
    }

    /// The seqs of a turn, ascending.
    pub(super) fn of_turn(&self, turn: &TurnId) -> &[Seq] {
        self.turns.get(turn.as_str()).map_or(&[], Vec::as_slice)
    }

    pub(super) fn chunks_of(&self, turn: &TurnId) -> impl Iterator<Item = &Chunk> {
        self.of_turn(turn).iter().filter_map(|seq| self.get(*seq))
    }

    /// The user chunk that holds one of these ids.
    pub(super) fn user_chunk(&self, messages: &[MessageId], clients: &[ClientId]) -> Option<Seq> {
        let by_message = messages.iter().find_map(|id| self.users.get(id.as_str()));
        by_message.or_else(|| clients.iter().find_map(|id| self.clients.get(id.as_str()))).map(Seq)
    }

    /// The call that a result belongs to: the newest one before it without a result, of its own turn if there is one.
    pub(super) fn call_of(&self, result: Seq) -> Option<Seq> {
        self.pairs(result).into_iter().find(|(_, answer)| *answer == result).map(|(call, _)| call)
    }

    /// The result of a call that another turn's row holds.
    pub(super) fn foreign_result(&self, call: Seq) -> Option<&Chunk> {
        let turn = &self.get(call)?.turn;
        let answer = self.pairs(call).into_iter().find(|(asked, _)| *asked == call)?.1;
        self.get(answer).filter(|chunk| chunk.turn != *turn)
    }

    /// The pairs of call and result under the call id of that row.
    fn pairs(&self, seq: Seq) -> Vec<(Seq, Seq)> {
        let Some(id) = self.get(seq).and_then(call_id) else { return Vec::new() };
        let mut open: Vec<&Chunk> = Vec::new();
        let mut pairs = Vec::new();
        for chunk in self.calls.get(id.as_str()).into_iter().flatten().filter_map(|seq| self.get(*seq)) {
            if matches!(chunk.body, ChunkBody::ToolCall { .. }) {
                open.push(chunk);
                continue;
            }
            let own = open.iter().rposition(|call| call.turn == chunk.turn);
            // The result of a turn whose beginning is behind the window may answer a call that is there too.
            let foreign = open.len().checked_sub(1).filter(|_| self.begins_here(&chunk.turn));
            if let Some(index) = own.or(foreign) {
                pairs.push((open.remove(index).seq, chunk.seq));
            }
        }
        pairs
    }

    /// True where the window holds the beginning of a turn.
    fn begins_here(&self, turn: &TurnId) -> bool {
        let first = self.of_turn(turn).first().copied().filter(|first| self.oldest() < Some(*first));
        let begins = first.and_then(|first| self.get(first)).is_some_and(|chunk| chunk.role == Role::User);
        begins || self.past == Past::Start
    }

    /// The turns whose rows share a call id with that row.
    pub(super) fn turns_of_call(&self, seq: Seq) -> impl Iterator<Item = &TurnId> {
        let id = self.get(seq).and_then(call_id);
        id.and_then(|id| self.calls.get(id.as_str()))
            .into_iter()
            .flatten()
            .filter_map(|seq| Some(&self.get(*seq)?.turn))
    }

    /// Rows came inline while another turn wrote its own: unless their seqs follow each other, rows may be missing between.
    pub(super) fn loosen(&mut self, seqs: &[Seq]) {
        for seq in seqs {
            let Ok(at) = self.at(*seq) else { continue };
            let next = self.chunks.get(at + 1).map(|(seq, _)| *seq);
            for seq in [Some(*seq), next].into_iter().flatten() {
                let before = self.at(seq).ok().and_then(|at| self.chunks.get(at.checked_sub(1)?));
                if before.is_some_and(|(before, _)| before.0 + 1 != seq.0) {
                    self.loose.push(seq);
                }
            }
        }
        self.loose.sort_unstable();
        self.loose.dedup();
    }

    pub(super) fn is_loose(&self) -> bool {
        !self.loose.is_empty()
    }

    /// A page without holes comes: nothing will be missing inside it. Gives the rows before it that may not connect to it.
    pub(super) fn tighten(&mut self, first: Seq, last: Seq) -> Vec<Seq> {
        let meets = self.at(first).unwrap_or_else(|at| at);
        let meets = self.chunks.get(meets).map(|(seq, _)| *seq);
        let end =
            self.loose.iter().rev().find(|seq| meets.is_none_or(|meets| **seq <= meets)).map(|end| (*end).min(first));
        self.loose.retain(|seq| *seq <= first || last < *seq);
        let apart = end.map(|end| self.seqs().take_while(|seq| *seq < end).collect());
        apart.unwrap_or_default()
    }

    /// The server told of a seq.
    pub(super) fn tell(&mut self, seq: Option<Seq>) {
        self.told = self.told.max(seq);
    }

    /// Where a seq stands, or would stand.
    fn at(&self, seq: Seq) -> Result<usize, usize> {
        // What is new comes last, and most logs have no holes.
        if self.newest().is_none_or(|last| last < seq) {
            return Err(self.chunks.len());
        }
        let guess = self.oldest().and_then(|first| usize::try_from(seq.0.wrapping_sub(first.0)).ok());
        match guess {
            Some(guess) if self.chunks.get(guess).is_some_and(|(known, _)| *known == seq) => Ok(guess),
            Some(_) | None => self.chunks.binary_search_by_key(&seq, |(known, _)| *known),
        }
    }

    /// Takes a row in. Same seq: the incoming one wins. Returns whether anything changed.
    pub(super) fn insert(&mut self, mut chunk: Arc<Chunk>) -> bool {
        match self.share(chunk.seq) {
            Some(known) if *known == chunk => return false,
            Some(_) => {
                self.remove(chunk.seq);
            }
            None => {}
        }
        // One allocation a turn, not one a row. The row before is mostly of the same turn.
        let before =
            self.chunks.back().map(|(_, last)| last.turn.shared()).filter(|turn| ***turn == *chunk.turn.as_str());
        if let Some(turn) = before.or_else(|| self.turns.key(chunk.turn.as_str())).cloned()
            && let Some(own) = Arc::get_mut(&mut chunk)
        {
            own.turn = TurnId::new(turn);
        }
        add(&mut self.turns, chunk.turn.shared(), chunk.seq);
        if chunk.role == Role::User {
            // A message may be several rows: its first one stands for it. A name used again in another turn is the older's.
            let is_own = |at: u64| self.get(Seq(at)).is_none_or(|known| known.turn == chunk.turn);
            let is_free = |index: &Index, id: &str| index.get(id).is_none_or(|at| at >= chunk.seq.0 && is_own(at));
            let ids: Vec<_> = chunk.message_ids().filter(|id| is_free(&self.users, id.as_str())).collect();
            let clients: Vec<_> = chunk.clients.iter().filter(|id| is_free(&self.clients, id.as_str())).collect();
            ids.iter().for_each(|id| self.users.insert(id.shared(), chunk.seq.0));
            clients.iter().for_each(|id| self.clients.insert(id.shared(), chunk.seq.0));
        }
        if let Some(id) = call_id(&chunk) {
            add(&mut self.calls, id.shared(), chunk.seq);
        }
        self.tell(Some(chunk.seq));
        if let Err(at) = self.at(chunk.seq) {
            self.chunks.insert(at, (chunk.seq, chunk));
        }
        true
    }

    pub(super) fn remove(&mut self, seq: Seq) {
        let Some((_, chunk)) = self.at(seq).ok().and_then(|at| self.chunks.remove(at)) else { return };
        take(&mut self.turns, chunk.turn.as_str(), seq);
        self.loose.retain(|known| *known != seq && Some(*known) != self.chunks.front().map(|(seq, _)| *seq));
        if let Some(id) = call_id(&chunk) {
            take(&mut self.calls, id.as_str(), seq);
        }
        if chunk.role == Role::User {
            for id in chunk.message_ids() {
                self.users.remove_if(id.as_str(), seq.0);
            }
            for id in &chunk.clients {
                self.clients.remove_if(id.as_str(), seq.0);
            }
            let rest = self.chunks_of(&chunk.turn).find(|other| chunk.is_same_message(other));
            if let Some((at, ids)) = rest.map(|rest| (rest.seq.0, rest.message_ids().cloned().collect::<Vec<_>>())) {
                for id in &ids {
                    self.users.claim(id.shared(), at);
                }
            }
        }
    }

    /// How rows lie to the window. `limit` is the one that was asked for, `None` where the rows are no newest page.
    pub(super) fn joint(&self, page: &Page, limit: Option<u32>) -> Joint {
        let (Some(first), Some(last)) = (page.chunks.first().map(|c| c.seq), page.chunks.last().map(|c| c.seq)) else {
            return Joint::Connects;
        };
        let (Some(oldest), Some(newest)) = (self.oldest(), self.newest()) else { return Joint::Connects };
        if last < oldest {
            return if last.0 + 1 == oldest.0 { Joint::Connects } else { Joint::Older };
        }
        let reaches_start = limit.is_some_and(|limit| is_short(page, limit));
        let known_before = page.prev.is_some_and(|prev| self.get(prev).is_some());
        if first <= newest || first.0 == newest.0 + 1 || reaches_start || known_before {
            Joint::Connects
        } else {
            Joint::Newer
        }
    }
}

/// True where a page holds fewer rows than were asked for and names none before them: it begins where the log begins.
pub(super) fn is_short(page: &Page, limit: u32) -> bool {
    let asked = page.limit.map_or(limit, |own| own.min(limit)) as usize;
    // `oldestSeq` is the first seq of the reply with some servers and of the log with others: only a smaller one tells.
    let first = page.chunks.first().map(|chunk| chunk.seq);
    page.chunks.len() < asked && page.oldest.is_none_or(|oldest| first.is_none_or(|first| oldest >= first))
}

fn call_id(chunk: &Chunk) -> Option<&CallId> {
    match &chunk.body {
        ChunkBody::ToolCall { call, .. } | ChunkBody::ToolResult { call, .. } => Some(call),
        ChunkBody::Text { .. }
        | ChunkBody::Reasoning { .. }
        | ChunkBody::Error { .. }
        | ChunkBody::Part(_)
        | ChunkBody::System { .. }
        | ChunkBody::Usage(_)
        | ChunkBody::Unknown { .. } => None,
    }
}

fn add(table: &mut Table<Vec<Seq>>, id: &Arc<str>, seq: Seq) {
    match table.get_mut(id) {
        Some(list) => {
            if let Err(index) = list.binary_search(&seq) {
                list.insert(index, seq);
            }
        }
        None => table.insert(id, vec![seq]),
    }
}

fn take(table: &mut Table<Vec<Seq>>, id: &str, seq: Seq) {
    let Some(list) = table.get_mut(id) else { return };
    if let Ok(index) = list.binary_search(&seq) {
        list.remove(index);
    }
    if list.is_empty() {
        table.remove(id);
    }
}
