//! Beginnings of words in a question, and words that no document has.

use super::score::Size;
use super::search::Search;
use super::terms::Known;
use crate::{Analyzer, Language, Query, Result};

/// How many words a beginning stands for at most.
const COMPLETIONS: usize = 64;

/// By how many words one that no document has is replaced at most.
const CORRECTIONS: usize = 3;

/// What a correction counts by how many letters it differs.
const WEIGHTS: [f64; 3] = [1.0, 0.8, 0.6];

/// The shortest word that is corrected, in characters, and the shortest that may differ by two.
const SHORTEST: usize = 4;
const LONG: usize = 8;

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
        let Some(word) = written(query.typed(place)) else {
            continue;
        };
        let words = nearest(search, &word).await?;
        has_corrected |= !words.is_empty();
        query.correct(place, words, languages);
    }
    Ok(has_corrected)
}

/// Returns the words that are nearest to one, with what each counts.
async fn nearest(search: &mut Search<'_>, word: &str) -> Result<Vec<(String, f64)>> {
    let letters = word.chars().count();
    if letters < SHORTEST || !word.chars().all(char::is_alphabetic) {
        return Ok(Vec::new());
    }
    let most = if letters < LONG { 1 } else { 2 };
    for distance in 1..=most {
        let found = search.similar(word, distance, CORRECTIONS).await?;
        if !found.is_empty() {
            let weighed = found
                .into_iter()
                .map(|of| (of.word, WEIGHTS[usize::from(of.distance)]));
            return Ok(weighed.collect());
        }
    }
    Ok(Vec::new())
}

/// Returns how the words of documents are written of which one was typed; nothing for several.
fn written(typed: &str) -> Option<String> {
    match &*Analyzer::english().words(typed) {
        [(only, _)] => Some(only.clone()),
        _ => None,
    }
}

/// Notes how many chunks hold each word. The ways to complete or correct a word weigh as much as the
/// most common of them, so that a rare one does not come first for being rare.
pub(super) fn weigh(query: &mut Query, known: &Known, size: &Size) {
    query.weigh(|terms| known.chunks(terms), |chunks| size.idf(chunks));
}
