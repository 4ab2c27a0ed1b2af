//! Positions of pieces as ranges, as a database is asked for them.

use sectile_checkpoint::pieces::{self, Run};

/// Returns runs as ranges that do not touch, in order.
pub(crate) fn merged(runs: Vec<Run>) -> Vec<(i64, i64)> {
    let range = |run: Run| (run.first.cast_signed(), run.end().cast_signed());
    pieces::merged(runs).into_iter().map(range).collect()
}
