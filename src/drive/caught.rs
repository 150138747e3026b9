//! Work of the host, whose panics end that work and nothing else.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use super::host::Work;

/// Does it. Errors: the words of the panic.
pub(super) async fn caught<T>(start: impl FnOnce() -> Work<T>) -> Result<T, String> {
    let mut work = catch_unwind(AssertUnwindSafe(start)).map_err(words)?;
    poll_fn(move |context| {
        // The work is not polled again after a panic, so nobody sees what it left half done.
        match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
            Ok(Poll::Ready(done)) => Poll::Ready(Ok(done)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(panic) => Poll::Ready(Err(words(panic))),
        }
    })
    .await
}

/// The same for work that can fail by itself.
pub(super) async fn tried<T>(who: &str, start: impl FnOnce() -> Work<Result<T, String>>) -> Result<T, String> {
    match caught(start).await {
        Ok(done) => done,
        Err(panic) => Err(format!("{who} panicked: {panic}")),
    }
}

fn words(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no words").to_owned()
}
