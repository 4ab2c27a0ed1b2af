//! Work on blocking threads, beside the async runtime.

use std::panic::resume_unwind;

/// Does work that may take a while on a thread of its own. Its panic is the caller's.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| resume_unwind(error.into_panic()))
}
