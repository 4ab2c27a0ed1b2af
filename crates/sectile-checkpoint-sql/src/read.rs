//! How checkpoints, writes and threads are read.

use std::collections::{BTreeMap, HashMap};

use sectile_checkpoint::{
    At, Checkpoint, CheckpointOrder, CheckpointQuery, Error, Key, NamespaceSummary, PendingWrite,
    Result, Sharing, StoredState, TypedValue, Write,
};

use crate::pieces::{self, Pieces};
use crate::row::{RowTuple, StoredRow, corrupt};
use crate::session::Argument::{Integer, Text};
use crate::session::{Reader, WriteTuple};
use crate::sql;
use crate::writes::{hash_of_write, hash_without_owner};

mod blocks;
mod by_id;
mod head;
mod matching;
mod numbers;
mod sharing;
mod threads;

pub(crate) use by_id::above_all;
pub use head::Head;
pub(crate) use numbers::{BLOCK, limited, slot};
pub use threads::threads;

/// Reads a namespace, if it is there.
///
/// # Errors
///
/// What the database reports.
pub async fn head(reader: &mut (impl Reader + ?Sized), key: &Key) -> Result<Option<Head>> {
    let arguments = [Text(&key.thread_id), Text(&key.namespace)];
    let found = reader.heads(sql::HEAD, &arguments).await?;
    Ok(found.into_iter().next().map(Head::from))
}

/// Reads a namespace by its number, if it is there.
pub(crate) async fn head_of_key(
    reader: &mut (impl Reader + ?Sized),
    thread_key: i64,
) -> Result<Option<Head>> {
    let found = reader
        .heads(sql::HEAD_OF_KEY, &[Integer(thread_key)])
        .await?;
    Ok(found.into_iter().next().map(Head::from))
}

/// Returns the thread of a namespace, which must be there.
pub(crate) async fn thread_id(
    reader: &mut (impl Reader + ?Sized),
    thread_key: i64,
) -> Result<String> {
    let found = reader
        .pairs(sql::THREAD_OF_KEY, &[Integer(thread_key)])
        .await?;
    let thread_id = found.into_iter().next().map(|(_, thread_id)| thread_id);
    Ok(thread_id.unwrap_or_default())
}

/// Returns the thread and the name of a namespace by its number, if it is there.
///
/// # Errors
///
/// What the database reports.
pub async fn key(reader: &mut (impl Reader + ?Sized), thread_key: i64) -> Result<Option<Key>> {
    let Some(head) = head_of_key(reader, thread_key).await? else {
        return Ok(None);
    };
    let thread_id = thread_id(reader, thread_key).await?;
    Ok(Some(Key::new(thread_id, head.namespace)))
}

/// Reads the namespaces of a thread.
///
/// # Errors
///
/// What the database reports.
pub async fn heads(reader: &mut (impl Reader + ?Sized), thread_id: &str) -> Result<Vec<Head>> {
    let found = reader.heads(sql::HEADS, &[Text(thread_id)]).await?;
    Ok(found.into_iter().map(Head::from).collect())
}

/// Reads namespaces of all threads after a number.
///
/// # Errors
///
/// What the database reports.
pub async fn all_heads(
    reader: &mut (impl Reader + ?Sized),
    after: i64,
    limit: usize,
) -> Result<Vec<Head>> {
    let arguments = [Integer(after), count(Some(limit))];
    let found = reader.heads(sql::ALL_HEADS, &arguments).await?;
    Ok(found.into_iter().map(Head::from).collect())
}

/// Reads one checkpoint.
///
/// # Errors
///
/// What the database reports, and [`Error::Corrupt`]. Unless the reader sees all as it is at one moment,
/// the checkpoint may only have been deleted while it was read.
pub async fn fetch(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    at: &At,
) -> Result<Option<Checkpoint<StoredState>>> {
    match found(reader, key, at).await? {
        Some((row, pieces)) => completed(reader, key, row, pieces).await.map(Some),
        None => Ok(None),
    }
}

/// Reads a checkpoint whose state is wanted as a type: channels that are all JSON come as one text.
///
/// # Errors
///
/// Those of [`fetch`].
pub async fn fetch_typed(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    at: &At,
) -> Result<Option<Checkpoint<StoredState>>> {
    let Some((mut row, pieces)) = found(reader, key, at).await? else {
        return Ok(None);
    };
    let state = pieces::typed_state(reader, key, &mut row, pieces).await?;
    row.into_checkpoint(key, state).map(Some)
}

/// Reads a row, with the pieces of its state that come with it.
async fn found(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    at: &At,
) -> Result<Option<(StoredRow, Pieces)>> {
    let mut pieces = Pieces::default();
    let (thread, namespace) = (Text(&key.thread_id), Text(&key.namespace));
    let rows = match at {
        At::Latest => {
            let rows = reader.latest(key, &mut pieces).await?;
            pieces.sort();
            rows
        }
        At::Seq(seq) => {
            let arguments = [thread, namespace, number(*seq)];
            reader.rows(sql::AT_SEQ, &arguments).await?
        }
        At::Id(id) => {
            let arguments = [thread, namespace, Text(id)];
            reader.rows(sql::BY_ID, &arguments).await?
        }
    };
    let Some(row) = rows.into_iter().next() else {
        if *at == At::Latest {
            expect_none(reader, key).await?;
        }
        return Ok(None);
    };
    let row = StoredRow::try_from(row)?.verified(key)?;
    Ok(Some((row, pieces)))
}

/// Checks that a namespace without a newest checkpoint has none.
async fn expect_none(reader: &mut (impl Reader + ?Sized), key: &Key) -> Result<()> {
    match head(reader, key).await?.map_or(0, |head| head.newest_seq) {
        0 => Ok(()),
        newest => Err(corrupt(key, newest, "is missing, though it is the newest")),
    }
}

/// Returns the checkpoint of a row, with its state, of which some pieces came with the row.
pub(crate) async fn completed(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    mut row: StoredRow,
    pieces: Pieces,
) -> Result<Checkpoint<StoredState>> {
    let state = pieces::state(reader, key, &mut row, pieces).await?;
    row.into_checkpoint(key, state)
}

/// Reads checkpoints in the order of a query.
///
/// # Errors
///
/// Those of [`fetch`].
pub async fn select(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    query: &CheckpointQuery,
) -> Result<Vec<Checkpoint<StoredState>>> {
    if let CheckpointOrder::ById { before } = &query.order {
        return by_id::select(reader, key, query, before.as_deref()).await;
    }
    if !query.metadata.is_empty() {
        return matching::by_seq(reader, key, query).await;
    }
    let before = query.before.map_or(i64::MAX, limited);
    let arguments = [
        Text(&key.thread_id),
        Text(&key.namespace),
        Integer(before),
        count(query.limit),
    ];
    let rows = reader.rows(sql::PAGE, &arguments).await?;
    all_completed(reader, key, rows).await
}

/// Returns the checkpoints of rows.
async fn all_completed(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    rows: Vec<RowTuple>,
) -> Result<Vec<Checkpoint<StoredState>>> {
    let mut found = Vec::new();
    for row in rows {
        let row = StoredRow::try_from(row)?.verified(key)?;
        found.push(completed(reader, key, row, Pieces::default()).await?);
    }
    Ok(found)
}

/// Returns the key of the pending writes of a checkpoint, with the namespace; `None` if the
/// checkpoint does not exist and cannot be about to be saved.
pub(crate) async fn owner(
    reader: &mut (impl Reader + ?Sized),
    head: Option<&Head>,
    at: &At,
) -> Result<Option<String>> {
    let seq = match (at, head) {
        (At::Id(id), _) => return Ok(Some(format!("={id}"))),
        (At::Seq(seq), Some(_)) => limited(*seq),
        (At::Latest, Some(head)) => head.newest_seq,
        (At::Seq(_) | At::Latest, None) => return Ok(None),
    };
    let thread_key = head.map_or(0, |head| head.thread_key);
    let arguments = [Integer(thread_key), Integer(seq)];
    let found = reader.pairs(sql::SEQ_OWNER, &arguments).await?;
    Ok(found.into_iter().next().map(|(_, owner)| owner))
}

/// Reads the pending writes of a checkpoint.
///
/// # Errors
///
/// What the database reports, and [`Error::Corrupt`].
pub async fn writes(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    at: &At,
) -> Result<Vec<PendingWrite>> {
    let Some(head) = head(reader, key).await? else {
        return Ok(Vec::new());
    };
    let Some(owner) = owner(reader, Some(&head), at).await? else {
        return Ok(Vec::new());
    };
    writes_of(reader, key, head.thread_key, &owner).await
}

/// Reads the writes of an owner.
pub(crate) async fn writes_of(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    thread_key: i64,
    owner: &str,
) -> Result<Vec<PendingWrite>> {
    let arguments = [Integer(thread_key), Text(owner)];
    let found = reader.writes(sql::WRITES, &arguments).await?;
    found.into_iter().map(|write| pending(key, write)).collect()
}

/// Counts the pending writes of checkpoints, which are given by their numbers, and returns the counts in that
/// order.
///
/// # Errors
///
/// What the database reports.
pub async fn count_writes(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    seqs: &[u64],
) -> Result<Vec<u64>> {
    if seqs.is_empty() {
        return Ok(Vec::new());
    }
    let numbers: Vec<i64> = seqs.iter().map(|seq| limited(*seq)).collect();
    let counts = reader.count_writes(key, &numbers).await?;
    let counts: HashMap<i64, i64> = counts.into_iter().collect();
    let of = |number: &i64| counts.get(number).copied().map_or(0, i64::unsigned_abs);
    Ok(numbers.iter().map(of).collect())
}

/// Reads the pending writes of each of many checkpoints. Those that are named by their ids take one
/// statement together, and each of the others one more.
///
/// # Errors
///
/// What the database reports, and [`Error::Corrupt`].
pub async fn writes_of_many(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    all: &[At],
) -> Result<Vec<Vec<PendingWrite>>> {
    let mut owners = Vec::with_capacity(all.len());
    let head = head(reader, key).await?;
    for at in all {
        owners.push(owner(reader, head.as_ref(), at).await?);
    }
    let mut found: BTreeMap<String, Vec<PendingWrite>> = BTreeMap::new();
    if let Some(head) = head {
        let owners: Vec<String> = owners.iter().flatten().cloned().collect();
        for write in reader.writes_of(head.thread_key, &owners).await? {
            let of_owner = found.entry(write.0.clone()).or_default();
            of_owner.push(pending(key, write)?);
        }
    }
    let of = |owner: Option<String>| found.get(&owner?).cloned();
    let all = owners
        .into_iter()
        .map(|owner| of(owner).unwrap_or_default());
    Ok(all.collect())
}

fn pending(key: &Key, write: WriteTuple) -> Result<PendingWrite> {
    let (owner, task_id, index, task_path, run_id, channel, hash, kind, bytes) = write;
    let write = PendingWrite {
        task_id,
        task_path,
        run_id,
        write: Write {
            index,
            channel,
            value: TypedValue::new(&kind, bytes),
        },
    };
    // That of the owner is missing from what was written before it was part of the hash.
    if [hash_of_write(&owner, &write), hash_without_owner(&write)].contains(&hash) {
        return Ok(write);
    }
    Err(Error::Corrupt {
        what: format!(
            "write {index} of task `{}` of thread `{key}` is not as it was saved",
            write.task_id
        ),
    })
}

/// Says what the state of a checkpoint shares with its parent; nothing if the checkpoint is not there or its
/// state is not in pieces.
///
/// # Errors
///
/// Those of [`fetch`].
pub async fn sharing(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    at: &At,
) -> Result<Option<Sharing>> {
    match found(reader, key, at).await? {
        Some((row, _)) => sharing::of_row(reader, key, &row).await,
        None => Ok(None),
    }
}

/// Lists the namespaces of a thread.
///
/// # Errors
///
/// What the database reports.
pub async fn namespaces(
    reader: &mut (impl Reader + ?Sized),
    thread_id: &str,
) -> Result<Vec<NamespaceSummary>> {
    let rows = reader.threads(sql::NAMESPACES, &[Text(thread_id)]).await?;
    let summary = |row: (String, i64, i64, i64)| NamespaceSummary {
        namespace: row.0,
        latest_seq: row.1.unsigned_abs(),
        checkpoints: row.2.unsigned_abs(),
        updated_at: row.3.unsigned_abs(),
    };
    Ok(rows.into_iter().map(summary).collect())
}

/// Lists the numbers of namespaces where a run saved or wrote, after one.
///
/// # Errors
///
/// What the database reports.
pub async fn keys_of_run(
    reader: &mut (impl Reader + ?Sized),
    run_id: &str,
    after: i64,
    limit: usize,
) -> Result<Vec<i64>> {
    let arguments = [Text(run_id), Integer(after), count(Some(limit))];
    let found = reader.pairs(sql::RUN_KEYS, &arguments).await?;
    Ok(found.into_iter().map(|(key, _)| key).collect())
}

fn number(seq: u64) -> crate::Argument<'static> {
    Integer(limited(seq))
}

/// Returns how many rows a limit allows.
fn count(limit: Option<usize>) -> crate::Argument<'static> {
    Integer(limit.map_or(i64::MAX, |limit| limited(limit as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_belongs_to_what_it_was_saved_beside() {
        let read = |owner: &str, hash| {
            let [task, path, channel, kind] = ["a", "path", "channel", "json"].map(str::to_owned);
            let run = Some("run".to_owned());
            let owner = owner.to_owned();
            let write = (
                owner,
                task,
                0,
                path,
                run,
                channel,
                hash,
                kind,
                b"1".to_vec(),
            );
            pending(&Key::from("t"), write)
        };
        // As it was written before what it belongs to was part of the hash.
        let of_earlier = -6_930_264_261_265_871_185;
        let write = read("#1", of_earlier).unwrap();
        let hash = hash_of_write("#1", &write);
        assert!(read("#1", hash).is_ok());
        assert!(read("#2", hash).is_err());
        assert!(read("#1", hash + 1).is_err());
    }
}
