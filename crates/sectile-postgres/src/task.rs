//! Work that must not stop half-way.

use std::panic::resume_unwind;

use crate::{Error, Result};

/// Runs to the end, even if the future that waits is dropped. Panics as the work did.
///
/// # Errors
///
/// [`Error::Closed`] when the runtime ends.
pub async fn in_a_task<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T> {
    let done = tokio::spawn(work).await;
    done.map_err(|error| match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(_) => Error::Closed,
    })
}
