//! What embedders and rerankers share: tokens through a network, in batches on all cores.

use std::ops::Range;

use rayon::prelude::*;
use sectile_core::ContentHash;

use super::bert::Bert;
use super::cancellation::Cancelled;
use super::folder::Folder;
use super::layout::Encoding;
use super::linear::Precision;
use super::tokens::{TokenizedText, Tokens};
use super::weights::Weights;
use crate::{Error, Result};

const WEIGHTS: &str = "model.safetensors";

/// How many tokens go through the model at once, unless one text has more. More of them would be
/// faster by a few in a hundred, and leave cores without work where there are few texts.
const BATCH: usize = 256;

/// A network with its tokenizer.
pub(super) struct Encoder {
    pub(super) name: String,
    pub(super) tokens: Tokens,
    bert: Bert,
    size: usize,
}

impl Encoder {
    /// Reads tokenizer and weights of a folder, and with `head` what comes after the encoder.
    pub(super) fn open<T>(
        folder: &Folder,
        encoding: &Encoding,
        precision: Precision,
        head: impl FnOnce(&Weights) -> Result<T, String>,
    ) -> Result<(Self, T)> {
        let name = folder.name();
        let tokens = Tokens::read(folder, encoding)?;
        let bytes = folder.read(WEIGHTS)?;
        let load = |weights: Weights| {
            let bert = Bert::load(&weights, &encoding.bert, precision)?;
            Ok((bert, head(&weights)?))
        };
        let (bert, head) = Weights::read(&bytes).and_then(load).map_err(|error| {
            folder.error(format!(
                "`{WEIGHTS}` does not hold the model of `config.json`: download it again ({error})"
            ))
        })?;
        let hash = ContentHash::of(&bytes).to_string();
        let encoder = Self {
            name: format!("{name}@{}{}", &hash[..12], precision.suffix()),
            tokens,
            bert,
            size: encoding.bert.hidden_size,
        };
        Ok((encoder, head))
    }

    /// Applies `read` to the rows of each text, one row per token. Stops between two batches if it is
    /// cancelled.
    pub(super) fn run<T: Send>(
        &self,
        texts: &[TokenizedText],
        cancelled: &Cancelled,
        read: impl Fn(&[f32]) -> Result<T> + Send + Sync,
    ) -> Result<Vec<T>> {
        let lengths: Vec<usize> = texts.iter().map(TokenizedText::len).collect();
        let batches = batches(&lengths);
        run_batches(batches, cancelled, |batch| self.batch(&texts[batch], &read))
    }

    fn batch<T>(
        &self,
        texts: &[TokenizedText],
        read: impl Fn(&[f32]) -> Result<T>,
    ) -> Result<Vec<T>> {
        let states = self.bert.encode(texts);
        let mut rest = &states[..];
        let results = texts.iter().map(|text| {
            let (rows, after) = rest.split_at(text.len() * self.size);
            rest = after;
            read(rows)
        });
        results.collect()
    }

    /// Returns the error of texts that have no tokens.
    pub(super) fn refuse(&self, error: impl std::fmt::Display) -> Error {
        Error::Refused {
            model: self.name.clone(),
            reason: format!("a text cannot be cut into its tokens: {error}"),
        }
    }

    /// Returns the error of results that are not finite.
    pub(super) fn not_finite(&self, what: &str) -> Error {
        Error::Answer {
            model: self.name.clone(),
            reason: format!("{what} not finite"),
        }
    }
}

/// Runs batches on all cores, and starts none when that is cancelled.
fn run_batches<T: Send>(
    batches: Vec<Range<usize>>,
    cancelled: &Cancelled,
    run: impl Fn(Range<usize>) -> Result<Vec<T>> + Send + Sync,
) -> Result<Vec<T>> {
    let wanted = batches.into_par_iter().take_any_while(|_| !cancelled.get());
    let results: Result<Vec<Vec<T>>> = wanted.map(run).collect();
    Ok(results?.into_iter().flatten().collect())
}

/// Cuts texts of these lengths into runs of at most [`BATCH`] tokens, or of one text.
fn batches(lengths: &[usize]) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    let mut room = 0;
    for (at, &length) in lengths.iter().enumerate() {
        match batches.last_mut() {
            Some(batch) if length <= room => batch.end = at + 1,
            _ => {
                batches.push(at..at + 1);
                room = BATCH.max(length);
            }
        }
        room -= length;
    }
    batches
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn batches_have_every_text_once_and_no_more_tokens_than_a_batch() {
        let lengths = [BATCH, 1, BATCH - 1, 1, BATCH + 5, 2, 2];
        assert_eq!(batches(&lengths), [0..1, 1..3, 3..4, 4..5, 5..7]);
        assert!(batches(&[]).is_empty());
    }

    #[test]
    fn results_are_in_the_order_of_the_batches() {
        let batches = (0..1000).map(|at| at..at + 1).collect();
        let results = run_batches(batches, &Cancelled::default(), |batch| Ok(batch.collect()));
        assert_eq!(results.unwrap(), (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn no_batch_starts_when_nobody_waits_any_more() {
        let (cancelled, started) = (Cancelled::default(), AtomicUsize::new(0));
        let batches = (0..100_000).map(|at| at..at + 1).collect();
        let results = run_batches(batches, &cancelled, |batch| {
            started.fetch_add(1, Ordering::Relaxed);
            cancelled.set();
            Ok(batch.collect())
        });
        assert!(started.into_inner() <= rayon::current_num_threads());
        assert!(results.unwrap().len() < 100_000);
    }
}
