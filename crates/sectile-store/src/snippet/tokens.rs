//! The tokens of a snippet: words, and lines that stay whole.

use std::ops::Range;

use sectile_core::{Format, Span};

use super::inline::Inline;

/// A line of more bytes is cut into words.
const LONGEST_LINE: usize = 400;

/// How the text of a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Source code or data as a whole.
    Code,
    /// Text that may contain tables and fenced code.
    Plain,
    /// Markdown.
    Markdown,
}

impl Syntax {
    pub(super) fn of(format: Format) -> Self {
        match format {
            Format::Code | Format::Yaml => Self::Code,
            Format::Text => Self::Plain,
            other if other.is_outlined() => Self::Plain,
            _ => Self::Markdown,
        }
    }
}

/// A part of a text that is shown whole or not at all.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) span: Span,
    /// Whether it has a line of its own: one of code, or a row of a table.
    pub(super) is_line: bool,
    /// The number of words before it, and the number up to its end.
    pub(super) words: Range<usize>,
    /// The matches that begin in it.
    pub(super) matches: Range<usize>,
}

/// The tokens of a text in its order, and what of them is not shown.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) all: Vec<Token>,
    pub(super) inline: Inline,
}

impl Tokens {
    /// Splits a text, which begins in a table or not. `matches` are in its order.
    pub(super) fn new(
        text: &str,
        syntax: Syntax,
        is_table: bool,
        matches: &[(Span, usize)],
    ) -> Self {
        let mut tokens = Self {
            all: Vec::with_capacity(text.len() / 6),
            inline: Inline::default(),
        };
        if syntax == Syntax::Code {
            lines(text).for_each(|line| tokens.push_line(text, line));
        } else {
            let blocks = Blocks {
                is_table,
                ..Blocks::default()
            };
            blocks.split(text, syntax == Syntax::Markdown, &mut tokens);
        }
        tokens.place(matches);
        tokens
    }

    /// Adds words between white space.
    fn push_words(&mut self, text: &str, part: Span) {
        let (all, inline) = (&mut self.all, &self.inline);
        for_each_word(text, part, &inline.unbroken, |span| {
            if inline.shown(span).next().is_some() {
                push(all, span, false, 1);
            }
        });
    }

    /// Adds a line with its indentation, unless it is blank.
    fn push_line(&mut self, text: &str, line: Span) {
        let shown = line.of(text).trim_end();
        let line = Span::new(line.start, line.start + shown.len());
        match shown.split_whitespace().count() {
            0 => {}
            _ if shown.len() > LONGEST_LINE => self.push_words(text, line),
            words => push(&mut self.all, line, true, words),
        }
    }

    /// Notes which matches begin in each token.
    fn place(&mut self, matches: &[(Span, usize)]) {
        let mut first = 0;
        for token in &mut self.all {
            let before = matches[first..].iter();
            first += before
                .take_while(|(found, _)| found.start < token.span.start)
                .count();
            let inside = matches[first..].iter();
            let inside = inside
                .take_while(|(found, _)| found.start < token.span.end)
                .count();
            token.matches = first..first + inside;
            first += inside;
        }
    }
}

fn push(all: &mut Vec<Token>, span: Span, is_line: bool, words: usize) {
    let before = all.last().map_or(0, |last| last.words.end);
    all.push(Token {
        span,
        is_line,
        words: before..before + words,
        matches: 0..0,
    });
}

/// The context of a position in a text: prose, a table or fenced code.
#[derive(Default)]
struct Blocks {
    /// The lines of prose that were read last.
    prose: Option<Span>,
    /// The last of them.
    last: Span,
    is_table: bool,
    /// The mark that ends the code.
    fence: Option<String>,
}

impl Blocks {
    fn split(mut self, text: &str, has_links: bool, tokens: &mut Tokens) {
        for line in lines(text) {
            let shown = line.of(text).trim();
            if let Some(fence) = &self.fence {
                if shown.starts_with(fence.as_str())
                    && shown.trim_start_matches(&fence[..1]).is_empty()
                {
                    self.fence = None;
                } else {
                    tokens.push_line(text, line);
                }
            } else if let Some(fence) = fence(shown) {
                self.end_prose(text, has_links, tokens);
                self.fence = Some(fence.to_owned());
            } else if is_rule_of_table(shown) {
                self.end_prose_in_head(text, has_links, tokens);
                self.is_table = true;
            } else if shown.contains('|') && (self.is_table || shown.starts_with('|')) {
                self.end_prose(text, has_links, tokens);
                push_row(text, line, has_links, tokens);
            } else {
                self.is_table = false;
                let start = self.prose.map_or(line.start, |prose| prose.start);
                self.prose = Some(Span::new(start, line.end));
                self.last = line;
            }
        }
        self.end_prose(text, has_links, tokens);
    }

    fn end_prose(&mut self, text: &str, has_links: bool, tokens: &mut Tokens) {
        let Some(prose) = self.prose.take() else {
            return;
        };
        if has_links {
            tokens.inline.scan(text, prose);
        }
        tokens.push_words(text, prose);
    }

    /// Ends prose whose last line is the head of a table without pipes at its sides.
    fn end_prose_in_head(&mut self, text: &str, has_links: bool, tokens: &mut Tokens) {
        let Some(prose) = self.prose else {
            return;
        };
        let head = self.last;
        if !head.of(text).contains('|') {
            return self.end_prose(text, has_links, tokens);
        }
        self.prose = (prose.start < head.start).then(|| Span::new(prose.start, head.start));
        self.end_prose(text, has_links, tokens);
        push_row(text, head, has_links, tokens);
    }
}

fn push_row(text: &str, line: Span, has_links: bool, tokens: &mut Tokens) {
    let shown = line.of(text);
    let indent = shown.len() - shown.trim_start().len();
    let row = Span::new(line.start + indent, line.end);
    if has_links {
        tokens.inline.scan(text, row);
    }
    tokens.push_line(text, row);
}

/// Returns the mark of a line that begins fenced code.
fn fence(line: &str) -> Option<&str> {
    let mark = ['`', '~']
        .into_iter()
        .find(|&mark| line.starts_with(mark))?;
    let (fence, rest) = line.split_at(line.len() - line.trim_start_matches(mark).len());
    (fence.len() >= 3 && (mark == '~' || !rest.contains(mark))).then_some(fence)
}

/// Returns whether a line is the one between the head of a table and its rows.
fn is_rule_of_table(line: &str) -> bool {
    line.contains('|')
        && line.contains('-')
        && line
            .bytes()
            .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// Returns the lines of a text, with their ends.
fn lines(text: &str) -> impl Iterator<Item = Span> {
    let mut end = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = end;
        end += line.len();
        Span::new(start, end)
    })
}

/// Calls `found` with each word between white space, of which what is unbroken is a part. Runs longer than a line of text
/// are cut into pieces, and links, paths and identifiers, which are of ASCII alone, not before they are as long as a
/// paragraph.
fn for_each_word(text: &str, part: Span, unbroken: &[Span], mut found: impl FnMut(Span)) {
    const LONGEST: usize = 48;
    const LONGEST_ASCII: usize = 400;
    let text = &text[..part.end];
    let word_end = |from| next(text, from, |is_white| is_white).unwrap_or(text.len());
    let begun = unbroken.partition_point(|span| span.start < part.start);
    let mut unbroken = unbroken[begun..].iter();
    let mut end = part.start;
    while let Some(start) = next(text, end, |is_white| !is_white) {
        end = word_end(start);
        while let Some(span) = unbroken.clone().next().filter(|span| span.start < end) {
            unbroken.next();
            if span.end > end {
                end = word_end(span.end);
            }
        }
        let word = &text[start..end];
        let longest = if word.len() <= LONGEST || word.is_ascii() {
            LONGEST_ASCII
        } else {
            LONGEST
        };
        let mut at = 0;
        while at < word.len() {
            let piece = word.ceil_char_boundary((at + longest).min(word.len()));
            found(Span::new(at, piece).shifted(start));
            at = piece;
        }
    }
}

/// Returns the position of the first character from `at` on that is white space, or that is not.
fn next(text: &str, mut at: usize, is_wanted: impl Fn(bool) -> bool) -> Option<usize> {
    while let Some(&byte) = text.as_bytes().get(at) {
        let (is_white, length) = if byte.is_ascii() {
            // The vertical tab is white space too.
            (matches!(byte, b'\t'..=b'\r' | b' '), 1)
        } else {
            let character = text[at..].chars().next()?;
            (character.is_whitespace(), character.len_utf8())
        };
        if is_wanted(is_white) {
            return Some(at);
        }
        at += length;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_are_what_stands_between_white_space(text in r"([a-zé字]|\PC|\s|\u{85}|\u{b}){0,80}") {
            let mut words = Vec::new();
            for_each_word(&text, Span::new(0, text.len()), &[], |span| words.push(span.of(&text)));
            prop_assert_eq!(words.concat(), text.split_whitespace().collect::<String>());
            let is_whole = |word: &&str| !word.is_empty() && !word.contains(char::is_whitespace);
            prop_assert!(words.iter().all(is_whole), "{:?}", words);
        }

        #[test]
        fn tokens_follow_each_other(text in r"([a字]|[|`~\[\]() \n-]|\| - |```\n){0,60}") {
            for syntax in [Syntax::Code, Syntax::Plain, Syntax::Markdown] {
                let tokens = Tokens::new(&text, syntax, false, &[]);
                prop_assert!(tokens.all.iter().all(|token| text.get(token.span.start..token.span.end).is_some()));
                prop_assert!(tokens.all.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
            }
        }
    }
}
