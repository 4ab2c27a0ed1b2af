//! Work that waits for a disk, beside a runtime.

use std::panic::resume_unwind;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::{JoinError, block_in_place, spawn, spawn_blocking};
use tracing::{Instrument as _, Span};

use crate::{Error, Result};

/// Starts work that runs to its end, even if the future that waits is dropped. What it logs is within the
/// span of the caller.
pub(crate) fn in_a_task<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> impl Future<Output = Result<T>> + Send + 'static {
    let task = spawn(work.in_current_span());
    async move { task.await.map_err(closed) }
}

/// Runs what blocks the thread, within [`in_a_task`]: a task always runs where the other tasks of
/// its thread can be moved to another, and that takes less time than to move this one.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    if Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
        return Ok(block_in_place(work));
    }
    let span = Span::current();
    let work = move || span.in_scope(work);
    spawn_blocking(work).await.map_err(closed)
}

/// Panics as the work did, unless it was the runtime that ended.
fn closed(error: JoinError) -> Error {
    match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(_) => Error::Closed,
    }
}
