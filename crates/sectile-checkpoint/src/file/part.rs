//! Some checkpoints of a file, with the pieces that they need.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::mem;
use std::ops::Range;

use super::needed::Needed;
use super::piece;
use super::record::Head;
use super::thread::{Entry, Line, ThreadFile};
use super::writes::owner;
use crate::pieces::{Run, are_among};
use crate::{Error, Newest, Prune, Result};

/// Some checkpoints of a file.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) thread: ThreadFile,
    /// Where they stand, and the pieces that they need.
    pub(super) ranges: Vec<Range<u64>>,
    /// How many they are.
    pub(super) count: u64,
    /// How many others there are.
    pub(super) left_out: u64,
    /// The number of the newest of them.
    pub(super) last_seq: u64,
    /// What the writes beside them stand under.
    pub(super) owners: HashSet<String>,
    /// The same of the others.
    owners_left_out: HashSet<String>,
    /// Why the first of them cannot be read that was damaged.
    pub(super) damaged: Option<Error>,
}

impl Part {
    /// Returns the checkpoints up to a position that are chosen by where they begin and by what can be read
    /// of them, of which the oldest is looked at first. Where `is_chosen` says nothing of a damaged one,
    /// that is chosen if the next that can be read is, or if there is none.
    ///
    /// A checkpoint that cannot be read takes along all pieces that it may need, so that it is there again
    /// when the damaged line is restored.
    ///
    /// # Errors
    ///
    /// Errors of the operating system.
    pub(super) fn of(
        thread: ThreadFile,
        end: u64,
        mut is_chosen: impl FnMut(u64, Option<&Head>) -> Option<bool>,
    ) -> Result<Self> {
        let mut chosen = Chosen::default();
        thread.each_entry(thread.first..end, |line, entry| {
            let range = line.range();
            match entry {
                Ok(Entry::Piece(head)) => chosen.piece(range, head),
                Ok(Entry::Checkpoint(head)) => {
                    let is_chosen = is_chosen(range.start, Some(&head)).unwrap_or(true);
                    chosen.checkpoint(range, &head, is_chosen);
                }
                Err(error @ Error::Corrupt { .. }) => {
                    let is_chosen = is_chosen(range.start, None);
                    chosen.damaged(line, error, is_chosen);
                }
                Err(error) => return Err(error),
            }
            Ok(())
        })?;
        Ok(chosen.into_part(thread))
    }

    /// Returns whether the writes under a name are those of a checkpoint that is left out.
    pub(super) fn leaves_out(&self, owner: &str) -> bool {
        // Without a damaged one all are known that have a number in the place of an id.
        let is_of_none = self.damaged.is_none() && !owner.starts_with('=');
        !self.owners.contains(owner) && (is_of_none || self.owners_left_out.contains(owner))
    }
}

/// The newest checkpoints of a file that can be loaded, as many as a prune leaves.
#[derive(Debug)]
pub(super) enum NewestPart {
    /// Those from a position on.
    From(u64),
    /// Those with an id that is at least this; all if there are fewer.
    WithId(Option<String>),
}

impl NewestPart {
    /// Returns whether a checkpoint stays as one of them, by where it begins and by what can be read of it.
    pub(super) fn has(&self, start: u64, head: Option<&Head>) -> bool {
        match self {
            Self::From(first) => start >= *first,
            Self::WithId(None) => true,
            // One without an id stays, and one whose id cannot be read may be the newest.
            Self::WithId(Some(least)) => {
                let id = head.and_then(|head| head.id.as_ref());
                id.is_none_or(|id| id >= least)
            }
        }
    }
}

/// Returns the newest checkpoints of a file, which a prune leaves.
///
/// # Errors
///
/// Errors of the operating system.
pub(super) fn of_newest(thread: &ThreadFile, prune: &Prune) -> Result<NewestPart> {
    let count = prune.keep_latest.max(1);
    Ok(match prune.newest {
        Newest::BySeq => NewestPart::From(start_of_newest(thread, count)?),
        Newest::ById => NewestPart::WithId(least_of_greatest(thread, count)?),
    })
}

/// Returns where the newest `count` checkpoints of a file begin that can be loaded; where all begin if there
/// are fewer.
fn start_of_newest(thread: &ThreadFile, count: u64) -> Result<u64> {
    if thread.count()? <= count {
        return Ok(thread.first);
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut starts = VecDeque::new();
    each_that_loads(thread, |start, _| {
        starts.push_back(start);
        if starts.len() > count {
            starts.pop_front();
        }
    })?;
    let first = starts.front().filter(|_| starts.len() == count);
    Ok(first.copied().unwrap_or(thread.first))
}

/// Returns the least of the greatest `count` ids of checkpoints of a file that can be loaded; nothing if
/// there are fewer.
fn least_of_greatest(thread: &ThreadFile, count: u64) -> Result<Option<String>> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut ids = BTreeSet::new();
    each_that_loads(thread, |_, head| {
        ids.extend(head.id);
        if ids.len() > count {
            let _ = ids.pop_first();
        }
    })?;
    let is_full = ids.len() == count;
    Ok(ids.pop_first().filter(|_| is_full))
}

/// Visits the checkpoints of a file that can be loaded, oldest first, with where they begin.
fn each_that_loads(thread: &ThreadFile, mut visit: impl FnMut(u64, Head)) -> Result<()> {
    let mut needed = Needed::default();
    thread.each_entry(thread.first..thread.end, |line, entry| {
        match entry {
            Ok(Entry::Piece(head)) => needed.know(head),
            Ok(Entry::Checkpoint(head)) => {
                let loads = match &head.layout {
                    Some(placed) => needed.has_all(placed),
                    None => thread.loads(line)?,
                };
                if loads {
                    visit(line.range().start, head);
                }
            }
            Err(Error::Corrupt { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    })
}

/// The lines of a part, collected while those of a file are read in turn.
#[derive(Default)]
struct Chosen {
    lines: Vec<(Range<u64>, Kind)>,
    needed: Needed,
    /// Where the last checkpoint begins of which it is not known which pieces it needs, or 0.
    unknown_until: u64,
    /// Damaged checkpoints that go with the next one that can be read.
    waiting: Vec<Damaged>,
    count: u64,
    left_out: u64,
    last_seq: u64,
    owners: HashSet<String>,
    owners_left_out: HashSet<String>,
    damaged: Option<Error>,
}

enum Kind {
    /// A checkpoint that is chosen.
    Checkpoint,
    /// A piece, with its number.
    Piece(u64),
    /// Pieces that are damaged.
    DamagedPieces,
}

/// A line of checkpoints that is damaged: of several if they ran into each other.
struct Damaged {
    range: Range<u64>,
    checkpoints: u64,
    /// What the writes beside it stand under, as far as that can be read.
    owner: Option<String>,
    error: Error,
}

impl Chosen {
    fn piece(&mut self, range: Range<u64>, head: piece::Head) {
        self.lines.push((range, Kind::Piece(head.piece)));
        self.needed.know(head);
    }

    fn checkpoint(&mut self, range: Range<u64>, head: &Head, is_chosen: bool) {
        self.settle(is_chosen);
        let owner = owner(head.id.as_deref(), head.seq);
        if !is_chosen {
            self.left_out += 1;
            self.owners_left_out.insert(owner);
            return;
        }
        self.count += 1;
        self.last_seq = head.seq;
        self.owners.insert(owner);
        if let Some(placed) = &head.layout {
            let named = self.needed.named(placed);
            if named.and_then(|named| self.needed.add(named)).is_none() {
                self.unknown_until = range.start;
            }
        }
        self.lines.push((range, Kind::Checkpoint));
    }

    fn damaged(&mut self, line: &Line, error: Error, is_chosen: Option<bool>) {
        let (range, checkpoints) = (line.range(), line.begun().checkpoints);
        if checkpoints == 0 {
            self.lines.push((range, Kind::DamagedPieces));
            return;
        }
        let head = line.unchecked_head();
        let owner = head.map(|head| owner(head.id.as_deref(), head.seq));
        let damaged = Damaged {
            range,
            checkpoints,
            owner,
            error,
        };
        match is_chosen {
            Some(is_chosen) => self.take(damaged, is_chosen),
            None => self.waiting.push(damaged),
        }
    }

    fn settle(&mut self, is_chosen: bool) {
        for damaged in mem::take(&mut self.waiting) {
            self.take(damaged, is_chosen);
        }
    }

    fn take(&mut self, damaged: Damaged, is_chosen: bool) {
        if !is_chosen {
            self.left_out += damaged.checkpoints;
            self.owners_left_out.extend(damaged.owner);
            return;
        }
        self.count += damaged.checkpoints;
        self.last_seq = self.last_seq.saturating_add(damaged.checkpoints);
        self.owners.extend(damaged.owner);
        self.unknown_until = self.unknown_until.max(damaged.range.start);
        self.lines.push((damaged.range, Kind::Checkpoint));
        let _ = self.damaged.get_or_insert(damaged.error);
    }

    fn into_part(mut self, thread: ThreadFile) -> Part {
        self.settle(true);
        // What was settled late stands before what was read since.
        self.lines.sort_by_key(|(range, _)| range.start);
        let until = self.unknown_until;
        let is_whole = until == 0 && self.needed.is_whole();
        let needed = self.needed.into_runs();
        let lines = self.lines.into_iter();
        let lines = lines.filter(|(range, kind)| match kind {
            Kind::Checkpoint => true,
            Kind::Piece(number) => range.start < until || are_among(&needed, Run::one(*number)),
            Kind::DamagedPieces => !is_whole,
        });
        Part {
            thread,
            ranges: joined(lines.map(|line| line.0)),
            count: self.count,
            left_out: self.left_out,
            last_seq: self.last_seq,
            owners: self.owners,
            owners_left_out: self.owners_left_out,
            damaged: self.damaged,
        }
    }
}

/// Returns ranges in order, those that touch as one.
fn joined(ranges: impl Iterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let mut apart: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match apart.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => apart.push(range),
        }
    }
    apart
}
