//! The laws as functions: what was shown, what came in, what is shown now, and what is true on paper.

mod content;
mod keys;
mod order;
mod rest;

pub use order::order;
pub use rest::rest;

use content::answers;
use keys::keys;

use std::collections::BTreeMap;

use turnseal::model::{Envelope, Event, Part, Role};
use turnseal::store::{Answer, Group, GroupState, Input};

use crate::paper::{Fate, Message, Server};

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
    if let Input::Event(Envelope { event: Event::LogReset { .. }, .. }) = scene.input {
        // Rows of the log go with it, until it is loaded anew.
        facts.seen.clear();
    }
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
        // What a steer parted that has no chunk is one text in the log.
        let quoted =
            !open(turn) && scene.server.messages.iter().any(|message| message.fate == Fate::Quoted(turn.to_owned()));
        // A turn that folds may begin before the window.
        let cut = !open(turn) && {
            let mut own = scene.server.log.iter().filter(|chunk| chunk.turn.as_str() == turn);
            own.any(|chunk| scene.floor().is_some_and(|floor| chunk.seq.0 < floor))
        };
        if quoted || cut {
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
