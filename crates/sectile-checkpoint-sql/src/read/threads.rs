//! How threads are listed.

use sectile_checkpoint::{CheckpointQuery, Key, Result, ThreadOrder, ThreadQuery, ThreadSummary};
use serde_json::{Map, Value};

use super::blocks::Blocks;
use super::head::Head;
use super::numbers::{limited, slot};
use crate::row::{entry, object};
use crate::session::Argument::{Integer, MaybeInteger, Text};
use crate::session::{ListedTuple, Reader};
use crate::sql;
use crate::sql::threads::{
    BY_ID, BY_USE, COUNT_USED, COUNT_WITH, LAST_USE, USED, WITH, WITH_BY_USE,
};

/// Fewer threads than these that may match are all looked at.
const FEW: i64 = 1_000;

/// How many threads that may have some metadata are looked at, at a time, at least and at most.
const AT_A_TIME: (usize, usize) = (20, 200);

/// Lists threads.
///
/// # Errors
///
/// What the database reports.
pub async fn threads(
    reader: &mut (impl Reader + ?Sized),
    query: &ThreadQuery,
) -> Result<Vec<ThreadSummary>> {
    let mut found = Vec::new();
    let Some(mut listing) = Listing::new(reader, query).await? else {
        return Ok(found);
    };
    let limit = query.limit.unwrap_or(usize::MAX);
    while found.len() < limit {
        let size = listing.page_size(limit - found.len());
        let page = listing.page(reader, size).await?;
        let is_last = page.len() < size;
        for thread in page {
            if found.len() < limit && listing.has_metadata(reader, &thread).await? {
                found.push(summary(thread));
            }
        }
        if is_last {
            break;
        }
    }
    Ok(found)
}

fn summary(thread: ListedTuple) -> ThreadSummary {
    ThreadSummary {
        thread_id: thread.0,
        latest_seq: thread.1.unsigned_abs(),
        checkpoints: thread.2.unsigned_abs(),
        updated_at: thread.3.unsigned_abs(),
    }
}

/// A list of threads, as far as it was read.
struct Listing {
    order: ThreadOrder,
    /// The metadata that a checkpoint of a thread must have.
    wanted: CheckpointQuery,
    /// The entry of it that is looked for first: see [`rarest`].
    rarest: Option<i64>,
    candidates: Candidates,
    /// When threads were last used: from the first time up to, but not including, the second.
    times: (i64, i64),
    /// What comes next is after this time, where the order is by last use, and this id.
    place: (i64, String),
}

/// Which threads are looked at.
#[derive(Clone, Copy)]
enum Candidates {
    /// All, in the order in which they are listed, until there are enough: what is listed is not rare.
    All,
    /// The few that have that entry.
    WithEntry,
    /// The few that were used between the times.
    Used,
}

impl Listing {
    /// Returns a list before its first page; nothing if it goes on after a thread that is not there.
    async fn new(reader: &mut (impl Reader + ?Sized), query: &ThreadQuery) -> Result<Option<Self>> {
        let Some(place) = place(reader, query).await? else {
            return Ok(None);
        };
        let times = (
            query.used_since.map_or(0, limited),
            query.used_before.map_or(i64::MAX, limited),
        );
        let rarest = rarest(reader, &query.metadata).await?;
        let (with_entry, rarest) = rarest.unzip();
        let with_entry = with_entry.unwrap_or(FEW);
        let used = match query.order {
            ThreadOrder::ById => used(reader, times).await?,
            // The order itself begins and ends with the times.
            ThreadOrder::ByLastUse => FEW,
        };
        let candidates = match (with_entry < FEW, used < FEW) {
            (true, _) if with_entry <= used => Candidates::WithEntry,
            (_, true) => Candidates::Used,
            (_, false) => Candidates::All,
        };
        let wanted = CheckpointQuery {
            metadata: query.metadata.clone(),
            ..CheckpointQuery::default()
        };
        Ok(Some(Self {
            order: query.order,
            wanted,
            rarest,
            candidates,
            times,
            place,
        }))
    }

    /// Returns how many threads are asked for, of which a number is wanted.
    fn page_size(&self, wanted: usize) -> usize {
        let (least, most) = AT_A_TIME;
        match self.rarest {
            None => wanted,
            // Not all that are found have the metadata.
            Some(_) => wanted.clamp(least, most),
        }
    }

    /// Reads the next candidates for the list; fewer than the limit at the end.
    async fn page(
        &mut self,
        reader: &mut (impl Reader + ?Sized),
        size: usize,
    ) -> Result<Vec<ListedTuple>> {
        let ((since, before), (time, after)) = (self.times, &self.place);
        let slots = [since, before.min(*time)].map(slot);
        let mut arguments = vec![
            MaybeInteger(self.rarest),
            Integer(since),
            Integer(before),
            Text(after),
            Integer(limited(size as u64)),
        ];
        let statement = match (self.candidates, self.order) {
            (Candidates::All, ThreadOrder::ById) => BY_ID,
            (Candidates::All, ThreadOrder::ByLastUse) => {
                arguments.extend([slots[0], slots[1], *time].map(Integer));
                BY_USE
            }
            (Candidates::WithEntry, ThreadOrder::ById) => WITH,
            (Candidates::WithEntry, ThreadOrder::ByLastUse) => {
                arguments.push(Integer(*time));
                WITH_BY_USE
            }
            (Candidates::Used, _) => {
                arguments.extend(slots.map(Integer));
                USED
            }
        };
        let page = reader.listed(statement, &arguments).await?;
        if let Some(last) = page.last() {
            let time = match self.order {
                ThreadOrder::ById => i64::MAX,
                ThreadOrder::ByLastUse => last.3,
            };
            self.place = (time, last.0.clone());
        }
        Ok(page)
    }

    /// Returns whether a checkpoint of a thread has the metadata that is asked for. The one that came with it
    /// mostly has, so that the others need not be read. What is read is not checked: see [`Blocks`].
    async fn has_metadata(
        &self,
        reader: &mut (impl Reader + ?Sized),
        thread: &ListedTuple,
    ) -> Result<bool> {
        let Some(rarest) = self.rarest else {
            return Ok(true);
        };
        let (thread_id, metadata) = (&thread.0, thread.4.as_deref());
        let metadata =
            metadata.and_then(|json| serde_json::from_str::<Map<String, Value>>(json).ok());
        if metadata.is_some_and(|metadata| self.wanted.matches(&metadata)) {
            return Ok(true);
        }
        let arguments = [Text(thread_id), Integer(rarest)];
        for head in reader.heads(sql::HEADS_WITH, &arguments).await? {
            let head = Head::from(head);
            let key = Key::new(thread_id.as_str(), head.namespace);
            let mut blocks = Blocks::new(head.thread_key, rarest, &self.wanted);
            while let Some(block) = blocks.next_block(reader).await? {
                for (seq, metadata) in block {
                    if self.wanted.matches(&object(&metadata, &key, seq)?) {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}

/// Returns where a list begins; nothing if that is after a thread that is not there.
async fn place(
    reader: &mut (impl Reader + ?Sized),
    query: &ThreadQuery,
) -> Result<Option<(i64, String)>> {
    let after = query.after.clone().unwrap_or_default();
    if query.after.is_none() || query.order == ThreadOrder::ById {
        // No id has U+0000, which Postgres cannot compare: those after `a\0b` are those after `a`.
        let start = after.split('\0').next().unwrap_or_default();
        return Ok(Some((i64::MAX, start.to_owned())));
    }
    let found = reader.pairs(LAST_USE, &[Text(&after)]).await?;
    Ok(found.first().map(|(time, _)| (*time, after)))
}

/// Returns how many namespaces have the entry that the fewest have, up to [`FEW`], and that entry. Where
/// each is had by [`FEW`] or more, it is any of them: all are common then, and to count them to the end would
/// take longer than to list a page of threads that have any.
async fn rarest(
    reader: &mut (impl Reader + ?Sized),
    metadata: &Map<String, Value>,
) -> Result<Option<(i64, i64)>> {
    let mut rarest: Option<(i64, i64)> = None;
    for entry in metadata.iter().map(entry) {
        let count = counted(reader, COUNT_WITH, [entry, FEW]).await?;
        rarest = rarest.into_iter().chain([(count, entry)]).min();
    }
    Ok(rarest)
}

/// Returns how many namespaces were used between two times, up to [`FEW`]. Where no times are asked for,
/// they are not counted.
async fn used(reader: &mut (impl Reader + ?Sized), times: (i64, i64)) -> Result<i64> {
    if times == (0, i64::MAX) {
        return Ok(FEW);
    }
    counted(reader, COUNT_USED, [slot(times.0), slot(times.1), FEW]).await
}

/// Runs a statement that counts.
async fn counted<const N: usize>(
    reader: &mut (impl Reader + ?Sized),
    statement: &'static str,
    arguments: [i64; N],
) -> Result<i64> {
    let found = reader.pairs(statement, &arguments.map(Integer)).await?;
    Ok(found.first().map_or(0, |(count, _)| *count))
}
