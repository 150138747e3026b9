//! The laws as functions: what was shown, what came in, what is shown now, and what is true on paper.

mod order;
mod rest;

pub use order::order;
pub use rest::rest;

use std::collections::BTreeMap;

use turnseal::model::{Event, Part, Role};
use turnseal::store::{Answer, Group, GroupState, Input};

use crate::paper::{Fate, Message, Row, Server};

/// What a client shows.
pub type View = Vec<Group<'static>>;

/// What a test knows of a client beside its view.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Client ids of what was typed here.
    pub typed: Vec<String>,
    /// Client ids of what was dismissed here.
    pub dismissed: Vec<String>,
    /// Message ids of what was taken back here and not put back by the server.
    pub taken_back: Vec<String>,
    /// The store has said that two readings of a row are left.
    pub ambiguous: bool,
    /// Since the start, or since the log was rewritten: texts of users that were shown, and how often at most.
    pub seen: BTreeMap<String, usize>,
    /// The keys of all that is shown, by what it is.
    pub keys: BTreeMap<String, String>,
}

/// One input to one client.
pub struct Scene<'a> {
    pub before: &'a View,
    pub after: &'a View,
    pub input: &'a Input,
    pub server: &'a Server,
    /// So many chunks a window, or a page, holds at most.
    pub window: usize,
    /// Events wait for one that was lost: an input may let them in.
    pub waiting: bool,
}

impl Scene<'_> {
    /// What is older than this seq need not be shown.
    fn floor(&self) -> Option<u64> {
        let log = &self.server.log;
        let page = log.len().checked_sub(self.window).and_then(|at| log.get(at)).map(|chunk| chunk.seq.0);
        floor(self.after).max(page)
    }
}

/// Checks L1 to L3, L6 and L7 on one input. L4 is checked by giving it again, L5 by the store's own books, L8 at rest.
pub fn check(scene: &Scene<'_>, facts: &mut Facts) -> Result<(), String> {
    messages(scene, facts)?;
    answers(scene)?;
    others(scene)?;
    keys(scene, facts)?;
    order(scene.after, scene.server, scene.floor())
}

/// The smallest seq that is shown.
pub fn floor(view: &View) -> Option<u64> {
    view.iter().filter_map(|group| group.seq).map(|seq| seq.0).min()
}

/// The paragraphs of a user's group: one for each message in it, and what a server may have added.
pub fn paragraphs<'a>(group: &'a Group<'_>) -> impl Iterator<Item = &'a str> {
    let texts = group.parts.iter().filter_map(|part| if let Part::Text { text } = part { Some(text) } else { None });
    texts.flat_map(|text| text.split("\n\n"))
}

fn says(message: &Message, text: &str) -> bool {
    message.text == text || message.versions.iter().any(|known| known == text)
}

/// The messages that a server knows, and those that were typed and are not there yet, each by the text that names it.
struct Messages<'a> {
    server: &'a Server,
    waiting: Vec<(&'a str, &'a str)>,
}

impl<'a> Messages<'a> {
    fn new(server: &'a Server) -> Self {
        let arrived = |client: &str| server.messages.iter().any(|message| message.client.as_deref() == Some(client));
        let waiting = server
            .typed
            .iter()
            .filter(|(client, _)| !arrived(client))
            .map(|(client, (text, _))| (client.as_str(), text.as_str()));
        Self { server, waiting: waiting.collect() }
    }

    /// The name of the text that a paragraph says: that of the first message that says it.
    fn name(&self, paragraph: &str) -> Option<&'a str> {
        let known = self.server.messages.iter().find(|message| says(message, paragraph));
        known
            .map(|message| message.text.as_str())
            .or_else(|| self.waiting.iter().find(|(_, text)| *text == paragraph).map(|(_, text)| *text))
    }
}

/// L1, L2: each message that was typed or shown here is shown, once, unless the truth says that it is gone.
fn messages(scene: &Scene<'_>, facts: &mut Facts) -> Result<(), String> {
    let all = Messages::new(scene.server);
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    for group in scene.after.iter().filter(|group| group.role == Role::User) {
        for name in paragraphs(group).filter_map(|paragraph| all.name(paragraph)) {
            *shown.entry(name).or_default() += 1;
        }
    }
    let floor = scene.floor();
    let mut names: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for message in &all.server.messages {
        let (most, kept, own) = names.entry(message.text.as_str()).or_default();
        *most += 1;
        let client = message.client.as_deref();
        let mine = client.is_some_and(|client| facts.typed.iter().any(|typed| typed == client));
        if !excused(message, scene, floor, facts) {
            *kept += 1;
            *own += usize::from(mine);
        }
    }
    for (client, text) in &all.waiting {
        let (most, kept, own) = names.entry(text).or_default();
        *most += 1;
        let mine =
            facts.typed.iter().any(|typed| typed == client) && !facts.dismissed.iter().any(|gone| gone == client);
        *kept += usize::from(mine);
        *own += usize::from(mine);
    }
    for (name, (most, kept, own)) in names {
        let now = shown.get(name).copied().unwrap_or(0);
        let seen = facts.seen.entry(name.to_owned()).or_default();
        *seen = (*seen).max(now);
        let must = own.max((*seen).min(kept));
        if now < must {
            return Err(format!("L1: \"{name}\" is shown {now} times, not {must}"));
        }
        // Without ids nothing tells which message a chunk is, until its events have come: L8 looks at the end.
        if now > most && scene.server.options.ids {
            return Err(format!("L2: \"{name}\" is shown {now} times, there are {most}"));
        }
    }
    Ok(())
}

/// True where a message need not be shown: it was taken back, cut off, quoted in a sealed result, or is older than the window.
fn excused(message: &Message, scene: &Scene<'_>, floor: Option<u64>, facts: &Facts) -> bool {
    let gone = match &message.fate {
        Fate::Cancelled | Fate::Cut => true,
        // A snapshot lists no row for it; where there are none, its turn shows it until the fold.
        Fate::Quoted(turn) => scene.server.options.numbers || scene.server.turn(turn).is_none_or(|turn| turn.sealed),
        Fate::Queued | Fate::Consumed | Fate::Turn(_) => false,
    };
    let older = matches!((message.seq, floor), (Some(seq), Some(floor)) if seq < floor);
    let client = message.client.as_ref();
    gone || older
        || facts.taken_back.contains(&message.id)
        || client.is_some_and(|client| facts.dismissed.contains(client))
}

/// What an answer consists of, in order: words, calls, lines of the system. By execution; `system` for the last.
fn atoms_shown(view: &View, turn: &str) -> BTreeMap<String, Vec<String>> {
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

fn atoms_true(server: &Server, turn: &str) -> BTreeMap<String, Vec<String>> {
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

/// The turns that are shown, each once.
pub fn turns_of(view: &View) -> Vec<String> {
    let mut turns: Vec<String> = Vec::new();
    for turn in view.iter().filter_map(|group| group.turn.as_ref()) {
        if !turns.iter().any(|known| known == turn.as_str()) {
            turns.push(turn.to_string());
        }
    }
    turns
}

/// L1, L2: what a turn shows is a part of what is true, in its order and never twice, and it never shrinks.
fn answers(scene: &Scene<'_>) -> Result<(), String> {
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
fn is_within(words: &[String], truth: &[String]) -> bool {
    let mut rest = truth.iter();
    let last = words.len().saturating_sub(1);
    let mut words = words.iter().enumerate();
    words.all(|(at, word)| rest.any(|known| known == word || at == last && known.starts_with(word.as_str())))
}

/// L3: what is about one turn changes no row of another.
fn others(scene: &Scene<'_>) -> Result<(), String> {
    if scene.waiting {
        return Ok(());
    }
    let touched: Vec<&str> = match scene.input {
        Input::Event(envelope) => match &envelope.event {
            Event::TurnSealed { turn, chunks, .. } => {
                let inline = chunks.iter().flatten().map(|chunk| chunk.turn.as_str());
                inline.chain([turn.as_str()]).collect()
            }
            Event::ChunksLoaded(page) => page.chunks.iter().map(|chunk| chunk.turn.as_str()).collect(),
            Event::TurnEnd { turn, .. } => vec![turn.as_str()],
            Event::Delta { turn: Some(turn), .. }
            | Event::ToolCall { turn: Some(turn), .. }
            | Event::ToolResult { turn: Some(turn), .. }
            | Event::ToolOutput { turn: Some(turn), .. }
            | Event::Notice { turn: Some(turn), .. } => vec![turn.as_str()],
            Event::MessageQueued { .. } | Event::MessageCancelled { .. } | Event::MessageEdited { .. } => vec![],
            _ => return Ok(()),
        },
        Input::Answer { answer: Answer::Page(page), .. } => {
            page.chunks.iter().map(|chunk| chunk.turn.as_str()).collect()
        }
        Input::Answer { answer: Answer::Sent(_), .. } => vec![],
        _ => return Ok(()),
    };
    let open = |turn: &str| scene.server.turn(turn).is_some_and(|turn| !turn.sealed);
    let paged = matches!(scene.input, Input::Answer { answer: Answer::Page(_), .. });
    for group in scene.before.iter().filter(|group| group.state == GroupState::Live) {
        let Some(turn) = group.turn.as_ref().map(|turn| turn.as_str()) else { continue };
        let mine = touched.contains(&turn) || is_older(scene, turn);
        if mine && !(paged && open(turn) && group.role != Role::User) {
            continue;
        }
        let now = scene.after.iter().find(|known| known.key == group.key);
        // What a seal brought along may have waited for this page.
        let folded = |now: &Group<'_>| now.state == GroupState::Sealed && !open(turn);
        let quoted = group.role == Role::User
            && !open(turn)
            && scene.server.messages.iter().any(|message| message.fate == Fate::Quoted(turn.to_owned()));
        if quoted {
            continue;
        }
        let same = now.is_some_and(|now| {
            folded(now)
                || now.parts == group.parts && (now.state == group.state || now.state == GroupState::Unconfirmed)
        });
        // An event of an older turn may still end this one where its own end was lost.
        if !same {
            return Err(format!("L3: {turn} was not meant and changed: {group:?} is now {now:?}"));
        }
    }
    Ok(())
}

/// True where a turn is sealed and all of it is older than the window.
fn is_older(scene: &Scene<'_>, turn: &str) -> bool {
    let sealed = scene.server.turn(turn).is_none_or(|turn| turn.sealed);
    let last = scene.server.log.iter().filter(|chunk| chunk.turn.as_str() == turn).map(|chunk| chunk.seq.0).max();
    sealed && matches!((last, scene.floor()), (Some(last), Some(floor)) if last < floor)
}

/// L6: no two groups share a key, and what is shown keeps its key.
fn keys(scene: &Scene<'_>, facts: &mut Facts) -> Result<(), String> {
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
        if group.role == Role::User {
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
        let once = |atom: &String| truth.values().flatten().filter(|known| *known == atom).count() == 1;
        for group in scene.after.iter().filter(|group| group.turn.as_ref().is_some_and(|known| known.as_str() == turn))
        {
            let own: View = vec![group.clone()];
            for (execution, list) in atoms_shown(&own, &turn) {
                let settled = list.len() - usize::from(group.streaming && !list.is_empty());
                for atom in list[..settled].iter().filter(|atom| once(atom)) {
                    note(format!("{turn} {execution} {atom}"), &group.key);
                }
            }
        }
    }
    out.into_iter().filter(|(_, (_, times))| *times == 1).map(|(name, (key, _))| (name, key)).collect()
}
