//! A bound on how many workers run at once.

use std::sync::{Condvar, Mutex, PoisonError};

/// The places of workers.
pub(super) struct Places {
    most: usize,
    taken: Mutex<usize>,
    left: Condvar,
}

impl Places {
    pub(super) const fn new(most: usize) -> Self {
        Self {
            most,
            taken: Mutex::new(0),
            left: Condvar::new(),
        }
    }

    /// Waits for a place, and takes it until what is returned is dropped.
    pub(super) fn take(&self) -> Place<'_> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |taken: &mut usize| *taken >= self.most;
        let taken = self.left.wait_while(taken, is_full);
        *taken.unwrap_or_else(PoisonError::into_inner) += 1;
        Place(self)
    }
}

/// A place that is taken.
pub(super) struct Place<'p>(&'p Places);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.left.notify_one();
    }
}
