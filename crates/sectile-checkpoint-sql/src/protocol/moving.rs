//! How what the tables of the first version hold is moved to those of now.

use super::remove::conflict;
use super::save::{self, insert};
use super::{Error, Integer, Key, Result, StoredRow, Text, Transaction, read, sql};
use crate::row::NewRow;

/// How many checkpoints are moved in one transaction, and about how many bytes of states.
const CHECKPOINTS: i64 = 256;
const BYTES: i64 = 16 << 20;

/// Moves some checkpoints of the first version, and returns the names of those among them that are damaged; nothing if none
/// was left. A damaged one is moved as it is, and stays [`Error::Corrupt`].
///
/// # Errors
///
/// What the database reports.
pub async fn move_some(transaction: &mut dyn Transaction) -> Result<Option<Vec<String>>> {
    let found = transaction.pairs(sql::moving::OLD_THREAD, &[]).await?;
    let Some((last_seq, thread_id)) = found.into_iter().next() else {
        return Ok(None);
    };
    let key = Key::from(&*thread_id);
    let names = [Text(&key.thread_id), Text("")];
    transaction.execute(sql::CREATE_THREAD, &names).await?;
    let mut damaged = Vec::new();
    let numbers = oldest(transaction, &thread_id).await?;
    let Some(&until) = numbers.last() else {
        if let Some(head) = read::head(transaction, &key).await? {
            let arguments = [Integer(head.thread_key), Integer(last_seq)];
            transaction.execute(sql::SET_LAST_SEQ, &arguments).await?;
        }
        let thread = [Text(&thread_id)];
        let forget = sql::moving::DELETE_OLD_THREAD;
        transaction.execute(forget, &thread).await?;
        return Ok(Some(damaged));
    };
    for seq in numbers {
        match read_one(transaction, &key, seq).await {
            Ok(row) => move_one(transaction, &key, seq, &row).await?,
            Err(error @ Error::Corrupt { .. }) => {
                tracing::warn!(%key, seq, %error, "a damaged checkpoint is moved as it is");
                copy_one(transaction, &key, seq).await?;
                damaged.push(format!("checkpoint {seq} of thread `{key}`"));
            }
            Err(error) => return Err(error),
        }
    }
    let arguments = [Text(&thread_id), Integer(until)];
    let delete = sql::moving::DELETE_OLD_ROWS;
    transaction.execute(delete, &arguments).await?;
    Ok(Some(damaged))
}

/// Says which checkpoints of the first version were damaged, after all were moved.
///
/// # Errors
///
/// [`Error::Corrupt`] if there are any.
pub fn refuse_damaged(damaged: &[String]) -> Result<()> {
    let what = match damaged {
        [] => return Ok(()),
        [one] => format!("{one} cannot be read; the rest is moved, and this one as it is"),
        [first, others @ ..] => {
            let count = others.len();
            let others = if count == 1 { "other" } else { "others" };
            format!(
                "{first} and {count} {others} cannot be read; the rest is moved, and these as they are; `verify` names \
                 them"
            )
        }
    };
    Err(Error::Corrupt { what })
}

/// Returns the numbers of the oldest checkpoints of a thread, as many as are moved now.
async fn oldest(transaction: &mut dyn Transaction, thread_id: &str) -> Result<Vec<i64>> {
    let arguments = [Text(thread_id), Integer(CHECKPOINTS)];
    let sizes = transaction
        .pairs(sql::moving::OLD_SIZES, &arguments)
        .await?;
    let mut bytes = 0;
    let fits = |(at, (_, size)): &(usize, &(i64, String))| {
        bytes += size.parse::<i64>().unwrap_or(BYTES);
        *at == 0 || bytes <= BYTES
    };
    let some = sizes.iter().enumerate().take_while(fits);
    Ok(some.map(|(_, (seq, _))| *seq).collect())
}

/// Reads one as it is to be saved.
async fn read_one(transaction: &mut dyn Transaction, key: &Key, seq: i64) -> Result<NewRow> {
    let arguments = [Text(&key.thread_id), Integer(seq)];
    let found = transaction.rows(sql::moving::OLD_ROW, &arguments).await?;
    let row = found.into_iter().next().ok_or_else(conflict)?;
    let mut row = StoredRow::try_from(row)?;
    let state = row.take_state()?;
    NewRow::of(row.into_checkpoint(key, state)?)
}

async fn move_one(
    transaction: &mut dyn Transaction,
    key: &Key,
    seq: i64,
    new: &NewRow,
) -> Result<()> {
    let head = read::head(transaction, key).await?.ok_or_else(conflict)?;
    let mut row = new.row.clone();
    if let Some(state) = &new.pieces {
        row.set_state(save::keep(transaction, key, &head, None, state).await?);
    }
    insert(transaction, key, &head, seq, &row).await?;
    save::add_entries(transaction, head.thread_key, seq.unsigned_abs(), new).await
}

/// Copies one that cannot be read.
async fn copy_one(transaction: &mut dyn Transaction, key: &Key, seq: i64) -> Result<()> {
    let head = read::head(transaction, key).await?.ok_or_else(conflict)?;
    let arguments = [Integer(head.thread_key), Text(&key.thread_id), Integer(seq)];
    transaction
        .execute(sql::moving::COPY_OLD_ROW, &arguments)
        .await?;
    let times = transaction
        .pairs(sql::moving::OLD_TIME, &arguments[1..])
        .await?;
    let created_at = times.first().map_or(0, |(time, _)| *time);
    save::count(transaction, &head, seq, created_at).await
}
