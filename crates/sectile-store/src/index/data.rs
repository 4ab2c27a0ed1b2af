//! What a search has read of the segments: pages of chunks, and parts of long lists.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cache::{Cached, IndexCache, Key};
use super::chunks::{Chunks, PAGE};
use super::list::List;
use super::number::unreadable;
use super::postings::Decoded;
use super::reader::IndexReader;
use crate::Result;

/// How many rows are read at once.
const TOGETHER: usize = 4_096;

/// The place of a segment among those that are searched, and the number of a row of it.
type At = (usize, u64);

/// What has to be read.
#[derive(Debug, Default)]
pub(super) struct Needs {
    pages: BTreeSet<At>,
    entries: BTreeSet<At>,
    positions: BTreeSet<At>,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Data {
    /// The collections and numbers of the segments.
    segments: Vec<(String, i64)>,
    pages: FxHashMap<At, Arc<Chunks>>,
    entries: FxHashMap<At, Arc<Vec<u8>>>,
    positions: FxHashMap<At, Arc<Vec<u8>>>,
}

impl Needs {
    /// Adds the page of a chunk.
    pub(super) fn page_of(&mut self, segment: usize, ordinal: u32) {
        self.pages.insert((segment, page_of(ordinal)));
    }

    /// Adds all pages of a segment with this number of chunks.
    pub(super) fn pages(&mut self, segment: usize, chunks: u64) {
        let pages = 0..chunks.div_ceil(PAGE as u64);
        self.pages.extend(pages.map(|page| (segment, page)));
    }

    /// Adds a block of a list.
    pub(super) fn block(&mut self, segment: usize, list: &List, block: usize) {
        if let Some(part) = list.part(block) {
            self.entries.insert((segment, part));
        }
    }

    /// Adds the positions of a block.
    pub(super) fn positions(&mut self, segment: usize, list: &List, block: usize) {
        if let Some(part) = list.part(block) {
            self.positions.insert((segment, part));
        }
    }
}

/// Checks that as many rows came as were asked for.
fn all_there(rows: usize, asked: &[At]) -> Result<()> {
    (rows == asked.len()).then_some(()).ok_or_else(unreadable)
}

fn page_of(ordinal: u32) -> u64 {
    u64::from(ordinal) / PAGE as u64
}

impl Data {
    pub(super) fn new(segments: Vec<(String, i64)>) -> Self {
        Self {
            segments,
            ..Self::default()
        }
    }

    pub(super) fn segments(&self) -> &[(String, i64)] {
        &self.segments
    }

    /// Reads what is needed and not yet there, from memory or else from the database.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) where something is missing, and those of the reader.
    pub(super) async fn fetch(
        &mut self,
        reader: &mut dyn IndexReader,
        mut needs: Needs,
    ) -> Result<()> {
        self.recall(reader.cache(), &mut needs);
        let cache = reader.cache().clone();
        let pages: Vec<At> = needs.pages.into_iter().collect();
        for pages in pages.chunks(TOGETHER) {
            let rows = reader.pages(&self.asked(pages)).await?;
            all_there(rows.len(), pages)?;
            for (asked, page) in rows {
                let &(segment, number) = pages.get(asked).ok_or_else(unreadable)?;
                let page = Arc::new(Chunks::from_stored(&page)?);
                let key = Key::Page(self.segments[segment].1, number);
                cache.insert(key, Cached::Page(Arc::clone(&page)));
                self.pages.insert((segment, number), page);
            }
        }
        let with_positions = !needs.positions.is_empty();
        let parts: Vec<At> = needs.entries.union(&needs.positions).copied().collect();
        for parts in parts.chunks(TOGETHER) {
            let rows = reader.parts(&self.asked(parts), with_positions).await?;
            all_there(rows.len(), parts)?;
            for (asked, part) in rows {
                let &(segment, number) = parts.get(asked).ok_or_else(unreadable)?;
                let name = self.segments[segment].1;
                let entries = Arc::new(part.entries);
                cache.insert(
                    Key::Entries(name, number),
                    Cached::Bytes(Arc::clone(&entries)),
                );
                self.entries.insert((segment, number), entries);
                if with_positions {
                    let positions = Arc::new(part.positions);
                    let cached = Cached::Bytes(Arc::clone(&positions));
                    cache.insert(Key::Positions(name, number), cached);
                    self.positions.insert((segment, number), positions);
                }
            }
        }
        Ok(())
    }

    /// Takes what is in memory.
    fn recall(&mut self, cache: &IndexCache, needs: &mut Needs) {
        let segments = &self.segments;
        needs.pages.retain(|at| {
            let key = Key::Page(segments[at.0].1, at.1);
            !self.pages.contains_key(at)
                && match cache.get(&key) {
                    Some(Cached::Page(page)) => self.pages.insert(*at, page).is_some(),
                    _ => true,
                }
        });
        let bytes = |at: &At, key, to: &mut FxHashMap<At, Arc<Vec<u8>>>| {
            !to.contains_key(at)
                && match cache.get(&key) {
                    Some(Cached::Bytes(bytes)) => to.insert(*at, bytes).is_some(),
                    _ => true,
                }
        };
        needs.entries.retain(|at| {
            let key = Key::Entries(segments[at.0].1, at.1);
            bytes(at, key, &mut self.entries)
        });
        needs.positions.retain(|at| {
            let key = Key::Positions(segments[at.0].1, at.1);
            bytes(at, key, &mut self.positions)
        });
    }

    fn asked(&self, rows: &[At]) -> Vec<(&str, i64, u64)> {
        let row = |&(segment, number): &At| {
            let (collection, segment) = &self.segments[segment];
            (collection.as_str(), *segment, number)
        };
        rows.iter().map(row).collect()
    }

    /// Returns the page of a chunk.
    pub(super) fn page(&self, segment: usize, ordinal: u32) -> Result<&Chunks> {
        let page = self.pages.get(&(segment, page_of(ordinal)));
        page.map(|page| &**page).ok_or_else(unreadable)
    }

    /// Returns all pages of a segment with this number of chunks.
    pub(super) fn pages(
        &self,
        segment: usize,
        chunks: u64,
    ) -> impl Iterator<Item = Result<&Chunks>> {
        let firsts = (0..chunks).step_by(PAGE);
        firsts.map(move |first| self.page(segment, first as u32))
    }

    /// Returns whether a block can be read.
    pub(super) fn has(&self, segment: usize, list: &List, block: usize) -> bool {
        let part = list.part(block);
        part.is_none_or(|part| self.entries.contains_key(&(segment, part)))
    }

    /// Reads a block of a list.
    pub(super) fn read(
        &self,
        segment: usize,
        list: &List,
        block: usize,
        to: &mut Decoded,
    ) -> Result<()> {
        let entries = match list.part(block) {
            Some(part) => {
                let part = self.entries.get(&(segment, part));
                part.ok_or_else(unreadable)?.as_slice()
            }
            None => &list.entries,
        };
        let head = &list.heads[block];
        to.read(head, head.entries(entries)?)
    }

    /// Returns the positions of the chunks of a block.
    pub(super) fn positions<'d>(
        &'d self,
        segment: usize,
        list: &'d List,
        block: usize,
    ) -> Result<&'d [u8]> {
        let positions = match list.part(block) {
            Some(part) => {
                let part = self.positions.get(&(segment, part));
                part.ok_or_else(unreadable)?.as_slice()
            }
            None => &list.positions,
        };
        list.heads[block].positions(positions)
    }
}
