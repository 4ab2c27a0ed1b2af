//! Words that no document has as they were typed, but whose parts are there.

use super::variants::{clauses_of, is_compound};
use super::words::MAX_WORDS;
use super::{NAMED, Query, dates, files};
use crate::{Analyzer, Clause, Language, TakenApart, Variant, WordKind, WordReading};

impl Query {
    /// Returns the identifiers that no chunk holds in full while some hold a part, and the dates that none holds, the
    /// last first: each by its place, with what it is made of.
    pub(crate) fn to_take_apart(
        &self,
        languages: &[Language],
        chunks: impl Fn(&Variant) -> u64,
    ) -> Vec<(usize, Vec<String>)> {
        let all = self.clauses.scored.iter().zip(&self.reading.words);
        let apart = all.enumerate().filter_map(|(place, (clause, word))| {
            let is_word = matches!(word.kind, WordKind::Word | WordKind::Corrected);
            let text = word.searched_for.first().unwrap_or(&word.typed);
            let sides = if is_word && has_only_parts(clause, &chunks) {
                sides(text)
            } else if word.kind == WordKind::Unknown {
                dates::components(text, languages)?
            } else {
                return None;
            };
            let is_less = sides.len() > 1 || sides.first().is_some_and(|only| only != text);
            is_less.then_some((place, sides))
        });
        let mut apart: Vec<_> = apart.collect();
        apart.reverse();
        apart
    }

    /// Lets the words that something is made of rank, each with a share of what it counted, and says whether it did:
    /// there may be too many.
    pub(crate) fn take_apart(
        &mut self,
        place: usize,
        words: &[String],
        share: f64,
        languages: &[Language],
    ) -> bool {
        let weight = self.clauses.scored[place].weight * share;
        let clauses: Vec<Clause> = words
            .iter()
            .flat_map(|word| clauses_in(word, weight, languages))
            .collect();
        if clauses.is_empty() || self.clauses.scored.len() + clauses.len() > MAX_WORDS {
            return false;
        }
        self.joined.retain(|(of, _)| *of != place);
        for (of, _) in self.joined.iter_mut().filter(|(of, _)| *of > place) {
            *of += clauses.len() - 1;
        }
        let readings = clauses.iter().map(|of| WordReading::of(of, WordKind::Word));
        let read = self.reading.words.splice(place..=place, readings);
        self.reading.taken_apart.extend(read.map(|word| TakenApart {
            typed: word.typed,
            words: words.iter().take(NAMED).cloned().collect(),
        }));
        self.clauses.scored.splice(place..=place, clauses);
        true
    }
}

/// Returns whether chunks hold a part of a word, while none holds the word. Where each part is a clause of its own,
/// there is nothing to take apart.
fn has_only_parts(clause: &Clause, chunks: impl Fn(&Variant) -> u64) -> bool {
    let mut parts = clause.variants.iter().filter(|of| of.part > 0);
    let first = parts.next().map_or(0, |first| first.part);
    if parts.all(|of| of.part == first) {
        return false;
    }
    let is_held = |of: &Variant| chunks(of) > 0;
    let is_whole_held = clause.variants.iter().any(|of| of.part == 0 && is_held(of));
    !is_whole_held && clause.variants.iter().any(is_held)
}

/// Returns what an identifier is made of: what stands between its full stops, or else its parts. The extension of a
/// file is no word.
fn sides(text: &str) -> Vec<String> {
    let is_name =
        |side: &&str| side.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let mut between: Vec<&str> = text.split('.').filter(is_name).collect();
    if between.len() > 1 {
        if files::extension(text).is_some() {
            between.pop();
        }
        return between.into_iter().map(str::to_owned).collect();
    }
    let parts = Analyzer::parts(text).into_iter();
    parts.map(|part| part.of(text).to_owned()).collect()
}

/// Returns the clauses of the words of a text.
fn clauses_in(text: &str, weight: f64, languages: &[Language]) -> Vec<Clause> {
    let read = Analyzer::readings(text, languages);
    let clauses = read.iter().flat_map(|word| {
        let typed = word.span.of(text);
        let ways = clauses_of(word, typed, languages);
        let parts = if is_compound(typed) { ways.len() } else { 1 };
        ways.into_iter().map(move |variants| Clause {
            typed: typed.to_owned(),
            weight: weight / parts as f64,
            variants,
        })
    });
    clauses.collect()
}
