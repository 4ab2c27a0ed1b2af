//! What the attachments of a file may cost together.

use crate::Limits;

/// How many attachments are loaded of one file.
const MAX_COUNT: usize = 10_000;

/// How much may still be loaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    count: usize,
    bytes: u64,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            count: MAX_COUNT,
            bytes: limits.inflated_bytes,
        }
    }

    /// Takes what an attachment costs, if there is as much.
    pub(super) fn take(&mut self, bytes: u64) -> bool {
        let is_left = self.count > 0 && bytes <= self.bytes;
        if is_left {
            self.count -= 1;
            self.bytes -= bytes;
        }
        is_left
    }

    /// Returns how many bytes may still be loaded.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes what text takes that was loaded, down to nothing.
    pub(super) const fn use_up(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}
