//! When two states are the same: a text of all that a later step can see, with the counters of a store by their order.
//!
//! A store counts its inputs and keeps some of these counts, only to ask which of two came first. Two stores that differ in
//! the counts and not in their order go on alike (L14), so each count is drawn as its rank. Everything else is drawn as it
//! is: where this text is finer than it has to be, more states are visited, never fewer.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher as _};

use crate::play::{Client, World};

/// Fields that hold a count of inputs, or lists that begin their pairs with one.
const COUNTS: &[&str] = &["stamp", "start", "since", "asked", "at", "snapshot_at", "renewed_at", "edited"];
const PAIRS: &[&str] = &["begun", "floating", "bare"];
/// What only a second thread could ask for.
const MOOT: &[&str] = &["used", "uses"];

/// A number for each state; equal for states that go on alike. `stores`: the numbers of the clients' stores.
pub fn of(world: &World, stores: &[u64], rest: &str) -> u64 {
    let mut hash = DefaultHasher::new();
    hash.write(rest.as_bytes());
    let mut text = String::with_capacity(16_384);
    _ = write!(text, "{:?} {stores:?}", world.server.state());
    for client in &world.clients {
        let Client { thread, facts, socket, slow, lose, linked, handed, timers, kept, .. } = client;
        _ = write!(text, "{thread:?} {facts:?} {socket:?} {slow} {lose} {linked} {handed} {kept:?}");
        for ask in &client.asks {
            _ = write!(text, "{:?} {:?}", ask.action, ask.answer);
        }
        timers.iter().for_each(|(_, why)| _ = write!(text, "{why:?}"));
    }
    hash.write(text.as_bytes());
    hash.finish()
}

/// A number for what a client's store holds, with the names of what it has asked in the order in which they wait.
pub fn of_store(client: &Client) -> u64 {
    let mut text = String::with_capacity(16_384);
    _ = write!(text, "{:?}", client.store);
    // Its last field counts the names that it gave: the next one is new in any case.
    text.truncate(text.rfind(" next: ").unwrap_or(text.len()));
    client.asks.iter().for_each(|ask| _ = write!(text, " {:?}", ask.request));
    client.timers.iter().for_each(|(timer, _)| _ = write!(text, " {timer:?}"));
    let mut hash = DefaultHasher::new();
    hash.write(&ranked(&text));
    hash.finish()
}

/// A piece of the text: as it is, or a number by the order of its kind.
enum Piece<'a> {
    Raw(&'a str),
    Count(u64),
    Name(u64),
}

/// The text with ranks for counts, and for the names of requests and timers.
fn ranked(text: &str) -> Vec<u8> {
    let pieces = pieces(text);
    let rank = |pick: fn(&Piece<'_>) -> Option<u64>| {
        let mut all: Vec<u64> = pieces.iter().filter_map(pick).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let counts = rank(|piece| if let Piece::Count(count) = piece { Some(*count) } else { None });
    let names = rank(|piece| if let Piece::Name(name) = piece { Some(*name) } else { None });
    let mut out = Vec::with_capacity(text.len());
    for piece in &pieces {
        let (mark, at) = match piece {
            Piece::Raw(raw) => {
                out.extend_from_slice(raw.as_bytes());
                continue;
            }
            Piece::Count(count) => (b'#', counts.binary_search(count)),
            Piece::Name(name) => (b'@', names.binary_search(name)),
        };
        out.push(mark);
        out.extend_from_slice(&at.unwrap_or_default().to_le_bytes());
    }
    out
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let bytes = text.as_bytes();
    let (mut out, mut raw, mut at) = (Vec::new(), 0, 0);
    let (mut word, mut paired) = (0, 0usize);
    let number = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    while at < bytes.len() {
        match bytes[at] {
            // What somebody said is never a field.
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                word = at + 1;
            }
            b':' if bytes.get(at + 1) == Some(&b' ') => {
                let name = &text[word..at];
                let mut from = at + 2;
                if text[from..].starts_with("Some(") {
                    from += 5;
                }
                let digits = number(from);
                let is = |names: &[&str]| names.contains(&name);
                if digits > 0 && (is(COUNTS) || is(MOOT)) {
                    out.push(Piece::Raw(&text[raw..from]));
                    if is(COUNTS) {
                        out.push(Piece::Count(text[from..from + digits].parse().unwrap_or(0)));
                    }
                    raw = from + digits;
                    at = raw - 1;
                } else if is(PAIRS) {
                    paired = 1;
                }
                word = at + 1;
            }
            b'(' => {
                let name = &text[word..at];
                let digits = number(at + 1);
                let named = name == "RequestId" || name == "TimerId";
                if digits > 0 && (named || paired > 0 && name.is_empty()) {
                    let count = text[at + 1..at + 1 + digits].parse().unwrap_or(0);
                    out.push(Piece::Raw(&text[raw..=at]));
                    out.push(if named { Piece::Name(count) } else { Piece::Count(count) });
                    raw = at + 1 + digits;
                    at = raw - 1;
                }
                word = at + 1;
            }
            b']' if paired > 0 => {
                paired = 0;
                word = at + 1;
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {}
            _ => word = at + 1,
        }
        at += 1;
    }
    out.push(Piece::Raw(&text[raw..]));
    out
}

#[cfg(test)]
mod tests {
    use super::ranked;

    #[test]
    fn counts_are_drawn_by_their_order() {
        let one =
            r#"Row { stamp: 7, text: "stamp: 1", since: 9 } begun: Map([(3, Seq(4))]), open: [(RequestId(5), 2)]"#;
        let two =
            r#"Row { stamp: 8, text: "stamp: 1", since: 30 } begun: Map([(1, Seq(4))]), open: [(RequestId(6), 2)]"#;
        let three =
            r#"Row { stamp: 9, text: "stamp: 1", since: 8 } begun: Map([(1, Seq(4))]), open: [(RequestId(6), 2)]"#;
        assert_eq!(ranked(one), ranked(two));
        assert_ne!(ranked(one), ranked(three), "another order");
        assert_ne!(ranked(one), ranked(&one.replace("Seq(4)", "Seq(5)")));
        assert_ne!(ranked(one), ranked(&one.replace("\"stamp: 1\"", "\"stamp: 2\"")));
    }
}
