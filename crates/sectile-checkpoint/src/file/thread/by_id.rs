//! Checkpoints in the order of their ids.

use super::{Entry, ThreadFile};
use crate::{Checkpoint, CheckpointQuery, Error, Result, StoredState};

impl ThreadFile {
    /// Returns checkpoints, the greatest id first. All lines are read for their ids, and the states of
    /// those that are returned.
    pub(super) fn list_by_id(
        &self,
        query: &CheckpointQuery,
        before: Option<&str>,
    ) -> Result<Vec<Checkpoint<StoredState>>> {
        let mut ids = self.ids()?;
        ids.retain(|(id, seq, _)| {
            before.is_none_or(|before| &**id < before)
                && query.before.is_none_or(|before| *seq < before)
        });
        ids.sort_by(|one, other| other.cmp(one));
        let limit = query.limit.unwrap_or(usize::MAX);
        let mut found = Vec::new();
        for (_, _, start) in ids {
            if found.len() >= limit {
                break;
            }
            let line = self.line(start, self.end_of_line(start)?)?;
            if query.metadata.is_empty() || self.has_metadata(&line, query).unwrap_or(true) {
                found.push(self.checkpoint(&line)?);
            }
        }
        Ok(found)
    }

    /// Returns the ids of the checkpoints that have one, with their numbers and where they begin. A
    /// damaged checkpoint may have any id, so nothing is said without it.
    fn ids(&self) -> Result<Vec<(String, u64, u64)>> {
        let mut ids = Vec::new();
        self.each_entry(self.first..self.end, |line, entry| {
            match entry {
                Ok(Entry::Checkpoint(head)) => {
                    let (seq, start) = (head.seq, line.range().start);
                    ids.extend(head.id.map(|id| (id, seq, start)));
                }
                Ok(Entry::Piece(_)) => {}
                Err(Error::Corrupt { .. }) if line.begun().checkpoints == 0 => {}
                Err(error) => return Err(error),
            }
            Ok(())
        })?;
        Ok(ids)
    }
}
