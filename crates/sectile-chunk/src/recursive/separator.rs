//! A separator.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex::{Captures, Regex};
use sectile_core::Span;
use wide::u8x16;

use crate::Error;
use crate::source::LANES;
use crate::source::Source;

/// The characters that mean something else than themselves in a regular expression.
const META_CHARACTERS: [char; 14] = [
    '\\', '.', '+', '*', '?', '(', ')', '|', '[', ']', '{', '}', '^', '$',
];

/// A separator, ready to be searched for.
#[derive(Clone)]
pub(super) enum Separator {
    /// Every place between two characters.
    Empty,
    /// A text.
    Literal(String, Search),
    /// A regular expression.
    Pattern(Regex),
    /// The end of the text, and the place before the line break that it ends with: `$` in Python.
    End,
    /// A regular expression with look-around.
    #[cfg(feature = "look-around")]
    LookAround(Box<fancy_regex::Regex>),
}

impl Separator {
    pub(super) fn literal(text: &str) -> Self {
        if text.is_empty() {
            return Self::Empty;
        }
        Self::Literal(text.into(), Search::new(text))
    }

    pub(super) fn pattern(pattern: String) -> Result<Self, Error> {
        if !pattern.contains(META_CHARACTERS) {
            return Ok(Self::literal(&pattern));
        }
        if pattern.bytes().all(|byte| byte == b'$') {
            return Ok(Self::End);
        }
        match compile(&pattern) {
            Ok(regex) if regex.captures_len() == 1 => Ok(Self::Pattern(regex)),
            Ok(_) => Err(has_group(pattern)),
            Err(source) => Self::with_look_around(pattern, source),
        }
    }

    /// Makes a separator of a pattern that the `regex` crate refuses.
    #[cfg(feature = "look-around")]
    fn with_look_around(pattern: String, error: regex::Error) -> Result<Self, Error> {
        match fancy_regex::Regex::new(&with_braces_escaped(&pattern)) {
            Ok(regex) if regex.captures_len() == 1 => Ok(Self::LookAround(Box::new(regex))),
            Ok(_) => Err(has_group(pattern)),
            Err(_) => Err(refused(pattern, error)),
        }
    }

    #[cfg(not(feature = "look-around"))]
    fn with_look_around(pattern: String, error: regex::Error) -> Result<Self, Error> {
        Err(refused(pattern, error))
    }

    /// Finds the first match in `span` at or after `from`.
    #[inline]
    pub(super) fn find(&self, source: Source<'_>, span: Span, from: usize) -> Option<Range<usize>> {
        if from > span.end {
            return None;
        }
        match self {
            Self::Empty => None,
            Self::Literal(literal, search) => {
                let start = from + search.find(source.bytes(Span::new(from, span.end)))?;
                Some(start..start + literal.len())
            }
            Self::Pattern(regex) => {
                let found = regex.find_at(source.of(span), from - span.start)?;
                Some(span.start + found.start()..span.start + found.end())
            }
            Self::End => {
                let before_break = span.end - usize::from(source.of(span).ends_with('\n'));
                let found = if from <= before_break {
                    before_break
                } else {
                    span.end
                };
                Some(found..found)
            }
            #[cfg(feature = "look-around")]
            Self::LookAround(regex) => {
                let found = regex.find_from_pos(source.of(span), from - span.start);
                let found = found.ok().flatten()?;
                Some(span.start + found.start()..span.start + found.end())
            }
        }
    }

    /// Returns whether what it matches depends on the text around.
    pub(super) const fn is_pattern(&self) -> bool {
        !matches!(self, Self::Empty | Self::Literal(..))
    }

    /// Returns the position at which a match may begin that later text completes, after a search
    /// from `from` to `end` found none.
    pub(super) fn undecided_from(&self, from: usize, end: usize) -> usize {
        match self {
            Self::Literal(literal, _) => (end + 1).saturating_sub(literal.len()).max(from),
            _ => from,
        }
    }
}

/// How a text is searched for.
#[derive(Clone)]
pub(super) enum Search {
    /// A single byte, which is likely to be near: a space follows every word.
    Byte(u8),
    Text(Box<Finder<'static>>),
}

impl Search {
    fn new(text: &str) -> Self {
        match text.as_bytes() {
            [byte] => Self::Byte(*byte),
            _ => Self::Text(Box::new(Finder::new(text).into_owned())),
        }
    }

    #[inline]
    fn find(&self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Byte(byte) => find_near(*byte, bytes),
            Self::Text(finder) => finder.find(bytes),
        }
    }
}

/// Finds the first `byte`, fastest where it is among the first ones.
#[inline]
fn find_near(byte: u8, bytes: &[u8]) -> Option<usize> {
    let Some(block) = bytes.first_chunk::<LANES>() else {
        return bytes.iter().position(|other| *other == byte);
    };
    let found = u8x16::new(*block).simd_eq(u8x16::splat(byte)).to_bitmask();
    if found != 0 {
        return Some(found.trailing_zeros() as usize);
    }
    let rest = &bytes[LANES..];
    memchr::memchr(byte, rest).map(|at| LANES + at)
}

/// Compiles `pattern`, or if that fails, `pattern` with its braces read as Python reads them.
fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    let as_in_python = || Regex::new(&with_braces_escaped(pattern));
    Regex::new(pattern).or_else(|error| as_in_python().map_err(|_| error))
}

/// Escapes the braces of `pattern` that count no repetition and name no class, which are text in Python.
fn with_braces_escaped(pattern: &str) -> Cow<'_, str> {
    static BRACES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?s)(?<kept>\\[pPxuU]\{[^}]*\}|\\.|\{(?:\d+(?:,\d*)?|,\d+)\})|(?<text>[{}])")
            .expect("the pattern is a valid regular expression")
    });
    BRACES.replace_all(pattern, |found: &Captures<'_>| match found.name("text") {
        Some(brace) => format!("\\{}", brace.as_str()),
        None => found[0].to_string(),
    })
}

fn has_group(pattern: String) -> Error {
    Error::InvalidPattern {
        pattern,
        reason: "has a capture group, which must be written as (?:…)",
        source: None,
    }
}

fn refused(pattern: String, error: regex::Error) -> Error {
    Error::InvalidPattern {
        reason: reason_for_refusal(&pattern),
        pattern,
        source: Some(Box::new(error)),
    }
}

fn reason_for_refusal(pattern: &str) -> &'static str {
    let has_look_around = ["(?=", "(?!", "(?<=", "(?<!"]
        .iter()
        .any(|opening| pattern.contains(opening));
    if has_look_around && !cfg!(feature = "look-around") {
        "has a look-around, which needs the feature `look-around`"
    } else {
        "is not a valid regular expression"
    }
}

impl fmt::Debug for Separator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("\"\""),
            Self::Literal(literal, _) => write!(formatter, "{literal:?}"),
            Self::Pattern(regex) => write!(formatter, "/{regex}/"),
            Self::End => formatter.write_str("/$/"),
            #[cfg(feature = "look-around")]
            Self::LookAround(regex) => write!(formatter, "/{regex}/"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(pattern: &str) -> String {
        Separator::pattern(pattern.into()).unwrap_err().to_string()
    }

    #[test]
    fn patterns_that_cannot_be_used_are_refused_with_the_reason() {
        let group = "separator pattern `(a|b)` has a capture group, which must be written as (?:…)";
        assert_eq!(refusal("(a|b)"), group);
        #[cfg(not(feature = "look-around"))]
        assert_eq!(
            refusal("(?=a)"),
            "separator pattern `(?=a)` has a look-around, which needs the feature `look-around`"
        );
        assert!(refusal("[").ends_with("is not a valid regular expression"));
    }

    #[test]
    fn a_dollar_sign_matches_at_the_end_and_before_the_last_line_break() {
        let separator = Separator::pattern("$$".into()).unwrap();
        let find = |text, from| separator.find(Source::whole(text), Span::new(0, 3), from);
        assert_eq!(find("ab\n", 0), Some(2..2));
        assert_eq!(find("ab\n", 3), Some(3..3));
        assert_eq!(find("abc", 1), Some(3..3));
    }

    #[cfg(feature = "look-around")]
    #[test]
    fn a_pattern_may_look_around() {
        let separator = Separator::pattern(r"(?<=a)\n(?=b)".into()).unwrap();
        let find = |text| separator.find(Source::whole(text), Span::new(0, 6), 0);
        assert_eq!(find("a\ncc\nb"), None);
        assert_eq!(find("c\na\nb\n"), Some(3..4));
    }

    #[test]
    fn braces_that_count_nothing_are_text() {
        let separator = Separator::pattern(r"\\begin{x}|a{2}|\{{".into()).unwrap();
        let find = |text| separator.find(Source::whole(text), Span::new(0, text.len()), 0);
        assert_eq!(find(r"a \begin{x}"), Some(2..11));
        assert_eq!(find("baa"), Some(1..3));
        assert_eq!(find("b{{"), Some(1..3));
    }

    #[cfg(feature = "look-around")]
    #[test]
    fn braces_of_a_class_stay_where_a_pattern_looks_around() {
        let separator = Separator::pattern(r"(?<=\p{L})-(?=\x{61})".into()).unwrap();
        let find = |text| separator.find(Source::whole(text), Span::new(0, text.len()), 0);
        assert_eq!(find("1-a b-a"), Some(5..6));
    }
}
