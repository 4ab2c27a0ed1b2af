//! Pieces that no checkpoint needs any more.

use sectile_checkpoint::{Error, Result};

use crate::layout::{Holes, Layout, Run, decode_holes};
use crate::pieces::merged;
use crate::read::Head;
use crate::row::checksum;
use crate::session::Argument::Integer;
use crate::session::{Reader, Transaction};
use crate::sql;

/// How many layouts are read at a time.
const AT_A_TIME: i64 = 500;

/// Deletes the pieces of a namespace that none of its checkpoints needs.
pub(crate) async fn collect(transaction: &mut dyn Transaction, head: &Head) -> Result<()> {
    if head.last_piece == 0 {
        return Ok(());
    }
    let mut dead = 0;
    for (first, end) in needed(transaction, head.thread_key).await? {
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

/// Returns the ranges of pieces that the checkpoints of a namespace need, in order.
pub(crate) async fn needed(
    reader: &mut (impl Reader + ?Sized),
    thread_key: i64,
) -> Result<Vec<(i64, i64)>> {
    let (mut runs, mut lists) = (Vec::new(), Vec::new());
    let mut after = 0;
    loop {
        let arguments = [Integer(thread_key), Integer(after), Integer(AT_A_TIME)];
        let page = reader.layouts(sql::LAYOUTS, &arguments).await?;
        let Some(&(last, _)) = page.last() else {
            break;
        };
        after = last;
        for (seq, layout) in page {
            let layout = layout.as_deref().and_then(Layout::decode);
            let layout = layout.ok_or_else(|| damaged(seq))?;
            runs.extend(layout.own_pieces().map(Run::one));
            match layout.holes {
                Holes::All(holes) => runs.extend(holes.iter().flat_map(|hole| &hole.runs)),
                Holes::Except(position, others) => {
                    lists.push(Run::one(position));
                    runs.extend(others.iter().flat_map(|(_, hole)| &hole.runs));
                }
            }
        }
        runs = as_runs(merged(runs));
        lists = as_runs(merged(lists));
    }
    let lists = merged(lists);
    if !lists.is_empty() {
        let mut wrong = None;
        let mut take = |position, hash, piece: &[u8]| match decode_holes(piece) {
            Some(holes) if checksum(piece) == hash => {
                runs.extend(holes.iter().flat_map(|hole| &hole.runs));
            }
            _ => wrong = Some(position),
        };
        reader.pieces(thread_key, &lists, &mut take).await?;
        if let Some(position) = wrong {
            return Err(damaged(position));
        }
    }
    Ok(merged(runs))
}

fn as_runs(ranges: Vec<(i64, i64)>) -> Vec<Run> {
    let run = |(first, end): (i64, i64)| Run {
        first: first.cast_unsigned(),
        count: (end - first).cast_unsigned(),
    };
    ranges.into_iter().map(run).collect()
}

fn damaged(number: i64) -> Error {
    Error::Corrupt {
        what: format!("the layout of checkpoint {number}"),
    }
}
