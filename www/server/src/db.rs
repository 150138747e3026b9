//! The log: one SQLite file, where every write is one transaction.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use turnseal::drive::{Log, Work};
use turnseal::engine::{Meta, Saved};
use turnseal::model::{Chunk, Json, Page, Seq, ThreadId};
use turnseal::wire::{self, encode};

use crate::meta;
use crate::metrics::Metrics;

/// At most so many rows are given at once.
pub(crate) const PAGE_MAX: u32 = 500;

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS chunks (
        thread TEXT NOT NULL, seq INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (thread, seq)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, meta TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS titles (thread TEXT PRIMARY KEY, title TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS log (epoch TEXT NOT NULL);
    INSERT INTO log SELECT lower(hex(randomblob(8))) WHERE NOT EXISTS (SELECT * FROM log);
";

/// The file. Writing and reading do not wait for each other.
pub(crate) struct Db {
    writes: Mutex<Connection>,
    reads: Mutex<Connection>,
    epoch: String,
    metrics: Arc<Metrics>,
}

/// What a page is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) limit: u32,
    pub(crate) before: Option<u64>,
    pub(crate) after: Option<u64>,
}

impl Db {
    /// Opens the file, and makes it where it is not there.
    pub(crate) fn open(path: &Path, metrics: Arc<Metrics>) -> Result<Self, String> {
        let open = || -> rusqlite::Result<Self> {
            let writes = Connection::open(path)?;
            writes.execute_batch(SCHEMA)?;
            let reads = Connection::open(path)?;
            reads.execute_batch("PRAGMA busy_timeout = 5000; PRAGMA query_only = ON;")?;
            let epoch = reads.query_row("SELECT epoch FROM log", [], |row| row.get(0))?;
            Ok(Self { writes: Mutex::new(writes), reads: Mutex::new(reads), epoch, metrics })
        };
        open().map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The generation of this log: another file has another one.
    pub(crate) fn epoch(&self) -> &str {
        &self.epoch
    }

    /// The side that reads.
    pub(crate) fn reads(&self) -> MutexGuard<'_, Connection> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The side that writes.
    pub(crate) fn writes(&self) -> MutexGuard<'_, Connection> {
        self.writes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All threads, and whether a turn was open when it was written last.
    pub(crate) fn threads(&self) -> Result<Vec<(ThreadId, bool)>, String> {
        let reads = self.reads();
        let mut select = reads.prepare_cached("SELECT id, meta FROM threads ORDER BY id").map_err(words)?;
        let rows =
            select.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).map_err(words)?;
        rows.map(|row| {
            let (id, text) = row.map_err(words)?;
            Ok((ThreadId::new(id), !meta::decode(&text)?.open.is_empty()))
        })
        .collect()
    }

    /// A page: the newest rows, those before a row, or those behind one.
    pub(crate) fn page(&self, thread: &ThreadId, wanted: Wanted) -> Result<Page, String> {
        let reads = self.reads();
        let limit = wanted.limit.clamp(1, PAGE_MAX);
        let (after, before) = (number(wanted.after.unwrap_or(0)), number(wanted.before.unwrap_or(u64::MAX)));
        // Behind a row: the next ones. Else the newest.
        let order = if wanted.after.is_some() { "ASC" } else { "DESC" };
        let sql = format!(
            "SELECT json FROM chunks WHERE thread = ?1 AND seq > ?2 AND seq < ?3 ORDER BY seq {order} LIMIT ?4"
        );
        let mut select = reads.prepare_cached(&sql).map_err(words)?;
        let rows = select.query_map(params![thread.as_str(), after, before, limit], |row| row.get::<_, String>(0));
        let chunks: Result<Vec<Chunk>, String> = rows.map_err(words)?.map(|row| chunk(&row.map_err(words)?)).collect();
        let mut chunks = chunks?;
        chunks.sort_by_key(|chunk| chunk.seq);
        let count = "SELECT count(*), min(seq) FROM chunks WHERE thread = ?1";
        let (total, oldest): (i64, Option<i64>) =
            reads.query_row(count, [thread.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).map_err(words)?;
        let prev = match chunks.first() {
            Some(first) => reads
                .query_row(
                    "SELECT max(seq) FROM chunks WHERE thread = ?1 AND seq < ?2",
                    params![thread.as_str(), number(first.seq.0)],
                    |row| row.get::<_, Option<i64>>(0),
                )
                .map_err(words)?,
            None => None,
        };
        Ok(Page {
            chunks,
            total: u64::try_from(total).ok(),
            oldest: oldest.and_then(seq),
            prev: prev.and_then(seq),
            limit: Some(limit),
            epoch: Some(self.epoch.clone()),
        })
    }

    fn saved(&self, thread: &ThreadId) -> Result<Saved, String> {
        let writes = self.writes();
        let mut select =
            writes.prepare_cached("SELECT json FROM chunks WHERE thread = ? ORDER BY seq").map_err(words)?;
        let rows = select.query_map([thread.as_str()], |row| row.get::<_, String>(0)).map_err(words)?;
        let chunks: Result<Vec<Chunk>, String> = rows.map(|row| chunk(&row.map_err(words)?)).collect();
        let kept = writes.query_row("SELECT meta FROM threads WHERE id = ?", [thread.as_str()], |row| row.get(0));
        let kept: Option<String> = kept.optional().map_err(words)?;
        let meta = kept.map_or(Ok(Meta::default()), |text| meta::decode(&text))?;
        Ok(Saved { chunks: chunks?, meta })
    }

    fn write_now(&self, thread: &ThreadId, rows: Vec<Chunk>, meta: &Meta) -> Result<Vec<Seq>, String> {
        let meta = meta::encode(meta)?;
        let mut writes = self.writes();
        let transaction = writes.transaction().map_err(words)?;
        let seqs = insert(&transaction, thread, rows).map_err(words)?;
        transaction
            .prepare_cached("INSERT OR REPLACE INTO threads (id, meta) VALUES (?, ?)")
            .and_then(|mut insert| insert.execute(params![thread.as_str(), meta]))
            .map_err(words)?;
        transaction.commit().map_err(words)?;
        Ok(seqs)
    }
}

fn insert(transaction: &Transaction<'_>, thread: &ThreadId, rows: Vec<Chunk>) -> rusqlite::Result<Vec<Seq>> {
    let last = "SELECT coalesce(max(seq), 0) FROM chunks WHERE thread = ?";
    let last: i64 = transaction.prepare_cached(last)?.query_row([thread.as_str()], |row| row.get(0))?;
    let mut insert = transaction.prepare_cached("INSERT INTO chunks (thread, seq, json) VALUES (?, ?, ?)")?;
    let now = now();
    let mut seqs = Vec::new();
    for (at, row) in (last + 1..).zip(rows) {
        let place = Seq(u64::try_from(at).unwrap_or_default());
        let mut json = String::new();
        encode::chunk(&Chunk { seq: place, created_at: Some(now.clone()), ..row }, &mut json);
        insert.execute(params![thread.as_str(), at, json])?;
        seqs.push(place);
    }
    Ok(seqs)
}

/// Milliseconds since 1970, as JSON.
fn now() -> Json {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Json::new(since.as_millis().to_string())
}

fn chunk(json: &str) -> Result<Chunk, String> {
    wire::chunk(json).map_err(|refused| format!("a row of the log: {}", refused.detail))
}

/// SQLite counts with a sign; what is beyond that is not in the log.
fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn seq(value: i64) -> Option<Seq> {
    u64::try_from(value).ok().map(Seq)
}

fn words(error: rusqlite::Error) -> String {
    error.to_string()
}

impl Log for Db {
    fn load(self: Arc<Self>, thread: ThreadId) -> Work<Result<Saved, String>> {
        Box::pin(blocking(move || self.saved(&thread)))
    }

    fn write(self: Arc<Self>, thread: ThreadId, rows: Vec<Chunk>, meta: Meta) -> Work<Result<Vec<Seq>, String>> {
        Box::pin(blocking(move || {
            let written = self.write_now(&thread, rows, &meta);
            self.metrics.written(written.is_ok());
            written
        }))
    }
}

/// Runs what blocks where it may.
pub(crate) async fn blocking<T: Send + 'static>(
    run: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    tokio::task::spawn_blocking(run).await.unwrap_or_else(|error| Err(error.to_string()))
}
