//! Stopwatches.

use std::collections::BTreeMap;
use std::time::Instant;

/// What was measured, and how often it was done in a second.
pub type Rates = BTreeMap<&'static str, f64>;

/// How many write at once.
pub const WRITERS: usize = 8;

/// How many checkpoints are listed at once, and how often.
pub const LISTED: usize = 10;
pub const LISTS: usize = 100;

/// Returns how often in a second something was done `count` times since `start`.
pub fn rate(count: usize, start: Instant) -> f64 {
    count as f64 / start.elapsed().as_secs_f64()
}
