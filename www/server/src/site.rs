//! Files of a folder, as a browser asks for them.

use std::path::{Component, Path, PathBuf};

use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;

const TYPES: &[(&str, &str)] = &[
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("wasm", "application/wasm"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("txt", "text/plain; charset=utf-8"),
    ("map", "application/json"),
];

const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A folder that is served.
#[derive(Debug)]
pub(crate) struct Site {
    root: PathBuf,
}

impl Site {
    /// Errors: it is no folder.
    pub(crate) fn new(root: &Path) -> Result<Self, String> {
        let root = root.canonicalize().map_err(|error| format!("--site {}: {error}", root.display()))?;
        if root.is_dir() { Ok(Self { root }) } else { Err(format!("--site {}: no folder", root.display())) }
    }

    pub(crate) async fn file(&self, method: &Method, path: &str) -> Result<Response, Problem> {
        let missing = || Problem::missing(format!("there is no {path}"));
        if method != Method::GET && method != Method::HEAD {
            return Err(missing());
        }
        let mut file = self.root.join(relative(path).ok_or_else(missing)?);
        if path.ends_with('/') {
            file.push("index.html");
        } else if tokio::fs::metadata(&file).await.is_ok_and(|found| found.is_dir()) {
            // Beside its slash a page would look for its files in the wrong folder. The path is our own, and stays here.
            let to = format!("/{}/", path.trim_matches('/'));
            return Ok((StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response());
        }
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let kind = TYPES.iter().find(|(known, _)| *known == ending).ok_or_else(missing)?.1;
        // A link that leads out of the folder is not followed.
        let real = tokio::fs::canonicalize(&file).await.map_err(|_| missing())?;
        if !real.starts_with(&self.root) {
            return Err(missing());
        }
        let bytes = tokio::fs::read(real).await.map_err(|_| missing())?;
        let headers = [
            (header::CONTENT_TYPE, kind),
            (header::CACHE_CONTROL, "no-cache"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
        ];
        Ok((headers, bytes).into_response())
    }
}

/// The path below the folder; `None` where it leads elsewhere.
fn relative(path: &str) -> Option<PathBuf> {
    let plain = decoded(path.trim_start_matches('/'))?;
    let below = Path::new(&plain).components().all(|part| matches!(part, Component::Normal(_)));
    (below && !plain.contains('\\')).then(|| PathBuf::from(plain))
}

/// Without `%xx`.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let byte = if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        } else {
            byte
        };
        if byte == 0 {
            return None;
        }
        bytes.push(byte);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_below_the_folder() {
        assert_eq!(relative("/a/b%20c.js"), Some("a/b c.js".into()));
        assert_eq!(relative("/"), Some("".into()));
        for path in ["/../x", "/a/%2e%2e/x", "/a\\..\\x", "/%00", "/%zz", "//%2fetc/passwd"] {
            assert_eq!(relative(path), None, "{path}");
        }
    }
}
