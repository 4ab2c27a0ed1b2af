//! Text to the numbers of its tokens.

use tokenizers::{EncodeInput, PostProcessor, Tokenizer, TruncationParams};

use super::folder::Folder;
use super::layout::Encoding;
use crate::Result;

const TOKENIZER: &str = "tokenizer.json";

/// The tokenizer of a model.
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    is_lower_case: bool,
}

/// The tokens of a text or of a pair of texts, those that the model wants at the ends among them.
pub(super) struct TokenizedText {
    pub(super) tokens: Vec<u32>,
    /// For each token 0, or 1 where it is of the second text of a pair.
    pub(super) kinds: Vec<u32>,
}

impl TokenizedText {
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }
}

impl Tokens {
    pub(super) fn read(folder: &Folder, encoding: &Encoding) -> Result<Self> {
        let bytes = folder.read(TOKENIZER)?;
        let damaged = |error| {
            folder.error(format!(
                "`{TOKENIZER}` is not a tokenizer: download it again ({error})"
            ))
        };
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(damaged)?;
        let most = encoding.max_tokens;
        check_limit(&tokenizer, encoding).map_err(|reason| folder.error(reason))?;
        // The file says how its author last cut and padded texts, not what the model wants.
        tokenizer.with_padding(None);
        let truncation = TruncationParams {
            max_length: most,
            ..TruncationParams::default()
        };
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(damaged)?;
        let highest = highest_token(&tokenizer).map_err(damaged)?;
        check_vocabulary(highest, encoding.bert.vocab_size)
            .map_err(|reason| folder.error(reason))?;
        Ok(Self {
            tokenizer,
            is_lower_case: encoding.is_lower_case,
        })
    }

    /// Returns the tokens of each text.
    pub(super) fn of(
        &self,
        mut texts: Vec<String>,
    ) -> Result<Vec<TokenizedText>, tokenizers::Error> {
        for text in &mut texts {
            self.fold(text);
        }
        self.encode(texts)
    }

    /// Returns the tokens of each pair. Of one that is too long the longer text loses its end.
    pub(super) fn of_pairs(
        &self,
        mut pairs: Vec<(String, String)>,
    ) -> Result<Vec<TokenizedText>, tokenizers::Error> {
        for (first, second) in &mut pairs {
            self.fold(first);
            self.fold(second);
        }
        self.encode(pairs)
    }

    fn fold(&self, text: &mut String) {
        if self.is_lower_case {
            *text = text.to_lowercase();
        }
    }

    fn encode<'t>(
        &self,
        inputs: Vec<impl Into<EncodeInput<'t>> + Send>,
    ) -> Result<Vec<TokenizedText>, tokenizers::Error> {
        let encodings = self.tokenizer.encode_batch_fast(inputs, true)?;
        let texts = encodings.iter().map(|encoding| TokenizedText {
            tokens: encoding.get_ids().to_vec(),
            kinds: encoding.get_type_ids().to_vec(),
        });
        Ok(texts.collect())
    }
}

/// Refuses a limit that leaves no room for text between the special tokens, and a tokenizer without
/// a token at the beginning of a pair, from which the score is computed.
fn check_limit(tokenizer: &Tokenizer, encoding: &Encoding) -> Result<(), String> {
    let most = encoding.max_tokens;
    let processor = tokenizer.get_post_processor();
    let added = processor.map_or(0, |processor| processor.added_tokens(encoding.is_pair));
    if encoding.is_pair && added == 0 {
        return Err(format!(
            "`{TOKENIZER}` puts no token before a pair of texts: download it again"
        ));
    }
    if added < most {
        return Ok(());
    }
    Err(format!(
        "a text may have {most} tokens, and `{TOKENIZER}` adds {added}: raise `max_seq_length`"
    ))
}

/// Returns the highest token id. The special tokens are listed separately from the vocabulary.
fn highest_token(tokenizer: &Tokenizer) -> Result<u32, tokenizers::Error> {
    let ends = tokenizer.encode_fast("", true)?;
    let vocabulary = tokenizer.get_vocab(true).into_values();
    let tokens = vocabulary.chain(ends.get_ids().iter().copied());
    Ok(tokens.max().unwrap_or_default())
}

/// Refuses a model that has no vector for a token.
fn check_vocabulary(highest: u32, words: usize) -> Result<(), String> {
    if (highest as usize) < words {
        return Ok(());
    }
    Err(format!(
        "`{TOKENIZER}` has a token {highest}, and by `config.json` there are {words}: download both \
         files of one model"
    ))
}
