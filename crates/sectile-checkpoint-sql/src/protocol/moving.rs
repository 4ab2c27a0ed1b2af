//! How what the tables of the first version hold is moved to those of now.

use super::save::{self, insert};
use super::{Integer, Key, Result, StoredRow, Text, Transaction, read, sql};
use crate::row::NewRow;

/// How many checkpoints are moved in one transaction, and about how many bytes of states.
const CHECKPOINTS: i64 = 256;
const BYTES: i64 = 16 << 20;

/// Moves some checkpoints of the first version, and returns whether any may be left.
///
/// # Errors
///
/// [`Error::Corrupt`](sectile_checkpoint::Error::Corrupt) for a checkpoint that cannot be read, and
/// what the database reports.
pub async fn move_some(transaction: &mut dyn Transaction) -> Result<bool> {
    let found = transaction.pairs(sql::moving::OLD_THREAD, &[]).await?;
    let Some((last_seq, thread_id)) = found.into_iter().next() else {
        return Ok(false);
    };
    let key = Key::from(&*thread_id);
    let names = [Text(&key.thread_id), Text("")];
    transaction.execute(sql::CREATE_THREAD, &names).await?;
    let Some(until) = some(transaction, &thread_id).await? else {
        if let Some(head) = read::head(transaction, &key).await? {
            let arguments = [Integer(head.thread_key), Integer(last_seq)];
            transaction.execute(sql::SET_LAST_SEQ, &arguments).await?;
        }
        let thread = [Text(&thread_id)];
        let forget = sql::moving::DELETE_OLD_THREAD;
        transaction.execute(forget, &thread).await?;
        return Ok(true);
    };
    let arguments = [Text(&thread_id), Integer(until)];
    for row in transaction.rows(sql::moving::OLD_ROWS, &arguments).await? {
        move_one(transaction, &key, StoredRow::try_from(row)?).await?;
    }
    let delete = sql::moving::DELETE_OLD_ROWS;
    transaction.execute(delete, &arguments).await?;
    Ok(true)
}

/// Returns the number of the last checkpoint that is moved now, if one is left.
async fn some(transaction: &mut dyn Transaction, thread_id: &str) -> Result<Option<i64>> {
    let arguments = [Text(thread_id), Integer(CHECKPOINTS)];
    let sizes = transaction
        .pairs(sql::moving::OLD_SIZES, &arguments)
        .await?;
    let mut bytes = 0;
    let fits = |(at, (_, size)): &(usize, &(i64, String))| {
        bytes += size.parse::<i64>().unwrap_or(BYTES);
        *at == 0 || bytes <= BYTES
    };
    let last = sizes.iter().enumerate().take_while(fits).last();
    Ok(last.map(|(_, (seq, _))| *seq))
}

async fn move_one(transaction: &mut dyn Transaction, key: &Key, mut row: StoredRow) -> Result<()> {
    let seq = row.seq;
    let state = row.take_state()?;
    let new = NewRow::of(row.into_checkpoint(key, state)?)?;
    let Some(head) = read::head(transaction, key).await? else {
        return Err(super::remove::conflict());
    };
    let mut row = new.row.clone();
    if let Some(state) = &new.pieces {
        row.set_state(save::keep(transaction, key, &head, None, state).await?);
    }
    insert(transaction, key, &head, seq, &row).await?;
    save::add_entries(transaction, head.thread_key, seq.unsigned_abs(), &new).await
}
