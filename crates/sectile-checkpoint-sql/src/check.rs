//! The size of threads, and the check of everything stored.

use std::collections::BTreeSet;

use sectile_checkpoint::pieces::Run;
use sectile_checkpoint::{Damage, Error, Key, Result, Usage};

use crate::garbage::Needed;
use crate::packed::unpack;
use crate::pieces::{self, Pieces};
use crate::read::{self, BLOCK, Head, slot};
use crate::row::{StoredRow, ThreadTuple, entry, object};
use crate::session::Argument::{Integer, Text};
use crate::session::Reader;
use crate::{garbage, sql};

/// How many checkpoints or pieces are looked at, at a time.
const AT_A_TIME: i64 = 64;

/// How many entries of metadata are read at a time.
const ENTRIES_AT_A_TIME: i64 = 1000;

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
        whole_bytes: (whole + writes_bytes).unsigned_abs(),
        stored_bytes: (stored + pieces_bytes + writes_bytes).unsigned_abs(),
        pieces: pieces.unsigned_abs(),
        writes: writes.unsigned_abs(),
    }))
}

/// Reads all that is kept of a namespace, and returns what is damaged; nothing if it is not there any
/// more. The reader must see all as it is at one moment: what others save and delete meanwhile would
/// look like damage.
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
    let needed = garbage::needed(reader, head.thread_key).await?;
    let found = found(reader, head.thread_key, &needed.pieces).await?;
    let thread_key = head.thread_key;
    let seen = checkpoints(reader, &key, thread_key, &found.sound, &mut damages).await?;
    writes(reader, &key, thread_key, &mut damages).await?;
    let mut wrong = wrong_counts(reader, &head, &seen).await?;
    wrong.extend(missing_entries(reader, thread_key, seen.entries).await?);
    damages.extend(
        wrong
            .into_iter()
            .map(|what| Damage::of_key(&key, None, what)),
    );
    // What a damaged layout needs is not known; the checkpoint is among the damages.
    if needed.damaged.is_none() {
        let orphans = orphans(reader, head.thread_key, needed, found.count).await?;
        if orphans != 0 {
            let what = format!("{orphans} pieces belong to no checkpoint");
            damages.push(Damage::of_key(&key, None, what));
        }
    }
    Ok(damages)
}

/// What the checkpoints of a namespace say, from which the rest follows.
#[derive(Default)]
struct Seen {
    /// How many they are.
    count: i64,
    /// The number of the newest, or 0.
    newest_seq: i64,
    /// When that was saved, where it is undamaged.
    newest_time: Option<i64>,
    /// The entries of the metadata, each with its block.
    entries: BTreeSet<(i64, i64)>,
}

/// Checks that the checkpoints of a namespace are undamaged.
async fn checkpoints(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    thread_key: i64,
    sound: &[(i64, i64)],
    damages: &mut Vec<Damage>,
) -> Result<Seen> {
    let mut seen = Seen::default();
    loop {
        let arguments = [thread_key, seen.newest_seq, AT_A_TIME].map(Integer);
        let rows = reader.rows(sql::AFTER, &arguments).await?;
        if rows.is_empty() {
            return Ok(seen);
        }
        for row in rows {
            let (seq, time, metadata) = (row.1, row.2, row.9.clone());
            let done = checkpoint(reader, key, row, sound).await;
            let done = done.and_then(|()| object(&metadata, key, seq));
            seen.count += 1;
            seen.newest_seq = seq;
            seen.newest_time = done.is_ok().then_some(time);
            for of in done.iter().flatten() {
                seen.entries.insert((entry(of), seq / BLOCK));
            }
            note(damages, key, Some(seq), done.map(drop))?;
        }
    }
}

/// Returns what a namespace says wrongly of its checkpoints and pieces.
async fn wrong_counts(
    reader: &mut (impl Reader + ?Sized),
    head: &Head,
    seen: &Seen,
) -> Result<Vec<String>> {
    let thread = [Integer(head.thread_key)];
    let counted = reader.threads(sql::COUNTED, &thread).await?;
    let (checkpoints, updated_at) = counted.first().map_or((0, 0), |row| (row.1, row.3));
    let last_piece = reader.last_piece(head.thread_key).await?;
    let newest = seen.newest_seq;
    let mut wrong = Vec::new();
    if newest != head.newest_seq {
        let said = head.newest_seq;
        wrong.push(format!("the newest checkpoint is {newest}, not {said}"));
    } else if let Some(time) = seen.newest_time
        && (time, slot(time)) != (updated_at, head.used_slot)
    {
        wrong.push(format!(
            "the newest checkpoint was saved at {time} (slot {}), not at {updated_at} (slot {})",
            slot(time),
            head.used_slot
        ));
    }
    if checkpoints != seen.count {
        let count = seen.count;
        wrong.push(format!("it has {count} checkpoints, not {checkpoints}"));
    }
    if head.last_seq < newest {
        let said = head.last_seq;
        wrong.push(format!(
            "the last number is {newest}, not {said}: the next is taken; a copy of the thread counts anew"
        ));
    }
    if head.last_piece < last_piece {
        let said = head.last_piece;
        wrong.push(format!(
            "the last piece is {last_piece}, not {said}: the next is taken; a copy of the thread counts anew"
        ));
    }
    Ok(wrong)
}

/// Says how many entries of metadata are not in the table by which they are found. More may be there than
/// the checkpoints have: those that were deleted had them.
async fn missing_entries(
    reader: &mut (impl Reader + ?Sized),
    thread_key: i64,
    mut missing: BTreeSet<(i64, i64)>,
) -> Result<Option<String>> {
    let mut after = (i64::MIN, i64::MIN);
    while !missing.is_empty() {
        let arguments = [thread_key, after.0, after.1, ENTRIES_AT_A_TIME].map(Integer);
        let found = reader.threads(sql::ENTRIES, &arguments).await?;
        let Some(last) = found.last() else {
            let count = missing.len();
            return Ok(Some(format!(
                "{count} entries of `checkpoint_metadata` are missing: filters do not find their checkpoints"
            )));
        };
        after = (last.1, last.2);
        for (_, entry, block, _) in found {
            missing.remove(&(entry, block));
        }
    }
    Ok(None)
}

/// Checks that the writes of a namespace are undamaged and belong to their checkpoints.
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
    /// The ranges of those that are undamaged.
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
    let (mut found, mut whole) = (Found::default(), Vec::new());
    for &(mut first, end) in ranges {
        while first < end {
            let page = (first, end.min(first + AT_A_TIME));
            let mut positions = Vec::new();
            let mut take = |position, hash, stored: &[u8]| {
                found.count += 1;
                whole.clear();
                if unpack(hash, stored, &mut whole) {
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

/// Returns whether pieces are among those of ranges, which are in order.
fn are_among(ranges: &[(i64, i64)], run: Run) -> bool {
    let (first, end) = (run.first.cast_signed(), run.end().cast_signed());
    let at = ranges.partition_point(|range| range.1 < end);
    ranges.get(at).is_some_and(|range| range.0 <= first)
}

/// Checks that a checkpoint is undamaged. It is assembled only if that is in doubt, because the
/// pieces that checkpoints share would be read for each of them.
async fn checkpoint(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: crate::RowTuple,
    sound: &[(i64, i64)],
) -> Result<()> {
    let row = StoredRow::try_from(row)?.verified(key)?;
    if row.state.form.has_pieces()
        && let Ok(whole) = pieces::whole(reader, key, &row, &mut Pieces::default()).await
    {
        let mut runs = whole.holes.iter().flat_map(|hole| &hole.runs);
        if runs.all(|run| are_among(sound, run)) {
            return Ok(());
        }
    }
    read::completed(reader, key, row, Pieces::default())
        .await
        .map(drop)
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

/// Returns what is wrong with the tables as a whole: rows that belong to no thread, and indexes that are
/// missing.
///
/// # Errors
///
/// What the database reports.
pub async fn tables(reader: &mut (impl Reader + ?Sized)) -> Result<Vec<Damage>> {
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
    let missing = reader.missing_indexes().await?.into_iter();
    damages.extend(missing.map(|index| {
        Damage::of_all(format!(
            "the index `{index}` is missing; create it again as the migration does"
        ))
    }));
    Ok(damages)
}
