//! How long states are cut into pieces, which a place of keeping stores once for all checkpoints of a
//! thread that have them.

pub use json::{Filling, Split, key_of_piece};
pub use runs::{Run, Runs, are_among, merged};

mod json;
mod runs;

/// The maximum size of a state that is stored whole, in bytes.
pub const MAX_WHOLE_BYTES: usize = 8 * 1024;
