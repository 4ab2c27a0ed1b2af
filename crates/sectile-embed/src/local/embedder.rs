//! Vectors of a model in this process.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::TryFutureExt;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use sectile_core::EmbeddingModel;

use super::cancellation::{Cancelled, unblock};
use super::encoder::Encoder;
use super::folder::Folder;
use super::layout::{Layout, Pooling, Prompts};
use super::linear::Precision;
use crate::{Embedder, Purpose, Result};

/// How many texts are done between two reports of progress.
const PART: usize = 32;

/// A sentence embedding model of the BERT family that runs in this process, on all cores, and needs
/// no network.
///
/// It supports these models of [sentence-transformers](https://sbert.net): the architectures
/// `bert`, `roberta` and `xlm-roberta`, with the mean of the tokens or the first one as the text's
/// vector, and nothing after that but scaling to length 1. all-MiniLM-L6-v2 is one of them. In
/// [`Precision::Float32`] the vectors are those of sentence-transformers within 1e-5. The model's
/// prompts are put before questions and documents. A text with more tokens than the model accepts
/// is truncated; [`count_truncated`](Embedder::count_truncated) counts these texts. Clones share one
/// model.
///
/// ```no_run
/// use sectile_embed::{Embedder, LocalEmbedder, Purpose};
///
/// # async fn example() -> sectile_embed::Result<()> {
/// let embedder = LocalEmbedder::open("models/all-MiniLM-L6-v2")?;
/// let vectors = embedder.embed(&["It rained.".to_owned()], Purpose::Document).await?;
/// assert_eq!(vectors[0].len(), embedder.model().dimensions);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct LocalEmbedder(Arc<Local>);

struct Local {
    model: EmbeddingModel,
    encoder: Encoder,
    pooling: Pooling,
    prompts: Prompts,
}

impl LocalEmbedder {
    /// Reads a model from a folder in the layout of sentence-transformers, which takes some tenths
    /// of a second, to compute in [`Precision::Float32`].
    ///
    /// The folder has `config.json`, `tokenizer.json`, `model.safetensors` and
    /// `1_Pooling/config.json`, and may have `modules.json`, `sentence_bert_config.json`,
    /// `tokenizer_config.json` and `config_sentence_transformers.json`. Without `modules.json` the
    /// vectors have length 1. The name of the model consists of the folder, the BLAKE3 hash of
    /// `model.safetensors` and the precision, as in `all-MiniLM-L6-v2@8087e9bf97c2-int8`, so that
    /// other weights are another model. Without a precision in its name, it computes in floats.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`](crate::Error::Configuration) when a file is missing or damaged, or the
    /// model is of another kind; it names the file.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(folder, Precision::default())
    }

    /// Reads a model as [`open`](Self::open) does, to compute in this precision.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub fn open_with(folder: impl AsRef<Path>, precision: Precision) -> Result<Self> {
        let folder = Folder::new(folder.as_ref())?;
        let layout = Layout::read(&folder)?;
        let (encoder, ()) = Encoder::open(&folder, &layout.encoding, precision, |_| Ok(()))?;
        let model = EmbeddingModel {
            name: encoder.name.clone(),
            dimensions: layout.encoding.bert.hidden_size,
            is_normalized: layout.is_normalized,
        };
        Ok(Self(Arc::new(Local {
            model,
            encoder,
            pooling: layout.pooling,
            prompts: layout.prompts,
        })))
    }
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.0.model
    }

    fn max_tokens(&self) -> Option<usize> {
        Some(self.0.encoder.tokens.max_tokens())
    }

    /// Counts the tokens on threads that the runtime does not need. The prompt of the model counts, too.
    async fn count_truncated(&self, texts: &[String], purpose: Purpose) -> Result<usize> {
        let local = Arc::clone(&self.0);
        let texts = self.0.prompted(texts, purpose);
        unblock(move |_| {
            let count = local.encoder.tokens.count_longer(texts);
            count.map_err(|error| local.encoder.refuse(error))
        })
        .await
    }

    /// Makes the vectors on threads that the runtime does not need. Dropping the future ends the work.
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let local = Arc::clone(&self.0);
        let texts = local.prompted(texts, purpose);
        unblock(move |cancelled| local.embed(texts, cancelled)).await
    }

    /// Processes the parts concurrently, so that no core waits for the end of a part.
    async fn embed_with_progress(
        &self,
        texts: &[String],
        purpose: Purpose,
        on_done: &(dyn Fn(usize) + Send + Sync),
    ) -> Result<Vec<Vec<f32>>> {
        let parts: Vec<_> = texts
            .chunks(PART)
            .map(|part| {
                let vectors = self.embed(part, purpose);
                vectors.inspect_ok(move |_| on_done(part.len()))
            })
            .collect();
        let together = parts.len().max(1);
        stream::iter(parts).buffered(together).try_concat().await
    }
}

impl fmt::Debug for LocalEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("LocalEmbedder");
        debug.field("model", &self.0.model).finish_non_exhaustive()
    }
}

impl Local {
    /// Puts the prompt of the model before texts.
    fn prompted(&self, texts: &[String], purpose: Purpose) -> Vec<String> {
        let prompt = self.prompts.prompt(purpose);
        texts.iter().map(|text| format!("{prompt}{text}")).collect()
    }

    fn embed(&self, texts: Vec<String>, cancelled: &Cancelled) -> Result<Vec<Vec<f32>>> {
        let texts = self.encoder.tokens.of(texts);
        let texts = texts.map_err(|error| self.encoder.refuse(error))?;
        self.encoder.run(&texts, cancelled, |rows| self.pool(rows))
    }

    fn pool(&self, rows: &[f32]) -> Result<Vec<f32>> {
        let rows = rows.chunks_exact(self.model.dimensions);
        let pooled = match self.pooling {
            // A tokenizer that adds nothing at the ends finds no token in an empty text.
            _ if rows.len() == 0 => vec![0.0; self.model.dimensions],
            Pooling::First => rows.take(1).flatten().copied().collect(),
            Pooling::Mean => mean(rows, self.model.dimensions),
        };
        if pooled.iter().any(|number| !number.is_finite()) {
            return Err(self.encoder.not_finite("its vector has numbers that are"));
        }
        Ok(if self.model.is_normalized {
            normalized(pooled)
        } else {
            pooled
        })
    }
}

fn mean<'r>(rows: impl ExactSizeIterator<Item = &'r [f32]>, size: usize) -> Vec<f32> {
    let count = rows.len() as f32;
    let mut sum = vec![0.0; size];
    for row in rows {
        for (sum, number) in sum.iter_mut().zip(row) {
            *sum += number;
        }
    }
    for sum in &mut sum {
        *sum /= count;
    }
    sum
}

/// Scales a vector to length 1, unless it has none.
fn normalized(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector
        .iter()
        .map(|number| number * number)
        .sum::<f32>()
        .sqrt();
    if length > 0.0 {
        for number in &mut vector {
            *number /= length;
        }
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_without_length_stays_as_it_is() {
        assert_eq!(normalized(vec![0.0; 2]), vec![0.0; 2]);
    }
}
