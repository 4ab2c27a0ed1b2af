//! Which other languages a short question may be in as well.

use super::{LEAST_OF_RARE, QuestionWord, languages_that_ask};
use crate::analyzer::language::{Language, Languages};
use crate::analyzer::letters;
use crate::analyzer::shares::LanguageShares;
use crate::analyzer::short::detected;

/// So many stop words tell a language of which a question has other letters, as of a name, too.
const LEAST_BESIDE_OTHER_LETTERS: usize = 3;

/// How sure the detector has to be of a language where documents are in another one that has as many stop words of the
/// question.
const SURE_OF_TWO: f64 = 0.3;

/// The languages in Latin script that have the letters of a question, whether documents are in them or not: a question may
/// be in a language that no document is in.
pub(super) struct Rivals<'q> {
    text: &'q str,
    /// Each with how many words of the question build its sentences, or ask in it.
    all: Vec<(Language, usize)>,
}

impl<'q> Rivals<'q> {
    pub(super) fn of(text: &'q str, words: &[QuestionWord<'_>]) -> Self {
        let letters: Vec<char> = letters::of(text).collect();
        let has_letters = |of: &Language| of.is_latin() && letters::has_all(*of, &letters);
        let words = words.iter();
        let words = words.map(|word| word.stops.or(languages_that_ask(word.typed)));
        let words: Vec<Languages> = words.collect();
        let count = |of| words.iter().filter(|word| word.has(of)).count();
        let all = Language::all().filter(has_letters);
        let all = all.map(|of| (of, count(of))).collect();
        Self { text, all }
    }

    /// Returns whether a language in which `most` words of the question build its sentences, or ask, is more likely than all
    /// others. One that other documents share is no sign.
    pub(super) fn leave(
        &self,
        language: Language,
        most: usize,
        languages: &[Language],
        shares: LanguageShares,
    ) -> bool {
        let has_letters = self.count(language).is_some();
        if most < LEAST_BESIDE_OTHER_LETTERS && !has_letters {
            return false;
        }
        let others = self.all.iter().filter(|(of, _)| *of != language);
        let others = others.map(|&(of, count)| {
            let is_slight = count < LEAST_OF_RARE && shares.is_rare(of);
            (of, if is_slight { count.min(most) } else { count })
        });
        let others: Vec<_> = others.filter(|(_, count)| *count >= most).collect();
        if others.iter().any(|(_, count)| *count > most) {
            return false;
        }
        let equal: Vec<Language> = others.into_iter().map(|(of, _)| of).collect();
        let is_of_documents = |of: &&Language| languages.contains(*of) && !shares.is_rare(**of);
        let of_documents: Vec<&Language> = equal.iter().filter(is_of_documents).collect();
        let is_twin = of_documents.iter().any(|of| of.is_twin(language));
        let is_shared = !of_documents.is_empty();
        let sure = if is_shared { SURE_OF_TWO } else { 0.0 };
        let is_open = is_shared && most == 1 || is_twin;
        equal.is_empty() || !is_open && self.is_likelier(language, equal, sure)
    }

    /// Returns whether the stop words and the letters in a row of the question agree that it is in a language.
    pub(super) fn agree(&self, language: Language) -> bool {
        let Some(own) = self.count(language) else {
            return false;
        };
        let mut others = self.all.iter().filter(|(of, _)| *of != language);
        let is_against = others.any(|&(of, count)| {
            let is_unknown = !of.is_detected() && count >= own.max(1);
            count > own || is_unknown || of.is_twin(language) && count == own
        });
        let others = self.all.iter().map(|(of, _)| *of);
        let others = others.filter(|of| of.is_detected()).collect();
        !is_against && self.is_likelier(language, others, 0.0)
    }

    fn count(&self, language: Language) -> Option<usize> {
        let found = self.all.iter().find(|(of, _)| *of == language);
        found.map(|(_, count)| *count)
    }

    /// Returns whether the letters in a row are those of a language, and not of some others.
    fn is_likelier(&self, language: Language, mut others: Vec<Language>, sure: f64) -> bool {
        let are_known = others.iter().all(|of| of.is_detected());
        others.push(language);
        let found = detected(self.text, &others);
        are_known && found.is_some_and(|(found, how)| found == language && how >= sure)
    }
}
