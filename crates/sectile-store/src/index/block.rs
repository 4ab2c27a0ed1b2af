//! Rows of the index: what a segment has for terms that follow each other.
//!
//! For each term a row has how many bytes the term shares with the one before, the rest of it, how long
//! its positions and its list are, each length a LEB128 number, then its list. Positions are in a column
//! of their own, as only phrases need them.

use std::ops::Range;

use super::list::{List, Part};
use super::number::{put, take_bytes, take_size, unreadable};
use crate::Result;

/// The size in bytes of lists at which a row is full.
const FULL: usize = 4 << 10;

/// A row of the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The last of its terms.
    pub last_term: String,
    /// What it has for each term, in order.
    pub entries: Vec<u8>,
    /// In the same order, where chunks hold the terms.
    pub positions: Vec<u8>,
}

impl Block {
    /// Finds what it has for a term.
    pub(super) fn find(&self, term: &str) -> Result<Option<List>> {
        let mut records = Records::default();
        while records.advance(self)? {
            if records.term() == term.as_bytes() {
                return records.list(self).map(Some);
            }
        }
        Ok(None)
    }

    fn push(&mut self, term: &str, list: &List, buffer: &mut Vec<u8>) {
        let shared = if self.entries.is_empty() {
            0
        } else {
            let same = term.bytes().zip(self.last_term.bytes());
            same.take_while(|(one, other)| one == other).count()
        };
        buffer.clear();
        list.put(buffer);
        let entries = &mut self.entries;
        put(entries, shared as u64);
        put(entries, (term.len() - shared) as u64);
        entries.extend_from_slice(&term.as_bytes()[shared..]);
        put(entries, list.positions.len() as u64);
        put(entries, buffer.len() as u64);
        entries.extend_from_slice(buffer);
        self.positions.extend_from_slice(&list.positions);
        term.clone_into(&mut self.last_term);
    }
}

/// A walk through what a row has, term by term.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    term: Vec<u8>,
    list: Range<usize>,
    positions: Range<usize>,
}

impl Records {
    /// Goes on to the next term, if there is one.
    pub(super) fn advance(&mut self, row: &Block) -> Result<bool> {
        let mut rest = row.entries.get(self.list.end..).ok_or_else(unreadable)?;
        if rest.is_empty() {
            return Ok(false);
        }
        let shared = take_size(&mut rest)?;
        let length = take_size(&mut rest)?;
        if shared > self.term.len() {
            return Err(unreadable());
        }
        self.term.truncate(shared);
        self.term.extend_from_slice(take_bytes(&mut rest, length)?);
        let (positions, length) = (take_size(&mut rest)?, take_size(&mut rest)?);
        let start = row.entries.len() - rest.len();
        take_bytes(&mut rest, length)?;
        self.list = start..start + length;
        let start = self.positions.end;
        let end = start.checked_add(positions).ok_or_else(unreadable)?;
        self.positions = start..end;
        Ok(true)
    }

    /// Returns the term that it is at.
    pub(super) fn term(&self) -> &[u8] {
        &self.term
    }

    /// Reads the list of that term, with its positions if the row has them.
    pub(super) fn list(&self, row: &Block) -> Result<List> {
        let positions = row.positions.get(self.positions.clone());
        List::read(
            &row.entries[self.list.clone()],
            positions.unwrap_or_default(),
        )
    }
}

/// Rows that are being filled.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    open: Block,
    full: Vec<Block>,
    parts: Vec<Part>,
    next_part: u64,
    bytes: usize,
    buffer: Vec<u8>,
}

impl Blocks {
    /// Adds what there is for a term that comes after the others.
    pub(super) fn push(&mut self, term: &str, mut list: List) {
        if list.is_long() {
            let parts = list.split(self.next_part);
            self.next_part += parts.len() as u64;
            let sizes = parts
                .iter()
                .map(|part| part.entries.len() + part.positions.len());
            self.bytes += sizes.sum::<usize>();
            self.parts.extend(parts);
        }
        self.open.push(term, &list, &mut self.buffer);
        if self.open.entries.len() >= FULL {
            self.close();
        }
    }

    /// Returns how many bytes the full ones have.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the full ones, and parts of long lists.
    pub(super) fn take(&mut self) -> (Vec<Block>, Vec<Part>) {
        self.bytes = 0;
        (
            std::mem::take(&mut self.full),
            std::mem::take(&mut self.parts),
        )
    }

    /// Returns the rest.
    pub(super) fn finish(mut self) -> (Vec<Block>, Vec<Part>) {
        self.close();
        (self.full, self.parts)
    }

    fn close(&mut self) {
        if !self.open.entries.is_empty() {
            let block = std::mem::take(&mut self.open);
            self.bytes += block.entries.len() + block.positions.len();
            self.full.push(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::ListBuilder;
    use super::super::postings::Occurrence;
    use super::*;

    fn list(chunks: u32) -> List {
        let mut builder = ListBuilder::default();
        for at in 0..chunks {
            let found = Occurrence {
                ordinal: 3 * at,
                in_path: at % 2,
                in_text: 1,
            };
            let positions = vec![7; 1 + at as usize % 2];
            builder.push(found, at % 11, &positions);
        }
        builder.finish()
    }

    fn blocks(sizes: &[u32]) -> (Vec<Block>, Vec<Part>) {
        let mut blocks = Blocks::default();
        for (at, &size) in sizes.iter().enumerate() {
            blocks.push(&format!("term{at:03}"), list(size));
        }
        let (mut all, mut parts) = blocks.take();
        let rest = blocks.finish();
        all.extend(rest.0);
        parts.extend(rest.1);
        (all, parts)
    }

    #[test]
    fn terms_are_found_in_their_rows() {
        let sizes = [1, 1_500, 1_200, 300, 20_000, 8, 9, 128, 129];
        let (blocks, parts) = blocks(&sizes);
        for (at, &size) in sizes.iter().enumerate() {
            let term = format!("term{at:03}");
            let block = blocks.iter().find(|block| block.last_term >= term);
            let mut found = block.unwrap().find(&term).unwrap().unwrap();
            if let Some(first) = found.first_part {
                assert_eq!(size, 20_000);
                assert_eq!(found.parts() as usize, parts.len());
                let mut expected = list(size);
                expected.split(first);
                found.positions = Vec::new();
                assert_eq!(found, expected);
            } else {
                assert_eq!(found, list(size));
            }
        }
        assert!(blocks[0].find("term").unwrap().is_none());
    }

    #[test]
    fn bytes_that_end_early_are_corrupt() {
        let block = blocks(&[10, 300]).0.remove(0);
        let first = block.find("term000").unwrap().unwrap();
        for end in 1..block.entries.len() {
            let mut cut = block.clone();
            cut.entries.truncate(end);
            // The first term may end there.
            assert!(cut.find("x").is_err() || cut.find("term000").unwrap() == Some(first.clone()));
        }
    }
}
