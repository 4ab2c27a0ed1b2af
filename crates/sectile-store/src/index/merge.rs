//! Merging segments into one.

use std::collections::HashSet;

use super::Block;
use super::block::Records;
use super::chunks::Chunks;
use super::list::{List, ListBuilder, PART, Part};
use super::number::unreadable;
use super::rows::Rows;
use super::segment::Described;
use super::words::{Words, languages};
use super::writer::IndexWriter;
use crate::Result;

/// How many segments are merged at once: a few rows of each are in memory.
pub(super) const MOST_TOGETHER: usize = 64;

/// How many rows of a segment are read at once.
const ROWS: usize = 32;

/// A segment that is being merged.
struct Source {
    segment: i64,
    ordinals: Ordinals,
    rows: std::vec::IntoIter<Block>,
    block: Block,
    records: Records,
    is_at_end: bool,
}

/// The ordinals that the chunks of a segment get.
enum Ordinals {
    /// After so many others.
    After(u32),
    /// Each its own, but those that are dead.
    Each(Vec<Option<u32>>),
}

/// Writes what some segments of a collection have, but for the dead chunks, as one segment, and
/// returns which dead ones they had.
pub(super) async fn merge(
    writer: &mut dyn IndexWriter,
    collection: &str,
    segments: &[i64],
    dead: &[(u64, u64)],
) -> Result<Vec<(u64, u64)>> {
    let dead: HashSet<_> = dead.iter().copied().collect();
    let (mut all, mut sources, mut gone) = (Described::default(), Vec::new(), Vec::new());
    let mut merged = writer.segments_of(collection).await?;
    merged.retain(|of| segments.contains(&of.segment));
    merged.sort_unstable_by_key(|of| of.segment);
    for stored in merged {
        let mut ordinals = Vec::new();
        let (before, gone_before) = (all.chunks.end(), gone.len());
        for page in writer.pages_of(collection, stored.segment).await? {
            let page = Chunks::from_stored(&page)?;
            all.chunks.append(&page, &dead, &mut ordinals, &mut gone);
        }
        let ordinals = if gone.len() == gone_before {
            Ordinals::After(before)
        } else {
            Ordinals::Each(ordinals)
        };
        sources.push(Source::new(stored.segment, ordinals));
        all.languages.extend(languages(&stored.languages));
        let words = writer.words_of(collection, stored.segment).await?;
        Words::read(words)?.add_to(&mut all.words)?;
    }
    if all.chunks.len() > 0 {
        write(writer, collection, &all, sources).await?;
    }
    Ok(gone)
}

async fn write(
    writer: &mut dyn IndexWriter,
    collection: &str,
    all: &Described,
    mut sources: Vec<Source>,
) -> Result<()> {
    let lengths = all.chunks.lengths();
    let mut rows = Rows::begin(writer, collection, all).await?;
    for source in &mut sources {
        source.advance(writer, collection).await?;
    }
    let mut merged = ListBuilder::default();
    while let Some(term) = first_term(&sources)? {
        for source in &mut sources {
            if source.term() == Some(term.as_bytes()) {
                source
                    .append_to(&mut merged, lengths, writer, collection)
                    .await?;
                source.advance(writer, collection).await?;
            }
        }
        let list = merged.finish();
        if list.chunks > 0 {
            rows.push(writer, &term, list).await?;
        }
    }
    rows.finish(writer).await
}

fn first_term(sources: &[Source]) -> Result<Option<String>> {
    let first = sources.iter().filter_map(Source::term).min();
    let text = first.map(|term| std::str::from_utf8(term).map(str::to_owned));
    text.transpose().map_err(|_| unreadable())
}

impl Chunks {
    /// Adds the chunks of a page that are not dead, and notes the ordinal that each gets.
    fn append(
        &mut self,
        page: &Self,
        dead: &HashSet<(u64, u64)>,
        ordinals: &mut Vec<Option<u32>>,
        gone: &mut Vec<(u64, u64)>,
    ) {
        for (number, &length) in page.numbers().zip(page.lengths()) {
            let is_dead = !dead.is_empty() && dead.contains(&number);
            ordinals.push((!is_dead).then_some(self.end()));
            if is_dead {
                gone.push(number);
            } else {
                self.push(number, length);
            }
        }
    }
}

impl Source {
    fn new(segment: i64, ordinals: Ordinals) -> Self {
        Self {
            segment,
            ordinals,
            rows: Vec::new().into_iter(),
            block: Block::default(),
            records: Records::default(),
            is_at_end: false,
        }
    }

    fn term(&self) -> Option<&[u8]> {
        (!self.is_at_end).then(|| self.records.term())
    }

    async fn advance(&mut self, writer: &mut dyn IndexWriter, collection: &str) -> Result<()> {
        while !self.records.advance(&self.block)? {
            if self.rows.as_slice().is_empty() {
                let last = &self.block.last_term;
                let rows = writer.blocks_after(collection, self.segment, last, ROWS);
                self.rows = rows.await?.into_iter();
            }
            let Some(block) = self.rows.next() else {
                self.is_at_end = true;
                return Ok(());
            };
            self.block = block;
            self.records = Records::default();
        }
        Ok(())
    }

    async fn append_to(
        &self,
        merged: &mut ListBuilder,
        lengths: &[u32],
        writer: &mut dyn IndexWriter,
        collection: &str,
    ) -> Result<()> {
        let list = self.records.list(&self.block)?;
        let Some(first) = list.first_part else {
            let bytes = (&*list.entries, &*list.positions);
            let heads = 0..list.heads.len();
            return self.append(&list, heads, bytes, merged, lengths);
        };
        let parts = writer.parts_from(collection, self.segment, first, list.parts());
        let parts = parts.await?;
        if parts.len() as u64 != list.parts() {
            return Err(unreadable());
        }
        for (at, part) in parts.into_iter().enumerate() {
            let Part {
                entries, positions, ..
            } = part;
            let heads = at * PART..list.heads.len().min((at + 1) * PART);
            self.append(&list, heads, (&entries, &positions), merged, lengths)?;
        }
        Ok(())
    }

    fn append(
        &self,
        list: &List,
        heads: std::ops::Range<usize>,
        bytes: (&[u8], &[u8]),
        merged: &mut ListBuilder,
        lengths: &[u32],
    ) -> Result<()> {
        for head in list.heads.get(heads).ok_or_else(unreadable)? {
            match &self.ordinals {
                Ordinals::After(before) => merged.append(list, head, bytes, (*before, lengths))?,
                Ordinals::Each(ordinals) => {
                    let bytes = (head.entries(bytes.0)?, head.positions(bytes.1)?);
                    merged.append_some(head, bytes, |ordinal| {
                        let ordinal = (*ordinals.get(ordinal as usize)?)?;
                        Some((ordinal, *lengths.get(ordinal as usize)?))
                    })?;
                }
            }
        }
        Ok(())
    }
}
