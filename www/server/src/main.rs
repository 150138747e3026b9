//! turnseal-server: the engine behind HTTP and a socket, with its log in one SQLite file.

#![forbid(unsafe_code)]
#![deny(unreachable_pub)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod acts;
mod args;
mod chaos;
mod db;
mod guard;
mod hub;
mod list;
mod meta;
mod metrics;
mod models;
mod problem;
mod routes;
mod site;
mod tools;
mod ws;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use turnseal::drive::{Driver, Host, Options};

use args::Args;
use db::Db;
use hub::Hub;
use metrics::Metrics;
use models::Pace;

/// So long the end of the server waits for its log.
const CLOSE: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    let args = match args::read(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(why) => {
            eprint!("{why}\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    // Standard output is for the URL.
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    match runtime.map_err(|error| error.to_string()).and_then(|runtime| {
        let done = runtime.block_on(serve(args));
        // A tool that blocks is not waited for.
        runtime.shutdown_timeout(Duration::from_secs(1));
        done
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            tracing::error!(why, "the server ends");
            ExitCode::FAILURE
        }
    }
}

async fn serve(args: Args) -> Result<(), String> {
    let (end, ending) = watch::channel(false);
    let hub = hub(&args, ending)?;
    let listener = TcpListener::bind((args.host.as_str(), args.port)).await;
    let listener = listener.map_err(|error| format!("{}:{}: {error}", args.host, args.port))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    // What a crash left open is sealed before anybody asks for it.
    for (thread, is_open) in hub.db.threads()? {
        if is_open {
            tracing::info!(%thread, "a turn was open");
            let _ = hub.driver.thread(&thread);
        }
    }
    let url = format!("http://{address}/");
    println!("{url}");
    std::io::stdout().flush().map_err(|error| error.to_string())?;
    tracing::info!(url, db = %args.db.display(), model = ?args.speaker, "ready");
    if args.open {
        open(&url);
    }
    let ended = async move {
        asked_to_end().await;
        // Whoever listens is told; a receiver is always there.
        let _ = end.send(true);
    };
    let listener = listener.tap_io(|stream| {
        // Deltas are small and do not wait for each other.
        let _ = stream.set_nodelay(true);
    });
    let app = routes::routes(Arc::clone(&hub));
    axum::serve(listener, app).with_graceful_shutdown(ended).await.map_err(|error| error.to_string())?;
    match tokio::time::timeout(CLOSE, hub.driver.close()).await {
        Ok(()) => tracing::info!("everything is written"),
        Err(_) => tracing::warn!("the log does not take what is left; the next start seals it"),
    }
    Ok(())
}

fn hub(args: &Args, ending: watch::Receiver<bool>) -> Result<Arc<Hub>, String> {
    let metrics = Arc::new(Metrics::default());
    let db = Arc::new(Db::open(&args.db, Arc::clone(&metrics))?);
    let mut work = args.db.clone().into_os_string();
    work.push(".work");
    let counted = Arc::clone(&metrics);
    let host = Host {
        model: models::model(&args.speaker, Pace(args.pace), Arc::clone(&metrics))?,
        tools: Arc::new(tools::Bench::new(work.as_ref(), Arc::clone(&metrics))?),
        log: Arc::clone(&db) as _,
        diagnostics: Arc::new(move |thread, said| {
            counted.diagnostic();
            tracing::warn!(%thread, code = said.code.as_str(), turn = ?said.turn, detail = said.detail, "diagnostic");
        }),
    };
    let site = args.site.as_deref().map(site::Site::new).transpose()?;
    let is_public = !["127.0.0.1", "localhost", "::1"].contains(&args.host.as_str());
    let (driver, origins) = (Driver::new(host, Options::default()), args.origins.clone());
    let sky = chaos::Sky::new(args.chaos);
    Ok(Arc::new(Hub { driver, db, metrics, site, sky, origins, is_public, ending }))
}

async fn asked_to_end() {
    let mut terminate = match signal(SignalKind::terminate()) {
        Ok(signal) => signal,
        Err(error) => {
            tracing::warn!(%error, "SIGTERM is not heard");
            return std::future::pending().await;
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

/// Opens a browser, where there is one.
fn open(url: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if let Err(error) = std::process::Command::new(program).arg(url).spawn() {
        tracing::warn!(%error, program, "no browser was opened");
    }
}
