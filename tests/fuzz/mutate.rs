//! Changes pieces of the corpus: by bytes, by words that mean something, and by moving whole values about.

use crate::dice::Dice;

/// Words that mean something somewhere.
const WORDS: &[&str] = &[
    "null",
    "true",
    "-1",
    "0",
    "1e308",
    "9007199254740993",
    "18446744073709551616",
    "\"\"",
    "[]",
    "{}",
    "\"a\"",
    "\"b\"",
    "\"\\ud83c\"",
    "\"\\udc00x\"",
    "\"__proto__\"",
    "\"type\"",
    "\"turnId\"",
    "\"n\"",
    "\"seq\"",
    "\"epoch\"",
    "\"snapshot\"",
    "\"turn-sealed\"",
    "\"log-reset\"",
    "\"chunks-loaded\"",
    "\"thread-renamed\"",
    "\"main\"",
    "\\u0000",
    "\u{FEFF}",
    "\n",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "\"",
];

/// A piece, changed a few times; now and then as it is, or nothing but chance.
pub fn piece(dice: &mut Dice, corpus: &[Vec<u8>]) -> Vec<u8> {
    if dice.often(3) {
        return (0..dice.roll(80)).map(|_| dice.roll(256) as u8).collect();
    }
    let mut piece = corpus[dice.roll(corpus.len())].clone();
    for _ in 0..dice.roll(5) {
        change(dice, &mut piece, corpus);
    }
    piece
}

fn change(dice: &mut Dice, piece: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    let at = dice.roll(piece.len() + 1);
    let to = (at + dice.roll(24)).min(piece.len());
    match dice.roll(9) {
        0 => drop(piece.drain(at..to)),
        1 => drop(piece.splice(at..at, WORDS[dice.roll(WORDS.len())].bytes())),
        2 => drop(piece.splice(at..to, piece[at..to].repeat(2))),
        3 => {
            if let Some(byte) = piece.get_mut(at) {
                *byte ^= 1 << dice.roll(8);
            }
        }
        4 => {
            // Another piece's tail.
            let other = &corpus[dice.roll(corpus.len())];
            piece.truncate(at);
            piece.extend_from_slice(&other[dice.roll(other.len() + 1)..]);
        }
        5 => {
            // Deep, in one place.
            let depth = [3, 70, 3000][dice.roll(3)];
            drop(piece.splice(at..at, [vec![b'['; depth], vec![b']'; depth]].concat()));
        }
        _ => {
            // A value becomes another value.
            let values = values(piece);
            if !values.is_empty() {
                let (from, to) = values[dice.roll(values.len())];
                let word = if dice.often(50) {
                    WORDS[dice.roll(WORDS.len())].as_bytes().to_vec()
                } else {
                    let (from, to) = values[dice.roll(values.len())];
                    piece[from..to].to_vec()
                };
                drop(piece.splice(from..to, word));
            }
        }
    }
}

/// Where strings and numbers stand.
fn values(piece: &[u8]) -> Vec<(usize, usize)> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < piece.len() {
        let from = at;
        match piece[at] {
            b'"' => {
                at += 1;
                while at < piece.len() && piece[at] != b'"' {
                    at += 1 + usize::from(piece[at] == b'\\');
                }
                at = (at + 1).min(piece.len());
                out.push((from, at));
            }
            b'0'..=b'9' => {
                while at < piece.len() && piece[at].is_ascii_digit() {
                    at += 1;
                }
                out.push((from, at));
            }
            _ => at += 1,
        }
    }
    out
}
