//! Making a segment.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::chunks::Chunks;
use super::list::{List, ListBuilder};
use super::number::put;
use super::postings::{Occurrence, take_positions};
use crate::{BESIDE, Language, WordCounts};

/// The first character of the mark of a language. No term of a text has it.
const MARK: char = ':';

/// Returns the mark of a language, a term that the chunks of its documents have beside those of their text. English, in
/// which most are, has none.
pub(super) fn language_term(language: Language) -> Option<String> {
    (language != Language::English).then(|| format!("{MARK}{language}"))
}

/// Returns whether a term is the mark of a language.
pub(super) fn is_language_term(term: &[u8]) -> bool {
    term.first() == Some(&(MARK as u8))
}

/// Returns how many terms a chunk has, those of its path included.
pub fn length(path_terms: &str, terms: &str) -> u64 {
    count(path_terms) + count(terms)
}

/// Counts terms by where they begin.
fn count(terms: &str) -> u64 {
    let terms = terms.as_bytes();
    let first = terms.first().is_some_and(|first| !is_between(*first));
    let pairs = terms.iter().zip(terms.iter().skip(1));
    let others = pairs.filter(|(before, byte)| is_between(**before) && !is_between(**byte));
    u64::from(first) + others.count() as u64
}

/// Returns whether a byte stands between terms.
const fn is_between(byte: u8) -> bool {
    byte == b' ' || byte == BESIDE as u8
}

/// Returns each of some terms, with how many positions it stands behind the one before: none beside it, and one more for
/// each that is left free between them.
fn positioned(terms: &str) -> impl Iterator<Item = (&str, u64)> {
    let (mut rest, mut steps) = (terms, 0);
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let mut bytes = rest.as_bytes().iter();
            let end = bytes.position(|&byte| is_between(byte));
            let end = end.unwrap_or(rest.len());
            let (term, before) = (&rest[..end], steps);
            let is_beside = rest.as_bytes().get(end) == Some(&(BESIDE as u8));
            rest = rest.get(end + 1..).unwrap_or_default();
            if term.is_empty() {
                steps += u64::from(!is_beside);
            } else {
                steps = u64::from(!is_beside);
                return Some((term, before));
            }
        }
        None
    })
}

/// Returns each of some terms with its position.
pub(super) fn placed(terms: &str) -> impl Iterator<Item = (&str, u64)> {
    let mut position = 0;
    positioned(terms).map(move |(term, steps)| {
        position += steps;
        (term, position)
    })
}

/// What a change adds to the index of a collection.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    chunks: Chunks,
    terms: FxHashMap<String, Open>,
    words: FxHashMap<String, u64>,
    languages: BTreeSet<String>,
}

/// What is written of a segment beside its postings.
#[derive(Debug, Default)]
pub(super) struct Described {
    pub(super) chunks: Chunks,
    pub(super) words: BTreeMap<String, u64>,
    pub(super) languages: BTreeSet<String>,
}

/// What a segment has for a term, while it is made.
#[derive(Clone, Debug, Default)]
struct Open {
    /// The chunks that hold it.
    found: Vec<Occurrence>,
    positions: Vec<u8>,
    /// Where the last chunk held it last, in the path or in the text.
    position: u64,
}

impl Segment {
    /// Adds a chunk of a document in a language, by the numbers of the document and its own.
    pub fn add(
        &mut self,
        (document, chunk): (u64, u64),
        language: &str,
        path_terms: &str,
        terms: &str,
    ) {
        let ordinal = self.chunks.end();
        if let Some(term) = language.parse().ok().and_then(language_term) {
            let open = self.terms.entry(term).or_default();
            open.hold(ordinal, 0, |found| &mut found.in_text);
        }
        let in_path = self.hold(ordinal, path_terms, |found| &mut found.in_path);
        let in_text = self.hold(ordinal, terms, |found| &mut found.in_text);
        let length = u32::try_from(in_path + in_text).unwrap_or(u32::MAX);
        self.chunks.push((document, chunk), length);
    }

    /// Adds the words of a document as they are written, each with how often it has it, and its language.
    pub fn describe(&mut self, words: &WordCounts, language: &str) {
        for (word, count) in words.iter() {
            if let Some(known) = self.words.get_mut(word) {
                *known += u64::from(count);
            } else {
                self.words.insert(word.to_owned(), count.into());
            }
        }
        if !language.is_empty() {
            self.languages.insert(language.to_owned());
        }
    }

    /// Adds terms of a chunk, which `count` counts, and returns how many there are.
    fn hold(
        &mut self,
        ordinal: u32,
        terms: &str,
        count: impl Fn(&mut Occurrence) -> &mut u32,
    ) -> u64 {
        let mut held = 0;
        for (term, position) in placed(terms) {
            held += 1;
            // Most terms are there, so that a key is seldom made.
            if let Some(open) = self.terms.get_mut(term) {
                open.hold(ordinal, position, &count);
            } else {
                let mut open = Open::default();
                open.hold(ordinal, position, &count);
                self.terms.insert(term.to_owned(), open);
            }
        }
        held
    }

    /// Returns its chunks with what is said of them, and what it has for each of their terms, in order.
    pub(super) fn into_lists(self) -> (Described, impl Iterator<Item = (String, List)>) {
        let mut terms: Vec<_> = self.terms.into_iter().collect();
        terms.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let lengths = self.chunks.lengths().to_vec();
        let mut builder = ListBuilder::default();
        let lists = terms
            .into_iter()
            .map(move |(term, open)| (term, open.list(&mut builder, &lengths)));
        let described = Described {
            chunks: self.chunks,
            words: self.words.into_iter().collect(),
            languages: self.languages,
        };
        (described, lists)
    }
}

impl Open {
    fn hold(&mut self, ordinal: u32, position: u64, count: impl Fn(&mut Occurrence) -> &mut u32) {
        if self.found.last().is_none_or(|last| last.ordinal != ordinal) {
            self.found.push(Occurrence {
                ordinal,
                in_path: 0,
                in_text: 0,
            });
        }
        if let Some(found) = self.found.last_mut() {
            let times = count(found);
            if *times == 0 {
                self.position = 0;
            }
            *times += 1;
        }
        put(&mut self.positions, position - self.position);
        self.position = position;
    }

    fn list(&self, builder: &mut ListBuilder, lengths: &[u32]) -> List {
        let mut positions = self.positions.as_slice();
        for &found in &self.found {
            // There are as many as were counted.
            let of_chunk = take_positions(&mut positions, found).unwrap_or_default();
            builder.push(found, lengths[found.ordinal as usize], of_chunk);
        }
        builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::postings::{Decoded, read_positions};
    use super::*;

    type Found = (u32, Vec<u64>, Vec<u64>);

    fn segment(chunks: &[(u64, u64, &str, &str)]) -> (Chunks, HashMap<String, List>) {
        let mut segment = Segment::default();
        for &(document, chunk, path_terms, terms) in chunks {
            segment.add((document, chunk), "en", path_terms, terms);
        }
        let (described, lists) = segment.into_lists();
        (described.chunks, lists.collect())
    }

    fn read(list: &List) -> Vec<Found> {
        let mut all = Vec::new();
        for head in &list.heads {
            let mut decoded = Decoded::default();
            decoded
                .read(head, head.entries(&list.entries).unwrap())
                .unwrap();
            let mut positions = head.positions(&list.positions).unwrap();
            for found in decoded.iter() {
                let (mut path, mut text) = (Vec::new(), Vec::new());
                let of_chunk = take_positions(&mut positions, found).unwrap();
                read_positions(of_chunk, found, &mut path, &mut text).unwrap();
                all.push((found.ordinal, path, text));
            }
        }
        all
    }

    #[test]
    fn what_is_added_is_read_again() {
        let (chunks, lists) = segment(&[
            (70_000, 3, "red apple", "apple pie apple"),
            (70_000, 300, "", "pie"),
            (70_001, 2, "", "pie pie"),
        ]);
        assert_eq!(chunks.lengths(), [5, 1, 2]);
        let numbers = [(70_000, 3), (70_000, 300), (70_001, 2)];
        assert!(chunks.numbers().eq(numbers));
        assert_eq!(read(&lists["apple"]), [(0, vec![1], vec![0, 2])]);
        let pie = [(0, vec![1]), (1, vec![0]), (2, vec![0, 1])];
        let pie = pie.map(|(ordinal, text)| (ordinal, vec![], text));
        assert_eq!(read(&lists["pie"]), pie);
        assert_eq!((lists["pie"].chunks, lists.len()), (3, 3));
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
    fn a_position_between_a_text_and_the_head_of_its_table_is_free() {
        let analyzer = crate::Analyzer::english();
        let terms = analyzer.chunk_terms(Some("| Unit price |"), "| Tofu | 9 |");
        let places: Vec<_> = placed(&terms).collect();
        assert_eq!(places, [("tofu", 0), ("9", 1), ("unit", 3), ("price", 4)]);
        assert_eq!(length("", &terms), 4);
        let alone = analyzer.chunk_terms(None, "| Tofu | 9 |");
        assert_eq!(alone, analyzer.terms("| Tofu | 9 |"));
        let nameless = analyzer.chunk_terms(Some("| |"), "tofu");
        assert_eq!(length("", &nameless), 1);
    }

    #[test]
    fn no_term_of_a_text_is_the_mark_of_a_language() {
        let text = "@de :de ::de \\:de x:de 16:9 12:30:00Z a::b &#58;de \\x3ade \\u003ade ::=de 漢:字 漢：字 :✓ ⩴ ⑴ :-de";
        for language in Language::all() {
            let terms = crate::Analyzer::for_language(language).terms(text);
            for (term, _) in placed(&terms) {
                assert!(!is_language_term(term.as_bytes()), "{language} {term}");
            }
            let mark = language_term(language);
            assert!(mark.is_none_or(|mark| is_language_term(mark.as_bytes())));
        }
    }

    #[test]
    fn what_is_frequent_is_counted() {
        for (in_path, in_text) in [(14, 15), (15, 1), (0, 16), (1, 1_000)] {
            let terms = |count: usize| "a ".repeat(count);
            let (_, lists) = segment(&[(1, 1, &terms(in_path), &terms(in_text))]);
            let found = read(&lists["a"]);
            assert_eq!((found[0].1.len(), found[0].2.len()), (in_path, in_text));
        }
    }

    #[test]
    fn lists_are_joined_block_by_block() {
        for sizes in [[3, 5], [128, 128], [70, 200], [500, 20], [1, 127]] {
            let (mut joined, mut expected, mut before) = (ListBuilder::default(), Vec::new(), 0);
            let lengths = [2; 1_000];
            for size in sizes {
                let chunks: Vec<_> = (0..size).map(|at| (1, at, "a", "a")).collect();
                let (_, mut lists) = segment(&chunks);
                let list = lists.remove("a").unwrap();
                let bytes = (&*list.entries, &*list.positions);
                for head in &list.heads {
                    joined
                        .append(&list, head, bytes, (before, &lengths))
                        .unwrap();
                }
                let moved = read(&list).into_iter();
                expected.extend(moved.map(|(at, path, text)| (at + before, path, text)));
                before += size as u32;
            }
            let joined = joined.finish();
            assert_eq!(read(&joined), expected);
            let mut stored = Vec::new();
            joined.put(&mut stored);
            assert_eq!(List::read(&stored, &joined.positions).unwrap(), joined);
            for end in 0..stored.len() - joined.entries.len() {
                assert!(List::read(&stored[..end], &[]).is_err(), "{end}");
            }
        }
    }

    #[test]
    fn bytes_that_end_early_are_corrupt() {
        let (_, lists) = segment(&[(1, 1, "", &"a ".repeat(20)), (1, 2, "", "a")]);
        let list = &lists["a"];
        let entries = list.heads[0].entries(&list.entries).unwrap();
        for end in 0..entries.len() {
            let read = Decoded::default().read(&list.heads[0], &entries[..end]);
            let error = read.unwrap_err();
            assert!(matches!(error, crate::Error::Corrupt { .. }), "{error}");
        }
    }
}
