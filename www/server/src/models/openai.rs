//! Any endpoint that speaks streaming chat completions: `OPENAI_BASE_URL`, `OPENAI_API_KEY`, `MODEL`.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use turnseal::drive::{Model, Request, Voice, Work};
use turnseal::transcript::Vendor;

use super::completions::Completions;
use crate::tools;

/// So long a line of the stream may be.
const LINE_MAX: usize = 4 * 1024 * 1024;

/// The endpoint.
pub(super) struct Openai {
    client: reqwest::Client,
    url: String,
    key: Option<String>,
    model: String,
}

impl Openai {
    pub(super) fn from_env() -> Result<Self, String> {
        let env = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let base = env("OPENAI_BASE_URL").unwrap_or_else(|| "https://api.openai.com/v1".to_owned());
        let model = env("MODEL").ok_or("--model openai wants MODEL, the name of a model")?;
        let client = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .read_timeout(Duration::from_secs(120))
            .build()
            .map_err(|error| error.to_string())?;
        let url = format!("{}/chat/completions", base.trim_end_matches('/'));
        Ok(Self { client, url, key: env("OPENAI_API_KEY"), model })
    }

    /// The request. Messages and tools are JSON already.
    fn body(&self, request: &Request) -> Result<String, String> {
        let told = request.messages(Vendor::OpenaiChat);
        for problem in &told.problems {
            tracing::warn!(execution = %request.execution, problem, "messages");
        }
        let raw = |text: String| RawValue::from_string(text).map_err(|error| error.to_string());
        #[derive(serde::Serialize)]
        struct Body<'a> {
            model: &'a str,
            stream: bool,
            stream_options: StreamOptions,
            messages: Box<RawValue>,
            tools: Box<RawValue>,
        }
        #[derive(serde::Serialize)]
        struct StreamOptions {
            include_usage: bool,
        }
        let body = Body {
            model: request.model.as_deref().unwrap_or(&self.model),
            stream: true,
            stream_options: StreamOptions { include_usage: true },
            messages: raw(told.messages)?,
            tools: raw(tools::SPECS.to_owned())?,
        };
        serde_json::to_string(&body).map_err(|error| error.to_string())
    }

    async fn ask(&self, request: &Request, voice: &Voice) -> Result<(), String> {
        let post = self.client.post(&self.url).header("content-type", "application/json").body(self.body(request)?);
        let post = match &self.key {
            Some(key) => post.bearer_auth(key),
            None => post,
        };
        let mut response = post.send().await.map_err(|error| format!("the model: {}", error.without_url()))?;
        if !response.status().is_success() {
            let status = response.status();
            let text = response.text().await.unwrap_or_default();
            return Err(format!("the model answered {status}: {}", text.chars().take(300).collect::<String>()));
        }
        let (mut completions, mut held) = (Completions::default(), Vec::new());
        while let Some(bytes) = response.chunk().await.map_err(|error| format!("the model: {}", error.without_url()))? {
            held.extend_from_slice(&bytes);
            while let Some(end) = held.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = held.drain(..=end).collect();
                completions.line(String::from_utf8_lossy(&line).trim(), request.step, voice).await?;
            }
            if held.len() > LINE_MAX {
                return Err("the model sent a line without end".to_owned());
            }
        }
        completions.line(String::from_utf8_lossy(&held).trim(), request.step, voice).await?;
        completions.end(voice).await
    }
}

impl Model for Openai {
    fn answer(self: Arc<Self>, request: Request, voice: Voice) -> Work<Result<(), String>> {
        Box::pin(async move { self.ask(&request, &voice).await })
    }
}
