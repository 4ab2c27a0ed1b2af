//! Words of a family: who asks for an `explanation` is answered by what `explains`.

use super::Query;
use super::variants::OTHER_NOTATION;
use crate::{Analyzer, Language, Languages, Variant, WordKind, WordReading};

/// What the relative of a word counts, where the word counts 1, and what it counts where no document has the word.
const BESIDE: f64 = 0.5;
const ALONE: f64 = 0.8;

/// How many words of a question have relatives at most: each is one more to look up.
const MOST: usize = 8;

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
    /// Lets the relatives of English words rank, too, until [`settle_relatives`](Self::settle_relatives) says which of
    /// them documents have. A required word is the word itself.
    pub(super) fn add_relatives(&mut self, languages: &[Language]) {
        let is_other = |of: Language| of != Language::English;
        let has_english = languages.is_empty() || languages.contains(&Language::English);
        if !has_english || self.clauses.language.is_some_and(is_other) {
            return;
        }
        let is_only = !languages.iter().copied().any(is_other);
        let english = Languages::only(Language::English);
        let languages = if is_only { Languages::ALL } else { english };
        let may_have =
            |word: &WordReading| word.kind == WordKind::Word && !self.is_required(&word.typed);
        for place in self.places(may_have) {
            if self.relatives.len() == MOST {
                break;
            }
            let relative = Analyzer::relative(&self.clauses.scored[place].typed);
            let Some((word, term)) = relative.filter(|(_, term)| !self.asks_for(term)) else {
                continue;
            };
            let variant = Variant::term(&term, BESIDE, languages);
            self.clauses.scored[place].variants.push(variant);
            self.relatives.push(Relative { place, word, term });
        }
    }

    /// Keeps the relatives that documents have, each below the word that was typed. Where no document has that, the
    /// relative stands for it. Says whether one does.
    pub(crate) fn settle_relatives(
        &mut self,
        languages: &[Language],
        chunks: impl Fn(&Variant) -> u64,
        idf: impl Fn(u64) -> f64,
    ) -> bool {
        let mut is_any_alone = false;
        for relative in std::mem::take(&mut self.relatives) {
            let place = relative.place;
            let variants = &mut self.clauses.scored[place].variants;
            let typed = variants.iter().filter(|of| of.weight >= OTHER_NOTATION);
            let typed = typed.map(&chunks).max().unwrap_or_default();
            let of_relative = variants.iter().find(|of| relative.is(of));
            match (typed, of_relative.map_or(0, &chunks)) {
                (_, 0) => variants.retain(|of| !relative.is(of)),
                (0, _) => {
                    let words = vec![(relative.word, ALONE)];
                    self.correct(place, words, languages, &chunks);
                    is_any_alone = true;
                }
                (typed, held) => {
                    // A rare relative would weigh more than a common word.
                    let most = (idf(typed) / idf(held)).min(1.0);
                    for variant in variants.iter_mut().filter(|of| relative.is(of)) {
                        variant.weight *= most;
                    }
                    let terms = variants.iter().map(Variant::shown).collect();
                    self.reading.words[place].terms = terms;
                }
            }
        }
        is_any_alone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the ways to write each word of a question, where documents have some terms in so many chunks.
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
    fn only_words_of_english_have_relatives_and_none_that_is_asked_for_or_required() {
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
