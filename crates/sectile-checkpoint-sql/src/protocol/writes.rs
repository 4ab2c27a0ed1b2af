//! Pending writes of checkpoints.

use super::save::locked;
use super::{At, Error, Head, Key, Result, Transaction, read};
use crate::writes::{NewWrites, WriteRow, settled};

/// Keeps the pending writes of checkpoints of one namespace. What is there stays as it is, except
/// that a write with a negative index takes the place of the one before.
///
/// # Errors
///
/// [`Error::NotFound`] where one of the checkpoints is not there, and what the database reports.
pub async fn put_writes(transaction: &mut dyn Transaction, news: &[&NewWrites]) -> Result<()> {
    let Some(&first) = news.first() else {
        return Ok(());
    };
    let head = held(transaction, first, news).await?;
    let mut owners: Vec<(&At, String)> = Vec::new();
    let mut rows = Vec::new();
    for &new in news {
        // The tasks of a step write beside the same checkpoint.
        let known = owners.iter().find(|(at, _)| **at == new.at);
        let owner = match known.map(|(_, owner)| owner.clone()) {
            Some(owner) => owner,
            None => read::owner(transaction, Some(&head), &new.at)
                .await?
                .ok_or_else(|| not_found(&new.key, &new.at))?,
        };
        let pending = new.writes.pending();
        rows.extend(pending.map(|pending| WriteRow::new(&owner, pending)));
        owners.push((&new.at, owner));
    }
    transaction
        .put_writes(head.thread_key, &settled(rows))
        .await
}

/// Holds the namespace of writes until the end of the transaction. If the save of a checkpoint that is
/// named by its id may be on its way, makes the namespace where it is missing.
async fn held(
    transaction: &mut dyn Transaction,
    first: &NewWrites,
    news: &[&NewWrites],
) -> Result<Head> {
    if news.iter().any(|new| matches!(new.at, At::Id(_))) {
        return locked(transaction, &first.key).await;
    }
    let head = transaction.hold(&first.key).await?;
    head.map(Head::from)
        .ok_or_else(|| not_found(&first.key, &first.at))
}

fn not_found(key: &Key, at: &At) -> Error {
    Error::NotFound {
        thread_id: key.to_string(),
        seq: at.seq(),
    }
}
