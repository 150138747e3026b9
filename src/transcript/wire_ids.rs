//! The ids and names of calls as an API accepts them: unique in one request, of the right letters, not too long.

use std::collections::{BTreeMap, BTreeSet};

use super::Vendor;
use super::log::{Call, Item};

/// The longest id that the APIs of OpenAI take, in characters.
const ID_LEN_MAX: usize = 64;

/// The longest name of a tool that all APIs take, in characters.
const NAME_LEN_MAX: usize = 64;

/// Gives each call its id in the messages. The first call of an id keeps it, later ones get a suffix.
pub(super) fn assign(items: &mut [Item], vendor: Vendor) {
    let taken: BTreeSet<String> = calls(items).map(|call| plain_id(call.call.as_str(), vendor)).collect();
    let mut used = BTreeSet::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for call in calls(items) {
        let base = plain_id(call.call.as_str(), vendor);
        let count = counts.entry(base.clone()).or_default();
        let mut id = base.clone();
        // A suffixed id never takes the place of one that the log has.
        while used.contains(&id) || (*count > 0 && taken.contains(&id)) {
            *count = (*count + 1).max(2);
            id = suffixed(&base, *count, vendor);
        }
        *count = (*count).max(1);
        used.insert(id.clone());
        call.wire = id;
        call.name = name(&call.name, vendor);
    }
}

fn calls(items: &mut [Item]) -> impl Iterator<Item = &mut Call> {
    items.iter_mut().flat_map(|item| match item {
        Item::Step(step) => step.calls.iter_mut(),
        Item::User(_) => [].iter_mut(),
    })
}

fn plain_id(id: &str, vendor: Vendor) -> String {
    let id = if id.is_empty() { "call" } else { id };
    match vendor {
        Vendor::Anthropic => letters(id),
        Vendor::OpenaiChat | Vendor::OpenaiResponses => id.chars().take(ID_LEN_MAX).collect(),
        Vendor::Neutral => id.to_owned(),
    }
}

fn suffixed(base: &str, count: usize, vendor: Vendor) -> String {
    let suffix = format!("_{count}");
    let room = match vendor {
        Vendor::OpenaiChat | Vendor::OpenaiResponses => ID_LEN_MAX.saturating_sub(suffix.len()),
        Vendor::Anthropic | Vendor::Neutral => usize::MAX,
    };
    base.chars().take(room).chain(suffix.chars()).collect()
}

fn name(name: &str, vendor: Vendor) -> String {
    let name = if name.is_empty() { "unknown_tool" } else { name };
    match vendor {
        Vendor::Anthropic | Vendor::OpenaiChat | Vendor::OpenaiResponses => {
            letters(name).chars().take(NAME_LEN_MAX).collect()
        }
        Vendor::Neutral => name.to_owned(),
    }
}

/// Letters, digits, `_` and `-`; each other character becomes `_`.
fn letters(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}
