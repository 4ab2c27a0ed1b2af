//! The words of a segment as they are written, for spellings and beginnings: an automaton that maps each
//! to how often documents have it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use fst::automaton::{Automaton as _, Str};
use fst::{IntoStreamer as _, Map, MapBuilder, Streamer as _};
use levenshtein_automata::{Distance, LevenshteinAutomatonBuilder};

use super::number::unreadable;
use crate::{Error, Result};

/// The shortest and the longest words that are kept, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=40;

/// How many words a segment has at most. Those of documents that are gone stay in it, so that without a
/// bound there would be ever more.
const WORDS: usize = 1 << 20;

/// How many words of a segment are looked at, of those that begin in some way or are like another.
const MOST: usize = 20_000;

/// A word that is spelled like another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The word, in lower case and without accents.
    pub word: String,
    /// How many letters have to be added, left out, changed or swapped with the next.
    pub distance: u8,
    /// How often the collections have it.
    pub count: u64,
}

/// The words of a segment.
#[derive(Debug)]
pub(super) struct Words(Map<Vec<u8>>);

/// Makes the automaton of some words.
pub(super) fn stored(words: &BTreeMap<String, u64>) -> Result<Vec<u8>> {
    let least = least_of(words.values().copied().collect(), WORDS);
    let is_kept = |(word, count): &(&String, &u64)| {
        **count >= least && LENGTHS.contains(&word.chars().count())
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
    /// [`Error::Corrupt`] for bytes that are no automaton.
    pub(super) fn read(stored: Vec<u8>) -> Result<Self> {
        let map = Map::new(stored).map_err(Error::corrupt)?;
        map.as_fst().verify().map_err(Error::corrupt)?;
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

    /// Returns how often documents have a word.
    pub(super) fn count(&self, word: &str) -> u64 {
        self.0.get(word).unwrap_or_default()
    }

    /// Adds those that begin in a way.
    fn add_beginning_with(&self, prefix: &str, words: &mut BTreeMap<String, u64>) -> Result<()> {
        let mut found = self.0.search(Str::new(prefix).starts_with()).into_stream();
        for _ in 0..MOST {
            let Some((word, count)) = found.next() else {
                break;
            };
            add(words, word, count)?;
        }
        Ok(())
    }
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

/// Returns the words of some segments that are spelled like one, the nearest first, then the most
/// frequent; the word itself is not among them.
pub(super) fn similar<'w>(
    segments: impl Iterator<Item = &'w Words>,
    word: &str,
    distance: u8,
    limit: usize,
) -> Result<Vec<Suggestion>> {
    if !LENGTHS.contains(&word.chars().count()) {
        return Ok(Vec::new());
    }
    let dfa = automata(distance).build_dfa(word);
    let mut found: HashMap<String, (u8, u64)> = HashMap::new();
    for segment in segments {
        let mut all = segment.0.search(&dfa).into_stream();
        for _ in 0..MOST {
            let Some((like, count)) = all.next() else {
                break;
            };
            let Distance::Exact(distance @ 1..) = dfa.eval(like) else {
                continue;
            };
            let like = std::str::from_utf8(like).map_err(|_| unreadable())?;
            let known = found.entry(like.to_owned()).or_insert((distance, 0));
            known.1 = known.1.saturating_add(count);
        }
    }
    let suggestion = |(word, (distance, count))| Suggestion {
        word,
        distance,
        count,
    };
    let mut all: Vec<_> = found.into_iter().map(suggestion).collect();
    all.sort_unstable_by(|left, right| {
        let nearest = left.distance.cmp(&right.distance);
        let frequent = nearest.then(right.count.cmp(&left.count));
        frequent.then_with(|| left.word.cmp(&right.word))
    });
    all.truncate(limit);
    Ok(all)
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
) -> Result<Vec<(String, u64)>> {
    let mut found = BTreeMap::new();
    if prefix.is_empty() {
        return Ok(Vec::new());
    }
    for segment in segments {
        segment.add_beginning_with(prefix, &mut found)?;
    }
    let mut all: Vec<_> = found.into_iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all.truncate(limit);
    Ok(all)
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
        assert!(found("inst", 9).into_iter().map(|(word, _)| word).eq(all));
        assert_eq!(found("install", 1), [("install".into(), 8)]);
        assert!(found("", 9).is_empty() && found("zzz", 9).is_empty());
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
