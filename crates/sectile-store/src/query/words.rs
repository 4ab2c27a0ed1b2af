//! The words of a question, as they are put together into clauses.

mod amounts;
mod side_by_side;
mod signs;

use std::collections::HashMap;

use sectile_core::Span;

use self::signs::{JoinedBySigns, MOST_PHRASES};
use super::markers::Marker;
use super::notations::number_in;
use super::ordinals::Ordinal;
use super::pairs::{Neighbour, Neighbours};
use super::split::{Item, Role, beginning};
use super::tokens::{Token, end_of_scheme};
use super::traits::QuestionTraits;
use super::variants::{apart, clauses_of, distinct, in_a_row, is_compound, variants_of};
use super::{Query, files, numbers, trimmed};
use crate::analyzer::{StopWords, asking};
use crate::{AnalyzedWord, Analyzer, Clause, Language, Variant, WordKind, WordReading};

/// The most different words of a question that are searched; what follows is left out.
pub(super) const MAX_WORDS: usize = 256;

/// What a pair of Hiragana counts where others count 1: most are of particles and endings.
const HIRAGANA_SHARE: f64 = 0.5;

/// What an item is in its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    Word,
    /// It only asks.
    Asking,
    /// It is a noun that is written as a stop word but for its capital.
    Noun,
}

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
    /// The names of sections before their numbers.
    markers: Vec<Marker>,
    /// The numbers of sections in text without spaces.
    ordinals: Vec<Ordinal>,
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
            markers: Vec::new(),
            ordinals: Vec::new(),
        }
    }

    /// Adds the words of an item: as common ones if it only asks, and as words like others if it is a noun.
    pub(super) fn add(&mut self, item: &Item<'q>, sense: Sense, languages: &[Language]) {
        if let Some(beginning) = beginning(item) {
            // The index says which words begin so.
            self.push(beginning, WordKind::Beginning, Vec::new(), false, 1.0);
            self.neighbours.part();
            return;
        }
        let typed = trimmed(item.text);
        if let Some(ways) = number_in(item, languages) {
            self.add_ways(typed, ways);
        } else if let Some((number, of)) = numbers::with_stops(typed, languages) {
            self.add_number_with_stops(typed, &number, of, languages);
        } else {
            self.add_words(item, sense, languages);
        }
    }

    /// Adds the words of an item that is no number.
    fn add_words(&mut self, item: &Item<'q>, sense: Sense, languages: &[Language]) {
        let item = &Item {
            text: files::without_line(item),
            ..item.clone()
        };
        let is_asking = sense == Sense::Asking;
        let is_plain = item.role == Role::Scored && !item.is_quoted;
        let mut words = read(item.text, self.traits.has_name && is_plain, languages);
        if item.is_quoted {
            for (word, _) in &mut words {
                word.keep_whole();
            }
        }
        self.runs.extend(runs(&words, item.text));
        if is_plain {
            self.add_ordinal(item.text);
        }
        let is_phrase = item.is_quoted && words.len() > 1;
        let mut joined = JoinedBySigns::default();
        if !is_phrase {
            self.take_dates_before_times(item.text, &mut words, languages);
            joined = self.joined_by_signs(item.text, &words, languages);
        }
        let scheme = if item.is_quoted {
            0
        } else {
            end_of_scheme(item.text)
        };
        let before_name = files::folders_before_name(item).max(scheme);
        let mut before: Option<(usize, Span)> = None;
        let mut are_common = vec![false; words.len()];
        for (at, (word, only_asks)) in words.iter().enumerate() {
            // Folders and schemes say where the file is, and are looked for only in a row with its name.
            if word.span.start < before_name {
                self.neighbours.part();
                continue;
            }
            let typed = word.span.of(item.text);
            let is_listed = self.common.has(typed);
            let is_meant = || sense == Sense::Noun || self.is_meant(item, typed);
            let is_common = is_asking || is_listed && (is_phrase || !is_meant()) || *only_asks;
            are_common[at] = is_common;
            let place = self.add_word(word, typed, is_common, &joined, at, languages);
            let last = before.replace((place, word.span));
            self.join_by_sign(item.text, last, (place, word.span), languages);
            // What a colon parts is no number of several groups.
            if joined.is_behind_colon(at) {
                self.neighbours.part();
            }
            // Pairs of characters overlap, and are in a row anyway.
            let overlaps = last.is_some_and(|(_, last)| word.span.start < last.end);
            if is_phrase || is_asking || overlaps {
                self.neighbours.part();
                continue;
            }
            self.neighbours.add(Neighbour {
                typed,
                place,
                is_listed,
                is_common,
                is_frame: is_common && self.common.is_frame(typed),
            });
        }
        if is_phrase {
            self.add_phrase(item.text, languages);
        }
        self.add_tokens(joined.tokens, &are_common);
    }

    /// Adds the tokens among the words of an item as phrases. `are_common` says which of the words are too common to rank.
    fn add_tokens(&mut self, tokens: Vec<Token>, are_common: &[bool]) {
        for Token {
            words, typed, row, ..
        } in tokens
        {
            // French `est-il` says no more in a row than each of its words.
            let is_common = are_common[words].iter().all(|is_common| *is_common);
            self.push(&typed, WordKind::Phrase, row, is_common, 1.0);
        }
    }

    /// Notes the number of a section in a text without spaces, unless there are many.
    fn add_ordinal(&mut self, text: &str) {
        let ordinal = Ordinal::in_text(text).filter(|_| self.phrases < MOST_PHRASES);
        self.phrases += usize::from(ordinal.is_some());
        self.ordinals.extend(ordinal);
    }

    /// Adds the clauses of the word at a place among others, and returns the place of the last one.
    fn add_word(
        &mut self,
        word: &AnalyzedWord,
        typed: &str,
        is_common: bool,
        joined: &JoinedBySigns,
        at: usize,
        languages: &[Language],
    ) -> usize {
        let clauses = clauses_of(word, typed, languages);
        let count = clauses.len();
        let share = joined.share(at, count);
        let share = share.unwrap_or_else(|| share_of(typed, count));
        let apart = apart(typed, languages);
        let as_one = as_one(word, typed, &clauses);
        let mut place = 0;
        for variants in clauses {
            let variants = distinct(variants.into_iter().chain(apart.iter().cloned()));
            place = self.push(typed, WordKind::Word, variants, is_common, share);
            let joined = apart.iter().chain(&as_one);
            self.joined
                .extend(joined.map(|of| (place, of.terms.clone())));
        }
        place
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
        query.markers = self.markers;
        let all = self.clauses.into_iter().zip(self.kinds);
        for (place, ((clause, kind), is_common)) in all.zip(self.are_common).enumerate() {
            if is_common && !are_all_common {
                // A compound has a clause for each of its parts, and one for the row.
                if query.reading.left_out.last() != Some(&clause.typed) {
                    query.reading.left_out.push(clause.typed);
                }
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
            ("MapとObjectの違い", &["Map", "Object"]),
            ("MapとObjectの違いは何ですか", &["Map", "Object"]),
            ("React和Vue有什么区别", &["React", "Vue"]),
            ("React与Vue之间的差异", &["React", "Vue"]),
            ("React와 Vue의 차이", &["React", "Vue"]),
            ("Rust는요?", &["Rust"]),
            ("과일과 채소의 차이점은", &["과일", "일과", "채소", "소의"]),
            (
                "사과의 차이콥스키",
                &["사과", "과의", "차이", "이콥", "콥스", "스키"],
            ),
            ("違い", &["違い"]),
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
