//! Words of a question that were typed without their accents.

use super::question_terms::Known;
use super::search::Search;
use super::spelling::{other_forms, plain};
use super::terms::Segments;
use crate::{Analyzer, Clause, Clauses, Form, Language, Languages, Query, Result, Variant};

/// How many words of a question are looked at at most: some terms are looked up for each.
const MOST: usize = 8;

/// What a word with accents counts where documents have the one without, too.
const SHARE: f64 = 0.8;

/// Lets the words with accents that documents have stand for those of a question that has none, as documents write them;
/// in the language of the question, those that rank stand for other forms as well. A question that tells no language, or
/// English, is taken to be in the only language of the documents but English.
pub(super) async fn restore(
    search: &mut Search<'_>,
    segments: &mut Segments,
    query: &mut Query,
    known: &mut Known,
    languages: &[Language],
) -> Result<()> {
    let is_other = |of: &Language| *of != Language::English;
    if !languages.iter().any(is_other) || !is_plain(query) {
        return Ok(());
    }
    let found = scored(search, query, known, languages).await?;
    let excluded = excluded(search, query, known, languages).await?;
    if found.is_empty() && excluded.is_empty() {
        return Ok(());
    }
    let clause = |(_, variants): &(usize, Vec<Variant>)| Clause {
        typed: String::new(),
        weight: 1.0,
        variants: variants.clone(),
    };
    let clauses = Clauses {
        scored: found.iter().chain(&excluded).map(clause).collect(),
        ..Clauses::default()
    };
    let looked_up = segments.words(search.reader, &clauses).await?;
    for (place, mut variants) in found {
        variants.retain(|of| looked_up.chunks_with(of) > 0);
        if !variants.is_empty() {
            query.widen(place, variants);
        }
    }
    for (place, variants) in excluded {
        query.widen_exclusion(place, variants);
    }
    known.extend(looked_up);
    Ok(())
}

/// Returns what words of a question that rank may be, by their places.
async fn scored(
    search: &mut Search<'_>,
    query: &Query,
    known: &Known,
    languages: &[Language],
) -> Result<Vec<(usize, Vec<Variant>)>> {
    let language = language_of(query, languages);
    let unknown = query.unknown(|of| known.chunks_with(of));
    let mut found = Vec::new();
    for place in query.in_plain_letters().into_iter().take(MOST) {
        let is_held = !unknown.contains(&place);
        if is_held && is_english(query) {
            continue;
        }
        let weight = if is_held { SHARE } else { 1.0 };
        let typed = query.typed(place);
        let mut variants = in_language(typed, language, weight);
        variants.extend(as_written(search, typed, languages, weight).await?);
        found.push((place, variants));
    }
    Ok(found)
}

/// Returns what excluded words may be, by their places.
async fn excluded(
    search: &mut Search<'_>,
    query: &Query,
    known: &Known,
    languages: &[Language],
) -> Result<Vec<(usize, Vec<Variant>)>> {
    let mut found = Vec::new();
    for (place, typed) in query.excluded_in_plain_letters().take(MOST) {
        let mut variants = query.clauses().excluded[place].iter();
        if is_english(query) && variants.any(|of| known.chunks_with(of) > 0) {
            continue;
        }
        found.push((place, as_written(search, typed, languages, 1.0).await?));
    }
    Ok(found)
}

/// Returns what a word may be in a language, if it is known, with what it counts.
fn in_language(typed: &str, language: Option<Language>, weight: f64) -> Vec<Variant> {
    let Some(language) = language else {
        return Vec::new();
    };
    let word = Analyzer::without_elision(typed, &[language]);
    let terms = Analyzer::accented(word, language).into_iter();
    let variant = |term: String| Variant::term(&term, weight, Languages::only(language));
    terms.map(variant).collect()
}

/// Returns what documents have that write a word with accents, with what it counts.
async fn as_written(
    search: &mut Search<'_>,
    typed: &str,
    languages: &[Language],
    weight: f64,
) -> Result<Vec<Variant>> {
    let Some(word) = plain(typed, languages) else {
        return Ok(Vec::new());
    };
    // Documents in Vietnamese have each word without its accents, too.
    let is_other = |of: &Language| *of != Language::Vietnamese;
    let languages: Vec<Language> = languages.iter().copied().filter(is_other).collect();
    if languages.is_empty() {
        return Ok(Vec::new());
    }
    let forms = other_forms(search, typed, &word, &languages).await?;
    let read = forms
        .iter()
        .flat_map(|form| Analyzer::readings(form, &languages));
    let ways = read.flat_map(|word| word.alternatives);
    // Within compounds, it counts less than another way to write the word.
    let ways = ways.filter(|way| way.form != Form::Within);
    let sequences = ways.flat_map(|way| way.sequences);
    let single = sequences.filter(|of| of.terms.len() == 1);
    let variant = |sequence| Variant {
        weight,
        ..Variant::of(sequence)
    };
    Ok(single.map(variant).collect())
}

/// Returns whether a question is in English: its words stand for themselves then, if documents have them.
fn is_english(query: &Query) -> bool {
    query.clauses().language == Some(Language::English)
}

/// Returns whether no word of a question has an accent: words may have lost theirs then.
fn is_plain(query: &Query) -> bool {
    let is_plain = |letter: char| letter.is_ascii() || letter == '\u{2019}';
    let mut scored = query.clauses().scored.iter();
    scored.all(|of| of.typed.chars().all(is_plain))
}

/// Returns the language in which words that have lost their accents are looked for in other forms.
fn language_of(query: &Query, languages: &[Language]) -> Option<Language> {
    let told = query.clauses().language;
    let told = told.filter(|language| *language != Language::English);
    let mut others = languages.iter().filter(|of| **of != Language::English);
    let only = others.next().filter(|_| others.next().is_none()).copied();
    told.or(only)
}
