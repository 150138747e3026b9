//! A bad network, played on purpose: what goes to a client is late, lost, said twice or cut off, and pages are slow.
//!
//! Only what clients get is touched. What they ask is carried out, so nothing here can break a rule of the log.

use std::collections::VecDeque;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::hub::Hub;
use crate::problem::Problem;
use crate::routes::{Shared, body, json_of};

/// So many frames wait for their time.
const LATE_MAX: usize = 256;

/// What is done; zeroes: nothing.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Chaos {
    /// Each frame waits up to so many milliseconds; their order stays.
    pub(crate) delay: u32,
    /// So many frames of a hundred are lost.
    pub(crate) loss: u32,
    /// So many frames of a hundred come twice.
    pub(crate) repeat: u32,
    /// A socket is cut after about so many seconds.
    pub(crate) cut: u32,
    /// A page takes so many milliseconds.
    pub(crate) slow: u32,
}

impl Chaos {
    /// Errors: which rule cannot be.
    fn checked(self) -> Result<Self, String> {
        let limits = [
            ("delay", self.delay, 10_000),
            ("loss", self.loss, 100),
            ("repeat", self.repeat, 100),
            ("cut", self.cut, 3_600),
            ("slow", self.slow, 25_000),
        ];
        match limits.iter().find(|(_, value, limit)| value > limit) {
            Some((name, _, limit)) => Err(format!("{name} is {limit} at most")),
            None => Ok(self),
        }
    }
}

/// Reads `delay=200,loss=5`; `off` is nothing of all that. Errors: what is wrong with it.
pub(crate) fn read(text: &str) -> Result<Chaos, String> {
    let mut chaos = Chaos::default();
    for rule in text.split(',').filter(|rule| !rule.is_empty() && *rule != "off") {
        let (name, value) = rule.split_once('=').ok_or(format!("--chaos {rule}: not NAME=NUMBER"))?;
        let value = value.parse().map_err(|_| format!("--chaos {rule}: not a number that it can be"))?;
        match name {
            "delay" => chaos.delay = value,
            "loss" => chaos.loss = value,
            "repeat" => chaos.repeat = value,
            "cut" => chaos.cut = value,
            "slow" => chaos.slow = value,
            _ => return Err(format!("--chaos {rule}: there is no {name}")),
        }
    }
    chaos.checked().map_err(|why| format!("--chaos: {why}"))
}

/// What is played now, for all; it is there only where the server was started with `--chaos`.
pub(crate) struct Sky(Option<watch::Sender<Chaos>>);

impl Sky {
    pub(crate) fn new(first: Option<Chaos>) -> Self {
        Self(first.map(|chaos| watch::channel(chaos).0))
    }

    pub(crate) fn now(&self) -> Chaos {
        self.0.as_ref().map(|sky| *sky.borrow()).unwrap_or_default()
    }

    /// Waits as long as a page takes.
    pub(crate) async fn slow(&self) {
        let ms = self.now().slow;
        if ms > 0 {
            tokio::time::sleep(Duration::from_millis(ms.into())).await;
        }
    }
}

/// The weather over one socket.
pub(crate) struct Weather {
    dice: Dice,
    late: VecDeque<(Instant, String)>,
    /// The rule it was worked out for, and when the socket is cut.
    cut: (u32, Option<Instant>),
}

impl Weather {
    pub(crate) fn new() -> Self {
        let seed = RandomState::new().build_hasher().finish();
        Self { dice: Dice(seed | 1), late: VecDeque::new(), cut: (0, None) }
    }

    /// Takes a frame: it is lost, waits, or waits twice.
    pub(crate) fn take(&mut self, frame: String, rules: Chaos, now: Instant) {
        if self.dice.is_hit(rules.loss) {
            return;
        }
        if self.dice.is_hit(rules.repeat) {
            self.put(frame.clone(), rules, now);
        }
        self.put(frame, rules, now);
    }

    fn put(&mut self, frame: String, rules: Chaos, now: Instant) {
        let due = now + Duration::from_millis(self.dice.below(u64::from(rules.delay) + 1));
        // What was sent later does not arrive earlier: it is one socket.
        let due = self.late.back().map_or(due, |(before, _)| due.max(*before));
        self.late.push_back((due, frame));
    }

    /// False: what comes has to wait.
    pub(crate) fn has_room(&self) -> bool {
        self.late.len() < LATE_MAX
    }

    /// When the next frame is to go.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.late.front().map(|(due, _)| *due)
    }

    pub(crate) fn pop(&mut self) -> Option<String> {
        self.late.pop_front().map(|(_, frame)| frame)
    }

    /// When the socket is to be cut.
    pub(crate) fn cut_at(&mut self, rules: Chaos, now: Instant) -> Option<Instant> {
        if self.cut.0 != rules.cut {
            let ms = u64::from(rules.cut) * 1_000;
            let after = Duration::from_millis(ms / 2 + self.dice.below(ms + 1));
            self.cut = (rules.cut, (rules.cut > 0).then(|| now + after));
        }
        self.cut.1
    }
}

/// Chance, as Marsaglia's xorshift has it.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end.max(1)
    }

    fn is_hit(&mut self, percent: u32) -> bool {
        percent > 0 && self.below(100) < u64::from(percent)
    }
}

pub(crate) async fn get(State(hub): Shared) -> Result<Response, Problem> {
    told(&hub)
}

pub(crate) async fn put(State(hub): Shared, given: Result<Bytes, BytesRejection>) -> Result<Response, Problem> {
    if let Some(sky) = &hub.sky.0 {
        let chaos: Chaos = body(given)?;
        sky.send_replace(chaos.checked().map_err(|why| Problem::bad("bad-body", why))?);
    }
    told(&hub)
}

fn told(hub: &Hub) -> Result<Response, Problem> {
    if hub.sky.0.is_none() {
        return Err(Problem::missing("this server was started without --chaos"));
    }
    json_of(&hub.sky.now())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(rules: Chaos, count: usize) -> Vec<(Instant, String)> {
        let (mut weather, now) = (Weather::new(), Instant::now());
        (0..count).for_each(|at| weather.take(at.to_string(), rules, now + Duration::from_millis(at as u64)));
        weather.late.into()
    }

    #[test]
    fn rules_are_read_and_refused_in_words() {
        assert_eq!(read("off"), Ok(Chaos::default()));
        let all = Chaos { delay: 200, loss: 5, repeat: 6, cut: 7, slow: 800 };
        assert_eq!(read("delay=200,loss=5,repeat=6,cut=7,slow=800"), Ok(all));
        assert_eq!(read("loss=101").unwrap_err(), "--chaos: loss is 100 at most");
        assert_eq!(read("rain=1").unwrap_err(), "--chaos rain=1: there is no rain");
        assert_eq!(read("loss").unwrap_err(), "--chaos loss: not NAME=NUMBER");
    }

    #[test]
    fn in_calm_weather_each_frame_goes_once_and_at_once() {
        let now = Instant::now();
        let sent = played(Chaos::default(), 50);
        assert_eq!(sent.len(), 50);
        assert!(sent.iter().all(|(due, _)| *due < now + Duration::from_millis(200)));
    }

    #[test]
    fn frames_are_lost_and_repeated_about_as_often_as_was_said_and_stay_in_order() {
        let lost = played(Chaos { loss: 20, ..Chaos::default() }, 2_000).len();
        assert!((1_400..1_800).contains(&lost), "{lost}");
        let rules = Chaos { repeat: 20, delay: 500, ..Chaos::default() };
        let sent = played(rules, 2_000);
        assert!((2_200..2_600).contains(&sent.len()), "{}", sent.len());
        assert!(sent.is_sorted_by_key(|(due, frame)| (*due, frame.parse::<u32>().unwrap())));
    }

    #[test]
    fn a_socket_is_cut_after_about_its_time_and_never_without_the_rule() {
        let (mut weather, now) = (Weather::new(), Instant::now());
        assert_eq!(weather.cut_at(Chaos::default(), now), None);
        let rules = Chaos { cut: 10, ..Chaos::default() };
        let after = weather.cut_at(rules, now).unwrap() - now;
        assert!((5.0..=15.0).contains(&after.as_secs_f32()), "{after:?}");
        assert_eq!(weather.cut_at(rules, now + Duration::from_secs(1)), Some(now + after));
        assert_eq!(weather.cut_at(Chaos::default(), now), None);
    }
}
