//! Sentence ends: the rules of UAX #29, with line breaks as spaces, tailored.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use sectile_core::Span;

use super::abbreviation::is_inside_sentence;
use super::blocks::{Block, Blocks};
use super::tailoring;
use crate::source::Source;

/// The characters with the Unicode property `Sentence_Break=ATerm`: periods.
const PERIODS: [char; 4] = ['.', '\u{2024}', '\u{fe52}', '\u{ff0e}'];

/// Cuts a text into sentences, which joined are the text again.
pub(crate) struct Sentences {
    blocks: Blocks,
    /// The block that is being cut.
    block: Block,
    /// How candidates are found in it.
    alphabet: Alphabet,
    /// Where its next sentence begins.
    start: usize,
}

impl Sentences {
    /// Cuts the text from `place` on.
    pub(crate) fn from(place: usize) -> Self {
        let span = Span::new(place, place);
        Self {
            blocks: Blocks::from(place),
            block: Block {
                span,
                is_whole: false,
                is_lead: false,
            },
            alphabet: Alphabet::Ascii,
            start: place,
        }
    }

    /// Takes the text for source code, in which runs of lines are what sentences are in prose.
    pub(crate) fn of_source(self, is_source: bool) -> Self {
        let blocks = self.blocks.of_source(is_source);
        Self { blocks, ..self }
    }

    /// Returns the next sentence, or `None` at the end of the text.
    pub(crate) fn next_sentence(&mut self, source: Source<'_>) -> Option<Span> {
        if self.start == self.block.span.end {
            self.block = self.blocks.next_block(source)?;
            self.start = self.block.span.start;
            self.alphabet = Alphabet::of(source.of(self.block.span));
        }
        let Block { span, is_whole, .. } = self.block;
        let start = self.start;
        self.start = if is_whole {
            span.end
        } else {
            span.start + self.sentence_end(source.of(span), start - span.start)
        };
        Some(Span::new(start, self.start))
    }

    /// Returns whether the last sentence is read with the next one, as a heading is.
    pub(super) const fn is_lead(&self) -> bool {
        self.block.is_lead
    }

    /// Returns the first byte that must be kept: the end of a sentence depends on the text before
    /// it in its block.
    pub(super) fn needed_from(&self) -> usize {
        self.block.span.start
    }

    /// Returns where the sentence of `block` that begins at `start` ends, the white space after it
    /// included.
    fn sentence_end(&self, block: &str, start: usize) -> usize {
        let mut from = start;
        while let Some(candidate) = self.alphabet.find_candidate(block, from) {
            let candidate = tailoring::with_marks(block, candidate);
            if let Some(end) = end_at(block, &candidate) {
                return end;
            }
            from = candidate.end;
        }
        block.len()
    }
}

/// Returns where a sentence ends at `candidate`, if one does.
fn end_at(block: &str, candidate: &Range<usize>) -> Option<usize> {
    let (before, after) = (&block[..candidate.start], &block[candidate.end..]);
    let text = &block[candidate.clone()];
    if tailoring::is_before_capital(text) {
        return tailoring::ends_before_capital(before, text, after).then_some(candidate.end);
    }
    let is_inside = || is_spaced_period(text) && is_inside_sentence(before, after);
    if !is_end(before, text, after) || is_inside() {
        return None;
    }
    tailoring::end(block, candidate)
}

/// The characters of a block: ASCII terminators are found without a regular expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alphabet {
    Ascii,
    Unicode,
}

impl Alphabet {
    fn of(block: &str) -> Self {
        if block.is_ascii() {
            Self::Ascii
        } else {
            Self::Unicode
        }
    }

    /// Finds the next place from `from` on where a sentence may end.
    fn find_candidate(self, block: &str, from: usize) -> Option<Range<usize>> {
        match self {
            Self::Ascii => find_ascii_candidate(block.as_bytes(), from),
            Self::Unicode => TAILORED.find_at(block, from).map(|found| found.range()),
        }
    }
}

/// Finds what [`TAILORED`] finds.
fn find_ascii_candidate(block: &[u8], from: usize) -> Option<Range<usize>> {
    let start = from + memchr::memchr3(b'.', b'?', b'!', &block[from..])?;
    let skip = |at: usize, bytes: &[u8]| {
        let skipped = block[at..].iter().take_while(|byte| bytes.contains(byte));
        at + skipped.count()
    };
    let end = skip(skip(start + 1, b"\"'()[]{}"), b" \t\r\n\x0b\x0c");
    Some(start..end)
}

/// Returns whether a candidate is a period with nothing but white space behind it.
fn is_spaced_period(candidate: &str) -> bool {
    let behind = candidate.strip_prefix(PERIODS);
    behind.is_some_and(|behind| behind.starts_with(char::is_whitespace))
}

/// A terminator with the closing punctuation and white space behind it, or a separator (rules
/// SB9 to SB11, with SB5's ignored characters counted as punctuation).
const CANDIDATE: &str = concat!(
    r"[\p{SB=ATerm}\p{SB=STerm}]",
    r"[\p{SB=Close}\p{SB=Extend}\p{SB=Format}]*",
    r"[\p{SB=Sp}\p{SB=Extend}\p{SB=Format}\r\n]*",
    r"\p{SB=Sep}?|\p{SB=Sep}",
);

/// A candidate, or what ends sentences only before capitals, with white space behind it.
static TAILORED: LazyLock<Regex> = LazyLock::new(|| {
    let before_capitals = r"[:;…]\p{SB=Close}*[\p{SB=Sp}\r\n]+";
    compile(&format!("{before_capitals}|{CANDIDATE}"))
});

/// Text that continues a sentence after any terminator (rule `SB8a`).
static GOES_ON: LazyLock<Regex> =
    LazyLock::new(|| compile(r"^[\p{SB=SContinue}\p{SB=ATerm}\p{SB=STerm}]"));

/// Text that continues a sentence after a period: a small letter before any other letter (rule
/// SB8).
static GOES_ON_SMALL: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"^[^\p{SB=OLetter}\p{SB=Upper}\p{SB=Lower}\p{SB=Sep}\p{SB=ATerm}\p{SB=STerm}]*",
        r"\p{SB=Lower}",
    ))
});

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a valid regular expression")
}

/// Returns whether UAX #29 ends a sentence after `candidate`, between `before` and `after`.
fn is_end(before: &str, candidate: &str, after: &str) -> bool {
    let Some(next) = after.chars().next() else {
        return true;
    };
    if candidate.ends_with(['\u{85}', '\u{2028}', '\u{2029}']) {
        return true;
    }
    let Some(behind) = candidate.strip_prefix(PERIODS) else {
        return next.is_ascii_uppercase() || !GOES_ON.is_match(after);
    };
    if behind.is_empty() && is_glued(before, next) {
        return false;
    }
    // Asking the two expressions is slow, and most sentences begin with one of these letters.
    let goes_on =
        || next.is_ascii_lowercase() || GOES_ON.is_match(after) || GOES_ON_SMALL.is_match(after);
    next.is_ascii_uppercase() || !goes_on()
}

/// Returns whether a period stands inside a number or between letters (rules SB6 and SB7).
fn is_glued(before: &str, next: char) -> bool {
    let has_case = |char: char| char.is_uppercase() || char.is_lowercase();
    next.is_numeric() || next.is_uppercase() && before.ends_with(has_case)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut sentences = Sentences::from(0);
        let found = std::iter::from_fn(|| sentences.next_sentence(Source::whole(text)));
        let found: Vec<_> = found.map(|span| span.of(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sentences_end_at_terminators_with_their_white_space() {
        check(
            "One. Two?  (Three!) Four",
            &["One. ", "Two?  ", "(Three!) ", "Four"],
        );
        check("Really?! Yes... Good.", &["Really?! ", "Yes... ", "Good."]);
    }

    #[test]
    fn ascii_candidates_are_those_of_the_expression() {
        for byte in 0..128_u8 {
            for around in [". ", "!)", "a", "?"] {
                let text = format!("{around}{}{around}", char::from(byte));
                let find = |alphabet: Alphabet, from| alphabet.find_candidate(&text, from);
                for from in 0..=text.len() {
                    let expected = find(Alphabet::Unicode, from);
                    assert_eq!(
                        find(Alphabet::Ascii, from),
                        expected,
                        "{text:?} from {from}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_line_break_in_a_paragraph_is_a_space() {
        check(
            "One goes\non here.\nTwo.\r\nThree",
            &["One goes\non here.\n", "Two.\r\n", "Three"],
        );
    }

    #[test]
    fn a_blank_line_ends_a_sentence() {
        check("Title\n\nText", &["Title\n\n", "Text"]);
    }

    #[test]
    fn decimals_abbreviations_and_initials_do_not_end_one() {
        let whole = [
            "It is 3.14 of Fig. 2 (No. 5).",
            "Ask Dr. Ada, e.g. Ms. B. C. Deer.",
            "1. First item",
        ];
        for text in whole {
            check(text, &[text]);
        }
        check(
            "No. It is 12. Then I. Wait",
            &["No. ", "It is 12. ", "Then I. ", "Wait"],
        );
    }

    #[test]
    fn marks_and_references_stay_with_the_sentence_before_them() {
        check(
            "**One.** Two.[^1] Three",
            &["**One.** ", "Two.[^1] ", "Three"],
        );
        check(
            "See [![a](b?c=d)](e). Two",
            &["See [![a](b?c=d)](e). ", "Two"],
        );
        check(
            "“Why?” she said. Two… Three",
            &["“Why?” she said. ", "Two… ", "Three"],
        );
    }

    #[test]
    fn sentences_end_with_the_signs_of_their_script() {
        check("Նա եկավ: Ես գնացի", &["Նա եկավ: ", "Ես գնացի"]);
        check("Τι είναι; Αυτό", &["Τι είναι; ", "Αυτό"]);
        check("好。「是。」我", &["好。", "「是。」", "我"]);
        check("「はい。」と言った。次", &["「はい。」と言った。", "次"]);
        check(
            "தி.மு.க. தலைவர் கே.எஸ். ராமன் வந்தார். அவர்",
            &["தி.மு.க. தலைவர் கே.எஸ். ராமன் வந்தார். ", "அவர்"],
        );
    }

    #[test]
    fn ideographic_stops_end_one_without_a_space() {
        check("你好。世界！再见", &["你好。", "世界！", "再见"]);
    }

    #[test]
    fn lines_of_code_are_whole() {
        check(
            "```\na. B. C\n```\nDd. E",
            &["```\n", "a. B. C\n", "```\n", "Dd. ", "E"],
        );
    }

    #[test]
    fn rows_of_tables_are_whole() {
        check(
            "| a | B. C |\n|---|---|\n| It rained. We left. | 2 |\nDd. E",
            &[
                "| a | B. C |\n",
                "|---|---|\n",
                "| It rained. We left. | 2 |\n",
                "Dd. ",
                "E",
            ],
        );
    }

    #[test]
    fn a_text_of_white_space_is_one_sentence() {
        check(" \n\n ", &[" \n\n "]);
        check("", &[]);
    }

    static UAX_29: LazyLock<Regex> = LazyLock::new(|| compile(CANDIDATE));

    /// Cuts by the rules of UAX #29 alone.
    fn unicode_ends(text: &str) -> Vec<usize> {
        let is_end = |found: &regex::Match<'_>| {
            is_end(&text[..found.start()], found.as_str(), &text[found.end()..])
        };
        let mut ends: Vec<_> = UAX_29
            .find_iter(text)
            .filter(is_end)
            .map(|found| found.end())
            .collect();
        if !text.is_empty() && ends.last() != Some(&text.len()) {
            ends.push(text.len());
        }
        ends
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Line feeds are left out: here they are spaces.
        #[test]
        fn ends_are_those_of_uax_29(text in "(ab|Éb|zz|[.!?…。,;:\")(' \u{2028}7ßاน-]){0,40}") {
            let bounds = text.split_sentence_bound_indices();
            let expected: Vec<_> = bounds.map(|(at, part)| at + part.len()).collect();
            prop_assert_eq!(unicode_ends(&text), expected);
        }
    }
}
