//! Which chunks hold a term, how often and where.
//!
//! An entry has, for each document, its number, how many chunks follow, and for each of these the
//! distance of its number to the one before, how often its path and its text hold the term, and how
//! many terms it has. Positions are, for each chunk of the entry, those in the path and those in the
//! text, each as the distance to the one before. All are LEB128 numbers. So entries of several
//! segments, one after the other, are one entry.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::{Error, Result};

/// Returns how many terms a chunk has, those of its path included.
pub fn length(path_terms: &str, terms: &str) -> u64 {
    let count = |terms: &str| terms.split_ascii_whitespace().count() as u64;
    count(path_terms) + count(terms)
}

/// What the index has for a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Posting {
    /// How many chunks the entry is about.
    pub chunks: u64,
    /// The chunks, with how often they hold the term.
    pub entry: Vec<u8>,
    /// In the same order, where.
    pub positions: Vec<u8>,
}

/// What a change adds to the index of a collection.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    chunks: u64,
    document: u64,
    /// The terms of the document that is being added.
    open: FxHashMap<String, Open>,
    postings: BTreeMap<String, Posting>,
}

impl Segment {
    /// Adds a chunk, by the numbers of its document and its own. The chunks of a document come one
    /// after the other, in the order of their numbers.
    pub fn add(&mut self, document: u64, chunk: u64, path_terms: &str, terms: &str) {
        if document != self.document {
            self.close();
            self.document = document;
        }
        self.chunks += 1;
        let length = length(path_terms, terms);
        for (term, places) in places(path_terms, terms) {
            if let Some(open) = self.open.get_mut(term) {
                open.push(chunk, length, &places);
            } else {
                let mut open = Open::default();
                open.push(chunk, length, &places);
                self.open.insert(term.to_owned(), open);
            }
        }
    }

    /// Returns how many chunks it has, and what the index has for each of their terms, in order.
    pub fn into_postings(mut self) -> (u64, impl Iterator<Item = (String, Posting)>) {
        self.close();
        (self.chunks, self.postings.into_iter())
    }

    fn close(&mut self) {
        for (term, open) in self.open.drain() {
            let posting = self.postings.entry(term).or_default();
            posting.push((self.document, open));
        }
    }
}

/// Puts what several segments have for a term together.
pub(super) fn join<'p>(postings: impl IntoIterator<Item = &'p Posting>) -> Posting {
    let mut joined = Posting::default();
    for posting in postings {
        joined.chunks += posting.chunks;
        joined.entry.extend_from_slice(&posting.entry);
        joined.positions.extend_from_slice(&posting.positions);
    }
    joined
}

/// Puts what several segments have for a term together, without the chunks that are dead.
///
/// # Errors
///
/// [`Error::Corrupt`] for a posting that cannot be read.
pub(super) fn merge<'p>(
    postings: impl IntoIterator<Item = &'p Posting>,
    mut is_dead: impl FnMut(u64, u64) -> bool,
) -> Result<Posting> {
    let mut merged = Posting::default();
    for posting in postings {
        let mut open: Option<(u64, Open)> = None;
        read_positions(&posting.entry, &posting.positions, |found, path, text| {
            if is_dead(found.document, found.chunk) {
                return;
            }
            if open
                .as_ref()
                .is_some_and(|(document, _)| *document != found.document)
                && let Some(open) = open.take()
            {
                merged.push(open);
            }
            let (_, open) = open.get_or_insert_with(|| (found.document, Open::default()));
            open.push(found.chunk, found.length, &Places { path, text });
        })?;
        if let Some(open) = open {
            merged.push(open);
        }
    }
    Ok(merged)
}

impl Posting {
    fn push(&mut self, (document, open): (u64, Open)) {
        put(&mut self.entry, document);
        put(&mut self.entry, open.chunks);
        self.chunks += open.chunks;
        self.entry.extend(open.entry);
        self.positions.extend(open.positions);
    }
}

/// Where a chunk holds a term.
#[derive(Default)]
struct Places {
    path: Vec<u64>,
    text: Vec<u64>,
}

fn places<'a>(path_terms: &'a str, terms: &'a str) -> FxHashMap<&'a str, Places> {
    let mut places: FxHashMap<&str, Places> = FxHashMap::default();
    for (position, term) in (0..).zip(path_terms.split_ascii_whitespace()) {
        places.entry(term).or_default().path.push(position);
    }
    for (position, term) in (0..).zip(terms.split_ascii_whitespace()) {
        places.entry(term).or_default().text.push(position);
    }
    places
}

/// What a document has for a term, while it is being written.
#[derive(Clone, Debug, Default)]
struct Open {
    chunks: u64,
    last: u64,
    entry: Vec<u8>,
    positions: Vec<u8>,
}

impl Open {
    fn push(&mut self, chunk: u64, length: u64, places: &Places) {
        put(&mut self.entry, chunk - self.last);
        put(&mut self.entry, places.path.len() as u64);
        put(&mut self.entry, places.text.len() as u64);
        put(&mut self.entry, length);
        for positions in [&places.path, &places.text] {
            let mut last = 0;
            for &position in positions {
                put(&mut self.positions, position - last);
                last = position;
            }
        }
        self.last = chunk;
        self.chunks += 1;
    }
}

/// A chunk that holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub(super) document: u64,
    pub(super) chunk: u64,
    /// How often its path and its text hold the term.
    pub(super) in_path: u64,
    pub(super) in_text: u64,
    /// How many terms it has.
    pub(super) length: u64,
}

/// Reads entries, one after the other.
pub(super) fn read_entries(mut entries: &[u8], mut found: impl FnMut(Occurrence)) -> Result<()> {
    while !entries.is_empty() {
        let document = take(&mut entries)?;
        let mut chunk = 0;
        for _ in 0..take(&mut entries)? {
            chunk += take(&mut entries)?;
            found(Occurrence {
                document,
                chunk,
                in_path: take(&mut entries)?,
                in_text: take(&mut entries)?,
                length: take(&mut entries)?,
            });
        }
    }
    Ok(())
}

/// Reads a row: each chunk with the positions in its path and in its text.
pub(super) fn read_positions(
    entry: &[u8],
    mut positions: &[u8],
    mut found: impl FnMut(Occurrence, Vec<u64>, Vec<u64>),
) -> Result<()> {
    let mut occurrences = Vec::new();
    read_entries(entry, |occurrence| occurrences.push(occurrence))?;
    for occurrence in occurrences {
        let path = take_positions(&mut positions, occurrence.in_path)?;
        let text = take_positions(&mut positions, occurrence.in_text)?;
        found(occurrence, path, text);
    }
    Ok(())
}

fn take_positions(bytes: &mut &[u8], count: u64) -> Result<Vec<u64>> {
    let mut last = 0;
    (0..count)
        .map(|_| {
            last += take(bytes)?;
            Ok(last)
        })
        .collect()
}

/// Appends a LEB128 number.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a LEB128 number off the front.
fn take(bytes: &mut &[u8]) -> Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or_else(cut)?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(cut())
}

fn cut() -> Error {
    Error::corrupt("an index entry that cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(chunks: &[(u64, u64, &str, &str)]) -> BTreeMap<String, Posting> {
        let mut segment = Segment::default();
        for &(document, chunk, path_terms, terms) in chunks {
            segment.add(document, chunk, path_terms, terms);
        }
        let (count, postings) = segment.into_postings();
        assert_eq!(count, chunks.len() as u64);
        postings.collect()
    }

    fn read(posting: &Posting) -> Vec<(Occurrence, Vec<u64>, Vec<u64>)> {
        let mut found = Vec::new();
        let each = |occurrence, path, text| found.push((occurrence, path, text));
        read_positions(&posting.entry, &posting.positions, each).unwrap();
        found
    }

    #[test]
    fn what_is_indexed_is_read_again() {
        let postings = segment(&[
            (70_000, 3, "red apple", "apple pie apple"),
            (70_000, 300, "", "pie"),
            (70_001, 2, "", "pie pie"),
        ]);
        let occurrence = Occurrence {
            document: 70_000,
            chunk: 3,
            in_path: 1,
            in_text: 2,
            length: 5,
        };
        assert_eq!(
            read(&postings["apple"]),
            [(occurrence, vec![1], vec![0, 2])]
        );
        assert_eq!((postings["pie"].chunks, postings.len()), (3, 3));
        let chunks: Vec<u64> = read(&postings["pie"])
            .iter()
            .map(|(at, ..)| at.chunk)
            .collect();
        assert_eq!(chunks, [3, 300, 2]);
    }

    #[test]
    fn segments_are_merged_without_what_is_dead() {
        let one = segment(&[(1, 1, "", "a b"), (1, 2, "a", "a"), (2, 1, "", "a")]);
        let other = segment(&[(1, 3, "", "c a"), (3, 9, "", "a a")]);
        let both = [one["a"].clone(), other["a"].clone()];
        let all = merge(&both, |_, _| false).unwrap();
        assert_eq!(join(&both).chunks, all.chunks);
        assert_eq!(read(&join(&both)), read(&all));
        let expected: Vec<_> = both.iter().flat_map(read).collect();
        assert_eq!((read(&all), all.chunks), (expected, 5));
        let some = merge(&both, |document, chunk| (document, chunk) != (1, 2)).unwrap();
        assert_eq!((read(&some).len(), some.chunks), (1, 1));
        assert_eq!(merge(&both, |_, _| true).unwrap(), Posting::default());
    }

    #[test]
    fn bytes_that_end_early_are_corrupt() {
        let entry = &segment(&[(1, 1, "", "a")])["a"].entry;
        let error = read_entries(&entry[..entry.len() - 1], |_| ()).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
        assert!(read_entries(&[0xff; 20], |_| ()).is_err());
    }
}
