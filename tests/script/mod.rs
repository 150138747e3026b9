//! The scenario language: one line is one input, indented blocks say what holds after it. Knows no verb by meaning.

use std::fmt::Write as _;

/// One line: `2: queue q1 "and 3+3?" intent=steer # why`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Its number in the file, from 1; 0 for lines that were made.
    pub number: usize,
    /// `2:` before the verb.
    pub client: Option<usize>,
    /// The first word.
    pub verb: String,
    /// The words that are not quoted and hold no `=`.
    pub names: Vec<String>,
    /// The quoted texts.
    pub texts: Vec<String>,
    /// The `key=value` words.
    pub keys: Vec<(String, String)>,
}

impl Line {
    /// A line without anything but its verb.
    pub fn verb(verb: &str) -> Self {
        Self { verb: verb.to_owned(), ..Self::default() }
    }

    pub fn of(mut self, client: usize) -> Self {
        self.client = Some(client);
        self
    }

    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }

    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.texts.push(text.into());
        self
    }

    pub fn key(mut self, key: &str, value: impl Into<String>) -> Self {
        self.keys.push((key.to_owned(), value.into()));
        self
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.keys.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// True where the word stands among the names.
    pub fn has(&self, word: &str) -> bool {
        self.names.iter().any(|name| name == word)
    }

    /// The name at a place, or what is missing.
    pub fn at(&self, index: usize) -> Result<&str, String> {
        self.names.get(index).map(String::as_str).ok_or_else(|| format!("{} needs more names", self.verb))
    }

    /// The first text, or what is missing.
    pub fn said(&self) -> Result<&str, String> {
        self.texts.first().map(String::as_str).ok_or_else(|| format!("{} needs a text in quotes", self.verb))
    }

    /// Reads a line; `None` where it holds nothing but a comment.
    pub fn parse(number: usize, raw: &str) -> Result<Option<Self>, String> {
        let mut line = Self { number, ..Self::default() };
        for word in words(raw)? {
            match word {
                Word::Quoted(text) => line.texts.push(text),
                Word::Plain(word) => line.take(word)?,
            }
        }
        Ok((!line.verb.is_empty()).then_some(line))
    }

    fn take(&mut self, word: String) -> Result<(), String> {
        if let (Some(client), true) = (word.strip_suffix(':'), self.verb.is_empty()) {
            self.client = Some(client.parse().map_err(|_| format!("`{word}` names no client"))?);
        } else if self.verb.is_empty() {
            self.verb = word;
        } else if let Some((key, value)) = word.split_once('=') {
            self.keys.push((key.to_owned(), value.to_owned()));
        } else {
            self.names.push(word);
        }
        Ok(())
    }

    /// The line as it is written.
    pub fn draw(&self) -> String {
        let mut out = self.client.map(|client| format!("{client}: ")).unwrap_or_default();
        out.push_str(&self.verb);
        for name in &self.names {
            _ = write!(out, " {name}");
        }
        for text in &self.texts {
            _ = write!(out, " {}", quoted(text));
        }
        for (key, value) in &self.keys {
            _ = write!(out, " {key}={value}");
        }
        out
    }
}

/// A text in quotes, on one line.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

enum Word {
    Plain(String),
    Quoted(String),
}

fn words(raw: &str) -> Result<Vec<Word>, String> {
    let mut out = Vec::new();
    let mut chars = raw.chars().peekable();
    while let Some(&next) = chars.peek() {
        match next {
            '#' => break,
            '"' => {
                chars.next();
                out.push(Word::Quoted(quote(&mut chars).ok_or_else(|| format!("`{raw}`: a quote is not closed"))?));
            }
            space if space.is_whitespace() => _ = chars.next(),
            _ => {
                let mut word = String::new();
                while let Some(char) = chars.next_if(|char| !char.is_whitespace()) {
                    word.push(char);
                }
                out.push(Word::Plain(word));
            }
        }
    }
    Ok(out)
}

fn quote(chars: &mut impl Iterator<Item = char>) -> Option<String> {
    let mut text = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(text),
            '\\' => match chars.next()? {
                'n' => text.push('\n'),
                other => text.push(other),
            },
            char => text.push(char),
        }
    }
}

/// What holds after a line: a head (`view`, `view 2`, `effects`) and lines, relative to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The head, split into words.
    pub head: Vec<String>,
    /// The lines as written, without the indent of the block.
    pub lines: Vec<String>,
}

/// A line with its blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What happens.
    pub line: Line,
    /// What holds then.
    pub blocks: Vec<Block>,
}

/// A whole file. `rows` keeps it as written, so that it can be written back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// The steps in order.
    pub steps: Vec<Step>,
    rows: Vec<Row>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Row {
    /// A comment, an empty line, or the line of a step.
    Raw(String),
    /// Block `1` of step `0`, with its head as written.
    Block(usize, usize, String),
}

const BLOCK: usize = 2;
const INSIDE: usize = 4;

impl Script {
    /// Reads a file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut script = Self::default();
        for (index, raw) in text.lines().enumerate() {
            script.row(index + 1, raw).map_err(|error| format!("line {}: {error}", index + 1))?;
        }
        Ok(script)
    }

    fn row(&mut self, number: usize, raw: &str) -> Result<(), String> {
        let indent = raw.len() - raw.trim_start().len();
        let empty = raw.trim().is_empty() || raw.trim().starts_with('#');
        if indent < BLOCK || empty {
            self.rows.push(Row::Raw(raw.to_owned()));
            if let Some(line) = Line::parse(number, raw)? {
                self.steps.push(Step { line, blocks: Vec::new() });
            }
            return Ok(());
        }
        let at = self.steps.len().checked_sub(1).ok_or("a block before any line")?;
        let step = &mut self.steps[at];
        if indent < INSIDE {
            let head = raw.split_whitespace().map(str::to_owned).collect();
            step.blocks.push(Block { head, lines: Vec::new() });
            self.rows.push(Row::Block(at, step.blocks.len() - 1, raw.to_owned()));
        } else {
            let block = step.blocks.last_mut().ok_or("a line of a block without a block")?;
            block.lines.push(raw[INSIDE..].trim_end().to_owned());
        }
        Ok(())
    }

    /// The file as it is written, with the blocks as they are now.
    pub fn draw(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            match row {
                Row::Raw(raw) => _ = writeln!(out, "{raw}"),
                Row::Block(step, block, head) => {
                    _ = writeln!(out, "{head}");
                    for line in &self.steps[*step].blocks[*block].lines {
                        _ = writeln!(out, "{:INSIDE$}{line}", "");
                    }
                }
            }
        }
        out
    }
}

/// Two drawings of a block say the same: spaces between words do not count, depth does.
pub fn same(one: &[String], other: &[String]) -> bool {
    let plain = |lines: &[String]| -> Vec<String> {
        let none = lines.iter().all(|line| line.trim() == "none" || line.trim().is_empty());
        let deep = |line: &str| if line.starts_with("  ") { "  " } else { "" };
        let join = |line: &String| format!("{}{}", deep(line), line.split_whitespace().collect::<Vec<_>>().join(" "));
        if none { Vec::new() } else { lines.iter().map(join).collect() }
    };
    plain(one) == plain(other)
}
