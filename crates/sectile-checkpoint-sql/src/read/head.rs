//! What the database has of a namespace as a whole.

use crate::session::HeadTuple;

/// A namespace of a thread.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its number.
    pub thread_key: i64,
    /// Its name.
    pub namespace: String,
    /// The number of the newest checkpoint so far.
    pub last_seq: i64,
    /// The number of the newest checkpoint that is kept, or 0.
    pub newest_seq: i64,
    /// The position of the newest piece so far.
    pub last_piece: i64,
    /// When the newest was saved, in units of 65,536 milliseconds.
    pub used_slot: i64,
}

impl From<HeadTuple> for Head {
    fn from(head: HeadTuple) -> Self {
        Self {
            thread_key: head.0,
            namespace: head.1,
            last_seq: head.2,
            newest_seq: head.3,
            last_piece: head.4,
            used_slot: head.5,
        }
    }
}
