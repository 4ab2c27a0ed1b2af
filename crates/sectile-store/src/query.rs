//! Reading what the user typed.

mod asked_name;
mod asking;
mod citations;
mod citing_words;
mod colons;
mod compound_split;
mod conditions;
mod corrections;
mod dates;
mod definitions;
mod designators;
mod families;
mod files;
mod forms;
mod german_nouns;
mod headings;
mod identifiers;
mod longer_numbers;
mod markers;
mod measures;
mod names;
mod notations;
mod notes;
mod numbers;
mod ordinals;
mod pairs;
mod qualifiers;
mod section_parts;
mod sizes;
mod split;
mod tokens;
mod traits;
mod units;
mod unsearched;
mod unspaced;
mod variants;
mod versions;
mod weights;
mod whole;
mod within_compounds;
mod words;

use self::asked_name::{AskedName, asked_name};
use self::asking::only_asking;
use self::citations::{Citation, citations};
use self::definitions::{AskedDefinition, asked_definition};
use self::families::Relative;
use self::files::{NamedFile, named_files};
pub(crate) use self::forms::TypedForm;
use self::german_nouns::nouns;
use self::markers::Marker;
pub(crate) use self::measures::ways_of_measure;
pub(crate) use self::numbers::is_digits;
use self::split::{Role, Split};
use self::traits::QuestionTraits;
use self::versions::{AskedVersion, asked_version};
use self::words::{Sense, Words};
use crate::analyzer::{LanguageShares, StopWords};
use crate::{Analyzer, Clauses, Error, Language, Reading, Result, WordKind, WordReading};

/// How many of the words that stand for one are named.
const NAMED: usize = 5;

/// A question as analyzed terms, safe for any index.
///
/// | typed | means |
/// |---|---|
/// | `read chunks` | either word; documents with more and rarer words rank first |
/// | `git commit -m` | a flag is a word |
/// | `chunks "read twice"` | any of the words; those in quotes count more in a row |
/// | `"read chunks"` alone | the words next to each other, required if any document has them |
/// | `read AND chunks` | both words, required |
/// | `NOT draft`, `-"first draft"` | without this |
/// | `inst*` | words that begin with inst |
///
/// Stop words are left out unless the question has nothing else, and so is the word by which `what does MSRV mean`
/// asks; in German, nouns that are written as some are not (`Würde`). In quotes, in backticks, in capitals and
/// where they are required they are words like others, and one beside another word ranks as the two in a row: `log
/// out`, `for loop`. So do the two words of a question of two, and count little. Sentences, code in capitals and a
/// question without small letters have no operators, and one that only excludes is read as words. Two words may be
/// written as one in documents, and one as two: `work tree`, `namespace`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    clauses: Clauses,
    reading: Reading,
    /// The terms of words that documents may write as one with the word beside it, by the places of the words; each once
    /// for each place.
    joined: Vec<(usize, Vec<String>)>,
    /// The relatives of its words, until it is known which of them documents have.
    relatives: Vec<Relative>,
    /// What each scored clause weighs, once that is known.
    weights: Vec<f64>,
    /// How many of the documents are in which language.
    shares: LanguageShares,
    /// The sections that it names by their numbers.
    citations: Vec<Citation>,
    /// The version that it asks for.
    asked_version: Option<AskedVersion>,
    /// What it asks to define.
    asked_definition: Option<AskedDefinition>,
    /// The words that only ask for its one name.
    asked_name: Option<AskedName>,
    /// The files that it names.
    files: Vec<NamedFile>,
    /// The names of sections before their numbers.
    markers: Vec<Marker>,
    /// Its two words in a row: what has these has no more of the question than both words.
    two_in_a_row: Option<String>,
    /// It is one phrase in quotes.
    is_quotation: bool,
}

impl Query {
    /// Parses a question for documents in some languages; without a language, they are in English.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyQuery`] if it contains no word to search for.
    pub fn parse(text: &str, languages: &[Language]) -> Result<Self> {
        Self::parse_among(text, languages, LanguageShares::UNKNOWN)
    }

    /// Reads it where it is known how many of the documents are in which language.
    pub(crate) fn parse_among(
        text: &str,
        languages: &[Language],
        shares: LanguageShares,
    ) -> Result<Self> {
        let composed = Analyzer::composed(text);
        let joined = designators::joined(&composed);
        let text = &*joined;
        let stop_words = StopWords::among(text, languages, shares);
        let mut split = split::items(text, |word| stop_words.has(word));
        let only_excluded = split.score_what_only_excludes();
        let is_quotation = split.require_a_quotation();
        let mut query = Self {
            citations: citations(&split.items, &stop_words),
            asked_version: asked_version(&split.items, &stop_words),
            asked_definition: asked_definition(text, &split.items, &stop_words),
            asked_name: asked_name(&split.items, &stop_words),
            files: named_files(&split.items),
            is_quotation,
            shares,
            ..Self::default()
        };
        let language = stop_words
            .language()
            .filter(|of| languages.len() > 1 && languages.contains(of));
        query.clauses.language = language;
        query.reading.language = language.map(|of| of.to_string());
        let operators = split.plain_operators.iter().copied().map(str::to_owned);
        query.reading.plain_operators = operators.collect();
        query.reading.only_excluded = only_excluded;
        query.reading.signs = unsearched::signs(&split.items, NAMED);
        query.add_items(&split, &stop_words, languages);
        query.add_relatives(languages);
        if query.clauses.scored.is_empty() {
            return Err(Error::EmptyQuery {
                query: text.chars().take(80).collect(),
            });
        }
        Ok(query)
    }

    /// Adds the clauses and the conditions of a question in items.
    fn add_items(&mut self, split: &Split<'_>, stop_words: &StopWords, languages: &[Language]) {
        let items = &*split.items;
        let only_asking = only_asking(items, stop_words, languages);
        let nouns = nouns(items, stop_words);
        let sense = |place| {
            if only_asking.contains(&place) {
                Sense::Asking
            } else if nouns.contains(&place) {
                Sense::Noun
            } else {
                Sense::Word
            }
        };
        let mut words = Words::new(stop_words, QuestionTraits::of(split, stop_words));
        let mut next = 0;
        for (place, item) in items.iter().enumerate() {
            if place < next {
                continue;
            }
            next = place + words.add_several(&items[place..], languages);
            if next > place {
                continue;
            }
            self.restrict(item, languages);
            if matches!(item.role, Role::Excluded | Role::Or) {
                words.neighbours.part();
            } else {
                words.add(item, sense(place), languages);
            }
        }
        words.add_pairs(languages);
        words.write_to(self);
    }

    /// Returns the clauses to search for.
    pub fn clauses(&self) -> &Clauses {
        &self.clauses
    }

    /// Returns how the question was parsed. Its words are in the order of the clauses.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Returns whether a term of the index is one of the ranking terms.
    pub fn asks_for(&self, term: &str) -> bool {
        let variants = self
            .clauses
            .scored
            .iter()
            .flat_map(|clause| &clause.variants);
        variants.flat_map(|of| &of.terms).any(|asked| asked == term)
    }

    /// Returns what a scored clause weighs; all weigh alike before it is known how rare they are.
    pub(crate) fn weight(&self, place: usize) -> f64 {
        self.weights.get(place).copied().unwrap_or(1.0)
    }

    /// Returns whether a scored clause is its two words in a row, or the name and the number of a section: both are clauses
    /// as well.
    pub(crate) fn is_two_in_a_row(&self, place: usize) -> bool {
        let word = &self.reading.words[place];
        let is_row = || self.two_in_a_row.as_ref() == Some(&word.typed);
        word.kind == WordKind::Phrase && (is_row() || self.is_citation(&word.typed))
    }

    /// Returns the places of the beginnings of words among what ranks.
    pub(crate) fn beginnings(&self) -> Vec<usize> {
        self.places(|word| word.kind == WordKind::Beginning)
    }

    /// Returns what was typed at a place.
    pub(crate) fn typed(&self, place: usize) -> &str {
        self.clauses.scored[place].typed.trim_end_matches('*')
    }

    fn places(&self, is_wanted: impl Fn(&WordReading) -> bool) -> Vec<usize> {
        let words = self.reading.words.iter().enumerate();
        let wanted = words.filter(|(_, word)| is_wanted(word));
        wanted.map(|(place, _)| place).collect()
    }

    /// Requires no longer what the question requires only for being in quotes, and says whether it
    /// did.
    pub(crate) fn let_go(&mut self) -> bool {
        let is_let_go = std::mem::take(&mut self.is_quotation);
        if is_let_go {
            self.clauses.required.clear();
            self.reading.let_go.append(&mut self.reading.required);
        }
        is_let_go
    }

    pub(crate) fn into_reading(self) -> Reading {
        self.reading
    }
}

/// Returns a text without the marks around it.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| !Analyzer::is_of_word(letter))
}

#[cfg(test)]
mod tests;
