//! Which chunks of a segment hold a term, how often and where, in blocks of up to 128 chunks.
//!
//! A block has for each chunk the distance of its ordinal to the one before as a LEB128 number (the
//! first has none, as the block's head names it), and how often path and text hold the term: in the two
//! halves of a byte, or, where one of them is too small, in two LEB128 numbers after a byte of ones.
//! Positions are, for each chunk of the block, those in the path and those in the text, each as the
//! distance to the one before. Nothing in a block depends on what stands before it, so that a merge
//! copies its bytes.

use super::list::Head;
use super::number::{put, take, take_byte, take_numbers, unreadable};
use crate::Result;

/// How many chunks a block is about at most.
pub(super) const BLOCK: usize = 128;

/// Stands before the numbers that a byte cannot hold.
const LONG: u8 = 0xff;

/// How often a chunk holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub(super) ordinal: u32,
    pub(super) in_path: u32,
    pub(super) in_text: u32,
}

/// Appends how often a chunk holds a term.
pub(super) fn put_counts(entries: &mut Vec<u8>, found: Occurrence) {
    if found.in_path < 0xf && found.in_text <= 0xf {
        entries.push((found.in_path << 4 | found.in_text) as u8);
    } else {
        entries.push(LONG);
        put(entries, found.in_path.into());
        put(entries, found.in_text.into());
    }
}

#[inline]
fn take_counts(entries: &mut &[u8]) -> Result<(u32, u32)> {
    let halves = take_byte(entries)?;
    if halves != LONG {
        return Ok(in_halves(halves));
    }
    Ok((take_u32(entries)?, take_u32(entries)?))
}

fn in_halves(halves: u8) -> (u32, u32) {
    (u32::from(halves >> 4), u32::from(halves & 0xf))
}

/// Takes the distance to the next chunk, and how often that holds the term.
#[inline]
fn take_next(entries: &mut &[u8]) -> Result<(u32, (u32, u32))> {
    match **entries {
        // Most are no more than two bytes.
        [distance @ ..0x80, halves, ref rest @ ..] if halves != LONG => {
            *entries = rest;
            Ok((distance.into(), in_halves(halves)))
        }
        _ => Ok((take_u32(entries)?, take_counts(entries)?)),
    }
}

#[inline]
fn take_u32(bytes: &mut &[u8]) -> Result<u32> {
    u32::try_from(take(bytes)?).map_err(|_| unreadable())
}

/// A block that was read.
#[derive(Clone, Debug)]
pub(super) struct Decoded {
    ordinals: [u32; BLOCK],
    in_path: [u32; BLOCK],
    in_text: [u32; BLOCK],
    count: usize,
}

impl Default for Decoded {
    fn default() -> Self {
        Self {
            ordinals: [0; BLOCK],
            in_path: [0; BLOCK],
            in_text: [0; BLOCK],
            count: 0,
        }
    }
}

impl Decoded {
    /// Reads a block.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for bytes that are not the block of the head.
    pub(super) fn read(&mut self, head: &Head, mut entries: &[u8]) -> Result<()> {
        let count = usize::from(head.count);
        let lists = (&mut self.ordinals, &mut self.in_path, &mut self.in_text);
        let lists = lists.0.iter_mut().zip(lists.1).zip(lists.2);
        let mut ordinal = head.first;
        for (at, ((to, in_path), in_text)) in lists.take(count).enumerate() {
            (*in_path, *in_text) = if at == 0 {
                take_counts(&mut entries)?
            } else {
                let (distance, counts) = take_next(&mut entries)?;
                let next = ordinal.checked_add(distance).filter(|next| *next > ordinal);
                ordinal = next.ok_or_else(unreadable)?;
                counts
            };
            *to = ordinal;
        }
        if ordinal != head.last || !entries.is_empty() {
            return Err(unreadable());
        }
        self.count = count;
        Ok(())
    }

    /// Returns the ordinals of its chunks, in order.
    #[inline]
    pub(super) fn ordinals(&self) -> &[u32] {
        &self.ordinals[..self.count]
    }

    /// Returns how often each of its chunks holds the term.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = Occurrence> {
        (0..self.count).map(|at| self.get(at))
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Occurrence {
        Occurrence {
            ordinal: self.ordinals[at],
            in_path: self.in_path[at],
            in_text: self.in_text[at],
        }
    }
}

/// Takes the positions of a chunk off the front of those of its block.
pub(super) fn take_positions<'b>(positions: &mut &'b [u8], found: Occurrence) -> Result<&'b [u8]> {
    let count = u64::from(found.in_path) + u64::from(found.in_text);
    take_numbers(positions, count as usize)
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
