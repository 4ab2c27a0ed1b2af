//! The cells of tables while they are written.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Knows whether a cell of a table is being written, which is one line.
#[derive(Clone, Default)]
pub(super) struct Cells(Arc<AtomicUsize>);

impl Cells {
    pub(super) fn is_in_one(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Writes a cell.
    pub(super) fn within<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.fetch_add(1, Ordering::Relaxed);
        let written = write();
        self.0.fetch_sub(1, Ordering::Relaxed);
        written
    }
}
