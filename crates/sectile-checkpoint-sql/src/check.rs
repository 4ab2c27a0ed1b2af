//! What threads take, and whether all that is stored is as it was saved.

use sectile_checkpoint::{At, Damage, Error, Key, Result, Usage};

use crate::read::{self, Head};
use crate::row::{StoredRow, ThreadTuple, size};
use crate::session::Argument::Integer;
use crate::session::Reader;
use crate::{garbage, sql};

/// How many checkpoints or pieces are looked at, at a time.
const AT_A_TIME: i64 = 64;

/// Says what a namespace takes.
///
/// # Errors
///
/// What the database reports.
pub async fn usage(reader: &mut (impl Reader + ?Sized), head: &Head) -> Result<Usage> {
    let thread = [Integer(head.thread_key)];
    let (pieces_bytes, pieces) = reader.size_of_pieces(head.thread_key).await?;
    let of_checkpoints = reader.threads(sql::SIZE, &thread).await?;
    let of_writes = reader.threads(sql::SIZE_OF_WRITES, &thread).await?;
    let numbers =
        |found: &[ThreadTuple]| found.first().map_or((0, 0, 0), |sum| (sum.1, sum.2, sum.3));
    let (whole, stored, checkpoints) = numbers(&of_checkpoints);
    let (_, writes_bytes, writes) = numbers(&of_writes);
    Ok(Usage {
        thread_id: thread_id(reader, head).await?,
        namespace: head.namespace.clone(),
        checkpoints: checkpoints.unsigned_abs(),
        whole_bytes: whole.unsigned_abs(),
        stored_bytes: (stored + pieces_bytes + writes_bytes).unsigned_abs(),
        pieces: pieces.unsigned_abs(),
        writes: writes.unsigned_abs(),
    })
}

async fn thread_id(reader: &mut (impl Reader + ?Sized), head: &Head) -> Result<String> {
    let thread = [Integer(head.thread_key)];
    let found = reader.pairs(sql::THREAD_OF_KEY, &thread).await?;
    Ok(found
        .into_iter()
        .next()
        .map(|(_, id)| id)
        .unwrap_or_default())
}

/// Reads all that is kept of a namespace, and returns what is not as it was saved.
///
/// # Errors
///
/// What the database reports.
pub async fn verify(reader: &mut (impl Reader + ?Sized), head: &Head) -> Result<Vec<Damage>> {
    let key = Key::new(thread_id(reader, head).await?, &*head.namespace);
    let mut damages = Vec::new();
    let (mut after, mut count) = (0, 0);
    loop {
        let arguments = [Integer(head.thread_key), Integer(after), Integer(AT_A_TIME)];
        let rows = reader.rows(sql::AFTER, &arguments).await?;
        let Some(last) = rows.last() else {
            break;
        };
        after = last.1;
        count += size(rows.len());
        for row in rows {
            let seq = row.1;
            note(&mut damages, &key, seq, checkpoint(reader, &key, row).await)?;
            let at = At::Seq(seq.unsigned_abs());
            note(
                &mut damages,
                &key,
                seq,
                read::writes(reader, &key, &at).await.map(drop),
            )?;
        }
    }
    if after != head.newest_seq {
        let what = format!("the newest checkpoint is {after}, not {}", head.newest_seq);
        damages.push(Damage::of_key(&key, None, what));
    }
    let counted = reader
        .threads(sql::COUNTED, &[Integer(head.thread_key)])
        .await?;
    let counted = counted.first().map_or(0, |counted| counted.1);
    if counted != count {
        let what = format!("{count} checkpoints are there, not {counted}");
        damages.push(Damage::of_key(&key, None, what));
    }
    match orphans(reader, head).await {
        Ok(0) => {}
        Ok(orphans) => {
            let what = format!("{orphans} pieces belong to no checkpoint");
            damages.push(Damage::of_key(&key, None, what));
        }
        Err(Error::Corrupt { what }) => damages.push(Damage::of_key(&key, None, what)),
        Err(error) => return Err(error),
    }
    Ok(damages)
}

async fn checkpoint(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: crate::RowTuple,
) -> Result<()> {
    let row = StoredRow::try_from(row)?.verified(key)?;
    let seq = row.seq.unsigned_abs();
    match read::completed(reader, key, row).await {
        // It may have been deleted since.
        Err(Error::Corrupt { .. }) => read::fetch(reader, key, &At::Seq(seq)).await.map(drop),
        done => done.map(drop),
    }
}

fn note(damages: &mut Vec<Damage>, key: &Key, seq: i64, done: Result<()>) -> Result<()> {
    match done {
        Err(Error::Corrupt { what }) => {
            damages.push(Damage::of_key(key, Some(seq.unsigned_abs()), what));
            Ok(())
        }
        done => done,
    }
}

/// Counts the pieces that no checkpoint needs.
async fn orphans(reader: &mut (impl Reader + ?Sized), head: &Head) -> Result<i64> {
    let needed = garbage::needed(reader, head.thread_key).await?;
    let needed: i64 = needed.iter().map(|(first, end)| end - first).sum();
    let (_, found) = reader.size_of_pieces(head.thread_key).await?;
    Ok(found - needed)
}

/// Returns what belongs to no thread.
///
/// # Errors
///
/// What the database reports.
pub async fn strays(reader: &mut (impl Reader + ?Sized)) -> Result<Vec<Damage>> {
    let found = reader.threads(sql::STRAYS, &[]).await?;
    let strays = found.into_iter().filter(|stray| stray.1 > 0);
    let damage = |(table, count, _, _): (String, i64, i64, i64)| {
        Damage::of_all(format!("{count} rows of `{table}` belong to no thread"))
    };
    let mut damages: Vec<Damage> = strays.map(damage).collect();
    let pieces = reader.stray_pieces().await?;
    if pieces > 0 {
        damages.push(Damage::of_all(format!(
            "{pieces} pieces belong to no thread"
        )));
    }
    Ok(damages)
}
