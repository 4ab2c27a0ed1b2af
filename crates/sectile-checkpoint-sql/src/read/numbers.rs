//! Numbers of checkpoints and times as the tables hold them.

/// How many numbers one row of `checkpoint_metadata` stands for.
pub(crate) const BLOCK: i64 = 64;

/// Returns the slot of a time: the times of 65 seconds are one, so that saves seldom change an index.
pub(crate) const fn slot(milliseconds: i64) -> i64 {
    milliseconds >> 16
}

/// Returns a number as both engines hold it; no checkpoint has a larger one.
pub(crate) fn limited(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}
