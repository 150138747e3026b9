//! A shell command in a process group of its own, which ends with its turn.

use std::path::Path;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use turnseal::drive::Output;

/// So much of what a command prints goes to the model.
const TOLD_MAX: usize = 16 * 1024;

/// Everything that a command has started. Dropping it ends it all, whoever drops it.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            // It may have ended by itself.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

pub(super) async fn run(folder: &Path, command: &str, output: &Output) -> Result<String, String> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).current_dir(folder).process_group(0).kill_on_drop(true);
    // Nothing of this server's environment is a command's business; keys are in it.
    shell.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("LANG", "C.UTF-8");
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = shell.spawn().map_err(|error| format!("sh: {error}"))?;
    let leader = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let group = Group(leader);
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let mut read = std::pin::pin!(async { tokio::join!(pass(out, output, true), pass(err, output, false)) });
    let told = tokio::select! {
        told = &mut read => Some(told),
        // The shell may end and leave something running that holds its pipes.
        _ = child.wait() => None,
    };
    let code = child.wait().await.map_err(|error| error.to_string())?.code();
    drop(group);
    let (out, err) = match told {
        Some(told) => told,
        None => read.await,
    };
    Ok(json!({ "code": code, "output": out + &err }).to_string())
}

/// Tells what comes as it comes, and keeps the beginning.
async fn pass(stream: Option<impl AsyncRead + Unpin>, output: &Output, is_stdout: bool) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let (mut kept, mut held, mut bytes) = (String::new(), Vec::new(), [0; 4096]);
    while let Ok(count) = stream.read(&mut bytes).await {
        let Some(fresh) = bytes.get(..count).filter(|fresh| !fresh.is_empty()) else { break };
        held.extend_from_slice(fresh);
        // A character may be cut between two reads.
        let whole = match std::str::from_utf8(&held) {
            Ok(_) => held.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => held.len(),
        };
        let text = String::from_utf8_lossy(held.get(..whole).unwrap_or_default()).into_owned();
        held.drain(..whole);
        if is_stdout {
            output.stdout(&text).await;
        } else {
            output.stderr(&text).await;
        }
        if kept.len() < TOLD_MAX {
            kept.push_str(&text);
        }
    }
    kept
}
