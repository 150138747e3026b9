//! The tools of the demo: a sample database and a scratch folder. What writes needs an approval.

mod command;
mod folder;
mod shop;

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use turnseal::drive::{Call, Output, Tools, Work};
use turnseal::engine::Ask;
use turnseal::model::Json;

use crate::metrics::Metrics;

/// The tools, as a model that speaks chat completions is told of them.
pub(crate) const SPECS: &str = r#"[
{"type":"function","function":{"name":"query_database","description":"Reads the sample database with one SELECT. Tables: orders(id, customer, product, quantity, price, due, state).","parameters":{"type":"object","properties":{"sql":{"type":"string"}},"required":["sql"]}}},
{"type":"function","function":{"name":"change_database","description":"Changes the sample database with one statement. A person is asked first.","parameters":{"type":"object","properties":{"sql":{"type":"string"}},"required":["sql"]}}},
{"type":"function","function":{"name":"list_files","description":"Names the files of the scratch folder.","parameters":{"type":"object","properties":{}}}},
{"type":"function","function":{"name":"read_file","description":"Reads a text file of the scratch folder.","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}},
{"type":"function","function":{"name":"write_file","description":"Writes a text file into the scratch folder. A person is asked first.","parameters":{"type":"object","properties":{"path":{"type":"string"},"text":{"type":"string"}},"required":["path","text"]}}},
{"type":"function","function":{"name":"run_command","description":"Runs a shell command in the scratch folder. A person is asked first.","parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}}
]"#;

/// What the tools work on.
pub(crate) struct Bench {
    shop: Arc<shop::Shop>,
    folder: folder::Folder,
    metrics: Arc<Metrics>,
}

#[derive(Deserialize)]
struct Sql {
    sql: String,
}

#[derive(Deserialize)]
struct Named {
    path: String,
}

#[derive(Deserialize)]
struct Written {
    path: String,
    text: String,
}

#[derive(Deserialize)]
struct Shell {
    command: String,
}

impl Bench {
    /// Prepares the folder and the database in it.
    pub(crate) fn new(folder: &Path, metrics: Arc<Metrics>) -> Result<Self, String> {
        let folder = folder::Folder::new(folder)?;
        let shop = Arc::new(shop::Shop::open(&folder.root().join("shop.db"))?);
        Ok(Self { shop, folder, metrics })
    }

    async fn carry(&self, call: &Call, output: &Output) -> Result<String, String> {
        match call.name.as_str() {
            "query_database" => shop::query(&self.shop, arguments::<Sql>(call)?.sql).await,
            "change_database" => shop::change(&self.shop, arguments::<Sql>(call)?.sql).await,
            "list_files" => self.folder.list().await,
            "read_file" => self.folder.read(&arguments::<Named>(call)?.path).await,
            "write_file" => {
                let Written { path, text } = arguments(call)?;
                self.folder.write(&path, &text).await
            }
            "run_command" => command::run(self.folder.root(), &arguments::<Shell>(call)?.command, output).await,
            other => Err(format!("there is no tool {other}")),
        }
    }
}

fn arguments<'a, T: Deserialize<'a>>(call: &'a Call) -> Result<T, String> {
    serde_json::from_str(call.arguments.as_str()).map_err(|error| format!("the arguments of {}: {error}", call.name))
}

impl Tools for Bench {
    fn approval(&self, call: &Call) -> Option<Ask> {
        let prompt = match call.name.as_str() {
            "change_database" => format!("Change the sample database? {}", arguments::<Sql>(call).ok()?.sql),
            "write_file" => format!("Write the file {}?", arguments::<Written>(call).ok()?.path),
            "run_command" => format!("Run this command? {}", arguments::<Shell>(call).ok()?.command),
            // Reading needs nobody; what cannot be read, or is not known, fails without doing anything.
            _ => return None,
        };
        Some(Ask { prompt: Some(prompt), options: None })
    }

    fn run(self: Arc<Self>, call: Call, output: Output) -> Work<Result<Json, String>> {
        Box::pin(async move {
            self.metrics.tool_run();
            tracing::info!(thread = %call.thread, call = %call.call, name = call.name, "tool");
            tokio::select! {
                // What is dropped here ends: a command with its group, a statement with its connection's interrupt.
                () = output.cancelled() => Err("stopped".to_owned()),
                done = self.carry(&call, &output) => done.map(|result| turnseal::drive::json(&result)),
            }
        })
    }
}
