//! Whether messages keep the order that the APIs demand: each call directly before its one result (L13).
//!
//! One walk for all vendors. It is as strict as the strictest of them, since one order pleases all.

use std::collections::BTreeMap;

use super::Vendor;
use super::reading::{self, Beat, Kind};

/// Says what is wrong with messages for a model; empty where nothing is.
///
/// Each problem starts with the name of its rule: `a01 unmatched_tool_use` to `a08 parallel_wrong_order`, `A1`, `A2`,
/// `A5`, `O3`, `R2`, `R6`, or `shape` and `json` for what is no message at all.
///
/// Laws: L13. Shape: `messages` is one JSON array. Errors: none, they are the answer.
#[must_use]
pub fn check(messages: &str, vendor: Vendor) -> Vec<String> {
    let (beats, mut problems) = reading::read(messages, vendor);
    let mut walk = Walk::new(&beats, vendor);
    walk.run();
    problems.append(&mut walk.problems);
    problems
}

struct Walk<'a> {
    beats: &'a [Beat],
    vendor: Vendor,
    /// Where each id is called, and where it is answered: places in `beats`.
    calls: BTreeMap<&'a str, Vec<usize>>,
    results: BTreeMap<&'a str, Vec<usize>>,
    problems: Vec<String>,
}

/// Calls side by side, and the results right behind them.
struct Group<'a> {
    calls: Vec<(&'a str, usize)>,
    results: Vec<(&'a str, usize)>,
    /// The place in `beats` behind it all.
    end: usize,
}

impl<'a> Walk<'a> {
    fn new(beats: &'a [Beat], vendor: Vendor) -> Self {
        let mut walk = Self { beats, vendor, calls: BTreeMap::new(), results: BTreeMap::new(), problems: Vec::new() };
        for (place, beat) in beats.iter().enumerate() {
            match &beat.kind {
                Kind::Call(id) => walk.calls.entry(id).or_default().push(place),
                Kind::Result(id) => walk.results.entry(id).or_default().push(place),
                Kind::User | Kind::Assistant | Kind::Reasoning | Kind::System => {}
            }
        }
        walk
    }

    fn run(&mut self) {
        let mut place = 0;
        while let Some(beat) = self.beats.get(place) {
            match &beat.kind {
                Kind::Call(_) => {
                    let group = self.group(place);
                    self.on_group(&group, place);
                    place = group.end;
                    continue;
                }
                Kind::Result(id) => self.on_stray(id, beat.at, place),
                Kind::Reasoning => self.on_reasoning(place),
                Kind::User | Kind::Assistant | Kind::System => {}
            }
            place += 1;
        }
    }

    /// The calls from `start` on that belong together, and the results that follow at once.
    fn group(&self, start: usize) -> Group<'a> {
        let mut group = Group { calls: Vec::new(), results: Vec::new(), end: start };
        let mut at = None;
        while let Some(beat) = self.beats.get(group.end) {
            let same = at == Some(beat.at);
            // Responses has one item for each call; elsewhere the calls of one answer are one message.
            let joins = same || at.is_none() || self.vendor == Vendor::OpenaiResponses;
            match &beat.kind {
                Kind::Call(id) if joins => group.calls.push((id, beat.at)),
                // Words between or behind the calls of one message.
                Kind::Assistant | Kind::Reasoning if same => {}
                Kind::Call(_) | Kind::Assistant | Kind::Reasoning | Kind::User | Kind::Result(_) | Kind::System => {
                    break;
                }
            }
            at = Some(beat.at);
            group.end += 1;
        }
        while let Some(Beat { kind: Kind::Result(id), at }) = self.beats.get(group.end) {
            group.results.push((id, *at));
            group.end += 1;
        }
        group
    }

    fn on_group(&mut self, group: &Group<'a>, start: usize) {
        let called = firsts(&group.calls);
        let answered = firsts(&group.results);
        for (index, (id, at)) in group.calls.iter().enumerate() {
            if called.get(id) != Some(&index) || self.first_call(id).is_some_and(|first| first < start) {
                self.say("a05 duplicate_tool_call_id", *at, id, "is called twice");
            }
        }
        let missing: Vec<(&str, usize)> =
            group.calls.iter().copied().filter(|(id, _)| !answered.contains_key(id)).collect();
        let mut wrong = 0;
        for (index, (id, at)) in group.results.iter().enumerate() {
            if answered.get(id) != Some(&index) {
                self.say("a05 duplicate_tool_call_id", *at, id, "is answered twice");
            } else if !called.contains_key(id) && missing.is_empty() {
                self.on_stray(id, *at, group.end);
            } else if !called.contains_key(id) && !self.is_late(id, start) {
                wrong += 1;
                self.say("a06 wrong_tool_call_id", *at, id, "is answered in place of another call");
            }
        }
        for (id, at) in missing.iter().skip(wrong) {
            self.on_missing(group, id, *at);
        }
        if missing.is_empty() {
            let mut expected: Vec<(usize, &str)> = called.iter().map(|(id, index)| (*index, *id)).collect();
            expected.sort_unstable();
            let ours =
                |(index, (id, _)): &(usize, &(&str, usize))| answered.get(id) == Some(index) && called.contains_key(id);
            let found = group.results.iter().enumerate().filter(ours).map(|(_, result)| *result).collect::<Vec<_>>();
            self.on_answered(expected.into_iter().map(|(_, id)| id), &found);
        }
    }

    /// Each call has a result: they stand in the order of the calls, and for some vendors in one message (A1).
    fn on_answered<'b>(&mut self, expected: impl Iterator<Item = &'b str>, found: &[(&str, usize)]) {
        let Some((id, first)) = found.first().copied() else { return };
        if !found.iter().map(|(id, _)| *id).eq(expected) {
            let what = "and its siblings are not answered in the order of the calls";
            self.say("a08 parallel_wrong_order", first, id, what);
        }
        let is_split = found.iter().any(|(_, at)| *at != first);
        match self.vendor {
            Vendor::Anthropic | Vendor::Neutral if is_split => {
                self.say("A1 results_split", first, id, "and its siblings are answered in several messages");
            }
            Vendor::Anthropic | Vendor::OpenaiChat | Vendor::OpenaiResponses | Vendor::Neutral => {}
        }
    }

    /// A call that no result follows at once.
    fn on_missing(&mut self, group: &Group<'a>, id: &str, at: usize) {
        let answers = self.results.get(id).map(Vec::as_slice).unwrap_or_default();
        let later = answers.get(answers.partition_point(|place| *place < group.end)).copied();
        let answered_at = later.and_then(|place| self.beats.get(place)).map(|beat| beat.at);
        let later = later.is_some();
        let rule = match self.beats.get(group.end) {
            Some(Beat { kind: Kind::User, at }) if answered_at == Some(*at) => "A2 text_before_result",
            Some(Beat { kind: Kind::User | Kind::System, .. }) if later => "a03 interleaved_user_message",
            Some(_) if later => "a04 interleaved_assistant_message",
            // Its result stands before it, which is told there.
            Some(_) | None if !answers.is_empty() => return,
            Some(_) | None if group.calls.len() > group.results.len() && !group.results.is_empty() => {
                "a07 parallel_missing_result"
            }
            Some(_) | None => "a01 unmatched_tool_use",
        };
        self.say(rule, at, id, "has no result right behind it");
    }

    /// A result that no call stands directly before.
    fn on_stray(&mut self, id: &str, at: usize, place: usize) {
        let Some(first) = self.first_call(id) else {
            return self.say("a02 unmatched_tool_result", at, id, "is answered and was never called");
        };
        if first > place {
            return self.say("a08 parallel_wrong_order", at, id, "is answered before it is called");
        }
        // Where it is the call's only answer, what stands between has been told with the call.
        if self.results.get(id).is_some_and(|places| places.len() > 1) {
            self.say("a05 duplicate_tool_call_id", at, id, "is answered twice");
        }
    }

    /// R2: reasoning leads to something of the same answer.
    fn on_reasoning(&mut self, place: usize) {
        let next = self.beats.get(place + 1).map(|beat| &beat.kind);
        let leads = matches!(next, Some(Kind::Assistant | Kind::Call(_) | Kind::Reasoning));
        if self.vendor == Vendor::OpenaiResponses && !leads {
            let at = self.beats.get(place).map_or(0, |beat| beat.at);
            self.problems.push(format!("R2 reasoning_without_follower: message {at} leads to no message and no call"));
        }
    }

    fn first_call(&self, id: &str) -> Option<usize> {
        self.calls.get(id).and_then(|places| places.first().copied())
    }

    /// True for the result of an earlier call that has no other: it is late, not wrong.
    fn is_late(&self, id: &str, start: usize) -> bool {
        let called = self.first_call(id).is_some_and(|first| first < start);
        called && self.results.get(id).is_some_and(|places| places.len() == 1)
    }

    fn say(&mut self, rule: &str, at: usize, id: &str, what: &str) {
        self.problems.push(format!("{rule}: message {at}: call `{id}` {what}"));
    }
}

/// The index at which each id comes first.
fn firsts<'a>(list: &[(&'a str, usize)]) -> BTreeMap<&'a str, usize> {
    // A later insert wins, so the last comes first.
    list.iter().enumerate().rev().map(|(index, (id, _))| (*id, index)).collect()
}
