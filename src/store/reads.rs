//! What can be read: groups, heads, and what changed since a mirror last looked. Pure.

use crate::model::{CallId, Part, Role, StatusKind, ThreadId, TurnId};

use super::flat::by_number;
use super::live::{Live, Owner, RowId, TurnPhase};
use super::thread::Thread;
use super::view::{
    BlockId, Frozen, Group, Growth, Head, HeadApproval, Place, QueueEntry, Status, Touched, Zone, draw_block,
};
use super::{Connection, Store};

/// A block as it is drawn now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockView<'a> {
    /// Where it stands.
    pub place: Place,
    /// Its groups, from top to bottom.
    pub groups: Vec<Group<'a>>,
    /// For each live row in it: its number, the index of its group, the index of its first part there.
    pub rows: Vec<(u64, usize, usize)>,
}

impl Store {
    /// The groups of a thread, from top to bottom. Empty for a thread that is not here.
    #[must_use]
    pub fn groups(&self, thread: &ThreadId) -> Vec<Group<'_>> {
        let Some(thread) = self.thread(thread) else { return Vec::new() };
        let blocks = thread.view.order.iter().flat_map(|block| thread.draw(block));
        blocks.map(|drawn| drawn.group).collect()
    }

    /// What a thread shows beside its groups. `None` for a thread that is not here.
    #[must_use]
    pub fn head(&self, thread: &ThreadId) -> Option<Head> {
        self.thread(thread).map(|thread| thread.head(self.connection))
    }

    /// The queue of a thread, in order: those of its groups that are queued. Empty for a thread that is not here.
    #[must_use]
    pub fn queue(&self, thread: &ThreadId) -> Vec<QueueEntry> {
        let Some(thread) = self.thread(thread) else { return Vec::new() };
        let rows = thread.view.order.rows_in(Zone::Queued).filter_map(|id| {
            let row = thread.live.row(id)?;
            let Owner::Queued { message } = &row.owner else { return None };
            Some(QueueEntry {
                key: row.key.clone(),
                message: message.clone(),
                parts: row.parts.list().to_vec(),
                intent: row.intent,
                client: row.clients.first().cloned(),
            })
        });
        rows.collect()
    }

    /// The threads that are here.
    pub fn threads(&self) -> impl Iterator<Item = &ThreadId> {
        self.threads.values().map(|thread| &thread.id)
    }

    /// The threads that changed since they were last drawn.
    pub fn changed(&self) -> impl Iterator<Item = &ThreadId> {
        self.threads.values().filter(|thread| !thread.view.touched.is_empty()).map(|thread| &thread.id)
    }

    /// What changed in a thread since [`super::Input::Drawn`].
    #[must_use]
    pub fn touched(&self, thread: &ThreadId) -> Option<&Touched> {
        self.thread(thread).map(|thread| &thread.view.touched)
    }

    /// Where a mirror has a block: where it stood when [`super::Input::Drawn`] last came.
    #[must_use]
    pub fn shown(&self, thread: &ThreadId, block: &BlockId) -> Option<Place> {
        self.thread(thread)?.view.order.shown(block)
    }

    /// Where a block stands now. `None` where it is not shown.
    #[must_use]
    pub fn place(&self, thread: &ThreadId, block: &BlockId) -> Option<Place> {
        self.thread(thread)?.view.order.place(block)
    }

    /// True where a block is among the touched ones.
    #[must_use]
    pub fn is_touched(&self, thread: &ThreadId, block: &BlockId) -> bool {
        self.thread(thread).is_some_and(|thread| thread.view.order.is_dirty(block))
    }

    /// All blocks of a thread, from top to bottom.
    pub fn blocks(&self, thread: &ThreadId) -> impl Iterator<Item = &BlockId> {
        self.thread(thread).into_iter().flat_map(|thread| thread.view.order.iter())
    }

    /// True where a thread expects this event number next, and nothing waits behind it.
    #[must_use]
    pub fn is_next(&self, thread: &ThreadId, n: u64) -> bool {
        self.thread(thread).is_some_and(|thread| thread.cursor.is_next(n))
    }

    /// The name that a thread has now; another than asked for where it was renamed.
    #[must_use]
    pub fn thread_name<'a>(&'a self, thread: &'a ThreadId) -> &'a ThreadId {
        self.real(thread)
    }

    /// A block as it is drawn now. `None` where it is not shown.
    #[must_use]
    pub fn block(&self, thread: &ThreadId, block: &BlockId) -> Option<BlockView<'_>> {
        let thread = self.thread(thread)?;
        let place = thread.view.order.place(block)?;
        let mut view = BlockView { place, groups: Vec::new(), rows: Vec::new() };
        for (index, drawn) in thread.draw(block).into_iter().enumerate() {
            view.rows.extend(drawn.rows.iter().map(|(id, offset)| (id.0, index, *offset)));
            view.groups.push(drawn.group);
        }
        Some(view)
    }

    /// A block as it is now, to be drawn later. `None` where it is not drawn from its own chunks alone.
    #[must_use]
    pub fn freeze(&self, thread: &ThreadId, block: &BlockId) -> Option<Frozen> {
        let thread = self.thread(thread)?;
        Frozen::of(&thread.log, &thread.live, &thread.view, block)
    }

    /// The block in which a row is drawn.
    #[must_use]
    pub fn block_of(&self, thread: &ThreadId, row: u64) -> Option<BlockId> {
        self.thread(thread)?.block_of(RowId(row))
    }

    /// What a string has grown by.
    #[must_use]
    pub fn grown(&self, thread: &ThreadId, row: u64, growth: Growth) -> Option<&str> {
        let row = self.thread(thread)?.live.row(RowId(row))?;
        row.parts.grown(growth.part, growth.field)?.get(growth.from..)
    }

    /// A part of a live row.
    #[must_use]
    pub fn part(&self, thread: &ThreadId, row: u64, part: usize) -> Option<&Part> {
        self.thread(thread)?.live.row(RowId(row))?.parts.list().get(part)
    }
}

impl Thread {
    pub(super) fn draw(&self, block: &BlockId) -> Vec<super::view::Drawn<'_>> {
        draw_block(&self.log, &self.live, &self.view, block)
    }

    fn head(&self, connection: Connection) -> Head {
        Head {
            status: self.status(),
            turn: self.live.running().cloned(),
            held: self.queue.held,
            approvals: self.head_approvals(),
            has_older: self.has_older(),
            loading_older: matches!(self.older, super::loader::Older::InFlight { .. }),
            connection,
            load_error: self.load_error.clone(),
            meta: self.meta.iter().map(|(kind, json)| (kind.clone(), json.clone())).collect(),
        }
    }

    /// One authority: what the thread is doing is computed from its turns, never stored.
    fn status(&self) -> Status {
        let Some(turn) = self.live.running() else { return self.resting_status() };
        if self.live.turns.get(turn).is_some_and(|record| record.stopping) {
            return Status::Stopping;
        }
        let mut content = false;
        let mut open = false;
        let mut asks = false;
        for (_, row) in self.live.rows_of(turn).filter(|(_, row)| row.role != Role::User) {
            content = content || !row.parts.list().is_empty();
            for part in row.parts.list() {
                if let Part::Tool(tool) = part {
                    let waits = tool.state == crate::model::ToolState::AwaitingApproval;
                    asks = asks || waits;
                    open = open || (tool.state.is_open() && tool.state != crate::model::ToolState::InputStreaming);
                }
            }
        }
        if asks {
            Status::AwaitingApproval
        } else if open {
            Status::AwaitingTool
        } else if content {
            Status::Streaming
        } else {
            Status::Pending
        }
    }

    fn resting_status(&self) -> Status {
        let starting = self.starting().next().is_some();
        match self.legacy {
            _ if starting => Status::Pending,
            Some(StatusKind::Running) => Status::Pending,
            Some(StatusKind::Error) => Status::Error,
            Some(StatusKind::Idle) | None if self.failed => Status::Error,
            Some(StatusKind::Idle) | None => Status::Idle,
        }
    }

    /// The calls that wait for a person, oldest turn first.
    pub(super) fn head_approvals(&self) -> Vec<HeadApproval> {
        let turns: Vec<&TurnId> = self
            .live
            .turns
            .iter()
            .filter(|(_, record)| record.phase == TurnPhase::Running)
            .map(|(turn, _)| turn)
            .collect();
        let turns = by_number(&turns, |turn| self.live.turns.get(turn).map_or(0, |record| record.start));
        let open = turns.into_iter().flat_map(|turn| {
            let parts = self.live.rows_of(turn).flat_map(|(_, row)| row.parts.list());
            parts.filter_map(|part| waiting(part, turn)).collect::<Vec<_>>()
        });
        open.collect()
    }

    /// The live rows, for laws and saves.
    pub(super) fn live(&self) -> &Live {
        &self.live
    }
}

fn waiting(part: &Part, turn: &TurnId) -> Option<HeadApproval> {
    let Part::Tool(tool) = part else { return None };
    let approval = tool.approval.as_ref()?;
    let answering = match approval.state {
        crate::model::ApprovalState::Open => false,
        crate::model::ApprovalState::Answering => true,
        crate::model::ApprovalState::Approved
        | crate::model::ApprovalState::Denied
        | crate::model::ApprovalState::Expired
        | crate::model::ApprovalState::Cancelled => return None,
    };
    let call: CallId = tool.call.clone();
    (tool.state == crate::model::ToolState::AwaitingApproval).then(|| HeadApproval {
        call,
        turn: turn.clone(),
        name: tool.name.clone(),
        prompt: approval.prompt.clone(),
        options: approval.options.clone(),
        answering,
    })
}
