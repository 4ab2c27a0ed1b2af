//! Which chunks of a segment hold a term, how often and where, in blocks of up to 128 chunks.
//!
//! A full block is packed: a byte each for the widths in bits of what follows, then the distances of the
//! ordinals, how often the paths and how often the texts hold the term, as `bitpacking` packs them. Another
//! block has for each chunk the distance of its ordinal to the one before as a LEB128 number (the
//! first has none, as the block's head names it), and how often path and text hold the term: in the two
//! halves of a byte, or, where one of them is too small, in two LEB128 numbers after a byte of ones.
//! Positions are, for each chunk of the block, those in the path and those in the text, each as the
//! distance to the one before. Nothing in a block depends on what stands before it, so that a merge
//! copies its bytes.

use std::ops::Range;

use bitpacking::{BitPacker as _, BitPacker4x};

use super::head::Head;
use super::number::{put, take, take_byte, take_numbers, unreadable};
use crate::Result;

/// How many chunks a block is about at most.
pub(super) const BLOCK: usize = 128;

/// In so many bits, the distances of a block cannot add up to more than a `u32` holds.
const NARROW: u8 = (u32::BITS - BLOCK.ilog2()) as u8;

/// Stands before the numbers that a byte cannot hold.
const LONG: u8 = 0xff;

/// How often a chunk holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub(super) ordinal: u32,
    pub(super) in_path: u32,
    pub(super) in_text: u32,
}

/// Appends a block, and says whether it is packed.
pub(super) fn put_block(entries: &mut Vec<u8>, block: &[Occurrence]) -> bool {
    let is_full = block.len() == BLOCK;
    if is_full {
        pack(entries, block);
    } else {
        put_each(entries, block);
    }
    is_full
}

fn pack(entries: &mut Vec<u8>, block: &[Occurrence]) {
    let of = |at: fn(&Occurrence) -> u32| -> Vec<u32> { block.iter().map(at).collect() };
    let (ordinals, bits) = (of(|found| found.ordinal), BitPacker4x::new());
    let counts = [of(|found| found.in_path), of(|found| found.in_text)];
    let before = ordinals[0].checked_sub(1);
    let width = bits.num_bits_strictly_sorted(before, &ordinals);
    let widths = counts.each_ref().map(|counts| bits.num_bits(counts));
    entries.push(width);
    entries.extend_from_slice(&widths);
    let mut buffer = [0; size_of::<u32>() * BLOCK];
    let size = bits.compress_strictly_sorted(before, &ordinals, &mut buffer, width);
    entries.extend_from_slice(&buffer[..size]);
    for (counts, width) in counts.iter().zip(widths) {
        let size = bits.compress(counts, &mut buffer, width);
        entries.extend_from_slice(&buffer[..size]);
    }
}

fn put_each(entries: &mut Vec<u8>, block: &[Occurrence]) {
    let mut before = None;
    for &found in block {
        if let Some(before) = before.replace(found.ordinal) {
            put(entries, (found.ordinal - before).into());
        }
        put_counts(entries, found);
    }
}

/// Appends how often a chunk holds a term.
fn put_counts(entries: &mut Vec<u8>, found: Occurrence) {
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

/// Some chunks that hold a term, in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'b> {
    pub(super) ordinals: &'b [u32],
    /// How often the path of each holds it.
    pub(super) in_path: &'b [u32],
    /// How often its text does.
    pub(super) in_text: &'b [u32],
}

impl Run<'_> {
    /// Returns the places of those of them that are among some ordinals.
    pub(super) fn places(self, ordinals: Range<u32>) -> Range<usize> {
        if let (Some(first), Some(last)) = (self.ordinals.first(), self.ordinals.last())
            && *first >= ordinals.start
            && *last < ordinals.end
        {
            return 0..self.ordinals.len();
        }
        let start = self.ordinals.partition_point(|at| *at < ordinals.start);
        let within = self.ordinals[start..].partition_point(|at| *at < ordinals.end);
        start..start + within
    }

    /// Returns those of them that are among some ordinals.
    pub(super) fn within(self, ordinals: Range<u32>) -> Self {
        self.at(self.places(ordinals))
    }

    /// Returns them in pieces that are no longer than a block.
    pub(super) fn pieces(self) -> impl Iterator<Item = Self> {
        let count = self.ordinals.len();
        let starts = (0..count).step_by(BLOCK);
        starts.map(move |start| self.at(start..count.min(start + BLOCK)))
    }

    fn at(self, places: Range<usize>) -> Self {
        Self {
            ordinals: &self.ordinals[places.clone()],
            in_path: &self.in_path[places.clone()],
            in_text: &self.in_text[places],
        }
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Occurrence> {
        let counts = self.in_path.iter().zip(self.in_text);
        let all = self.ordinals.iter().zip(counts);
        all.map(|(&ordinal, (&in_path, &in_text))| Occurrence {
            ordinal,
            in_path,
            in_text,
        })
    }
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
    pub(super) fn read(&mut self, head: &Head, entries: &[u8]) -> Result<()> {
        if head.is_packed {
            self.unpack(head, entries)?;
        } else {
            self.take(head, entries)?;
        }
        self.count = head.count.into();
        Ok(())
    }

    fn unpack(&mut self, head: &Head, entries: &[u8]) -> Result<()> {
        let (widths, packed) = entries.split_first_chunk().ok_or_else(unreadable)?;
        let widths: [u8; 3] = *widths;
        let is_one = |width: u8| u32::from(width) <= u32::BITS;
        let ends = widths.map(BitPacker4x::compressed_block_size);
        if !widths.into_iter().all(is_one) || packed.len() != ends.iter().sum::<usize>() {
            return Err(unreadable());
        }
        let (ordinals, packed) = packed.split_at(ends[0]);
        let (in_path, in_text) = packed.split_at(ends[1]);
        let (bits, before) = (BitPacker4x::new(), head.first.checked_sub(1));
        bits.decompress_strictly_sorted(before, ordinals, &mut self.ordinals, widths[0]);
        bits.decompress(in_path, &mut self.in_path, widths[1]);
        bits.decompress(in_text, &mut self.in_text, widths[2]);
        let [first, .., last] = self.ordinals;
        let is_of_head = (first, last) == (head.first, head.last);
        (is_of_head && (widths[0] <= NARROW || self.is_in_order()))
            .then_some(())
            .ok_or_else(unreadable)
    }

    fn is_in_order(&self) -> bool {
        self.ordinals.is_sorted_by(|one, next| one < next)
    }

    fn take(&mut self, head: &Head, mut entries: &[u8]) -> Result<()> {
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
        Ok(())
    }

    /// Copies those of some chunks that are wanted, of no more than a block has.
    #[inline]
    pub(super) fn keep(&mut self, run: Run<'_>, is_wanted: impl Fn(u32) -> bool) {
        let (mut places, mut count) = ([0_u8; BLOCK], 0);
        for (place, ordinal) in (0..).zip(run.ordinals) {
            // Written without a branch, as no processor can tell which it would be.
            places[count % BLOCK] = place;
            count += usize::from(is_wanted(*ordinal));
        }
        for (to, &place) in places[..count].iter().enumerate() {
            let place = usize::from(place);
            self.ordinals[to] = run.ordinals[place];
            self.in_path[to] = run.in_path[place];
            self.in_text[to] = run.in_text[place];
        }
        self.count = count;
    }

    /// Returns the ordinals of its chunks, in order.
    #[inline]
    pub(super) fn ordinals(&self) -> &[u32] {
        &self.ordinals[..self.count]
    }

    /// Returns its chunks.
    pub(super) fn run(&self) -> Run<'_> {
        Run {
            ordinals: self.ordinals(),
            in_path: &self.in_path[..self.count],
            in_text: &self.in_text[..self.count],
        }
    }

    /// Returns how often each of its chunks holds the term.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = Occurrence> {
        self.run().iter()
    }

    /// Returns how often some of its chunks hold the term in all.
    pub(super) fn occurrences(&self, chunks: Range<usize>) -> u64 {
        let in_path = self.in_path[chunks.clone()].iter();
        let counts = in_path.zip(&self.in_text[chunks]);
        let counts = counts.map(|(&in_path, &in_text)| u64::from(in_path) + u64::from(in_text));
        counts.sum()
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
    take_numbers(positions, count)
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

#[cfg(test)]
mod tests {
    use super::super::list::{List, ListBuilder};
    use super::*;

    fn occurrences(first: u32) -> Vec<Occurrence> {
        let occurrence = |at: u32| Occurrence {
            ordinal: first + at * at,
            in_path: at % 3 / 2,
            in_text: 1 + at % 20,
        };
        (0..BLOCK as u32).map(occurrence).collect()
    }

    fn list_of(found: &[Occurrence]) -> List {
        let mut builder = ListBuilder::default();
        let one = [0; 32];
        for &found in found {
            builder.push(found, 9, &one[..(found.in_path + found.in_text) as usize]);
        }
        builder.finish()
    }

    #[test]
    fn chunks_that_are_wanted_are_kept() {
        let ordinals: Vec<u32> = (0..BLOCK as u32).map(|at| 3 * at).collect();
        let counts: Vec<u32> = (0..BLOCK as u32).collect();
        let run = Run {
            ordinals: &ordinals,
            in_path: &counts,
            in_text: &counts,
        };
        let mut kept = Decoded::default();
        for every in [1, 2, 5, 1_000] {
            let is_wanted = |ordinal: u32| ordinal.is_multiple_of(every);
            kept.keep(run, is_wanted);
            let expected = run.iter().filter(|found| is_wanted(found.ordinal));
            assert!(kept.iter().eq(expected), "{every}");
        }
        kept.keep(run, |_| false);
        assert_eq!(kept.ordinals(), [0; 0]);
    }

    #[test]
    fn full_blocks_are_packed() {
        for first in [0, 1, u32::MAX - 20_000] {
            let found = occurrences(first);
            for count in [BLOCK - 1, BLOCK] {
                let list = list_of(&found[..count]);
                let [head] = list.heads[..] else {
                    panic!("one block");
                };
                assert_eq!(head.is_packed, count == BLOCK);
                let mut decoded = Decoded::default();
                decoded.read(&head, &list.entries).unwrap();
                assert!(decoded.iter().eq(found[..count].iter().copied()));
                let mut stored = Vec::new();
                list.put(&mut stored);
                assert_eq!(List::read(&stored, &list.positions).unwrap(), list);
            }
        }
    }

    #[test]
    fn full_blocks_that_are_not_packed_are_read() {
        let found = occurrences(7);
        let mut head = list_of(&found).heads[0];
        head.is_packed = false;
        let mut entries = Vec::new();
        put_each(&mut entries, &found);
        let mut decoded = Decoded::default();
        decoded.read(&head, &entries).unwrap();
        assert!(decoded.iter().eq(found));
    }

    #[test]
    fn packed_bytes_that_nobody_wrote_are_errors() {
        let list = list_of(&occurrences(7));
        let (head, entries) = (list.heads[0], &list.entries);
        let mut damaged = vec![[entries, &[0][..]].concat()];
        damaged.extend((0..entries.len()).map(|end| entries[..end].to_vec()));
        for width in [33, u8::MAX] {
            damaged.push([&[width], &entries[1..]].concat());
        }
        // The distances of the first four.
        damaged.push([&entries[..3], &[u8::MAX; 16], &entries[19..]].concat());
        for bytes in damaged {
            let error = Decoded::default().read(&head, &bytes).unwrap_err();
            assert!(matches!(error, crate::Error::Corrupt { .. }), "{error}");
        }
    }
}
