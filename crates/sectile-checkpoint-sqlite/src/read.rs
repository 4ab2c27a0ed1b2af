//! What reads checkpoints.

use sectile_checkpoint::{
    At, Checkpoint, CheckpointQuery, Error, Result, StateJson, ThreadQuery, ThreadSummary,
};
use sectile_checkpoint_sql::error::sqlite;
use sectile_checkpoint_sql::{RowTuple, StoredRow, sql};
use sectile_migrations::Tables;
use serde_json::{Map, Value};
use sqlx::{AssertSqlSafe, SqliteConnection};

/// How many checkpoints are looked at, at a time, for metadata that was asked for.
const METADATA_PAGE: i64 = 500;

/// Reads one checkpoint.
pub(crate) async fn fetch(
    connection: &mut SqliteConnection,
    tables: &Tables,
    thread_id: &str,
    at: &At,
) -> Result<Option<Checkpoint<StateJson>>> {
    let template = match at {
        At::Latest => sql::LATEST,
        At::Seq(_) => sql::AT_SEQ,
        At::Id(_) => sql::BY_ID,
    };
    let query = sqlx::query_as(AssertSqlSafe(tables.sql(template))).bind(thread_id);
    let query = match at {
        At::Latest => query,
        At::Seq(seq) => query.bind(number(*seq)),
        At::Id(id) => query.bind(id),
    };
    let row: Option<RowTuple> = query
        .fetch_optional(connection)
        .await
        .map_err(sqlite("read a checkpoint"))?;
    row.map(|row| StoredRow::from(row).into_checkpoint())
        .transpose()
}

/// Reads checkpoints, newest first.
pub(crate) async fn select(
    connection: &mut SqliteConnection,
    tables: &Tables,
    thread_id: &str,
    query: &CheckpointQuery,
) -> Result<Vec<Checkpoint<StateJson>>> {
    let before = query.before.map_or(i64::MAX, number);
    if !query.metadata.is_empty() {
        return select_matching(connection, tables, thread_id, query, before).await;
    }
    let rows: Vec<RowTuple> = sqlx::query_as(AssertSqlSafe(tables.sql(sql::PAGE)))
        .bind(thread_id)
        .bind(before)
        .bind(count(query.limit))
        .fetch_all(connection)
        .await
        .map_err(sqlite("list checkpoints"))?;
    let rows = rows.into_iter().map(StoredRow::from);
    rows.map(StoredRow::into_checkpoint).collect()
}

/// Reads checkpoints with some metadata. States are read of those only that match.
async fn select_matching(
    connection: &mut SqliteConnection,
    tables: &Tables,
    thread_id: &str,
    query: &CheckpointQuery,
    mut before: i64,
) -> Result<Vec<Checkpoint<StateJson>>> {
    let mut found = Vec::new();
    loop {
        let page: Vec<(i64, String)> =
            sqlx::query_as(AssertSqlSafe(tables.sql(sql::METADATA_PAGE)))
                .bind(thread_id)
                .bind(before)
                .bind(METADATA_PAGE)
                .fetch_all(&mut *connection)
                .await
                .map_err(sqlite("list checkpoints"))?;
        let Some(&(last, _)) = page.last() else {
            return Ok(found);
        };
        for (seq, metadata) in page {
            if found.len() >= query.limit.unwrap_or(usize::MAX) {
                return Ok(found);
            }
            if query.matches(&object(&metadata, thread_id, seq)?) {
                let at = At::Seq(seq.unsigned_abs());
                found.extend(fetch(connection, tables, thread_id, &at).await?);
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
pub(crate) async fn threads(
    connection: &mut SqliteConnection,
    tables: &Tables,
    query: &ThreadQuery,
) -> Result<Vec<ThreadSummary>> {
    let rows: Vec<(String, i64, i64, i64)> =
        sqlx::query_as(AssertSqlSafe(tables.sql(sql::THREADS)))
            .bind(query.after.as_deref().unwrap_or_default())
            .bind(count(query.limit))
            .fetch_all(connection)
            .await
            .map_err(sqlite("list threads"))?;
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
pub(crate) async fn thread_ids(
    connection: &mut SqliteConnection,
    tables: &Tables,
    after: &str,
    limit: i64,
) -> Result<Vec<String>> {
    let rows: Vec<(i64, String)> = sqlx::query_as(AssertSqlSafe(tables.sql(sql::THREAD_IDS)))
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await
        .map_err(sqlite("list threads"))?;
    Ok(rows.into_iter().map(|(_, thread_id)| thread_id).collect())
}

/// Returns a number as SQLite holds it; no checkpoint has a larger one.
fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

/// Returns how many rows a limit allows.
fn count(limit: Option<usize>) -> i64 {
    limit.map_or(i64::MAX, |limit| i64::try_from(limit).unwrap_or(i64::MAX))
}
