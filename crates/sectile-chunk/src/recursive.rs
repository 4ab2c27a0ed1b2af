//! `LangChain`'s recursive splitter, with true spans.

use std::fmt;
use std::sync::Arc;

use sectile_core::Chunk;

use crate::position::characters;
use crate::{Characters, Chunks, Error, Stream, TokenCounter};
pub use character::CharacterTextSplitter;
use cutter::RecursiveCutter;
pub use language::Language;
use merge::Shape;
pub(crate) use merge::is_python_space;
use separator::Separator;

mod character;
mod cutter;
mod language;
mod merge;
mod separator;
mod split;

/// The separators that are used unless others are set.
const DEFAULT_SEPARATORS: [&str; 4] = ["\n\n", "\n", " ", ""];

/// The piece that keeps a separator when a text is split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeepSeparator {
    /// The beginning of the piece after it.
    #[default]
    Start,
    /// The end of the piece before it.
    End,
    /// No piece. The pieces of a chunk are joined with one separator again, so runs of separators
    /// collapse and a chunk's text may differ from the source.
    None,
}

/// Splits text at the coarsest of a list of separators that makes the pieces small enough.
///
/// The chunks are exactly those of the class of this name in `langchain-text-splitters` 1.1.3,
/// except that spans are correct and patterns are those of the `regex` crate. A text is split at
/// the first separator of the list that occurs in it; pieces as long as a chunk are split with the
/// rest of the list; the others are merged into chunks, each of which begins with the last pieces
/// of the one before, as many as fit into the overlap.
///
/// Lengths are code points unless [`with_length`](Self::with_length) says otherwise; a chunk's
/// `tokens` are then the sum over its pieces, including white space at its ends, because each piece
/// is counted once and separately.
///
/// ```
/// use sectile_chunk::RecursiveCharacterTextSplitter;
///
/// let splitter = RecursiveCharacterTextSplitter::new(14, 5)?;
/// let chunks = splitter.chunks("a short text to split");
/// let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
/// assert_eq!(texts, ["a short text", "text to split"]);
/// assert_eq!(chunks[1].span.start, 8);
/// # Ok::<(), sectile_chunk::Error>(())
/// ```
#[derive(Clone)]
pub struct RecursiveCharacterTextSplitter {
    size: usize,
    overlap: usize,
    separators: Vec<Separator>,
    keep: KeepSeparator,
    trim: bool,
    /// Whether pieces as long as a chunk are merged as others are, instead of being split.
    merges_long: bool,
    /// Nothing for code points, which need no call per piece.
    counter: Option<Arc<dyn TokenCounter>>,
    report: Option<Report>,
}

/// What is told the length of a chunk that is too long.
type Report = Arc<dyn Fn(usize) + Send + Sync>;

impl Default for RecursiveCharacterTextSplitter {
    /// 1000 code points with an overlap of 200.
    fn default() -> Self {
        Self::unchecked(1000, 200)
    }
}

impl RecursiveCharacterTextSplitter {
    /// Makes a splitter for chunks of up to `chunk_size`, overlapping by up to `chunk_overlap`.
    ///
    /// An overlap of `chunk_size` or more is clamped to `chunk_size - 1`, without an error.
    /// [`langchain`](Self::langchain) accepts an overlap of a whole chunk, and refuses a larger one.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] when `chunk_size` is 0.
    pub fn new(chunk_size: usize, chunk_overlap: usize) -> Result<Self, Error> {
        Self::langchain(chunk_size, chunk_overlap.min(chunk_size.saturating_sub(1)))
    }

    /// Makes a splitter by `LangChain`'s rules, under which an overlap of a whole chunk is legal.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] when `chunk_size` is 0 or `chunk_overlap` is larger than it.
    pub fn langchain(chunk_size: usize, chunk_overlap: usize) -> Result<Self, Error> {
        if chunk_size == 0 {
            return Err(Error::config("chunk_size", "must be at least 1, not 0"));
        }
        if chunk_overlap > chunk_size {
            let reason = format!("of {chunk_overlap} is larger than the chunk size {chunk_size}");
            return Err(Error::config("chunk_overlap", reason));
        }
        Ok(Self::unchecked(chunk_size, chunk_overlap))
    }

    /// Creates a splitter for source code or markup in `language`, with `LangChain`'s rules and
    /// separators.
    ///
    /// Chunks are `LangChain`'s, except with [`KeepSeparator::None`]: there it writes regular
    /// expressions into chunks, see [`with_regex_separators`](Self::with_regex_separators).
    /// `LangChain` names Perl but refuses it, so the separators for Perl are ours.
    ///
    /// # Errors
    ///
    /// As [`langchain`](Self::langchain).
    ///
    /// ```
    /// use sectile_chunk::{Language, RecursiveCharacterTextSplitter};
    ///
    /// let splitter = RecursiveCharacterTextSplitter::from_language(Language::Python, 24, 0)?;
    /// let chunks = splitter.chunks("x = 1\ndef f():\n    return 2\ndef g():\n    pass\n");
    /// let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
    /// assert_eq!(texts, ["x = 1", "def f():\n    return 2", "def g():\n    pass"]);
    /// # Ok::<(), sectile_chunk::Error>(())
    /// ```
    pub fn from_language(
        language: Language,
        chunk_size: usize,
        chunk_overlap: usize,
    ) -> Result<Self, Error> {
        let splitter = Self::langchain(chunk_size, chunk_overlap)?;
        splitter.with_regex_separators(language.separators().iter().copied())
    }

    fn unchecked(size: usize, overlap: usize) -> Self {
        Self {
            size,
            overlap,
            separators: DEFAULT_SEPARATORS.map(Separator::literal).into(),
            keep: KeepSeparator::default(),
            trim: true,
            merges_long: false,
            counter: None,
            report: None,
        }
    }

    /// Sets the separators, coarsest first; an empty list restores the defaults.
    ///
    /// The empty separator splits between characters and ends the list.
    #[must_use]
    pub fn with_separators(mut self, separators: impl IntoIterator<Item: Into<String>>) -> Self {
        let separators = separators.into_iter().map(Into::into);
        self.separators = separators.map(|text| Separator::literal(&text)).collect();
        self.or_default_separators()
    }

    /// Sets the separators to regular expressions, coarsest first; an empty list restores the
    /// defaults.
    ///
    /// An expression without special characters is taken as text. `$` matches as in Python, also
    /// before the line break that ends the text.
    ///
    /// With [`KeepSeparator::None`] the pieces of a chunk are joined with the text between them
    /// (`LangChain` writes the expression there).
    ///
    /// Look-around needs the feature `look-around`. The time of such an expression may not be
    /// linear in the text. If a search takes over a million steps, the expression counts as not
    /// matching.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidPattern`] when one is not an expression of the `regex` crate (or of
    /// `fancy-regex`, with the feature), or has capture groups, which corrupt `LangChain`'s output:
    /// write `(?:…)`.
    pub fn with_regex_separators(
        mut self,
        patterns: impl IntoIterator<Item: Into<String>>,
    ) -> Result<Self, Error> {
        let patterns = patterns.into_iter().map(Into::into);
        self.separators = patterns.map(Separator::pattern).collect::<Result<_, _>>()?;
        Ok(self.or_default_separators())
    }

    fn or_default_separators(mut self) -> Self {
        if self.separators.is_empty() {
            self.separators = DEFAULT_SEPARATORS.map(Separator::literal).into();
        }
        self
    }

    /// Sets where separators go.
    #[must_use]
    pub const fn with_keep_separator(mut self, keep: KeepSeparator) -> Self {
        self.keep = keep;
        self
    }

    /// Sets whether chunks lose the white space at their ends, as they do by default.
    ///
    /// White space is Python's: Unicode's, and U+001C to U+001F. A piece that is too long and has
    /// no finer separator keeps its own.
    #[must_use]
    pub const fn with_trim(mut self, trim: bool) -> Self {
        self.trim = trim;
        self
    }

    /// Sets the unit of lengths.
    ///
    /// Between the pieces of a chunk, `LangChain` counts the separator, or the empty text where pieces keep theirs. For a
    /// counter that adds marks around each text, its length is not 0.
    #[must_use]
    pub fn with_length(mut self, counter: Arc<dyn TokenCounter>) -> Self {
        self.counter = Some(counter).filter(|counter| counter.name() != Characters::NAME);
        self
    }

    /// Splits `text`.
    ///
    /// A chunk's text is the source at its span, or with [`KeepSeparator::None`] its pieces joined.
    pub fn chunks<'a>(&self, text: &'a str) -> Vec<Chunk<'a>> {
        self.iter(text).collect()
    }

    /// Splits `text` lazily, into the same chunks as [`chunks`](Self::chunks).
    pub fn iter<'a>(&self, text: &'a str) -> Chunks<'a, '_> {
        Chunks::new(text, RecursiveCutter::new(self))
    }

    /// Splits a text that arrives in parts.
    ///
    /// It keeps the pieces of a chunk and the text up to the next occurrence of the first separator
    /// in memory. If that separator does not occur, it keeps the whole text, because the next
    /// separators are for texts without it. It also keeps the whole text if the first separator is
    /// a pattern, because more text may change its matches.
    pub fn stream(&self) -> Stream<'_> {
        Stream::new(RecursiveCutter::new(self))
    }

    fn shape(&self) -> Shape {
        Shape {
            size: self.size,
            overlap: self.overlap,
            trim: self.trim,
            in_tokens: self.counter.is_some(),
        }
    }

    fn length(&self, text: &str) -> usize {
        match &self.counter {
            Some(counter) => counter.count(text),
            None => characters(text),
        }
    }
}

impl fmt::Debug for RecursiveCharacterTextSplitter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self
            .counter
            .as_ref()
            .map_or(Characters::NAME, |counter| counter.name());
        formatter
            .debug_struct("RecursiveCharacterTextSplitter")
            .field("chunk_size", &self.size)
            .field("chunk_overlap", &self.overlap)
            .field("separators", &self.separators)
            .field("keep_separator", &self.keep)
            .field("trim", &self.trim)
            .field("merges_long", &self.merges_long)
            .field("length", &length)
            .field("reports", &self.report.is_some())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use sectile_core::Span;

    use super::*;
    use crate::Heuristic;

    fn splitter(size: usize, overlap: usize) -> RecursiveCharacterTextSplitter {
        RecursiveCharacterTextSplitter::langchain(size, overlap).unwrap()
    }

    fn check(splitter: &RecursiveCharacterTextSplitter, text: &str, expected: &[&str]) {
        let chunks = splitter.chunks(text);
        let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
        assert_eq!(texts, expected, "{splitter:?}");
    }

    #[test]
    fn the_separator_goes_where_it_is_told() {
        let splitter = splitter(1, 0).with_separators(["."]);
        let text = "..aa..bb..";
        check(&splitter, text, &[".", ".aa", ".", ".bb", ".", "."]);
        let end = splitter.clone().with_keep_separator(KeepSeparator::End);
        check(&end, text, &[".", ".", "aa.", ".", "bb.", "."]);
        let none = splitter.with_keep_separator(KeepSeparator::None);
        check(&none, text, &["aa", "bb"]);
    }

    #[test]
    fn a_piece_without_a_finer_separator_is_not_stripped() {
        check(&splitter(1, 0), "a b", &["a", " ", "b"]);
        check(&splitter(2, 0), "a b", &["a", "b"]);
    }

    #[test]
    fn the_first_separator_that_occurs_in_the_piece_is_taken() {
        let splitter = splitter(4, 0).with_separators(["|", ",", " "]);
        check(&splitter, "a b,c d", &["a b", ",c d"]);
        check(&splitter, "abcdef", &["abcdef"]);
    }

    #[test]
    fn the_empty_separator_ends_the_list() {
        check(
            &splitter(2, 0).with_separators(["", "b"]),
            "abcd",
            &["ab", "cd"],
        );
    }

    #[test]
    fn an_empty_list_is_the_default_one() {
        let splitter = splitter(2, 0).with_separators(Vec::<String>::new());
        check(&splitter, "ab c", &["ab", "c"]);
    }

    #[test]
    fn overlap_is_whole_pieces_and_ends_at_a_split_piece() {
        check(&splitter(7, 3), "a b c d e", &["a b c d", "d e"]);
        check(
            &splitter(5, 3),
            "a b cccccc d",
            &["a b", "cccc", "ccccc", "d"],
        );
    }

    #[test]
    fn an_overlap_of_a_whole_chunk_goes_on() {
        check(&splitter(3, 3), "abcd", &["abc", "bcd"]);
        let clamped = RecursiveCharacterTextSplitter::new(3, 9).unwrap();
        check(&clamped, "abcd", &["abc", "bcd"]);
    }

    #[test]
    fn white_space_is_pythons() {
        check(&splitter(9, 0), "\u{1c}\u{1f}a\u{85}\u{3000}", &["a"]);
        check(&splitter(9, 0), "\u{1c} \n", &[]);
        check(&splitter(9, 0).with_trim(false), " a ", &[" a "]);
    }

    #[test]
    fn pieces_without_separators_are_joined_with_one() {
        let splitter = splitter(5, 0)
            .with_separators([","])
            .with_keep_separator(KeepSeparator::None);
        let chunks = splitter.chunks("x,,,y,z,w");
        assert_eq!(
            (chunks[0].text.as_ref(), chunks[0].span),
            ("x,y,z", Span::new(0, 7))
        );
        assert!(matches!(chunks[1].text, std::borrow::Cow::Borrowed("w")));
    }

    #[test]
    fn patterns_that_are_not_kept_leave_the_source_between_pieces() {
        let splitter = splitter(7, 0)
            .with_regex_separators([r"\d"])
            .unwrap()
            .with_keep_separator(KeepSeparator::None);
        check(&splitter, "ab1cd2ef3gh", &["ab1cd", "ef3gh"]);
    }

    #[test]
    fn empty_matches_split_between_characters() {
        let splitter = splitter(1, 0).with_regex_separators([r"\b"]).unwrap();
        check(&splitter, "é, b", &["é", ", ", "b"]);
    }

    #[test]
    fn lengths_in_tokens_are_sums_over_pieces() {
        let splitter = splitter(3, 0).with_length(Arc::new(Heuristic));
        let chunks = splitter.chunks("a b c d");
        assert_eq!(chunks[0].text, "a b c");
        assert_eq!(chunks[0].tokens, Some(3));
        let characters = splitter.with_length(Arc::new(Characters));
        assert_eq!(characters.chunks("a b")[0].tokens, None);
    }

    /// Counts words and two marks around each text, as tokenizers for models of the kind of BERT do.
    struct Marked;

    impl TokenCounter for Marked {
        fn count(&self, text: &str) -> usize {
            text.split_whitespace().count() + 2
        }

        fn name(&self) -> &'static str {
            "marked"
        }
    }

    #[test]
    fn what_is_counted_of_no_text_stands_between_pieces() {
        let text = "a b c d e f";
        // Pieces are of length 3, and of 5 with the 2 of the empty text before them.
        let marked = splitter(13, 0).with_length(Arc::new(Marked));
        check(&marked, text, &["a b c", "d e f"]);
        assert_eq!(marked.chunks(text)[0].tokens, Some(13));
        let overlapping = splitter(13, 8).with_length(Arc::new(Marked));
        check(&overlapping, text, &["a b c", "b c d", "c d e", "d e f"]);
        let end = marked.with_keep_separator(KeepSeparator::End);
        check(&end, text, &["a b c", "d e f"]);
        let single = CharacterTextSplitter::new("", 8, 0).unwrap();
        let single = single.with_length(Arc::new(Marked)).chunks("abcd");
        let texts: Vec<_> = single.iter().map(|chunk| chunk.text.as_ref()).collect();
        assert_eq!(texts, ["ab", "cd"]);
    }

    #[test]
    fn senseless_sizes_are_errors() {
        assert!(RecursiveCharacterTextSplitter::new(0, 0).is_err());
        let error = RecursiveCharacterTextSplitter::langchain(5, 6).unwrap_err();
        let expected = "chunk_overlap of 6 is larger than the chunk size 5";
        assert_eq!(error.to_string(), expected);
    }
}
