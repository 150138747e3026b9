//! Recorded streams of real agents and providers, read as turns of this project.
//!
//! **Owns**: one reader a folder of recordings, and which files are not read and why ([`SKIPPED`]).
//! **Sees**: JSON, YAML, files. **Never**: `turnseal` itself. What a reader says is told from the recording alone, so
//! that it can judge the crate.
//!
//! How to play them:
//! ```text
//! let Some(root) = traces::root() else { return };      // the recordings are not part of the repository
//! for folder in traces::folders(&root) {
//!     for thread in &folder.threads {
//!         for turn in &thread.turns {
//!             turn.events   // JSON lines of SPEC section 4: give each an `n`, then hand it to the store
//!             turn.chunks   // JSON lines: give each a `seq`, then make a page or a `turn-sealed` of them
//!         }
//!     }
//! }
//! ```
//! - Every event has its `turnId`; the first of a turn is `turn-start`, the last is `turn-end`. None has `n` or `threadId`.
//! - Every chunk has its `turnId`; none has `seq`. The user's chunks stand first and carry the `messageId` of `turn-start`.
//! - A turn that was started anew after a failure has an `executionId` in its events and chunks, one an attempt.
//! - Turn ids, message ids and call ids are unique within their thread as far as the recording makes them so: call ids may
//!   repeat in later steps, on purpose.
//! - A call whose arguments never became whole is streamed and has no chunk: no server writes half a call.
//! - A `notice` is sealed as a `system` chunk of kind `notice`: a row beside the answer, not a part of it.
//! - `Thread::notes` names each place where the log of a recording says on purpose something else than its stream, and what
//!   the reader made of it.

pub mod ag_ui;
pub mod anthropic;
pub mod bedrock;
pub mod codex;
pub mod cohere;
pub mod gemini;
pub mod gemini_cli;
pub mod interactions;
pub mod kimi_code;
pub mod kimi_log;
pub mod openai_chat;
pub mod openai_items;
pub mod openai_responses;
pub mod pydantic_ai;
pub mod rows;
pub mod scribe;
pub mod skipped;
pub mod sse;
pub mod value;
pub mod vercel_ai;
pub mod wires;

use std::path::{Path, PathBuf};

pub use skipped::{SKIPPED, skipped};

/// One conversation of a recording.
#[derive(Clone, Debug)]
pub struct Thread {
    /// The folder and the file.
    pub name: String,
    /// Its turns, in start order.
    pub turns: Vec<RecordedTurn>,
    /// Where its log and its stream differ on purpose.
    pub notes: Vec<&'static str>,
}

/// One turn, as a server would tell it live and as it would write it.
#[derive(Clone, Debug, Default)]
pub struct RecordedTurn {
    /// Names the turn; unique in its thread.
    pub turn_id: String,
    /// The live events as JSON, in order, without `n`.
    pub events: Vec<String>,
    /// The sealed chunks as JSON, in order, without `seq`.
    pub chunks: Vec<String>,
}

/// All threads of one folder of recordings.
#[derive(Clone, Debug)]
pub struct Folder {
    /// The name of the folder.
    pub name: &'static str,
    /// Its threads, by file name.
    pub threads: Vec<Thread>,
    /// The names of the files that became part of a thread.
    pub read: Vec<String>,
    /// The data files of the folder.
    pub files: Vec<String>,
}

/// The folder of the recordings: `TURNSEAL_TRACES`, else `../shared/traces` beside the crate. `None`, with a printed
/// notice, where it is absent: recordings are not part of the repository.
pub fn root() -> Option<PathBuf> {
    let root = std::env::var_os("TURNSEAL_TRACES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/traces"), PathBuf::from);
    if root.is_dir() {
        return Some(root);
    }
    println!("skipped: no recordings at {} (TURNSEAL_TRACES names their folder)", root.display());
    None
}

/// All folders that have a reader.
pub fn folders(root: &Path) -> Vec<Folder> {
    vec![
        codex::folder(root),
        kimi_code::folder(root),
        ag_ui::folder(root),
        vercel_ai::folder(root),
        gemini_cli::folder(root),
        pydantic_ai::folder(root),
    ]
}

impl Folder {
    /// A folder of which nothing is read yet.
    pub fn open(root: &Path, name: &'static str) -> Self {
        let entries = std::fs::read_dir(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut files: Vec<String> = entries
            .map(|entry| entry.expect("an entry of the folder").file_name().to_string_lossy().into_owned())
            .filter(|file| file != "LICENSE-NOTE.txt")
            .collect();
        files.sort();
        Self { name, threads: Vec::new(), read: Vec::new(), files }
    }

    /// The files that are to be read: those that [`SKIPPED`] does not name.
    pub fn wanted(&self) -> Vec<String> {
        let wanted = |file: &&String| !skipped(self.name).any(|(name, _)| name == *file);
        self.files.iter().filter(wanted).cloned().collect()
    }

    /// The text of one of its files, which counts as read from now on.
    pub fn take(&mut self, root: &Path, file: &str) -> String {
        let path = root.join(self.name).join(file);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        self.read.push(file.to_owned());
        text.trim_start_matches('\u{feff}').to_owned()
    }

    /// Adds a thread, unless nothing was recorded in it.
    pub fn push(&mut self, file: &str, turns: Vec<RecordedTurn>, notes: Vec<&'static str>) {
        assert!(!turns.is_empty(), "{}/{file} has no turn: read it, or name it in SKIPPED", self.name);
        self.threads.push(Thread { name: format!("{}/{file}", self.name), turns, notes });
    }
}
