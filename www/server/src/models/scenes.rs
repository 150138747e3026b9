//! What the demo plays: which tools it uses for which words, and what it makes of their results.

use serde_json::{Value, json};

/// One thing that the demo does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Act {
    Think(String),
    Say(String),
    Call { tool: &'static str, arguments: String },
    Fail(String),
}

const LATE: &str = "SELECT id, customer, due FROM orders WHERE state = 'open' AND due < '2025-06-01' ORDER BY due";
const SALES: &str = "SELECT product, sum(quantity) AS sold, sum(quantity * price) AS value FROM orders GROUP BY product ORDER BY value DESC";

/// What the demo does in a step, having been asked `asked`, with the results of the step before.
pub(super) fn scene(asked: &str, step: usize, results: &[(String, bool)]) -> Vec<Act> {
    let asked = asked.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| asked.contains(word));
    if has(&["fail"]) {
        return vec![say("Let me see."), Act::Fail("the demo was asked to fail".to_owned())];
    }
    if has(&["ship", "change", "update", "delete", "mark"]) {
        ship(step, results)
    } else if has(&["report", "write", "save"]) {
        report(step, results)
    } else if has(&["run", "build", "command", "shell"]) {
        run(step, results)
    } else if has(&["late", "order", "overdue"]) {
        late(step, results)
    } else if has(&["sell", "sold", "sales", "product", "database", "how many"]) {
        sales(step, results)
    } else if has(&["file", "folder", "list"]) {
        files(step, results)
    } else {
        vec![think("No tool is needed for this."), say(TALK)]
    }
}

const TALK: &str = "I am a demo: I know no more than my scenes, but my tools are real. Ask me which orders are late, \
    and I query a small SQLite database. Ask me to ship them, and I want to change it, which needs your approval. Ask \
    for a report, and I write a file. Ask me to run something, and you see its output as it comes; stop me while it \
    runs, and its process ends with the turn. While I speak you can queue a message, or steer me with one. \
    Nothing that you type is lost, and nothing is shown twice: kill this server at any moment and start it again.";

fn late(step: usize, results: &[(String, bool)]) -> Vec<Act> {
    match step {
        0 => vec![think("The orders table has a due date."), say("I look into the orders. "), query(LATE)],
        _ => vec![say(&table(results, "orders are late"))],
    }
}

fn sales(step: usize, results: &[(String, bool)]) -> Vec<Act> {
    match step {
        0 => vec![say("I add up the orders by product. "), query(SALES)],
        _ => vec![say(&table(results, "products, by value"))],
    }
}

fn ship(step: usize, results: &[(String, bool)]) -> Vec<Act> {
    let change = "UPDATE orders SET state = 'shipped' WHERE state = 'open' AND due < '2025-06-01'";
    match step {
        0 => vec![think("First look, then change."), say("I look which orders are late. "), query(LATE)],
        1 => vec![
            say("These can go out. Changing them needs your approval. "),
            call("change_database", json!({ "sql": change })),
        ],
        _ => vec![say(&outcome(results, |value| format!("Done: {} orders are shipped now.", field(value, "changed"))))],
    }
}

fn report(step: usize, results: &[(String, bool)]) -> Vec<Act> {
    match step {
        0 => vec![say("I need figures first. "), query(SALES), query(LATE)],
        1 => {
            let text = format!("# Orders\n\n{}", table(results, "rows"));
            vec![say("Now I write them down. "), call("write_file", json!({ "path": "report.md", "text": text }))]
        }
        2 => vec![call("read_file", json!({ "path": "report.md" }))],
        _ => vec![say(&outcome(results, |value| {
            let lines = field(value, "text").as_str().unwrap_or_default().lines().count();
            format!("The report stands in report.md and has {lines} lines.")
        }))],
    }
}

fn run(step: usize, results: &[(String, bool)]) -> Vec<Act> {
    let command = "for step in 1 2 3 4 5 6 7 8; do echo \"step $step of 8\"; sleep 1; done; ls -l";
    match step {
        0 => vec![say("This takes a while; stop me if you like. "), call("run_command", json!({ "command": command }))],
        _ => vec![say(&outcome(results, |value| format!("It ended with code {}.", field(value, "code"))))],
    }
}

fn files(step: usize, results: &[(String, bool)]) -> Vec<Act> {
    match step {
        0 => vec![call("list_files", json!({}))],
        _ => vec![say(&outcome(results, |value| {
            let names: Vec<&str> =
                field(value, "files").as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            format!("There are {} files: {}.", names.len(), names.join(", "))
        }))],
    }
}

fn think(text: &str) -> Act {
    Act::Think(text.to_owned())
}

fn say(text: &str) -> Act {
    Act::Say(text.to_owned())
}

fn call(tool: &'static str, arguments: Value) -> Act {
    Act::Call { tool, arguments: arguments.to_string() }
}

fn query(sql: &str) -> Act {
    call("query_database", json!({ "sql": sql }))
}

/// What to say about a result: the tool's own words where it failed or was denied.
fn outcome(results: &[(String, bool)], good: impl Fn(&Value) -> String) -> String {
    match results.last() {
        Some((result, false)) => good(&serde_json::from_str(result).unwrap_or_default()),
        Some((result, true)) => format!("That did not work out: {result}. I leave it at that."),
        None => "There is no result; I leave it at that.".to_owned(),
    }
}

/// A field; null, where there is none.
fn field<'a>(value: &'a Value, name: &str) -> &'a Value {
    value.get(name).unwrap_or(&Value::Null)
}

/// Rows of a query as a table of Markdown.
fn table(results: &[(String, bool)], what: &str) -> String {
    let mut text = String::new();
    for (result, is_error) in results {
        if *is_error {
            text.push_str(&format!("A query failed: {result}\n\n"));
            continue;
        }
        let value: Value = serde_json::from_str(result).unwrap_or_default();
        let line = |cells: &Value| {
            let cells = cells.as_array().into_iter().flatten();
            let cells: Vec<String> = cells.map(|cell| cell.as_str().map_or(cell.to_string(), str::to_owned)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rows = field(&value, "rows").as_array().cloned().unwrap_or_default();
        let columns = field(&value, "columns").as_array().map_or(0, Vec::len);
        text.push_str(&format!("{} {what}:\n\n", rows.len()));
        text.push_str(&line(field(&value, "columns")));
        text.push_str(&format!("|{}\n", " --- |".repeat(columns)));
        rows.iter().for_each(|row| text.push_str(&line(row)));
        text.push('\n');
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_comes_behind_a_look_and_tells_what_the_tool_said() {
        assert_eq!(scene("Ship the late ones", 0, &[]).last(), Some(&query(LATE)));
        let asked = scene("ship", 1, &[]);
        assert!(matches!(asked.last(), Some(Act::Call { tool: "change_database", .. })));
        assert_eq!(scene("ship", 2, &[(r#"{"changed":3}"#.into(), false)]), [say("Done: 3 orders are shipped now.")]);
        let denied = scene("ship", 2, &[("\"denied\"".into(), true)]);
        assert_eq!(denied, [say("That did not work out: \"denied\". I leave it at that.")]);
    }

    #[test]
    fn rows_become_a_table() {
        let result = r#"{"columns":["id","due"],"rows":[[1,"2025-05-01"],[2,null]]}"#;
        let text = table(&[(result.into(), false)], "orders are late");
        assert_eq!(text, "2 orders are late:\n\n| id | due |\n| --- | --- |\n| 1 | 2025-05-01 |\n| 2 | null |");
    }
}
