//! A small shop: one table of orders in SQLite.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, InterruptHandle};
use serde_json::{Value, json};

use crate::db::blocking;

/// At most so many rows are given.
const ROWS_MAX: usize = 50;

const SAMPLE: &str = "
    CREATE TABLE IF NOT EXISTS orders (
        id INTEGER PRIMARY KEY, customer TEXT NOT NULL, product TEXT NOT NULL, quantity INTEGER NOT NULL,
        price REAL NOT NULL, due TEXT NOT NULL, state TEXT NOT NULL
    );
    INSERT INTO orders (customer, product, quantity, price, due, state)
    SELECT * FROM (VALUES
        ('Ada', 'lamp', 2, 39.5, '2025-05-12', 'open'), ('Ben', 'desk', 1, 249.0, '2025-06-20', 'open'),
        ('Cleo', 'chair', 4, 89.0, '2025-05-28', 'open'), ('Dan', 'lamp', 1, 39.5, '2025-05-02', 'shipped'),
        ('Eve', 'shelf', 2, 119.0, '2025-06-11', 'open'), ('Finn', 'desk', 1, 249.0, '2025-05-30', 'open'),
        ('Gwen', 'chair', 2, 89.0, '2025-04-17', 'shipped'), ('Hal', 'shelf', 1, 119.0, '2025-07-01', 'open')
    ) WHERE NOT EXISTS (SELECT * FROM orders);
";

/// The database: one connection that may write, one that may not.
pub(super) struct Shop {
    reads: Side,
    writes: Side,
}

struct Side {
    connection: Mutex<Connection>,
    interrupt: InterruptHandle,
}

impl Side {
    fn new(connection: Connection) -> Self {
        let interrupt = connection.get_interrupt_handle();
        Self { connection: Mutex::new(connection), interrupt }
    }
}

impl Shop {
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let open = || -> rusqlite::Result<Self> {
            let writes = Connection::open(path)?;
            writes.execute_batch(SAMPLE)?;
            let reads = Connection::open(path)?;
            reads.execute_batch("PRAGMA query_only = ON; PRAGMA busy_timeout = 2000;")?;
            Ok(Self { reads: Side::new(reads), writes: Side::new(writes) })
        };
        open().map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// Interrupts a statement that is not wanted any more.
struct Watch<'a>(Option<&'a InterruptHandle>);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if let Some(interrupt) = self.0 {
            interrupt.interrupt();
        }
    }
}

/// Rows of a SELECT, as JSON.
pub(super) async fn query(shop: &Arc<Shop>, sql: String) -> Result<String, String> {
    let mut watch = Watch(Some(&shop.reads.interrupt));
    let own = Arc::clone(shop);
    let done = blocking(move || {
        let connection = own.reads.connection.lock().unwrap_or_else(PoisonError::into_inner);
        rows(&connection, &sql).map_err(|error| error.to_string())
    })
    .await;
    watch.0 = None;
    done
}

/// How many rows a statement has changed, as JSON.
pub(super) async fn change(shop: &Arc<Shop>, sql: String) -> Result<String, String> {
    let mut watch = Watch(Some(&shop.writes.interrupt));
    let own = Arc::clone(shop);
    let done = blocking(move || {
        let connection = own.writes.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = connection.execute(&sql, []).map_err(|error| error.to_string())?;
        Ok(json!({ "changed": changed }).to_string())
    })
    .await;
    watch.0 = None;
    done
}

fn rows(connection: &Connection, sql: &str) -> rusqlite::Result<String> {
    let mut statement = connection.prepare(sql)?;
    let columns: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
    let (mut found, mut given) = (statement.query([])?, Vec::new());
    let mut is_cut = false;
    while let Some(row) = found.next()? {
        is_cut = given.len() == ROWS_MAX;
        if is_cut {
            break;
        }
        let cells: rusqlite::Result<Vec<Value>> = (0..columns.len()).map(|at| row.get_ref(at).map(value)).collect();
        given.push(cells?);
    }
    Ok(json!({ "columns": columns, "rows": given, "cut": is_cut }).to_string())
}

fn value(cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => json!(number),
        ValueRef::Real(number) => json!(number),
        ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => json!(format!("{} bytes", bytes.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reading_side_cannot_write() {
        let folder = std::env::temp_dir().join(format!("turnseal-shop-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let shop = Shop::open(&folder.join("shop.db")).unwrap();
        let reads = shop.reads.connection.lock().unwrap();
        assert!(rows(&reads, "SELECT count(*) FROM orders").unwrap().contains("[[8]]"));
        assert!(rows(&reads, "DELETE FROM orders").is_err());
        assert!(rows(&reads, "SELECT count(*) FROM orders").unwrap().contains("[[8]]"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
