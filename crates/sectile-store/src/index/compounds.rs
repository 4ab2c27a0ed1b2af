//! Words that no document has and that are made of two that documents have.

use super::search::Search;
use super::spelling::has_stop_word;
use super::terms::Segments;
use crate::{Clause, Clauses, Language, Query, Result, Variant};

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

/// Lets the two words that a compound is made of rank, where it is one of the words that nothing holds, and says whether
/// there were any.
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
    let mut is_any = false;
    // From the last on, as the places of those before stay.
    for &place in unknown.iter().take(MOST).rev() {
        let word = query.typed(place).to_lowercase();
        if let Some(halves) = halves(search, segments, &word, &joining).await? {
            is_any |= query.take_apart(place, &halves, SHARE, languages);
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
    let known = segments.words(search.reader, &clauses).await?;
    let count = |clause: &Clause| {
        let counts = clause.variants.iter().map(|of| known.chunks(&of.terms));
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
    let is_word = word.chars().all(char::is_alphabetic);
    if !is_word || !(2 * SHORTEST..=LONGEST).contains(&letters) {
        return Vec::new();
    }
    let places = word.char_indices().map(|(at, _)| at);
    let places = places.skip(SHORTEST).take(letters + 1 - 2 * SHORTEST);
    places.map(|at| word.split_at(at)).collect()
}

/// Returns a half as documents have it alone.
fn clause(half: &str, languages: &[Language]) -> Clause {
    let variants = Variant::in_a_row(half, languages);
    Clause {
        typed: half.to_owned(),
        weight: 1.0,
        variants: variants
            .into_iter()
            .filter(|of| of.terms.len() == 1)
            .collect(),
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
