//! Who answers: a demo, a recording, or an endpoint that speaks chat completions.

mod completions;
mod demo;
mod openai;
mod replay;
mod scenes;

use std::sync::Arc;
use std::time::Duration;

use turnseal::drive::{Model, Request, Voice, Work};

use crate::args::Speaker;
use crate::metrics::Metrics;

/// How fast a model that is none speaks: 100 as a human reads, 0 at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace(pub(crate) u32);

impl Pace {
    /// Waits that long, at this pace.
    async fn wait(self, ms: u64) {
        let ms = ms * u64::from(self.0) / 100;
        if ms > 0 {
            tokio::time::sleep(Duration::from_millis(ms)).await;
        } else {
            tokio::task::yield_now().await;
        }
    }
}

/// The model that was asked for.
pub(crate) fn model(speaker: &Speaker, pace: Pace, metrics: Arc<Metrics>) -> Result<Arc<dyn Model>, String> {
    let inner: Arc<dyn Model> = match speaker {
        Speaker::Demo => Arc::new(demo::Demo(pace)),
        Speaker::Replay { file } => Arc::new(replay::Replay::new(file, pace)?),
        Speaker::Openai => Arc::new(openai::Openai::from_env()?),
    };
    Ok(Arc::new(Counted { inner, metrics }))
}

/// A model whose requests are counted.
struct Counted {
    inner: Arc<dyn Model>,
    metrics: Arc<Metrics>,
}

impl Model for Counted {
    fn answer(self: Arc<Self>, request: Request, voice: Voice) -> Work<Result<(), String>> {
        self.metrics.model_request();
        tracing::info!(thread = %request.thread, execution = %request.execution, step = request.step, "model");
        Arc::clone(&self.inner).answer(request, voice)
    }
}
