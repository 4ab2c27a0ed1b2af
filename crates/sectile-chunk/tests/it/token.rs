//! Windows of tokens against a slow restatement.

use proptest::prelude::*;
use sectile_chunk::{Characters, Heuristic, TokenChunker, TokenCounter, Tokenizer};
use sectile_core::{Chunk, LineIndex};

use super::corpus;
use super::stream::texts;

/// Every byte is a token, so that tokens end inside characters.
pub(super) struct Bytes;

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

    fn settled(&self, text: &str) -> usize {
        text.len()
    }
}

/// A space begins a token, so that what is settled lies anywhere or nowhere.
pub(super) struct Words;

impl TokenCounter for Words {
    fn count(&self, text: &str) -> usize {
        self.token_ends(text).len()
    }

    fn name(&self) -> &'static str {
        "words"
    }
}

impl Tokenizer for Words {
    fn token_ends(&self, text: &str) -> Vec<usize> {
        let spaces = text.match_indices(' ').map(|(at, _)| at);
        let last = (!text.is_empty()).then_some(text.len());
        spaces.filter(|&at| at > 0).chain(last).collect()
    }

    fn settled(&self, text: &str) -> usize {
        text.rfind(' ').unwrap_or(0)
    }
}

/// Characters of which nothing is settled before the text ends.
struct Unsettled;

impl TokenCounter for Unsettled {
    fn count(&self, text: &str) -> usize {
        Characters.count(text)
    }

    fn name(&self) -> &'static str {
        "unsettled"
    }
}

impl Tokenizer for Unsettled {
    fn token_ends(&self, text: &str) -> Vec<usize> {
        Characters.token_ends(text)
    }
}

/// Returns all tokenizers that windows are tested with.
pub(super) fn tokenizers() -> Vec<&'static dyn Tokenizer> {
    vec![
        &Characters,
        &Heuristic,
        &Bytes,
        &Words,
        &Unsettled,
        #[cfg(feature = "tiktoken")]
        &const { sectile_chunk::Bpe::cl100k_base() },
        #[cfg(feature = "tiktoken")]
        &const { sectile_chunk::Bpe::o200k_base() },
    ]
}

/// The sizes of windows in tokens.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    max: usize,
    overlap: usize,
    min: usize,
}

impl Sizes {
    fn chunker(self) -> TokenChunker {
        let chunker = TokenChunker::new(self.max, self.overlap).expect("the sizes are legal");
        chunker.with_min_tokens(self.min)
    }

    /// Returns the bytes and the tokens of every window, from all tokens of the text at once.
    fn windows(self, text: &str, tokenizer: &dyn Tokenizer) -> Vec<(usize, usize, usize)> {
        let places = [vec![0], tokenizer.token_ends(text)].concat();
        let count = places.len() - 1;
        let mut windows: Vec<(usize, usize, usize)> = Vec::new();
        if count == 0 || count < self.min {
            return windows;
        }
        for first in (0..count).step_by(self.max - self.overlap) {
            let is_last = first + self.max >= count;
            let last = (first + self.max).min(count);
            let fewest = self.min.min(self.max);
            let first = if is_last {
                first.min(count - fewest)
            } else {
                first
            };
            let start = text.floor_char_boundary(places[first]);
            let mut end = text.floor_char_boundary(places[last]);
            if end == start {
                end = text.ceil_char_boundary(start + 1);
            }
            if windows.last().is_none_or(|before| before.1 < end) {
                windows.push((start, end, last - first));
            }
            if is_last {
                break;
            }
        }
        windows
    }
}

fn sizes() -> impl Strategy<Value = Sizes> {
    (1_usize..30, 0_usize..30, 0_usize..60).prop_map(|(max, overlap, min)| Sizes {
        max,
        overlap: overlap % max,
        min,
    })
}

fn check(chunks: &[Chunk<'_>], text: &str, windows: &[(usize, usize, usize)]) {
    let index = LineIndex::new(text);
    let found = chunks.iter().map(|chunk| {
        let tokens = chunk.tokens.expect("windows are of tokens");
        (chunk.span.start, chunk.span.end, tokens)
    });
    assert_eq!(found.collect::<Vec<_>>(), windows, "{text:?}");
    for (at, chunk) in chunks.iter().enumerate() {
        assert_eq!(chunk.index, at);
        assert_eq!(chunk.text, chunk.span.of(text));
        assert_eq!(chunk.lines, index.lines(chunk.span));
        assert_eq!(chunk.chars.start, text[..chunk.span.start].chars().count());
        assert_eq!(chunk.chars.len(), chunk.text.chars().count());
    }
}

proptest! {
    #![proptest_config(crate::cases(1000))]

    #[test]
    fn windows_are_those_of_the_restatement(text in texts(), sizes in sizes()) {
        for tokenizer in tokenizers() {
            let chunks = sizes.chunker().chunks(&text, tokenizer);
            check(&chunks, &text, &sizes.windows(&text, tokenizer));
        }
    }

    #[test]
    fn any_text_is_covered(text in any::<String>(), sizes in sizes()) {
        let chunks = sizes.chunker().with_min_tokens(1).chunks(&text, &Characters);
        let mut covered = 0;
        for chunk in &chunks {
            prop_assert!(chunk.span.start <= covered && chunk.span.end > covered);
            prop_assert!(chunk.chars.len() <= sizes.max);
            covered = chunk.span.end;
        }
        prop_assert_eq!(covered, text.len());
        for pair in chunks.windows(2) {
            let shared = pair[0].chars.end - pair[1].chars.start;
            prop_assert_eq!(shared, sizes.overlap);
        }
    }
}

/// Texts of several stretches, with and without places where tokens are settled.
#[test]
fn windows_of_long_texts_are_those_of_the_restatement() {
    let words = "añ 検索 👩‍🚀 ".repeat(20_000);
    let one_word = "añ検索👩‍🚀".repeat(20_000);
    let sizes = Sizes {
        max: 1000,
        overlap: 100,
        min: 1,
    };
    let real: String = corpus::files("markdown/files", "md")
        .into_values()
        .take(40)
        .collect();
    for text in [
        &words,
        &one_word,
        &format!("{one_word}{words}{one_word}"),
        &real,
    ] {
        for tokenizer in tokenizers() {
            let chunks = sizes.chunker().chunks(text, tokenizer);
            check(&chunks, text, &sizes.windows(text, tokenizer));
        }
    }
}
