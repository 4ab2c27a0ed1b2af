//! What the words of a question weigh, by how rare they are.

use super::Query;
use super::asked_name::is_one_of;
use super::identifiers::is_identifier;
use super::variants::{held, level};
use super::whole::{has_whole, limit_less, prefer_whole_alone};
use super::within_compounds::limit_within;
use crate::{Analyzer, Language, Variant, WordKind};

/// What a word weighs that stands in a tenth of the chunks, by the IDF of BM25: one that weighs less says little.
const IN_A_TENTH: f64 = std::f64::consts::LN_10;

/// What a word weighs that stands in one of 200 chunks: one that weighs more is rare.
const IN_ONE_OF_200: f64 = 5.3;

/// How many times as much as a word all of a question may weigh, where the word says enough alone.
const SUFFICIENT: f64 = 4.0;

/// The fewest words of a question of which one may say enough alone: of two, the other one is half of what is asked, unless
/// the rare one is a name of source code, as in `importance of globalThis`.
const FEWEST_OF_SUFFICIENT: usize = 3;

impl Query {
    /// Notes how many chunks hold each word; lets the words that stand for one weigh alike.
    pub(crate) fn weigh(&mut self, chunks: impl Fn(&Variant) -> u64, idf: impl Fn(u64) -> f64) {
        self.weigh_joined(&chunks, &idf);
        self.weights.clear();
        let mut guessed = Vec::new();
        let told = self.weighing();
        for place in 0..self.clauses.scored.len() {
            let clause = &self.clauses.scored[place];
            let language = told_by(told, &clause.variants, &chunks);
            let word = &mut self.reading.words[place];
            word.chunks = held(&clause.variants, language, &chunks);
            if word.kind == WordKind::Corrected && word.chunks == 0 {
                // The words of documents that are gone are known for a while.
                word.kind = WordKind::Unknown;
                word.searched_for.clear();
            }
            self.weights.push(clause.weight * idf(word.chunks));
            if matches!(word.kind, WordKind::Beginning | WordKind::Corrected) {
                let is_guess = self.weigh_found(place, language, &chunks, &idf);
                guessed.extend(is_guess.then_some(place));
            } else {
                self.weigh_typed(place, language, &chunks, &idf);
            }
        }
        self.limit_guesses(&guessed);
        self.limit_markers(&chunks, &idf);
        self.limit_asking();
        self.limit_asking_for_name(&idf);
        self.note_sufficient(&chunks, idf);
        self.note_beginnings(&chunks);
        self.note_compounds(&chunks);
        self.note_flags(chunks);
    }

    /// Lets the ways to write the word at a place weigh alike.
    fn weigh_typed(
        &mut self,
        place: usize,
        language: Option<Language>,
        chunks: impl Fn(&Variant) -> u64,
        idf: impl Fn(u64) -> f64,
    ) {
        let is_alone = self.clauses.scored.len() == 1;
        let variants = std::mem::take(&mut self.clauses.scored[place].variants).into_iter();
        let is_joined = |of: &Variant| stands_for_several(&self.joined, place, of);
        let (joined, mut own): (Vec<_>, Vec<_>) = variants.partition(is_joined);
        if is_alone {
            prefer_whole_alone(&mut own, &chunks);
        }
        level(&mut own, language, &chunks, &idf);
        limit_within(&mut own, &chunks, &idf);
        limit_less(&mut own, &chunks, &idf);
        own.extend(joined);
        self.clauses.scored[place].variants = own;
    }

    /// Lets the words that stand for the one at a place weigh alike, and returns whether it only resembles all of them. The
    /// parts of what was corrected are words like others.
    fn weigh_found(
        &mut self,
        place: usize,
        language: Option<Language>,
        chunks: impl Fn(&Variant) -> u64,
        idf: impl Fn(u64) -> f64,
    ) -> bool {
        let held = self.reading.words[place].chunks;
        let variants = std::mem::take(&mut self.clauses.scored[place].variants).into_iter();
        let (mut whole, mut parts): (Vec<_>, Vec<_>) = variants.partition(|of| of.part == 0);
        let is_guess = whole.iter().all(|of| of.weight < 1.0);
        for variant in &mut whole {
            variant.weight *= idf(held) / idf(chunks(variant));
        }
        level(&mut parts, language, &chunks, &idf);
        whole.append(&mut parts);
        limit_within(&mut whole, chunks, idf);
        self.clauses.scored[place].variants = whole;
        is_guess
    }

    /// Returns the language in which words weigh what they do: that of the question, unless so few documents are in it that
    /// a common word is rare there.
    fn weighing(&self) -> Option<Language> {
        let told = self.clauses.language;
        told.filter(|of| !self.shares.has_few(*of))
    }

    /// Lets what only resembles a word weigh no more than the weightiest of those that documents have. Beside words that
    /// say little it weighs half of what it would alone, but then no more than a word in a tenth of the chunks.
    fn limit_guesses(&mut self, guessed: &[usize]) {
        let exact = self.places(|word| word.kind == WordKind::Word && word.chunks > 0);
        let exact = exact.into_iter().map(|place| self.weights[place]);
        let Some(most) = exact.reduce(f64::max) else {
            return;
        };
        for &place in guessed {
            let half = self.weights[place] / 2.0;
            self.limit(place, most.max(half.min(IN_A_TENTH)));
        }
    }

    /// Notes the rare words that are much of the question: a text with such a one alone, as `what is the mechanism of action
    /// of peresolimab` has it, is asked for rather than one with the common words.
    fn note_sufficient(&mut self, chunks: impl Fn(&Variant) -> u64, idf: impl Fn(u64) -> f64) {
        let words = self.places(|word| word.kind != WordKind::Phrase && word.chunks > 0);
        let all: f64 = words.iter().map(|place| self.weights[*place]).sum();
        let has_several = words.len() >= FEWEST_OF_SUFFICIENT;
        let is_name = |place: usize| {
            let variants = &self.clauses.scored[place].variants;
            is_identifier(self.typed(place)) && has_whole(variants, &chunks)
        };
        let is_sufficient = |place: &usize| {
            let word = &self.reading.words[*place];
            // Pairs of characters are parts of words, and so is what a compound was split into.
            let is_part = self.clauses.scored[*place].weight < 1.0;
            let is_word = word.kind == WordKind::Word && !Analyzer::is_unspaced(&word.typed);
            let is_rare = idf(word.chunks) >= IN_ONE_OF_200;
            let is_much = self.weights[*place] * SUFFICIENT >= all;
            is_word && !is_part && is_rare && is_much && (has_several || is_name(*place))
        };
        let sufficient: Vec<usize> = words.into_iter().filter(is_sufficient).collect();
        let typed = sufficient.iter().map(|place| self.typed(*place).to_owned());
        self.reading.sufficient = typed.collect();
        self.clauses.sufficient = sufficient;
    }

    /// Lets each of some words in plain letters weigh no more than a share of what the least of the others weighs.
    pub(super) fn limit_to_share(&mut self, words: &[String], share: f64) {
        let all = self.reading.words.iter().enumerate();
        let held = all.filter(|(_, of)| of.kind != WordKind::Phrase && of.chunks > 0);
        let (limited, others): (Vec<_>, Vec<_>) =
            held.partition(|(_, of)| is_one_of(words, &of.typed));
        let least = others.iter().map(|(place, _)| self.weights[*place]);
        let Some(least) = least.reduce(f64::min) else {
            return;
        };
        let limited: Vec<usize> = limited.into_iter().map(|(place, _)| place).collect();
        for place in limited {
            self.limit(place, least * share);
        }
    }

    /// Lets what was typed at a place weigh no more than so much.
    fn limit(&mut self, place: usize, most: f64) {
        let factor = (most / self.weights[place]).min(1.0);
        self.weights[place] *= factor;
        for variant in &mut self.clauses.scored[place].variants {
            variant.weight *= factor;
        }
    }

    /// Lets words as one weigh in each of their clauses no more than the word that was typed, so that they never count
    /// more than all of them apart. A word of letters that stands for several weighs as much as each: however common it is,
    /// it is all of them, and comes before what has only the rarest. Where no chunk has a word that was typed, each gets its
    /// share of what they are as one.
    fn weigh_joined(&mut self, chunks: impl Fn(&Variant) -> u64, idf: impl Fn(u64) -> f64) {
        let told = self.weighing();
        let all = &self.joined;
        for (place, joined) in all {
            let variants = &mut self.clauses.scored[*place].variants;
            let language = told_by(told, variants, &chunks);
            let is_typed =
                |of: &&Variant| of.is_of(language) && !stands_for_several(all, *place, of);
            let typed = variants.iter().filter(is_typed).map(&chunks).max();
            let places = all.iter().filter(|(_, terms)| terms == joined).count();
            let is_word = matches!(&**joined, [only] if Analyzer::is_of_letters(only));
            let most = if is_word && places > 1 {
                f64::INFINITY
            } else {
                1.0
            };
            for variant in variants.iter_mut().filter(|of| of.terms == *joined) {
                variant.weight *= match typed.unwrap_or_default() {
                    0 => 1.0 / places as f64,
                    typed => (idf(typed) / idf(chunks(variant))).min(most),
                };
            }
        }
    }
}

/// Returns whether a way to write the word at a place is that of several words as one.
fn stands_for_several(joined: &[(usize, Vec<String>)], place: usize, variant: &Variant) -> bool {
    let mut joined = joined.iter();
    joined.any(|(of, terms)| *of == place && *terms == variant.terms)
}

/// Returns the language of a question, if some chunk holds what a word is in that language.
fn told_by(
    told: Option<Language>,
    variants: &[Variant],
    chunks: impl Fn(&Variant) -> u64,
) -> Option<Language> {
    let is_held = |of: &Variant| of.is_of(told) && chunks(of) > 0;
    told.filter(|_| variants.iter().any(is_held))
}
