//! How threads are listed.

use sectile_checkpoint::{CheckpointQuery, Key, Result, ThreadOrder, ThreadQuery, ThreadSummary};

use super::{AT_A_TIME, count, heads, limited, rarest, select, slot};
use crate::session::Argument::{Integer, Text};
use crate::session::Reader;
use crate::sql;

/// Lists threads.
///
/// # Errors
///
/// What the database reports.
pub async fn threads(
    reader: &mut (impl Reader + ?Sized),
    query: &ThreadQuery,
) -> Result<Vec<ThreadSummary>> {
    if !query.metadata.is_empty() {
        return threads_with(reader, query).await;
    }
    let before = Integer(query.used_before.map_or(i64::MAX, limited));
    let since = query.used_since.map_or(0, limited);
    if query.order == ThreadOrder::ByLastUse {
        return threads_by_use(reader, query, before, since).await;
    }
    let after = query.after.as_deref().unwrap_or_default();
    let arguments = [Text(after), before, Integer(since), count(query.limit)];
    let rows = reader.threads(sql::THREADS, &arguments).await?;
    Ok(rows.into_iter().map(summary).collect())
}

fn summary(row: (String, i64, i64, i64)) -> ThreadSummary {
    ThreadSummary {
        thread_id: row.0,
        latest_seq: row.1.unsigned_abs(),
        checkpoints: row.2.unsigned_abs(),
        updated_at: row.3.unsigned_abs(),
    }
}

async fn thread(
    reader: &mut (impl Reader + ?Sized),
    thread_id: &str,
) -> Result<Option<ThreadSummary>> {
    let rows = reader.threads(sql::THREAD, &[Text(thread_id)]).await?;
    Ok(rows.into_iter().next().map(summary))
}

async fn threads_by_use(
    reader: &mut (impl Reader + ?Sized),
    query: &ThreadQuery,
    before: crate::Argument<'static>,
    since: i64,
) -> Result<Vec<ThreadSummary>> {
    let (time, after) = match &query.after {
        None => (i64::MAX, ""),
        Some(after) => match thread(reader, after).await? {
            Some(found) => (limited(found.updated_at), &**after),
            None => return Ok(Vec::new()),
        },
    };
    let latest = query
        .used_before
        .map_or(time, |before| time.min(limited(before)));
    let arguments = [
        Integer(slot(latest)),
        Integer(time),
        Text(after),
        before,
        count(query.limit),
        Integer(slot(since)),
        Integer(since),
    ];
    let mut found = Vec::new();
    for (_, thread_id) in reader.pairs(sql::THREADS_BY_USE, &arguments).await? {
        found.extend(thread(reader, &thread_id).await?);
    }
    Ok(found)
}

/// Lists the threads with some metadata: those of the rarest entry, of which each is looked at.
async fn threads_with(
    reader: &mut (impl Reader + ?Sized),
    query: &ThreadQuery,
) -> Result<Vec<ThreadSummary>> {
    let threads_of = |entry| vec![Integer(entry), Text(""), Integer(AT_A_TIME)];
    let rarest = rarest(reader, &query.metadata, sql::THREADS_WITH, threads_of);
    let Some(rarest) = rarest.await? else {
        return Ok(Vec::new());
    };
    let by_id = query.order == ThreadOrder::ById;
    let limit = query.limit.unwrap_or(usize::MAX);
    let mut after = match &query.after {
        Some(after) if by_id => after.clone(),
        _ => String::new(),
    };
    let mut found = Vec::new();
    loop {
        let arguments = [Integer(rarest), Text(&after), Integer(AT_A_TIME)];
        let page = reader.pairs(sql::THREADS_WITH, &arguments).await?;
        let Some((_, last)) = page.last() else {
            break;
        };
        after.clone_from(last);
        for (_, thread_id) in page {
            if by_id && found.len() >= limit {
                return Ok(found);
            }
            let Some(thread) = thread(reader, &thread_id).await? else {
                continue;
            };
            let time = thread.updated_at;
            let is_in_time = query.used_before.is_none_or(|before| time < before)
                && query.used_since.is_none_or(|since| time >= since);
            if is_in_time && has_metadata(reader, &thread_id, query).await? {
                found.push(thread);
            }
        }
    }
    if !by_id {
        found = by_last_use(reader, query, found).await?;
    }
    found.truncate(limit);
    Ok(found)
}

/// Sorts threads by last use, and leaves out those up to the one that a list goes on behind, which need
/// not be among them.
async fn by_last_use(
    reader: &mut (impl Reader + ?Sized),
    query: &ThreadQuery,
    mut found: Vec<ThreadSummary>,
) -> Result<Vec<ThreadSummary>> {
    let place = |one: &ThreadSummary, other: &ThreadSummary| {
        let by_time = other.updated_at.cmp(&one.updated_at);
        by_time.then_with(|| one.thread_id.cmp(&other.thread_id))
    };
    found.sort_by(place);
    if let Some(after) = &query.after {
        let last = thread(reader, after).await?;
        found.retain(|thread| {
            last.as_ref()
                .is_some_and(|last| place(thread, last).is_gt())
        });
    }
    Ok(found)
}

/// Says whether a checkpoint of a thread has the metadata that is asked for.
async fn has_metadata(
    reader: &mut (impl Reader + ?Sized),
    thread_id: &str,
    query: &ThreadQuery,
) -> Result<bool> {
    let one = CheckpointQuery {
        limit: Some(1),
        before: None,
        metadata: query.metadata.clone(),
    };
    for head in heads(reader, thread_id).await? {
        let key = Key::new(thread_id, head.namespace);
        if !select(reader, &key, &one).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
