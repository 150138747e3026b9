//! A store in hand: events as text, acts, answers, and what is shown.

use turnseal::model::{Body, Envelope, Intent, Part, Role, ThreadId};
use turnseal::store::{
    Action, Answer, Command, Effect, Failure, FailureKind, GroupState, Input, Limits, RequestId, Store,
};
use turnseal::wire;

pub fn main() -> ThreadId {
    "main".into()
}

pub fn store() -> Store {
    Store::new(Limits::default())
}

/// Feeds events as text, each a JSON object without its braces.
pub fn say(store: &mut Store, events: &[&str]) -> Vec<Effect> {
    let decoded = events.iter().map(|event| wire::decode(format!("{{{event}}}").as_bytes()));
    let all: Vec<Envelope> = decoded
        .flat_map(|one| {
            assert!(one.refused.is_empty(), "{:?}", one.refused);
            one.events
        })
        .collect();
    let effects = all.into_iter().flat_map(|event| store.apply(Input::Event(event))).collect();
    assert_eq!(store.laws(), Ok(()));
    effects
}

pub fn does(store: &mut Store, thread: &str, command: Command) -> Vec<Effect> {
    let effects = store.apply(Input::Command { thread: thread.into(), command });
    assert_eq!(store.laws(), Ok(()));
    effects
}

pub fn sends(store: &mut Store, thread: &str, client: &str) -> Vec<Effect> {
    does(store, thread, Command::Send { client: client.into(), body: Body::text(client), intent: Intent::Queue })
}

pub fn codes(effects: &[Effect]) -> Vec<&str> {
    effects
        .iter()
        .filter_map(|effect| if let Effect::Report(it) = effect { Some(it.code.as_str()) } else { None })
        .collect()
}

pub fn request(effects: &[Effect], wanted: fn(&Action) -> bool) -> RequestId {
    let found = effects.iter().find_map(|effect| match effect {
        Effect::Request { request, action, .. } if wanted(action) => Some(*request),
        _ => None,
    });
    found.expect("it asks")
}

pub fn answer(store: &mut Store, request: RequestId, answer: Answer) -> Vec<Effect> {
    store.apply(Input::Answer { request, answer })
}

pub fn unsupported() -> Answer {
    Answer::Failed(Failure { kind: FailureKind::Unsupported, error: "cannot".to_owned() })
}

pub fn view(store: &Store, thread: &str) -> Vec<(Role, GroupState, String)> {
    let text = |part: &Part| if let Part::Text { text } = part { text.clone() } else { String::new() };
    let groups = store.groups(&thread.into());
    groups.iter().map(|group| (group.role, group.state, group.parts.iter().map(text).collect())).collect()
}
