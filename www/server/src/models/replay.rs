//! A recording of chat completions, said again: one response a request.

use std::path::Path;
use std::sync::Arc;

use turnseal::drive::{Model, Request, Voice, Work};

use super::Pace;
use super::completions::Completions;

/// A recording: its responses, as lines.
pub(super) struct Replay {
    responses: Vec<Vec<String>>,
    pace: Pace,
}

impl Replay {
    /// Reads a file: chunks as JSON, one a line, with or without `data:`; `[DONE]` ends a response.
    pub(super) fn new(file: &Path, pace: Pace) -> Result<Self, String> {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let mut responses = vec![Vec::new()];
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(response) = responses.last_mut() {
                response.push(line.to_owned());
            }
            if line.ends_with("[DONE]") {
                responses.push(Vec::new());
            }
        }
        responses.retain(|response| response.iter().any(|line| line.contains("\"choices\"")));
        if responses.is_empty() {
            return Err(format!("{}: no chunks of chat completions", file.display()));
        }
        Ok(Self { responses, pace })
    }
}

impl Model for Replay {
    fn answer(self: Arc<Self>, request: Request, voice: Voice) -> Work<Result<(), String>> {
        Box::pin(async move {
            let response = usize::try_from(request.step).ok().and_then(|step| self.responses.get(step));
            let Some(response) = response else {
                voice.text("The recording ends here.").await;
                return Ok(());
            };
            let mut completions = Completions::default();
            for line in response {
                self.pace.wait(20).await;
                completions.line(line, request.step, &voice).await?;
            }
            completions.line("[DONE]", request.step, &voice).await?;
            completions.end(&voice).await
        })
    }
}
