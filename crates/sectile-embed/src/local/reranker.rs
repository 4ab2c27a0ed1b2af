//! Scores of a cross-encoder in this process.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;

use super::cancellation::{Cancelled, unblock};
use super::encoder::Encoder;
use super::folder::Folder;
use super::layout::RerankerLayout;
use super::linear::{Linear, Precision};
use super::weights::Weights;
use crate::{Reranker, Result};

/// A cross-encoder of the BERT family that runs in this process, on all cores, and needs no network.
///
/// It reads a question together with a text, and scores how well the text answers it. It supports
/// the models of `transformers` for sequence classification: the architectures `bert`, `roberta`
/// and `xlm-roberta`, with one label. In [`Precision::Float32`] the scores are those of
/// `transformers` within 1e-5, before any activation function. If a question and a text have more
/// tokens than the model accepts, the longer of the two is truncated, as with
/// sentence-transformers, and [`count_truncated`](Reranker::count_truncated) counts these pairs.
/// Clones share one model.
///
/// ```no_run
/// use sectile_embed::{LocalReranker, Reranker};
///
/// # async fn example() -> sectile_embed::Result<()> {
/// let reranker = LocalReranker::open("models/ms-marco-MiniLM-L6-v2")?;
/// let texts = ["It rained.".to_owned(), "Paris is in France.".to_owned()];
/// let scores = reranker.rerank("Where is Paris?", &texts).await?;
/// assert!(scores[1] > scores[0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct LocalReranker(Arc<Local>);

struct Local {
    encoder: Encoder,
    head: Head,
}

impl LocalReranker {
    /// Reads a model from a folder, which takes some tenths of a second, to compute in
    /// [`Precision::Float32`].
    ///
    /// The folder has `config.json`, `tokenizer.json` and `model.safetensors`, and may have
    /// `tokenizer_config.json`. The model is named as with
    /// [`LocalEmbedder::open`](crate::LocalEmbedder::open).
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
        let layout = RerankerLayout::read(&folder)?;
        let head = |weights: &Weights| Head::load(weights, &layout);
        let (encoder, head) = Encoder::open(&folder, &layout.encoding, precision, head)?;
        Ok(Self(Arc::new(Local { encoder, head })))
    }
}

#[async_trait]
impl Reranker for LocalReranker {
    fn name(&self) -> &str {
        &self.0.encoder.name
    }

    /// Counts the tokens on threads that the runtime does not need.
    async fn count_truncated(&self, question: &str, texts: &[String]) -> Result<usize> {
        let local = Arc::clone(&self.0);
        let pairs = pairs(question, texts);
        unblock(move |_| {
            let count = local.encoder.tokens.count_longer_pairs(pairs);
            count.map_err(|error| local.encoder.refuse(error))
        })
        .await
    }

    /// Makes the scores on threads that the runtime does not need. Dropping the future ends the work.
    async fn rerank(&self, question: &str, texts: &[String]) -> Result<Vec<f32>> {
        let local = Arc::clone(&self.0);
        let pairs = pairs(question, texts);
        unblock(move |cancelled| local.rerank(pairs, cancelled)).await
    }
}

fn pairs(question: &str, texts: &[String]) -> Vec<(String, String)> {
    let pairs = texts.iter().map(|text| (question.to_owned(), text.clone()));
    pairs.collect()
}

impl fmt::Debug for LocalReranker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("LocalReranker");
        debug.field("name", &self.name()).finish_non_exhaustive()
    }
}

impl Local {
    fn rerank(&self, pairs: Vec<(String, String)>, cancelled: &Cancelled) -> Result<Vec<f32>> {
        let pairs = self.encoder.tokens.of_pairs(pairs);
        let pairs = pairs.map_err(|error| self.encoder.refuse(error))?;
        self.encoder.run(&pairs, cancelled, |rows| {
            let score = self.head.score(rows);
            let error = || self.encoder.not_finite("its score is");
            Some(score)
                .filter(|score| score.is_finite())
                .ok_or_else(error)
        })
    }
}

/// What makes a score of the first token.
struct Head {
    size: usize,
    dense: Linear,
    score: Linear,
}

impl Head {
    /// The head is small, and stays in floats.
    fn load(weights: &Weights, layout: &RerankerLayout) -> Result<Self, String> {
        let size = layout.encoding.bert.hidden_size;
        let names = &layout.head;
        let linear =
            |name, to| Linear::load(weights, &[name], [size, to], Precision::Float32, None);
        Ok(Self {
            size,
            dense: linear(names.dense, size)?,
            score: linear(names.score, 1)?,
        })
    }

    fn score(&self, rows: &[f32]) -> f32 {
        let tanh = |row: &mut [f32]| row.iter_mut().for_each(|number| *number = number.tanh());
        let hidden = self.dense.of(&rows[..self.size], tanh);
        self.score.of(&hidden, |_| ())[0]
    }
}
