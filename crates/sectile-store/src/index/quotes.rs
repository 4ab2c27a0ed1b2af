//! Passages that have a question word for word, stop words included: the question quotes them.

use std::ops::RangeInclusive;

use super::headings::plain_words;

/// How many hits are looked at for the question.
pub(super) const LOOKED_AT: usize = 50;

/// The leg of a hit that only words in a row have found.
pub(super) const LEG: &str = "quote";

/// The fewest words of a quote. So few may be a common turn: they are a quote with a stop word, and in one hit only.
const FEWEST: usize = 3;

/// From so many words on, three of four in a row are enough: people misquote the beginning or the end.
const LONG: usize = 8;

/// The most words of a quote.
const MOST: usize = 64;

/// The fewest letters of a word of ASCII that is looked for before a longer one of other letters.
const SHORTEST_ANCHOR: usize = 4;

/// The most letters that are looked for.
const LONGEST_ANCHOR: usize = 32;

/// How many times as long as the words themselves a quote may be with marks and blanks between them.
const ROOM: usize = 3;

/// How many words of a quote in a row are looked for in the index.
pub(super) const ROW: RangeInclusive<usize> = 2..=4;

/// What a hit with the question word for word scores at least, where one that it comes before scores 1.
pub(super) const NEAR: f64 = 1.0 / 3.0;

/// How much of a quote a text has in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    All,
    Most,
}

/// A question that may quote a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quote {
    /// All of its words, with a blank at both ends.
    all: String,
    /// The rows of words of which a text that is quoted has one, each with a blank at both ends.
    rows: Vec<String>,
    /// The words that all rows have.
    common: String,
    /// The beginning of the longest of these, of ASCII if one is long enough: for a word with other letters, all of a text
    /// is lowered.
    anchor: String,
    /// How the word behind it begins, in letters and digits of ASCII; empty if it does not, or if the anchor is not whole.
    next: String,
    is_short: bool,
}

impl Quote {
    /// Returns the question as a quote; nothing for one of too few or too many words between spaces. `has_left_out`
    /// says whether it has stop words that do not rank.
    pub(super) fn of(question: &str, has_left_out: bool) -> Option<Self> {
        let text = plain_words(question);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let count = words.len();
        let is_short = count == FEWEST;
        if !(FEWEST..=MOST).contains(&count) || is_short && !has_left_out {
            return None;
        }
        let enough = if count < LONG {
            count
        } else {
            (3 * count).div_ceil(4)
        };
        let row = |words: &[&str]| format!(" {} ", words.join(" "));
        let common = &words[count - enough..enough];
        let is_plain = |word: &str| word.is_ascii() && word.len() >= SHORTEST_ANCHOR;
        // The last one has none behind it.
        let behind = common.iter().skip(1).copied().chain([""]);
        let pairs = common.iter().zip(behind);
        let (longest, next) =
            pairs.max_by_key(|(word, next)| (is_plain(word), !next.is_empty(), word.len()))?;
        let anchor = beginning(longest);
        let is_whole = anchor.len() == longest.len();
        Some(Self {
            all: row(&words),
            rows: words.windows(enough).map(row).collect(),
            common: row(common),
            next: if is_whole { plain_beginning(next) } else { "" }.to_owned(),
            anchor,
            is_short,
        })
    }

    /// Returns whether it is so short that it may be a common turn, which is a quote in one hit only.
    pub(super) fn is_short(&self) -> bool {
        self.is_short
    }

    /// Returns rows of its words, each of which a text that is quoted has.
    pub(super) fn searched_rows(&self) -> Vec<String> {
        let words: Vec<&str> = self.common.split_ascii_whitespace().collect();
        let rows = ROW.flat_map(|count| words.windows(count));
        rows.map(|row| row.join(" ")).collect()
    }

    /// Returns the rows of words that it begins and ends with: a text that has most of it lacks one of them.
    pub(super) fn ends(&self) -> Vec<String> {
        let words: Vec<&str> = self.all.split_ascii_whitespace().collect();
        let mut rows = words.windows(*ROW.end());
        let ends = rows.next().into_iter().chain(rows.next_back());
        ends.map(|row| row.join(" ")).collect()
    }

    /// Returns how much of the question a text has word for word.
    ///
    /// It looks around the places of one word alone, as most texts have it in a few.
    pub(super) fn extent(&self, text: &str) -> Option<Extent> {
        if !self.anchor.is_ascii() {
            return self.extent_in_part(text);
        }
        let mut found = None;
        let reach = self.rows.first().map_or(0, String::len) * ROOM;
        let mut looked_at = 0;
        for place in places_of(self.anchor.as_bytes(), text.as_bytes()) {
            if place < looked_at || !self.goes_on(&text[place + self.anchor.len()..]) {
                continue;
            }
            let end = text.ceil_char_boundary((place + 2 * reach).min(text.len()));
            let part = whole_words(text, place.saturating_sub(reach), end);
            match self.extent_in_part(part) {
                Some(Extent::All) => return Some(Extent::All),
                most => found = found.or(most),
            }
            looked_at = end.saturating_sub(reach);
        }
        found
    }

    /// Returns whether a text behind the anchor may begin with the next word.
    fn goes_on(&self, rest: &str) -> bool {
        let rest = rest.trim_start_matches(|of: char| !of.is_alphanumeric());
        let there = rest.as_bytes().get(..self.next.len());
        there.is_some_and(|there| there.eq_ignore_ascii_case(self.next.as_bytes()))
    }

    fn extent_in_part(&self, text: &str) -> Option<Extent> {
        let text = plain_words(text);
        if !text.contains(&self.common) {
            None
        } else if text.contains(&self.all) {
            Some(Extent::All)
        } else {
            let has_most = self.rows.iter().any(|row| text.contains(row));
            has_most.then_some(Extent::Most)
        }
    }
}

/// Returns as many letters of a word as are looked for: a long run of a few letters may begin anywhere in another one.
fn beginning(word: &str) -> String {
    word.chars().take(LONGEST_ANCHOR).collect()
}

/// Returns the letters and digits of ASCII that a word begins with, behind signs.
fn plain_beginning(word: &str) -> &str {
    let word = word.trim_start_matches(|of: char| !of.is_alphanumeric());
    let end = word.find(|of: char| !of.is_ascii_alphanumeric());
    &word[..end.unwrap_or(word.len())]
}

/// Returns where a word in small letters of ASCII stands in a text, also in capitals and within others.
fn places_of<'t>(word: &'t [u8], text: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let first = word.first().copied().unwrap_or_default();
    let begins = move |byte: u8| byte.to_ascii_lowercase() == first;
    let places = (0..text.len()).filter(move |place| begins(text[*place]));
    places.filter(move |place| {
        let there = text.get(*place..place + word.len());
        there.is_some_and(|there| there.eq_ignore_ascii_case(word))
    })
}

/// Returns the part of a text from one place to another, without the words that it would cut.
fn whole_words(text: &str, start: usize, end: usize) -> &str {
    let part = &text[text.floor_char_boundary(start)..end];
    let from = if start == 0 {
        0
    } else {
        part.find(char::is_whitespace).unwrap_or(part.len())
    };
    let to = if end == text.len() {
        part.len()
    } else {
        part.rfind(char::is_whitespace).unwrap_or(0)
    };
    part.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_quoted(question: &str, text: &str) -> bool {
        extent(question, text).is_some()
    }

    fn extent(question: &str, text: &str) -> Option<Extent> {
        Quote::of(question, true).and_then(|of| of.extent(text))
    }

    #[test]
    fn the_words_of_a_quote_stand_in_a_row_whatever_is_between() {
        for (question, text, expected) in [
            ("call me Ishmael", "‘_Call_ me\nIshmael.’ Some", true),
            ("call me Ishmael", "Call him Ishmael", false),
            ("call me Ishmael", "Recall me Ishmael", false),
            ("the lord is my shepherd", "The LORD is my shepherd;", true),
            ("the lord is my shepherd", "The lord is a shepherd", false),
            ("don't go there now", "Don\u{2019}t go there now!", true),
            ("the shepherd", "the shepherd", false),
            (
                "나는 왕이로소이다 눈물의 왕",
                "“나는 왕이로소이다, 눈물의 왕”",
                true,
            ),
            ("吾輩は猫である", "吾輩は猫である。", false),
        ] {
            assert_eq!(is_quoted(question, text), expected, "{question}: {text}");
        }
    }

    #[test]
    fn a_quote_is_found_wherever_it_stands() {
        let question = "call me Ishmael";
        for before in 0..200 {
            let text = format!(
                "{}Ishmael sleeps. Call me _ISHMAEL_.",
                "Ishmaël says. ".repeat(before)
            );
            assert!(is_quoted(question, &text), "{before}");
            let text = format!("Call me\n\n> Ishmael, {}", "and é ".repeat(before));
            assert!(is_quoted(question, &text), "{before}");
        }
        assert!(!is_quoted(question, "Ishmael calls me, me Ishmael"));
    }

    #[test]
    fn a_word_of_ascii_is_looked_for_first() {
        for (question, anchor) in [
            ("Eigentümerversammlung und Vertrag kündigen", "vertrag"),
            ("größere Übel für alle", "alle"),
            ("schönes Öl für uns", "schönes"),
        ] {
            let quote = Quote::of(question, true).unwrap();
            assert_eq!(quote.anchor, anchor, "{question}");
            let text = format!("Es geht um {question}, und um mehr.");
            assert!(is_quoted(question, &text), "{question}");
        }
    }

    #[test]
    fn of_a_long_word_the_beginning_is_looked_for() {
        let long = "ab".repeat(1000);
        let question = format!("this is {long} again");
        let quote = Quote::of(&question, true).unwrap();
        assert_eq!(quote.anchor, long[..LONGEST_ANCHOR]);
        assert!(is_quoted(&question, &format!("And so, {question}.")));
        assert!(!is_quoted(&question, &format!("This is {long}ab again.")));
    }

    #[test]
    fn a_long_quote_may_begin_or_end_otherwise() {
        let question = "In the beginning God created the heaven and earth";
        let text = "1 In the beginning God created the heaven and the earth.";
        assert!(is_quoted(question, text));
        let strewn = "God, in the beginning, created all things in the heaven and the earth";
        assert!(!is_quoted(question, strewn));
        let long = "word ".repeat(MOST + 1);
        assert!(!is_quoted(&long, &long));
    }

    #[test]
    fn a_text_has_all_of_a_long_quote_or_most_of_it() {
        let question = "setting up the server of the mail package 2.2.40";
        let all = "Setting up the server of the mail package (2.2.40) ...";
        let most = "Removing the server of the mail package (2.2.40) ...";
        assert_eq!(extent(question, all), Some(Extent::All));
        assert_eq!(extent(question, most), Some(Extent::Most));
        // What has most of it may stand before all of it.
        for between in ["", " ", "and so on, "] {
            let between = between.repeat(99);
            let both = format!("{most}\n{between}{all}");
            assert_eq!(extent(question, &both), Some(Extent::All));
        }
        assert_eq!(extent(question, "the server of the mail package"), None);
        // Of a short one a text has all.
        assert_eq!(
            extent("call me Ishmael", "Call me Ishmael."),
            Some(Extent::All)
        );
    }

    #[test]
    fn three_words_are_a_quote_in_one_text_with_a_stop_word() {
        assert_eq!(Quote::of("install git hooks", false), None);
        assert!(Quote::of("install some git hooks", false).is_some());
        assert!(Quote::of("install the app", true).unwrap().is_short());
        assert!(!Quote::of("install the app now", true).unwrap().is_short());
    }

    #[test]
    fn rows_are_of_words_that_all_quoted_texts_have() {
        let rows = |question: &str| Quote::of(question, true).unwrap().searched_rows();
        assert_eq!(
            rows("Call me Ishmael"),
            ["call me", "me ishmael", "call me ishmael"]
        );
        let question = "In the beginning God created the heaven and the earth";
        let longest = "created the heaven and";
        assert_eq!(rows(question).last().unwrap(), longest);
        let ends = Quote::of(question, true).unwrap().ends();
        assert_eq!(ends, ["in the beginning god", "heaven and the earth"]);
        let misquoted = "At first God created the heaven and the earth";
        let text = "In the beginning God created the heaven and the earth.";
        assert!(is_quoted(misquoted, text));
        let text = format!(" {} ", text.to_lowercase());
        assert!(rows(misquoted).iter().all(|row| text.contains(row)));
    }
}
