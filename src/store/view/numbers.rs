//! The numbers of a turn's groups: counted by track at first draw, and kept while rows come and go around them (L6).

use crate::model::{Seq, TurnId};

use super::runs::{Run, Shown, Track, ahead, index, marks_of, runs, sealed_marks};
use crate::store::log::Log;

/// Where the counting of a turn's groups departs from 0, 1, 2. Ascending by seq.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::store) struct Numbers {
    /// The number of the first live group of a track.
    starts: Vec<(Track, i64)>,
    /// The number of the group that begins with that chunk.
    named: Vec<(Track, Seq, i64)>,
}

impl Numbers {
    pub(in crate::store) fn is_empty(&self) -> bool {
        self.starts.is_empty() && self.named.is_empty()
    }

    /// The number of the next group of a track, behind those up to `last`. `seq`: its first chunk, if it has one.
    pub(in crate::store) fn next(&self, track: &Track, seq: Option<Seq>, last: Option<i64>) -> i64 {
        let named = seq.and_then(|seq| self.named.iter().find(|(of, at, _)| *at == seq && of == track));
        let start = || self.starts.iter().find(|(of, _)| of == track).map_or(0, |(_, start)| *start);
        named.map(|(_, _, number)| *number).unwrap_or_else(|| last.map_or_else(start, |last| last + 1))
    }

    /// The numbers of a track's runs, in their order.
    fn of(&self, track: &Track, runs: &[&Run]) -> Vec<i64> {
        let mut last = None;
        let number = |run: &&Run| {
            let number = self.next(track, Some(run.first), last);
            last = last.max(Some(number));
            number
        };
        runs.iter().map(number).collect()
    }

    /// Notes the numbers of a track's runs, where counting alone would not give them.
    fn name(&mut self, track: &Track, runs: &[&Run], numbers: &[i64]) {
        let mut last = None;
        for (run, number) in runs.iter().zip(numbers) {
            if self.next(track, Some(run.first), last) != *number {
                self.named.push((track.clone(), run.first, *number));
            }
            last = last.max(Some(*number));
        }
    }

    /// The numbers after a turn's runs changed from `before` to `after`: each run that goes on keeps its own.
    pub(in crate::store) fn rebased(&self, before: &[Run], after: &[Run]) -> Self {
        let mut out = Self::default();
        for track in &tracks(after) {
            let (old, new) = (of_track(before, track), of_track(after, track));
            let mut known: Vec<(&Run, i64)> = old.iter().copied().zip(self.of(track, &old)).collect();
            let mut keep = |is: &&Run| {
                let at = known.iter().position(|(was, _)| is.first <= was.last && was.first <= is.last)?;
                Some(known.remove(at).1)
            };
            let kept: Vec<Option<i64>> = new.iter().map(&mut keep).collect();
            out.name(track, &new, &filled(&kept));
        }
        out
    }

    /// The numbers that let the runs of a turn that folds go on with those of the groups that were `shown`.
    ///
    /// `cut`: the window may hold only the end of the turn. Calls and words tell which group is which; where they do not,
    /// groups are counted from the end that is whole.
    pub(in crate::store) fn aligned(log: &Log, turn: &TurnId, shown: &[Shown<'_>], cut: bool) -> Self {
        let runs = runs(log, turn);
        let mut out = Self::default();
        for track in &tracks(&runs) {
            let new = of_track(&runs, track);
            let own: Vec<&Run> = new.iter().copied().filter(|run| !run.orphan).collect();
            let old: Vec<&Shown<'_>> = shown.iter().filter(|shown| shown.track == *track).collect();
            let counted = if cut { (index(old.len()) - index(own.len())).max(0) } else { 0 };
            let ahead = ahead(&sealed_marks(log, turn, &own), &marks_of(shown, track)).unwrap_or(counted);
            let mut at = ahead - 1;
            let keep = |run: &&Run| {
                at += i64::from(!run.orphan);
                let known = usize::try_from(at).ok().and_then(|at| old.get(at));
                known.filter(|_| !run.orphan).map(|shown| shown.number)
            };
            let kept: Vec<Option<i64>> = new.iter().map(keep).collect();
            out.name(track, &new, &filled(&kept));
        }
        out
    }

    /// The numbers that let the `live` groups of a turn go on with those that its chunks had.
    pub(in crate::store) fn resumed(&self, log: &Log, turn: &TurnId, live: &[Shown<'_>]) -> Self {
        let runs = runs(log, turn);
        let mut starts: Vec<(Track, i64)> = Vec::new();
        for track in tracks(&runs) {
            let old = of_track(&runs, &track);
            let now = marks_of(live, &track);
            if let Some(ahead) = ahead(&sealed_marks(log, turn, &old), &now)
                && let Some(first) = self.of(&track, &old).first()
                && *first != ahead
            {
                starts.push((track, *first - ahead));
            }
        }
        Self { starts, named: Vec::new() }
    }
}

/// Gives numbers to those that have none: below all others in front of them, above all others behind.
fn filled(kept: &[Option<i64>]) -> Vec<i64> {
    let leading = kept.iter().take_while(|number| number.is_none()).count();
    let least = kept.iter().flatten().min().copied().unwrap_or(index(leading));
    let mut next = least - index(leading);
    let mut fresh = kept.iter().flatten().max().map_or(next, |most| most + 1);
    let number = |(at, number): (usize, &Option<i64>)| {
        let new = if at < leading { &mut next } else { &mut fresh };
        number.unwrap_or_else(|| {
            *new += 1;
            *new - 1
        })
    };
    kept.iter().enumerate().map(number).collect()
}

fn tracks(runs: &[Run]) -> Vec<Track> {
    let mut tracks: Vec<Track> = runs.iter().map(|run| run.track.clone()).collect();
    tracks.sort();
    tracks.dedup();
    tracks
}

fn of_track<'a>(runs: &'a [Run], track: &Track) -> Vec<&'a Run> {
    runs.iter().filter(|run| run.track == *track).collect()
}
