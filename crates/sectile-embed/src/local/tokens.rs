//! Text to the numbers of its tokens.

use tokenizers::{PostProcessor, Tokenizer, TruncationParams};

use super::folder::Folder;
use super::layout::Layout;
use crate::Result;

const TOKENIZER: &str = "tokenizer.json";

/// The tokenizer of a model.
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    is_lower_case: bool,
}

impl Tokens {
    pub(super) fn read(folder: &Folder, layout: &Layout) -> Result<Self> {
        let bytes = folder.read(TOKENIZER)?;
        let damaged = |error| {
            folder.error(format!(
                "`{TOKENIZER}` is no tokenizer: download it again ({error})"
            ))
        };
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(damaged)?;
        let most = layout.max_tokens;
        check_limit(&tokenizer, most).map_err(|reason| folder.error(reason))?;
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
        check_vocabulary(highest, layout.bert.vocab_size).map_err(|reason| folder.error(reason))?;
        Ok(Self {
            tokenizer,
            is_lower_case: layout.is_lower_case,
        })
    }

    /// Returns the tokens of each text, those that the model wants at its ends among them.
    pub(super) fn of(&self, mut texts: Vec<String>) -> Result<Vec<Vec<u32>>, tokenizers::Error> {
        if self.is_lower_case {
            for text in &mut texts {
                *text = text.to_lowercase();
            }
        }
        let encodings = self.tokenizer.encode_batch_fast(texts, true)?;
        Ok(encodings
            .iter()
            .map(|encoding| encoding.get_ids().to_vec())
            .collect())
    }
}

/// Says what is wrong where there is room for no text beside the tokens at its ends.
fn check_limit(tokenizer: &Tokenizer, most: usize) -> Result<(), String> {
    let processor = tokenizer.get_post_processor();
    let added = processor.map_or(0, |processor| processor.added_tokens(false));
    if added < most {
        return Ok(());
    }
    Err(format!(
        "a text may have {most} tokens, and `{TOKENIZER}` adds {added}: raise `max_seq_length`"
    ))
}

/// Returns the highest number that a token can have. Those at the ends of a text are written down
/// beside the vocabulary.
fn highest_token(tokenizer: &Tokenizer) -> Result<u32, tokenizers::Error> {
    let ends = tokenizer.encode_fast("", true)?;
    let vocabulary = tokenizer.get_vocab(true).into_values();
    let tokens = vocabulary.chain(ends.get_ids().iter().copied());
    Ok(tokens.max().unwrap_or_default())
}

/// Says what is wrong where the model has no vector for a token.
fn check_vocabulary(highest: u32, words: usize) -> Result<(), String> {
    if (highest as usize) < words {
        return Ok(());
    }
    Err(format!(
        "`{TOKENIZER}` has a token {highest}, and by `config.json` there are {words}: download both \
         files of one model"
    ))
}
