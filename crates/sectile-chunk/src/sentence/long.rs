//! Parts of a sentence that does not fit into a chunk.

use sectile_core::Span;
use unicode_segmentation::GraphemeCursor;

use crate::TokenCounter;
use crate::source::Source;

/// The rest of a sentence that is being cut: its parts in reverse order.
///
/// A part is halved until it has at most `limit` tokens, at the cut nearest to its middle: after a line end if there is
/// one, else after a clause. Only a part that does not fit into a chunk is halved after white space, or if it has none
/// between characters. So neither a clause nor a word is torn that fits. Source code is halved between two statements, as
/// far as lines show them. A part that is very probably too large is halved without being counted, so every byte is counted
/// a bounded number of times. The search for cuts looks at a byte a bounded number of times per halving.
#[derive(Default)]
pub(crate) struct LongSentence {
    rest: Vec<Part>,
    limit: usize,
    most: usize,
}

/// A part, and the first kind of boundary that it may have inside.
#[derive(Clone, Copy)]
struct Part {
    span: Span,
    boundary: Boundary,
}

impl LongSentence {
    /// Cuts a sentence into parts of at most `limit` tokens where that is possible after line ends and clauses, and of at
    /// most `most` tokens where it is not.
    pub(crate) fn new(span: Span, limit: usize, most: usize) -> Self {
        let boundary = Boundary::Line;
        Self {
            rest: vec![Part { span, boundary }],
            limit,
            most,
        }
    }

    /// Cuts source code into parts of at most `most` tokens, between statements where that is possible.
    pub(crate) fn of_source(span: Span, most: usize) -> Self {
        let boundary = Boundary::Statement;
        Self {
            rest: vec![Part { span, boundary }],
            limit: most,
            most,
        }
    }

    /// Cuts a sentence into parts that fill chunks of `most` tokens well: they are much smaller where that is possible.
    pub(crate) fn small_parts(span: Span, most: usize) -> Self {
        Self::new(span, (most / 8).max(1), most)
    }

    /// Returns the next part and its tokens.
    pub(crate) fn next_part(
        &mut self,
        source: Source<'_>,
        counter: &dyn TokenCounter,
    ) -> Option<(Span, usize)> {
        while let Some(Part { span, boundary }) = self.rest.pop() {
            let text = source.of(span);
            let tokens = may_have(text, self.limit).then(|| counter.count(text));
            if let Some(tokens) = tokens.filter(|&tokens| tokens <= self.limit) {
                return Some((span, tokens));
            }
            match self.cut(text, boundary, tokens, counter) {
                Ok((boundary, middle)) => {
                    let middle = span.start + middle;
                    let part = |start, end| Part {
                        span: Span::new(start, end),
                        boundary,
                    };
                    self.rest.push(part(middle, span.end));
                    self.rest.push(part(span.start, middle));
                }
                Err(tokens) => return Some((span, tokens)),
            }
        }
        None
    }

    /// Returns where to cut a part in two, and the kind of boundary that is there, or its tokens if it is not to be cut.
    fn cut(
        &self,
        text: &str,
        mut boundary: Boundary,
        mut tokens: Option<usize>,
        counter: &dyn TokenCounter,
    ) -> Result<(Boundary, usize), usize> {
        loop {
            if let Some(middle) = boundary.nearest_to_middle(text) {
                return Ok((boundary, middle));
            }
            if tokens.is_none() && may_have(text, self.most) {
                tokens = Some(counter.count(text));
            }
            let fits = tokens.is_some_and(|tokens| tokens <= self.most);
            match boundary.finer() {
                Some(finer) if !fits || finer == Boundary::Clause => boundary = finer,
                _ => return Err(tokens.unwrap_or_else(|| counter.count(text))),
            }
        }
    }
}

/// Returns whether a text may have so few tokens that it is worth to be counted.
const fn may_have(text: &str, tokens: usize) -> bool {
    text.len() / 16 <= tokens
}

/// A kind of place where a sentence may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Boundary {
    /// A line end in source code, between two statements as far as lines show it.
    Statement,
    Line,
    Clause,
    Space,
    /// Between what is read as characters, as a letter with its accents is.
    Grapheme,
    Character,
}

impl Boundary {
    /// Returns the next worse kind.
    const fn finer(self) -> Option<Self> {
        match self {
            Self::Statement => Some(Self::Line),
            Self::Line => Some(Self::Clause),
            Self::Clause => Some(Self::Space),
            Self::Space => Some(Self::Grapheme),
            Self::Grapheme => Some(Self::Character),
            Self::Character => None,
        }
    }

    /// Returns the boundary in `text` that lies nearest to its middle.
    fn nearest_to_middle(self, text: &str) -> Option<usize> {
        match self {
            Self::Statement => nearest(text, |at, char| ends_statement(text, at, char)),
            Self::Line => nearest(text, |at, char| ends_line(text, at, char)),
            Self::Clause => nearest(text, |at, char| ends_clause(text, at, char)),
            Self::Space => nearest(text, |at, char| is_space(text, at, char)),
            Self::Grapheme => nearest(text, |at, char| ends_grapheme(text, at + char.len_utf8())),
            Self::Character => nearest(text, |_, _| true),
        }
    }
}

/// Returns whether a line ends with the `char` at `at`.
fn ends_line(text: &str, at: usize, char: char) -> bool {
    char == '\n' || char == '\r' && !text[at..].starts_with("\r\n")
}

/// What lines begin with that belong to the next one: comments, directives and attributes.
const LEADING: [&str; 8] = ["//", "#", "/*", "*", "--", ";", "%", "@"];

/// What lines end with that go on in the next one.
const GOES_ON: [char; 8] = ['{', '(', '[', ',', ':', '=', '\\', '|'];

/// What lines begin with that end or go on with what stands above them.
const CLOSING: [&str; 7] = ["}", ")", "]", ".", "end", "else", "{"];

/// How many bytes behind the end of a line a statement begins at the latest.
const MAX_BLANK: usize = 256;

/// Returns whether the `char` at `at` ends a line of source code behind which a statement begins.
fn ends_statement(text: &str, at: usize, char: char) -> bool {
    if !ends_line(text, at, char) {
        return false;
    }
    let (before, behind) = (&text[..at], &text[at + char.len_utf8()..]);
    // Blank lines without end are not looked through again for each of them.
    let behind = &behind[..behind.floor_char_boundary(MAX_BLANK)];
    let before = before.strip_suffix('\r').unwrap_or(before);
    let start = before.rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
    let (line, next) = (before[start..].trim(), behind.trim_start());
    let is_one_of =
        |line: &str, begins: &[&str]| begins.iter().any(|begin| line.starts_with(begin));
    !line.ends_with(GOES_ON) && !is_one_of(line, &LEADING) && !is_one_of(next, &CLOSING)
}

/// Returns whether a clause ends with the `char` at `at`: full-width punctuation, a dash between words, or the white space
/// after a comma, semicolon, colon or dash.
fn ends_clause(text: &str, at: usize, char: char) -> bool {
    let behind = &text[at + char.len_utf8()..];
    match char {
        '、' | '，' | '；' | '：' | '。' | '！' | '？' => true,
        '—' => behind.starts_with(char::is_alphanumeric),
        _ => is_space(text, at, char) && text[..at].ends_with(CLAUSE_ENDS),
    }
}

/// What ends a clause before white space, in Latin, Arabic and Ethiopic letters.
const CLAUSE_ENDS: [char; 9] = [',', ';', ':', '–', '—', '،', '؛', '፣', '፤'];

/// Returns whether the `char` at `at` is white space and no half of a line end.
fn is_space(text: &str, at: usize, char: char) -> bool {
    char.is_whitespace() && !text[at..].starts_with("\r\n")
}

/// Returns whether what is read as one character ends at `at`.
fn ends_grapheme(text: &str, at: usize) -> bool {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    // The whole text is there, so nothing is missing.
    cursor.is_boundary(text, 0).unwrap_or(true)
}

/// Returns the end of the `wanted` character that lies nearest to the middle of `text`, the last
/// one excepted.
fn nearest(text: &str, wanted: impl Fn(usize, char) -> bool) -> Option<usize> {
    let (before, after) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let end = |(at, char): (usize, char)| at + char.len_utf8();
    let left = before
        .char_indices()
        .rev()
        .find(|&(at, char)| wanted(at, char))
        .map(end);
    let right = after
        .char_indices()
        .find(|&(at, char)| wanted(before.len() + at, char))
        .map(end);
    let right = right
        .map(|at| before.len() + at)
        .filter(|&at| at < text.len());
    let distance = |at: &usize| at.abs_diff(before.len());
    left.into_iter().chain(right).min_by_key(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Characters;

    fn check(text: &str, limit: usize, most: usize, expected: &[&str]) {
        let mut sentence = LongSentence::new(Span::new(0, text.len()), limit, most);
        let parts = || sentence.next_part(Source::whole(text), &Characters);
        let texts: Vec<_> = std::iter::from_fn(parts)
            .map(|(span, _)| span.of(text))
            .collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn line_ends_come_before_clauses_before_white_space_before_characters() {
        check("a b c\nd", 6, 6, &["a b c\n", "d"]);
        check("a, b c d e", 8, 8, &["a, ", "b c d e"]);
        check("検、索文書の", 5, 5, &["検、", "索文書の"]);
        check("aa bb cc", 5, 5, &["aa ", "bb cc"]);
        check("éééé", 2, 2, &["éé", "éé"]);
    }

    #[test]
    fn one_character_is_never_cut() {
        check("é👩", 1, 1, &["é", "👩"]);
    }

    #[test]
    fn clauses_and_words_that_fit_are_whole() {
        check("one two, three four", 2, 12, &["one two, ", "three four"]);
        check("one two three", 2, 8, &["one ", "two ", "three"]);
        check("one twooooooo", 2, 9, &["one ", "twooooooo"]);
        check("twooooooo", 4, 8, &["twoo", "oo", "ooo"]);
    }

    #[test]
    fn line_ends_and_clauses_are_taken_in_what_fits() {
        check("one\ntwo\nthree", 2, 20, &["one\n", "two\n", "three"]);
        check("one, two, three", 2, 20, &["one, ", "two, ", "three"]);
        check("one\rtwo\rthree", 2, 20, &["one\r", "two\r", "three"]);
        check("one\r\ntwo", 2, 20, &["one\r\n", "two"]);
    }

    #[test]
    fn source_code_is_cut_between_statements() {
        let check = |text: &str, most: usize, expected: &[&str]| {
            let mut sentence = LongSentence::of_source(Span::new(0, text.len()), most);
            let parts = || sentence.next_part(Source::whole(text), &Characters);
            let texts: Vec<_> = std::iter::from_fn(parts)
                .map(|(span, _)| span.of(text))
                .collect();
            assert_eq!(texts, expected);
        };
        check(
            "a();\r\n// Then.\r\nb(c,\r\n  d);\r\n",
            25,
            &["a();\r\n", "// Then.\r\nb(c,\r\n  d);\r\n"],
        );
        check(
            "if a {\n  b\n}\nc = d\ne = f\n",
            15,
            &["if a {\n  b\n}\n", "c = d\ne = f\n"],
        );
        check("// one\n// two\n", 8, &["// one\n", "// two\n"]);
    }

    #[test]
    fn clauses_end_with_the_punctuation_of_many_scripts() {
        check("نعم، لا", 4, 6, &["نعم، ", "لا"]);
        check("نعم؛ لا", 4, 6, &["نعم؛ ", "لا"]);
        check("one – two", 4, 8, &["one – ", "two"]);
        check("one—two", 4, 6, &["one—", "two"]);
        check("1990–1995", 4, 9, &["1990–1995"]);
    }

    #[test]
    fn what_is_read_as_one_character_is_torn_only_if_it_is_larger_than_a_chunk() {
        check(
            "e\u{301}e\u{301}e\u{301}",
            2,
            3,
            &["e\u{301}", "e\u{301}", "e\u{301}"],
        );
        check(
            "👩\u{200d}🚀👩\u{200d}🚀",
            1,
            3,
            &["👩\u{200d}🚀", "👩\u{200d}🚀"],
        );
        check("🇩🇪🇫🇷", 1, 2, &["🇩🇪", "🇫🇷"]);
        check("👩\u{200d}🚀", 1, 2, &["👩", "\u{200d}", "🚀"]);
    }

    #[test]
    fn a_line_end_of_two_characters_is_whole() {
        check("a\r\n", 1, 2, &["a", "\r\n"]);
    }
}
