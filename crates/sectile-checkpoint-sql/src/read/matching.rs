//! Checkpoints with some metadata.

use sectile_checkpoint::{At, Checkpoint, CheckpointQuery, Key, Result, StoredState};

use super::blocks::{Blocks, rarest};
use super::{fetch, head};
use crate::row::object;
use crate::session::Reader;

/// Collects the checkpoints with the metadata of a query. States are read only of those that match.
pub(super) struct Matching<'q> {
    key: &'q Key,
    query: &'q CheckpointQuery,
    /// The number of the namespace.
    pub(super) thread_key: i64,
    /// The entry of the metadata that is in the fewest blocks.
    pub(super) rarest: i64,
    found: Vec<Checkpoint<StoredState>>,
}

impl<'q> Matching<'q> {
    /// Begins with none. Returns `None` if no checkpoint of the namespace can have the metadata.
    pub(super) async fn of(
        reader: &mut (impl Reader + ?Sized),
        key: &'q Key,
        query: &'q CheckpointQuery,
    ) -> Result<Option<Self>> {
        let Some(head) = head(reader, key).await? else {
            return Ok(None);
        };
        let rarest = rarest(reader, head.thread_key, &query.metadata).await?;
        Ok(rarest.map(|rarest| Self {
            key,
            query,
            thread_key: head.thread_key,
            rarest,
            found: Vec::new(),
        }))
    }

    /// Returns whether there are as many as the query asks for.
    pub(super) fn is_full(&self) -> bool {
        let limit = self.query.limit;
        limit.is_some_and(|limit| self.found.len() >= limit)
    }

    /// Adds the checkpoint of a number if its metadata matches and there are not enough yet.
    pub(super) async fn take(
        &mut self,
        reader: &mut (impl Reader + ?Sized),
        seq: i64,
        metadata: &str,
    ) -> Result<()> {
        if !self.is_full() && self.query.matches(&object(metadata, self.key, seq)?) {
            let at = At::Seq(seq.unsigned_abs());
            self.found.extend(fetch(reader, self.key, &at).await?);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Vec<Checkpoint<StoredState>> {
        self.found
    }
}

/// Reads the checkpoints with the metadata of a query, newest first. Only blocks of numbers are looked at where the
/// rarest entry is.
pub(super) async fn by_seq(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    query: &CheckpointQuery,
) -> Result<Vec<Checkpoint<StoredState>>> {
    let Some(mut matching) = Matching::of(reader, key, query).await? else {
        return Ok(Vec::new());
    };
    let mut blocks = Blocks::new(matching.thread_key, matching.rarest, query);
    while !matching.is_full()
        && let Some(block) = blocks.next_block(reader).await?
    {
        for (seq, metadata) in block {
            matching.take(reader, seq, &metadata).await?;
        }
    }
    Ok(matching.finish())
}
