//! Scores of texts over the protocols that servers of rerankers speak.

use std::time::Instant;

use async_trait::async_trait;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};

use super::client::Client;
use super::options::OpenAiOptions;
use crate::{Reranker, Result};

/// The maximum number of texts that text-embeddings-inference takes in a request by default.
const TEI_BATCH: usize = 32;

/// The bytes of an answer around each of its scores and texts, at most.
const BYTES_AROUND: usize = 1 << 10;

/// The maximum number of bytes that a byte of a text has in JSON, where servers send the texts
/// back.
const BYTES_PER_BYTE: usize = 6;

/// The maximum number of bytes of any answer.
const MOST_BYTES: usize = 64 << 20;

/// The protocol of a rerank server. Both forms of answers are accepted with either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RerankProtocol {
    /// That of Cohere (both versions), Jina, vLLM and llama.cpp: a model and `documents`.
    #[default]
    Cohere,
    /// That of Hugging Face's text-embeddings-inference, which serves one model: `texts`.
    TextEmbeddingsInference,
}

/// A reranking model behind a server.
///
/// The options name the address below which `rerank` is: `http://localhost:8080/v1` for llama.cpp
/// and vLLM, `https://api.cohere.com/v2`, `https://api.jina.ai/v1`, or the root of
/// text-embeddings-inference. It needs a Tokio runtime with time and I/O.
#[derive(Clone, Debug)]
pub struct RemoteReranker {
    client: Client,
    protocol: RerankProtocol,
    batch: usize,
    concurrency: usize,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Request<'a> {
    /// Without `top_n`, servers score all documents.
    Cohere {
        model: &'a str,
        query: &'a str,
        documents: &'a [String],
    },
    /// Scores before the sigmoid stay apart where it would make all of them 1.
    Tei {
        query: &'a str,
        texts: &'a [String],
        raw_scores: bool,
        truncate: bool,
    },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    List(Vec<Scored>),
    Object {
        #[serde(alias = "data")]
        results: Vec<Scored>,
    },
}

#[derive(Deserialize)]
struct Scored {
    index: usize,
    #[serde(alias = "score")]
    relevance_score: f32,
}

impl RemoteReranker {
    /// Creates a model with these options, without sending a request.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`](crate::Error::Configuration) if the options are invalid.
    pub fn new(options: &OpenAiOptions, protocol: RerankProtocol) -> Result<Self> {
        Ok(Self {
            client: Client::new(options)?,
            protocol,
            // Some models of the other protocol compare the texts of a request with each other.
            batch: match protocol {
                RerankProtocol::Cohere => usize::MAX,
                RerankProtocol::TextEmbeddingsInference => options.batch.min(TEI_BATCH),
            },
            concurrency: options.concurrency,
        })
    }

    async fn ask_all(
        &self,
        query: &str,
        texts: &[String],
        deadline: Option<Instant>,
    ) -> Result<Vec<f32>> {
        let batches = texts.chunks(self.batch);
        let batches: Vec<_> = batches
            .map(|batch| self.ask(query, batch, deadline))
            .collect();
        stream::iter(batches)
            .buffered(self.concurrency)
            .try_concat()
            .await
    }

    async fn ask(
        &self,
        query: &str,
        texts: &[String],
        deadline: Option<Instant>,
    ) -> Result<Vec<f32>> {
        let request = match self.protocol {
            RerankProtocol::Cohere => Request::Cohere {
                model: self.client.model(),
                query,
                documents: texts,
            },
            RerankProtocol::TextEmbeddingsInference => Request::Tei {
                query,
                texts,
                raw_scores: true,
                truncate: true,
            },
        };
        let limit = longest_answer(texts);
        let answer = self.client.post_by(&["rerank"], &request, limit, deadline);
        let answer: Answer = answer.await?;
        let (Answer::List(scored) | Answer::Object { results: scored }) = answer;
        in_order(scored, texts.len()).map_err(|reason| self.client.answer(&reason))
    }
}

#[async_trait]
impl Reranker for RemoteReranker {
    fn name(&self) -> &str {
        self.client.model()
    }

    async fn rerank(&self, question: &str, texts: &[String]) -> Result<Vec<f32>> {
        self.ask_all(question, texts, None).await
    }

    async fn rerank_by(
        &self,
        question: &str,
        texts: &[String],
        deadline: Instant,
    ) -> Result<Vec<f32>> {
        self.ask_all(question, texts, Some(deadline)).await
    }
}

/// Puts scores into the order of their texts.
fn in_order(answered: Vec<Scored>, count: usize) -> Result<Vec<f32>, String> {
    if answered.len() != count {
        return Err(format!("{} scores for {count} texts", answered.len()));
    }
    let mut scores = vec![None; count];
    for Scored {
        index,
        relevance_score: score,
    } in answered
    {
        let place = scores
            .get_mut(index)
            .ok_or_else(|| format!("a score for text {index}, of {count} counted from 0"))?;
        if !score.is_finite() {
            return Err(format!("a score for text {index} that is not finite"));
        }
        if place.replace(score).is_some() {
            return Err(format!("two scores for text {index}"));
        }
    }
    Ok(scores.into_iter().flatten().collect())
}

fn longest_answer(texts: &[String]) -> usize {
    let bytes = |text: &String| text.len() * BYTES_PER_BYTE + BYTES_AROUND;
    let bytes: usize = texts.iter().map(bytes).sum();
    (bytes + BYTES_AROUND).min(MOST_BYTES)
}
