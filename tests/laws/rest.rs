//! L8: what every client shows once all is delivered.

use turnseal::model::{Part, Role, ToolState};
use turnseal::store::GroupState;

use super::{Facts, View, floor};
use crate::paper::{Fate, Server, Sight, project};

/// The projection of the log, the turns that are not sealed, the queue, and what could not be sent, compared with a view.
pub fn rest(view: &View, server: &Server, facts: &Facts, window: usize) -> Result<(), String> {
    let open = server.turns.iter().any(|turn| !turn.sealed);
    let between = server.messages.iter().any(|message| message.fate == Fate::Consumed);
    // Not at rest: a message between queue and turn, a steer that no result quotes yet, a start that named nobody.
    if between || open && (server.options.quotes || !server.options.ids) {
        return Ok(());
    }
    let floor = if server.log.len() <= window { 0 } else { floor(view).unwrap_or(0) };
    let log: Vec<_> = server.log.iter().filter(|chunk| chunk.seq.0 >= floor).cloned().collect();
    let projected = project(&log);
    let mut want: Vec<String> = Vec::new();
    // Of turns whose rows interleave, the one whose first row is in the window first stands first.
    if !open {
        want.extend(projected.iter().map(|sight| line(sight, server)));
    }
    for turn in server.turns.iter().filter(|_| open) {
        if turn.sealed {
            let own = projected.iter().filter(|sight| sight.turn.as_deref() == Some(turn.id.as_str()));
            want.extend(own.map(|sight| line(sight, server)));
        } else {
            want.extend(server.shown(turn).iter().map(|sight| line(sight, server)));
        }
    }
    want.extend(server.queue.iter().map(|id| format!("User queued {:?}", [server.text_of(id)])));
    for client in &facts.typed {
        let arrived = server.messages.iter().any(|message| message.client.as_deref() == Some(client));
        if let Some((text, _)) = server.typed.get(client)
            && !arrived
            && !facts.dismissed.contains(client)
        {
            want.push(format!("User failed {:?}", [text]));
        }
    }
    let have: Vec<String> = view
        .iter()
        .filter(|group| !is_note(group, server) && !is_moot(group, server, floor) && !is_older(group, server, floor))
        .map(|group| drawn(group, server))
        .collect();
    unlike(&want, &have).map_or(Ok(()), |why| Err(format!("L8: {why}")))
}

/// Lines of the system outside of all turns are not in the log.
fn is_note(group: &turnseal::store::Group<'_>, server: &Server) -> bool {
    group.role == Role::System
        && group.state == GroupState::Live
        && group.turn.as_ref().is_none_or(|turn| server.turn(turn.as_str()).is_none())
}

/// A turn whose answer is older than the window, and that was sealed without a seq: the pages that came cannot tell that
/// it is durable, so its rows are kept, marked.
fn is_older(group: &turnseal::store::Group<'_>, server: &Server, floor: u64) -> bool {
    let turn = group.turn.as_ref().map(|turn| turn.as_str());
    let mut own = server.log.iter().filter(|chunk| Some(chunk.turn.as_str()) == turn);
    group.state == GroupState::Unconfirmed
        && own.clone().next().is_some()
        && own.all(|chunk| chunk.role == Role::User || chunk.seq.0 < floor)
}

/// A send that failed here and arrived, and was taken back or written where this client could not see it: only a retry
/// would tell.
fn is_moot(group: &turnseal::store::Group<'_>, server: &Server, floor: u64) -> bool {
    let client = group.client.as_ref().map(|client| client.as_str());
    let known = server.messages.iter().find(|message| message.client.as_deref() == client && client.is_some());
    group.state == GroupState::Failed
        && known.is_some_and(|message| {
            matches!(message.fate, Fate::Cancelled | Fate::Cut | Fate::Quoted(_))
                || message.seq.is_some_and(|seq| seq < floor)
        })
}

/// The first line in which two lists differ.
pub fn unlike(want: &[String], have: &[String]) -> Option<String> {
    let at = (0..want.len().max(have.len())).find(|&at| want.get(at) != have.get(at))?;
    let nothing = "nothing".to_owned();
    let (want, have) = (want.get(at).unwrap_or(&nothing), have.get(at).unwrap_or(&nothing));
    Some(format!("line {at}\n  should be {want}\n  and is    {have}"))
}

fn line(sight: &Sight, server: &Server) -> String {
    let turn = sight.turn.as_deref().unwrap_or_default();
    let execution = sight.execution.as_deref().unwrap_or_default();
    format!("{:?} - {turn} {execution} {}", sight.role, parts(&sight.parts, turn, server))
}

fn drawn(group: &turnseal::store::Group<'_>, server: &Server) -> String {
    match group.state {
        GroupState::Sealed | GroupState::Live => {
            let turn = group.turn.as_ref().map(ToString::to_string).unwrap_or_default();
            let execution = group.execution.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{:?} - {turn} {execution} {}", group.role, parts(&group.parts, &turn, server))
        }
        state => {
            let texts = group.parts.iter().filter_map(|part| match part {
                Part::Text { text } => Some(text.as_str()),
                _ => None,
            });
            format!("{:?} {} {:?}", group.role, state.as_str(), texts.collect::<Vec<_>>())
        }
    }
}

/// The parts of a sealed turn, whole. Of an open one: what there is, not how far it is.
fn parts(parts: &[Part], turn: &str, server: &Server) -> String {
    let open = server.turn(turn).is_some_and(|turn| !turn.sealed);
    let mut parts = parts.to_vec();
    for part in &mut parts {
        match part {
            Part::Tool(tool) => {
                if open {
                    tool.state = ToolState::Running;
                    tool.approval = None;
                    tool.output = None;
                }
                if !server.options.steps {
                    tool.step = 0;
                }
            }
            Part::Reasoning { sealed, metadata, .. } if open => (*sealed, *metadata) = (false, None),
            _ => {}
        }
    }
    // A text of a user that is not sealed yet may be shown as it was typed.
    format!("{parts:?}").replace("(as the model reads it)\\n\\n", "")
}
