//! What files take, and whether all in them is as it was saved.

use std::collections::HashSet;

use super::needed::Needed;
use super::record;
use super::thread::{Entry, ThreadFile};
use super::writes::{self, Lines};
use crate::pieces::{Run, are_among};
use crate::{Damage, Error, Key, Result, Usage};

/// The sizes of pieces, in the order of their numbers.
#[derive(Default)]
struct Sizes {
    /// The number of each piece, and the size of those up to it.
    ends: Vec<(u64, u64)>,
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

    fn of(&self, run: Run) -> u64 {
        let before = self.before(run.first);
        self.before(run.end()).saturating_sub(before)
    }
}

/// Says what a namespace takes whose writes have a number of bytes.
///
/// # Errors
///
/// [`Error::Corrupt`] for a line that is not as it was written, and what the system reports.
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
    thread.each_entry(thread.first, |range, entry| {
        let size = range.end - range.start;
        usage.stored_bytes += size;
        match entry {
            Entry::Piece(head) => {
                usage.pieces += 1;
                sizes.add(head.piece, size);
                needed.know(head);
            }
            Entry::Checkpoint(head) => {
                usage.checkpoints += 1;
                usage.whole_bytes += size;
                let runs = head.layout.and_then(|placed| needed.pieces_of(&placed));
                let runs = runs.unwrap_or_default().into_iter();
                usage.whole_bytes += runs.map(|run| sizes.of(run)).sum::<u64>();
            }
        }
        Ok(())
    })?;
    Ok(usage)
}

/// What was found in the lines of a file.
struct Check {
    key: Key,
    damages: Vec<Damage>,
    checkpoints: u64,
    last_seq: u64,
    /// What writes beside the checkpoints stand under.
    owners: HashSet<String>,
    /// The pieces that are as they were saved, and how many they are.
    sound: Vec<Run>,
    pieces: u64,
    needed: Needed,
}

impl Check {
    fn damage(&mut self, seq: Option<u64>, what: impl Into<String>) {
        self.damages.push(Damage::of_key(&self.key, seq, what));
    }

    fn piece(&mut self, head: super::piece::Head) {
        match self.sound.last_mut() {
            Some(run) if run.end() == head.piece => run.count += 1,
            _ => self.sound.push(Run::one(head.piece)),
        }
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
        self.owners.insert(owner);
        let Some(placed) = &head.layout else {
            return;
        };
        let runs = self.needed.pieces_of(placed);
        let is_whole = self.needed.add(placed).is_some();
        let mut runs = runs.into_iter().flatten();
        match runs.find(|run| !are_among(&self.sound, *run)) {
            Some(run) => {
                let (first, last) = (run.first, run.end() - 1);
                let what =
                    format!("not all of its pieces {first} to {last} are as they were saved");
                self.damage(Some(head.seq), what);
            }
            None if !is_whole => self.damage(Some(head.seq), "it has no right layout"),
            None => {}
        }
    }
}

/// Reads all lines of a namespace, and returns what is not as it was saved.
///
/// # Errors
///
/// What the system reports.
pub(super) fn verify(thread: &ThreadFile, writes: &Lines) -> Result<Vec<Damage>> {
    let mut check = Check {
        key: thread.header.key(),
        damages: Vec::new(),
        checkpoints: 0,
        last_seq: 0,
        owners: HashSet::new(),
        sound: Vec::new(),
        pieces: 0,
        needed: Needed::default(),
    };
    thread.each_result(thread.first..thread.end, |_, entry| {
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
        check.damage(
            None,
            format!("{found} checkpoints are there, not {counted}"),
        );
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
