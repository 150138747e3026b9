//! L6: keys.

use std::collections::BTreeMap;

use turnseal::model::{Part, Role};
use turnseal::store::Group;

use super::content::{atoms_shown, atoms_true};
use super::{Facts, Messages, Scene, View, paragraphs, turns_of};
use crate::paper::Fate;

/// L6: no two groups share a key, and what is shown keeps its key.
pub(super) fn keys(scene: &Scene<'_>, facts: &mut Facts) -> Result<(), String> {
    let mut unique: Vec<&str> = scene.after.iter().map(|group| group.key.as_str()).collect();
    unique.sort_unstable();
    if let Some(twice) = unique.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("L6: two groups have the key {}", twice[0]));
    }
    let now = names(scene);
    for (name, key) in &now {
        if let Some(known) = facts.keys.get(name)
            && known != key
        {
            return Err(format!("L6: the key of {name} was {known} and is {key}"));
        }
    }
    facts.keys = now;
    Ok(())
}

/// The keys of all that is shown, by what it is. What may be two things at once is left out.
fn names(scene: &Scene<'_>) -> BTreeMap<String, String> {
    let all = Messages::new(scene.server);
    let mut out: BTreeMap<String, (String, usize)> = BTreeMap::new();
    let mut note = |name: String, key: &str| {
        out.entry(name).and_modify(|(_, times)| *times += 1).or_insert_with(|| (key.to_owned(), 1));
    };
    for group in scene.after {
        // Without ids nothing but the order of the stream tells which row a message of a user is.
        if group.role == Role::User && scene.server.options.ids {
            // Several that became one have the key of the first.
            if let Some(name) = paragraphs(group).find_map(|paragraph| all.name(paragraph)) {
                note(format!("\"{name}\""), &group.key);
            }
        }
    }
    for turn in turns_of(scene.after) {
        let quoted = scene.server.messages.iter().any(|message| message.fate == Fate::Quoted(turn.clone()));
        if quoted || scene.server.turn(&turn).is_none() {
            continue;
        }
        let truth = atoms_true(scene.server, &turn);
        let alone = |part: &Part| matches!(part, Part::Tool(tool) if tool.arguments.is_none() && tool.result.is_some());
        let own = |group: &&Group<'_>| group.turn.as_ref().is_some_and(|known| known.as_str() == turn);
        let parted = scene.after.iter().filter(own).any(|group| group.parts.iter().any(alone));
        let once = |atom: &String| truth.values().flatten().filter(|known| *known == atom).count() == 1;
        for group in scene.after.iter().filter(|group| group.turn.as_ref().is_some_and(|known| known.as_str() == turn))
        {
            let own: View = vec![group.clone()];
            for (execution, list) in atoms_shown(&own, &turn) {
                // A result whose call is behind the window parts the lines around it.
                if execution == "system" && parted {
                    continue;
                }
                let settled = list.len() - usize::from(group.streaming && !list.is_empty());
                for atom in list[..settled].iter().filter(|atom| once(atom)) {
                    note(format!("{turn} {execution} {atom}"), &group.key);
                }
            }
        }
    }
    out.into_iter().filter(|(_, (_, times))| *times == 1).map(|(name, (key, _))| (name, key)).collect()
}
