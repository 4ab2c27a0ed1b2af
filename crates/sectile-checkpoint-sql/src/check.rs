//! What threads take, and whether all that is stored is as it was saved.

use sectile_checkpoint::{Damage, Error, Key, Result, Usage};

use crate::garbage::Needed;
use crate::layout::Run;
use crate::pieces;
use crate::read;
use crate::row::{StoredRow, ThreadTuple, checksum, size};
use crate::session::Argument::{Integer, Text};
use crate::session::Reader;
use crate::{garbage, sql};

/// How many checkpoints or pieces are looked at, at a time.
const AT_A_TIME: i64 = 64;

/// Says what a namespace takes, if it is still there. The reader must see all as it is at one moment.
///
/// # Errors
///
/// What the database reports.
pub async fn usage(reader: &mut (impl Reader + ?Sized), thread_key: i64) -> Result<Option<Usage>> {
    let Some(head) = read::head_of_key(reader, thread_key).await? else {
        return Ok(None);
    };
    let thread = [Integer(head.thread_key)];
    let (pieces_bytes, pieces) = reader.size_of_pieces(head.thread_key).await?;
    let of_checkpoints = reader.threads(sql::SIZE, &thread).await?;
    let of_writes = reader.threads(sql::SIZE_OF_WRITES, &thread).await?;
    let numbers =
        |found: &[ThreadTuple]| found.first().map_or((0, 0, 0), |sum| (sum.1, sum.2, sum.3));
    let (whole, stored, checkpoints) = numbers(&of_checkpoints);
    let (_, writes_bytes, writes) = numbers(&of_writes);
    Ok(Some(Usage {
        thread_id: read::thread_id(reader, head.thread_key).await?,
        namespace: head.namespace,
        checkpoints: checkpoints.unsigned_abs(),
        whole_bytes: whole.unsigned_abs(),
        stored_bytes: (stored + pieces_bytes + writes_bytes).unsigned_abs(),
        pieces: pieces.unsigned_abs(),
        writes: writes.unsigned_abs(),
    }))
}

/// Reads all that is kept of a namespace, and returns what is not as it was saved; nothing if it is not
/// there any more. The reader must see all as it is at one moment: what others save and delete meanwhile
/// would look like damage.
///
/// # Errors
///
/// What the database reports.
pub async fn verify(reader: &mut (impl Reader + ?Sized), thread_key: i64) -> Result<Vec<Damage>> {
    let Some(head) = read::head_of_key(reader, thread_key).await? else {
        return Ok(Vec::new());
    };
    let key = Key::new(
        read::thread_id(reader, head.thread_key).await?,
        &*head.namespace,
    );
    let mut damages = Vec::new();
    let needed = match garbage::needed(reader, head.thread_key).await {
        Err(Error::Corrupt { what }) => {
            damages.push(Damage::of_key(&key, None, what));
            None
        }
        needed => Some(needed?),
    };
    let ranges = needed.as_ref().map_or(&[][..], |needed| &needed.pieces);
    let found = found(reader, head.thread_key, ranges).await?;
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
            let seq = Some(row.1);
            let done = checkpoint(reader, &key, row, &found.sound).await;
            note(&mut damages, &key, seq, done)?;
        }
    }
    writes(reader, &key, head.thread_key, &mut damages).await?;
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
    if let Some(needed) = needed {
        let orphans = orphans(reader, head.thread_key, needed, found.count).await?;
        if orphans != 0 {
            let what = format!("{orphans} pieces belong to no checkpoint");
            damages.push(Damage::of_key(&key, None, what));
        }
    }
    Ok(damages)
}

/// Makes sure that the writes of a namespace are as they were saved, and beside what they were saved.
async fn writes(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    thread_key: i64,
    damages: &mut Vec<Damage>,
) -> Result<()> {
    let mut after = String::new();
    loop {
        let arguments = [Integer(thread_key), Text(&after), Integer(AT_A_TIME)];
        let owners = reader.pairs(sql::OWNERS, &arguments).await?;
        let Some((_, last)) = owners.last() else {
            return Ok(());
        };
        after.clone_from(last);
        for (_, owner) in owners {
            let found = read::writes_of(reader, key, thread_key, &owner).await;
            let seq = seq_of(reader, thread_key, &owner).await?;
            match (found, seq) {
                (Ok(_), Some(_)) => {}
                // The save of a checkpoint with an id may be on its way.
                (Ok(_), None) if owner.starts_with('=') => {}
                (Ok(_), None) => {
                    let what = format!("there are writes beside `{owner}`, which is not there");
                    damages.push(Damage::of_key(key, None, what));
                }
                (Err(error), seq) => note(damages, key, seq, Err(error))?,
            }
        }
    }
}

/// Returns the number of the checkpoint that writes belong to, if it is there.
async fn seq_of(
    reader: &mut (impl Reader + ?Sized),
    thread_key: i64,
    owner: &str,
) -> Result<Option<i64>> {
    let thread = Integer(thread_key);
    let by_number = owner.strip_prefix('#').and_then(|seq| seq.parse().ok());
    let found = match (by_number, owner.strip_prefix('=')) {
        (Some(seq), _) => {
            let arguments = [thread, Integer(seq)];
            reader.pairs(sql::SEQ_OWNER, &arguments).await?
        }
        (None, Some(id)) => reader.pairs(sql::SEQ_OF_ID, &[thread, Text(id)]).await?,
        (None, None) => Vec::new(),
    };
    Ok(found.into_iter().next().map(|(seq, _)| seq))
}

/// Pieces that were found.
#[derive(Default)]
struct Found {
    /// How many they are.
    count: i64,
    /// The ranges of those that are as they were saved.
    sound: Vec<(i64, i64)>,
}

impl Found {
    fn add_sound(&mut self, position: i64) {
        match self.sound.last_mut() {
            Some(last) if last.1 == position => last.1 += 1,
            _ => self.sound.push((position, position + 1)),
        }
    }
}

/// Reads the pieces in ranges.
async fn found(
    reader: &mut (impl Reader + ?Sized),
    thread_key: i64,
    ranges: &[(i64, i64)],
) -> Result<Found> {
    let mut found = Found::default();
    for &(mut first, end) in ranges {
        while first < end {
            let page = (first, end.min(first + AT_A_TIME));
            let mut positions = Vec::new();
            let mut take = |position, hash, piece: &[u8]| {
                found.count += 1;
                if checksum(piece) == hash {
                    positions.push(position);
                }
            };
            reader.pieces(thread_key, &[page], &mut take).await?;
            positions.sort_unstable();
            for position in positions {
                found.add_sound(position);
            }
            first = page.1;
        }
    }
    Ok(found)
}

/// Counts the pieces that no checkpoint needs, apart from those of lists, which earlier releases kept
/// as long as the list. `count` is how many there are of those that checkpoints need.
async fn orphans(
    reader: &mut (impl Reader + ?Sized),
    thread_key: i64,
    needed: Needed,
    count: i64,
) -> Result<i64> {
    let (_, all) = reader.size_of_pieces(thread_key).await?;
    if all == count {
        return Ok(0);
    }
    let known = found(reader, thread_key, &needed.with_replaced()).await?;
    Ok(all - known.count)
}

/// Says whether pieces are among those of ranges, which are in order.
fn are_among(ranges: &[(i64, i64)], run: Run) -> bool {
    let (first, end) = (run.first.cast_signed(), run.end().cast_signed());
    let at = ranges.partition_point(|range| range.1 < end);
    ranges.get(at).is_some_and(|range| range.0 <= first)
}

/// Makes sure that a checkpoint is as it was saved. It is put together only where that is in doubt,
/// as what checkpoints share would be read for each of them.
async fn checkpoint(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: crate::RowTuple,
    sound: &[(i64, i64)],
) -> Result<()> {
    let row = StoredRow::try_from(row)?.verified(key)?;
    if row.state.form.has_pieces()
        && let Ok(whole) = pieces::whole(reader, key, &row).await
    {
        let mut runs = whole.holes.iter().flat_map(|hole| &hole.runs);
        if runs.all(|run| are_among(sound, run)) {
            return Ok(());
        }
    }
    read::completed(reader, key, row).await.map(drop)
}

fn note(damages: &mut Vec<Damage>, key: &Key, seq: Option<i64>, done: Result<()>) -> Result<()> {
    match done {
        Err(Error::Corrupt { what }) => {
            damages.push(Damage::of_key(key, seq.map(i64::unsigned_abs), what));
            Ok(())
        }
        done => done,
    }
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
