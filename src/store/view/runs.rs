//! The runs of a turn's chunks that are groups, and what a group is recognised by when its turn folds.

use crate::model::{CallId, Chunk, ChunkBody, ExecutionId, Part, PartId, Role, Seq, TurnId};

use super::Drawn;
use crate::store::log::Log;

/// Groups of a turn are counted by track.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::store) enum Track {
    Assistant(Option<ExecutionId>),
    System,
}

impl Track {
    /// True for groups of that execution. Lines of the system are one track, whoever caused them.
    pub(in crate::store) fn holds(&self, execution: Option<&ExecutionId>) -> bool {
        match self {
            Self::System => true,
            Self::Assistant(own) => own.as_ref() == execution,
        }
    }
}

/// A run of chunks of one turn that is one group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::store) struct Run {
    pub(in crate::store) track: Track,
    pub(in crate::store) first: Seq,
    /// The last chunk that stands in it by itself: a result that stands with its call is none.
    pub(in crate::store) last: Seq,
    /// It has nothing but results whose calls are not in the window.
    pub(in crate::store) orphan: bool,
}

/// The runs of a turn's chunks, in order of their first chunk. User chunks end runs; a result whose call is in the window
/// joins its call and never opens a run.
pub(in crate::store) fn runs(log: &Log, turn: &TurnId) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for chunk in log.chunks_of(turn).filter(|chunk| is_drawn(chunk)) {
        let orphan = chunk.role == Role::Tool;
        if orphan && log.call_of(chunk.seq).is_some() {
            continue;
        }
        if chunk.role == Role::User {
            open.clear();
            continue;
        }
        let track = track_of(chunk);
        // Runs of a system and of assistants end each other; runs of several executions go on side by side.
        open.retain(|&index| {
            runs.get(index).is_some_and(|run| (run.track == Track::System) == (track == Track::System))
        });
        let joins = open.iter().copied().find(|&index| runs.get(index).is_some_and(|run| run.track == track));
        match joins.and_then(|index| runs.get_mut(index)) {
            Some(run) => {
                run.last = chunk.seq;
                run.orphan &= orphan;
            }
            None => {
                open.push(runs.len());
                runs.push(Run { track, first: chunk.seq, last: chunk.seq, orphan });
            }
        }
    }
    runs
}

/// The track of a chunk that is no user's.
pub(in crate::store) fn track_of(chunk: &Chunk) -> Track {
    match chunk.role {
        Role::System => Track::System,
        Role::User | Role::Assistant | Role::Tool => Track::Assistant(chunk.execution.clone()),
    }
}

/// True for chunks that are drawn at all.
pub(in crate::store) fn is_drawn(chunk: &Chunk) -> bool {
    !matches!(chunk.body, ChunkBody::Usage(_) | ChunkBody::Unknown { .. })
}

/// A drawn group, as far as numbers go.
#[derive(Debug)]
pub(in crate::store) struct Shown<'a> {
    pub(super) track: Track,
    pub(super) number: i64,
    marks: Vec<Mark<'a>>,
}

/// What a group is recognised by. Only its number hangs on that: words decide nothing about a row's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark<'a> {
    Call(&'a CallId),
    Part(&'a PartId),
    Words(&'a str),
}

impl Mark<'_> {
    fn is_words(&self) -> bool {
        matches!(self, Self::Words(_))
    }

    /// True for the sealed mark of what the live one marks. Its last words may not have come, and what is one text live may
    /// be several rows in the log.
    fn goes_on(&self, live: &Self) -> bool {
        match (self, live) {
            (Self::Words(sealed), Self::Words(live)) => {
                !live.is_empty() && !sealed.is_empty() && (sealed.starts_with(live) || live.starts_with(sealed))
            }
            (Self::Call(_) | Self::Part(_) | Self::Words(_), _) => self == live,
        }
    }
}

impl<'a> Shown<'a> {
    /// Those of the groups that are counted; users are not.
    pub(in crate::store) fn all(drawn: &'a [Drawn<'_>]) -> Vec<Self> {
        let counted = drawn.iter().filter_map(|drawn| {
            let group = &drawn.group;
            let track = match group.role {
                Role::User => return None,
                Role::System => Track::System,
                Role::Assistant | Role::Tool => Track::Assistant(group.execution.clone()),
            };
            let marks = group.parts.iter().filter_map(|part| match part {
                Part::Tool(tool) => Some(Mark::Call(&tool.call)),
                Part::Text { text } | Part::Reasoning { text, .. } | Part::Notice { text, .. } => {
                    Some(Mark::Words(text))
                }
                Part::Opaque(part) => part.id.as_ref().map(Mark::Part),
                Part::Error { .. } => None,
            });
            Some(Self { track, number: drawn.number?, marks: marks.collect() })
        });
        counted.collect()
    }
}

/// The marks of a track's groups, each with the group's index.
pub(super) fn marks_of<'a>(shown: &[Shown<'a>], track: &Track) -> Vec<(Mark<'a>, usize)> {
    let groups = shown.iter().filter(|shown| shown.track == *track).enumerate();
    groups.flat_map(|(at, shown)| shown.marks.iter().map(move |mark| (*mark, at))).collect()
}

/// The marks of a turn's runs, each with the run's index. A result without its call is the mark of an older call.
pub(super) fn sealed_marks<'a>(log: &'a Log, turn: &TurnId, runs: &[&Run]) -> Vec<(Mark<'a>, usize)> {
    let marked = log.chunks_of(turn).filter_map(|chunk| {
        let mark = match &chunk.body {
            ChunkBody::ToolCall { call, .. } | ChunkBody::ToolResult { call, .. } => Mark::Call(call),
            ChunkBody::Text { text } | ChunkBody::Reasoning { text, .. } | ChunkBody::System { text, .. } => {
                Mark::Words(text)
            }
            ChunkBody::Part(part) => Mark::Part(part.id.as_ref()?),
            ChunkBody::Error { .. } | ChunkBody::Usage(_) | ChunkBody::Unknown { .. } => return None,
        };
        if chunk.role == Role::Tool && log.call_of(chunk.seq).is_some() {
            return None;
        }
        let own = |run: &&Run| {
            chunk.role != Role::Tool && track_of(chunk) == run.track && run.first <= chunk.seq && chunk.seq <= run.last
        };
        Some((mark, runs.iter().position(own).unwrap_or(usize::MAX)))
    });
    marked.collect()
}

/// By how many groups the sealed ones begin later than the live ones. What stands twice tells nothing; call ids come
/// again in later steps, so words tell first.
pub(super) fn ahead(sealed: &[(Mark<'_>, usize)], live: &[(Mark<'_>, usize)]) -> Option<i64> {
    let offset = |(mark, run): &(Mark<'_>, usize)| {
        let mut found = live.iter().filter(|(known, _)| mark.goes_on(known));
        let (known, group) = found.next().filter(|_| found.next().is_none())?;
        let once = sealed.iter().filter(|(other, _)| other.goes_on(known)).count() == 1;
        (once && *run != usize::MAX).then(|| index(*group) - index(*run))
    };
    let of_kind = |words: bool| sealed.iter().filter(move |(mark, _)| mark.is_words() == words);
    of_kind(true).find_map(offset).or_else(|| of_kind(false).find_map(offset))
}

pub(super) fn index(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}
