//! One file, read as far as the rules need it: its code without comments and strings, its functions, its paths.

/// A file as text, and as code alone.
pub struct Source {
    /// From the root of the tree, with `/`.
    pub path: String,
    /// As it stands.
    pub raw: String,
    /// Without comments, strings and, below `src`, its own tests; each line where it was. Rust only, else as `raw`.
    pub code: String,
    /// Like `code`, with the tests.
    pub code_and_tests: String,
}

impl Source {
    pub fn new(path: String, raw: String) -> Self {
        let rust = path.ends_with(".rs");
        let code_and_tests = if rust { blank(&raw) } else { raw.clone() };
        let code = if path.starts_with("src/") { without_tests(&code_and_tests) } else { code_and_tests.clone() };
        Self { path, raw, code, code_and_tests }
    }
}

/// Puts blanks for what is inside comments, strings and character literals.
pub fn blank(raw: &str) -> String {
    let chars: Vec<char> = raw.chars().collect();
    let mut code = String::with_capacity(raw.len());
    let mut at = 0;
    while at < chars.len() {
        let end = literal_end(&chars, at);
        for &char in &chars[at..end.unwrap_or(at + 1)] {
            code.push(if end.is_some() && char != '\n' { ' ' } else { char });
        }
        at = end.unwrap_or(at + 1);
    }
    code
}

/// Where the comment, string or character that starts at `at` ends; `None` where none starts there.
fn literal_end(chars: &[char], at: usize) -> Option<usize> {
    let next = |offset: usize| chars.get(at + offset).copied().unwrap_or('\0');
    match chars[at] {
        '/' if next(1) == '/' => Some(find(chars, at, |rest| rest[0] == '\n')),
        '/' if next(1) == '*' => Some(comment_end(chars, at)),
        '"' => Some(string_end(chars, at)),
        'r' if !after_word(chars, at) || (at > 0 && chars[at - 1] == 'b') => raw_string_end(chars, at),
        '\'' if next(1) == '\\' => Some(find(chars, at + 3, |rest| rest[0] == '\'') + 1),
        '\'' if next(2) == '\'' => Some(at + 3),
        _ => None,
    }
}

fn after_word(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

fn find(chars: &[char], from: usize, stop: impl Fn(&[char]) -> bool) -> usize {
    (from..chars.len()).find(|&at| stop(&chars[at..])).unwrap_or(chars.len())
}

fn comment_end(chars: &[char], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (at, depth) = (at + 2, depth + 1),
            ('*', Some('/')) => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string_end(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

fn raw_string_end(chars: &[char], start: usize) -> Option<usize> {
    let hashes = find(chars, start + 1, |rest| rest[0] != '#') - start - 1;
    if chars.get(start + 1 + hashes) != Some(&'"') {
        return None;
    }
    let closes =
        |rest: &[char]| rest[0] == '"' && rest.len() > hashes && rest[1..=hashes].iter().all(|&char| char == '#');
    Some((find(chars, start + 2 + hashes, closes) + 1 + hashes).min(chars.len()))
}

/// Puts blanks for each item under `#[cfg(test)]`.
pub fn without_tests(code: &str) -> String {
    let Some(start) = code.find("#[cfg(test)]") else { return code.to_owned() };
    let end = item_end(code, start + "#[cfg(test)]".len());
    let gone: String = code[start..end].chars().map(|char| if char == '\n' { '\n' } else { ' ' }).collect();
    format!("{}{gone}{}", &code[..start], without_tests(&code[end..]))
}

/// Where the item that starts at `from` ends: behind its block, or behind the `;` of an item without one.
fn item_end(code: &str, from: usize) -> usize {
    let mut depth = 0_i32;
    for (at, char) in code.char_indices().skip_while(|&(at, _)| at < from) {
        match char {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && (char == '}' || char == ';') {
            return at + 1;
        }
    }
    code.len()
}

/// A function with a body.
#[derive(Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub line: usize,
    pub lines: usize,
    pub test: bool,
}

/// The functions of a file, as its code (see [`blank`]) shows them.
pub fn functions(code: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let name: String = code[at + 3..].chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect();
        let end = item_end(code, at);
        if name.is_empty()
            || code[..at].ends_with(|char: char| char.is_alphanumeric() || char == '_')
            || !code[..end].ends_with('}')
        {
            continue;
        }
        let line = line_of(code, at);
        let above = code.lines().take(line - 1).collect::<Vec<_>>();
        let attributes = above.iter().rev().take_while(|line| line.trim_start().starts_with("#["));
        let test = attributes.into_iter().any(|line| line.contains("test]") || line.contains("_test("));
        found.push(Function { name, line, lines: line_of(code, end - 1) - line + 1, test });
    }
    found
}

pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Each path that starts with `crate`, `super` or `self`, and each path of a `use`: its line and its words.
/// A group gives one path for each of its members.
pub fn paths(code: &str) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let starts = ["crate::", "super::", "self::"].iter().any(|word| code[at..].starts_with(word));
        let word_before = code[..at].ends_with(|char: char| char.is_alphanumeric() || char == '_' || char == ':');
        if !word_before && code[at..].starts_with("use ") {
            at = tree(code, at + 4, &[], &mut found);
        } else if !word_before && starts {
            at = tree(code, at, &[], &mut found);
        } else {
            at += code[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// Reads one tree of paths at `at`, below `before`, and returns where it ends.
fn tree(code: &str, at: usize, before: &[String], found: &mut Vec<(usize, Vec<String>)>) -> usize {
    let mut path = before.to_vec();
    let mut here = at + (code[at..].len() - code[at..].trim_start().len());
    let line = line_of(code, here);
    while !code[here..].starts_with('{') {
        let word = |char: &char| char.is_alphanumeric() || *char == '_' || *char == '*';
        let name: String = code[here..].chars().take_while(word).collect();
        here += name.len();
        path.push(name);
        if !code[here..].starts_with("::") || code[here..].starts_with("::<") {
            // A macro at the root belongs to no room.
            if !code[here..].starts_with('!') {
                found.push((line, path));
            }
            return here;
        }
        here += 2;
    }
    while !code[here..].starts_with('}') && here < code.len() {
        let member = here + 1;
        if code[member..].trim_start().starts_with('}') {
            return code.len() - code[member..].trim_start().len() + 1;
        }
        here = tree(code, member, &path, found);
        here += code[here..].find([',', '}']).unwrap_or(code.len() - here);
    }
    (here + 1).min(code.len())
}

#[test]
fn comments_strings_and_characters_are_no_code() {
    assert_eq!(blank("a /* x /* y */ */ b // c\nd"), "a                 b     \nd");
    assert_eq!(blank(r#"f("a\"b", 'x', '\'', &'s t)"#), "f(      ,    ,     , &'s t)");
    assert_eq!(blank("r#\"a\"b\"# c"), "         c");
    assert_eq!(blank("for r in b\"x\""), "for r in b   ");
}

#[test]
fn tests_are_no_code_of_their_room() {
    assert_eq!(without_tests("a;\n#[cfg(test)]\nmod tests {\n{}\n}\nb;"), "a;\n            \n           \n  \n \nb;");
    assert_eq!(without_tests("#[cfg(test)] mod tests; b;").trim(), "b;");
}

#[test]
fn functions_have_a_name_a_place_and_a_length() {
    let of = |name: &str, line, lines, test| Function { name: name.into(), line, lines, test };
    assert_eq!(functions("\nfn a(x: [u8; 2]) {\n {}\n}\nfn b();"), [of("a", 2, 3, false)]);
    assert_eq!(functions("#[test]\nfn a() {}\nfn b(f: fn(u8)) {}"), [of("a", 2, 1, true), of("b", 3, 1, false)]);
}

#[test]
fn a_group_is_one_path_for_each_member() {
    let words = |code: &str| {
        paths(code).into_iter().map(|(line, path)| format!("{line} {}", path.join(" "))).collect::<Vec<_>>()
    };
    assert_eq!(
        words("use crate::a::{B, c::{D, E},\n f as G};"),
        ["1 crate a B", "1 crate a c D", "1 crate a c E", "2 crate a f"]
    );
    assert_eq!(words("x(super::y::z::<T>()); mycrate::b; crate::c!()"), ["1 super y z"]);
    assert_eq!(words("use a::B;\nuse super::*;"), ["1 a B", "2 super *"]);
    assert_eq!(words("use a::{B,};\nuse super::c;"), ["1 a B", "2 super c"]);
}
