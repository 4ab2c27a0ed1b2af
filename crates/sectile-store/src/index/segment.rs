//! Making a segment.

use rustc_hash::FxHashMap;

use super::chunks::Chunks;
use super::number::put;
use super::postings::{Occurrence, Posting};
use crate::BESIDE;

/// Returns how many terms a chunk has, those of its path included.
pub fn length(path_terms: &str, terms: &str) -> u64 {
    let count = |terms: &str| terms.split_ascii_whitespace().count() as u64;
    count(path_terms) + count(terms)
}

/// Returns each of some terms, with whether it stands at the position of the one before.
fn positioned(terms: &str) -> impl Iterator<Item = (&str, bool)> {
    let positions = terms.split(' ').filter(|terms| !terms.is_empty());
    positions.flat_map(|terms| {
        terms
            .split(BESIDE)
            .zip(std::iter::once(false).chain(std::iter::repeat(true)))
    })
}

/// What a change adds to the index of a collection.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    chunks: Chunks,
    terms: FxHashMap<String, Open>,
}

/// What a segment has for a term, while it is made.
#[derive(Clone, Debug)]
struct Open {
    posting: Posting,
    /// The last chunk that holds the term, which `posting` does not yet have.
    found: Occurrence,
    /// Where it did so last, in the path or in the text.
    position: u64,
}

impl Segment {
    /// Adds a chunk, by the numbers of its document and its own.
    pub fn add(&mut self, document: u64, chunk: u64, path_terms: &str, terms: &str) {
        let ordinal = self.chunks.len();
        let in_path = self.hold(ordinal, path_terms, |found| &mut found.in_path);
        let in_text = self.hold(ordinal, terms, |found| &mut found.in_text);
        let length = u32::try_from(in_path + in_text).unwrap_or(u32::MAX);
        self.chunks.push((document, chunk), length);
    }

    /// Adds terms of a chunk, which `count` counts, and returns how many there are.
    fn hold(
        &mut self,
        ordinal: usize,
        terms: &str,
        count: impl Fn(&mut Occurrence) -> &mut u64,
    ) -> u64 {
        let (mut held, mut position) = (0, 0);
        for (term, is_beside) in positioned(terms) {
            position += u64::from(held > 0 && !is_beside);
            held += 1;
            // Most terms are there, so that a key is seldom made.
            if let Some(open) = self.terms.get_mut(term) {
                open.hold(ordinal, position, &count);
            } else {
                let mut open = Open::new(ordinal);
                open.hold(ordinal, position, &count);
                self.terms.insert(term.to_owned(), open);
            }
        }
        held
    }

    /// Returns its chunks, and what it has for each of their terms, in order.
    pub(super) fn into_postings(self) -> (Chunks, Vec<(String, Posting)>) {
        let closed = |(term, mut open): (String, Open)| {
            open.posting.push(open.found);
            (term, open.posting)
        };
        let mut postings: Vec<_> = self.terms.into_iter().map(closed).collect();
        postings.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        (self.chunks, postings)
    }
}

impl Open {
    fn new(ordinal: usize) -> Self {
        Self {
            posting: Posting::default(),
            found: Occurrence::none(ordinal),
            position: 0,
        }
    }

    fn hold(&mut self, ordinal: usize, position: u64, count: impl Fn(&mut Occurrence) -> &mut u64) {
        if self.found.ordinal != ordinal {
            self.posting.push(self.found);
            self.found = Occurrence::none(ordinal);
        }
        let times = count(&mut self.found);
        if *times == 0 {
            self.position = 0;
        }
        *times += 1;
        put(&mut self.posting.positions, position - self.position);
        self.position = position;
    }
}

impl Occurrence {
    fn none(ordinal: usize) -> Self {
        Self {
            ordinal,
            in_path: 0,
            in_text: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::postings::{Cursor, PostingRef, read_entry, read_positions};
    use super::*;

    type Found = (usize, Vec<u64>, Vec<u64>);

    fn segment(chunks: &[(u64, u64, &str, &str)]) -> (Chunks, FxHashMap<String, Posting>) {
        let mut segment = Segment::default();
        for &(document, chunk, path_terms, terms) in chunks {
            segment.add(document, chunk, path_terms, terms);
        }
        let (chunks, postings) = segment.into_postings();
        assert!(postings.is_sorted_by_key(|(term, _)| term.clone()));
        (chunks, postings.into_iter().collect())
    }

    fn as_ref(posting: &Posting) -> PostingRef<'_> {
        PostingRef {
            chunks: posting.chunks,
            last: posting.last,
            entry: &posting.entry,
            positions: &posting.positions,
        }
    }

    fn read(posting: &Posting) -> Vec<Found> {
        let mut cursor = Cursor::new(&posting.entry, &posting.positions);
        let mut all = Vec::new();
        while let Some((found, positions)) = cursor.next().unwrap() {
            let (mut path, mut text) = (Vec::new(), Vec::new());
            read_positions(positions, found, &mut path, &mut text).unwrap();
            all.push((found.ordinal, path, text));
        }
        let mut ordinals = Vec::new();
        read_entry(&posting.entry, |found| ordinals.push(found.ordinal)).unwrap();
        assert!(ordinals.into_iter().eq(all.iter().map(|found| found.0)));
        all
    }

    #[test]
    fn what_is_added_is_read_again() {
        let (chunks, postings) = segment(&[
            (70_000, 3, "red apple", "apple pie apple"),
            (70_000, 300, "", "pie"),
            (70_001, 2, "", "pie pie"),
        ]);
        assert_eq!(chunks.lengths(), [5, 1, 2]);
        assert!(
            chunks
                .numbers()
                .eq([(70_000, 3), (70_000, 300), (70_001, 2)])
        );
        assert_eq!(read(&postings["apple"]), [(0, vec![1], vec![0, 2])]);
        let pie = [(0, vec![1]), (1, vec![0]), (2, vec![0, 1])];
        let pie = pie.map(|(ordinal, text)| (ordinal, vec![], text));
        assert_eq!(read(&postings["pie"]), pie);
        let pie = &postings["pie"];
        assert_eq!((pie.chunks, pie.last, postings.len()), (3, 2, 3));
        assert_eq!(length("red apple", "apple pie  apple"), 5);
    }

    #[test]
    fn terms_of_one_position_are_counted_each() {
        let (chunks, postings) = segment(&[(1, 1, "", "call readchunk\nread chunk twice")]);
        assert_eq!(chunks.lengths(), [5]);
        let place = |term: &str| read(&postings[term])[0].2[0];
        assert_eq!(
            ["call", "readchunk", "read", "chunk", "twice"].map(place),
            [0, 1, 1, 2, 3]
        );
    }

    #[test]
    fn what_is_frequent_is_counted() {
        for (in_path, in_text) in [(14, 15), (15, 1), (0, 16), (1, 1_000)] {
            let terms = |count: usize| "a ".repeat(count);
            let (_, postings) = segment(&[(1, 1, &terms(in_path), &terms(in_text))]);
            let found = read(&postings["a"]);
            assert_eq!((found[0].1.len(), found[0].2.len()), (in_path, in_text));
        }
    }

    #[test]
    fn postings_are_joined() {
        let (_, one) = segment(&[(1, 1, "", "a b"), (1, 2, "a", "a"), (2, 1, "", "a")]);
        let (_, other) = segment(&[(3, 1, "", "b"), (1, 3, "", "c a"), (3, 9, "", "a a")]);
        let mut all = Posting::default();
        all.append(as_ref(&one["a"]), 0).unwrap();
        all.append(as_ref(&other["a"]), 3).unwrap();
        let mut expected = read(&one["a"]);
        let others = read(&other["a"]);
        expected.extend(
            others
                .into_iter()
                .map(|(at, path, text)| (3 + at, path, text)),
        );
        assert_eq!(read(&all), expected);
        assert_eq!((all.chunks, all.last), (5, 5));

        let mut some = Posting::default();
        let ordinals = [None, Some(0), None];
        some.append_some(as_ref(&one["a"]), &ordinals).unwrap();
        let ordinals = [Some(1), None, Some(2)];
        some.append_some(as_ref(&other["a"]), &ordinals).unwrap();
        assert_eq!(
            read(&some),
            [(0, vec![0], vec![0]), (2, vec![], vec![0, 1])]
        );
        assert_eq!((some.chunks, some.last), (2, 2));
    }

    #[test]
    fn bytes_that_end_early_are_corrupt() {
        let (_, postings) = segment(&[(1, 1, "", &"a ".repeat(20))]);
        let entry = &postings["a"].entry;
        for end in 1..entry.len() {
            let error = read_entry(&entry[..end], |_| ()).unwrap_err();
            assert!(matches!(error, crate::Error::Corrupt { .. }), "{error}");
        }
        assert!(read_entry(&[0xff; 20], |_| ()).is_err());
        assert!(Cursor::new(entry, &[]).next().is_err());
    }
}
