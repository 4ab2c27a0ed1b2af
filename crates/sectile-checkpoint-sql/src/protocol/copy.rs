//! Copies of threads.

use super::{
    Error, Head, Integer, Key, Mapping, Result, Text, Transaction, garbage, limited, read, rebuild,
    sql,
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
    let sources = read::heads(transaction, from).await?;
    for head in &sources {
        // No one prunes it meanwhile.
        let thread = [Integer(head.thread_key)];
        transaction.execute(sql::LOCK_KEY, &thread).await?;
    }
    let limits = limits(transaction, &sources, up_to).await?;
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
                rebuild(transaction, mapping, to).await?;
            }
        }
    }
    Ok(copied)
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
    Ok(found.first().map(|row| Limits {
        seq,
        time: row.2,
        is_fork: true,
    }))
}

/// Takes the id of a thread, which must be free.
async fn claim(transaction: &mut dyn Transaction, to: &str) -> Result<()> {
    let exists = || Error::ThreadExists {
        thread_id: to.into(),
    };
    if !read::heads(transaction, to).await?.is_empty() {
        return Err(exists());
    }
    let root = [Text(to), Text("")];
    if transaction.execute(sql::CREATE_THREAD, &root).await? == 0 {
        return Err(exists());
    }
    Ok(())
}

async fn copy_namespace(
    transaction: &mut dyn Transaction,
    head: &Head,
    limits: &Limits,
    to: &str,
) -> Result<u64> {
    let is_root = head.namespace.is_empty();
    let names = [Text(to), Text(&head.namespace)];
    transaction.execute(sql::CREATE_THREAD, &names).await?;
    let key = Key::new(to, &*head.namespace);
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
    let arguments = [new, Integer(head.last_piece)];
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
            last_piece: head.last_piece,
            ..target
        };
        garbage::collect(transaction, &copy).await?;
    }
    Ok(copied)
}
