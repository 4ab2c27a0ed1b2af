//! Vectors over OpenAI's protocol.

use async_trait::async_trait;
use futures_util::TryFutureExt;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use sectile_core::EmbeddingModel;
use serde::{Deserialize, Serialize};

use super::client::Client;
use super::options::OpenAiOptions;
use crate::{Embedder, Purpose, Result};

/// The text whose vector tells what the model's vectors are like.
const PROBE: &str = "section";

/// The maximum dimensions of a vector while the dimensions of the model are unknown.
const MOST_DIMENSIONS: usize = 1 << 16;

/// The maximum number of bytes of one number, with its separator.
const BYTES_PER_NUMBER: usize = 64;

/// The bytes of an answer around its vectors, at most.
const BYTES_AROUND: usize = 1 << 20;

/// The maximum number of bytes of any answer.
const MOST_BYTES: usize = 256 << 20;

/// How far from 1 the length of a vector may be that was meant to have that length.
const LENGTH_TOLERANCE: f64 = 1e-3;

/// An embedding model behind a server that speaks OpenAI's protocol.
///
/// It needs a Tokio runtime with time and I/O.
#[derive(Clone, Debug)]
pub struct OpenAiEmbedder {
    client: Client,
    model: EmbeddingModel,
    batch: usize,
    concurrency: usize,
    document_prefix: String,
    query_prefix: String,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: Vec<String>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Embedding>,
}

#[derive(Deserialize)]
struct Embedding {
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl OpenAiEmbedder {
    /// Requests one vector from the model, to learn its dimensions and whether its length is 1.
    ///
    /// # Errors
    ///
    /// Any of [`Error`](crate::Error): the options are invalid, or the model does not answer.
    pub async fn connect(options: &OpenAiOptions) -> Result<Self> {
        let client = Client::new(options)?;
        let mut embedder = Self {
            model: EmbeddingModel {
                name: options.model.clone(),
                dimensions: 0,
                is_normalized: false,
            },
            client,
            batch: options.batch,
            concurrency: options.concurrency,
            document_prefix: options.document_prefix.clone(),
            query_prefix: options.query_prefix.clone(),
        };
        let probe = [PROBE.to_owned()];
        let vectors = embedder.ask(&probe, Purpose::Document).await?;
        embedder.model.dimensions = vectors[0].len();
        embedder.model.is_normalized = is_unit(&vectors[0]);
        Ok(embedder)
    }

    async fn ask(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let prefix = match purpose {
            Purpose::Document => &self.document_prefix,
            Purpose::Query => &self.query_prefix,
        };
        let request = Request {
            model: &self.model.name,
            input: texts.iter().map(|text| format!("{prefix}{text}")).collect(),
        };
        let limit = longest_answer(texts.len(), self.model.dimensions);
        let answer: Answer = self.client.post(&["embeddings"], &request, limit).await?;
        let vectors = in_order(answer.data, texts.len());
        let vectors = vectors.and_then(|vectors| checked(vectors, self.model.dimensions));
        vectors.map_err(|reason| self.client.answer(&reason))
    }
}

#[async_trait]
impl Embedder for OpenAiEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        self.embed_with_progress(texts, purpose, &|_| {}).await
    }

    async fn embed_with_progress(
        &self,
        texts: &[String],
        purpose: Purpose,
        on_done: &(dyn Fn(usize) + Send + Sync),
    ) -> Result<Vec<Vec<f32>>> {
        let batches: Vec<_> = texts
            .chunks(self.batch)
            .map(|batch| {
                let vectors = self.ask(batch, purpose);
                vectors.inspect_ok(move |_| on_done(batch.len()))
            })
            .collect();
        stream::iter(batches)
            .buffered(self.concurrency)
            .try_concat()
            .await
    }
}

/// Puts vectors into the order of their texts. Servers that number none answer in order.
fn in_order(data: Vec<Embedding>, count: usize) -> Result<Vec<Vec<f32>>, String> {
    if data.len() != count {
        return Err(format!("{} vectors for {count} texts", data.len()));
    }
    let mut vectors = vec![None; count];
    for (position, embedding) in data.into_iter().enumerate() {
        let index = embedding.index.unwrap_or(position);
        let place = vectors
            .get_mut(index)
            .ok_or_else(|| format!("a vector for text {index}, of {count} counted from 0"))?;
        if place.replace(embedding.embedding).is_some() {
            return Err(format!("two vectors for text {index}"));
        }
    }
    Ok(vectors.into_iter().flatten().collect())
}

/// Checks that vectors have `dimensions` finite numbers each, or as many as they like if that is 0.
fn checked(vectors: Vec<Vec<f32>>, dimensions: usize) -> Result<Vec<Vec<f32>>, String> {
    for vector in &vectors {
        let actual = vector.len();
        if actual == 0 || (dimensions > 0 && actual != dimensions) {
            return Err(match dimensions {
                0 => "a vector has no numbers".to_owned(),
                _ => format!("a vector has {actual} numbers, not {dimensions}"),
            });
        }
        if !vector.iter().all(|number| number.is_finite()) {
            return Err("a vector has a number that is not finite".to_owned());
        }
    }
    Ok(vectors)
}

fn longest_answer(texts: usize, dimensions: usize) -> usize {
    let dimensions = if dimensions == 0 {
        MOST_DIMENSIONS
    } else {
        dimensions
    };
    texts
        .saturating_mul(dimensions)
        .saturating_mul(BYTES_PER_NUMBER)
        .saturating_add(BYTES_AROUND)
        .min(MOST_BYTES)
}

fn is_unit(vector: &[f32]) -> bool {
    let squares: f64 = vector.iter().map(|&number| f64::from(number).powi(2)).sum();
    (squares.sqrt() - 1.0).abs() <= LENGTH_TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_bounded_by_what_was_asked() {
        assert_eq!(longest_answer(64, 768), BYTES_AROUND + 64 * 768 * 64);
        assert_eq!(longest_answer(1, 0), BYTES_AROUND + (1 << 16) * 64);
        assert_eq!(longest_answer(usize::MAX, 768), MOST_BYTES);
    }

    #[test]
    fn vectors_have_the_dimension_and_finite_numbers() {
        assert!(checked(vec![vec![1.0, -1.0]], 2).is_ok());
        assert!(checked(vec![vec![1.0, -1.0]], 0).is_ok());
        for wrong in [
            vec![],
            vec![1.0],
            vec![1.0, f32::NAN],
            vec![f32::INFINITY, 1.0],
        ] {
            assert!(checked(vec![wrong], 2).is_err());
        }
        assert!(checked(vec![vec![]], 0).is_err());
    }

    #[test]
    fn lengths_near_one_are_one() {
        assert!(is_unit(&[0.6, 0.8001]));
        assert!(!is_unit(&[0.6, 0.9]));
    }
}
