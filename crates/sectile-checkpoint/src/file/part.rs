//! Some checkpoints of a file, with the pieces that they need.

use std::collections::HashSet;
use std::ops::Range;

use super::needed::Needed;
use super::record::Head;
use super::thread::{Entry, ThreadFile};
use super::writes::owner;
use crate::Result;
use crate::pieces::{Run, are_among};

/// Some checkpoints of a file.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) thread: ThreadFile,
    /// Where they stand, and the pieces that they need.
    pub(super) ranges: Vec<Range<u64>>,
    /// How many they are.
    pub(super) count: u64,
    /// The number of the newest of them.
    pub(super) last_seq: u64,
    /// What the writes beside them stand under.
    pub(super) owners: HashSet<String>,
    /// The same of the others.
    pub(super) left_out: HashSet<String>,
}

impl Part {
    /// Returns the checkpoints that are chosen, of which the oldest is looked at first.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for a line that is not as it was written, and what the
    /// system reports.
    pub(super) fn of(thread: ThreadFile, mut is_chosen: impl FnMut(&Head) -> bool) -> Result<Self> {
        let (mut count, mut last_seq) = (0, 0);
        let (mut owners, mut left_out) = (HashSet::new(), HashSet::new());
        let (mut lines, mut needed) = (Vec::new(), Needed::default());
        thread.each_entry(thread.first, |range, entry| {
            let head = match entry {
                Entry::Piece(head) => {
                    lines.push((range, Some(head.piece)));
                    needed.know(head);
                    return Ok(());
                }
                Entry::Checkpoint(head) => head,
            };
            let of_writes = owner(head.id.as_deref(), head.seq);
            if !is_chosen(&head) {
                left_out.insert(of_writes);
                return Ok(());
            }
            owners.insert(of_writes);
            (count, last_seq) = (count + 1, head.seq);
            if let Some(placed) = &head.layout {
                let known = needed.named(placed);
                let known = known.and_then(|named| needed.add(named));
                known.ok_or_else(|| thread.damaged(range.start)("it has no right layout"))?;
            }
            lines.push((range, None));
            Ok(())
        })?;
        let needed = needed.into_runs();
        let stays =
            |piece: Option<u64>| piece.is_none_or(|piece| are_among(&needed, Run::one(piece)));
        let lines = lines.into_iter();
        let ranges = joined(lines.filter(|(_, piece)| stays(*piece)).map(|line| line.0));
        Ok(Self {
            thread,
            ranges,
            count,
            last_seq,
            owners,
            left_out,
        })
    }
}

/// Returns ranges in order, those that touch as one.
fn joined(ranges: impl Iterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let mut apart: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match apart.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => apart.push(range),
        }
    }
    apart
}
