//! Spans of the work that is worth being watched.
//!
//! They name what is worked on and how much of it there is. No text of a document, of a question or of an
//! answer is in them.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use sectile_core::EmbeddingModel;
use sectile_embed::{ChatModel, ChatRequest, Embedder, Purpose, Reranker, Result};
use sectile_store::SearchRequest;
use tracing::field::Empty;
use tracing::{Instrument as _, Span, info_span};

/// Makes the span of a search, to which the number of hits is to be added.
pub(crate) fn search_span(request: &SearchRequest) -> Span {
    let (mode, limit) = (request.mode, request.limit);
    let collection = request.scope.collection_name();
    info_span!("search", %mode, limit, collection, hits = Empty)
}

/// A model whose calls have spans.
#[derive(Debug)]
pub(crate) struct Traced<T: ?Sized>(pub(crate) Arc<T>);

#[async_trait]
impl Embedder for Traced<dyn Embedder> {
    fn model(&self) -> &EmbeddingModel {
        self.0.model()
    }

    fn max_tokens(&self) -> Option<usize> {
        self.0.max_tokens()
    }

    async fn count_truncated(&self, texts: &[String], purpose: Purpose) -> Result<usize> {
        self.0.count_truncated(texts, purpose).await
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let span = info_span!("model.embed", model = %self.model().name, texts = texts.len());
        self.0.embed(texts, purpose).instrument(span).await
    }

    async fn embed_with_progress(
        &self,
        texts: &[String],
        purpose: Purpose,
        on_done: &(dyn Fn(usize) + Send + Sync),
    ) -> Result<Vec<Vec<f32>>> {
        let span = info_span!("model.embed", model = %self.model().name, texts = texts.len());
        let vectors = self.0.embed_with_progress(texts, purpose, on_done);
        vectors.instrument(span).await
    }
}

#[async_trait]
impl ChatModel for Traced<dyn ChatModel> {
    fn name(&self) -> &str {
        self.0.name()
    }

    async fn complete(&self, request: &ChatRequest) -> Result<String> {
        let span = info_span!("model.chat", model = self.name());
        self.0.complete(request).instrument(span).await
    }
}

#[async_trait]
impl Reranker for Traced<dyn Reranker> {
    fn name(&self) -> &str {
        self.0.name()
    }

    async fn count_truncated(&self, question: &str, texts: &[String]) -> Result<usize> {
        self.0.count_truncated(question, texts).await
    }

    async fn rerank(&self, question: &str, texts: &[String]) -> Result<Vec<f32>> {
        let span = info_span!("model.rerank", model = self.name(), texts = texts.len());
        self.0.rerank(question, texts).instrument(span).await
    }

    async fn rerank_by(
        &self,
        question: &str,
        texts: &[String],
        deadline: Instant,
    ) -> Result<Vec<f32>> {
        let span = info_span!("model.rerank", model = self.name(), texts = texts.len());
        let scores = self.0.rerank_by(question, texts, deadline);
        scores.instrument(span).await
    }
}
