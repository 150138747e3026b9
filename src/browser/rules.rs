//! The numbers and small rules of a connection. `tests/link/cases.json` is played against these and against TypeScript.

/// The first wait, doubled with each attempt.
const WAIT_MS: f64 = 500.0;
/// The longest wait.
const WAIT_MS_MAX: f64 = 30_000.0;
/// A socket listens to so many threads.
pub(super) const THREADS_MAX: usize = 64;
/// The server says a word each 15 seconds. So long without one, and the socket is dead.
pub(super) const SILENT_MS: u64 = 40_000;
/// So long without a word, and a page that was away does not wait for the rest.
pub(super) const SUSPECT_MS: u64 = 20_000;
/// So long a socket may take to open.
pub(super) const OPEN_MS: u64 = 15_000;
/// So often a socket is asked whether it is still alive.
pub(super) const LOOK_MS: u64 = 5_000;

/// How long to wait behind so many attempts that failed; `chance` is from 0 to 1.
#[must_use]
pub fn wait_ms(attempt: u32, chance: f64) -> u64 {
    let doubled = i32::try_from(attempt.saturating_sub(1).min(16)).unwrap_or_default();
    let whole = (WAIT_MS * 2_f64.powi(doubled)).min(WAIT_MS_MAX);
    // Between 375 and 37,500: the cast neither cuts nor turns.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ms = (whole * (0.75 + chance.clamp(0.0, 1.0) / 2.0)).round() as u64;
    ms
}

/// What is asked again by itself: nobody answered, or somebody who cannot now.
#[must_use]
pub fn is_passing(status: Option<u16>) -> bool {
    matches!(status, None | Some(429 | 502 | 503 | 504))
}

/// A URL in the pieces that a browser gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location<'a> {
    /// With its colon: `https:`.
    pub protocol: &'a str,
    /// With its port.
    pub host: &'a str,
    /// With its first slash.
    pub path: &'a str,
    /// With its question mark, or empty.
    pub search: &'a str,
}

/// Where requests go, without a slash at the end, and where the socket is. `None`: no protocol of a server.
#[must_use]
pub fn addresses(location: Location<'_>) -> Option<(String, String)> {
    let secure = match location.protocol {
        "https:" | "wss:" => "s",
        "http:" | "ws:" => "",
        _ => return None,
    };
    let rest = format!("{}{}", location.host, location.path.trim_end_matches('/'));
    Some((format!("http{secure}://{rest}"), format!("ws{secure}://{rest}/ws{}", location.search)))
}
