//! Live rows and live turns: everything that is shown and not drawn from a chunk. Each row has exactly one owner (L5).

use crate::model::{CallId, ClientId, ExecutionId, Intent, Json, MessageId, Outcome, Page, Parts, Role, Seq, TurnId};

use super::evidence::Evidence;
use super::flat::{Index, Line, Map};

/// Names a live row inside its thread. Never used twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct RowId(pub(super) u64);

/// The one reason why a live row exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// Handed to the transport; the server has not said a word about it.
    Sending {
        /// The name that this client gave it.
        client: ClientId,
    },
    /// It did not arrive; the text is kept for the user.
    Failed {
        /// The name that this client gave it.
        client: ClientId,
        /// Why, in the host's words.
        error: String,
    },
    /// The server keeps it for a turn.
    Queued {
        /// The server's name for it.
        message: MessageId,
    },
    /// Accepted as the initiator of a turn that has not begun here.
    Starting {
        /// The turn, where the server named it.
        turn: Option<TurnId>,
    },
    /// The server no longer lists it and no page has told yet what became of it.
    Departed {
        /// When it departed; a page asked for later tells.
        since: u64,
    },
    /// It belongs to a turn that is not folded.
    Turn {
        /// The turn.
        turn: TurnId,
    },
    /// A notice or an error outside a turn.
    Note {
        /// The turn that was last when it came.
        after: Option<TurnId>,
    },
}

impl Owner {
    /// The turn that owns the row.
    pub(super) fn turn(&self) -> Option<&TurnId> {
        if let Self::Turn { turn } = self { Some(turn) } else { None }
    }

    /// The turn that a starting row waits for: `Some(None)` where it waits for any.
    pub(super) fn awaited(&self) -> Option<Option<&TurnId>> {
        if let Self::Starting { turn } = self { Some(turn.as_ref()) } else { None }
    }
}

/// One row that is shown and not drawn from a chunk.
#[derive(Clone, Debug)]
pub(super) struct LiveRow {
    /// The key of its group: for rows of users and notes. Rows of an assistant get theirs by their place in the turn.
    pub(super) key: String,
    pub(super) owner: Owner,
    pub(super) role: Role,
    pub(super) execution: Option<ExecutionId>,
    pub(super) parts: Parts,
    pub(super) messages: Vec<MessageId>,
    pub(super) clients: Vec<ClientId>,
    pub(super) intent: Intent,
    /// When it came; orders rows of one kind.
    pub(super) stamp: u64,
    /// The number of its last edit, where the server counts.
    pub(super) rev: Option<u64>,
    pub(super) heard: Heard,
    /// When its text last changed: an answer to an older edit says nothing.
    pub(super) edited: u64,
}

/// By which way the server's acceptance of a message came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// By the stream, in its order.
    Event,
    /// By an answer that was faster: event `n` will tell it, and what is older says nothing about it.
    Answer { n: Option<u64> },
}

/// A turn that is not folded.
#[derive(Clone, Debug)]
pub(super) struct LiveTurn {
    /// When it was first seen; orders turns without chunks.
    pub(super) start: u64,
    pub(super) phase: TurnPhase,
    pub(super) seal: Seal,
    pub(super) source: Source,
    /// Its rows in order, and the places of user rows that a chunk took over.
    pub(super) slots: Vec<Slot>,
    /// The rows that deltas extend, one an execution.
    pub(super) current: Vec<(Option<ExecutionId>, RowId)>,
    /// The row that notices extend, until something else is said.
    pub(super) line: Option<RowId>,
    /// Results that came before their calls.
    pub(super) orphans: Vec<Orphan>,
    /// True from the user's stop to the end.
    pub(super) stopping: bool,
}

/// Where a live turn stands: `Running -> Ended`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TurnPhase {
    Running,
    /// Nothing of it runs. Without an outcome only the legacy `status` has said so.
    Ended {
        outcome: Option<Outcome>,
        error: Option<String>,
    },
}

/// Whether a turn is durable: `Open -> Sealed -> (folded)`.
#[derive(Clone, Debug)]
pub(super) enum Seal {
    Open,
    /// Written by the server; its chunks are not proven to be in the window.
    Sealed {
        /// The seq that proves it.
        last: Option<Seq>,
        /// A page that does not reach that seq cannot prove it.
        reach: Option<Seq>,
        /// When the seal came; a page asked for later can prove it.
        since: u64,
        /// Pages that should have held it and did not.
        misses: u8,
        /// A page asked for later held a row of it.
        proven: bool,
        /// Its chunks, inline, that do not connect to the window yet.
        parked: Page,
    },
}

/// What a turn that is not folded is drawn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// From its events; its chunks stay undrawn until it folds.
    Live,
    /// From its chunks, which were drawn before its start was seen.
    Chunks,
}

/// One place in a live turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    Row(RowId),
    /// A user row that its chunk took over.
    Chunk(Seq),
}

/// A result that came before its call.
#[derive(Clone, Debug)]
pub(super) struct Orphan {
    pub(super) call: CallId,
    pub(super) result: Json,
    pub(super) is_error: bool,
}

impl LiveTurn {
    /// Gives a user chunk its place: the one that begins the turn leads, others come last.
    /// `beside`: an earlier row of the same message.
    pub(super) fn place_chunk(&mut self, seq: Seq, begins: bool, beside: Option<Seq>) {
        if self.slots.contains(&Slot::Chunk(seq)) {
            return;
        }
        let later = |slot: &Slot| matches!(slot, Slot::Chunk(known) if *known > seq);
        let first_later = self.slots.iter().position(later);
        let leads = !self.slots.iter().any(|slot| matches!(slot, Slot::Chunk(known) if *known < seq));
        let beside = self.slots.iter().rposition(|slot| beside.is_some_and(|seq| *slot == Slot::Chunk(seq)));
        let at = beside.map_or_else(|| first_later.unwrap_or(self.slots.len()), |at| at + 1);
        self.slots.insert(if leads && begins { 0 } else { at }, Slot::Chunk(seq));
    }
}

/// All live rows and turns of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    rows: Line<LiveRow>,
    by_message: Index,
    by_client: Index,
    pub(super) turns: Map<TurnId, Box<LiveTurn>>,
    next: u64,
}

impl Live {
    pub(super) fn rows(&self) -> impl Iterator<Item = (RowId, &LiveRow)> {
        self.rows.iter().map(|(id, row)| (RowId(id), row))
    }

    pub(super) fn row(&self, id: RowId) -> Option<&LiveRow> {
        self.rows.get(id.0)
    }

    pub(super) fn row_mut(&mut self, id: RowId) -> Option<&mut LiveRow> {
        self.rows.get_mut(id.0)
    }

    /// The row under one of these ids.
    pub(super) fn find(&self, messages: &[MessageId], clients: &[ClientId]) -> Option<RowId> {
        let by_message = messages.iter().find_map(|id| self.by_message(id));
        by_message.or_else(|| clients.iter().find_map(|id| self.by_client(id)))
    }

    pub(super) fn by_message(&self, id: &MessageId) -> Option<RowId> {
        self.by_message.get(id.as_str()).map(RowId)
    }

    pub(super) fn by_client(&self, id: &ClientId) -> Option<RowId> {
        self.by_client.get(id.as_str()).map(RowId)
    }

    pub(super) fn insert(&mut self, row: LiveRow) -> RowId {
        self.next += 1;
        let id = RowId(self.next);
        for message in &row.messages {
            self.by_message.insert(message.shared(), id.0);
        }
        for client in &row.clients {
            self.by_client.insert(client.shared(), id.0);
        }
        self.rows.insert(id.0, row);
        id
    }

    /// Adds names to a row. A name that another row has stays there. True: the row has a first name of a kind now.
    pub(super) fn name(&mut self, id: RowId, messages: &[MessageId], clients: &[ClientId]) -> bool {
        let Some(row) = self.rows.get_mut(id.0) else { return false };
        let had = (row.messages.is_empty(), row.clients.is_empty());
        for message in messages {
            if self.by_message.claim(message.shared(), id.0) && !row.messages.contains(message) {
                row.messages.push(message.clone());
            }
        }
        for client in clients {
            if self.by_client.claim(client.shared(), id.0) && !row.clients.contains(client) {
                row.clients.push(client.clone());
            }
        }
        had != (row.messages.is_empty(), row.clients.is_empty())
    }

    /// Takes a row out, with the proof that it may go (L5).
    pub(super) fn release(&mut self, id: RowId, proof: &Evidence) -> Option<LiveRow> {
        let row = self.rows.remove(id.0)?;
        for message in &row.messages {
            self.by_message.remove_if(message.as_str(), id.0);
        }
        for client in &row.clients {
            self.by_client.remove_if(client.as_str(), id.0);
        }
        if let Owner::Turn { turn } = &row.owner
            && let Some(turn) = self.turns.get_mut(turn)
        {
            turn.current.retain(|(_, current)| *current != id);
            match proof.chunk() {
                Some(seq) if !turn.slots.contains(&Slot::Chunk(seq)) => {
                    for slot in &mut turn.slots {
                        if *slot == Slot::Row(id) {
                            *slot = Slot::Chunk(seq);
                        }
                    }
                }
                Some(_) | None => turn.slots.retain(|slot| *slot != Slot::Row(id)),
            }
        }
        Some(*row)
    }

    /// The rows of a turn, in order.
    pub(super) fn rows_of(&self, turn: &TurnId) -> impl DoubleEndedIterator<Item = (RowId, &LiveRow)> {
        self.turns.get(turn).into_iter().flat_map(|turn| turn.slots.iter()).filter_map(|slot| match slot {
            Slot::Row(id) => Some((*id, self.rows.get(id.0)?)),
            Slot::Chunk(_) => None,
        })
    }

    /// The turn that runs: the newest one that has not ended.
    pub(super) fn running(&self) -> Option<&TurnId> {
        let running = self.turns.iter().filter(|(_, turn)| turn.phase == TurnPhase::Running);
        running.max_by_key(|(_, turn)| turn.start).map(|(id, _)| id)
    }

    /// True where the row waits in one of the zones behind all turns, or is still in a turn.
    pub(super) fn is_pending(owner: &Owner) -> bool {
        matches!(owner, Owner::Sending { .. } | Owner::Failed { .. })
    }
}
