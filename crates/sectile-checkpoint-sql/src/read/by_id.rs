//! Checkpoints in the order of their ids.

use sectile_checkpoint::{Checkpoint, CheckpointQuery, Key, MAX_ID_BYTES, Result, StoredState};

use super::matching::Matching;
use super::{all_completed, count, limited};
use crate::session::Argument::{Integer, Text};
use crate::session::Reader;
use crate::sql;

/// How many checkpoints are compared at a time.
const AT_A_TIME: usize = 200;

/// Returns a text that is greater than any id.
pub(crate) fn above_all() -> String {
    char::MAX
        .to_string()
        .repeat(MAX_ID_BYTES / char::MAX.len_utf8() + 1)
}

/// Returns a text that is greater than the same ids, and that Postgres can compare. No id has U+0000, so those
/// before `a\0b` are those up to `a`.
fn comparable(before: &str) -> String {
    match before.split_once('\0') {
        Some((start, _)) => format!("{start}\u{1}"),
        None => before.to_owned(),
    }
}

/// Reads checkpoints, the greatest id first.
pub(super) async fn select(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    query: &CheckpointQuery,
    before: Option<&str>,
) -> Result<Vec<Checkpoint<StoredState>>> {
    let before_id = before.map_or_else(above_all, comparable);
    if !query.metadata.is_empty() {
        return select_matching(reader, key, query, before_id).await;
    }
    let arguments = [
        Text(&key.thread_id),
        Text(&key.namespace),
        Integer(query.before.map_or(i64::MAX, limited)),
        Text(&before_id),
        count(query.limit),
    ];
    let rows = reader.rows(sql::PAGE_BY_ID, &arguments).await?;
    all_completed(reader, key, rows).await
}

/// Reads checkpoints with some metadata. It walks the ids from the greatest, and passes over those whose block
/// does not have the rarest entry, so the cost grows with the thread. States are read only of those that match.
async fn select_matching(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    query: &CheckpointQuery,
    mut before_id: String,
) -> Result<Vec<Checkpoint<StoredState>>> {
    let Some(mut matching) = Matching::of(reader, key, query).await? else {
        return Ok(Vec::new());
    };
    while !matching.is_full() {
        let arguments = [
            Integer(matching.thread_key),
            Integer(query.before.map_or(i64::MAX, limited)),
            Text(&before_id),
            Integer(matching.rarest),
            count(Some(AT_A_TIME)),
        ];
        let page = reader.listed(sql::METADATA_BY_ID, &arguments).await?;
        let Some((last, ..)) = page.last() else {
            break;
        };
        before_id.clone_from(last);
        for (_, seq, _, _, metadata) in page {
            let metadata = metadata.unwrap_or_default();
            matching.take(reader, seq, &metadata).await?;
        }
    }
    Ok(matching.finish())
}
