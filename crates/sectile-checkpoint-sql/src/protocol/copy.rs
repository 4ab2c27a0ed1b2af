//! Copies of threads.

use super::remove::locked;
use super::{
    Error, Head, Integer, Key, Mapping, Result, StoredRow, Text, Transaction, follow, garbage,
    limited, read, rebuild, sql,
};
use crate::read::BLOCK;

/// Copies the checkpoints of a thread, all or up to a number of its root, to a new thread, and
/// returns how many they are.
pub(super) async fn copy(
    transaction: &mut dyn Transaction,
    mapping: Option<Mapping<'_>>,
    from: &str,
    up_to: Option<u64>,
    to: &str,
) -> Result<u64> {
    let not_found = || Error::NotFound {
        thread_id: from.into(),
        seq: up_to,
    };
    let sources = held(transaction, from).await?;
    let limits = limits(transaction, from, &sources, up_to).await?;
    let limits = limits.ok_or_else(not_found)?;
    claim(transaction, to).await?;
    let mut copied = 0;
    for head in &sources {
        copied += copy_namespace(transaction, head, &limits, to).await?;
    }
    if copied == 0 {
        return Err(not_found());
    }
    let root = read::head(transaction, &Key::from(to)).await?;
    match root {
        Some(root) if root.last_seq == 0 => {
            let thread = [Integer(root.thread_key)];
            transaction.execute(sql::DELETE_THREAD, &thread).await?;
        }
        _ => {
            if let Some(mapping) = mapping {
                project(transaction, mapping, to).await?;
            }
        }
    }
    Ok(copied)
}

/// Writes the projections of a copy. If a checkpoint of it is damaged, they are those of the newest alone.
async fn project(transaction: &mut dyn Transaction, mapping: Mapping<'_>, to: &str) -> Result<()> {
    match rebuild(transaction, mapping, to).await {
        Err(error @ Error::Corrupt { .. }) => {
            tracing::warn!(thread_id = to, %error, "the copy has a damaged checkpoint");
            follow(transaction, Some(mapping), to).await
        }
        done => done,
    }
}

/// Holds the namespaces of a thread until the end of the transaction, so that no one saves to them or
/// prunes them meanwhile, and reads them.
async fn held(transaction: &mut dyn Transaction, thread_id: &str) -> Result<Vec<Head>> {
    let mut held = Vec::new();
    for head in read::heads(transaction, thread_id).await? {
        // Others may have saved to it or deleted it before it was held.
        held.extend(locked(transaction, head.thread_key).await?);
    }
    Ok(held)
}

/// Up to where is copied.
struct Limits {
    /// The number, in the root.
    seq: i64,
    /// The time, in other namespaces.
    time: i64,
    /// Whether it may be less than all.
    is_fork: bool,
}

async fn limits(
    transaction: &mut dyn Transaction,
    from: &str,
    sources: &[Head],
    up_to: Option<u64>,
) -> Result<Option<Limits>> {
    if sources.iter().all(|head| head.newest_seq == 0) {
        return Ok(None);
    }
    let Some(seq) = up_to else {
        return Ok(Some(Limits {
            seq: i64::MAX,
            time: i64::MAX,
            is_fork: false,
        }));
    };
    let Some(root) = sources.iter().find(|head| head.namespace.is_empty()) else {
        return Ok(None);
    };
    let seq = limited(seq);
    let arguments = [Integer(root.thread_key), Integer(seq)];
    let found = transaction.rows(sql::AT_KEY, &arguments).await?;
    let Some(row) = found.into_iter().next() else {
        return Ok(None);
    };
    // A wrong time would leave out checkpoints of other namespaces.
    let last = StoredRow::try_from(row)?.verified(&Key::from(from))?;
    Ok(Some(Limits {
        seq,
        time: last.created_at,
        is_fork: true,
    }))
}

/// Takes the id of a thread, which must be free.
async fn claim(transaction: &mut dyn Transaction, to: &str) -> Result<()> {
    create(transaction, &Key::from(to)).await?;
    // Namespaces without a root, of which some may have come while this waited for the root.
    if read::heads(transaction, to).await?.len() > 1 {
        return Err(exists(to));
    }
    Ok(())
}

/// Makes a namespace, which must not be there.
async fn create(transaction: &mut dyn Transaction, key: &Key) -> Result<()> {
    let names = [Text(&key.thread_id), Text(&key.namespace)];
    if transaction.execute(sql::CREATE_THREAD, &names).await? == 0 {
        return Err(exists(&key.thread_id));
    }
    Ok(())
}

fn exists(thread_id: &str) -> Error {
    Error::ThreadExists {
        thread_id: thread_id.into(),
    }
}

async fn copy_namespace(
    transaction: &mut dyn Transaction,
    head: &Head,
    limits: &Limits,
    to: &str,
) -> Result<u64> {
    let is_root = head.namespace.is_empty();
    let key = Key::new(to, &*head.namespace);
    key.validate()?;
    if !is_root {
        // A save may have made it since the id was taken.
        create(transaction, &key).await?;
    }
    let target = read::head(transaction, &key).await?;
    let target = target.ok_or_else(super::remove::conflict)?;
    let (from, new) = (Integer(head.thread_key), Integer(target.thread_key));
    let (seq, time) = if is_root {
        (limits.seq, i64::MAX)
    } else {
        (i64::MAX, limits.time)
    };
    let arguments = [from, new, Integer(seq), Integer(time)];
    let copied = transaction.execute(sql::COPY, &arguments).await?;
    if copied == 0 {
        if !is_root {
            transaction.execute(sql::DELETE_THREAD, &[new]).await?;
        }
        return Ok(0);
    }
    transaction
        .copy_pieces(head.thread_key, target.thread_key)
        .await?;
    transaction.execute(sql::COPY_WRITES, &[from, new]).await?;
    let last_piece = transaction.last_piece(target.thread_key).await?;
    let last_piece = last_piece.max(head.last_piece);
    let arguments = [new, Integer(last_piece)];
    transaction.execute(sql::COUNT_COPY, &arguments).await?;
    let newest = transaction.threads(sql::NEWEST, &[new]).await?;
    if let Some((_, seq, _, time)) = newest.first() {
        let arguments = [from, new, Integer(seq / BLOCK)];
        transaction.execute(sql::COPY_METADATA, &arguments).await?;
        let arguments = [new, Integer(*seq), Integer(*time), Integer(0)];
        transaction.execute(sql::SETTLE, &arguments).await?;
    }
    if limits.is_fork {
        let copy = Head {
            last_piece,
            ..target
        };
        garbage::collect(transaction, &copy).await?;
    }
    Ok(copied)
}
