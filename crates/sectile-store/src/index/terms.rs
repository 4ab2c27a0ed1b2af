//! What the index has for the terms of a question.

use std::collections::HashMap;

use rustc_hash::FxHashSet;

use super::chunks::Chunks;
use super::postings::{Cursor, Occurrence, Posting, read_entry, read_positions};
use super::score::{Key, Parts, Scores, Size, rank};
use super::search::IndexReader;
use super::{StoredBlock, StoredSegment};
use crate::{Clauses, Error, Result, Variant};

/// How many terms are read at once: the row of each has others, too.
const TOGETHER: usize = 32;

/// A segment, as far as each search needs it.
#[derive(Debug)]
pub(super) struct IndexedSegment {
    /// The place of its collection in the list of them.
    collection: u32,
    pub(super) chunks: Chunks,
    /// Whether each of its chunks is dead; nothing if none is.
    dead: Vec<bool>,
}

/// All segments of the collections in scope.
#[derive(Debug, Default)]
pub(super) struct Segments {
    /// Their collections and numbers, by which they are read.
    names: Vec<(String, i64)>,
    list: Vec<IndexedSegment>,
    size: Size,
}

/// What is known of a sequence of terms.
#[derive(Debug, Default)]
pub(super) struct Matches {
    /// How many chunks of the collections in scope hold it.
    pub(super) chunks: u64,
    /// For each segment the entry of those that do.
    pub(super) entries: Vec<Vec<u8>>,
}

/// What is known of each sequence of terms of a question.
#[derive(Debug, Default)]
pub(super) struct Known(HashMap<Vec<String>, Matches>);

impl IndexedSegment {
    /// Returns a function that names the chunk of an ordinal, of which none is less than the one
    /// before.
    pub(super) fn keys(&self) -> impl FnMut(usize) -> Key {
        let mut numbers = self.chunks.look_up();
        move |ordinal| {
            let (document, chunk) = numbers.number(ordinal);
            (self.collection, document, chunk)
        }
    }

    pub(super) fn is_dead(&self, ordinal: usize) -> bool {
        self.dead.get(ordinal).copied().unwrap_or_default()
    }

    /// Notes which of its chunks are dead, and takes them off the size.
    fn bury(&mut self, dead: &FxHashSet<Key>, documents: &FxHashSet<(u32, u64)>, size: &mut Size) {
        let collection = self.collection;
        let chunks = self
            .chunks
            .of_documents(|document| documents.contains(&(collection, document)));
        for (ordinal, (document, chunk)) in chunks {
            if dead.contains(&(collection, document, chunk)) {
                self.dead.resize(self.chunks.len(), false);
                self.dead[ordinal] = true;
                size.chunks -= 1;
                size.terms -= u64::from(self.chunks.lengths()[ordinal]);
            }
        }
    }

    /// Counts the chunks of an entry that are not dead.
    fn living(&self, chunks: u64, entry: &[u8]) -> Result<u64> {
        let mut gone = 0;
        if !self.dead.is_empty() {
            read_entry(entry, |found| {
                gone += u64::from(self.is_dead(found.ordinal));
            })?;
        }
        Ok(chunks.saturating_sub(gone))
    }
}

impl Segments {
    /// Reads which segments there are; `place` gives the place of a collection.
    pub(super) fn new(
        stored: Vec<StoredSegment>,
        dead: &FxHashSet<Key>,
        place: impl Fn(&str) -> Result<u32>,
    ) -> Result<Self> {
        let documents: FxHashSet<_> = dead.iter().map(|key| (key.0, key.1)).collect();
        let mut all = Self::default();
        for stored in stored {
            let chunks = Chunks::from_stored(&stored.chunks)?;
            all.size.chunks += chunks.len() as u64;
            all.size.terms += chunks
                .lengths()
                .iter()
                .map(|&of| u64::from(of))
                .sum::<u64>();
            let mut segment = IndexedSegment {
                collection: place(&stored.collection)?,
                chunks,
                dead: Vec::new(),
            };
            if !dead.is_empty() {
                segment.bury(dead, &documents, &mut all.size);
            }
            all.list.push(segment);
            all.names.push((stored.collection, stored.segment));
        }
        Ok(all)
    }

    /// Scores all chunks that answer a question.
    pub(super) fn rank(&self, question: &Clauses, known: &Known) -> Result<Scores<'_>> {
        let weighed = |variant: &Variant| (variant.weight, known.of(&variant.terms));
        let all = |variants: &Vec<Variant>| -> Vec<_> {
            variants.iter().map(|of| known.of(&of.terms)).collect()
        };
        let scored = question.scored.iter().map(|clause| {
            let variants = clause.variants.iter().map(weighed).collect();
            (clause.weight, variants)
        });
        let parts = Parts {
            scored: scored.collect(),
            required: question.required.iter().map(all).collect(),
            excluded: question.excluded.iter().flat_map(all).collect(),
        };
        rank(&parts, &self.list, self.size)
    }

    /// Reads which chunks hold each variant of a question.
    pub(super) async fn known(
        &self,
        reader: &mut dyn IndexReader,
        question: &Clauses,
    ) -> Result<Known> {
        let alone = question.variants().filter(|of| of.terms.len() == 1);
        let single = distinct(alone.flat_map(|of| &of.terms));
        let mut known = self.single(reader, &single).await?;
        for Variant { terms, .. } in question.variants() {
            if !known.0.contains_key(terms) {
                let matches = self.phrase(reader, terms).await?;
                known.0.insert(terms.clone(), matches);
            }
        }
        Ok(known)
    }

    /// Reads which chunks hold each of some terms.
    async fn single(&self, reader: &mut dyn IndexReader, terms: &[&str]) -> Result<Known> {
        let mut known: Vec<Matches> = terms.iter().map(|_| self.nothing()).collect();
        for (known, terms) in known.chunks_mut(TOGETHER).zip(terms.chunks(TOGETHER)) {
            for row in reader.blocks(&self.names, terms, false).await? {
                let (segment, term) = self.asked(&row, terms)?;
                if let Some(found) = row.block.find(term)? {
                    let matches = &mut known[row.term];
                    matches.chunks += segment.living(found.chunks, found.entry)?;
                    matches.entries[row.segment] = found.entry.to_vec();
                }
            }
        }
        let keys = terms.iter().map(|term| vec![(*term).to_owned()]);
        Ok(Known(keys.zip(known).collect()))
    }

    /// Finds the chunks that hold terms one after the other.
    async fn phrase(&self, reader: &mut dyn IndexReader, terms: &[String]) -> Result<Matches> {
        let asked = distinct(terms);
        let mut rows: Vec<Vec<StoredBlock>> = self.names.iter().map(|_| Vec::new()).collect();
        for row in reader.blocks(&self.names, &asked, true).await? {
            self.asked(&row, &asked)?;
            rows[row.segment].push(row);
        }
        let place = |term: &String| asked.iter().position(|asked| asked == term);
        let order: Vec<usize> = terms.iter().filter_map(place).collect();
        let mut matches = self.nothing();
        for (at, segment) in self.list.iter().enumerate() {
            rows[at].sort_unstable_by_key(|row| row.term);
            let found = rows[at].iter().map(|row| row.block.find(asked[row.term]));
            let found = found
                .collect::<Result<Option<Vec<_>>>>()?
                .unwrap_or_default();
            if found.len() < asked.len() {
                continue;
            }
            let cursors = found
                .iter()
                .map(|found| Cursor::new(found.entry, found.positions));
            let found = Phrase::new(&order, cursors.collect()).find(segment)?;
            matches.chunks += found.chunks;
            matches.entries[at] = found.entry;
        }
        Ok(matches)
    }

    fn nothing(&self) -> Matches {
        Matches {
            chunks: 0,
            entries: vec![Vec::new(); self.names.len()],
        }
    }

    /// Returns the segment and the term of a row.
    fn asked<'t>(
        &self,
        row: &StoredBlock,
        terms: &[&'t str],
    ) -> Result<(&IndexedSegment, &'t str)> {
        let asked = self.list.get(row.segment).zip(terms.get(row.term).copied());
        asked.ok_or_else(|| Error::corrupt("a row of the index that was not asked for"))
    }
}

impl Known {
    fn of(&self, terms: &[String]) -> &Matches {
        &self.0[terms]
    }
}

/// Returns each term once.
fn distinct<'t>(terms: impl IntoIterator<Item = &'t String>) -> Vec<&'t str> {
    let mut seen = FxHashSet::default();
    let terms = terms.into_iter().map(String::as_str);
    terms.filter(|term| seen.insert(*term)).collect()
}

/// A sequence of terms that is looked for in a segment.
struct Phrase<'p> {
    /// Which of the distinct terms each of the sequence is.
    order: &'p [usize],
    terms: Vec<Place<'p>>,
}

/// Where a term is, while chunks are gone through that hold it.
struct Place<'p> {
    cursor: Cursor<'p>,
    found: Option<(Occurrence, &'p [u8])>,
    path: Vec<u64>,
    text: Vec<u64>,
}

impl<'p> Phrase<'p> {
    fn new(order: &'p [usize], cursors: Vec<Cursor<'p>>) -> Self {
        let place = |cursor| Place {
            cursor,
            found: None,
            path: Vec::new(),
            text: Vec::new(),
        };
        let terms = cursors.into_iter().map(place).collect();
        Self { order, terms }
    }

    /// Returns the chunks that are not dead and hold it, with how often.
    fn find(mut self, segment: &IndexedSegment) -> Result<Posting> {
        let mut all = Posting::default();
        let mut from = 0;
        while let Some(ordinal) = self.next(from)? {
            from = ordinal.wrapping_add(1);
            if segment.is_dead(ordinal) {
                continue;
            }
            for place in &mut self.terms {
                place.read()?;
            }
            let found = Occurrence {
                ordinal,
                in_path: self.count(|place| &place.path),
                in_text: self.count(|place| &place.text),
            };
            if found.in_path + found.in_text > 0 {
                all.push(found);
            }
        }
        Ok(all)
    }

    /// Returns the first chunk from an ordinal on that holds all terms.
    fn next(&mut self, mut from: usize) -> Result<Option<usize>> {
        if self.terms.is_empty() {
            return Ok(None);
        }
        loop {
            let start = from;
            for place in &mut self.terms {
                let Some(ordinal) = place.go_to(from)? else {
                    return Ok(None);
                };
                from = ordinal;
            }
            if from == start {
                return Ok(Some(from));
            }
        }
    }

    /// Counts the places where the terms stand one after the other.
    fn count(&self, of: impl for<'a> Fn(&'a Place<'p>) -> &'a Vec<u64>) -> u64 {
        let Some((&first, others)) = self.order.split_first() else {
            return 0;
        };
        let follow = |start: u64| {
            let mut places = (start + 1..).zip(others);
            places.all(|(position, &term)| of(&self.terms[term]).binary_search(&position).is_ok())
        };
        let starts = of(&self.terms[first]).iter();
        starts.filter(|&&start| follow(start)).count() as u64
    }
}

impl Place<'_> {
    fn ordinal(&self) -> Option<usize> {
        self.found.map(|(found, _)| found.ordinal)
    }

    /// Goes on to the first chunk from an ordinal on.
    fn go_to(&mut self, from: usize) -> Result<Option<usize>> {
        while self.ordinal().is_none_or(|ordinal| ordinal < from) {
            self.found = self.cursor.next()?;
            if self.found.is_none() {
                return Ok(None);
            }
        }
        Ok(self.ordinal())
    }

    /// Reads the positions in the chunk.
    fn read(&mut self) -> Result<()> {
        let Some((found, positions)) = self.found else {
            return Ok(());
        };
        read_positions(positions, found, &mut self.path, &mut self.text)
    }
}
