//! Deletes checkpoints, with everything that nothing else needs.

use super::{
    Error, Head, Integer, Key, Mapping, Newest, Prune, Result, Text, Transaction,
    clear_projections, follow, garbage, limited, read, sql,
};
use crate::read::BLOCK;
use crate::readable;

/// Deletes all that is kept of a thread, and returns how many checkpoints that were.
pub(super) async fn thread(transaction: &mut dyn Transaction, thread_id: &str) -> Result<u64> {
    let mut removed = 0;
    for head in read::heads(transaction, thread_id).await? {
        removed += whole(transaction, &head).await?;
    }
    clear_projections(transaction, thread_id).await?;
    Ok(removed)
}

/// Deletes all that is kept of a namespace, and returns how many checkpoints that were.
pub(super) async fn namespace(transaction: &mut dyn Transaction, key: &Key) -> Result<u64> {
    let Some(head) = read::head(transaction, key).await? else {
        return Ok(0);
    };
    if key.namespace.is_empty() {
        clear_projections(transaction, &key.thread_id).await?;
    }
    whole(transaction, &head).await
}

/// Deletes a namespace. Its row is the lock, so it goes first.
async fn whole(transaction: &mut dyn Transaction, head: &Head) -> Result<u64> {
    let thread = [Integer(head.thread_key)];
    transaction.execute(sql::DELETE_THREAD, &thread).await?;
    transaction.execute(sql::DELETE_WRITES, &thread).await?;
    let all = [thread[0], Integer(i64::MAX)];
    transaction.execute(sql::CUT_METADATA, &all).await?;
    let all = (0, i64::MAX);
    transaction
        .delete_pieces(head.thread_key, all.0, all.1)
        .await?;
    transaction.execute(sql::DELETE_CHECKPOINTS, &thread).await
}

/// Deletes old checkpoints of a namespace and returns how many.
pub(super) async fn prune(
    transaction: &mut dyn Transaction,
    mapping: Option<Mapping<'_>>,
    thread_key: i64,
    prune: &Prune,
) -> Result<u64> {
    let Some(head) = locked(transaction, thread_key).await? else {
        return Ok(0);
    };
    let time = prune.older_than.map_or(i64::MAX, limited);
    let Some((seq, id)) = oldest_kept(transaction, &head, prune, time).await? else {
        return Ok(0);
    };
    let (statements, oldest_kept) = match prune.newest {
        Newest::BySeq => ([sql::PRUNE_WRITES, sql::PRUNE], Integer(seq)),
        Newest::ById => ([sql::PRUNE_WRITES_BY_ID, sql::PRUNE_BY_ID], Text(&id)),
    };
    let arguments = [Integer(thread_key), oldest_kept, Integer(time)];
    let [of_writes, of_checkpoints] = statements;
    transaction.execute(of_writes, &arguments).await?;
    let removed = transaction.execute(of_checkpoints, &arguments).await?;
    settle(transaction, mapping, &head, removed).await?;
    Ok(removed)
}

/// Returns the number and the id of the last of the newest checkpoints that can be read, which stay with all
/// after them. Nothing if there are fewer, or if none before them was saved before a time.
async fn oldest_kept(
    transaction: &mut dyn Transaction,
    head: &Head,
    prune: &Prune,
    time: i64,
) -> Result<Option<(i64, String)>> {
    let count = prune.keep_latest.max(1);
    if prune.newest == Newest::BySeq && !has_older(transaction, head, count, time).await? {
        return Ok(None);
    }
    let thread_id = read::thread_id(transaction, head.thread_key).await?;
    let key = Key::new(thread_id, &*head.namespace);
    let thread_key = head.thread_key;
    readable::last_of_newest(transaction, &key, thread_key, prune.newest, count).await
}

/// Returns whether a checkpoint before the newest `count` was saved before a time.
async fn has_older(
    transaction: &mut dyn Transaction,
    head: &Head,
    count: u64,
    time: i64,
) -> Result<bool> {
    let thread = Integer(head.thread_key);
    let arguments = [thread, Integer(limited(count - 1))];
    let newest = transaction.pairs(sql::NTH_NEWEST, &arguments).await?;
    let Some(&(at_most, _)) = newest.first() else {
        return Ok(false);
    };
    let arguments = [thread, Integer(at_most), Integer(time)];
    let older = transaction.pairs(sql::OLDER, &arguments).await?;
    Ok(!older.is_empty())
}

/// Deletes what a run saved and wrote in a namespace, and returns how many checkpoints that were.
pub(super) async fn run(
    transaction: &mut dyn Transaction,
    mapping: Option<Mapping<'_>>,
    thread_key: i64,
    run_id: &str,
) -> Result<u64> {
    let Some(head) = locked(transaction, thread_key).await? else {
        return Ok(0);
    };
    let arguments = [Integer(thread_key), Text(run_id)];
    for statement in [sql::DELETE_WRITES_OF_RUN, sql::DELETE_WRITES_BESIDE_RUN] {
        transaction.execute(statement, &arguments).await?;
    }
    let removed = transaction.execute(sql::DELETE_RUN, &arguments).await?;
    settle(transaction, mapping, &head, removed).await?;
    Ok(removed)
}

/// Holds a namespace until the end of the transaction, and reads it, if it is there.
pub(super) async fn locked(
    transaction: &mut dyn Transaction,
    thread_key: i64,
) -> Result<Option<Head>> {
    let thread = [Integer(thread_key)];
    if transaction.execute(sql::LOCK_KEY, &thread).await? == 0 {
        return Ok(None);
    }
    read::head_of_key(transaction, thread_key).await
}

/// Brings a namespace to what is left of it after checkpoints went, and the projections of its thread to the
/// newest that is left, if that became another one.
async fn settle(
    transaction: &mut dyn Transaction,
    mapping: Option<Mapping<'_>>,
    head: &Head,
    removed: u64,
) -> Result<()> {
    if removed == 0 {
        return Ok(());
    }
    let thread = Integer(head.thread_key);
    let newest = transaction.threads(sql::NEWEST, &[thread]).await?;
    let (seq, time) = newest.first().map_or((0, 0), |newest| (newest.1, newest.3));
    let arguments = [
        thread,
        Integer(seq),
        Integer(time),
        Integer(limited(removed)),
    ];
    transaction.execute(sql::SETTLE, &arguments).await?;
    let oldest = transaction.pairs(sql::OLDEST, &[thread]).await?;
    let block = oldest.first().map_or(i64::MAX, |(seq, _)| seq / BLOCK);
    transaction
        .execute(sql::CUT_METADATA, &[thread, Integer(block)])
        .await?;
    garbage::collect(transaction, head).await?;
    if head.namespace.is_empty() && seq != head.newest_seq {
        let thread_id = read::thread_id(transaction, head.thread_key).await?;
        follow(transaction, mapping, &thread_id).await?;
    }
    Ok(())
}

/// The error for what was changed by another in between.
pub(super) fn conflict() -> Error {
    Error::Conflict {
        source: "the thread was changed by another at the same moment".into(),
    }
}
