//! The list of threads, as a person reads it: each with a title and the time of its last row.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use rusqlite::params;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::db::{Db, blocking};
use crate::hub::thread_id;
use crate::meta;
use crate::problem::Problem;
use crate::routes::{Shared, body, json, json_of};

/// So many characters of a first message are a title; also of one that was given.
const TITLE_MAX: usize = 80;

const SELECT: &str = "
    SELECT threads.id, threads.meta, titles.title,
        (SELECT json FROM chunks WHERE thread = threads.id ORDER BY seq LIMIT 1),
        (SELECT json FROM chunks WHERE thread = threads.id ORDER BY seq DESC LIMIT 1)
    FROM threads LEFT JOIN titles ON titles.thread = threads.id";

/// A line of the list.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Entry {
    id: String,
    title: String,
    /// Milliseconds since 1970; 0: nothing was said yet.
    updated_at: u64,
    /// True while a turn runs.
    running: bool,
}

#[derive(Serialize)]
struct List {
    threads: Vec<Entry>,
}

fn entries(db: &Db) -> Result<Vec<Entry>, String> {
    let reads = db.reads();
    let mut select = reads.prepare_cached(SELECT).map_err(|error| error.to_string())?;
    type Row = (String, String, Option<String>, Option<String>, Option<String>);
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)));
    let rows: Result<Vec<Row>, _> = rows.and_then(Iterator::collect);
    let entries = rows.map_err(|error| error.to_string())?.into_iter().map(|(id, kept, title, first, last)| {
        let (first, last) = (parsed(first), parsed(last));
        let said = first.pointer("/data/text").and_then(Value::as_str).unwrap_or_default();
        Ok(Entry {
            id,
            title: title.unwrap_or_else(|| short(said)),
            updated_at: last.get("createdAt").and_then(Value::as_u64).unwrap_or_default(),
            running: !meta::decode(&kept)?.open.is_empty(),
        })
    });
    let mut entries = entries.collect::<Result<Vec<Entry>, String>>()?;
    entries.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
    Ok(entries)
}

fn parsed(json: Option<String>) -> Value {
    json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
}

/// Words on one line, cut behind a word.
fn short(text: &str) -> String {
    let mut title = String::new();
    for word in text.split_whitespace() {
        let length = title.chars().count() + 1 + word.chars().count();
        if length > TITLE_MAX && !title.is_empty() {
            title.push('…');
            return title;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.extend(word.chars().take(TITLE_MAX));
    }
    title
}

pub(crate) async fn threads(State(hub): Shared) -> Result<Response, Problem> {
    let db = Arc::clone(&hub.db);
    let threads = blocking(move || entries(&db)).await.map_err(Problem::broken)?;
    json_of(&List { threads })
}

#[derive(Deserialize)]
struct Named {
    title: String,
}

pub(crate) async fn rename(
    State(hub): Shared,
    Path(thread): Path<String>,
    given: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let Named { title } = body(given)?;
    let (thread, title, db) = (thread_id(&thread)?, short(&title), Arc::clone(&hub.db));
    let write = move || {
        let writes = db.writes();
        // Without a title it is named after its first message again.
        let done = if title.is_empty() {
            writes.execute("DELETE FROM titles WHERE thread = ?", [thread.as_str()])
        } else {
            writes.execute("INSERT OR REPLACE INTO titles VALUES (?, ?)", params![thread.as_str(), title])
        };
        done.map(|_| ()).map_err(|error| error.to_string())
    };
    blocking(write).await.map_err(Problem::broken)?;
    Ok(json("{\"status\":\"ok\"}".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_line_cut_behind_a_word() {
        assert_eq!(short(" Which  orders\nare late? "), "Which orders are late?");
        assert_eq!(short(""), "");
        let long = short(&"word ".repeat(40));
        assert!(long.ends_with("word…") && long.chars().count() <= TITLE_MAX + 1, "{long}");
        assert_eq!(short(&"ä".repeat(500)).chars().count(), TITLE_MAX);
    }
}
