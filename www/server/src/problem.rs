//! What is wrong with a request, as JSON: `{code, message}`.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use turnseal::drive::Gone;
use turnseal::wire::encode;

/// A request that is not carried out.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// A word to look up.
    pub(crate) code: &'static str,
    /// In words.
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code, message: message.into() }
    }

    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self { status: StatusCode::NOT_FOUND, code: "not-found", message: message.into() }
    }

    /// Something of ours does not work.
    pub(crate) fn broken(message: impl Into<String>) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, code: "unavailable", message: message.into() }
    }
}

impl From<Gone> for Problem {
    fn from(gone: Gone) -> Self {
        Self::broken(gone.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut body = format!("{{\"code\":\"{}\",\"message\":", self.code);
        encode::string(&self.message, &mut body);
        body.push('}');
        (self.status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}
