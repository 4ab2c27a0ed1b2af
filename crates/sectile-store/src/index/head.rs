//! What is known of a block of a posting list without reading it.

use super::number::{put, take, unreadable};
use crate::Result;

/// A block of so few chunks has no impacts: it is read sooner than they are.
pub(super) const FEW: u16 = 8;

/// Something that no other chunk of its block outdoes: it has the term as often in path and in text and
/// is as short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Impact {
    pub(super) in_path: u32,
    pub(super) in_text: u32,
    pub(super) length: u32,
}

/// What is known of a block without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The ordinals of its first and of its last chunk.
    pub(super) first: u32,
    pub(super) last: u32,
    /// How many chunks it is about.
    pub(super) count: u16,
    /// Whether its numbers are packed.
    pub(super) is_packed: bool,
    /// Where its bytes begin, in the list or in its part, and how many there are.
    pub(super) entries: (u32, u32),
    pub(super) positions: (u32, u32),
    /// Where its impacts begin, and how many there are.
    pub(super) impacts: (u32, u32),
}

impl Impact {
    pub(super) fn is_at_least(&self, other: &Self) -> bool {
        self.in_path >= other.in_path
            && self.in_text >= other.in_text
            && self.length <= other.length
    }
}

impl Head {
    /// Returns its bytes out of those of its list or part.
    pub(super) fn entries<'b>(&self, of: &'b [u8]) -> Result<&'b [u8]> {
        slice(of, self.entries)
    }

    /// Returns the positions of its chunks out of those of its list or part.
    pub(super) fn positions<'b>(&self, of: &'b [u8]) -> Result<&'b [u8]> {
        slice(of, self.positions)
    }

    /// Appends it; `before` is the last ordinal of the block before.
    pub(super) fn put(&self, directory: &mut Vec<u8>, before: u32, impacts: &[Impact]) {
        put(directory, (self.first - before).into());
        if self.count > 1 {
            put(directory, (self.last - self.first).into());
        }
        put(directory, self.entries.1.into());
        put(directory, self.positions.1.into());
        if self.count > FEW {
            put(directory, impacts.len() as u64);
            for impact in impacts {
                put(directory, impact.in_path.into());
                put(directory, impact.in_text.into());
                put(directory, impact.length.into());
            }
        }
    }

    /// Takes the head of a block of so many chunks, which may be packed.
    pub(super) fn take(
        directory: &mut &[u8],
        (count, is_packed): (u16, bool),
        before: Option<&Self>,
        impacts: &mut Vec<Impact>,
    ) -> Result<Self> {
        let last = before.map_or(0, |before| before.last);
        let first = add(last, number(directory)?)?;
        let distance = if count > 1 { number(directory)? } else { 0 };
        let end = |(start, length): (u32, u32)| add(start, length);
        let entries = before.map_or(Ok(0), |before| end(before.entries))?;
        let positions = before.map_or(Ok(0), |before| end(before.positions))?;
        let head = Self {
            first,
            last: add(first, distance)?,
            count,
            is_packed,
            entries: (entries, number(directory)?),
            positions: (positions, number(directory)?),
            impacts: take_impacts(directory, count, impacts)?,
        };
        let is_after = before.is_none_or(|before| first > before.last);
        if is_after {
            Ok(head)
        } else {
            Err(unreadable())
        }
    }
}

fn take_impacts(
    directory: &mut &[u8],
    count: u16,
    impacts: &mut Vec<Impact>,
) -> Result<(u32, u32)> {
    let start = impacts.len() as u32;
    let many = if count > FEW { number(directory)? } else { 0 };
    for _ in 0..many {
        impacts.push(Impact {
            in_path: number(directory)?,
            in_text: number(directory)?,
            length: number(directory)?,
        });
    }
    Ok((start, many))
}

fn number(bytes: &mut &[u8]) -> Result<u32> {
    u32::try_from(take(bytes)?).map_err(|_| unreadable())
}

pub(super) fn add(left: u32, right: u32) -> Result<u32> {
    left.checked_add(right).ok_or_else(unreadable)
}

fn slice(of: &[u8], (start, length): (u32, u32)) -> Result<&[u8]> {
    let start = start as usize;
    let found = of.get(start..start + length as usize);
    found.ok_or_else(unreadable)
}
