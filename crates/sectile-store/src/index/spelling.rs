//! Beginnings of words in a question, and words that no document has.

use super::held::Known;
use super::score::Size;
use super::search::Search;
use crate::analyzer::StopWords;
use crate::{Analyzer, Language, Query, Result};

/// How many words a beginning stands for at most.
const COMPLETIONS: usize = 64;

/// By how many words one that no document has is replaced at most.
const CORRECTIONS: usize = 3;

/// How many words are looked at for these.
const LOOKED_AT: usize = 20;

/// What a correction counts by how many letters it differs.
const WEIGHTS: [f64; 3] = [1.0, 0.8, 0.6];

/// The shortest word that is corrected, in characters, and the shortest that may differ by two.
const SHORTEST: usize = 4;
const LONG: usize = 8;

/// The fewest letters of each of two words that were typed as one.
const SHORTEST_OF_TWO: usize = 3;

/// Lets the words that documents have stand for the beginnings of a question.
pub(super) async fn complete(
    search: &mut Search<'_>,
    query: &mut Query,
    languages: &[Language],
) -> Result<()> {
    for place in query.beginnings() {
        let Some(beginning) = written(query.typed(place)) else {
            continue;
        };
        let words = search.beginning_with(&beginning, COMPLETIONS).await?;
        let words = words.into_iter().map(|(word, _)| (word, 1.0)).collect();
        query.replace(place, words, languages);
    }
    Ok(())
}

/// Replaces the words of a question that no document has by the nearest that documents have, and says
/// whether there were any.
pub(super) async fn correct(
    search: &mut Search<'_>,
    query: &mut Query,
    known: &Known,
    languages: &[Language],
) -> Result<bool> {
    let mut has_corrected = false;
    for place in query.unknown(|terms| known.chunks(terms)) {
        let typed = query.typed(place).to_owned();
        let words = corrections(search, known, &typed, languages).await?;
        has_corrected |= !words.is_empty();
        query.correct(place, words, languages, |terms| known.chunks(terms));
    }
    Ok(has_corrected)
}

/// Takes identifiers and dates apart that no document has, and says whether there were any.
pub(super) fn take_apart(query: &mut Query, known: &Known, languages: &[Language]) -> bool {
    let mut is_any = false;
    for (place, sides) in query.to_take_apart(languages, |terms| known.chunks(terms)) {
        is_any |= query.take_apart(place, &sides, 1.0, languages);
    }
    is_any
}

/// Returns words that may be meant by one that no document has, with what each counts: of a compound only
/// the parts are replaced that no document has.
async fn corrections(
    search: &mut Search<'_>,
    known: &Known,
    typed: &str,
    languages: &[Language],
) -> Result<Vec<(String, f64)>> {
    let parts = Analyzer::parts(typed);
    let is_known = |part: &str| {
        let readings = Analyzer::readings(part, languages);
        let alternatives = readings.iter().flat_map(|word| &word.alternatives);
        let mut sequences = alternatives.flat_map(|of| &of.sequences);
        sequences.any(|of| known.chunks(&of.terms) > 0)
    };
    let mut all = vec![(String::new(), 1.0)];
    let mut end = 0;
    for part in &parts {
        let text = part.of(typed);
        let between = &typed[end..part.start];
        end = part.end;
        let found = match written(text) {
            Some(word) if parts.len() == 1 || !is_known(text) => {
                nearest(search, &word, languages).await?
            }
            _ => vec![(text.to_owned(), 1.0)],
        };
        // Of several parts each is replaced by the best word for it.
        let few = if all.len() > 1 { 1 } else { CORRECTIONS };
        let joined = all.iter().flat_map(|(before, weight)| {
            let found = found.iter().take(few);
            found.map(move |(word, of_word)| (format!("{before}{between}{word}"), weight * of_word))
        });
        all = joined.collect();
    }
    let rest = &typed[end..];
    for (word, _) in &mut all {
        word.push_str(rest);
    }
    all.retain(|(word, _)| word != typed);
    Ok(all)
}

/// Returns the words that are nearest to one, with what each counts.
async fn nearest(
    search: &mut Search<'_>,
    word: &str,
    languages: &[Language],
) -> Result<Vec<(String, f64)>> {
    let letters = word.chars().count();
    if letters < SHORTEST || !word.chars().all(char::is_alphabetic) {
        return Ok(Vec::new());
    }
    let is_long = letters >= LONG;
    let most = if is_long { 2 } else { 1 };
    for distance in 1..=most {
        let mut found = search.similar(word, distance, LOOKED_AT).await?;
        found.retain(|of| is_long || begins_alike(word, &of.word));
        found.retain(|of| !Analyzer::english().is_stop_word(&of.word));
        if !found.is_empty() {
            let weighed = found
                .into_iter()
                .take(CORRECTIONS)
                .map(|of| (of.word, WEIGHTS[usize::from(of.distance)]));
            return Ok(weighed.collect());
        }
        // One letter is a typing error; by two letters words differ that have little to do with each other.
        if distance == 1
            && let Some(two) = search.two_words(word, SHORTEST_OF_TWO).await?
            && !has_stop_word(&two, languages)
        {
            return Ok(vec![(two, 1.0)]);
        }
    }
    Ok(Vec::new())
}

/// Says whether one of some words is a stop word: `anyone` is not what `any` and `one` say.
pub(super) fn has_stop_word(words: &str, languages: &[Language]) -> bool {
    let stop_words = StopWords::of(words, languages);
    words.split(' ').any(|word| stop_words.has(word))
}

/// Says whether words have the same first letter, or the first two swapped: nobody mistypes the first of
/// a short word, and another name often differs by it (`docker` and `locker`).
fn begins_alike(word: &str, other: &str) -> bool {
    let first_two = |of: &str| (of.chars().next(), of.chars().nth(1));
    let ((first, second), (other_first, other_second)) = (first_two(word), first_two(other));
    first == other_first || (first, second) == (other_second, other_first)
}

/// Returns how the words of documents are written of which one was typed; nothing for several.
fn written(typed: &str) -> Option<String> {
    let words = Analyzer::english().words(typed);
    let mut words = words.iter();
    let (only, _) = words.next()?;
    words.next().is_none().then(|| only.to_owned())
}

/// Notes how many chunks hold each word. The ways to complete or correct a word weigh as much as the
/// most common of them, so that a rare one does not come first for being rare.
pub(super) fn weigh(query: &mut Query, known: &Known, size: &Size) {
    query.weigh(|terms| known.chunks(terms), |chunks| size.idf(chunks));
}
