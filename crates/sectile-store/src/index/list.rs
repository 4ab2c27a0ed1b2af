//! A posting list: the blocks that a segment has for a term, with a head for each.
//!
//! Heads say where the chunks of a block lie and what they can score at most, so that a search reads
//! few of the blocks. The blocks of a long list stand in parts, rows of their own.

use super::head::{FEW, Head, Impact, add};
use super::number::{put, take, take_size, unreadable};
use super::postings::{BLOCK, Decoded, Occurrence, put_block, take_positions};
use crate::Result;

/// How many blocks a part has.
pub(super) const PART: usize = 16;

/// The size in bytes from which a list is stored in parts.
const LONG: usize = 4 << 10;

/// Stands for how many chunks a block has that is full and packed.
const PACKED: u16 = BLOCK as u16 + 1;

/// What a segment has for a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct List {
    /// How many chunks hold the term, those that are dead included.
    pub(super) chunks: u64,
    pub(super) heads: Vec<Head>,
    impacts: Vec<Impact>,
    /// The number of the part that has the first blocks; nothing if they are here.
    pub(super) first_part: Option<u64>,
    pub(super) entries: Vec<u8>,
    /// Nothing where they were not asked for.
    pub(super) positions: Vec<u8>,
}

/// A row with some blocks of a long list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its number in the segment.
    pub part: u64,
    /// The blocks.
    pub entries: Vec<u8>,
    /// Where their chunks hold the term.
    pub positions: Vec<u8>,
}

impl List {
    /// Returns what no chunk of a block outdoes; nothing where the block has to be read.
    pub(super) fn impacts(&self, head: &Head) -> &[Impact] {
        let (start, count) = head.impacts;
        &self.impacts[start as usize..][..count as usize]
    }

    /// Returns the number of the part that has a block; nothing if the block is here.
    pub(super) fn part(&self, block: usize) -> Option<u64> {
        self.first_part.map(|first| first + (block / PART) as u64)
    }

    /// Returns how many parts it has.
    pub(super) fn parts(&self) -> u64 {
        self.first_part
            .map_or(0, |_| self.heads.len().div_ceil(PART) as u64)
    }

    /// Returns about how many bytes it takes in memory.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.heads)
            + size_of_val(&*self.impacts)
            + self.entries.len()
            + self.positions.len()
    }

    /// Returns whether its blocks are to stand in parts.
    pub(super) fn is_long(&self) -> bool {
        self.entries.len() >= LONG
    }

    /// Moves its blocks into parts, of which the first gets a number.
    pub(super) fn split(&mut self, first: u64) -> Vec<Part> {
        let (entries, positions) = (&self.entries, &self.positions);
        let part = |(number, heads): (u64, &mut [Head])| {
            let range = |of: fn(&Head) -> (u32, u32)| {
                let start = heads.first().map_or(0, |head| of(head).0);
                let end = heads.last().map_or(0, |head| of(head).0 + of(head).1);
                (start, start as usize..end as usize)
            };
            let (of_entries, of_positions) =
                (range(|head| head.entries), range(|head| head.positions));
            for head in heads {
                head.entries.0 -= of_entries.0;
                head.positions.0 -= of_positions.0;
            }
            Part {
                part: number,
                entries: entries[of_entries.1].to_vec(),
                positions: positions[of_positions.1].to_vec(),
            }
        };
        let parts = (first..).zip(self.heads.chunks_mut(PART)).map(part);
        let parts = parts.collect();
        self.first_part = Some(first);
        self.entries.clear();
        self.positions.clear();
        parts
    }

    /// Appends all but the positions.
    pub(super) fn put(&self, to: &mut Vec<u8>) {
        put(to, self.chunks);
        let mut before = 0;
        if self.chunks > 1 {
            // No list has no blocks: where there is only one, that says that it is packed.
            let is_packed = matches!(*self.heads, [only] if only.is_packed);
            let blocks = if is_packed { 0 } else { self.heads.len() };
            put(to, blocks as u64);
        }
        if let [_, _, ..] = *self.heads {
            put(to, self.first_part.map_or(0, |first| first + 1));
        }
        for head in &self.heads {
            if self.heads.len() > 1 {
                let count = if head.is_packed { PACKED } else { head.count };
                put(to, count.into());
            }
            head.put(to, before, self.impacts(head));
            before = head.last;
        }
        to.extend_from_slice(&self.entries);
    }

    /// Reads what [`put`](Self::put) wrote, of a segment of so many chunks.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for bytes that are not a list.
    pub(super) fn read(mut stored: &[u8], positions: &[u8]) -> Result<Self> {
        let bytes = &mut stored;
        let mut list = Self {
            chunks: take(bytes)?,
            ..Self::default()
        };
        let heads = if list.chunks > 1 {
            take_size(bytes)?
        } else {
            1
        };
        let (is_only_packed, heads) = (heads == 0, heads.max(1));
        if heads > 1 {
            list.first_part = take(bytes)?.checked_sub(1);
        }
        let mut chunks = 0;
        // Each takes some bytes, so that no number is believed that they cannot bear out.
        list.heads.reserve(heads.min(bytes.len()));
        for at in 0..heads {
            let count = if heads > 1 { take(bytes)? } else { list.chunks };
            let count = u16::try_from(count).map_err(|_| unreadable())?;
            let is_packed = is_only_packed || count == PACKED;
            let count = if is_packed { BLOCK as u16 } else { count };
            if count == 0 || usize::from(count) > BLOCK {
                return Err(unreadable());
            }
            let before = list.heads.last();
            let mut head = Head::take(bytes, (count, is_packed), before, &mut list.impacts)?;
            if list.first_part.is_some() && at % PART == 0 {
                (head.entries.0, head.positions.0) = (0, 0);
            }
            chunks += u64::from(count);
            list.heads.push(head);
        }
        if chunks != list.chunks {
            return Err(unreadable());
        }
        list.entries = bytes.to_vec();
        list.positions = positions.to_vec();
        Ok(list)
    }
}

/// A list that is being made.
#[derive(Clone, Debug, Default)]
pub(super) struct ListBuilder {
    list: List,
    open: Open,
}

/// A block that is being filled.
#[derive(Clone, Debug, Default)]
struct Open {
    found: Vec<Occurrence>,
    positions: Vec<u8>,
    impacts: Vec<Impact>,
}

impl ListBuilder {
    /// Adds a chunk of a length, whose ordinal comes after those of the others.
    pub(super) fn push(&mut self, found: Occurrence, length: u32, positions: &[u8]) {
        if self.open.found.len() == BLOCK {
            self.list.close(&mut self.open);
        }
        let open = &mut self.open;
        open.found.push(found);
        open.positions.extend_from_slice(positions);
        let impact = Impact {
            in_path: found.in_path,
            in_text: found.in_text,
            length,
        };
        if !open.impacts.iter().any(|known| known.is_at_least(&impact)) {
            open.impacts.retain(|known| !impact.is_at_least(known));
            open.impacts.push(impact);
        }
    }

    /// Adds a block of a list, whose chunks get ordinals larger by `before`. A full one is copied
    /// if it begins a block.
    pub(super) fn append(
        &mut self,
        other: &List,
        head: &Head,
        (entries, positions): (&[u8], &[u8]),
        (before, lengths): (u32, &[u32]),
    ) -> Result<()> {
        let (entries, positions) = (head.entries(entries)?, head.positions(positions)?);
        if self.open.found.len() == BLOCK {
            self.list.close(&mut self.open);
        }
        if !head.is_packed || !self.open.found.is_empty() {
            return self.append_some(head, (entries, positions), |ordinal| {
                let ordinal = ordinal.checked_add(before)?;
                Some((ordinal, *lengths.get(ordinal as usize)?))
            });
        }
        let list = &mut self.list;
        let impacts = other.impacts(head);
        list.heads.push(Head {
            first: add(head.first, before)?,
            last: add(head.last, before)?,
            count: head.count,
            is_packed: head.is_packed,
            entries: (list.entries.len() as u32, entries.len() as u32),
            positions: (list.positions.len() as u32, positions.len() as u32),
            impacts: (list.impacts.len() as u32, impacts.len() as u32),
        });
        list.impacts.extend_from_slice(impacts);
        list.entries.extend_from_slice(entries);
        list.positions.extend_from_slice(positions);
        list.chunks += u64::from(head.count);
        Ok(())
    }

    /// Adds those chunks of a block that get a new ordinal, each with its length.
    pub(super) fn append_some(
        &mut self,
        head: &Head,
        (entries, mut positions): (&[u8], &[u8]),
        place: impl Fn(u32) -> Option<(u32, u32)>,
    ) -> Result<()> {
        let mut decoded = Decoded::default();
        decoded.read(head, entries)?;
        for found in decoded.iter() {
            let positions = take_positions(&mut positions, found)?;
            if let Some((ordinal, length)) = place(found.ordinal) {
                self.push(Occurrence { ordinal, ..found }, length, positions);
            }
        }
        Ok(())
    }

    /// Returns the list, and begins another one.
    pub(super) fn finish(&mut self) -> List {
        self.list.close(&mut self.open);
        std::mem::take(&mut self.list)
    }
}

impl List {
    /// Adds a block, and empties it.
    fn close(&mut self, open: &mut Open) {
        let [first, ..] = *open.found else {
            return;
        };
        let last = open.found.last().map_or(first.ordinal, |last| last.ordinal);
        let count = open.found.len() as u16;
        if count <= FEW {
            open.impacts.clear();
        }
        let starts = (self.entries.len() as u32, self.positions.len() as u32);
        let is_packed = put_block(&mut self.entries, &open.found);
        self.positions.append(&mut open.positions);
        self.heads.push(Head {
            first: first.ordinal,
            last,
            count,
            is_packed,
            entries: (starts.0, self.entries.len() as u32 - starts.0),
            positions: (starts.1, self.positions.len() as u32 - starts.1),
            impacts: (self.impacts.len() as u32, open.impacts.len() as u32),
        });
        self.impacts.append(&mut open.impacts);
        self.chunks += u64::from(count);
        open.found.clear();
    }
}
