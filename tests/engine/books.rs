//! E62: what the log says of messages and calls when all is at rest.

use std::collections::{BTreeMap, BTreeSet};

use turnseal::engine::OnLateOutput;
use turnseal::model::ChunkBody;

use super::bench::Bench;
use super::random::Run;

impl Run {
    /// E62, at rest: each message that a turn took is in the log once, and each call has its one word.
    pub fn conserved(&self) -> Result<(), String> {
        each_call_is_closed_once(&self.bench, self.policy.late_output == OnLateOutput::Replace)?;
        let mut users: BTreeMap<String, usize> = BTreeMap::new();
        for row in self.bench.log.iter().filter(|row| row.role == turnseal::model::Role::User) {
            for id in row.message_ids() {
                *users.entry(id.to_string()).or_default() += 1;
            }
        }
        if users.values().any(|count| *count != 1) {
            return Err(format!("L11: {users:?}"));
        }
        let taken: BTreeSet<_> = self.taken.keys().cloned().collect();
        let users: BTreeSet<_> = users.into_keys().collect();
        if users == taken { Ok(()) } else { Err(format!("L11: taken {taken:?}, in the log {users:?}")) }
    }
}

/// Whether each call of the log has its one word behind it. A late result may follow the word that there is none.
fn each_call_is_closed_once(bench: &Bench, replaces: bool) -> Result<(), String> {
    let mut open: BTreeMap<String, i32> = BTreeMap::new();
    for row in &bench.log {
        let key = |call: &str| format!("{}/{:?}/{:?}/{call}", row.turn, row.execution, row.step);
        match &row.body {
            ChunkBody::ToolCall { call, .. } => *open.entry(key(call.as_str())).or_default() += 1,
            ChunkBody::ToolResult { call, .. } => *open.entry(key(call.as_str())).or_default() -= 1,
            ChunkBody::Unknown { data, .. } => {
                // A call that never became whole may have a word on it, and is no row itself.
                let call = data.as_str().split('"').nth(3).unwrap();
                open.entry(key(call)).and_modify(|count| *count -= 1);
            }
            _ => {}
        }
    }
    let fits = |count: i32| count == 0 || replaces && count == -1;
    if open.values().all(|count| fits(*count)) { Ok(()) } else { Err(format!("E62: {open:?}")) }
}
