//! How checkpoints and threads are read.

use sectile_checkpoint::{
    At, Checkpoint, CheckpointQuery, Error, Result, StateJson, ThreadQuery, ThreadSummary,
};
use serde_json::{Map, Value};

use crate::row::StoredRow;
use crate::session::Argument::{Integer, Text};
use crate::session::Reader;
use crate::sql;

/// How many checkpoints are looked at, at a time, for metadata that was asked for.
const METADATA_PAGE: i64 = 500;

/// Reads one checkpoint.
///
/// # Errors
///
/// What the database reports, and [`Error::Corrupt`].
pub async fn fetch(
    reader: &mut dyn Reader,
    thread_id: &str,
    at: &At,
) -> Result<Option<Checkpoint<StateJson>>> {
    let thread = Text(thread_id);
    let rows = match at {
        At::Latest => reader.rows(sql::LATEST, &[thread]).await?,
        At::Seq(seq) => reader.rows(sql::AT_SEQ, &[thread, number(*seq)]).await?,
        At::Id(id) => reader.rows(sql::BY_ID, &[thread, Text(id)]).await?,
    };
    let row = rows.into_iter().next();
    row.map(|row| StoredRow::from(row).into_checkpoint())
        .transpose()
}

/// Reads checkpoints, newest first.
///
/// # Errors
///
/// Those of [`fetch`].
pub async fn select(
    reader: &mut dyn Reader,
    thread_id: &str,
    query: &CheckpointQuery,
) -> Result<Vec<Checkpoint<StateJson>>> {
    let before = query.before.map_or(i64::MAX, limited);
    if !query.metadata.is_empty() {
        return select_matching(reader, thread_id, query, before).await;
    }
    let arguments = [Text(thread_id), Integer(before), count(query.limit)];
    let rows = reader.rows(sql::PAGE, &arguments).await?;
    let rows = rows.into_iter().map(StoredRow::from);
    rows.map(StoredRow::into_checkpoint).collect()
}

/// Reads checkpoints with some metadata. States are read of those only that match.
async fn select_matching(
    reader: &mut dyn Reader,
    thread_id: &str,
    query: &CheckpointQuery,
    mut before: i64,
) -> Result<Vec<Checkpoint<StateJson>>> {
    let mut found = Vec::new();
    loop {
        let arguments = [Text(thread_id), Integer(before), Integer(METADATA_PAGE)];
        let page = reader.pairs(sql::METADATA_PAGE, &arguments).await?;
        let Some(&(last, _)) = page.last() else {
            return Ok(found);
        };
        for (seq, metadata) in page {
            if found.len() >= query.limit.unwrap_or(usize::MAX) {
                return Ok(found);
            }
            if query.matches(&object(&metadata, thread_id, seq)?) {
                let at = At::Seq(seq.unsigned_abs());
                found.extend(fetch(reader, thread_id, &at).await?);
            }
        }
        before = last;
    }
}

fn object(json: &str, thread_id: &str, seq: i64) -> Result<Map<String, Value>> {
    serde_json::from_str(json).map_err(|_| Error::Corrupt {
        what: format!("`metadata_json` of checkpoint {seq} of thread `{thread_id}`"),
    })
}

/// Lists threads.
///
/// # Errors
///
/// What the database reports.
pub async fn threads(reader: &mut dyn Reader, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
    let after = query.after.as_deref().unwrap_or_default();
    let arguments = [Text(after), count(query.limit)];
    let rows = reader.threads(sql::THREADS, &arguments).await?;
    let summary =
        |(thread_id, latest_seq, checkpoints, updated_at): (_, i64, i64, i64)| ThreadSummary {
            thread_id,
            latest_seq: latest_seq.unsigned_abs(),
            checkpoints: checkpoints.unsigned_abs(),
            updated_at: updated_at.unsigned_abs(),
        };
    Ok(rows.into_iter().map(summary).collect())
}

/// Lists the ids of threads after one.
///
/// # Errors
///
/// What the database reports.
pub async fn thread_ids(reader: &mut dyn Reader, after: &str, limit: usize) -> Result<Vec<String>> {
    let arguments = [Text(after), count(Some(limit))];
    let rows = reader.pairs(sql::THREAD_IDS, &arguments).await?;
    Ok(rows.into_iter().map(|(_, thread_id)| thread_id).collect())
}

/// Reads the newest number of a thread, or 0.
///
/// # Errors
///
/// What the database reports.
pub async fn last_seq(reader: &mut dyn Reader, thread_id: &str) -> Result<i64> {
    let rows = reader.pairs(sql::LAST_SEQ, &[Text(thread_id)]).await?;
    Ok(rows.first().map_or(0, |(last, _)| *last))
}

/// Returns a number as both engines hold it; no checkpoint has a larger one.
fn limited(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

fn number(seq: u64) -> crate::Argument<'static> {
    Integer(limited(seq))
}

/// Returns how many rows a limit allows.
fn count(limit: Option<usize>) -> crate::Argument<'static> {
    Integer(limit.map_or(i64::MAX, |limit| limited(limit as u64)))
}
