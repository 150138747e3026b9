//! The HTTP endpoints. PROTOCOL.md has them all.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, patch, post};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use turnseal::wire::encode;

use crate::acts;
use crate::chaos;
use crate::db::{Wanted, blocking};
use crate::guard;
use crate::hub::{Hub, thread_id};
use crate::list;
use crate::problem::Problem;
use crate::ws;

/// So large a body may be.
const BODY_MAX: usize = 1024 * 1024;

pub(crate) type Shared = State<Arc<Hub>>;

/// All endpoints.
pub(crate) fn routes(hub: Arc<Hub>) -> Router {
    Router::new()
        .route("/ws", get(ws::upgrade))
        .route("/threads", get(list::threads))
        .route("/threads/{thread}", patch(list::rename))
        .route("/threads/{thread}/chunks", get(chunks))
        .route("/threads/{thread}/snapshot", get(snapshot))
        .route("/threads/{thread}/messages", post(acts::message))
        .route("/threads/{thread}/stop", post(acts::stop))
        .route("/threads/{thread}/approvals/{call}", post(acts::approval))
        .route("/threads/{thread}/queue/resume", post(acts::resume))
        .route("/threads/{thread}/queue/{message}", patch(acts::edit).delete(acts::cancel))
        .route("/chaos", get(chaos::get).put(chaos::put))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .fallback(other)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(middleware::from_fn_with_state(Arc::clone(&hub), watched))
        .with_state(hub)
}

/// Every request: who may ask, and what is counted.
async fn watched(State(hub): Shared, request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let origin = request.headers().get(header::ORIGIN).cloned();
    let mut response = match guard::check(&hub, request.headers()) {
        // A browser asks first what a page of another origin may do.
        Ok(()) if method == Method::OPTIONS => StatusCode::NO_CONTENT.into_response(),
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    if let Some(origin) = origin.filter(|_| response.status() != StatusCode::FORBIDDEN) {
        guard::let_in(response.headers_mut(), origin);
    }
    let status = response.status();
    hub.metrics.request(status.is_client_error() || status.is_server_error());
    tracing::debug!(%method, path, status = status.as_u16(), "request");
    response
}

/// The JSON of a body.
pub(crate) fn body<T: DeserializeOwned>(bytes: Result<Bytes, BytesRejection>) -> Result<T, Problem> {
    let bytes = bytes.map_err(|refused| Problem {
        status: refused.status(),
        code: if refused.status() == StatusCode::PAYLOAD_TOO_LARGE { "too-large" } else { "bad-body" },
        message: refused.body_text(),
    })?;
    // An empty body is an empty object: a stop needs no words.
    let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
    serde_json::from_slice(text).map_err(|error| Problem::bad("bad-body", error.to_string()))
}

/// JSON text as an answer.
pub(crate) fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], text).into_response()
}

/// The same of a value.
pub(crate) fn json_of(value: &impl Serialize) -> Result<Response, Problem> {
    serde_json::to_string(value).map(json).map_err(|error| Problem::broken(error.to_string()))
}

#[derive(Deserialize)]
struct PageQuery {
    limit: Option<u32>,
    before: Option<String>,
    after: Option<String>,
}

async fn chunks(
    State(hub): Shared,
    Path(thread): Path<String>,
    query: Result<Query<PageQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let Query(query) = query.map_err(|refused| Problem::bad("bad-query", refused.body_text()))?;
    let thread = thread_id(&thread)?;
    let place = |name: &str, text: Option<String>| match text.filter(|text| !text.is_empty()) {
        Some(text) => text.parse().map(Some).map_err(|_| Problem::bad("bad-query", format!("{name} is no seq"))),
        None => Ok(None),
    };
    let wanted = Wanted {
        limit: query.limit.unwrap_or(100),
        before: place("before", query.before)?,
        after: place("after", query.after)?,
    };
    hub.sky.slow().await;
    let db = Arc::clone(&hub.db);
    let page = blocking(move || db.page(&thread, wanted)).await.map_err(Problem::broken)?;
    Ok(json(encode::page(&page)))
}

async fn snapshot(State(hub): Shared, Path(thread): Path<String>) -> Result<Response, Problem> {
    match hub.subscribe(&thread, None).await?.opening {
        turnseal::drive::Opening::Snapshot(snapshot) => Ok(json(encode::event(&snapshot))),
        turnseal::drive::Opening::Replay(_) => Err(Problem::broken("the thread gave no snapshot")),
    }
}

async fn health(State(hub): Shared) -> Result<Response, Problem> {
    let db = Arc::clone(&hub.db);
    blocking(move || db.threads()).await.map_err(Problem::broken)?;
    Ok(json("{\"status\":\"ok\"}".to_owned()))
}

async fn metrics(State(hub): Shared) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], hub.metrics.text()).into_response()
}

async fn other(State(hub): Shared, request: Request) -> Result<Response, Problem> {
    let path = request.uri().path();
    match &hub.site {
        Some(site) => site.file(request.method(), path).await,
        None => Err(Problem::missing(format!("there is no {path}"))),
    }
}

async fn wrong_method() -> Problem {
    let message = "this path does not take that method".to_owned();
    Problem { status: StatusCode::METHOD_NOT_ALLOWED, code: "wrong-method", message }
}
