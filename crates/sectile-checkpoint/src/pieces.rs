//! How long states are cut into pieces, which a place of keeping stores once for all checkpoints of a
//! thread that have them.

pub use json::{Filling, Split, key_of_piece};
pub use runs::{Run, Runs, are_among, merged};

mod json;
mod runs;

/// A state of at most so many bytes is kept whole.
pub const MAX_WHOLE_BYTES: usize = 8 * 1024;
