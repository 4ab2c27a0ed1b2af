//! `LangChain`'s splitter at one separator.

use std::sync::Arc;

use sectile_core::Chunk;

use super::{KeepSeparator, RecursiveCharacterTextSplitter};
use crate::{Chunks, Error, Stream, TokenCounter};

/// Splits text at one separator, and merges the pieces into chunks.
///
/// The chunks are those of the class of this name in `langchain-text-splitters` 1.1.3. A piece that is longer than a
/// chunk is a chunk; [`RecursiveCharacterTextSplitter`] splits it further. Otherwise it works
/// alike, except that separators are not kept unless
/// [`with_keep_separator`](Self::with_keep_separator) says so.
///
/// ```
/// use sectile_chunk::CharacterTextSplitter;
///
/// let splitter = CharacterTextSplitter::new(", ", 8, 0)?;
/// let chunks = splitter.chunks("one, two, fourteen, ten");
/// let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
/// assert_eq!(texts, ["one, two", "fourteen", "ten"]);
/// # Ok::<(), sectile_chunk::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CharacterTextSplitter(RecursiveCharacterTextSplitter);

impl CharacterTextSplitter {
    /// Makes a splitter at `separator` for chunks of up to `chunk_size`, overlapping by up to `chunk_overlap`.
    ///
    /// The empty separator splits between characters.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] when `chunk_size` is 0 or `chunk_overlap` is larger than it.
    pub fn new(separator: &str, chunk_size: usize, chunk_overlap: usize) -> Result<Self, Error> {
        let splitter = RecursiveCharacterTextSplitter::langchain(chunk_size, chunk_overlap)?;
        Ok(Self::of(splitter.with_separators([separator])))
    }

    /// Makes a splitter at the matches of a regular expression.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and as
    /// [`with_regex_separators`](RecursiveCharacterTextSplitter::with_regex_separators).
    pub fn with_regex(
        pattern: &str,
        chunk_size: usize,
        chunk_overlap: usize,
    ) -> Result<Self, Error> {
        let splitter = RecursiveCharacterTextSplitter::langchain(chunk_size, chunk_overlap)?;
        Ok(Self::of(splitter.with_regex_separators([pattern])?))
    }

    fn of(splitter: RecursiveCharacterTextSplitter) -> Self {
        Self(RecursiveCharacterTextSplitter {
            merges_long: true,
            keep: KeepSeparator::None,
            ..splitter
        })
    }

    /// Sets where separators go.
    #[must_use]
    pub fn with_keep_separator(self, keep: KeepSeparator) -> Self {
        Self(self.0.with_keep_separator(keep))
    }

    /// Sets whether chunks lose the white space at their ends, as they do by default.
    #[must_use]
    pub fn with_trim(self, trim: bool) -> Self {
        Self(self.0.with_trim(trim))
    }

    /// Sets the unit of lengths.
    #[must_use]
    pub fn with_length(self, counter: Arc<dyn TokenCounter>) -> Self {
        Self(self.0.with_length(counter))
    }

    /// Calls `report` with the length of each chunk that is longer than `chunk_size` because it has no
    /// separator. As in `LangChain`, which logs them, the last chunk does not count, and white space at
    /// the ends does.
    #[must_use]
    pub fn with_long_chunk_report(self, report: Arc<dyn Fn(usize) + Send + Sync>) -> Self {
        Self(RecursiveCharacterTextSplitter {
            report: Some(report),
            ..self.0
        })
    }

    /// Splits `text`.
    pub fn chunks<'a>(&self, text: &'a str) -> Vec<Chunk<'a>> {
        self.0.chunks(text)
    }

    /// Splits `text` lazily, into the same chunks as [`chunks`](Self::chunks).
    pub fn iter<'a>(&self, text: &'a str) -> Chunks<'a, '_> {
        self.0.iter(text)
    }

    /// Splits a text that arrives in parts, with the memory of [the recursive
    /// splitter](RecursiveCharacterTextSplitter::stream).
    pub fn stream(&self) -> Stream<'_> {
        self.0.stream()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn check(splitter: &CharacterTextSplitter, text: &str, expected: &[&str]) {
        let chunks = splitter.chunks(text);
        let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
        assert_eq!(texts, expected, "{splitter:?}");
    }

    #[test]
    fn a_long_piece_is_a_chunk_and_is_stripped() {
        let splitter = CharacterTextSplitter::new(" ", 3, 0).unwrap();
        check(&splitter, "a bcdef g h", &["a", "bcdef", "g h"]);
        let splitter = CharacterTextSplitter::new("|", 3, 0).unwrap();
        check(&splitter, "a| bcdef |g", &["a", "bcdef", "g"]);
    }

    #[test]
    fn a_long_piece_leaves_no_overlap_and_takes_none() {
        let splitter = CharacterTextSplitter::new(" ", 5, 3).unwrap();
        check(
            &splitter,
            "a b cc dddddddd e f",
            &["a b", "b cc", "dddddddd", "e f"],
        );
    }

    #[test]
    fn chunks_that_are_too_long_are_reported() {
        let lengths = Arc::new(Mutex::new(Vec::new()));
        let reported = Arc::clone(&lengths);
        let splitter = CharacterTextSplitter::new(",", 3, 0).unwrap();
        let report = move |length| reported.lock().unwrap().push(length);
        let splitter = splitter.with_long_chunk_report(Arc::new(report));
        let text = "a,bcdef,g, hijk ,l,mnopqr";
        check(&splitter, text, &["a", "bcdef", "g", "hijk", "l", "mnopqr"]);
        assert_eq!(*lengths.lock().unwrap(), [5, 6]);
    }

    #[test]
    fn the_separator_is_kept_on_request() {
        let splitter = CharacterTextSplitter::with_regex(r"\.", 1, 0).unwrap();
        check(&splitter, "foo.bar.", &["foo", "bar"]);
        let start = splitter.clone().with_keep_separator(KeepSeparator::Start);
        check(&start, "foo.bar.", &["foo", ".bar", "."]);
        let end = splitter.with_keep_separator(KeepSeparator::End);
        check(&end, "foo.bar.", &["foo.", "bar."]);
    }
}
