//! What the state of a checkpoint shares with another.

use sectile_checkpoint::pieces::Run;
use sectile_checkpoint::{Error, Key, Result, Sharing};

use crate::pieces::{self, Pieces, merged};
use crate::row::StoredRow;
use crate::session::Argument::{Integer, Text};
use crate::session::Reader;
use crate::sql;

/// Positions of pieces, from a first one up to but not including a last one.
type Range = (i64, i64);

/// Says what the state of a checkpoint shares with its parent; nothing if it is not in pieces.
pub(super) async fn of_row(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: &StoredRow,
) -> Result<Option<Sharing>> {
    let Some(needed) = needed(reader, key, row).await? else {
        return Ok(None);
    };
    let before = match before(reader, key, row).await {
        // What is shared with a damaged checkpoint cannot be told.
        Err(Error::Corrupt { .. }) => None,
        before => before?,
    };
    let (with_seq, of_before) = before.unzip();
    let added = without(&needed, &of_before.unwrap_or_default());
    let (pieces, new) = (count(&needed), count(&added));
    Ok(Some(Sharing {
        with_seq: with_seq.map(i64::unsigned_abs),
        pieces,
        shared: pieces - new,
        added_bytes: stored_bytes(reader, row, &added).await?,
        whole_bytes: row.state.whole_bytes.unsigned_abs(),
    }))
}

/// Reads the number and the pieces of the parent of a checkpoint. Where there is none, or it is not kept any
/// more, the checkpoint before takes its place.
async fn before(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: &StoredRow,
) -> Result<Option<(i64, Vec<Range>)>> {
    let end = row.parent_seq.map_or(row.seq, |parent| parent + 1);
    let arguments = [
        Text(&key.thread_id),
        Text(&key.namespace),
        Integer(end),
        Integer(1),
    ];
    let found = reader.rows(sql::PAGE, &arguments).await?;
    let Some(found) = found.into_iter().next() else {
        return Ok(None);
    };
    let found = StoredRow::try_from(found)?.verified(key)?;
    let pieces = needed(reader, key, &found).await?;
    Ok(Some((found.seq, pieces.unwrap_or_default())))
}

/// Returns the pieces that the state of a checkpoint consists of, in order; nothing if it is not in pieces.
async fn needed(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    row: &StoredRow,
) -> Result<Option<Vec<Range>>> {
    if !row.state.form.has_pieces() {
        return Ok(None);
    }
    let whole = pieces::whole(reader, key, row, &mut Pieces::default()).await?;
    let list = whole.base.as_ref().map(|base| base.position);
    let own = whole.template_at.into_iter().chain(list).map(Run::one);
    let content = whole.holes.iter().flat_map(|hole| &hole.runs);
    Ok(Some(merged(own.chain(content).collect())))
}

/// Reads how many bytes are stored of the state of a checkpoint: in its row, and in some of its pieces.
async fn stored_bytes(
    reader: &mut (impl Reader + ?Sized),
    row: &StoredRow,
    pieces: &[Range],
) -> Result<u64> {
    let mut bytes = row.state.state.as_ref().map_or(0, Vec::len);
    if !pieces.is_empty() {
        let mut take = |_: i64, _: i64, stored: &[u8]| bytes += stored.len();
        reader.pieces(row.thread_key, pieces, &mut take).await?;
    }
    Ok(bytes as u64)
}

/// Returns what is in ranges and not in others. Both are in order, and none touches the next.
fn without(ranges: &[Range], others: &[Range]) -> Vec<Range> {
    let mut rest = Vec::new();
    let mut others = others.iter().peekable();
    for &(mut first, end) in ranges {
        while let Some(&&(from, to)) = others.peek()
            && from < end
        {
            if first < from {
                rest.push((first, from));
            }
            first = first.max(to);
            if first >= end {
                // It may reach into the next range.
                break;
            }
            others.next();
        }
        if first < end {
            rest.push((first, end));
        }
    }
    rest
}

/// Counts the positions in ranges.
fn count(ranges: &[Range]) -> u64 {
    let counts = ranges.iter().map(|(first, end)| end - first);
    counts.sum::<i64>().unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes the other positions away one by one.
    fn slowly(ranges: &[Range], others: &[Range]) -> Vec<i64> {
        let positions = |ranges: &[Range]| -> Vec<i64> {
            let each = ranges.iter().flat_map(|&(first, end)| first..end);
            each.collect()
        };
        let (mut rest, others) = (positions(ranges), positions(others));
        rest.retain(|position| !others.contains(position));
        rest
    }

    /// Returns the ranges of the bits of a number.
    fn of_bits(bits: u32) -> Vec<Range> {
        let positions = (0..32).filter(|at| bits & (1_u32 << at) != 0);
        merged(positions.map(Run::one).collect())
    }

    #[test]
    fn what_others_have_is_taken_away() {
        for bits in 0..1_u32 << 6 {
            for others in 0..1_u32 << 6 {
                let (ranges, others) = (of_bits(bits), of_bits(others));
                let rest = without(&ranges, &others);
                assert_eq!(slowly(&rest, &[]), slowly(&ranges, &others));
                assert_eq!(count(&rest), slowly(&rest, &[]).len() as u64);
            }
        }
        assert_eq!(without(&[(1, 9)], &[(3, 5), (7, 12)]), [(1, 3), (5, 7)]);
    }
}
