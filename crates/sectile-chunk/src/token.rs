//! Windows of tokens.

use sectile_core::Chunk;

use crate::{Chunks, Error, Stream, Tokenizer};
use cutter::TokenCutter;

mod cutter;

/// Cuts a text into windows of a number of tokens, each sharing its first tokens with the one
/// before.
///
/// The tokens are those of the text as a whole, and each is made once. A token may end inside a character: windows
/// begin and end at the last character boundary up to there, so a window holds the characters of
/// its tokens and no more. Only a character of more tokens than a window makes one that is larger.
///
/// ```
/// use sectile_chunk::{Characters, TokenChunker};
///
/// let chunker = TokenChunker::new(6, 2)?.with_min_tokens(4);
/// let chunks = chunker.chunks("abcdefghijk", &Characters);
/// let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
/// assert_eq!(texts, ["abcdef", "efghij", "hijk"]);
/// # Ok::<(), sectile_chunk::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenChunker {
    max_tokens: usize,
    overlap: usize,
    min_tokens: usize,
    /// Whether the characters that a window has in part are in its text, as U+FFFD.
    splits_characters: bool,
}

impl Default for TokenChunker {
    /// 512 tokens, 64 of overlap, at least 32.
    fn default() -> Self {
        Self {
            max_tokens: 512,
            overlap: 64,
            min_tokens: 32,
            splits_characters: false,
        }
    }
}

impl TokenChunker {
    /// Makes a chunker for windows of `max_tokens`, each sharing `overlap` tokens with the one
    /// before.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] when `max_tokens` is 0 or `overlap` is not smaller than it.
    pub fn new(max_tokens: usize, overlap: usize) -> Result<Self, Error> {
        if max_tokens == 0 {
            return Err(Error::config("max_tokens", "must be at least 1, not 0"));
        }
        if overlap >= max_tokens {
            let reason = format!("must be smaller than a window of {max_tokens}, not {overlap}");
            return Err(Error::config("overlap", reason));
        }
        Ok(Self {
            max_tokens,
            overlap,
            ..Self::default()
        })
    }

    /// Makes a chunker of the windows that `TokenTextSplitter` of `langchain-text-splitters` 1.1.3 makes.
    ///
    /// A window of one token is a chunk, too, and where one begins or ends inside a character, its text has U+FFFD
    /// there; the span has the character whole.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// ```
    /// use sectile_chunk::{Bpe, TokenChunker};
    ///
    /// let chunks = TokenChunker::langchain(1, 0)?.chunks("🚀", &Bpe::cl100k_base());
    /// assert_eq!((&*chunks[0].text, chunks[0].span.of("🚀")), ("\u{fffd}", "🚀"));
    /// # Ok::<(), sectile_chunk::Error>(())
    /// ```
    pub fn langchain(max_tokens: usize, overlap: usize) -> Result<Self, Error> {
        Ok(Self {
            min_tokens: 1,
            splits_characters: true,
            ..Self::new(max_tokens, overlap)?
        })
    }

    /// Sets the minimum number of tokens of a chunk, up to the size of a window.
    ///
    /// A shorter text has no chunk. If the last window would be shorter, it begins earlier instead,
    /// so that no text is left out.
    #[must_use]
    pub const fn with_min_tokens(mut self, min_tokens: usize) -> Self {
        self.min_tokens = min_tokens;
        self
    }

    /// Cuts `text` into windows of the tokens of `tokenizer`.
    ///
    /// A chunk's `tokens` is the number of tokens of the whole text that end in its window; counted
    /// alone its text may have a few more or less.
    pub fn chunks<'a>(&self, text: &'a str, tokenizer: &dyn Tokenizer) -> Vec<Chunk<'a>> {
        self.iter(text, tokenizer).collect()
    }

    /// Cuts `text` as it is asked for chunks; they are those of [`chunks`](Self::chunks).
    pub fn iter<'a, 's>(&self, text: &'a str, tokenizer: &'s dyn Tokenizer) -> Chunks<'a, 's> {
        Chunks::new(text, TokenCutter::new(*self, tokenizer))
    }

    /// Cuts a text that comes in parts.
    ///
    /// Held are two windows, or the least number of tokens if that is more, and 64 KiB of text;
    /// where no token of so much is [settled](Tokenizer::settled), twice as much until one is.
    pub fn stream<'s>(&self, tokenizer: &'s dyn Tokenizer) -> Stream<'s> {
        Stream::new(TokenCutter::new(*self, tokenizer))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Characters, Heuristic, TokenCounter};

    /// Every byte is a token, so that tokens end inside characters.
    #[derive(Debug)]
    struct Bytes;

    impl TokenCounter for Bytes {
        fn count(&self, text: &str) -> usize {
            text.len()
        }

        fn name(&self) -> &'static str {
            "bytes"
        }
    }

    impl Tokenizer for Bytes {
        fn token_ends(&self, text: &str) -> Vec<usize> {
            (1..=text.len()).collect()
        }
    }

    fn check(chunker: TokenChunker, text: &str, tokenizer: &dyn Tokenizer, expected: &[&str]) {
        let chunks = chunker.chunks(text, tokenizer);
        let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
        assert_eq!(texts, expected, "{text:?}");
    }

    fn windows(max_tokens: usize, overlap: usize) -> TokenChunker {
        TokenChunker::new(max_tokens, overlap)
            .unwrap()
            .with_min_tokens(1)
    }

    #[test]
    fn windows_share_their_overlap() {
        check(
            windows(4, 1),
            "abcdefghij",
            &Characters,
            &["abcd", "defg", "ghij"],
        );
        check(windows(4, 0), "abcdef", &Characters, &["abcd", "ef"]);
        check(
            windows(2, 0),
            "abcdefghijklm",
            &Heuristic,
            &["abcdefgh", "ijklm"],
        );
        check(windows(9, 3), "abc", &Characters, &["abc"]);
    }

    #[test]
    fn a_text_of_too_few_tokens_makes_no_chunk() {
        assert!(
            TokenChunker::default()
                .chunks("A few words.", &Characters)
                .is_empty()
        );
        assert!(windows(4, 0).chunks("", &Characters).is_empty());
    }

    #[test]
    fn a_short_last_window_begins_earlier() {
        check(
            windows(4, 1).with_min_tokens(3),
            "abcdefgh",
            &Characters,
            &["abcd", "defg", "fgh"],
        );
        // More than a window cannot be asked of one.
        check(
            windows(4, 1).with_min_tokens(9),
            "abcdefghi",
            &Characters,
            &["abcd", "defg", "fghi"],
        );
    }

    #[test]
    fn a_window_of_any_size_holds_what_there_is() {
        for size in [usize::MAX - 1, usize::MAX] {
            check(windows(size, 0), "abc", &Characters, &["abc"]);
            check(windows(size, size - 1), "abc", &Characters, &["abc"]);
        }
    }

    #[test]
    fn windows_end_at_characters() {
        check(windows(3, 0), "aéé", &Bytes, &["aé", "é"]);
        check(windows(3, 0), "ééa", &Bytes, &["é", "éa"]);
        check(windows(2, 1), "🚀x", &Bytes, &["🚀", "🚀x"]);
    }

    #[test]
    fn senseless_sizes_are_errors() {
        assert!(TokenChunker::new(0, 0).is_err());
        assert!(TokenChunker::new(8, 8).is_err());
    }

    proptest! {
        #[test]
        fn windows_cover_the_text(text in any::<String>(), size in 1..20_usize, overlap in 0..20_usize) {
            let chunks = windows(size, overlap % size).chunks(&text, &Bytes);
            let mut covered = 0;
            for chunk in &chunks {
                prop_assert!(chunk.span.start <= covered && chunk.span.end > covered);
                prop_assert_eq!(chunk.span.of(&text), chunk.text.as_ref());
                // At most a character more than a window, by its two ends.
                prop_assert!(chunk.text.len() < size + 4);
                covered = chunk.span.end;
            }
            prop_assert_eq!(covered, text.len());
        }
    }
}
