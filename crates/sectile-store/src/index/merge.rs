//! Merging segments into one.

use std::collections::HashSet;

use super::block::{Record, Records};
use super::chunks::Chunks;
use super::number::unreadable;
use super::postings::Posting;
use super::write::Pages;
use super::{Block, IndexWriter, StoredChunks};
use crate::Result;

/// How many segments are merged at once: a few rows of each are in memory.
pub(super) const MOST_TOGETHER: usize = 64;

/// How many rows of a segment are read at once.
const ROWS: usize = 16;

/// A segment that is being merged.
struct Source {
    segment: i64,
    ordinals: Ordinals,
    rows: std::vec::IntoIter<Block>,
    block: Block,
    read: Records,
    /// What comes next, if anything does.
    next: Option<Record>,
}

/// The ordinals that the chunks of a segment get.
enum Ordinals {
    /// After so many others.
    After(usize),
    /// Each its own, but those that are dead.
    Each(Vec<Option<usize>>),
}

/// What [`number_again`] returns.
type Numbered = (Chunks, Vec<Source>, Vec<(u64, u64)>);

/// Writes what some segments of a collection have, but for the dead chunks, as one segment, and
/// returns which dead ones they had.
pub(super) async fn merge(
    writer: &mut dyn IndexWriter,
    collection: &str,
    segments: &[i64],
    dead: &[(u64, u64)],
) -> Result<Vec<(u64, u64)>> {
    let mut stored = writer.chunks_of(collection, segments).await?;
    stored.sort_unstable_by_key(|(segment, _)| *segment);
    let (chunks, mut sources, gone) = number_again(&stored, dead)?;
    if chunks.len() == 0 {
        return Ok(gone);
    }
    let mut pages = Pages::begin(writer, collection, &chunks).await?;
    for source in &mut sources {
        source.advance(writer, collection).await?;
    }
    while let Some(term) = first_term(&sources)? {
        let mut merged = Posting::default();
        for source in &mut sources {
            if source.term() == Some(term.as_bytes()) {
                source.append_to(&mut merged)?;
                source.advance(writer, collection).await?;
            }
        }
        if merged.chunks > 0 {
            pages.push(writer, &term, &merged).await?;
        }
    }
    pages.finish(writer).await?;
    Ok(gone)
}

/// Returns the chunks of some segments that are not dead, the segments with the ordinals that their
/// chunks get, and the dead chunks among them.
fn number_again(stored: &[(i64, StoredChunks)], dead: &[(u64, u64)]) -> Result<Numbered> {
    let dead: HashSet<_> = dead.iter().copied().collect();
    let (mut chunks, mut sources, mut gone) = (Chunks::default(), Vec::new(), Vec::new());
    for (segment, stored) in stored {
        let of = Chunks::from_stored(stored)?;
        let ordinals = chunks.append(&of, &dead, &mut gone);
        sources.push(Source::new(*segment, ordinals));
    }
    Ok((chunks, sources, gone))
}

fn first_term(sources: &[Source]) -> Result<Option<String>> {
    let first = sources.iter().filter_map(Source::term).min();
    let text = first.map(|term| std::str::from_utf8(term).map(str::to_owned));
    text.transpose().map_err(|_| unreadable())
}

impl Chunks {
    /// Adds the chunks of a segment that are not dead, and returns their ordinals.
    fn append(
        &mut self,
        of: &Self,
        dead: &HashSet<(u64, u64)>,
        gone: &mut Vec<(u64, u64)>,
    ) -> Ordinals {
        let (before, gone_before) = (self.len(), gone.len());
        let mut ordinals = Vec::new();
        for (number, &length) in of.numbers().zip(of.lengths()) {
            let is_dead = !dead.is_empty() && dead.contains(&number);
            if is_dead {
                gone.push(number);
            }
            if !dead.is_empty() {
                ordinals.push((!is_dead).then_some(self.len()));
            }
            if !is_dead {
                self.push(number, length);
            }
        }
        if gone.len() == gone_before {
            return Ordinals::After(before);
        }
        Ordinals::Each(ordinals)
    }
}

impl Source {
    fn new(segment: i64, ordinals: Ordinals) -> Self {
        Self {
            segment,
            ordinals,
            rows: Vec::new().into_iter(),
            block: Block::default(),
            read: Records::default(),
            next: None,
        }
    }

    fn term(&self) -> Option<&[u8]> {
        self.next.as_ref().map(|record| self.block.term(record))
    }

    async fn advance(&mut self, writer: &mut dyn IndexWriter, collection: &str) -> Result<()> {
        self.next = self.read.next(&self.block)?;
        if self.next.is_some() {
            return Ok(());
        }
        if self.rows.as_slice().is_empty() {
            let last = &self.block.last_term;
            let rows = writer.blocks_after(collection, self.segment, last, ROWS);
            self.rows = rows.await?.into_iter();
        }
        self.read = Records::default();
        self.next = match self.rows.next() {
            Some(block) => {
                self.block = block;
                self.read.next(&self.block)?
            }
            None => None,
        };
        Ok(())
    }

    fn append_to(&self, merged: &mut Posting) -> Result<()> {
        let Some(record) = &self.next else {
            return Ok(());
        };
        let posting = self.block.posting(record);
        match &self.ordinals {
            Ordinals::After(before) => merged.append(posting, *before),
            Ordinals::Each(ordinals) => merged.append_some(posting, ordinals),
        }
    }
}
