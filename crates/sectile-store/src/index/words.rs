//! The words of a segment as they are written, for spellings and beginnings: an automaton that maps each
//! to how often documents have it. Words are compared in plain letters; their accents stand behind these.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use fst::automaton::{Automaton, Str};
use fst::map::Stream;
use fst::{IntoStreamer as _, Map, MapBuilder, Streamer as _};
use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder, SINK_STATE};

use super::number::unreadable;
use crate::analyzer::BEFORE_ACCENTS;
use crate::{Analyzer, Error, Result};

/// The shortest and the longest words that are kept, in characters without accents. The terms of longer ones are cut
/// off.
pub(super) const LENGTHS: std::ops::RangeInclusive<usize> = 2..=64;

/// The longest word that others are compared with, in characters: longer ones are names and hashes.
const LONGEST_COMPARED: usize = 40;

/// How many words a segment has at most. Those of documents that are gone stay in it, so that without a
/// bound there would be ever more.
const WORDS: usize = 1 << 20;

/// How many words of a segment are looked at, of those that begin in some way or are like another.
const MOST: usize = 20_000;

/// How many ways to write a word are looked for, as the same letters may have other accents.
const FORMS: usize = 8;

/// A word with a similar spelling, or with a given beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The word, in lower case and without accents.
    pub word: String,
    /// Its spellings in documents, the most frequent first, with the accents that affect stemming.
    /// There is at least one.
    pub forms: Vec<String>,
    /// The number of letters to add, remove, change or swap with the next one; 0 for a completion.
    pub distance: u8,
    /// Its frequency in the collections.
    pub count: u64,
}

/// The words of a segment.
#[derive(Debug)]
pub(super) struct Words(Map<Vec<u8>>);

/// Makes the automaton of some words.
pub(super) fn stored(words: &BTreeMap<String, u64>) -> Result<Vec<u8>> {
    let least = least_of(words.values().copied().collect(), WORDS);
    let is_kept = |(word, count): &(&String, &u64)| {
        **count >= least && LENGTHS.contains(&Analyzer::plain(word).chars().count())
    };
    let mut builder = MapBuilder::memory();
    for (word, count) in words.iter().filter(is_kept) {
        builder.insert(word, *count).map_err(Error::corrupt)?;
    }
    builder.into_inner().map_err(Error::corrupt)
}

/// Returns how frequent a word has to be, so that no more than so many are.
fn least_of(mut counts: Vec<u64>, most: usize) -> u64 {
    if counts.len() <= most {
        return 0;
    }
    let at = counts.len() - most - 1;
    let (_, first_left_out, _) = counts.select_nth_unstable(at);
    first_left_out.saturating_add(1)
}

impl Words {
    /// # Errors
    ///
    /// [`Error::Corrupt`] for bytes that are not an automaton.
    pub(super) fn read(stored: Vec<u8>) -> Result<Self> {
        let unreadable = |_| Error::corrupt("a table of words that cannot be read");
        let map = Map::new(stored).map_err(unreadable)?;
        map.as_fst().verify().map_err(unreadable)?;
        Ok(Self(map))
    }

    pub(super) fn size(&self) -> usize {
        self.0.as_fst().as_bytes().len()
    }

    /// Adds all words to others.
    pub(super) fn add_to(&self, words: &mut BTreeMap<String, u64>) -> Result<()> {
        let mut all = self.0.stream();
        while let Some((word, count)) = all.next() {
            add(words, word, count)?;
        }
        Ok(())
    }

    /// Adds the ways to write a word, given in plain letters.
    fn add_forms(&self, plain: &str, words: &mut BTreeMap<String, u64>) -> Result<()> {
        let end = format!("{plain}\u{1}");
        add_some(self.0.range().ge(plain).lt(end).into_stream(), words)
    }

    /// Adds those that begin in a way.
    fn add_beginning_with(&self, prefix: &str, words: &mut BTreeMap<String, u64>) -> Result<()> {
        let found = self.0.search(Str::new(prefix).starts_with());
        add_some(found.into_stream(), words)
    }

    /// Adds those that an automaton accepts in plain letters.
    fn add_like(&self, dfa: &DFA, words: &mut BTreeMap<String, u64>) -> Result<()> {
        add_some(self.0.search(InPlainLetters(dfa)).into_stream(), words)
    }
}

/// Accepts words with accents behind them, as an automaton does those in plain letters.
struct InPlainLetters<'a>(&'a DFA);

impl Automaton for InPlainLetters<'_> {
    /// The state in the word; none in its accents.
    type State = Option<u32>;

    fn start(&self) -> Option<u32> {
        Some(self.0.initial_state())
    }

    fn is_match(&self, state: &Option<u32>) -> bool {
        let is_near = |state| matches!(self.0.distance(state), Distance::Exact(_));
        state.is_none_or(is_near)
    }

    fn can_match(&self, state: &Option<u32>) -> bool {
        *state != Some(SINK_STATE)
    }

    fn accept(&self, state: &Option<u32>, byte: u8) -> Option<u32> {
        if char::from(byte) != BEFORE_ACCENTS {
            return Some(self.0.transition((*state)?, byte));
        }
        (!self.is_match(state)).then_some(SINK_STATE)
    }
}

/// Adds as many words of a stream to others as are looked at.
fn add_some<A: Automaton>(
    mut found: Stream<'_, A>,
    words: &mut BTreeMap<String, u64>,
) -> Result<()> {
    for _ in 0..MOST {
        let Some((word, count)) = found.next() else {
            break;
        };
        add(words, word, count)?;
    }
    Ok(())
}

fn add(words: &mut BTreeMap<String, u64>, word: &[u8], count: u64) -> Result<()> {
    let word = std::str::from_utf8(word).map_err(|_| unreadable())?;
    if let Some(known) = words.get_mut(word) {
        *known = known.saturating_add(count);
    } else {
        words.insert(word.to_owned(), count);
    }
    Ok(())
}

/// Returns so many of some words, the nearest first, then the most frequent.
fn suggestions(
    words: BTreeMap<String, u64>,
    distance: impl Fn(&str) -> u8,
    limit: usize,
) -> Result<Vec<Suggestion>> {
    let words: Vec<(String, u64)> = words.into_iter().collect();
    // The ways to write a word stand in a row.
    let forms =
        words.chunk_by(|(left, _), (right, _)| Analyzer::plain(left) == Analyzer::plain(right));
    let ranked = forms.map(|forms| {
        let counts = forms.iter().map(|(_, count)| *count);
        let count = counts.fold(0, u64::saturating_add);
        (
            distance(Analyzer::plain(&forms[0].0)),
            Reverse(count),
            forms,
        )
    });
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort_unstable();
    ranked.truncate(limit);
    let suggestion = |(distance, Reverse(count), forms): (u8, Reverse<u64>, &[(String, u64)])| {
        let word = Analyzer::plain(&forms[0].0).to_owned();
        let forms = written(forms)?;
        Ok(Suggestion {
            word,
            forms,
            distance,
            count,
        })
    };
    ranked.into_iter().map(suggestion).collect()
}

/// Returns how documents write a word, the most frequent ways first.
fn written(forms: &[(String, u64)]) -> Result<Vec<String>> {
    let mut forms: Vec<&(String, u64)> = forms.iter().collect();
    forms.sort_by_key(|(_, count)| Reverse(*count));
    let written = forms.iter().take(FORMS).map(|(form, _)| {
        let written = Analyzer::written(form).ok_or_else(unreadable)?;
        Ok(written.into_owned())
    });
    written.collect()
}

/// Returns the words of some segments that are spelled like one, the nearest first, then the most
/// frequent; the word itself is not among them.
pub(super) fn similar<'w>(
    segments: impl Iterator<Item = &'w Words>,
    word: &str,
    distance: u8,
    limit: usize,
) -> Result<Vec<Suggestion>> {
    if !(*LENGTHS.start()..=LONGEST_COMPARED).contains(&word.chars().count()) {
        return Ok(Vec::new());
    }
    let dfa = automata(distance).build_dfa(word);
    let mut found = BTreeMap::new();
    for segment in segments {
        segment.add_like(&dfa, &mut found)?;
    }
    found.retain(|like, _| Analyzer::plain(like) != word);
    suggestions(found, |like| dfa.eval(like).to_u8(), limit)
}

/// Returns a word, given in plain letters, as some segments have it.
pub(super) fn same<'w>(
    segments: impl Iterator<Item = &'w Words>,
    plain: &str,
) -> Result<Option<Suggestion>> {
    let mut found = BTreeMap::new();
    for segment in segments {
        segment.add_forms(plain, &mut found)?;
    }
    Ok(suggestions(found, |_| 0, 1)?.pop())
}

/// Returns what makes automata of words within a distance of 1 or 2, which takes a while.
fn automata(distance: u8) -> &'static LevenshteinAutomatonBuilder {
    static WITHIN: [OnceLock<LevenshteinAutomatonBuilder>; 2] = [OnceLock::new(), OnceLock::new()];
    let distance = distance.clamp(1, 2);
    WITHIN[usize::from(distance) - 1]
        .get_or_init(|| LevenshteinAutomatonBuilder::new(distance, true))
}

/// Returns the words of some segments that begin in a way, the most frequent first.
pub(super) fn beginning_with<'w>(
    segments: impl Iterator<Item = &'w Words>,
    prefix: &str,
    limit: usize,
) -> Result<Vec<Suggestion>> {
    let mut found = BTreeMap::new();
    if prefix.is_empty() {
        return Ok(Vec::new());
    }
    for segment in segments {
        segment.add_beginning_with(prefix, &mut found)?;
    }
    suggestions(found, |_| 0, limit)
}

/// Reads a list of languages.
pub(super) fn languages(stored: &str) -> BTreeSet<String> {
    let named = stored.split(',').filter(|code| !code.is_empty());
    named.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(of: &[(&str, u64)]) -> Words {
        let of = of.iter().map(|(word, count)| ((*word).to_owned(), *count));
        Words::read(stored(&of.collect()).unwrap()).unwrap()
    }

    fn two() -> [Words; 2] {
        let one = [("install", 7), ("installed", 2), ("instance", 1), ("x", 9)];
        [
            words(&one),
            words(&[("install", 1), ("instill", 30), ("straße", 1)]),
        ]
    }

    #[test]
    fn the_nearest_come_first_then_the_most_frequent() {
        let two = two();
        let found = |word, distance| {
            let all = similar(two.iter(), word, distance, 10).unwrap();
            let all = all.into_iter().map(|of| (of.word, of.distance, of.count));
            all.collect::<Vec<_>>()
        };
        assert_eq!(found("isntall", 1), [("install".into(), 1, 8)]);
        let further = [("install".into(), 1, 8), ("instill".into(), 2, 30)];
        assert_eq!(found("isntall", 2), further);
        assert_eq!(found("install", 1), [("instill".into(), 1, 30)]);
        assert_eq!(found("strase", 1), [("straße".into(), 1, 1)]);
        assert!(found("x", 2).is_empty() && found(&"x".repeat(100_000), 2).is_empty());
    }

    #[test]
    fn beginnings_are_ordered_by_how_frequent_they_are() {
        let two = two();
        let found = |prefix, limit| beginning_with(two.iter(), prefix, limit).unwrap();
        let all = ["instill", "install", "installed", "instance"];
        assert!(found("inst", 9).into_iter().map(|of| of.word).eq(all));
        let most = &found("install", 1)[0];
        assert_eq!((most.word.as_str(), most.count), ("install", 8));
        assert!(found("", 9).is_empty() && found("zzz", 9).is_empty());
    }

    #[test]
    fn long_words_are_found_by_their_beginnings() {
        let (long, longest) = ("a".repeat(41), "a".repeat(*LENGTHS.end()));
        let longer = "a".repeat(LENGTHS.end() + 1);
        let of = [(&*long, 2), (&*longest, 1), (&*longer, 3)];
        let words = [words(&of)];
        let found = beginning_with(words.iter(), "aaa", 9).unwrap();
        assert!(found.into_iter().map(|of| of.word).eq([long, longest]));
        let typed = format!("{}b", "a".repeat(40));
        assert!(similar(words.iter(), &typed, 1, 9).unwrap().is_empty());
    }

    #[test]
    fn words_with_accents_are_found_by_those_without() {
        let two = [
            words(&[("podra", 9), ("podria", 1), ("podria\0\u{2}í", 2)]),
            words(&[("podria\0\u{2}í", 4), ("podrian\0\u{3}í", 1)]),
        ];
        let forms = ["podría".to_owned(), "podria".to_owned()];
        let same = same(two.iter(), "podria").unwrap().unwrap();
        assert_eq!((same.word.as_str(), same.count), ("podria", 7));
        assert_eq!(same.forms, forms);
        let similar = similar(two.iter(), "poddria", 1, 9).unwrap();
        assert_eq!((similar.len(), similar[0].distance), (1, 1));
        assert_eq!(similar[0].forms, forms);
        let beginning = beginning_with(two.iter(), "podri", 9).unwrap();
        assert_eq!((beginning.len(), &beginning[0].forms), (2, &forms.to_vec()));
        assert_eq!(beginning[1].forms, ["podrían"]);
    }

    #[test]
    fn where_there_are_too_many_the_rarest_are_left_out() {
        let kept = |most| {
            let counts = vec![1, 7, 3, 1, 9];
            let least = least_of(counts.clone(), most);
            counts.into_iter().filter(|count| *count >= least).count()
        };
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(kept), [0, 1, 2, 3, 3, 5, 5]);
    }

    #[test]
    fn bytes_that_are_no_words_are_corrupt() {
        let good = stored(&BTreeMap::from([("install".to_owned(), 3)])).unwrap();
        for end in 0..good.len() {
            assert!(Words::read(good[..end].to_vec()).is_err(), "{end}");
        }
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x55;
            assert!(Words::read(bad).is_err(), "{at}");
        }
    }
}
