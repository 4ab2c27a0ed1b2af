//! A model that runs in this process.

mod bert;
mod folder;
mod functions;
mod layout;
mod tokens;
mod weights;

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use ndarray::{ArrayView2, Axis};
use rayon::prelude::*;
use sectile_core::{ContentHash, EmbeddingModel};

use self::bert::Bert;
use self::folder::Folder;
use self::layout::{Layout, Pooling, Prompts};
use self::tokens::Tokens;
use self::weights::Weights;
use crate::{Embedder, Error, Purpose, Result};

const WEIGHTS: &str = "model.safetensors";

/// How many tokens go through the model at once, unless one text has more. More of them would be
/// faster by a few in a hundred, and leave cores without work where there are few texts.
const BATCH: usize = 256;

/// A sentence embedding model of the BERT family that runs in this process, on all cores, and needs
/// no network.
///
/// Of the models of [sentence-transformers](https://sbert.net) these are read: the architecture
/// `bert`, with the mean of the tokens or the first one as the text's vector, and nothing after that
/// but scaling to length 1. all-MiniLM-L6-v2 is one of them. The vectors are those of
/// sentence-transformers within 1e-5. What is before a text when it is a question, or when it is to
/// be found, is what the model's prompts say. Of a text that has more tokens than the model takes,
/// the first ones count. Copies share one model.
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
    bert: Bert,
    pooling: Pooling,
    prompts: Prompts,
    tokens: Tokens,
}

impl LocalEmbedder {
    /// Reads a model from a folder in the layout of sentence-transformers, which takes some tenths
    /// of a second.
    ///
    /// The folder has `config.json`, `tokenizer.json`, `model.safetensors` and
    /// `1_Pooling/config.json`, and may have `modules.json`, `sentence_bert_config.json`,
    /// `tokenizer_config.json` and `config_sentence_transformers.json`. Without `modules.json` the
    /// vectors have length 1. The model is named for the folder and for the BLAKE3 hash of
    /// `model.safetensors`, as in `all-MiniLM-L6-v2@8087e9bf97c2`, so that other weights are another
    /// model.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] when a file is missing or damaged, or the model is of another kind;
    /// it names the file.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = Folder::new(folder.as_ref());
        let name = folder.name()?;
        let layout = Layout::read(&folder)?;
        let tokens = Tokens::read(&folder, &layout)?;
        let weights = folder.read(WEIGHTS)?;
        let bert = Weights::read(&weights).and_then(|weights| Bert::load(&weights, &layout.bert));
        let bert = bert.map_err(|error| {
            folder.error(format!(
                "`{WEIGHTS}` does not hold the model of `config.json`: download it again ({error})"
            ))
        })?;
        let hash = ContentHash::of(&weights).to_string();
        let model = EmbeddingModel {
            name: format!("{name}@{}", &hash[..12]),
            dimensions: layout.bert.hidden_size,
            is_normalized: layout.is_normalized,
        };
        Ok(Self(Arc::new(Local {
            model,
            bert,
            pooling: layout.pooling,
            prompts: layout.prompts,
            tokens,
        })))
    }
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.0.model
    }

    /// Makes the vectors on threads that the runtime does not need.
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let local = Arc::clone(&self.0);
        let prompt = local.prompts.prompt(purpose);
        let texts: Vec<String> = texts.iter().map(|text| format!("{prompt}{text}")).collect();
        blocking::unblock(move || local.embed(texts)).await
    }
}

impl fmt::Debug for LocalEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("LocalEmbedder");
        debug.field("model", &self.0.model).finish_non_exhaustive()
    }
}

impl Local {
    fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>> {
        let tokens = self.tokens.of(texts).map_err(|error| Error::Refused {
            model: self.model.name.clone(),
            reason: format!("a text cannot be cut into its tokens: {error}"),
        })?;
        let lengths: Vec<usize> = tokens.iter().map(Vec::len).collect();
        let batches = batches(&lengths).into_par_iter();
        let vectors: Result<Vec<_>> = batches.map(|batch| self.batch(&tokens[batch])).collect();
        Ok(vectors?.into_iter().flatten().collect())
    }

    fn batch(&self, texts: &[Vec<u32>]) -> Result<Vec<Vec<f32>>> {
        let states = self.bert.encode(texts);
        let mut start = 0;
        let vectors = texts.iter().map(|text| {
            let rows = start..start + text.len();
            start += text.len();
            self.pool(&states.slice_axis(Axis(0), rows.into()))
        });
        vectors.collect()
    }

    fn pool(&self, rows: &ArrayView2<f32>) -> Result<Vec<f32>> {
        let pooled = match self.pooling {
            // A tokenizer that adds nothing at the ends finds no token in an empty text.
            _ if rows.is_empty() => vec![0.0; rows.ncols()],
            Pooling::First => rows.row(0).to_vec(),
            Pooling::Mean => (rows.sum_axis(Axis(0)) / rows.nrows() as f32).to_vec(),
        };
        if pooled.iter().any(|number| !number.is_finite()) {
            return Err(Error::Answer {
                model: self.model.name.clone(),
                reason: "its vector has numbers that are not finite".to_owned(),
            });
        }
        Ok(if self.model.is_normalized {
            normalized(pooled)
        } else {
            pooled
        })
    }
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
    fn batches_have_every_text_once_and_no_more_tokens_than_a_batch() {
        let lengths = [BATCH, 1, BATCH - 1, 1, BATCH + 5, 2, 2];
        assert_eq!(batches(&lengths), [0..1, 1..3, 3..4, 4..5, 5..7]);
        assert!(batches(&[]).is_empty());
    }

    #[test]
    fn a_vector_without_length_stays_as_it_is() {
        assert_eq!(normalized(vec![0.0; 2]), vec![0.0; 2]);
    }
}
