//! Pieces that no checkpoint needs any more.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use sectile_checkpoint::pieces::Run;
use sectile_checkpoint::{Error, Result};

use crate::layout::{Hole, Holes, Layout, Other, decode_holes};
use crate::packed::unpack;
use crate::pieces::merged;
use crate::read::{self, Head};
use crate::row::StoredRow;
use crate::session::Argument::Integer;
use crate::session::{Reader, Transaction};
use crate::sql;

/// How many rows are read at a time.
const AT_A_TIME: i64 = 500;

/// Deletes the pieces of a namespace that none of its checkpoints needs. While one of them is damaged, it may
/// need any, so that it is whole again when what is damaged is restored: all stay.
pub(crate) async fn collect(transaction: &mut dyn Transaction, head: &Head) -> Result<()> {
    if head.last_piece == 0 {
        return Ok(());
    }
    let needed = needed(transaction, head.thread_key).await?;
    if let Some(damaged) = needed.damaged {
        let thread_id = read::thread_id(transaction, head.thread_key).await?;
        let namespace = &head.namespace;
        tracing::warn!(%thread_id, %namespace, %damaged, "no piece is deleted");
        return Ok(());
    }
    let mut dead = 0;
    for (first, end) in needed.pieces {
        delete(transaction, head.thread_key, dead, first).await?;
        dead = end;
    }
    delete(transaction, head.thread_key, dead, i64::MAX).await
}

async fn delete(
    transaction: &mut dyn Transaction,
    thread_key: i64,
    first: i64,
    end: i64,
) -> Result<()> {
    if first >= end {
        return Ok(());
    }
    transaction.delete_pieces(thread_key, first, end).await
}

/// The pieces that the checkpoints of a namespace need, as ranges in order.
pub(crate) struct Needed {
    /// Those that a checkpoint needs.
    pub(crate) pieces: Vec<(i64, i64)>,
    /// Those that a list has where each checkpoint like it has others: they may be gone.
    pub(crate) replaced: Vec<(i64, i64)>,
    /// What is damaged, so that others may be needed, too.
    pub(crate) damaged: Option<String>,
}

impl Needed {
    /// Returns the ranges of all pieces that a checkpoint needs or a list has.
    pub(crate) fn with_replaced(self) -> Vec<(i64, i64)> {
        let mut ranges = self.pieces;
        ranges.extend(self.replaced);
        merged(as_runs(ranges))
    }
}

/// Returns the pieces that the checkpoints of a namespace need.
pub(crate) async fn needed(reader: &mut (impl Reader + ?Sized), thread_key: i64) -> Result<Needed> {
    let (mut runs, mut lists, mut damaged) = (Vec::new(), Lists::new(), None);
    let mut after = 0;
    loop {
        let arguments = [Integer(thread_key), Integer(after), Integer(AT_A_TIME)];
        let page = match reader.rows(sql::IN_PIECES, &arguments).await {
            // A row has a value that cannot be read at all.
            Err(Error::Corrupt { what }) => {
                damaged = Some(what);
                break;
            }
            page => page?,
        };
        let Some(last) = page.last() else {
            break;
        };
        after = last.1;
        for row in page {
            let seq = row.1;
            let damage = || Some(format!("checkpoint {seq}"));
            // A layout that was changed may still be one, of other pieces.
            let Some(row) = StoredRow::try_from(row).ok().filter(StoredRow::is_sound) else {
                damaged = damage();
                continue;
            };
            if !row.state.form.has_pieces() {
                continue;
            }
            let Some(layout) = row.state.state.as_deref().and_then(Layout::decode) else {
                damaged = damage();
                continue;
            };
            runs.extend(layout.own_pieces().map(Run::one));
            match layout.holes {
                Holes::All(holes) => runs.extend(holes.iter().flat_map(|hole| &hole.runs)),
                Holes::Except(position, others) => {
                    runs.extend(others.iter().flat_map(|other| &other.hole.runs));
                    replace(&mut lists, position.cast_signed(), &others);
                }
            }
        }
        runs = as_runs(merged(runs));
    }
    let needed = of_lists(reader, thread_key, runs, &lists).await?;
    Ok(Needed {
        damaged: damaged.or(needed.damaged),
        ..needed
    })
}

/// The holes of each list that all layouts like it replace, by the position of the list, with how many of
/// its runs one of them keeps at most.
type Lists = BTreeMap<i64, BTreeMap<u64, u64>>;

/// Notes which holes of a list a layout replaces.
fn replace(lists: &mut Lists, position: i64, others: &[Other]) {
    let replaced: BTreeMap<u64, u64> = others.iter().map(|other| (other.at, other.kept)).collect();
    match lists.entry(position) {
        Entry::Vacant(list) => drop(list.insert(replaced)),
        Entry::Occupied(mut list) => list.get_mut().retain(|at, most| {
            let kept = replaced.get(at);
            *most = kept.map_or(*most, |kept| *kept.max(most));
            kept.is_some()
        }),
    }
}

/// Adds what lists have to what the layouts themselves need.
async fn of_lists(
    reader: &mut (impl Reader + ?Sized),
    thread_key: i64,
    mut runs: Vec<Run>,
    lists: &Lists,
) -> Result<Needed> {
    let mut replaced_runs = Vec::new();
    let mut missing: BTreeSet<i64> = lists.keys().copied().collect();
    let mut take = |position: i64, hash, stored: &[u8]| {
        let (Some(replaced), Some(holes)) = (lists.get(&position), list(hash, stored)) else {
            return;
        };
        missing.remove(&position);
        for (at, hole) in (0..).zip(&holes) {
            let all = hole.runs.len();
            let kept = replaced.get(&at).map_or(all, |kept| *kept as usize);
            runs.extend(hole.runs.iter().take(kept));
            replaced_runs.extend(hole.runs.iter().skip(kept));
        }
    };
    let ranges = merged(
        lists
            .keys()
            .map(|list| Run::one(list.cast_unsigned()))
            .collect(),
    );
    if !ranges.is_empty() {
        reader.pieces(thread_key, &ranges, &mut take).await?;
    }
    let damaged = missing.first();
    Ok(Needed {
        pieces: merged(runs),
        replaced: merged(replaced_runs),
        damaged: damaged.map(|position| format!("the list of pieces at position {position}")),
    })
}

/// Reads a list of holes that is stored as a piece.
fn list(hash: i64, stored: &[u8]) -> Option<Vec<Hole>> {
    let mut piece = Vec::new();
    unpack(hash, stored, &mut piece).then_some(())?;
    decode_holes(&piece)
}

fn as_runs(ranges: Vec<(i64, i64)>) -> Vec<Run> {
    let run = |(first, end): (i64, i64)| Run {
        first: first.cast_unsigned(),
        count: (end - first).cast_unsigned(),
    };
    ranges.into_iter().map(run).collect()
}
