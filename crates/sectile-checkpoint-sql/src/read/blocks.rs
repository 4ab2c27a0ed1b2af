//! Where in a namespace metadata is.

use std::collections::VecDeque;

use sectile_checkpoint::{CheckpointQuery, Result};
use serde_json::{Map, Value};

use super::numbers::{BLOCK, limited};
use crate::row::entry;
use crate::session::Argument::Integer;
use crate::session::Reader;
use crate::sql;

/// How many blocks are looked at, at a time.
const AT_A_TIME: i64 = 200;

/// The blocks of numbers of a namespace in which an entry of metadata is, newest first.
pub(super) struct Blocks {
    thread_key: i64,
    entry: i64,
    /// Only checkpoints with smaller numbers are looked at.
    before: i64,
    /// Blocks that were found and not looked at yet.
    found: VecDeque<i64>,
    /// The first block that was not looked for yet.
    next: i64,
}

impl Blocks {
    pub(super) fn new(thread_key: i64, entry: i64, query: &CheckpointQuery) -> Self {
        let before = query.before.map_or(i64::MAX, limited);
        Self {
            thread_key,
            entry,
            before,
            found: VecDeque::new(),
            next: before / BLOCK,
        }
    }

    /// Reads the numbers and the metadata of the checkpoints in the next block, newest first; nothing if
    /// there is no more.
    ///
    /// The metadata is read without the rest of its row, and so without the row's hash, which is that of all
    /// columns: to check it would be to read the state, however large. It only says which checkpoints are
    /// meant. What is loaded of them is checked then, and `verify` checks all.
    pub(super) async fn next_block(
        &mut self,
        reader: &mut (impl Reader + ?Sized),
    ) -> Result<Option<Vec<(i64, String)>>> {
        if self.found.is_empty() {
            self.find(reader).await?;
        }
        let Some(block) = self.found.pop_front() else {
            return Ok(None);
        };
        let end = self.before.min((block + 1).saturating_mul(BLOCK));
        let range = [self.thread_key, block * BLOCK, end].map(Integer);
        reader.pairs(sql::METADATA, &range).await.map(Some)
    }

    async fn find(&mut self, reader: &mut (impl Reader + ?Sized)) -> Result<()> {
        let arguments = [self.thread_key, self.entry, self.next, AT_A_TIME].map(Integer);
        let found = reader.pairs(sql::BLOCKS, &arguments).await?;
        self.found.extend(found.into_iter().map(|(block, _)| block));
        if let Some(earliest) = self.found.back() {
            self.next = earliest - 1;
        }
        Ok(())
    }
}

/// Returns the entry that is in the fewest blocks of a namespace, or the first of those that are in
/// [`AT_A_TIME`] or more if all are; nothing if one is in none.
pub(super) async fn rarest(
    reader: &mut (impl Reader + ?Sized),
    thread_key: i64,
    metadata: &Map<String, Value>,
) -> Result<Option<i64>> {
    let mut entries = metadata.iter().map(entry);
    if metadata.len() == 1 {
        return Ok(entries.next());
    }
    let mut rarest = None;
    for entry in entries {
        let arguments = [thread_key, entry, i64::MAX, AT_A_TIME].map(Integer);
        let blocks = reader.pairs(sql::BLOCKS, &arguments).await?.len();
        if blocks == 0 {
            return Ok(None);
        }
        if rarest.is_none_or(|(fewest, _)| blocks < fewest) {
            rarest = Some((blocks, entry));
        }
    }
    Ok(rarest.map(|(_, entry)| entry))
}
