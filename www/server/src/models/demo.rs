//! A model that is none: it plays scenes with real tools, at the pace of a human reader, and needs no network.

use std::sync::Arc;

use turnseal::drive::{Model, Request, Voice, Work};
use turnseal::model::{CallId, Chunk, ChunkBody, Role};

use super::Pace;
use super::scenes::{Act, scene};

/// The demo.
pub(super) struct Demo(pub(super) Pace);

impl Model for Demo {
    fn answer(self: Arc<Self>, request: Request, voice: Voice) -> Work<Result<(), String>> {
        Box::pin(async move {
            let step = usize::try_from(request.step).unwrap_or(usize::MAX);
            let asked = asked(&request);
            let acts = scene(&asked, step, &results(&request));
            for (at, act) in acts.into_iter().enumerate() {
                play(act, at, &request, &voice, self.0).await?;
            }
            Ok(())
        })
    }
}

async fn play(act: Act, at: usize, request: &Request, voice: &Voice, pace: Pace) -> Result<(), String> {
    match act {
        Act::Think(text) => {
            for word in words(&text) {
                pace.wait(25).await;
                voice.reasoning(word).await;
            }
            voice.reasoning_end(None).await;
        }
        Act::Say(text) => {
            for word in words(&text) {
                pace.wait(30 + 4 * word.len() as u64).await;
                voice.text(word).await;
                // A steer waits: the sentence is finished, not the speech.
                if voice.is_yielding() && word.trim_end().ends_with(['.', '!', '?', ':']) {
                    return Ok(());
                }
            }
        }
        Act::Call { tool, arguments } => {
            let call = CallId::new(format!("{}-{}-{at}", request.execution, request.step));
            for piece in words(&arguments) {
                pace.wait(25).await;
                voice.tool_input(&call, tool, piece).await;
            }
            voice.tool_call(&call, tool, &arguments).await;
        }
        Act::Fail(why) => return Err(why),
    }
    Ok(())
}

/// Words, each with the blanks behind it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ')
}

fn of_turn(request: &Request) -> impl DoubleEndedIterator<Item = &Chunk> {
    request.chunks.iter().filter(|row| row.turn == request.turn)
}

/// What the user said in this turn.
fn asked(request: &Request) -> String {
    let said = of_turn(request).rev().find_map(|row| match &row.body {
        ChunkBody::Text { text } if row.role == Role::User => Some(text.clone()),
        _ => None,
    });
    said.unwrap_or_default()
}

/// What the tools of the step before have answered, as JSON, and whether it is an error.
fn results(request: &Request) -> Vec<(String, bool)> {
    let before = request.step.checked_sub(1);
    let of_step = |row: &&Chunk| row.step == before || row.step.is_none();
    let results = of_turn(request).filter(of_step).filter_map(|row| match &row.body {
        ChunkBody::ToolResult { result, is_error, .. } => Some((result.as_str().to_owned(), *is_error)),
        _ => None,
    });
    results.collect()
}
