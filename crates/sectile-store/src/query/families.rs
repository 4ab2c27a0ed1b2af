//! Words of a family: who asks for an `explanation` is answered by what `explains`, who asks what is `gewählt` by
//! `wählen`, and who has `lost` something by what to do if one `loses` it.

use super::Query;
use super::variants::OTHER_NOTATION;
use crate::{Analyzer, Language, Languages, Variant, WordKind, WordReading};

/// What the relative of a word counts, where the word counts 1, and what it counts where no document has the word.
const BESIDE: f64 = 0.5;
const ALONE: f64 = 0.8;

/// How many relatives the words of a question have at most: each is one more to look up.
const MOST: usize = 16;

/// The languages in which words have relatives.
const LANGUAGES: [Language; 10] = [
    Language::English,
    Language::German,
    Language::Dutch,
    Language::French,
    Language::Spanish,
    Language::Italian,
    Language::Portuguese,
    Language::Swedish,
    Language::Polish,
    Language::Czech,
];

/// A word of the family of one of the question.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Relative {
    /// The place of the word of the question.
    place: usize,
    word: String,
    term: String,
}

impl Relative {
    fn is(&self, variant: &Variant) -> bool {
        matches!(&*variant.terms, [only] if *only == self.term)
    }
}

impl Query {
    /// Lets the relatives of words rank, too, until [`settle_relatives`](Self::settle_relatives) says which of them documents
    /// have. A required word is the word itself.
    pub(super) fn add_relatives(&mut self, languages: &[Language]) {
        let may_have =
            |word: &WordReading| word.kind == WordKind::Word && !self.is_required(&word.typed);
        let places = self.places(may_have);
        let of_question = self.clauses.language;
        for language in LANGUAGES {
            let is_only = languages.iter().all(|of| *of == language);
            let is_there = languages.contains(&language)
                || languages.is_empty() && language == Language::English;
            if !is_there || of_question.is_some_and(|of| of != language) {
                continue;
            }
            let found_in = if is_only {
                Languages::ALL
            } else {
                Languages::only(language)
            };
            for &place in &places {
                // A pasted text has many words.
                if self.relatives.len() == MOST {
                    return;
                }
                self.add_relatives_of(place, language, found_in);
            }
        }
    }

    /// Adds the relatives of the word at a place, as words of a language.
    fn add_relatives_of(&mut self, place: usize, language: Language, found_in: Languages) {
        for (word, term) in Analyzer::relatives(&self.clauses.scored[place].typed, language) {
            if self.relatives.len() < MOST && !self.asks_for(&term) {
                let variant = Variant::term(&term, BESIDE, found_in);
                self.clauses.scored[place].variants.push(variant);
                self.relatives.push(Relative { place, word, term });
            }
        }
    }

    /// Keeps the relatives that documents have, each below the word that was typed. Where no document has that, its
    /// relatives stand for it. Says whether some do.
    pub(crate) fn settle_relatives(
        &mut self,
        languages: &[Language],
        chunks: impl Fn(&Variant) -> u64,
        idf: impl Fn(u64) -> f64,
    ) -> bool {
        let mut is_any_alone = false;
        let mut relatives = std::mem::take(&mut self.relatives);
        relatives.sort_by_key(|of| of.place);
        for of_word in relatives.chunk_by(|one, other| one.place == other.place) {
            is_any_alone |= self.settle_word(of_word, languages, &chunks, &idf);
        }
        is_any_alone
    }

    /// Keeps the relatives of a word that documents have, and returns whether they stand for it.
    fn settle_word(
        &mut self,
        relatives: &[Relative],
        languages: &[Language],
        chunks: impl Fn(&Variant) -> u64,
        idf: impl Fn(u64) -> f64,
    ) -> bool {
        let place = relatives[0].place;
        let variants = &mut self.clauses.scored[place].variants;
        let typed = variants.iter().filter(|of| of.weight >= OTHER_NOTATION);
        let typed = typed.map(&chunks).max().unwrap_or_default();
        let is_relative = |of: &Variant| relatives.iter().any(|relative| relative.is(of));
        variants.retain(|of| !is_relative(of) || chunks(of) > 0);
        let is_held = |of: &&Relative| variants.iter().any(|variant| of.is(variant));
        let held: Vec<&Relative> = relatives.iter().filter(is_held).collect();
        if held.is_empty() {
            return false;
        }
        if typed == 0 {
            let words = held.iter().map(|of| (of.word.clone(), ALONE));
            self.correct(place, words.collect(), languages, chunks);
            return true;
        }
        for variant in variants.iter_mut().filter(|of| is_relative(of)) {
            // A rare relative would weigh more than a common word.
            variant.weight *= (idf(typed) / idf(chunks(variant))).min(1.0);
        }
        self.reading.words[place].terms = variants.iter().map(Variant::shown).collect();
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the spellings of each word of a question; `held` has the number of chunks for each term.
    fn read(text: &str, languages: &[Language], held: &[(&str, u64)]) -> Vec<Vec<String>> {
        let mut query = Query::parse(text, languages).unwrap();
        let chunks = |of: &Variant| {
            let known = held.iter().find(|(term, _)| *term == of.shown());
            known.map_or(0, |(_, chunks)| *chunks)
        };
        query.settle_relatives(languages, chunks, |chunks| 1.0 / chunks as f64);
        let clauses = query.clauses.scored.iter();
        let shown = |of: &Variant| format!("{} {}", of.shown(), of.weight);
        let words = clauses.filter(|of| !of.typed.contains(' '));
        words
            .map(|of| of.variants.iter().map(shown).collect())
            .collect()
    }

    #[test]
    fn a_relative_counts_less_than_the_word_that_was_typed() {
        let held = [("explan", 4), ("explain", 4), ("modul", 1)];
        assert_eq!(
            read("explanation of modules", &[], &held),
            [vec!["explan 1", "explain 0.5"], vec!["modul 1"]]
        );
        let rare = [("explan", 4), ("explain", 1)];
        assert_eq!(
            read("explanation", &[], &rare),
            [["explan 1", "explain 0.125"]]
        );
    }

    #[test]
    fn a_relative_stands_for_a_word_that_no_document_has() {
        let held = [("explain", 4)];
        assert_eq!(read("explanation", &[], &held), [["explain 0.8"]]);
        assert_eq!(read("explanation", &[], &[]), [["explan 1"]]);
    }

    #[test]
    fn forms_of_a_german_verb_are_relatives() {
        let german = [Language::German];
        let read = |held: &[(&str, u64)]| {
            let mut read = read("gewählt", &german, held);
            // As a part of compounds.
            read[0].retain(|of| !of.starts_with('~'));
            read.remove(0)
        };
        assert_eq!(
            read(&[("gewahlt", 4), ("wahl", 4), ("wahlt", 4)]),
            ["gewahlt 1", "wahl 0.5", "wahlt 0.5"]
        );
        assert_eq!(
            read(&[("gewahlt", 4), ("wahl", 4)]),
            ["gewahlt 1", "wahl 0.5"]
        );
        let alone = read(&[("wahl", 4), ("wahlt", 4)]);
        assert!(alone.contains(&"wahl 0.8".to_owned()), "{alone:?}");
        assert!(alone.contains(&"wahlt 0.8".to_owned()), "{alone:?}");
    }

    #[test]
    fn no_word_that_is_asked_for_or_required_is_a_relative() {
        let held = [("explan", 4), ("explain", 4)];
        assert_eq!(
            read("explanation, or explain", &[], &held),
            [["explan 1"], ["explain 1"]]
        );
        for required in ["explanation AND modules", "\"explanation\""] {
            let read = read(required, &[], &held);
            assert!(
                !read[0].iter().any(|of| of.starts_with("explain ")),
                "{required}"
            );
        }
        let german = read("explanation", &[Language::German], &held);
        assert!(german.iter().flatten().all(|of| !of.starts_with("explain")));
    }
}
