//! Stop words that say something of the word beside them: `log out`, `for loop`, `vitamin A`.

use super::{names, numbers};
use crate::Analyzer;

/// What two words in a row count, where each word of a question counts 1.
pub(super) const WEIGHT: f64 = 0.4;

/// What two words in a row count that both count on their own.
pub(super) const WEIGHT_OF_WORDS: f64 = 0.2;

/// The most words with others than stop words of a question that is asked for words in a row: a longer
/// one has enough to tell.
const MOST: usize = 2;

/// The most such words of a question whose neighbours may be written as one: each pair is looked up.
const MOST_JOINED: usize = 4;

/// The fewest letters of two words that may be written as one.
const SHORTEST_JOINED: usize = 5;

/// The fewest letters of one of which the other has only one: `x ray`.
const SHORTEST_WITH_LETTER: usize = 4;

/// The fewest letters of a part of a name that may be written as one with the word before it.
const SHORTEST_PART: usize = 3;

/// How many digits numbers have together that may be one.
const LONG_NUMBER: std::ops::RangeInclusive<usize> = 7..=15;

/// The most words in a row, for a question of nothing but stop words.
const LONGEST: usize = 8;

/// Stop words that only link the two other words of a question, or say how a verb is meant. Sorted.
const LINKING: &[&str] = &[
    "between", "cannot", "during", "from", "shall", "will", "with",
];

/// It links the word before it to what follows, but begins what follows where there is none: `for loop`.
const FOR: &str = "for";

/// What names a construct together with the stop word before it: `from clause`. Sorted.
const CONSTRUCTS: &[&str] = &[
    "block",
    "clause",
    "expression",
    "keyword",
    "loop",
    "operator",
    "statement",
];

/// The words of a question, in order.
#[derive(Default)]
pub(super) struct Neighbours<'q> {
    words: Vec<Option<Neighbour<'q>>>,
}

/// A word between others.
#[derive(Clone, Copy)]
pub(super) struct Neighbour<'q> {
    pub(super) typed: &'q str,
    /// The place of its last clause.
    pub(super) place: usize,
    /// It is one of the stop words.
    pub(super) is_listed: bool,
    /// It does not rank on its own.
    pub(super) is_common: bool,
    /// It says nothing of the words beside it.
    pub(super) is_frame: bool,
}

impl<'q> Neighbours<'q> {
    pub(super) fn add(&mut self, word: Neighbour<'q>) {
        self.words.push(Some(word));
    }

    /// Notes that what comes next does not stand beside what came last.
    pub(super) fn part(&mut self) {
        self.words.push(None);
    }

    /// Returns the words that stand side by side.
    pub(super) fn pairs(&self) -> Vec<(Neighbour<'q>, Neighbour<'q>)> {
        let pairs = self.words.windows(2);
        pairs
            .filter_map(|pair| Some((pair[0]?, pair[1]?)))
            .collect()
    }

    /// Returns the words that stand around an `of`: `26th of March`.
    pub(super) fn around_of(&self) -> Vec<(Neighbour<'q>, Neighbour<'q>)> {
        let rows = self.words.windows(3);
        let around = rows.filter_map(|row| {
            let link = row[1].filter(|link| link.typed.eq_ignore_ascii_case("of"))?;
            Some((row[0]?, row[2]?)).filter(|_| link.is_common)
        });
        around.collect()
    }

    /// Returns the words side by side that documents may write as one, as `work tree` and `name space`, with
    /// how they are joined.
    pub(super) fn joined(&self) -> Vec<(Neighbour<'q>, Neighbour<'q>, String)> {
        if self.are_many() {
            return Vec::new();
        }
        let pairs = self.pairs().into_iter().filter_map(|(first, second)| {
            let joined = format!("{}{}", first.typed, second.typed);
            let are_plain = first.is_plain() && second.is_plain();
            let are_verb = !first.is_common && names::are_phrasal(first.typed, second.typed);
            let has_letter =
                first.is_letter() && second.is_plain() || first.is_plain() && second.is_letter();
            let may_be = (are_plain || are_verb) && joined.len() >= SHORTEST_JOINED
                || has_letter && joined.len() >= SHORTEST_WITH_LETTER;
            may_be.then_some((first, second, joined))
        });
        pairs.collect()
    }

    /// Returns the places of numbers side by side that may be written as one, such as that of a telephone, with all digits.
    pub(super) fn long_numbers(&self) -> Vec<(Vec<usize>, String)> {
        let is_of_number = |of: char| of.is_ascii_digit() || of == '-';
        let is_number = |of: Neighbour<'_>| of.typed.chars().all(is_of_number);
        let runs = self.words.split(|word| !word.is_some_and(is_number));
        let numbers = runs.filter(|run| run.len() > 1).filter_map(|run| {
            let digits: String = run.iter().flatten().map(|of| of.typed).collect();
            let digits = digits.replace('-', "");
            let places = run.iter().flatten().map(|of| of.place).collect();
            LONG_NUMBER
                .contains(&digits.len())
                .then_some((places, digits))
        });
        numbers.collect()
    }

    /// Returns the names with full stops behind a word, each with that word and its own first part as one: who asks for
    /// `no console.log` may mean what documents call `no-console`. A stop word is a word as any other there.
    pub(super) fn joined_with_names(&self) -> Vec<(Neighbour<'q>, String)> {
        if self.are_many() {
            return Vec::new();
        }
        let pairs = self.pairs().into_iter().filter_map(|(word, name)| {
            let (part, rest) = name.typed.split_once('.')?;
            let is_long = part.chars().nth(SHORTEST_PART - 1).is_some();
            let are_letters = Analyzer::is_of_letters(word.typed) && Analyzer::is_of_letters(part);
            let is_name = is_long && are_letters && rest.starts_with(char::is_alphabetic);
            let may_be = is_name && !name.is_common && word.typed.chars().nth(1).is_some();
            may_be.then(|| (name, format!("{}{part}", word.typed)))
        });
        pairs.collect()
    }

    /// Returns the names with a number behind them, as two words in a row: `Art 1` is another section than one with `Art` and
    /// `1`.
    pub(super) fn numbered(&self) -> Vec<String> {
        if self.are_many() {
            return Vec::new();
        }
        let pairs = self.pairs().into_iter().filter(|(name, number)| {
            !name.is_common && numbers::designation(name.typed, number.typed).is_some()
        });
        let rows = pairs.map(|(name, number)| format!("{} {}", name.typed, number.typed));
        rows.collect()
    }

    /// Returns the two words in a row of a question that has no others but stop words.
    pub(super) fn of_two_words(&self) -> Option<String> {
        let words = self.words.iter().flatten();
        if words.filter(|word| !word.is_common).count() != 2 {
            return None;
        }
        let are_words = |(first, second): &(Neighbour<'_>, Neighbour<'_>)| {
            first.is_plain() && second.is_plain() && first.place != second.place
        };
        let (first, second) = self.pairs().into_iter().find(are_words)?;
        Some(format!("{} {}", first.typed, second.typed))
    }

    /// Returns whether a question has too many words to be searched as one word.
    fn are_many(&self) -> bool {
        let words = self.words.iter().flatten();
        words.filter(|word| !word.is_common).count() > MOST_JOINED
    }

    /// Returns whether the stop word among the word at a place and the one before it only links the two other words of a
    /// question.
    fn only_links(&self, at: usize) -> bool {
        let (Some(first), Some(second)) = (self.words[at - 1], self.words[at]) else {
            return false;
        };
        if second.is_common {
            return second.is_linking() || second.is_for();
        }
        let before = at.checked_sub(2).and_then(|before| self.words[before]);
        let is_behind_word = before.is_some_and(|before| !before.is_common);
        let links = first.is_linking() || first.is_for() && is_behind_word;
        first.is_common && links && !second.is_construct()
    }

    /// Returns what is looked for in a row, with what it counts: each stop word with a word beside it, or
    /// all words where all are stop words.
    pub(super) fn in_a_row(&self) -> Vec<(String, f64)> {
        let words = || self.words.iter().flatten();
        let others = words().filter(|word| !word.is_common).count();
        if others == 0 {
            let all: Vec<&str> = words().map(|word| word.typed).collect();
            let is_row = (2..=LONGEST).contains(&all.len()) && self.words.len() == all.len();
            return is_row.then(|| (all.join(" "), 1.0)).into_iter().collect();
        }
        if others > MOST {
            return Vec::new();
        }
        let is_of_two = others == MOST;
        let places = 1..self.words.len();
        let pairs = places.filter_map(|at| {
            let (first, second) = (self.words[at - 1]?, self.words[at]?);
            let is_pair = (first.says_of(second) || second.says_of(first))
                // `vitamin A`, but not `the vitamin`.
                && !first.is_frame
                && (!second.is_frame || second.typed.eq_ignore_ascii_case("a"));
            let typed = || format!("{} {}", first.typed, second.typed);
            let is_linked = is_of_two && self.only_links(at);
            (is_pair && !is_linked).then(|| (typed(), WEIGHT))
        });
        pairs.collect()
    }
}

impl Neighbour<'_> {
    /// Returns whether it is a word of letters alone that ranks, of more than one.
    fn is_plain(self) -> bool {
        let is_long = self.typed.chars().nth(1).is_some();
        let is_common = self.is_listed || self.is_common;
        let is_word = Analyzer::is_of_letters(self.typed);
        is_long && is_word && !is_common && !Analyzer::is_unspaced(self.typed)
    }

    /// Returns whether it is one letter of ASCII that ranks.
    fn is_letter(self) -> bool {
        let is_common = self.is_listed || self.is_common;
        matches!(self.typed.as_bytes(), [only] if only.is_ascii_alphabetic()) && !is_common
    }

    fn is_linking(self) -> bool {
        LINKING
            .binary_search(&&*self.typed.to_ascii_lowercase())
            .is_ok()
    }

    fn is_for(self) -> bool {
        self.typed.eq_ignore_ascii_case(FOR)
    }

    /// Returns whether it names a construct with the stop word before it.
    fn is_construct(self) -> bool {
        let word = self.typed.to_ascii_lowercase();
        let singular = word.strip_suffix('s').unwrap_or(&word);
        CONSTRUCTS.binary_search(&singular).is_ok()
    }

    /// Returns whether this is a stop word beside one that ranks.
    fn says_of(self, other: Self) -> bool {
        self.is_listed && !other.is_common
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(LINKING.is_sorted() && CONSTRUCTS.is_sorted());
    }
}
