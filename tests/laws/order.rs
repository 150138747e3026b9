//! L7: the order in which things stand.

use turnseal::model::Role;
use turnseal::store::GroupState;

use super::{View, turns_of};
use crate::paper::Server;

/// Turns in start order, then what starts, what is queued, what is being sent. A turn stands in one piece, its user on top.
pub fn order(view: &View, server: &Server, floor: Option<u64>) -> Result<(), String> {
    zones(view)?;
    let mut open: Option<&str> = None;
    let mut closed: Vec<&str> = Vec::new();
    for group in view.iter().filter(|group| rank(group.state) == 0) {
        let Some(turn) = group.turn.as_ref().map(|turn| turn.as_str()) else { continue };
        if open != Some(turn) {
            if closed.contains(&turn) {
                return Err(format!("L7: {turn} stands in two pieces"));
            }
            closed.extend(open.replace(turn));
        }
    }
    initiators(view, server)?;
    // What waits for its turn to begin stands as the answers came.
    let begun: View = view.iter().filter(|group| rank(group.state) < 2).cloned().collect();
    let turns = turns_of(&begun);
    // Where the window holds only the end of a turn, that end decides (SPEC L7: by seq where they have chunks).
    let cut = |turn: &str| {
        let first = server.log.iter().find(|chunk| chunk.turn.as_str() == turn).map(|chunk| chunk.seq.0);
        matches!((first, floor), (Some(first), Some(floor)) if first < floor)
    };
    let place = |turn: &str| server.turns.iter().position(|known| known.id == turn && !cut(turn));
    let known: Vec<(usize, &String)> = turns.iter().filter_map(|turn| Some((place(turn)?, turn))).collect();
    match known.windows(2).find(|pair| pair[0].0 > pair[1].0) {
        Some(pair) => Err(format!("L7: {} stands above {}, which began earlier", pair[0].1, pair[1].1)),
        None => Ok(()),
    }
}

fn rank(state: GroupState) -> u8 {
    match state {
        GroupState::Sealed | GroupState::Live => 0,
        // A departed message is unconfirmed too and stands between.
        GroupState::Unconfirmed => 1,
        GroupState::Starting => 2,
        GroupState::Queued => 3,
        GroupState::Sending | GroupState::Failed => 4,
    }
}

fn zones(view: &View) -> Result<(), String> {
    let waits = |state: GroupState| rank(state) > 1;
    for (at, group) in view.iter().enumerate() {
        let above = view[..at].iter().find(|above| {
            waits(above.state) && rank(above.state) > rank(group.state) && (waits(group.state) || group.turn.is_some())
        });
        if let Some(above) = above {
            return Err(format!(
                "L7: {} ({:?}) stands above {} ({:?})",
                above.key, above.state, group.key, group.state
            ));
        }
    }
    Ok(())
}

/// The message that began a turn stands above its answer.
fn initiators(view: &View, server: &Server) -> Result<(), String> {
    for turn in turns_of(view) {
        let mine =
            |group: &&turnseal::store::Group<'_>| group.turn.as_ref().is_some_and(|known| known.as_str() == turn);
        let Some(first) = view.iter().filter(|group| rank(group.state) < 2).find(mine) else { continue };
        if first.role == Role::User {
            continue;
        }
        let Some(begin) = server.turn(&turn).and_then(|turn| turn.rows.first()) else { continue };
        if let (_, crate::paper::Row::User { text, .. }) = begin {
            let mut below = view.iter().filter(mine).filter(|group| group.role == Role::User);
            if below
                .any(|group| super::paragraphs(group).any(|paragraph| text.split("\n\n").any(|own| own == paragraph)))
            {
                return Err(format!("L7: {turn} stands above the message that began it"));
            }
        }
    }
    Ok(())
}
