//! The words of a question, as they are put together into clauses.

use std::collections::HashMap;

use sectile_core::Span;

use super::pairs::{Neighbour, Neighbours};
use super::split::{Item, Role, beginning};
use super::tokens::{Token, tokens};
use super::traits::QuestionTraits;
use super::variants::{
    OTHER_NOTATION, apart, clauses_of, distinct, in_a_row, is_compound, other_notation, variants_of,
};
use super::{Query, colons, dates, names, numbers, pairs, sizes, trimmed};
use crate::analyzer::{StopWords, asking};
use crate::{AnalyzedWord, Analyzer, Clause, Language, Languages, Variant, WordKind, WordReading};

/// The most different words of a question that are searched; what follows is left out.
pub(super) const MAX_WORDS: usize = 256;

/// The most phrases in quotes, tokens and words between colons that are looked for in a row, which takes more than to look
/// for each word.
const MOST_PHRASES: usize = 32;

/// The most words of a number or of a date.
const LONGEST_NUMBER: usize = 5;

/// The most ways to write a number or a unit to which one that is joined is added.
const MOST_JOINED: usize = 8;

/// What a pair of Hiragana counts where others count 1: most are of particles and endings.
const HIRAGANA_SHARE: f64 = 0.5;

/// The words and phrases of a question, each once.
pub(super) struct Words<'q> {
    common: &'q StopWords,
    traits: QuestionTraits,
    clauses: Vec<Clause>,
    kinds: Vec<WordKind>,
    are_common: Vec<bool>,
    /// The place of each by its terms.
    places: HashMap<Vec<Vec<String>>, usize>,
    pub(super) neighbours: Neighbours<'q>,
    /// The terms of words that are joined, with the places of each of the two.
    joined: Vec<(usize, Vec<String>)>,
    /// The runs of text without spaces.
    runs: Vec<String>,
    /// Two words in a row that both count on their own.
    two_in_a_row: Option<String>,
    /// How many phrases in quotes, tokens and rows of words between colons it has so far.
    phrases: usize,
    /// The words in a row that colons join, with what they count so.
    between_colons: Vec<(String, f64)>,
}

impl<'q> Words<'q> {
    pub(super) fn new(stop_words: &'q StopWords, traits: QuestionTraits) -> Self {
        Self {
            common: stop_words,
            traits,
            clauses: Vec::new(),
            kinds: Vec::new(),
            are_common: Vec::new(),
            places: HashMap::new(),
            neighbours: Neighbours::default(),
            joined: Vec::new(),
            runs: Vec::new(),
            two_in_a_row: None,
            phrases: 0,
            between_colons: Vec::new(),
        }
    }

    /// Adds the words of an item; those of one that only asks are as common ones.
    pub(super) fn add(&mut self, item: &Item<'q>, is_asking: bool, languages: &[Language]) {
        if let Some(beginning) = beginning(item) {
            // The index says which words begin so.
            self.push(beginning, WordKind::Beginning, Vec::new(), false, 1.0);
            self.neighbours.part();
            return;
        }
        let number = trimmed(item.text);
        if let Some(ways) = number_in(item, languages) {
            return self.add_ways(number, ways);
        }
        if let Some((number, of)) = numbers::with_stops(trimmed(item.text), languages) {
            return self.add_number_with_stops(trimmed(item.text), &number, of, languages);
        }
        let is_plain = item.role == Role::Scored && !item.is_quoted;
        let mut words = read(item.text, self.traits.has_name && is_plain, languages);
        self.runs.extend(runs(&words, item.text));
        let is_phrase = item.is_quoted && words.len() > 1;
        let (mut between_colons, mut tokens) = (Vec::new(), Vec::new());
        if !is_phrase {
            self.take_dates_before_times(item.text, &mut words, languages);
            between_colons = self.between_colons(item.text, &words);
            tokens = self.tokens(item.text, &words, &between_colons, languages);
            self.add_between_colons(item.text, &words, &between_colons, &tokens);
        }
        let mut end = 0;
        let mut before: Option<(usize, Span)> = None;
        for (at, (word, only_asks)) in words.iter().enumerate() {
            let typed = word.span.of(item.text);
            let is_stop_word = self.common.has(typed);
            let is_common = is_asking
                || is_stop_word && (is_phrase || !self.is_meant(item, typed))
                || *only_asks;
            let mut place = 0;
            let clauses = clauses_of(word, typed, languages);
            let number = colons::numbers_at(&between_colons, at);
            let mut of_word = tokens.iter().filter(|of| of.words.contains(&at));
            let share = match of_word.find_map(|of| of.share(clauses.len())) {
                Some(share) => share,
                None => number.map_or_else(|| share_of(typed, clauses.len()), colons::Run::share),
            };
            let apart = apart(typed, languages);
            let as_one = as_one(word, typed, &clauses);
            for variants in clauses {
                let variants = distinct(variants.into_iter().chain(apart.iter().cloned()));
                place = self.push(typed, WordKind::Word, variants, is_common, share);
                let joined = apart.iter().chain(&as_one);
                self.joined
                    .extend(joined.map(|of| (place, of.terms.clone())));
            }
            if let Some((first, span)) = before.replace((place, word.span))
                && let Some(joined) = names::joined_by_sign(item.text, span, word.span)
            {
                let added = self.add_joined([first, place], &whole(&joined, languages));
                self.joined.extend(added);
            }
            // What a colon parts is no number of several groups.
            if number.is_some_and(|run| run.words.start < at) {
                self.neighbours.part();
            }
            // Pairs of characters overlap, and are in a row anyway.
            if is_phrase || is_asking || word.span.start < end {
                self.neighbours.part();
            } else {
                let is_frame = is_common && self.common.is_frame(typed);
                self.neighbours.add(Neighbour {
                    typed,
                    place,
                    is_listed: is_stop_word,
                    is_common,
                    is_frame,
                });
            }
            end = word.span.end;
        }
        if is_phrase {
            self.add_phrase(item.text, languages);
        }
        for Token { typed, row, .. } in tokens {
            self.push(&typed, WordKind::Phrase, row, false, 1.0);
        }
    }

    /// Adds the dates of points in time, such as `2018-05-04T19:11:18Z`, and takes them out of the words of a text.
    fn take_dates_before_times(
        &mut self,
        text: &str,
        words: &mut Vec<(AnalyzedWord, bool)>,
        languages: &[Language],
    ) {
        let mut spans: Vec<Span> = Vec::new();
        for (word, _) in &*words {
            // Only there a `T` before a word is not a part of one.
            let Some(before) = text[..word.span.start].strip_suffix(['T', 't']) else {
                continue;
            };
            let Some((start, date)) = dates::before_time(before) else {
                continue;
            };
            if let Some((_, ways)) = several(&[&*date], languages) {
                self.add_ways(&text[start..before.len()], ways);
                spans.push(Span::new(start, before.len()));
            }
        }
        words.retain(|(word, _)| {
            let next = spans.partition_point(|date| date.end <= word.span.start);
            !spans.get(next).is_some_and(|date| date.overlaps(word.span))
        });
    }

    /// Returns the words that colons join, unless there are many.
    fn between_colons(&mut self, text: &str, words: &[(AnalyzedWord, bool)]) -> Vec<colons::Run> {
        let words: Vec<Span> = words.iter().map(|(word, _)| word.span).collect();
        let mut runs = colons::runs(text, &words);
        runs.truncate(MOST_PHRASES.saturating_sub(self.phrases));
        self.phrases += runs.len();
        runs
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

    /// Adds a phrase in quotes, unless there are many.
    fn add_phrase(&mut self, typed: &str, languages: &[Language]) {
        self.neighbours.part();
        if self.phrases < MOST_PHRASES {
            self.phrases += 1;
            let phrase = in_a_row(typed, languages);
            self.push(typed, WordKind::Phrase, phrase, false, 1.0);
        }
    }

    /// Returns whether a stop word is meant as a word: in quotes, in backticks, required, or in
    /// capitals that the whole question does not have. A single capital is one where it begins
    /// nothing and is not an English `I`.
    fn is_meant(&self, item: &Item<'_>, typed: &str) -> bool {
        let is_long = typed.chars().nth(1).is_some();
        let is_english = || Analyzer::english().is_stop_word(&typed.to_lowercase());
        let may_be_name = is_long || !self.clauses.is_empty() && !is_english();
        let is_name = may_be_name && typed.chars().all(char::is_uppercase);
        let is_marked = item.is_quoted || item.is_code || item.role == Role::Required;
        is_marked || is_name && !self.traits.is_shouted
    }

    /// Adds a date, a size or an amount that some items begin with, as one clause, and returns how many items it takes.
    pub(super) fn add_several(&mut self, items: &[Item<'q>], languages: &[Language]) -> usize {
        let has_digit = |of: &Item<'_>| of.text.bytes().any(|byte| byte.is_ascii_digit());
        if !items.iter().take(2).any(has_digit) {
            return 0;
        }
        let are_plain = |of: &&Item<'_>| of.role == Role::Scored && !of.is_quoted;
        let plain = items.iter().take_while(are_plain).take(LONGEST_NUMBER);
        let texts: Vec<&str> = plain.map(|of| of.text).collect();
        if let Some((count, number, unit)) = measure(&texts) {
            self.add_measure(&number, &unit, languages);
            return count;
        }
        let Some((count, ways)) = several(&texts, languages) else {
            return 0;
        };
        self.add_ways(trimmed(&texts[..count].join(" ")), ways);
        count
    }

    /// Adds a number with marks and its unit, each of which may also be written as one with the other.
    fn add_measure(&mut self, number: &str, unit: &str, languages: &[Language]) {
        let joined = numbers::with_unit(number, "", unit, languages);
        let ways_of_number = marked(number, languages).unwrap_or_default();
        let read = Analyzer::readings(unit, languages);
        let ways_of_unit: Vec<Variant> = read.iter().flat_map(variants_of).collect();
        let is_common = self.common.has(unit);
        let both = [
            (number, ways_of_number, false),
            (unit, ways_of_unit, is_common),
        ];
        for (typed, ways, is_common) in both {
            let variants = distinct(ways.into_iter().chain(joined.iter().cloned()));
            let place = self.push(typed, WordKind::Word, variants, is_common, 1.0);
            let joined = joined.iter().map(|of| (place, of.terms.clone()));
            self.joined.extend(joined);
        }
        self.neighbours.part();
    }

    /// Adds what documents write in several ways.
    fn add_ways(&mut self, typed: &str, ways: Vec<Variant>) {
        let variants = distinct(ways.into_iter());
        self.push(typed, WordKind::Word, variants, false, 1.0);
        self.neighbours.part();
    }

    /// Adds a number that was typed with full stops between its groups of digits, as it stands and for documents
    /// of the languages that write it so in its other ways.
    fn add_number_with_stops(
        &mut self,
        typed: &str,
        number: &str,
        of: Languages,
        languages: &[Language],
    ) {
        let as_typed = Analyzer::readings(typed, languages);
        let others = ways_of_number(number, languages).into_iter();
        let others = others.map(|variant| Variant {
            languages: of,
            ..variant
        });
        let ways = as_typed.iter().flat_map(variants_of).chain(others);
        self.add_ways(typed, ways.collect());
    }

    /// Adds the stop words that say something of the words beside them, and lets numbers and their units, and
    /// words side by side, be written as one.
    pub(super) fn add_pairs(&mut self, languages: &[Language]) {
        for (first, second) in self.neighbours.pairs() {
            let joined = numbers::joined(first.typed, second.typed);
            let places = [first.place, second.place];
            if let Some(joined) = joined.filter(|_| !(first.is_common && second.is_common)) {
                let added = self.add_joined(places, &whole(&joined, languages));
                self.joined.extend(added);
            }
            let designation = numbers::designation(first.typed, second.typed);
            if let Some(joined) = designation.filter(|_| !first.is_common) {
                let added = self.add_joined(places, &other_notation(&joined, languages));
                self.joined.extend(added);
            }
            let numeral = names::with_other_numeral(first.typed, second.typed);
            if let Some(row) = numeral.filter(|_| !first.is_common) {
                let added = self.add_joined([second.place], &other_notation(&row, languages));
                self.joined.extend(added);
            }
            for month in dates::month_in_digits(first.typed, second.typed, languages) {
                let added = self.add_joined(places, &other_notation(&month, languages));
                self.joined.extend(added);
            }
        }
        for (places, number) in self.neighbours.long_numbers() {
            for place in places {
                let added = self.add_joined([place], &whole(&number, languages));
                self.joined.extend(added);
            }
        }
        for (first, second, joined) in self.neighbours.joined() {
            let joined = whole(&joined, languages);
            let added = self.add_joined([first.place, second.place], &joined);
            self.joined.extend(added);
        }
        for (name, joined) in self.neighbours.joined_with_names() {
            let joined = whole(&joined, languages).into_iter();
            let joined = joined.map(|of| Variant {
                weight: OTHER_NOTATION,
                ..of
            });
            self.add_joined([name.place], &joined.collect::<Vec<_>>());
        }
        let numbered = self.neighbours.numbered().into_iter();
        let numbered = numbered.map(|typed| (typed, pairs::WEIGHT));
        for (typed, weight) in self.neighbours.in_a_row().into_iter().chain(numbered) {
            self.add_row(&typed, weight, languages);
        }
        self.two_in_a_row = self.neighbours.of_two_words();
        if let Some(typed) = self.two_in_a_row.clone() {
            self.add_row(&typed, pairs::WEIGHT_OF_WORDS, languages);
        }
        for (typed, weight) in std::mem::take(&mut self.between_colons) {
            // It may be two words or a name and its number, too.
            if !self.has_row(&typed, languages) {
                self.add_row(&typed, weight, languages);
            }
        }
    }

    /// Returns whether there is a clause of words in a row.
    fn has_row(&self, typed: &str, languages: &[Language]) -> bool {
        let row = Variant::in_a_row(typed, languages).into_iter();
        let terms: Vec<Vec<String>> = row.map(|of| of.terms).collect();
        self.places.contains_key(&terms)
    }

    /// Adds a clause of words in a row.
    fn add_row(&mut self, typed: &str, weight: f64, languages: &[Language]) {
        let mut row = Variant::in_a_row(typed, languages);
        for variant in &mut row {
            variant.weight = weight;
        }
        self.push(typed, WordKind::Phrase, row, false, 1.0);
    }

    /// Adds to the clauses of words what they are as one, and returns the terms that were added to each.
    fn add_joined<const N: usize>(
        &mut self,
        places: [usize; N],
        joined: &[Variant],
    ) -> Vec<(usize, Vec<String>)> {
        let mut added = Vec::new();
        for place in places {
            if self.clauses[place].variants.len() > MOST_JOINED {
                continue;
            }
            let known = std::mem::take(&mut self.clauses[place].variants);
            self.clauses[place].variants =
                distinct(known.into_iter().chain(joined.iter().cloned()));
            added.extend(joined.iter().map(|of| (place, of.terms.clone())));
        }
        added
    }

    /// Adds a clause, or counts it again, and returns its place.
    fn push(
        &mut self,
        typed: &str,
        kind: WordKind,
        variants: Vec<Variant>,
        is_common: bool,
        share: f64,
    ) -> usize {
        let mut terms: Vec<Vec<String>> = variants.iter().map(|of| of.terms.clone()).collect();
        if terms.is_empty() {
            terms.push(vec![typed.to_owned(), "*".to_owned()]);
        }
        if let Some(&place) = self.places.get(&terms) {
            self.clauses[place].weight += share;
            return place;
        }
        let place = self.clauses.len();
        self.places.insert(terms, place);
        self.clauses.push(Clause {
            typed: typed.to_owned(),
            weight: share,
            variants,
        });
        self.kinds.push(kind);
        self.are_common.push(is_common);
        place
    }

    /// Adds all to a query, without those that are too common where there are others.
    pub(super) fn write_to(self, query: &mut Query) {
        // Common words are all that there is to look for where no document has those in quotes in a row.
        let words = self.kinds.iter().zip(&self.are_common);
        let mut words = words.filter(|(kind, _)| **kind != WordKind::Phrase);
        let are_all_common = words.all(|(_, is_common)| *is_common);
        query.reading.runs = self.runs;
        query.two_in_a_row = self.two_in_a_row;
        let all = self.clauses.into_iter().zip(self.kinds);
        for (place, ((clause, kind), is_common)) in all.zip(self.are_common).enumerate() {
            if is_common && !are_all_common {
                query.reading.left_out.push(clause.typed);
            } else if query.clauses.scored.len() == MAX_WORDS {
                query.reading.ignored += 1;
            } else {
                query.reading.words.push(WordReading::of(&clause, kind));
                let joined = self.joined.iter().filter(|(of, _)| *of == place);
                let at = query.clauses.scored.len();
                let joined = joined.map(|(_, terms)| (at, terms.clone()));
                query.joined.extend(joined);
                query.clauses.scored.push(clause);
            }
        }
        query.joined.sort_unstable();
        query.joined.dedup();
    }
}

/// Returns the ways to write all of a word that has a clause for each of its parts; nothing for a compound, whose parts
/// count together as much as it does.
fn as_one(word: &AnalyzedWord, typed: &str, clauses: &[Vec<Variant>]) -> Vec<Variant> {
    if clauses.len() < 2 || is_compound(typed) {
        return Vec::new();
    }
    let mut ways = variants_of(word);
    ways.retain(|of| of.part == 0);
    ways
}

/// Reads the words of a text, each with whether it only asks. In text without spaces what asks stands between words:
/// `鱼怎么做` has the word `鱼`.
fn read(text: &str, beside_name: bool, languages: &[Language]) -> Vec<(AnalyzedWord, bool)> {
    let parts = asking::parted(text, beside_name);
    let mut read = Vec::new();
    for &(part, only_asks) in &parts {
        for word in Analyzer::readings(part.of(text), languages) {
            let span = word.span.shifted(part.start);
            let is_rest = parts.len() > 1 && asking::is_rest(span.of(text));
            read.push((AnalyzedWord { span, ..word }, only_asks || is_rest));
        }
    }
    read
}

/// Returns the runs of text without spaces that are read as pairs of characters.
fn runs(words: &[(AnalyzedWord, bool)], text: &str) -> Vec<String> {
    let mut runs: Vec<Span> = Vec::new();
    let spans = words.iter().map(|(word, _)| word.span);
    for span in spans.filter(|span| Analyzer::is_unspaced(span.of(text))) {
        match runs.last_mut() {
            Some(run) if span.start < run.end => run.end = span.end,
            _ => runs.push(span),
        }
    }
    runs.iter().map(|run| run.of(text).to_owned()).collect()
}

/// Returns the terms of words that are joined, each of all of it.
fn whole(joined: &str, languages: &[Language]) -> Vec<Variant> {
    let read = Analyzer::readings(joined, languages);
    let ways = read.iter().flat_map(variants_of);
    ways.filter(|of| of.terms.len() == 1 && of.part == 0)
        .collect()
}

/// Returns what each of so many clauses of a word counts: each part of a compound that is written as one word counts as
/// much as it is of it.
fn share_of(typed: &str, clauses: usize) -> f64 {
    if typed.chars().all(is_hiragana) {
        HIRAGANA_SHARE
    } else if is_compound(typed) {
        1.0 / clauses as f64
    } else {
        1.0
    }
}

fn is_hiragana(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{309f}')
}

/// Returns the ways in which documents write the number, the date or the amount that an item is; what is in quotes is
/// meant as it stands, but for the marks between thousands.
pub(super) fn number_in(item: &Item<'_>, languages: &[Language]) -> Option<Vec<Variant>> {
    if !item.text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if item.is_quoted {
        let plain = numbers::grouped(trimmed(item.text));
        return plain.map(|plain| ways_of_number(&plain, languages));
    }
    if let Some((number, unit)) = numbers::marked_measure(trimmed(item.text)) {
        let with = |between| numbers::with_unit(number, between, unit, languages);
        return Some([with(" "), with("")].concat());
    }
    marked(item.text, languages)
}

/// Returns the ways in which documents write a number with marks, a date or an amount.
fn marked(text: &str, languages: &[Language]) -> Option<Vec<Variant>> {
    if let Some(plain) = numbers::grouped(trimmed(text)) {
        return Some(ways_of_number(&plain, languages));
    }
    several(&[text], languages).map(|(_, ways)| ways)
}

/// Reads a number with marks and its unit at the beginning of some words, and returns how many it takes, with the two.
fn measure(words: &[&str]) -> Option<(usize, String, String)> {
    let mut counts = (1..=words.len()).rev();
    counts.find_map(|count| {
        let text = words[..count].join(" ");
        let (number, unit) = numbers::marked_measure(trimmed(&text))?;
        Some((count, number.to_owned(), unit.to_owned()))
    })
}

/// Reads a date, a size or an amount at the beginning of some words, and returns how many it takes, with the ways to write
/// it.
fn several(words: &[&str], languages: &[Language]) -> Option<(usize, Vec<Variant>)> {
    let first = trimmed(words.first()?);
    let mut all = words.to_vec();
    if let Some(only) = all
        .first_mut()
        .filter(|_| first.starts_with(|of: char| of.is_ascii_digit()))
    {
        *only = first;
    }
    let (count, ways) = dates::read(&all, languages)
        .or_else(|| sizes::read(words))
        .or_else(|| amount(words, languages))?;
    let typed = Variant::in_a_row(&words[..count].join(" "), languages).into_iter();
    let others = ways.into_iter().map(|way| Variant {
        weight: way.weight * OTHER_NOTATION,
        ..way
    });
    Some((count, typed.chain(others).collect()))
}

/// Reads an amount at the beginning of some words, which may stand between its groups of digits.
fn amount(words: &[&str], languages: &[Language]) -> Option<(usize, Vec<Variant>)> {
    let joined = |count: usize| words[..count].join(" ");
    let mut counts = (1..=words.len()).rev();
    counts.find_map(|count| {
        let amount = numbers::Amount::read(trimmed(&joined(count)))?;
        Some((count, amount.ways(languages)))
    })
}

/// Returns the ways in which documents write a whole number.
fn ways_of_number(number: &str, languages: &[Language]) -> Vec<Variant> {
    let read = Analyzer::readings(number, languages);
    let mut ways: Vec<Variant> = read.iter().flat_map(variants_of).collect();
    ways.extend(numbers::in_groups(number, languages));
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_phrases_the_first_are_looked_for_in_a_row() {
        let phrases: Vec<String> = (0..100).map(|n| format!("\"alpha{n} beta\"")).collect();
        let query = Query::parse(&format!("gamma {}", phrases.join(" ")), &[]).unwrap();
        let words = query.reading.words.iter();
        let (rows, words): (Vec<_>, Vec<_>) = words.partition(|of| of.kind == WordKind::Phrase);
        assert_eq!((rows.len(), words.len()), (MOST_PHRASES, 102));
    }

    #[test]
    fn what_asks_parts_text_without_spaces() {
        let languages = [
            Language::Chinese,
            Language::Japanese,
            Language::Korean,
            Language::English,
        ];
        for (text, words) in [
            ("鱼怎么做", &["鱼"][..]),
            ("面怎么煮", &["面", "煮"]),
            ("茶怎麼泡？", &["茶", "泡"]),
            ("米饭加多少水", &["米饭", "饭加", "水"]),
            ("水是什么", &["水"]),
            ("什么是软件包", &["软件", "件包"]),
            ("什么是 RAG", &["RAG"]),
            ("怎么在 Linux 安装", &["Linux", "安装"]),
            ("茶とは何ですか", &["茶"]),
            ("할까요 설정", &["설정"]),
            ("怎么", &["怎么"]),
            ("在 水", &["在", "水"]),
            ("useradd の使い方", &["useradd"]),
            ("useradd 使用方法", &["useradd"]),
            ("xzgrep 사용법을 알려줘", &["xzgrep", "알려", "려줘"]),
            ("xzgrep 사용 방법", &["xzgrep"]),
            ("메모리 사용 방법", &["메모", "모리"]),
            ("git 用法说明", &["git", "用法", "法说", "说明"]),
            ("git 说明", &["git"]),
            ("说明", &["说明"]),
            ("사용 방법", &["사용", "방법"]),
        ] {
            let query = Query::parse(text, &languages).unwrap();
            let typed = query.clauses.scored.iter().map(|of| &*of.typed);
            assert_eq!(typed.collect::<Vec<_>>(), words, "{text}");
        }
        let query = Query::parse("コミット, 米饭加多少水", &languages).unwrap();
        assert_eq!(query.reading.runs, ["コミット", "米饭加", "多少", "水"]);
    }

    #[test]
    fn a_beginning_may_end_with_a_mark() {
        for text in ["नमस्*", "மரங்*", "inst*", "pg_st*"] {
            let item = Item {
                text,
                role: Role::Scored,
                is_quoted: false,
                is_code: false,
            };
            assert_eq!(beginning(&item), text.strip_suffix('*'), "{text}");
        }
        assert_eq!(trimmed("(மரம்),"), "மரம்");
    }
}
