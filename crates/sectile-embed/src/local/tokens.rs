//! Text to the numbers of its tokens.

use tokenizers::{Tokenizer, TruncationParams};

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
        check(&tokenizer, layout).map_err(|reason| folder.error(reason))?;
        // The file says how its author last cut and padded texts, not what the model wants.
        tokenizer.with_padding(None);
        let truncation = TruncationParams {
            max_length: layout.max_tokens,
            ..TruncationParams::default()
        };
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(damaged)?;
        Ok(Self {
            tokenizer,
            is_lower_case: layout.is_lower_case,
        })
    }

    /// Returns the tokens of each text, those that the model wants at its ends among them.
    pub(super) fn of(&self, mut texts: Vec<String>) -> Result<Vec<Vec<u32>>, tokenizers::Error> {
        if self.is_lower_case {
            texts
                .iter_mut()
                .for_each(|text| *text = text.to_lowercase());
        }
        let encodings = self.tokenizer.encode_batch_fast(texts, true)?;
        Ok(encodings
            .iter()
            .map(|encoding| encoding.get_ids().to_vec())
            .collect())
    }
}

/// Says what of a tokenizer does not fit the model.
fn check(tokenizer: &Tokenizer, layout: &Layout) -> Result<(), String> {
    let words = layout.bert.vocab_size;
    let highest = tokenizer
        .get_vocab(true)
        .into_values()
        .max()
        .unwrap_or_default();
    if highest as usize >= words {
        return Err(format!(
            "`{TOKENIZER}` has a token {highest}, and by `config.json` there are {words}: download \
             both files of one model"
        ));
    }
    let processor = tokenizer.get_post_processor();
    let added = processor.map_or(0, |processor| {
        tokenizers::PostProcessor::added_tokens(processor, false)
    });
    if added >= layout.max_tokens {
        return Err(format!(
            "a text may have {} tokens, and `{TOKENIZER}` adds {added}: raise `max_seq_length`",
            layout.max_tokens
        ));
    }
    Ok(())
}
