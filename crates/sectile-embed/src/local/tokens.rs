//! Text to the numbers of its tokens.

use tokenizers::{EncodeInput, PostProcessor, Tokenizer, TruncationParams};

use super::folder::Folder;
use super::layout::Encoding;
use crate::Result;

const TOKENIZER: &str = "tokenizer.json";

/// The tokenizer of a model.
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    /// The most tokens of a text or a pair, and those among them that the model adds.
    limit: usize,
    added: usize,
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
        let added = added_tokens(&tokenizer, encoding).map_err(|reason| folder.error(reason))?;
        // The file says how its author last cut and padded texts, not what the model wants.
        tokenizer.with_padding(None);
        let truncation = TruncationParams {
            // With one token beyond the limit, a text that is too long differs from one that just fits. Otherwise
            // the place of the added tokens shows that.
            max_length: encoding.max_tokens + usize::from(added == 0),
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
            limit: encoding.max_tokens,
            added,
            is_lower_case: encoding.is_lower_case,
        })
    }

    /// Returns the most tokens that a text or a pair can have, those that the model adds among them.
    pub(super) fn max_tokens(&self) -> usize {
        self.limit
    }

    /// Counts the texts that have more tokens.
    pub(super) fn count_longer(&self, mut texts: Vec<String>) -> Result<usize, tokenizers::Error> {
        for text in &mut texts {
            self.fold(text);
        }
        self.count(texts)
    }

    /// Counts the pairs that have more tokens.
    pub(super) fn count_longer_pairs(
        &self,
        mut pairs: Vec<(String, String)>,
    ) -> Result<usize, tokenizers::Error> {
        self.fold_pairs(&mut pairs);
        self.count(pairs)
    }

    fn count<'t>(
        &self,
        inputs: Vec<impl Into<EncodeInput<'t>> + Send>,
    ) -> Result<usize, tokenizers::Error> {
        // Without the added tokens, up to as many of the text take their place.
        let room = self.limit - self.added;
        let encodings = self.tokenizer.encode_batch_fast(inputs, false)?;
        let longer = encodings
            .iter()
            .filter(|encoding| encoding.get_ids().len() > room);
        Ok(longer.count())
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
        self.fold_pairs(&mut pairs);
        self.encode(pairs)
    }

    fn fold_pairs(&self, pairs: &mut [(String, String)]) {
        for (first, second) in pairs {
            self.fold(first);
            self.fold(second);
        }
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
        let kept = |numbers: &[u32]| numbers[..numbers.len().min(self.limit)].to_vec();
        let texts = encodings.iter().map(|encoding| TokenizedText {
            tokens: kept(encoding.get_ids()),
            kinds: kept(encoding.get_type_ids()),
        });
        Ok(texts.collect())
    }
}

/// Returns how many tokens are added to a text or a pair. Refuses a limit that leaves no room for
/// text between the special tokens, and a tokenizer without a token at the beginning of a pair, from
/// which the score is computed.
fn added_tokens(tokenizer: &Tokenizer, encoding: &Encoding) -> Result<usize, String> {
    let most = encoding.max_tokens;
    let processor = tokenizer.get_post_processor();
    let added = processor.map_or(0, |processor| processor.added_tokens(encoding.is_pair));
    if encoding.is_pair && added == 0 {
        return Err(format!(
            "`{TOKENIZER}` puts no token before a pair of texts: download it again"
        ));
    }
    if added < most {
        return Ok(added);
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
