//! Words that no document has and that are made of two that documents have.

use super::search::Search;
use super::spelling::has_stop_word;
use super::terms::Segments;
use crate::{Analyzer, Clause, Clauses, Language, Query, Result, Variant};

/// Languages that write compounds as one word, which are said as several words elsewhere: `Abfallentsorgung` is `die
/// Entsorgung von Abfall`.
const JOINING: &[Language] = &[
    Language::Danish,
    Language::Dutch,
    Language::Estonian,
    Language::Finnish,
    Language::German,
    Language::Hungarian,
    Language::Norwegian,
    Language::Swedish,
];

/// The fewest letters of each of the two, and the most of both.
const SHORTEST: usize = 4;
const LONGEST: usize = 40;

/// How many words of a question are taken for compounds at most: the halves of each are looked up.
const MOST: usize = 8;

/// What each of the two counts of what the whole does.
const SHARE: f64 = 0.5;

/// Lets the two words that a compound is made of rank, and more where they stand in a row, and says whether there were any:
/// where it is one of the words that nothing holds, or for which only two in a row stand.
pub(super) async fn take_apart(
    search: &mut Search<'_>,
    segments: &mut Segments,
    query: &mut Query,
    unknown: &[usize],
    languages: &[Language],
) -> Result<bool> {
    let joining: Vec<Language> = languages
        .iter()
        .copied()
        .filter(|of| JOINING.contains(of))
        .collect();
    if joining.is_empty() {
        return Ok(false);
    }
    let told = query.clauses().language;
    let may_join = told.is_none_or(|of| JOINING.contains(&of));
    let in_two = if may_join { query.in_two() } else { Vec::new() };
    let mut places: Vec<usize> = unknown.iter().take(MOST).copied().collect();
    places.extend(in_two.iter().take(MOST));
    places.sort_unstable();
    places.dedup();
    let mut is_any = false;
    // From the last on, as the places of those before stay.
    for place in places.into_iter().rev() {
        let word = query.typed(place).to_lowercase();
        let Some(halves) = halves(search, segments, &word, &joining).await? else {
            continue;
        };
        let mut rows = Variant::in_a_row(&halves.join(" "), languages);
        if in_two.contains(&place) {
            rows.extend(query.clauses().scored[place].variants.iter().cloned());
        }
        let before = query.clauses().scored.len();
        if query.take_apart(place, &halves, SHARE, languages) {
            is_any = true;
            let added = query.clauses().scored.len() - before;
            for half in place..=place + added {
                query.widen(half, rows.clone());
            }
        }
    }
    Ok(is_any)
}

/// Splits a compound into two words that documents have in some form: those of which the rarer one is the most frequent.
async fn halves(
    search: &mut Search<'_>,
    segments: &mut Segments,
    word: &str,
    languages: &[Language],
) -> Result<Option<[String; 2]>> {
    let splits = splits(word);
    let sides = splits.iter().flat_map(|(first, second)| [first, second]);
    let clauses = Clauses {
        scored: sides.map(|side| clause(side, languages)).collect(),
        ..Clauses::default()
    };
    let known = segments.known(search.reader, &clauses).await?;
    let count = |clause: &Clause| {
        let counts = clause.variants.iter().map(|of| known.chunks_with(of));
        counts.max().unwrap_or_default()
    };
    let counts = clauses
        .scored
        .chunks(2)
        .map(|of| of.iter().map(count).min());
    let counted = counts.zip(splits).filter(|(_, (first, second))| {
        !has_stop_word(first, languages) && !has_stop_word(second, languages)
    });
    let best = counted.max_by_key(|(count, _)| *count);
    let best = best.filter(|(count, _)| count.is_some_and(|count| count > 0));
    Ok(best.map(|(_, (first, second))| [first, second].map(str::to_owned)))
}

/// Returns the ways to split a word of letters in two.
fn splits(word: &str) -> Vec<(&str, &str)> {
    let letters = word.chars().count();
    let is_word = Analyzer::is_of_letters(word);
    if !is_word || !(2 * SHORTEST..=LONGEST).contains(&letters) {
        return Vec::new();
    }
    let places = word.char_indices().map(|(at, _)| at);
    let places = places.skip(SHORTEST).take(letters + 1 - 2 * SHORTEST);
    places.map(|at| word.split_at(at)).collect()
}

/// Returns a half as documents have it: as a word, or as its own parts in a row where it is a compound, too.
fn clause(half: &str, languages: &[Language]) -> Clause {
    let read = Analyzer::readings(half, languages).into_iter();
    let ways = read.flat_map(|word| word.alternatives);
    let sequences = ways.flat_map(|way| way.sequences);
    Clause {
        typed: half.to_owned(),
        weight: 1.0,
        variants: sequences.map(Variant::of).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_split_where_both_halves_are_long() {
        assert_eq!(
            splits("türblätter"),
            [("türb", "lätter"), ("türbl", "ätter"), ("türblä", "tter")]
        );
        assert_eq!(splits("abcdefgh"), [("abcd", "efgh")]);
        for word in ["abcdefg", "abcd-efgh", "", &"x".repeat(41)] {
            assert_eq!(splits(word), [], "{word}");
        }
    }
}
