//! A model and tools that do what the user's text says.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use turnseal::drive::{Call, Model, Output, Request, Tools, Voice, Work};
use turnseal::engine::Ask;
use turnseal::model::{ChunkBody, Json, Role};
use turnseal::transcript::Vendor;

/// Counts who is at work.
#[derive(Clone, Default)]
pub struct Alive(Arc<AtomicUsize>);

impl Alive {
    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    fn enter(&self) -> Guard {
        self.0.fetch_add(1, Ordering::SeqCst);
        Guard(self.clone())
    }
}

struct Guard(Alive);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

pub async fn pass(ms: u64) {
    sleep_until(Instant::now() + Duration::from_millis(ms)).await;
}

/// A model that reads its part in the newest user message.
pub struct Actress(pub Alive);

impl Model for Actress {
    fn answer(self: Arc<Self>, request: Request, voice: Voice) -> Work<Result<(), String>> {
        let guard = self.0.enter();
        Box::pin(async move {
            let _guard = guard;
            let told = request.messages(Vendor::OpenaiChat);
            assert_eq!(told.problems, Vec::<String>::new(), "L13");
            play(&request, &voice).await
        })
    }
}

async fn play(request: &Request, voice: &Voice) -> Result<(), String> {
    let of_turn = || request.chunks.iter().filter(|row| row.turn == request.turn);
    let asked = of_turn().rfind(|row| row.role == Role::User).map(|row| row.body.clone());
    let Some(ChunkBody::Text { text }) = asked else { return Err("nobody asked".to_owned()) };
    // Several models: each plays the line that names it.
    let model = request.model.clone().unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{model}: "))).unwrap_or(&text);
    match line.split_once(' ').unwrap_or((line, "")) {
        ("silent", _) => std::future::pending::<()>().await,
        ("stream", _) => loop {
            voice.text("word ").await;
            pass(10).await;
        },
        ("call", tools) if request.step == 0 => {
            voice.text("let me see").await;
            for (at, tool) in tools.split(' ').enumerate() {
                let call = format!("c{at}").as_str().into();
                voice.tool_input(&call, tool, "{}").await;
                voice.tool_call(&call, tool, "{}").await;
            }
        }
        ("muse", tool) if request.step == 0 => voice.tool_call(&"c0".into(), tool, "{}").await,
        ("muse", _) => std::future::pending::<()>().await,
        ("panic", _) => panic!("the model is ill"),
        ("fail", _) => return Err("no capacity".to_owned()),
        ("polite", _) => {
            while !voice.is_yielding() {
                voice.text(".").await;
                pass(10).await;
            }
            voice.tool_call(&"c0".into(), "quick", "{}").await;
        }
        ("late", _) => drop(tokio::spawn(speak_late(voice.clone()))),
        _ => voice.text("ok").await,
    }
    Ok(())
}

/// Speaks when the answer is over.
async fn speak_late(voice: Voice) {
    pass(50).await;
    voice.text("too late").await;
}

/// Tools that do what their name says.
pub struct Stage(pub Alive);

impl Tools for Stage {
    fn approval(&self, call: &Call) -> Option<Ask> {
        (call.name == "ask").then(|| Ask { prompt: Some("may I?".to_owned()), options: None })
    }

    fn run(self: Arc<Self>, call: Call, output: Output) -> Work<Result<Json, String>> {
        let guard = self.0.enter();
        Box::pin(async move {
            let _guard = guard;
            match call.name.as_str() {
                "slow" => {
                    output.stdout("working").await;
                    output.cancelled().await;
                    // It needs a while to clean up behind itself.
                    pass(500).await;
                    output.stdout("cleaned up").await;
                    return Err("cancelled".to_owned());
                }
                "deaf" => pass(3_600_000).await,
                "stubborn" => {
                    // Gives its result all the same, within the grace.
                    output.cancelled().await;
                    pass(300).await;
                    return Ok(Json::new("\"a result that nobody wants\""));
                }
                "panic" => panic!("the tool is ill"),
                "fails" => return Err("no such file".to_owned()),
                _ => pass(20).await,
            }
            Ok(Json::new("not json"))
        })
    }
}
