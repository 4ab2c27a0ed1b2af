//! Short questions that a text has as they were typed, with their signs: `>=2.11`, `10%`, `Ctrl+N`, `5 MB`. The index knows
//! only their words.

use super::headings::plain_words;
use super::quoted_question::SearchedRows;
use super::quotes::ROW;
use crate::FoundChunk;
use crate::query::ways_of_measure;

/// The most words between blanks, and the most bytes, of such a question: a longer one has enough words.
const MOST_WORDS: usize = 5;
const LONGEST: usize = 160;

/// How many of the first hits are looked at.
pub(super) const LOOKED_AT: usize = 50;

/// How many rows of its words are looked for where no hit has it.
const SEARCHED_ROWS: usize = 1;

/// The fewest letters of the name of a unit, which texts may have in the plural.
const SHORTEST_NAME: usize = 4;

/// What a hit with the question as it was typed scores at least, where one that it comes before scores 1.
pub(super) const NEAR: f64 = 1.0 / 3.0;

/// Signs within names, numbers and paths, and those of a beginning, which are looked for in ways of their own.
const OF_NAMES: &str = "-_.,/\\~'*\"";

/// Marks around a question, and those that a question in Spanish begins with.
const QUOTES: &str = "\"'`\u{201c}\u{201d}\u{201e}\u{ab}\u{bb}";
const OPENING: &str = "\u{bf}\u{a1}";

/// A question as texts may have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    /// The ways to write it, in lower case and with one blank between words.
    ways: Vec<String>,
}

impl Literal {
    /// Returns a question that has a sign which says something, or is a number with its unit.
    pub(super) fn of(question: &str) -> Option<Self> {
        let words = question.split_whitespace();
        if question.len() > LONGEST || words.clone().count() > MOST_WORDS {
            return None;
        }
        let typed = words.collect::<Vec<_>>().join(" ");
        let begins = |of: char| OPENING.contains(of);
        let typed = typed.trim_matches(|of: char| QUOTES.contains(of));
        let typed = typed.trim_start_matches(begins).trim_end_matches(is_of_end);
        if let Some(ways) = ways_of_measure(typed) {
            return Some(Self { ways });
        }
        let text = typed.to_lowercase();
        let is_sign =
            |of: char| of.is_ascii_punctuation() && !OF_NAMES.contains(of) || is_symbol(of);
        let is_of_digits = |of: char| of.is_ascii_digit() || "./:".contains(of);
        let is_address = text.contains('/') && text.chars().all(is_of_digits);
        // A flag has an entry, which its value is no part of, and a link leads to a note.
        let is_one = (text.contains(is_sign) || is_address)
            && text.contains(char::is_alphanumeric)
            && !text.starts_with(['-', '[']);
        is_one.then(|| Self { ways: vec![text] })
    }

    /// Returns rows of its words, some of which a text has that has it; none of a measure, which the index has in all of its
    /// notations.
    pub(super) fn searched_rows(&self) -> Vec<SearchedRows> {
        let [text] = &*self.ways else {
            return Vec::new();
        };
        let text = plain_words(text);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let rows = ROW.flat_map(|count| words.windows(count));
        vec![SearchedRows {
            rows: rows.map(|row| row.join(" ")).collect(),
            most: SEARCHED_ROWS,
        }]
    }

    /// Returns whether a chunk has the question in its text, in its headings, or in the head of a table above it.
    pub(super) fn is_in(&self, chunk: &FoundChunk) -> bool {
        let headings = chunk.heading_path.iter().chain(&chunk.table_head);
        let mut texts = headings.chain([&chunk.text]);
        texts.any(|text| self.is_in_text(text))
    }

    fn is_in_text(&self, text: &str) -> bool {
        let words = text.split_whitespace().collect::<Vec<_>>();
        let text = words.join(" ").to_lowercase();
        self.ways.iter().any(|way| {
            let mut found = text.match_indices(way.as_str());
            found.any(|(at, _)| is_apart(&text[..at], way, &text[at + way.len()..]))
        })
    }
}

/// Returns whether a character stands at the end of a question and is no part of it; French has a blank before such a mark.
fn is_of_end(of: char) -> bool {
    "?!.,;: \u{ff1f}\u{ff01}\u{3002}\u{61f}".contains(of)
}

/// Returns whether a character beyond ASCII is a sign of money or of mathematics, or one that belongs to numbers.
fn is_symbol(of: char) -> bool {
    matches!(of, '\u{a2}'..='\u{a5}' | '\u{ac}' | '\u{b0}' | '\u{b1}' | '\u{d7}' | '\u{f7}' | '\u{2030}'
        | '\u{20a0}'..='\u{20cf}' | '\u{2190}'..='\u{23ff}')
}

/// Returns whether no word and no number goes on before and behind a part of a text.
fn is_apart(before: &str, part: &str, behind: &str) -> bool {
    let is_digit = |of: char| of.is_ascii_digit();
    let goes_on_before = part.starts_with(char::is_alphanumeric)
        && (before.ends_with(char::is_alphanumeric)
            || part.starts_with(is_digit)
                && before
                    .strip_suffix(['.', ','])
                    .is_some_and(|before| before.ends_with(is_digit)));
    let goes_on_behind = part.ends_with(char::is_alphanumeric)
        && (behind.starts_with(is_of_word_behind(part))
            || part.ends_with(is_digit)
                && behind
                    .strip_prefix(['.', ','])
                    .is_some_and(|behind| behind.starts_with(is_digit)));
    !goes_on_before && !goes_on_behind
}

/// Returns what goes on with a word: the name of a unit may stand in the plural.
fn is_of_word_behind(part: &str) -> impl Fn(char) -> bool {
    let unit = part.rsplit(' ').next().map_or(0, str::len);
    let is_named = part.starts_with(|of: char| of.is_ascii_digit()) && unit >= SHORTEST_NAME;
    move |of| of.is_alphanumeric() && !(is_named && of == 's')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_with_signs_and_measures_are_literal() {
        for question in [
            ">=2.11",
            "10%",
            "Ctrl+N",
            "5 MB",
            "100ms",
            "$20",
            "x::numeric",
            "gather_facts: no",
            "bytes=0-499",
            "{{ foo | default(omit) }}",
            "now()",
            "10 percent",
            "\u{221a}2",
            "5 \u{20ac}",
        ] {
            assert!(Literal::of(question).is_some(), "{question}");
        }
        for question in [
            "5",
            "chapter 4",
            "version 2.3.1",
            "read_chunks",
            "--force=yes",
            "pg_stat_*",
            "v1.2-rc",
            "what is it?",
            "\"two words\"",
            "src/main.rs",
            "don't",
            "?",
            "a = b + c + d",
            "[[Note#Heading]]",
            "",
        ] {
            assert_eq!(Literal::of(question), None, "{question}");
        }
        let long = format!("{}=1", "a".repeat(LONGEST));
        assert_eq!(Literal::of(&long), None);
    }

    #[test]
    fn rows_are_of_the_words_between_the_signs() {
        let rows = |question: &str| {
            let searched = Literal::of(question).unwrap().searched_rows();
            let rows = searched.into_iter().flat_map(|of| of.rows);
            rows.collect::<Vec<_>>()
        };
        assert_eq!(rows("index >= one"), ["index one"]);
        let of_three = ["a b", "b c", "a b c"];
        assert_eq!(rows("a == b && c"), of_three);
        assert_eq!(rows("$name"), [""; 0]);
        assert_eq!(rows("5 MB"), [""; 0]);
    }

    #[test]
    fn texts_have_them_as_they_were_typed() {
        for (question, text, has) in [
            (">=2.11", "ansible >=2.11 and more", true),
            (">=2.11", "ansible>=2.11.", true),
            (">=2.11", "ansible >=2.11.1", false),
            (">=2.11", "ansible >=2.110", false),
            (">=2.11", "ansible 2.11", false),
            ("10%", "a rate of 10% each", true),
            ("10%", "a rate of 110%", false),
            ("10%", "a rate of 3.10%", false),
            ("10 % ?", "a rate of 10%", true),
            ("\u{bf}10%?", "a rate of 10%", true),
            ("C++ ?", "the language C++.", true),
            ("C++\u{ff1f}", "the language C++.", true),
            ("5G", "a weight of 5 grams", false),
            ("5g", "a weight of 5 grams", true),
            ("6 inches", "6 in the first row", false),
            ("10%", "a rate of 10 percent", true),
            ("10 percent", "a rate of 10%", true),
            ("10%", "a rate of 10", false),
            ("5 MB", "at most 5MB", true),
            ("5MB", "at most 5\u{a0}MB", true),
            ("5MB", "at most 5\nmegabytes", true),
            ("5 MB", "at most 2.5 MB", false),
            ("5 MB", "at most 5 mbar", false),
            ("5 m", "at most 5 ms", false),
            ("Ctrl+N", "press ctrl+n.", true),
            ("Ctrl+N", "press Ctrl+Num", false),
            ("x::numeric", "x text, y numeric", false),
            ("10.0.0.1/24", "set 10.0.0.1/24 here", true),
            ("10.0.0.1/24", "set 10.0.0.1 to 24", false),
            ("24192", "number 24,192", true),
            ("24192", "of 24 192.168.0.1", false),
        ] {
            let literal = Literal::of(question).unwrap();
            assert_eq!(literal.is_in_text(text), has, "{question}: {text}");
        }
    }
}
