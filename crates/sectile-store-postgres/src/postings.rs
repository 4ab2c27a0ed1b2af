//! The index of a document: which of its chunks hold a term, how often and where.
//!
//! A row of `postings` has an entry: the document's number, how many chunks follow, and for each the
//! distance of its number to the one before, how often its path and its text hold the term, and how
//! many terms it has. Its positions are, for each chunk of the entry, those in the path and those in
//! the text, each as the distance to the one before. All are LEB128 numbers.

use std::collections::BTreeMap;

use sectile_store::{Error, Result};

use crate::error::corrupt;

/// The most bytes of an entry, so that it fits into the index on the table.
const FULL: usize = 1_500;

/// A chunk that is indexed.
pub(crate) struct Indexed<'a> {
    /// Its number in the document.
    pub(crate) chunk: u64,
    pub(crate) path_terms: &'a str,
    pub(crate) terms: &'a str,
}

impl Indexed<'_> {
    /// Returns how many terms it has, those of its path included.
    pub(crate) fn length(&self) -> u64 {
        let count = |terms: &str| terms.split_ascii_whitespace().count() as u64;
        count(self.path_terms) + count(self.terms)
    }
}

/// What a row of `postings` has for a term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting {
    pub(crate) chunks: i32,
    pub(crate) entry: Vec<u8>,
    pub(crate) positions: Vec<u8>,
}

/// Where a chunk holds a term.
#[derive(Default)]
struct Places {
    path: Vec<u64>,
    text: Vec<u64>,
}

/// Returns the rows of each term of a document, whose chunks come in the order of their numbers.
pub(crate) fn index<'a>(document: u64, chunks: &[Indexed<'a>]) -> BTreeMap<&'a str, Vec<Posting>> {
    let mut rows: BTreeMap<&str, Vec<Open>> = BTreeMap::new();
    for chunk in chunks {
        let length = chunk.length();
        for (term, places) in places(chunk) {
            let rows = rows.entry(term).or_default();
            if rows.last().is_none_or(|row| row.entry.len() >= FULL) {
                rows.push(Open::default());
            }
            if let Some(row) = rows.last_mut() {
                row.push(chunk.chunk, length, &places);
            }
        }
    }
    let closed = |rows: Vec<Open>| rows.into_iter().map(|row| row.close(document)).collect();
    rows.into_iter()
        .map(|(term, rows)| (term, closed(rows)))
        .collect()
}

fn places<'a>(chunk: &Indexed<'a>) -> BTreeMap<&'a str, Places> {
    let mut places: BTreeMap<&str, Places> = BTreeMap::new();
    for (position, term) in (0..).zip(chunk.path_terms.split_ascii_whitespace()) {
        places.entry(term).or_default().path.push(position);
    }
    for (position, term) in (0..).zip(chunk.terms.split_ascii_whitespace()) {
        places.entry(term).or_default().text.push(position);
    }
    places
}

/// A row that is being written.
#[derive(Default)]
struct Open {
    chunks: i32,
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

    fn close(self, document: u64) -> Posting {
        let mut entry = Vec::with_capacity(self.entry.len() + 8);
        put(&mut entry, document);
        put(&mut entry, u64::from(self.chunks.unsigned_abs()));
        entry.extend(self.entry);
        Posting {
            chunks: self.chunks,
            entry,
            positions: self.positions,
        }
    }
}

/// A chunk that holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub(crate) document: u64,
    pub(crate) chunk: u64,
    /// How often its path and its text hold the term.
    pub(crate) in_path: u64,
    pub(crate) in_text: u64,
    /// How many terms it has.
    pub(crate) length: u64,
}

/// Reads entries, one after the other.
pub(crate) fn read_entries(mut entries: &[u8], mut found: impl FnMut(Occurrence)) -> Result<()> {
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
pub(crate) fn read_positions(
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
    corrupt("an index entry that cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_indexed_is_read_again() {
        let chunks = [
            Indexed {
                chunk: 3,
                path_terms: "red apple",
                terms: "apple pie apple",
            },
            Indexed {
                chunk: 300,
                path_terms: "",
                terms: "pie",
            },
        ];
        let rows = index(70_000, &chunks);
        let [apple] = &rows["apple"][..] else {
            panic!("{rows:?}");
        };
        let mut found = Vec::new();
        let read = |occurrence, path, text| found.push((occurrence, path, text));
        read_positions(&apple.entry, &apple.positions, read).unwrap();
        let occurrence = Occurrence {
            document: 70_000,
            chunk: 3,
            in_path: 1,
            in_text: 2,
            length: 5,
        };
        assert_eq!(found, [(occurrence, vec![1], vec![0, 2])]);
        assert_eq!((rows["pie"][0].chunks, rows.len()), (2, 3));
    }

    #[test]
    fn long_lists_stand_in_several_rows() {
        let chunks: Vec<Indexed<'_>> = (0..1_000)
            .map(|chunk| Indexed {
                chunk,
                path_terms: "",
                terms: "a b",
            })
            .collect();
        let rows = &index(1, &chunks)["a"];
        assert!(rows.len() > 1 && rows.iter().all(|row| row.entry.len() < FULL + 50));
        let entries: Vec<u8> = rows.iter().flat_map(|row| row.entry.clone()).collect();
        let mut read = Vec::new();
        read_entries(&entries, |occurrence| read.push(occurrence.chunk)).unwrap();
        assert_eq!(read, (0..1_000).collect::<Vec<u64>>());
    }

    #[test]
    fn bytes_that_end_early_are_corrupt() {
        let rows = index(
            1,
            &[Indexed {
                chunk: 1,
                path_terms: "",
                terms: "a",
            }],
        );
        let entry = &rows["a"][0].entry;
        let error = read_entries(&entry[..entry.len() - 1], |_| ()).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
        assert!(read_entries(&[0xff; 20], |_| ()).is_err());
    }
}
