//! Which chunks of a segment hold a term, how often and where.
//!
//! An entry has, for each chunk, the distance of its ordinal to the one before (the first its ordinal)
//! as a LEB128 number, and how often its path and its text hold the term: in the two halves of a
//! byte, or, where one of them is too small, in two LEB128 numbers after a byte of ones. Positions
//! are, for each chunk of the entry, those in the path and those in the text, each as the distance to
//! the one before. So entries of several segments, one after the other, are one entry, but for the
//! first distance of each.

use super::number::{put, take, take_byte, take_numbers, take_size, unreadable};
use crate::Result;

/// Stands before the numbers that a byte cannot hold.
const LONG: u8 = 0xff;

/// How often a chunk holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub(super) ordinal: usize,
    pub(super) in_path: u64,
    pub(super) in_text: u64,
}

/// What a segment has for a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Posting {
    /// How many chunks the entry is about.
    pub(super) chunks: u64,
    /// The ordinal of the last.
    pub(super) last: usize,
    /// The chunks, with how often they hold the term.
    pub(super) entry: Vec<u8>,
    /// In the same order, where.
    pub(super) positions: Vec<u8>,
}

/// The same where it lies in a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct PostingRef<'b> {
    pub(super) chunks: u64,
    pub(super) last: usize,
    pub(super) entry: &'b [u8],
    pub(super) positions: &'b [u8],
}

impl Posting {
    /// Adds a chunk with an ordinal after those of the others; its positions are added apart.
    pub(super) fn push(&mut self, found: Occurrence) {
        put(&mut self.entry, (found.ordinal - self.last) as u64);
        if found.in_path < 0xf && found.in_text <= 0xf {
            self.entry.push((found.in_path << 4 | found.in_text) as u8);
        } else {
            self.entry.push(LONG);
            put(&mut self.entry, found.in_path);
            put(&mut self.entry, found.in_text);
        }
        self.last = found.ordinal;
        self.chunks += 1;
    }

    /// Adds what another segment has for the term, whose chunks come after so many.
    pub(super) fn append(&mut self, other: PostingRef<'_>, before: usize) -> Result<()> {
        let mut rest = other.entry;
        let first = before.wrapping_add(take_size(&mut rest)?);
        let distance = first.checked_sub(self.last).ok_or_else(unreadable)?;
        put(&mut self.entry, distance as u64);
        self.entry.extend_from_slice(rest);
        self.positions.extend_from_slice(other.positions);
        self.last = before.wrapping_add(other.last);
        self.chunks += other.chunks;
        Ok(())
    }

    /// The same, with a new ordinal for each chunk that there still is.
    pub(super) fn append_some(
        &mut self,
        other: PostingRef<'_>,
        ordinals: &[Option<usize>],
    ) -> Result<()> {
        let mut cursor = Cursor::new(other.entry, other.positions);
        while let Some((found, positions)) = cursor.next()? {
            if let Some(&Some(ordinal)) = ordinals.get(found.ordinal) {
                self.push(Occurrence { ordinal, ..found });
                self.positions.extend_from_slice(positions);
            }
        }
        Ok(())
    }
}

/// Reads an entry.
#[inline]
pub(super) fn read_entry(mut entry: &[u8], mut found: impl FnMut(Occurrence)) -> Result<()> {
    let mut last = 0;
    while !entry.is_empty() {
        let occurrence = take_occurrence(&mut entry, last)?;
        last = occurrence.ordinal;
        found(occurrence);
    }
    Ok(())
}

#[inline]
fn take_occurrence(entry: &mut &[u8], last: usize) -> Result<Occurrence> {
    // Bytes that nobody wrote may give any number, which is looked up in a list by whoever gets it.
    let ordinal = last.wrapping_add(take(entry)? as usize);
    let halves = take_byte(entry)?;
    let (in_path, in_text) = if halves == LONG {
        (take(entry)?, take(entry)?)
    } else {
        ((halves >> 4).into(), (halves & 0xf).into())
    };
    Ok(Occurrence {
        ordinal,
        in_path,
        in_text,
    })
}

/// A place in an entry and its positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'b> {
    entry: &'b [u8],
    positions: &'b [u8],
    last: usize,
}

impl<'b> Cursor<'b> {
    pub(super) fn new(entry: &'b [u8], positions: &'b [u8]) -> Self {
        Self {
            entry,
            positions,
            last: 0,
        }
    }

    /// Returns the next chunk with its positions, which [`read_positions`] reads.
    pub(super) fn next(&mut self) -> Result<Option<(Occurrence, &'b [u8])>> {
        if self.entry.is_empty() {
            return Ok(None);
        }
        let found = take_occurrence(&mut self.entry, self.last)?;
        self.last = found.ordinal;
        let count = found.in_path.wrapping_add(found.in_text) as usize;
        let positions = take_numbers(&mut self.positions, count)?;
        Ok(Some((found, positions)))
    }
}

/// Reads where a chunk holds a term: in its path and in its text.
pub(super) fn read_positions(
    mut positions: &[u8],
    found: Occurrence,
    path: &mut Vec<u64>,
    text: &mut Vec<u64>,
) -> Result<()> {
    for (places, count) in [(path, found.in_path), (text, found.in_text)] {
        places.clear();
        let mut last = 0_u64;
        for _ in 0..count {
            last = last.wrapping_add(take(&mut positions)?);
            places.push(last);
        }
    }
    Ok(())
}
