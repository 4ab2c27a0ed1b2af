//! Where a term stands in a text, and whether the text defines it there.

use sectile_core::Span;

use super::words::{DefiningWords, begin_with, end_with, is_article};
use crate::{Analyzer, Language};

/// How much is read on each side of a term, and before it for its words, in bytes.
const NEAR: usize = 160;
const NEAR_BEFORE: usize = 64;

/// The most words that are read behind it.
const MOST_WORDS: usize = 12;

/// The most words of what stands between a marked term and a verb that defines it, and between one behind a preposition
/// and a verb.
const BEFORE_VERB: usize = 7;
const BEHIND_PREPOSITION: usize = 2;

/// The fewest words of what an entry says of its term, and the fewest bytes of it in text without spaces.
const FEWEST_WORDS: usize = 3;
const FEWEST_BYTES: usize = 18;

/// The most letters of what numbers an item: `viii)`.
const LONGEST_NUMBER: usize = 4;

/// The most numbers and bullets before a term: `2.1 - (a)`.
const MOST_NUMBERS: usize = 3;

/// What marks a term: quotation marks, and those of Markdown for bold type, emphasis and code.
const MARKS: &[char] = &[
    '"', '\'', '`', '*', '_', '“', '”', '„', '‘', '’', '‚', '«', '»', '‹', '›', '「', '」', '『',
    '』', '《', '》',
];

/// Those of type, which stress other words than terms, too.
const EMPHASIS: &[char] = &['*', '_', '`'];

/// What ends a sentence, or a part of one that comes before a definition.
const ENDS: &[char] = &[
    '.', ';', ':', '!', '?', ',', '。', '；', '：', '！', '？', '，',
];

/// Blanks within a line.
const BLANKS: &[char] = &[' ', '\t', '\r', '\u{a0}', '\u{202f}', '\u{3000}'];

/// A term in a text.
struct Place<'t> {
    before: &'t str,
    /// What follows behind its closing mark and what is in brackets.
    after: &'t str,
    is_marked: bool,
    /// Whether its marks are quotation marks.
    is_quoted: bool,
    /// Whether its mark is that of code, which names what the text is about.
    is_code: bool,
    /// What stands between the term and its closing mark: a colon, a comma or a full stop.
    sign: Option<char>,
}

/// Returns whether a text defines the term that stands at a place of it.
pub(super) fn is_defined(text: &str, term: Span, language: Language) -> bool {
    let words = DefiningWords::of(language);
    let place = Place::of(text, term);
    place.is_entry() || place.is_of_sentence(words)
}

impl<'t> Place<'t> {
    fn of(text: &'t str, term: Span) -> Self {
        let start = text.ceil_char_boundary(term.start.saturating_sub(NEAR));
        let end = text.floor_char_boundary(term.end.saturating_add(NEAR).min(text.len()));
        let (before, is_opened) = without_article(&text[start..term.start]);
        let (after, closing, sign) = without_closing(&text[term.end..end]);
        let is_marked = is_opened && !closing.is_empty();
        Self {
            before,
            after: without_brackets(after),
            is_marked,
            is_quoted: is_marked && closing.contains(|of: char| !EMPHASIS.contains(&of)),
            is_code: is_marked && text[term.end..].starts_with('`'),
            sign: sign.filter(|_| is_marked),
        }
    }

    /// Returns whether it is an entry as in a dictionary: `Term: text`, `Term — text`, a term above its text, or the first
    /// cell of a row.
    fn is_entry(&self) -> bool {
        let line = self.line_before();
        let is_heading = line.starts_with('#');
        let opens_line = !is_heading && line.split_whitespace().all(is_number_of_item);
        if !(opens_line || self.is_marked && self.begins_sentence()) {
            return false;
        }
        let text = match self.after.trim_start_matches(BLANKS) {
            rest if matches!(self.sign, Some(':' | '：')) => Some(rest),
            rest if rest.starts_with([':', '：']) => behind_colon(rest),
            rest if rest.starts_with('|') && line.contains('|') => explaining_cell(&rest[1..]),
            rest if rest.starts_with('\n') && line.is_empty() => below(rest),
            rest => self.behind_dash(rest),
        };
        text.is_some_and(says_something)
    }

    /// Returns what stands behind a dash that no word has.
    fn behind_dash(&self, rest: &'t str) -> Option<&'t str> {
        let text = rest.strip_prefix(['-', '–', '—'])?;
        let is_apart = rest.len() < self.after.len() && text.starts_with(BLANKS);
        (is_apart || rest.starts_with('—')).then_some(text)
    }

    /// Returns whether a sentence about it says what it means.
    fn is_of_sentence(&self, of: &DefiningWords) -> bool {
        let before = words_before(self.before);
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        if end_with(&before, of.leads) {
            return true;
        }
        let begins = self.begins_sentence();
        let is_mentioned = self.is_marked || end_with(&before, of.nouns);
        let is_behind_preposition = end_with(&before, of.prepositions);
        if !(begins || is_mentioned || is_behind_preposition) {
            return false;
        }
        let after = words_after(self.after);
        let after: Vec<&str> = after.iter().map(String::as_str).collect();
        let is_said_to_be = self.is_said_to_be(of, &after);
        is_mentioned && begins && self.has_verb_behind_aside(of, &after)
            || (is_mentioned || begins) && of.has_verb_within(&after, 0)
            || is_behind_preposition && of.has_verb_within(&after, BEHIND_PREPOSITION)
            || (begins || is_mentioned && of.determiners.is_empty()) && is_said_to_be
    }

    /// Returns whether a verb defines it behind what stands between the two: `"goods", in relation to a sale, means`.
    fn has_verb_behind_aside(&self, of: &DefiningWords, after: &[&str]) -> bool {
        if of.has_verb_last || begin_with(after, of.asides) {
            return of.has_verb_within(after, BEFORE_VERB);
        }
        let rest = self.after.trim_start_matches(BLANKS);
        let inner = match (self.sign, rest.strip_prefix([',', '，', '،'])) {
            (Some(','), None) => rest,
            (_, Some(inner)) => inner,
            _ => return false,
        };
        let Some((aside, behind)) = inner.split_once([',', '，', '،']) else {
            return false;
        };
        let behind = words_after(behind);
        let behind: Vec<&str> = behind.iter().map(String::as_str).collect();
        words_after(aside).len() <= BEFORE_VERB && of.has_verb_within(&behind, 0)
    }

    /// Returns whether what stands behind it says what it is.
    fn is_said_to_be(&self, of: &DefiningWords, after: &[&str]) -> bool {
        let omits_verb = of.omits_verb && self.is_quoted && begin_with(after, of.determiners);
        let mut copulas = of.copulas.iter();
        omits_verb
            || copulas.any(|copula| {
                let behind = copula.split(' ').count().min(after.len());
                let behind = &after[behind..];
                let is_definition = if self.is_marked && !self.is_code || of.determiners.is_empty()
                {
                    !behind.is_empty() && !begin_with(behind, of.no_predicates)
                } else {
                    begin_with(behind, of.determiners)
                };
                begin_with(after, &[*copula]) && is_definition
            })
    }

    /// Returns what stands before it in its line.
    fn line_before(&self) -> &'t str {
        let start = self.before.rfind('\n').map_or(0, |at| at + 1);
        self.before[start..].trim_start_matches(BLANKS)
    }

    /// Returns whether a sentence begins with it, or a part of one behind a comma, or an item of a list.
    fn begins_sentence(&self) -> bool {
        let mut before = self.before.trim_end_matches(BLANKS);
        for _ in 0..=MOST_NUMBERS {
            if before.is_empty() || before.ends_with('\n') || before.ends_with(ENDS) {
                return true;
            }
            let word = before.rsplit(char::is_whitespace).next();
            let Some(number) = word.filter(|word| is_number_of_item(word)) else {
                return false;
            };
            before = before[..before.len() - number.len()].trim_end_matches(BLANKS);
        }
        false
    }
}

/// Returns a text without the opening mark and the article at its end, and whether it had such a mark.
fn without_article(text: &str) -> (&str, bool) {
    let (rest, is_opened) = without_opening(text);
    let trimmed = rest.trim_end_matches(BLANKS);
    let bare = trimmed.trim_end_matches(['\'', '’']);
    let word = bare
        .rsplit(|of: char| !Analyzer::is_of_word(of))
        .next()
        .unwrap_or_default();
    // Between the two stands a blank or an apostrophe.
    if trimmed.len() == rest.len() && bare.len() == trimmed.len()
        || !is_article(&word.to_lowercase())
    {
        return (rest, is_opened);
    }
    let (rest, is_opened_before) = without_opening(&bare[..bare.len() - word.len()]);
    (rest, is_opened || is_opened_before)
}

/// Returns a text without the opening marks at its end. Marks right behind a letter open nothing.
fn without_opening(text: &str) -> (&str, bool) {
    let inner = text.trim_end_matches(BLANKS);
    let text = if inner.ends_with(['«', '„']) {
        inner
    } else {
        text
    };
    let rest = text.trim_end_matches(MARKS);
    let is_opened = rest.len() < text.len() && !ends_in_word(rest);
    if is_opened {
        (rest, true)
    } else {
        (text, false)
    }
}

/// Returns whether a text ends with a letter or a digit of a script with spaces.
fn ends_in_word(text: &str) -> bool {
    let last = text.char_indices().next_back();
    let last = last.map_or("", |(at, _)| &text[at..]);
    last.starts_with(Analyzer::is_of_word) && !Analyzer::is_unspaced(last)
}

/// Returns a text without the closing marks at its beginning, these marks, and the sign that stands before them.
fn without_closing(text: &str) -> (&str, &str, Option<char>) {
    let inner = text.trim_start_matches(BLANKS);
    let text = if inner.starts_with('»') { inner } else { text };
    let inner = text.strip_prefix([',', '.', ':', '：']).unwrap_or(text);
    let rest = inner.trim_start_matches(MARKS);
    let closing = &inner[..inner.len() - rest.len()];
    if closing.is_empty() {
        return (text, closing, None);
    }
    let sign = text.chars().next().filter(|_| inner.len() < text.len());
    (rest, closing, sign)
}

/// Returns a text without what stands in brackets at its beginning, such as what an abbreviation stands for.
fn without_brackets(text: &str) -> &str {
    let inner = text.trim_start_matches(BLANKS);
    let end = inner.find(')').filter(|_| inner.starts_with('('));
    end.map_or(text, |end| &inner[end + 1..])
}

/// Returns what stands behind a colon, unless that is joined to it, as in `scheme://host` and `path::name`.
fn behind_colon(rest: &str) -> Option<&str> {
    let text = rest.trim_start_matches([':', '：']);
    let is_joined = text.starts_with(|of: char| of.is_ascii_graphic() && !MARKS.contains(&of));
    (!is_joined).then_some(text)
}

/// Returns the first cell that may explain a term, of those behind it in its row. In the head of a table none does.
fn explaining_cell(cells: &str) -> Option<&str> {
    let mut lines = cells.lines();
    let row = lines.next().unwrap_or_default();
    let is_head = lines.next().is_some_and(is_delimiter_row);
    let mut cells = row.split('|').filter(|_| !is_head);
    cells.find(|cell| says_something(cell))
}

/// Returns whether a line separates the head of a table from its body.
fn is_delimiter_row(line: &str) -> bool {
    line.contains('-') && line.bytes().all(|byte| b"|-: \t".contains(&byte))
}

/// Returns the paragraph below a term that has a line of its own, with a blank line between or not.
fn below(rest: &str) -> Option<&str> {
    let mut lines = rest.lines().skip(1).map(|line| line.trim_matches(BLANKS));
    let first = lines.next().filter(|line| !line.is_empty());
    let line = first.or_else(|| lines.next())?;
    let text = line.strip_prefix(':').unwrap_or(line).trim_start();
    text.starts_with(|of: char| of.is_alphanumeric() || MARKS.contains(&of))
        .then_some(text)
}

/// Returns whether the first line of a text has so many words that it may explain one.
fn says_something(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let words = line.split_whitespace();
    let words = words.filter(|word| word.contains(char::is_alphabetic));
    Analyzer::is_unspaced(line) && line.len() >= FEWEST_BYTES || words.count() >= FEWEST_WORDS
}

/// Returns whether a word is a bullet, a sign that begins a line, or the number of an item: `-`, `(1)`, `a)`, `2.1`.
fn is_number_of_item(word: &str) -> bool {
    let inner = word.trim_matches(|of: char| !of.is_alphanumeric());
    let is_letters = inner.chars().all(char::is_alphabetic) && word.ends_with([')', '.']);
    let is_short = inner.chars().nth(LONGEST_NUMBER).is_none();
    inner.is_empty() || inner.starts_with(char::is_numeric) || is_letters && is_short
}

/// Returns the last words of a sentence that goes on behind a text.
fn words_before(text: &str) -> Vec<String> {
    let near = &text[text.ceil_char_boundary(text.len().saturating_sub(NEAR_BEFORE))..];
    let start = near.rfind(['.', ';', '!', '?', '。', '；']);
    let start = start.map_or(0, |at| near.ceil_char_boundary(at + 1));
    words_of(&near[start..])
}

/// Returns the first words of a text, up to the end of a sentence or of a paragraph.
fn words_after(text: &str) -> Vec<String> {
    let sentence = text.find(['.', ';', '!', '?', '。', '；']);
    let paragraph = text.find("\n\n");
    let end = sentence.into_iter().chain(paragraph).min();
    let mut words = words_of(&text[..end.unwrap_or(text.len())]);
    words.truncate(MOST_WORDS);
    words
}

/// Returns the words of a text in lower case, with elided ones apart from those behind them.
fn words_of(text: &str) -> Vec<String> {
    let lower = Analyzer::composed(text).to_lowercase();
    let is_between = |of: char| of.is_whitespace() || matches!(of, '\'' | '’');
    let words = lower.split(is_between);
    let words = words.map(|word| word.trim_matches(|of: char| !Analyzer::is_of_word(of)));
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
