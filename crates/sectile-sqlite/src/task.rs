//! Work that waits for a disk, beside a runtime.

use std::any::Any;
use std::panic::resume_unwind;
use std::pin::Pin;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::{JoinError, block_in_place, spawn, spawn_blocking};
use tracing::{Instrument as _, Span};

use crate::{Error, Result};

/// What any work gives back. Tokio's code for a task is compiled again for each type of work and of result; with one
/// type of each it is compiled once.
type Done = Box<dyn Any + Send>;

/// Starts work that runs to its end, even if the future that waits is dropped. What it logs is within the
/// span of the caller.
pub(crate) fn in_a_task<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> impl Future<Output = Result<T>> + Send + 'static {
    let work = async move { Box::new(work.await) as Done };
    let work: Pin<Box<dyn Future<Output = Done> + Send>> = Box::pin(work.in_current_span());
    let task = spawn(work);
    async move { task.await.map_err(closed).map(unboxed) }
}

/// Runs what blocks the thread on one for such work. It runs to its end, even if the future that waits is dropped.
pub(crate) fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = Result<T>> + Send + 'static {
    let span = Span::current();
    let work: Box<dyn FnOnce() -> Done + Send> =
        Box::new(move || Box::new(span.in_scope(work)) as Done);
    let task = spawn_blocking(work);
    async move { task.await.map_err(closed).map(unboxed) }
}

/// Does what [`blocking`] does, within [`in_a_task`]: a task always runs where the other tasks of
/// its thread can be moved to another, and that takes less time than to move this one.
pub(crate) async fn blocking_in_a_task<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    if Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
        return Ok(in_place(work));
    }
    blocking(work).await
}

/// Runs what blocks the thread on this one.
fn in_place<T>(work: impl FnOnce() -> T) -> T {
    let mut work = Some(work);
    let mut done = None;
    let run: &mut dyn FnMut() = &mut || done = work.take().map(|work| work());
    block_in_place(run);
    done.expect("the work was run")
}

fn unboxed<T: 'static>(done: Done) -> T {
    *done
        .downcast()
        .expect("work gives back what its caller waits for")
}

/// Panics as the work did, unless it was the runtime that ended.
fn closed(error: JoinError) -> Error {
    match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(_) => Error::Closed,
    }
}
