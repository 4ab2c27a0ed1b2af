//! The size of files, and the check of their content.

use std::collections::{HashMap, HashSet};

use super::beginning::Begun;
use super::layout::Hole;
use super::needed::{Named, Needed};
use super::record;
use super::thread::{Entry, ThreadFile};
use super::writes::{self, Lines};
use crate::pieces::Run;
use crate::{Damage, Error, Key, Result, Usage};

/// The sizes of pieces, in the order of their numbers.
#[derive(Default)]
struct Sizes {
    /// The number of each piece, and the size of those up to it.
    ends: Vec<(u64, u64)>,
    /// The size of each piece that says the first ones of a hole, with those. Checkpoints share them.
    holes: HashMap<u64, u64>,
}

impl Sizes {
    fn add(&mut self, number: u64, size: u64) {
        let before = self.ends.last().map_or(0, |last| last.1);
        self.ends.push((number, before + size));
    }

    /// Returns the size of the pieces before a number.
    fn before(&self, number: u64) -> u64 {
        let at = self.ends.partition_point(|end| end.0 < number);
        at.checked_sub(1).map_or(0, |at| self.ends[at].1)
    }

    fn of_run(&self, run: Run) -> u64 {
        let before = self.before(run.first);
        self.before(run.end()).saturating_sub(before)
    }

    /// Adds a piece that says the first ones of a hole, which was added as a piece.
    fn add_hole(&mut self, number: u64, hole: &Hole) {
        let runs = [Run::one(number)].into_iter().chain(&hole.runs);
        let size = self.of(runs, hole.before);
        let _ = self.holes.insert(number, size);
    }

    /// Returns the size of pieces, and of those that say the first ones of holes, with those.
    fn of(&self, runs: impl IntoIterator<Item = Run>, holes: impl IntoIterator<Item = u64>) -> u64 {
        let runs = runs.into_iter().map(|run| self.of_run(run));
        let holes = holes.into_iter();
        let holes = holes.filter_map(|number| self.holes.get(&number));
        runs.sum::<u64>() + holes.sum::<u64>()
    }
}

/// Says what a namespace takes whose writes have a number of bytes. What is damaged takes what its lines
/// have.
///
/// # Errors
///
/// Errors of the operating system.
pub(super) fn usage(thread: &ThreadFile, writes: &Lines, bytes_of_writes: u64) -> Result<Usage> {
    let key = thread.header.key();
    let mut usage = Usage {
        thread_id: key.thread_id,
        namespace: key.namespace,
        checkpoints: 0,
        whole_bytes: bytes_of_writes,
        stored_bytes: bytes_of_writes,
        pieces: 0,
        writes: writes.count(),
    };
    let (mut sizes, mut needed) = (Sizes::default(), Needed::default());
    thread.each_entry(thread.first..thread.end, |line, entry| {
        let range = line.range();
        let size = range.end - range.start;
        usage.stored_bytes += size;
        match entry {
            Ok(Entry::Piece(head)) => {
                usage.pieces += 1;
                sizes.add(head.piece, size);
                if let Some(hole) = &head.hole {
                    sizes.add_hole(head.piece, hole);
                }
                needed.know(head);
            }
            Ok(Entry::Checkpoint(head)) => {
                usage.checkpoints += 1;
                usage.whole_bytes += size;
                let named = head.layout.and_then(|placed| needed.named(&placed));
                usage.whole_bytes += named.map_or(0, |named| sizes.of(named.runs, named.holes));
            }
            Err(Error::Corrupt { .. }) => add_damaged(&mut usage, line.begun(), size),
            Err(error) => return Err(error),
        }
        Ok(())
    })?;
    Ok(usage)
}

fn add_damaged(usage: &mut Usage, begun: Begun, size: u64) {
    usage.checkpoints += begun.checkpoints;
    usage.pieces += begun.lines.saturating_sub(begun.checkpoints);
    if begun.checkpoints > 0 {
        usage.whole_bytes += size;
    }
}

/// The result of reading the lines of a file.
struct Check {
    key: Key,
    damages: Vec<Damage>,
    checkpoints: u64,
    last_seq: u64,
    /// The keys of the pending writes of the checkpoints.
    owners: HashSet<String>,
    pieces: u64,
    needed: Needed,
}

impl Check {
    fn damage(&mut self, seq: Option<u64>, what: impl Into<String>) {
        self.damages.push(Damage::of_key(&self.key, seq, what));
    }

    fn piece(&mut self, head: super::piece::Head) {
        self.pieces += 1;
        self.needed.know(head);
    }

    fn checkpoint(&mut self, head: &record::Head) {
        if head.seq <= self.last_seq {
            let last = self.last_seq;
            self.damage(
                Some(head.seq),
                format!("it stands behind checkpoint {last}"),
            );
        }
        self.checkpoints += 1;
        self.last_seq = head.seq;
        let owner = writes::owner(head.id.as_deref(), head.seq);
        if !self.owners.insert(owner) && head.id.is_some() {
            self.damage(Some(head.seq), "an earlier checkpoint has its id");
        }
        let Some(placed) = &head.layout else {
            return;
        };
        let Some(Named { runs, holes }) = self.needed.named(placed) else {
            self.damage(Some(head.seq), "it has no right layout");
            return;
        };
        let missing = self
            .needed
            .missing(runs.iter().copied(), holes.iter().copied());
        if let Some(run) = missing {
            let (first, last) = (run.first, run.end() - 1);
            let what = format!("not all of its pieces {first} to {last} are as they were saved");
            self.damage(Some(head.seq), what);
        }
        let _ = self.needed.add(Named { runs, holes });
    }
}

/// Reads all lines of a namespace, and returns the damage.
///
/// # Errors
///
/// Errors of the operating system.
pub(super) fn verify(thread: &ThreadFile, writes: &Lines) -> Result<Vec<Damage>> {
    let mut check = Check {
        key: thread.header.key(),
        damages: Vec::new(),
        checkpoints: 0,
        last_seq: 0,
        owners: HashSet::new(),
        pieces: 0,
        needed: Needed::default(),
    };
    thread.each_entry(thread.first..thread.end, |_, entry| {
        match entry {
            Ok(Entry::Piece(head)) => check.piece(head),
            Ok(Entry::Checkpoint(head)) => check.checkpoint(&head),
            Err(Error::Corrupt { what }) => check.damage(None, what),
            Err(error) => return Err(error),
        }
        Ok(())
    })?;
    if !check.damages.is_empty() {
        // The rest follows from it.
        return Ok(check.damages);
    }
    let (found, counted) = (check.checkpoints, thread.count()?);
    if found != counted {
        check.damage(None, format!("it has {found} checkpoints, not {counted}"));
    }
    let needed = std::mem::take(&mut check.needed).into_runs();
    let needed: u64 = needed.iter().map(|run| run.count).sum();
    let orphans = check.pieces.saturating_sub(needed);
    if orphans > 0 {
        check.damage(None, format!("{orphans} pieces belong to no checkpoint"));
    }
    for owner in writes.owners() {
        // The save of a checkpoint with an id may be on its way.
        if !owner.starts_with('=') && !check.owners.contains(owner) {
            check.damage(
                None,
                format!("there are writes beside `{owner}`, which is not there"),
            );
        }
    }
    Ok(check.damages)
}
