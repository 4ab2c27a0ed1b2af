//! Reading the whole index of a collection, to compare it with the texts that it was made of.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use rustc_hash::FxHashSet;
use sectile_core::DocumentId;

use super::Block;
use super::block::Records;
use super::chunks::Chunks;
use super::head::{FEW, Head, Impact};
use super::list::{List, PART};
use super::number::unreadable;
use super::postings::{Decoded, Occurrence, read_positions, take_positions};
use super::segment::{is_language_term, language_term, placed};
use super::words::Words;
use super::writer::{IndexWriter, StoredSegment};
use crate::{Error, Result};

/// How many rows of a segment are read at once.
const ROWS: usize = 32;

/// What the index has for the chunks of each document, in the order of the text: a [`checksum`], or nothing where it does
/// not have the chunk.
pub type Checksums = HashMap<DocumentId, Vec<Option<u64>>>;

/// Returns a checksum of what the index has for a chunk of a document in a language: of each term and where it stands, in
/// no order. Checksums of different processes cannot be compared.
pub fn checksum(language: &str, path_terms: &str, terms: &str) -> u64 {
    let term = language.parse().ok().and_then(language_term);
    let mut sum = term.map_or(0, |term| hash(term.as_bytes(), false, 0));
    for (terms, is_in_path) in [(path_terms, true), (terms, false)] {
        for (term, position) in placed(terms) {
            sum = sum.wrapping_add(hash(term.as_bytes(), is_in_path, position));
        }
    }
    sum
}

fn hash(term: &[u8], is_in_path: bool, position: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (term, is_in_path, position).hash(&mut hasher);
    hasher.finish()
}

/// Reads all that the index has for a collection, and compares its parts with each other. `chunks` are those that the store
/// has, in the order of the text, by the numbers of document and chunk; a document whose id cannot be read has none.
///
/// # Errors
///
/// [`Error::Corrupt`] for an index that cannot be read or has other chunks, and those of the writer.
pub async fn checksums(
    writer: &mut dyn IndexWriter,
    collection: &str,
    chunks: Vec<(Option<DocumentId>, (u64, u64))>,
) -> Result<Checksums> {
    let mut sums = HashMap::new();
    let dead: FxHashSet<_> = writer.dead_in(collection).await?.into_iter().collect();
    for segment in writer.segments_of(collection).await? {
        let mut read = Read::chunks_of(writer, &segment).await?;
        read.lists_of(writer, &segment).await?;
        read.add_to(&dead, &mut sums)?;
    }
    let mut checksums = Checksums::new();
    for (document, numbers) in chunks {
        let sum = sums.remove(&numbers);
        if let Some(document) = document {
            checksums.entry(document).or_default().push(sum);
        }
    }
    if sums.is_empty() {
        Ok(checksums)
    } else {
        Err(Error::corrupt("a chunk in the index that no document has"))
    }
}

/// Removes the index of a collection.
///
/// # Errors
///
/// [`Error::Unavailable`] while another connection merges segments, and those of the writer.
pub async fn clear(writer: &mut dyn IndexWriter, collection: &str) -> Result<()> {
    if !writer.may_merge(collection).await? {
        return Err(Error::Unavailable {
            source: "another process merges the index".into(),
        });
    }
    let dead = writer.dead_in(collection).await?;
    let segments = writer.segments_of(collection).await?;
    let segments: Vec<i64> = segments.iter().map(|of| of.segment).collect();
    writer.remove(collection, &segments, &dead).await
}

/// What was read of a segment, by the ordinals of its chunks.
#[derive(Default)]
struct Read {
    numbers: Vec<(u64, u64)>,
    lengths: Vec<u32>,
    /// How many terms the lists have for each.
    counts: Vec<u64>,
    sums: Vec<u64>,
}

impl Read {
    async fn chunks_of(writer: &mut dyn IndexWriter, segment: &StoredSegment) -> Result<Self> {
        let collection = &segment.collection;
        Words::read(writer.words_of(collection, segment.segment).await?)?;
        let mut read = Self::default();
        let pages = writer.pages_of(collection, segment.segment).await?;
        for (place, page) in (0..).zip(pages) {
            if page.page != place {
                return Err(unreadable());
            }
            let page = Chunks::from_stored(&page)?;
            read.numbers.extend(page.numbers());
            read.lengths.extend(page.lengths());
        }
        let count = read.lengths.len();
        let terms: u64 = read.lengths.iter().map(|&length| u64::from(length)).sum();
        if (count as u64, terms) != (segment.chunks, segment.terms) {
            return Err(unreadable());
        }
        read.counts.resize(count, 0);
        read.sums.resize(count, 0);
        Ok(read)
    }

    async fn lists_of(
        &mut self,
        writer: &mut dyn IndexWriter,
        segment: &StoredSegment,
    ) -> Result<()> {
        let mut last = String::new();
        loop {
            let (collection, number) = (&segment.collection, segment.segment);
            let rows = writer.blocks_after(collection, number, &last, ROWS).await?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in &rows {
                self.row(writer, segment, row, &last).await?;
                row.last_term.clone_into(&mut last);
            }
        }
    }

    /// Reads a row, whose terms come after one.
    async fn row(
        &mut self,
        writer: &mut dyn IndexWriter,
        segment: &StoredSegment,
        row: &Block,
        after: &str,
    ) -> Result<()> {
        let mut records = Records::default();
        let mut before = after.as_bytes().to_vec();
        while records.advance(row)? {
            let term = records.term();
            if term <= &*before {
                return Err(unreadable());
            }
            before = term.to_vec();
            let list = records.list(row)?;
            self.list(writer, segment, &before, &list).await?;
        }
        if before == row.last_term.as_bytes() {
            Ok(())
        } else {
            Err(unreadable())
        }
    }

    async fn list(
        &mut self,
        writer: &mut dyn IndexWriter,
        segment: &StoredSegment,
        term: &[u8],
        list: &List,
    ) -> Result<()> {
        let Some(first) = list.first_part else {
            let heads = 0..list.heads.len();
            return self.blocks(term, list, heads, (&list.entries, &list.positions));
        };
        let (collection, number) = (&segment.collection, segment.segment);
        let parts = writer.parts_from(collection, number, first, list.parts());
        let parts = parts.await?;
        if parts.len() as u64 != list.parts() {
            return Err(unreadable());
        }
        for (at, part) in parts.iter().enumerate() {
            let heads = at * PART..list.heads.len().min((at + 1) * PART);
            self.blocks(term, list, heads, (&part.entries, &part.positions))?;
        }
        Ok(())
    }

    fn blocks(
        &mut self,
        term: &[u8],
        list: &List,
        heads: Range<usize>,
        (entries, positions): (&[u8], &[u8]),
    ) -> Result<()> {
        let mut decoded = Decoded::default();
        let (mut path, mut text) = (Vec::new(), Vec::new());
        for head in list.heads.get(heads).ok_or_else(unreadable)? {
            decoded.read(head, head.entries(entries)?)?;
            let mut positions = head.positions(positions)?;
            for found in decoded.iter() {
                let of_chunk = take_positions(&mut positions, found)?;
                read_positions(of_chunk, found, &mut path, &mut text)?;
                self.add(term, found, (&path, &text))?;
                self.check_impacts(list, head, found)?;
            }
            if !positions.is_empty() {
                return Err(unreadable());
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        term: &[u8],
        found: Occurrence,
        (path, text): (&[u64], &[u64]),
    ) -> Result<()> {
        let at = found.ordinal as usize;
        let sum = self.sums.get_mut(at).ok_or_else(unreadable)?;
        for (positions, is_in_path) in [(path, true), (text, false)] {
            for &position in positions {
                *sum = sum.wrapping_add(hash(term, is_in_path, position));
            }
        }
        if !is_language_term(term) {
            self.counts[at] += (path.len() + text.len()) as u64;
        }
        Ok(())
    }

    /// Checks that a chunk scores no more than the head of its block says.
    fn check_impacts(&self, list: &List, head: &Head, found: Occurrence) -> Result<()> {
        let impact = Impact {
            in_path: found.in_path,
            in_text: found.in_text,
            length: self.lengths[found.ordinal as usize],
        };
        let mut known = list.impacts(head).iter();
        if head.count <= FEW || known.any(|known| known.is_at_least(&impact)) {
            Ok(())
        } else {
            Err(unreadable())
        }
    }

    /// Adds the sums of the chunks that are not dead.
    fn add_to(
        self,
        dead: &FxHashSet<(u64, u64)>,
        sums: &mut HashMap<(u64, u64), u64>,
    ) -> Result<()> {
        let lengths = self.lengths.iter().map(|&length| u64::from(length));
        if !lengths.eq(self.counts) {
            return Err(unreadable());
        }
        for (numbers, sum) in self.numbers.into_iter().zip(self.sums) {
            if !dead.contains(&numbers) && sums.insert(numbers, sum).is_some() {
                return Err(Error::corrupt("a chunk that is in the index twice"));
            }
        }
        Ok(())
    }
}
