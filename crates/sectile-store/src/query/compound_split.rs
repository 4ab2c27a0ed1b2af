//! Words that no document has as they were typed, but whose parts are there.

use super::variants::{PART_WEIGHT, clauses_of, is_compound};
use super::words::MAX_WORDS;
use super::{NAMED, Query, dates, files};
use crate::{Analyzer, Clause, Language, TakenApart, Variant, WordKind, WordReading};

/// What something is made of that no document has in full.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Components {
    /// Its place among the words of the question.
    pub(crate) place: usize,
    pub(crate) words: Vec<String>,
    /// What each of them counts of what the whole does.
    pub(crate) share: f64,
}

impl Query {
    /// Returns the components of the identifiers that no chunk holds in full while some hold a part, and of the dates
    /// that none holds, the last first.
    pub(crate) fn to_take_apart(
        &self,
        languages: &[Language],
        chunks: impl Fn(&Variant) -> u64,
    ) -> Vec<Components> {
        let all = self.clauses.scored.iter().zip(&self.reading.words);
        let apart = all.enumerate().filter_map(|(place, (clause, word))| {
            let is_word = matches!(word.kind, WordKind::Word | WordKind::Corrected);
            let text = word.searched_for.first().unwrap_or(&word.typed);
            let (words, share) = if is_word && has_only_parts(clause, &chunks) {
                sides(text)
            } else if word.kind == WordKind::Unknown {
                (dates::components(text, languages)?, 1.0)
            } else {
                return None;
            };
            let is_less = words.len() > 1 || words.first().is_some_and(|only| only != text);
            is_less.then_some(Components {
                place,
                words,
                share,
            })
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

/// Returns what an identifier is made of, and what each of these counts of what it does. Between full stops are names of
/// their own, which count like it; without any it has parts, which count as they do where documents have it. The extension
/// of a file is no word.
fn sides(text: &str) -> (Vec<String>, f64) {
    let is_name =
        |side: &&str| side.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let mut between: Vec<&str> = text.split('.').filter(is_name).collect();
    if between.len() > 1 {
        if files::extension(text).is_some() {
            between.pop();
        }
        return (between.into_iter().map(str::to_owned).collect(), 1.0);
    }
    let parts = Analyzer::parts(text).into_iter();
    let parts: Vec<String> = parts.map(|part| part.of(text).to_owned()).collect();
    let share = if parts.len() > 1 { PART_WEIGHT } else { 1.0 };
    (parts, share)
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
