//! Words of a text that signs join: tokens, and numbers between colons.

use sectile_core::Span;

use super::Words;
use super::side_by_side::whole;
use crate::query::tokens::{Token, tokens};
use crate::query::{colons, names};
use crate::{AnalyzedWord, Language};

/// The most phrases in quotes, tokens and words between colons that are looked for in a row, which takes more than to look
/// for each word.
pub(super) const MOST_PHRASES: usize = 32;

/// The words of a text that signs join.
#[derive(Debug, Default)]
pub(super) struct JoinedBySigns {
    pub(super) tokens: Vec<Token>,
    between_colons: Vec<colons::Run>,
}

impl JoinedBySigns {
    /// Returns the numbers between colons that the word at a place is one of.
    fn numbers_at(&self, place: usize) -> Option<&colons::Run> {
        colons::numbers_at(&self.between_colons, place)
    }

    /// Returns whether the word at a place is a number behind another one and a colon.
    pub(super) fn is_behind_colon(&self, place: usize) -> bool {
        let run = self.numbers_at(place);
        run.is_some_and(|run| run.words.start < place)
    }

    /// Returns what each of so many clauses of the word at a place counts, if it is one of several that count as one word
    /// together.
    pub(super) fn share(&self, place: usize, clauses: usize) -> Option<f64> {
        let mut of_word = self.tokens.iter().filter(|of| of.words.contains(&place));
        let share = of_word.find_map(|of| of.share(clauses));
        share.or_else(|| self.numbers_at(place).map(colons::Run::share))
    }
}

impl Words<'_> {
    /// Lets a word and the one before it, by their places and spans, be one where a sign joins the two.
    pub(super) fn join_by_sign(
        &mut self,
        text: &str,
        before: Option<(usize, Span)>,
        (place, span): (usize, Span),
        languages: &[Language],
    ) {
        if let Some((first, before)) = before
            && let Some(joined) = names::joined_by_sign(text, before, span)
        {
            self.join([first, place], &whole(&joined, languages));
        }
    }

    /// Finds the words of a text that signs join, unless there are many.
    pub(super) fn joined_by_signs(
        &mut self,
        text: &str,
        words: &[(AnalyzedWord, bool)],
        languages: &[Language],
    ) -> JoinedBySigns {
        let between_colons = self.between_colons(text, words);
        let tokens = self.tokens(text, words, &between_colons, languages);
        self.add_between_colons(text, words, &between_colons, &tokens);
        JoinedBySigns {
            tokens,
            between_colons,
        }
    }

    /// Returns the words that colons join, unless there are many.
    fn between_colons(&mut self, text: &str, words: &[(AnalyzedWord, bool)]) -> Vec<colons::Run> {
        let words: Vec<Span> = words.iter().map(|(word, _)| word.span).collect();
        let mut runs = colons::runs(text, &words);
        runs.truncate(MOST_PHRASES.saturating_sub(self.phrases));
        self.phrases += runs.len();
        runs
    }

    /// Returns the tokens of several words in a text, unless there are many. Numbers between colons are rows already.
    fn tokens(
        &mut self,
        text: &str,
        words: &[(AnalyzedWord, bool)],
        between_colons: &[colons::Run],
        languages: &[Language],
    ) -> Vec<Token> {
        let words: Vec<&AnalyzedWord> = words.iter().map(|(word, _)| word).collect();
        let mut tokens = tokens(text, &words, self.traits.is_of_one_item, languages);
        tokens.retain(|token| {
            let mut places = token.words.clone();
            !places.any(|at| colons::numbers_at(between_colons, at).is_some())
        });
        tokens.truncate(MOST_PHRASES.saturating_sub(self.phrases));
        self.phrases += tokens.len();
        tokens
    }

    /// Notes the words that colons join, but for those of tokens.
    fn add_between_colons(
        &mut self,
        text: &str,
        words: &[(AnalyzedWord, bool)],
        runs: &[colons::Run],
        tokens: &[Token],
    ) {
        let words: Vec<Span> = words.iter().map(|(word, _)| word.span).collect();
        let is_token = |run: &&colons::Run| {
            let mut tokens = tokens.iter();
            tokens.any(|token| token.words.contains(&run.words.start))
        };
        let others = runs.iter().filter(|run| !is_token(run));
        self.between_colons
            .extend(others.map(|run| run.row(text, &words)));
    }
}
