//! Whole sentences, packed up to a number of tokens.

use sectile_core::{Chunk, Span};

use crate::{Chunks, Error, Stream, TokenCounter};
use cutter::SentenceCutter;

mod abbreviation;
mod blocks;
mod cutter;
pub(crate) mod long;
mod pack;
pub(crate) mod segment;
mod tailoring;

/// How to treat a sentence that is longer than a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LongSentences {
    /// Keeps it as one chunk that exceeds the limit.
    Keep,
    /// Cuts it after line ends, or else after clauses, white space or characters, so that no chunk
    /// exceeds the limit (unless one character does). No clause and no word is cut that fits into a chunk, and no letter
    /// is parted from its accents.
    #[default]
    Split,
}

/// Packs whole sentences into chunks of up to a number of tokens, with overlap.
///
/// Text is cut at blank lines, then at sentence ends: those of Unicode (UAX #29), where a line
/// break inside a paragraph is a space, less the periods of common abbreviations, initials, ordinals
/// and list numbers. Emphasis, quotes and references such as `[1]` that close behind a sentence belong
/// to it; what has no white space behind it in Latin text, such as the signs of `![a](b?c)`, ends none.
/// Headings, table rows, list items and lines inside a code fence begin on their
/// own line, so they count as sentences too. A sentence owns the white space after it: chunks
/// without their overlap, joined, are the text byte for byte.
///
/// A chunk begins with the last sentences of the one before, as many as the overlap allows, but
/// never so many that the next sentence would not fit. Headings and the head of a table are in the
/// chunk of what follows them, and a code fence is in one chunk, if they fit there.
///
/// ```
/// use sectile_chunk::{Heuristic, SentenceChunker};
///
/// let chunker = SentenceChunker::new(6)?.with_overlap(0.5)?;
/// let chunks = chunker.chunks("It rained. We left. Dr. Ada stayed.", &Heuristic);
/// let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
/// assert_eq!(texts, ["It rained. We left. ", "Dr. Ada stayed."]);
/// # Ok::<(), sectile_chunk::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentenceChunker {
    max_tokens: usize,
    overlap: f64,
    long_sentences: LongSentences,
    is_source: bool,
}

impl Default for SentenceChunker {
    /// 800 tokens, 15 % overlap, long sentences split.
    fn default() -> Self {
        Self {
            max_tokens: 800,
            overlap: 0.15,
            long_sentences: LongSentences::Split,
            is_source: false,
        }
    }
}

impl SentenceChunker {
    /// Makes a chunker for chunks of up to `max_tokens`, with 15 % overlap.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] when `max_tokens` is 0.
    pub fn new(max_tokens: usize) -> Result<Self, Error> {
        if max_tokens == 0 {
            return Err(Error::config("max_tokens", "must be at least 1, not 0"));
        }
        Ok(Self {
            max_tokens,
            ..Self::default()
        })
    }

    /// Sets the overlap as a fraction of the largest chunk, from 0 up to but not including 1.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] when `fraction` lies outside that range.
    pub fn with_overlap(self, fraction: f64) -> Result<Self, Error> {
        if !(0.0..1.0).contains(&fraction) {
            let reason = format!("must be a fraction from 0 to below 1, not {fraction}");
            return Err(Error::config("overlap", reason));
        }
        Ok(Self {
            overlap: fraction,
            ..self
        })
    }

    /// Sets what becomes of a sentence that is longer than a chunk.
    #[must_use]
    pub const fn with_long_sentences(mut self, long_sentences: LongSentences) -> Self {
        self.long_sentences = long_sentences;
        self
    }

    /// Sets whether texts are source code, which is cut at blank lines; with
    /// [`LongSentences::Split`] also at line ends where there are none. Nothing in it is read as
    /// Markdown.
    #[must_use]
    pub const fn with_source_code(mut self, is_source: bool) -> Self {
        self.is_source = is_source;
        self
    }

    /// Cuts `text` into chunks measured with `counter`.
    ///
    /// A chunk's `tokens` are the sum over its sentences, each counted once and alone. A text that
    /// fits as a whole is one chunk (one with over 32 bytes to each token of the limit is taken not
    /// to fit, so that long texts are not counted twice).
    pub fn chunks<'a>(&self, text: &'a str, counter: &dyn TokenCounter) -> Vec<Chunk<'a>> {
        self.iter(text, counter).collect()
    }

    /// Cuts `text` as [`chunks`](Self::chunks) does, without counting the whole of it, which has `tokens`.
    pub fn chunks_of_counted<'a>(
        &self,
        text: &'a str,
        tokens: usize,
        counter: &dyn TokenCounter,
    ) -> Vec<Chunk<'a>> {
        Chunks::new(text, SentenceCutter::new(*self, counter).of_counted(tokens)).collect()
    }

    /// Cuts `text` as it is asked for chunks; they are those of [`chunks`](Self::chunks).
    pub fn iter<'a, 's>(&self, text: &'a str, counter: &'s dyn TokenCounter) -> Chunks<'a, 's> {
        Chunks::new(text, SentenceCutter::new(*self, counter))
    }

    /// Cuts a text that comes in parts.
    ///
    /// Held are the sentences of a chunk and a block: a paragraph, a list item, a table row or a
    /// line of code. No chunk comes before 32 bytes to each token of the limit are there, as a
    /// shorter text may fit into one.
    pub fn stream<'s>(&self, counter: &'s dyn TokenCounter) -> Stream<'s> {
        Stream::new(SentenceCutter::new(*self, counter))
    }

    /// Returns whether a text may fit into one chunk: no natural text has 32 bytes to a token.
    const fn may_fit(&self, text: Span) -> bool {
        text.len() / 32 <= self.max_tokens
    }

    fn overlap_budget(&self) -> usize {
        #[expect(
            clippy::cast_sign_loss,
            reason = "the fraction is checked to be at least 0"
        )]
        let budget = (self.max_tokens as f64 * self.overlap) as usize;
        budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Characters, Heuristic};

    fn check(max_tokens: usize, overlap: f64, text: &str, expected: &[&str]) {
        let chunker = SentenceChunker::new(max_tokens).unwrap();
        let chunker = chunker.with_overlap(overlap).unwrap();
        let chunks = chunker.chunks(text, &Characters);
        let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn sentences_are_packed_greedily() {
        check(8, 0.0, "Aa. Bb. Cc. Dd.", &["Aa. Bb. ", "Cc. Dd."]);
    }

    #[test]
    fn source_code_is_cut_at_blank_lines_and_else_at_line_ends() {
        let text = "# Adds. Twice.\ndef add(a):\n    a.b += 1\n\n    # Done.\n    return a\n";
        let chunker = SentenceChunker::new(48)
            .unwrap()
            .with_overlap(0.0)
            .unwrap()
            .with_long_sentences(LongSentences::Split)
            .with_source_code(true);
        let texts = |chunker: SentenceChunker| -> Vec<String> {
            let chunks = chunker.chunks(text, &Characters);
            chunks.into_iter().map(|chunk| chunk.text.into()).collect()
        };
        assert_eq!(texts(chunker), [&text[..41], &text[41..]]);
        let small = SentenceChunker {
            max_tokens: 30,
            ..chunker
        };
        assert!(texts(small).iter().all(|chunk| chunk.ends_with('\n')));
    }

    #[test]
    fn a_chunk_begins_with_the_tail_of_the_one_before() {
        let expected = ["Aa. Bb. Cc. ", "Cc. Dd. Ee. ", "Ee. Ff."];
        check(
            12,
            0.5,
            "Aa. Bb. Cc. Dd. Ee. Ff.",
            &["Aa. Bb. Cc. ", "Cc. Dd. Ee. ", "Ee. Ff."],
        );
        check(12, 0.34, "Aa. Bb. Cc. Dd. Ee. Ff.", &expected);
        check(
            12,
            0.33,
            "Aa. Bb. Cc. Dd. Ee. Ff.",
            &["Aa. Bb. Cc. ", "Dd. Ee. Ff."],
        );
    }

    #[test]
    fn the_overlap_leaves_room_for_the_next_sentence() {
        let text = "Aa. Bb. Cc. Ddddddddd.";
        check(12, 0.9, text, &["Aa. Bb. Cc. ", "Ddddddddd."]);
    }

    #[test]
    fn no_chunk_ends_with_what_is_read_with_the_next() {
        check(
            20,
            0.0,
            "Aaaaaaaa.\n# B\nCccccccc.",
            &["Aaaaaaaa.\n", "# B\nCccccccc."],
        );
        check(
            26,
            0.0,
            "Aaaaaaa.\n\n# B\n\n## C\nDdddddd. Eeeeeee.",
            &["Aaaaaaa.\n\n", "# B\n\n## C\nDdddddd. ", "Eeeeeee."],
        );
        check(
            20,
            0.0,
            "Aaaaaaaaa.\n```\nlet b = 1;\n```\n",
            &["Aaaaaaaaa.\n", "```\nlet b = 1;\n```\n"],
        );
        check(
            22,
            0.0,
            "Aaaa.\n\n| b |\n|---|\n| c |\n",
            &["Aaaa.\n\n", "| b |\n|---|\n| c |\n"],
        );
        check(
            26,
            0.0,
            "Aaaa. Bbbb.\n```\nb = 1;\nlet c;\n```\n",
            &["Aaaa. Bbbb.\n", "```\nb = 1;\nlet c;\n```\n"],
        );
        // What it leaves out is no overlap.
        check(
            20,
            0.5,
            "Aaaa. Bbbb.\n# C\nDdddddd.",
            &["Aaaa. Bbbb.\n", "Bbbb.\n# C\nDdddddd."],
        );
        // A heading that does not fit there stays.
        check(
            12,
            0.0,
            "Aaaa.\n# B\nCcccccccc.",
            &["Aaaa.\n# B\n", "Ccccccccc."],
        );
        // Nothing new stands before it, so that the overlap is dropped.
        check(
            12,
            0.6,
            "Aaaa. Bbbb.\n# C\nDdddd.",
            &["Aaaa. Bbbb.\n", "# C\nDdddd."],
        );
    }

    #[test]
    fn no_chunk_is_the_beginning_of_the_next() {
        check(
            12,
            0.9,
            "Aa. Bbbbbbbbb. Cc.",
            &["Aa. ", "Bbbbbbbbb. ", "Cc."],
        );
    }

    #[test]
    fn a_longer_sentence_stands_alone_on_request() {
        let chunker = SentenceChunker::new(8).unwrap().with_overlap(0.5).unwrap();
        let chunker = chunker.with_long_sentences(LongSentences::Keep);
        let chunks = chunker.chunks("Aa. Bbbbbbbbbbb. Cc.", &Characters);
        let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
        assert_eq!(texts, ["Aa. ", "Bbbbbbbbbbb. ", "Cc."]);
    }

    #[test]
    fn a_longer_sentence_is_cut() {
        let chunker = SentenceChunker::new(8).unwrap();
        let text = "one two three\nfour fiiiiiiiiiiiiiiiiive";
        let chunks = chunker.with_overlap(0.0).unwrap().chunks(text, &Characters);
        assert!(
            chunks.iter().all(|chunk| chunk.text.len() <= 8),
            "{chunks:?}"
        );
        let joined: String = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
        assert_eq!(joined, text);
    }

    #[test]
    fn a_text_that_fits_is_one_chunk() {
        let chunks = SentenceChunker::default().chunks("One. Two.\n\nThree.\n", &Heuristic);
        assert_eq!(chunks.len(), 1);
        assert_eq!(chunks[0].tokens, Some(5));
        assert_eq!(chunks[0].lines, sectile_core::Lines { first: 1, last: 3 });
        assert!(SentenceChunker::default().chunks("", &Heuristic).is_empty());
    }

    #[test]
    fn what_is_counted_already_is_cut_alike() {
        let chunker = SentenceChunker::new(8).unwrap();
        for text in [
            "",
            "One. Two.",
            "One sentence. And another one, which is longer. Three.",
        ] {
            let tokens = Heuristic.count(text);
            let chunks = chunker.chunks_of_counted(text, tokens, &Heuristic);
            assert_eq!(chunks, chunker.chunks(text, &Heuristic), "{text}");
        }
    }

    #[test]
    fn senseless_options_are_errors() {
        assert!(SentenceChunker::new(0).is_err());
        for fraction in [-0.1, 1.0, f64::NAN, f64::INFINITY] {
            assert!(SentenceChunker::default().with_overlap(fraction).is_err());
        }
    }
}
