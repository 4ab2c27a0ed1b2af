//! What documents have for the words of a question, and what stands for those that none has.

use super::variants::{OTHER_NOTATION, condition, distinct, has_stops, with_parts};
use super::whole::prefer_whole;
use super::{NAMED, Query};
use crate::{Analyzer, Language, Variant, WordKind};

impl Query {
    /// Looks no longer for the parts of an identifier in a row where the index has it whole: that is how
    /// documents write it. Numbers are written in either way, and names with full stops are in titles. What has less of
    /// the word counts as a part of it then.
    pub(crate) fn settle(&mut self, chunks: impl Fn(&Variant) -> u64) {
        for place in self.places(|word| word.kind == WordKind::Word) {
            let clause = &mut self.clauses.scored[place];
            let variants = &mut clause.variants;
            prefer_whole(&clause.typed, variants, &chunks);
            // The beginning of a version is a part of it, too.
            let is_of_name = |of: &Variant| {
                let is_number = of.terms.iter().any(|term| term.contains('.'));
                !is_number && of.within_compounds().is_none()
            };
            let is_identifier = variants.iter().any(|of| of.part > 0 && is_of_name(of));
            let may_settle = is_identifier && !has_stops(&clause.typed);
            let is_whole = |of: &Variant| of.terms.len() == 1 && of.weight >= 1.0;
            if may_settle && variants.iter().any(|of| is_whole(of) && chunks(of) > 0) {
                variants.retain(|of| of.terms.len() == 1 || of.weight < 1.0);
                self.reading.words[place].terms = variants.iter().map(Variant::shown).collect();
            }
        }
    }

    /// Returns the places of the words that rank and that no chunk holds in full, nor within a German compound, be it that
    /// some hold their parts.
    pub(crate) fn unknown(&self, chunks: impl Fn(&Variant) -> u64) -> Vec<usize> {
        let scored = &self.clauses.scored;
        let words = self.places(|word| word.kind == WordKind::Word);
        let is_unknown = |&place: &usize| {
            let is_less =
                |of: &Variant| of.weight < OTHER_NOTATION && of.within_compounds().is_none();
            let mut variants = scored[place].variants.iter();
            variants.all(|of| is_less(of) || chunks(of) == 0)
        };
        words.into_iter().filter(is_unknown).collect()
    }

    /// Counts the words that rank and that chunks hold as they were typed.
    pub(crate) fn held_words(&self, chunks: impl Fn(&Variant) -> u64) -> usize {
        let words = self.places(|word| word.kind == WordKind::Word).len();
        words - self.unknown(chunks).len()
    }

    /// Returns the places of the words of which no chunk holds anything, nor what they were corrected to.
    pub(crate) fn not_held(&self, chunks: impl Fn(&Variant) -> u64) -> Vec<usize> {
        let mut places =
            self.places(|word| matches!(word.kind, WordKind::Corrected | WordKind::Unknown));
        places.retain(|&place| {
            let mut variants = self.clauses.scored[place].variants.iter();
            variants.all(|of| chunks(of) == 0)
        });
        places
    }

    /// Returns the places of the words for which two in a row stand: `name space` for `namespace`.
    pub(crate) fn in_two(&self) -> Vec<usize> {
        self.places(|word| {
            let is_row = matches!(&*word.searched_for, [only] if only.contains(' '));
            word.kind == WordKind::Corrected && is_row
        })
    }

    /// Returns the places of the words that rank and that were typed in plain letters alone, be it with something elided.
    pub(crate) fn in_plain_letters(&self) -> Vec<usize> {
        let is_mark = |of: char| matches!(of, '\'' | '\u{2019}');
        let is_plain = |of: &str| of.chars().all(|of| of.is_ascii_alphabetic() || is_mark(of));
        self.places(|word| word.kind == WordKind::Word && is_plain(&word.typed))
    }

    /// Lets variants stand for a word too, beside what it was typed as.
    pub(crate) fn widen(&mut self, place: usize, variants: Vec<Variant>) {
        let known = std::mem::take(&mut self.clauses.scored[place].variants);
        let all = distinct(known.into_iter().chain(variants));
        self.reading.words[place].terms = all.iter().map(Variant::shown).collect();
        self.clauses.scored[place].variants = all;
    }

    /// Lets words of the documents, each with what it counts, stand for a word that none has.
    pub(crate) fn correct(
        &mut self,
        place: usize,
        words: Vec<(String, f64)>,
        languages: &[Language],
        chunks: impl Fn(&Variant) -> u64,
    ) {
        if !words.is_empty() {
            self.reading.words[place].kind = WordKind::Corrected;
            return self.replace(place, words, languages);
        }
        let mut variants = self.clauses.scored[place].variants.iter();
        if variants.all(|of| chunks(of) == 0) {
            self.reading.words[place].kind = WordKind::Unknown;
        }
    }

    /// Lets words of the documents, each with what it counts, stand for what was typed at a place.
    pub(crate) fn replace(
        &mut self,
        place: usize,
        words: Vec<(String, f64)>,
        languages: &[Language],
    ) {
        let is_beginning = self.reading.words[place].kind == WordKind::Beginning;
        let variants = words.iter().flat_map(|(word, weight)| {
            // Two words are what documents write for one only where they stand in a row, and the parts of a word do not
            // begin as it does.
            let variants = match &*Analyzer::readings(word, languages) {
                [only] if !is_beginning => with_parts(only),
                _ => condition(word, false, languages),
            };
            variants.into_iter().map(move |variant| Variant {
                weight: variant.weight * weight,
                ..variant
            })
        });
        let variants = distinct(variants);
        let word = &mut self.reading.words[place];
        word.terms = variants.iter().map(Variant::shown).collect();
        word.searched_for = words
            .into_iter()
            .map(|(word, _)| word)
            .take(NAMED)
            .collect();
        self.clauses.scored[place].variants = variants;
    }
}
