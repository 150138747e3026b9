//! Who may ask: pages of this server, and whoever is no page. A page of another site may not (nor by a name that it made).

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::hub::Hub;
use crate::problem::Problem;

const LOCAL: &[&str] = &["localhost", "127.0.0.1", "[::1]"];

/// Checks `Host` and `Origin`.
pub(crate) fn check(hub: &Hub, headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).unwrap_or_default();
    allows(host, text(header::ORIGIN), &hub.origins, hub.is_public)
}

/// Tells a browser that a page of this origin may ask and read.
pub(crate) fn let_in(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, PUT, PATCH, DELETE"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
}

fn allows(host: &str, origin: Option<&str>, origins: &[String], is_public: bool) -> Result<(), Problem> {
    // A name that leads to loopback by somebody else's DNS is not ours.
    let name = host.rsplit_once(':').filter(|(_, port)| port.chars().all(|digit| digit.is_ascii_digit()));
    let name = name.map_or(host, |(name, _)| name);
    if !is_public && !LOCAL.contains(&name) {
        return Err(refused("bad-host", format!("this server is not {host}")));
    }
    let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(|of| of == host);
    match origin {
        Some(origin) if !is_own(origin) && !origins.iter().any(|known| known == origin) => {
            Err(refused("bad-origin", format!("pages of {origin} may not ask; --origin lets them in")))
        }
        _ => Ok(()),
    }
}

fn refused(code: &'static str, message: String) -> Problem {
    Problem { status: StatusCode::FORBIDDEN, code, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(host: &str, origin: Option<&str>, is_public: bool) -> &'static str {
        allows(host, origin, &["http://dev:5173".to_owned()], is_public).map_or_else(|problem| problem.code, |()| "ok")
    }

    #[test]
    fn own_pages_and_no_pages_may_ask() {
        assert_eq!(code("127.0.0.1:80", None, false), "ok");
        assert_eq!(code("localhost:80", Some("http://localhost:80"), false), "ok");
        assert_eq!(code("[::1]:80", Some("http://[::1]:80"), false), "ok");
        assert_eq!(code("127.0.0.1:80", Some("http://dev:5173"), false), "ok");
    }

    #[test]
    fn other_pages_may_not() {
        assert_eq!(code("127.0.0.1:80", Some("http://evil.example"), false), "bad-origin");
        assert_eq!(code("127.0.0.1:80", Some("http://127.0.0.1:81"), false), "bad-origin");
        assert_eq!(code("127.0.0.1:80", Some("null"), false), "bad-origin");
        assert_eq!(code("evil.example:80", Some("http://evil.example:80"), false), "bad-host");
        assert_eq!(code("", None, false), "bad-host");
        assert_eq!(code("chat.example", Some("http://chat.example"), true), "ok");
    }
}
