//! The socket: a client subscribes to threads and gets their events, as JSON lines.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::mpsc::{self, Sender};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep_until, timeout};
use turnseal::drive::{Opening, Subscription};
use turnseal::model::Envelope;
use turnseal::wire::encode;

use crate::chaos::Weather;
use crate::hub::Hub;
use crate::problem::Problem;
use crate::routes::Shared;

/// So long a client may take for one frame.
const SLOW: Duration = Duration::from_secs(10);
/// A client hears the number of the last event, so that a lost tail is noticed: so often where frames get lost,
const PING: Duration = Duration::from_secs(1);
/// and every so many times of that elsewhere.
const PING_CALM: u32 = 15;
/// So many frames wait for a client; its threads wait behind them.
const FRAMES_MAX: usize = 64;
/// So many threads one socket listens to.
const THREADS_MAX: usize = 64;
/// So large a frame of a client may be.
const FRAME_MAX: usize = 64 * 1024;
/// So many events are put into one frame at most.
const LINES_MAX: usize = 64;

/// What a client says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wish {
    /// `subscribe` where it is absent.
    #[serde(rename = "type")]
    kind: Option<String>,
    thread_id: String,
    after: Option<u64>,
}

pub(crate) async fn upgrade(
    State(hub): Shared,
    socket: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let socket = socket.map_err(|refused| Problem::bad("no-socket", refused.body_text()))?;
    Ok(socket.max_message_size(FRAME_MAX).on_upgrade(move |socket| serve(hub, socket)))
}

/// Why a socket is closed.
enum End {
    /// The client has gone.
    Gone,
    /// It did not read fast enough: it comes back and says where it was.
    Slow,
    /// The server ends.
    Ending,
}

async fn serve(hub: Arc<Hub>, mut socket: WebSocket) {
    let _open = hub.metrics.socket();
    let end = talk(&hub, &mut socket).await;
    let (code, reason) = match end {
        End::Gone => return,
        End::Slow => {
            hub.metrics.cut();
            (1013, "too slow")
        }
        End::Ending => (1001, "the server ends"),
    };
    let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
    let _ = timeout(Duration::from_secs(1), socket.send(close)).await;
}

async fn talk(hub: &Arc<Hub>, socket: &mut WebSocket) -> End {
    let (frames_in, mut frames) = mpsc::channel::<String>(FRAMES_MAX);
    let mut ending = hub.ending.clone();
    let mut forwards = Forwards { tasks: JoinSet::new(), threads: BTreeMap::new(), frames: frames_in };
    let mut weather = Weather::new();
    loop {
        let (rules, now) = (hub.sky.now(), Instant::now());
        let (due, cut) = (weather.due(), weather.cut_at(rules, now));
        tokio::select! {
            _ = ending.changed() => return End::Ending,
            said = socket.recv() => match said {
                Some(Ok(Message::Text(text))) => forwards.wish(hub, &text).await,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return End::Gone,
                Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => {}
            },
            Some(frame) = frames.recv(), if weather.has_room() => weather.take(frame, rules, Instant::now()),
            () = sleep_until(due.unwrap_or(now)), if due.is_some() => {
                let Some(frame) = weather.pop() else { continue };
                match timeout(SLOW, socket.send(Message::Text(frame.into()))).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return End::Gone,
                    Err(_) => return End::Slow,
                }
            }
            // A cut says no word: that is what a client has to live with.
            () = sleep_until(cut.unwrap_or(now)), if cut.is_some() => return End::Gone,
            // A thread cuts who falls behind.
            done = forwards.tasks.join_next(), if !forwards.tasks.is_empty() => {
                if matches!(done, Some(Ok(true))) {
                    return End::Slow;
                }
            }
        }
    }
}

/// What one socket listens to. Dropping it ends that.
struct Forwards {
    /// True: the thread has cut this client.
    tasks: JoinSet<bool>,
    threads: BTreeMap<String, AbortHandle>,
    frames: Sender<String>,
}

impl Forwards {
    async fn wish(&mut self, hub: &Arc<Hub>, text: &str) {
        let refused = match serde_json::from_str::<Wish>(text) {
            Ok(wish) => self.carry(hub, wish).await.err(),
            Err(error) => Some(Problem::bad("bad-frame", error.to_string())),
        };
        if let Some(problem) = refused {
            let mut frame = format!("{{\"type\":\"refused\",\"code\":\"{}\",\"message\":", problem.code);
            encode::string(&problem.message, &mut frame);
            frame.push('}');
            // A client that makes mistakes and does not read the answers misses some of them.
            let _ = self.frames.try_send(frame);
        }
    }

    async fn carry(&mut self, hub: &Arc<Hub>, wish: Wish) -> Result<(), Problem> {
        let Wish { kind, thread_id, after } = wish;
        match kind.as_deref() {
            None | Some("subscribe") => {}
            Some("unsubscribe") => {
                if let Some(task) = self.threads.remove(&thread_id) {
                    task.abort();
                }
                return Ok(());
            }
            Some(other) => return Err(Problem::bad("bad-frame", format!("there is no type {other}"))),
        }
        if self.threads.len() >= THREADS_MAX && !self.threads.contains_key(&thread_id) {
            return Err(Problem::bad("too-many", format!("a socket listens to {THREADS_MAX} threads at most")));
        }
        let subscription = hub.subscribe(&thread_id, after).await?;
        let task =
            self.tasks.spawn(forward(Arc::clone(hub), (thread_id.clone(), after), subscription, self.frames.clone()));
        if let Some(old) = self.threads.insert(thread_id, task) {
            old.abort();
        }
        Ok(())
    }
}

/// Sends what a thread says. True where the thread has cut this client or is gone: it has to come back.
async fn forward(
    hub: Arc<Hub>,
    (thread, after): (String, Option<u64>),
    mut subscription: Subscription,
    frames: Sender<String>,
) -> bool {
    let (mut last, mut waiting) = begun(&subscription.opening, after);
    let mut beat = Beat::new();
    loop {
        for lines in waiting.chunks(LINES_MAX) {
            last = lines.last().and_then(|event| event.n).or(last);
            lines.iter().for_each(|_| hub.metrics.event());
            let frame: Vec<String> = lines.iter().map(|event| encode::event(event)).collect();
            if frames.send(frame.join("\n")).await.is_err() {
                return false;
            }
        }
        waiting.clear();
        tokio::select! {
            event = subscription.next() => match event {
                Some(event) => {
                    waiting.push(event);
                    // What came meanwhile goes with it.
                    while waiting.len() < LINES_MAX && let Some(event) = subscription.ready() {
                        waiting.push(event);
                    }
                }
                None => return true,
            },
            () = beat.next(&hub) => {
                if frames.send(ping(&thread, last.unwrap_or(0))).await.is_err() {
                    return false;
                }
            }
        }
    }
}

/// When a client hears the number of the last event.
struct Beat {
    ticks: Interval,
    quiet: u32,
}

impl Beat {
    fn new() -> Self {
        let mut ticks = interval_at(Instant::now() + PING, PING);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { ticks, quiet: 0 }
    }

    /// May be dropped and asked again: what was counted stays.
    async fn next(&mut self, hub: &Hub) {
        loop {
            self.ticks.tick().await;
            self.quiet += 1;
            if self.quiet >= PING_CALM || hub.sky.now().loss > 0 {
                self.quiet = 0;
                return;
            }
        }
    }
}

/// The number of the last event that a client has, and those that it gets first.
fn begun(opening: &Opening, after: Option<u64>) -> (Option<u64>, Vec<Arc<Envelope>>) {
    match opening {
        Opening::Replay(events) => (after, events.clone()),
        Opening::Snapshot(snapshot) => (None, vec![Arc::clone(snapshot)]),
    }
}

/// The number of the last event of a thread, as a frame.
fn ping(thread: &str, n: u64) -> String {
    let mut frame = String::from("{\"type\":\"ping\",\"threadId\":");
    encode::string(thread, &mut frame);
    frame.push_str(&format!(",\"n\":{n}}}"));
    frame
}
