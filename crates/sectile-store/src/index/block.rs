//! Rows of the index: what a segment has for terms that follow each other.
//!
//! For each term a block has its bytes, how many chunks hold it, the ordinal of the last and how long
//! its entry and its positions are, each but the bytes a LEB128 number, then its entry. Positions are
//! in a column of their own, as only phrases need them.

use std::ops::Range;

use super::number::{put, take, take_bytes, take_size, unreadable};
use super::postings::{Posting, PostingRef};
use crate::Result;

/// A block is full with so many bytes of entries.
const FULL: usize = 8 << 10;

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
    pub(super) fn find(&self, term: &str) -> Result<Option<PostingRef<'_>>> {
        let mut records = Records::default();
        while let Some(record) = records.next(self)? {
            if self.term(&record) == term.as_bytes() {
                return Ok(Some(self.posting(&record)));
            }
        }
        Ok(None)
    }

    pub(super) fn term(&self, record: &Record) -> &[u8] {
        &self.entries[record.term.clone()]
    }

    pub(super) fn posting(&self, record: &Record) -> PostingRef<'_> {
        PostingRef {
            chunks: record.chunks,
            last: record.last,
            entry: &self.entries[record.entry.clone()],
            // Where they were not asked for, there are none.
            positions: self
                .positions
                .get(record.positions.clone())
                .unwrap_or_default(),
        }
    }

    fn push(&mut self, term: &str, posting: &Posting) {
        let entries = &mut self.entries;
        put(entries, term.len() as u64);
        entries.extend_from_slice(term.as_bytes());
        put(entries, posting.chunks);
        put(entries, posting.last as u64);
        put(entries, posting.entry.len() as u64);
        put(entries, posting.positions.len() as u64);
        entries.extend_from_slice(&posting.entry);
        self.positions.extend_from_slice(&posting.positions);
        term.clone_into(&mut self.last_term);
    }
}

/// Where a block has what it has for a term.
#[derive(Clone, Debug)]
pub(super) struct Record {
    term: Range<usize>,
    chunks: u64,
    last: usize,
    entry: Range<usize>,
    positions: Range<usize>,
}

/// How far a block is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Records {
    entries: usize,
    positions: usize,
}

impl Records {
    pub(super) fn next(&mut self, block: &Block) -> Result<Option<Record>> {
        let mut rest = block.entries.get(self.entries..).ok_or_else(unreadable)?;
        if rest.is_empty() {
            return Ok(None);
        }
        let at = |rest: &[u8]| block.entries.len() - rest.len();
        let length = take_size(&mut rest)?;
        let term = at(rest);
        take_bytes(&mut rest, length)?;
        let term = term..at(rest);
        let (chunks, last) = (take(&mut rest)?, take_size(&mut rest)?);
        let (length, positions) = (take_size(&mut rest)?, take_size(&mut rest)?);
        let entry = at(rest);
        take_bytes(&mut rest, length)?;
        self.entries = at(rest);
        let start = self.positions;
        self.positions = start.checked_add(positions).ok_or_else(unreadable)?;
        Ok(Some(Record {
            term,
            chunks,
            last,
            entry: entry..self.entries,
            positions: start..self.positions,
        }))
    }
}

/// Blocks that are being filled.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    open: Block,
    full: Vec<Block>,
    bytes: usize,
}

impl Blocks {
    /// Adds what there is for a term that comes after the others.
    pub(super) fn push(&mut self, term: &str, posting: &Posting) {
        // A term that many chunks hold has a block to itself, so that others are read without it.
        if self.open.entries.len() + posting.entry.len() > FULL {
            self.close();
        }
        self.open.push(term, posting);
    }

    /// Returns how many bytes the full ones have.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the full ones.
    pub(super) fn take(&mut self) -> Vec<Block> {
        self.bytes = 0;
        std::mem::take(&mut self.full)
    }

    /// Returns the rest.
    pub(super) fn finish(mut self) -> Vec<Block> {
        self.close();
        self.full
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
    use super::*;

    fn posting(size: usize) -> Posting {
        Posting {
            chunks: size as u64,
            last: 3 * size,
            entry: vec![7; size],
            positions: vec![8; 2 * size],
        }
    }

    fn blocks(sizes: &[usize]) -> Vec<Block> {
        let mut blocks = Blocks::default();
        for (at, &size) in sizes.iter().enumerate() {
            blocks.push(&format!("term{at:03}"), &posting(size));
        }
        let mut all = blocks.take();
        all.extend(blocks.finish());
        all
    }

    #[test]
    fn terms_are_found_in_their_blocks() {
        let sizes = [1, 5_000, 2_000, 3_000, 20_000, 1, 1];
        let blocks = blocks(&sizes);
        let last: Vec<_> = blocks.iter().map(|block| &block.last_term[4..]).collect();
        assert_eq!(last, ["002", "003", "004", "006"]);
        for (at, &size) in sizes.iter().enumerate() {
            let term = format!("term{at:03}");
            let block = blocks.iter().find(|block| block.last_term >= term);
            let found = block.unwrap().find(&term).unwrap().unwrap();
            assert_eq!((found.chunks, found.last), (size as u64, 3 * size));
            assert_eq!(found.entry, posting(size).entry);
            assert_eq!(found.positions, posting(size).positions);
        }
        assert!(blocks[0].find("term").unwrap().is_none());
    }

    #[test]
    fn bytes_that_end_early_are_corrupt() {
        let block = blocks(&[10]).remove(0);
        for end in 1..block.entries.len() {
            let mut cut = block.clone();
            cut.entries.truncate(end);
            assert!(cut.find("x").is_err(), "{end}");
        }
    }
}
