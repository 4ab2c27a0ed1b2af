//! Counts of the tokenizers of Hugging Face models.

use std::fmt;
use std::sync::Arc;

use super::{TokenCounter, Tokenizer};
use crate::Error;

/// Counts the tokens of a `tokenizer.json`, as in models of Hugging Face.
///
/// It ignores the file's truncation and padding, and the special tokens that a model adds at the
/// ends. Text that looks like a special token, for example `[SEP]`, counts as ordinary text. If the
/// tokenizer refuses a text because it has no token for unknown text, each character counts as a
/// token. Clones share one tokenizer. It is exact and slow: one to two megabytes per second.
///
/// ```no_run
/// use sectile_chunk::{HuggingFace, SentenceChunker};
///
/// let bytes = std::fs::read("model/tokenizer.json")?;
/// let counter = HuggingFace::from_bytes("model", bytes)?;
/// let chunks = SentenceChunker::new(256)?.chunks("It rained. We left.", &counter);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct HuggingFace {
    name: Arc<str>,
    tokenizer: Arc<tokenizers::Tokenizer>,
}

impl HuggingFace {
    /// Reads the bytes of a `tokenizer.json`, for a counter of this name.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidTokenizer`] if they are not a tokenizer.
    pub fn from_bytes(name: impl Into<String>, bytes: impl AsRef<[u8]>) -> Result<Self, Error> {
        let name = name.into();
        let tokenizer = read(bytes.as_ref()).map_err(|source| Error::InvalidTokenizer {
            name: name.clone(),
            source,
        })?;
        Ok(Self {
            name: name.into(),
            tokenizer: Arc::new(tokenizer),
        })
    }

    /// Returns where the tokens of `text` begin and end.
    fn encode(&self, text: &str) -> Vec<(usize, usize)> {
        let character = |(start, char): (usize, char)| (start, start + char.len_utf8());
        match self.tokenizer.encode(text, false) {
            Ok(encoding) => encoding.get_offsets().to_vec(),
            Err(_) => text.char_indices().map(character).collect(),
        }
    }
}

fn read(bytes: &[u8]) -> Result<tokenizers::Tokenizer, tokenizers::Error> {
    let mut tokenizer = tokenizers::Tokenizer::from_bytes(bytes)?;
    tokenizer.with_truncation(None)?;
    tokenizer.with_padding(None);
    tokenizer.set_encode_special_tokens(true);
    Ok(tokenizer)
}

impl TokenCounter for HuggingFace {
    fn count(&self, text: &str) -> usize {
        self.encode(text).len()
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Tokenizer for HuggingFace {
    /// White space that belongs to no token is counted to the token before it.
    fn token_ends(&self, text: &str) -> Vec<usize> {
        let tokens = self.encode(text);
        let starts = tokens.iter().skip(1).map(|&(start, _)| start);
        let starts = starts.chain(tokens.last().map(|_| text.len()));
        // Where several tokens share a character, they say the same of it.
        let mut end = 0;
        let ends = starts.map(|start| {
            end = start.max(end);
            end
        });
        ends.collect()
    }
}

impl fmt::Debug for HuggingFace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_tuple("HuggingFace");
        debug.field(&self.name).finish()
    }
}
