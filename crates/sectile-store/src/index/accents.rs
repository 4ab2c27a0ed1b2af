//! Words of a question that were typed without their accents.

use super::held::Known;
use super::reader::IndexReader;
use super::terms::Segments;
use crate::{Analyzer, Clause, Clauses, Language, Languages, Query, Result, Variant};

/// How many words of a question are looked at at most: some terms are looked up for each.
const MOST: usize = 8;

/// What a word with accents counts where documents have the one without, too.
const SHARE: f64 = 0.8;

/// Lets the words with accents that documents have stand for those of a question that has none, in the language of
/// the question. Where that tells another, or English, it is the only language of the documents but English.
pub(super) async fn restore(
    reader: &mut dyn IndexReader,
    segments: &mut Segments,
    query: &mut Query,
    known: &mut Known,
    languages: &[Language],
) -> Result<()> {
    let Some(language) = language_of(query, languages) else {
        return Ok(());
    };
    let is_english = query.clauses().language == Some(Language::English);
    let mut found = Vec::new();
    for place in query.in_plain_letters().into_iter().take(MOST) {
        let variants = &query.clauses().scored[place].variants;
        let is_held = variants.iter().any(|of| known.chunks_with(of) > 0);
        // A word of English stands for itself, if documents have it.
        if is_held && is_english {
            continue;
        }
        let weight = if is_held { SHARE } else { 1.0 };
        let word = Analyzer::without_elision(query.typed(place), &[language]);
        let terms = Analyzer::accented(word, language);
        let variant = |term: &String| Variant::term(term, weight, Languages::only(language));
        found.push((place, terms.iter().map(variant).collect::<Vec<_>>()));
    }
    if found.is_empty() {
        return Ok(());
    }
    let clause = |(_, variants): &(usize, Vec<Variant>)| Clause {
        typed: String::new(),
        weight: 1.0,
        variants: variants.clone(),
    };
    let clauses = Clauses {
        scored: found.iter().map(clause).collect(),
        ..Clauses::default()
    };
    let looked_up = segments.words(reader, &clauses).await?;
    for (place, mut variants) in found {
        variants.retain(|of| looked_up.chunks_with(of) > 0);
        if !variants.is_empty() {
            query.widen(place, variants);
        }
    }
    known.extend(looked_up);
    Ok(())
}

/// Returns the language in which words may have lost their accents: none where a question has some.
fn language_of(query: &Query, languages: &[Language]) -> Option<Language> {
    let is_plain = |letter: char| letter.is_ascii() || letter == '\u{2019}';
    let mut scored = query.clauses().scored.iter();
    let are_plain = scored.all(|of| of.typed.chars().all(is_plain));
    let told = query.clauses().language;
    let told = told.filter(|language| *language != Language::English);
    let mut others = languages.iter().filter(|of| **of != Language::English);
    let only = others.next().filter(|_| others.next().is_none()).copied();
    told.or(only).filter(|_| are_plain)
}
