//! L1, L2: what a turn shows.

use std::collections::BTreeMap;

use turnseal::model::{Part, Role};

use super::{Scene, View, turns_of};
use crate::paper::{Row, Server};

/// What an answer consists of, in order: words, calls, lines of the system. By execution; `system` for the last.
pub(super) fn atoms_shown(view: &View, turn: &str) -> BTreeMap<String, Vec<String>> {
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for group in view.iter().filter(|group| group.turn.as_ref().is_some_and(|known| known.as_str() == turn)) {
        let list = match group.role {
            Role::User => continue,
            Role::System => out.entry("system".to_owned()).or_default(),
            Role::Assistant | Role::Tool => {
                out.entry(group.execution.as_ref().map(ToString::to_string).unwrap_or_default()).or_default()
            }
        };
        for part in group.parts.iter() {
            match part {
                Part::Text { text } | Part::Reasoning { text, .. } => {
                    list.extend(text.split_whitespace().map(str::to_owned));
                }
                // A result whose call is not loaded stands where the result does.
                Part::Tool(tool) if tool.arguments.is_none() && tool.result.is_some() => {}
                Part::Tool(tool) => list.push(format!("call {}", tool.call)),
                Part::Notice { text, .. } | Part::Error { text, .. } => list.push(format!("line {text}")),
                Part::Opaque(part) => list.push(format!("part {:?}", part.id)),
            }
        }
    }
    out
}

pub(super) fn atoms_true(server: &Server, turn: &str) -> BTreeMap<String, Vec<String>> {
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let Some(turn) = server.turn(turn) else { return out };
    for (execution, row) in &turn.rows {
        let list = out.entry(match row {
            Row::Notice(_) => "system".to_owned(),
            _ => execution.clone().unwrap_or_default(),
        });
        let list = list.or_default();
        match row {
            Row::User { .. } | Row::Result { .. } => {}
            Row::Text(text) | Row::Think { text, .. } => list.extend(text.split_whitespace().map(str::to_owned)),
            Row::Call { call, .. } => list.push(format!("call {call}")),
            Row::Notice(text) | Row::Error(text) => list.push(format!("line {text}")),
            Row::Part(part) => list.push(format!("part {:?}", part.id)),
        }
    }
    out
}

/// L1, L2: what a turn shows is a part of what is true, in its order and never twice, and it never shrinks.
pub(super) fn answers(scene: &Scene<'_>) -> Result<(), String> {
    for turn in turns_of(scene.after) {
        let truth = atoms_true(scene.server, &turn);
        if scene.server.turn(&turn).is_none() {
            continue;
        }
        for (execution, list) in atoms_shown(scene.after, &turn) {
            let known = truth.get(&execution).map(Vec::as_slice).unwrap_or_default();
            if !is_within(&list, known) {
                return Err(format!("L2: {turn} shows {list:?}; true is {known:?}"));
            }
        }
    }
    let floor = scene.floor();
    for turn in turns_of(scene.before) {
        let Some(known) = scene.server.turn(&turn) else { continue };
        let chunks = scene.server.log.iter().filter(|chunk| chunk.turn.as_str() == known.id);
        let cut = chunks.map(|chunk| chunk.seq.0).min().zip(floor).is_some_and(|(first, floor)| first < floor);
        let size = |view| atoms_shown(view, &turn).values().map(Vec::len).sum::<usize>();
        let (before, after) = (size(scene.before), size(scene.after));
        if after < before && !cut {
            return Err(format!("L1: {turn} showed {before} words, calls and lines, now {after}"));
        }
    }
    Ok(())
}

/// True where all words stand in the truth in this order; the last one may be the beginning of a word.
pub(super) fn is_within(words: &[String], truth: &[String]) -> bool {
    let mut rest = truth.iter();
    let last = words.len().saturating_sub(1);
    let mut words = words.iter().enumerate();
    words.all(|(at, word)| rest.any(|known| known == word || at == last && known.starts_with(word.as_str())))
}
