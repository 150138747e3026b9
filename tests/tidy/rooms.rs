//! Who may see whom.

use std::collections::BTreeMap;

use crate::source::{self, Source, paths};

/// The order of the rooms, low to high. A new arrow is a decision: its reason stands here, above its line.
const ROOMS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("wire", &["model"]),
    ("store", &["model"]),
    ("engine", &["model"]),
    ("transcript", &["model"]),
    ("drive", &["model", "engine", "transcript"]),
    ("browser", &["model", "wire", "store"]),
    ("wasm", &["model", "wire", "store", "engine", "transcript", "browser"]),
];

/// In the store these are blind to each other; `reconcile`, `loader` and `view` read them.
const BLIND: &[&str] = &["log", "live", "queue", "outbox"];

/// What a room never names. L14 and the boundary to the host hang on it.
const NEVER: &[(&[&str], &[&str])] = &[
    (&["model"], &["serde", "serde_json"]),
    (
        &["model", "wire", "store", "engine", "transcript", "drive", "browser"],
        &["static mut", "thread_local!", "todo!"],
    ),
    (&["model", "wire", "store", "engine", "transcript"], HOST),
    (
        &["model", "wire", "store", "engine", "transcript"],
        &["tokio", "tokio_util", "async", "std::time", "std::thread"],
    ),
    // The driver has tasks and timers; everything else of the host comes in through its traits.
    (&["drive"], HOST),
];

/// The host: crates that reach it, and the parts of std that do.
const HOST: &[&str] = &[
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "js_sys",
    "web_sys",
    "gloo",
    "gloo_events",
    "gloo_net",
    "gloo_render",
    "gloo_storage",
    "gloo_timers",
    "gloo_utils",
    "std::fs",
    "std::net",
    "std::env",
    "println!",
    "eprintln!",
    "dbg!",
];

/// Names that the store lends out of one of its blind rooms, each with that room.
pub type Reexports = BTreeMap<String, String>;

pub fn reexports(sources: &[Source]) -> Reexports {
    let door = sources.iter().find(|source| source.path == "src/store/mod.rs");
    let lent = door.map(|source| paths(&source.code)).unwrap_or_default();
    let room = |path: &[String]| path.iter().find(|word| *word != "self").cloned().unwrap_or_default();
    lent.into_iter()
        .filter(|(_, path)| BLIND.contains(&room(path).as_str()))
        .map(|(_, path)| (path.last().cloned().unwrap_or_default(), room(&path)))
        .collect()
}

/// What a file of `src` may not see or name, each with its line.
pub fn arrows(path: &str, code: &str, reexports: &Reexports) -> Vec<String> {
    let Some(module) = module(path) else { return Vec::new() };
    let Some(room) = module.first().cloned() else { return Vec::new() };
    let Some((_, seen)) = ROOMS.iter().find(|(name, _)| *name == room) else {
        return vec![format!("1: {room} is no room; ROOMS in tests/tidy/rooms.rs has them")];
    };
    let mut found = spelling(code);
    for (line, path) in paths(code) {
        let Some(target) = resolve(&module, &path) else { continue };
        let Some(first) = target.first() else { continue };
        if !ROOMS.iter().any(|(name, _)| name == first) {
            found.push(format!("{line}: crate::{first} is no room"));
        } else if *first != room && !seen.contains(&first.as_str()) {
            found.push(format!("{line}: {room} may not import {first}"));
        }
        found.extend(blindness(&module, &target, reexports).map(|complaint| format!("{line}: {complaint}")));
    }
    found.extend(never(&room, code));
    found.extend(second_uses(&room, code));
    found
}

/// The module that a file is; `None` for files that are in no room.
fn module(path: &str) -> Option<Vec<String>> {
    let inner = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    if inner == "lib" {
        return None;
    }
    let inner = inner.strip_suffix("/mod").unwrap_or(inner);
    Some(inner.split('/').map(str::to_owned).collect())
}

/// Where a path of a module leads, from the root of the crate; `None` where it leads out of it.
fn resolve(module: &[String], path: &[String]) -> Option<Vec<String>> {
    let (start, rest) = path.split_first()?;
    let base = match start.as_str() {
        "crate" => &[],
        "self" => module,
        "super" => module.split_last()?.1,
        _ => return None,
    };
    Some(base.iter().chain(rest).cloned().collect())
}

/// Ways to write a path in which a reader, and this test, would not see where it leads.
fn spelling(code: &str) -> Vec<String> {
    let banned =
        [("crate::{", "one `use` per room, not crate::{..}"), ("super::super", "crate::.. instead of super::super")];
    let find = |(text, instead)| {
        code.match_indices(text).map(move |(at, _)| format!("{}: {instead}", source::line_of(code, at)))
    };
    banned.into_iter().flat_map(find).collect()
}

fn blindness(module: &[String], target: &[String], reexports: &Reexports) -> Option<String> {
    let ([store, own, ..], [target_store, rest @ ..]) = (module, target) else { return None };
    if store != "store" || target_store != "store" || !BLIND.contains(&own.as_str()) {
        return None;
    }
    let next = rest.first().map_or("*", String::as_str);
    if next == "*" {
        return Some(format!("{own} names what it takes from the store, not *"));
    }
    let other = reexports.get(next).map_or(next, String::as_str);
    (other != own && BLIND.contains(&other)).then(|| format!("in the store {own} may not import {other}"))
}

fn never(room: &str, code: &str) -> Vec<String> {
    let words = NEVER.iter().filter(|(rooms, _)| rooms.contains(&room)).flat_map(|(_, words)| *words);
    words.flat_map(|word| whole(code, word).map(move |line| format!("{line}: {room} never names {word}"))).collect()
}

/// The lines where a word stands as a word of its own.
pub fn whole<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |char: char| char.is_alphanumeric() || char == '_';
    code.match_indices(word).filter_map(move |(at, _)| {
        let inside = code[..at].ends_with(part) || code[at + word.len()..].starts_with(part);
        (!inside).then(|| source::line_of(code, at))
    })
}

fn second_uses(room: &str, code: &str) -> Vec<String> {
    let mut seen = Vec::new();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use crate::") {
        let rest = &code[at + "use crate::".len()..];
        let name = rest.split(|char: char| !char.is_alphanumeric() && char != '_').next().unwrap_or_default();
        if name != room && seen.contains(&name) {
            found.push(format!("{}: a second use of {name}", source::line_of(code, at)));
        }
        seen.push(name);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, code: &str) -> Vec<String> {
        arrows(path, code, &Reexports::from([("Queue".into(), "queue".into())]))
    }

    #[test]
    fn an_arrow_that_is_not_in_the_table_is_refused() {
        assert_eq!(of("src/engine/turn.rs", "use crate::store::view;"), ["1: engine may not import store"]);
        assert_eq!(of("src/wire/mod.rs", "\nfn f() { super::store::x() }"), ["2: wire may not import store"]);
        assert_eq!(of("src/model/part.rs", "use crate::wire::A;"), ["1: model may not import wire"]);
        assert_eq!(of("src/store/view.rs", "use crate::model::{A, b::C};"), [""; 0]);
        assert_eq!(of("src/wasm/mod.rs", "use crate::engine::A; use super::store::B;"), [""; 0]);
    }

    #[test]
    fn a_name_that_is_no_room_is_refused() {
        assert_eq!(of("src/store/view.rs", "use crate::helpers::A;"), ["1: crate::helpers is no room"]);
        assert_eq!(of("src/helpers.rs", ""), ["1: helpers is no room; ROOMS in tests/tidy/rooms.rs has them"]);
        assert_eq!(of("src/store/view.rs", "crate::never!(true);"), [""; 0]);
        assert_eq!(of("src/lib.rs", "pub mod anything;"), [""; 0]);
    }

    #[test]
    fn blind_rooms_of_the_store_do_not_see_each_other() {
        let refused = ["1: in the store log may not import queue"];
        assert_eq!(of("src/store/log.rs", "use super::queue::A;"), refused);
        assert_eq!(of("src/store/log.rs", "use super::Queue;"), refused);
        assert_eq!(of("src/store/log/page.rs", "use crate::store::queue::A;"), refused);
        assert_eq!(of("src/store/log.rs", "use super::*;"), ["1: log names what it takes from the store, not *"]);
        assert_eq!(of("src/store/log.rs", "use super::row::Row;"), [""; 0]);
        assert_eq!(of("src/store/reconcile.rs", "use super::queue::A; use super::log::B;"), [""; 0]);
    }

    #[test]
    fn the_door_of_the_store_tells_whose_a_name_is() {
        let door =
            Source::new("src/store/mod.rs".into(), "mod log;\npub use log::{Log, Page as P};\nuse view::View;".into());
        let expected = [("Log", "log"), ("Page", "log")].map(|(name, room)| (name.to_owned(), room.to_owned()));
        assert_eq!(reexports(&[door]), Reexports::from(expected));
    }

    #[test]
    fn a_room_never_names_its_host() {
        assert_eq!(of("src/model/a.rs", "use serde::Serialize;"), ["1: model never names serde"]);
        assert_eq!(of("src/store/a.rs", "\nuse gloo_timers::X;"), ["2: store never names gloo_timers"]);
        assert_eq!(of("src/engine/a.rs", "std::time::Instant::now()"), ["1: engine never names std::time"]);
        assert_eq!(of("src/engine/a.rs", "async fn f() {}"), ["1: engine never names async"]);
        assert_eq!(of("src/drive/a.rs", "async fn f(at: std::time::Duration) {}"), [""; 0]);
        assert_eq!(of("src/drive/a.rs", "std::fs::read(x)"), ["1: drive never names std::fs"]);
        assert_eq!(of("src/wire/a.rs", "use serde::Serialize;"), [""; 0]);
        assert_eq!(of("src/browser/a.rs", "use gloo_timers::X;"), [""; 0]);
    }

    #[test]
    fn a_path_is_written_so_that_it_can_be_followed() {
        assert_eq!(of("src/store/a.rs", "use crate::{model::A};"), ["1: one `use` per room, not crate::{..}"]);
        let refused = of("src/store/a/b.rs", "use super::super::c::D;");
        assert_eq!(refused, ["1: crate::.. instead of super::super"]);
        let twice = of("src/store/a.rs", "use crate::model::A;\nuse crate::model::B;");
        assert_eq!(twice, ["2: a second use of model"]);
    }
}
