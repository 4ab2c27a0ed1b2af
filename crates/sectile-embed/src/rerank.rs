//! Models that say which texts answer a question best.

use std::fmt::Debug;
use std::time::Instant;

use async_trait::async_trait;

use crate::Result;

/// A model that says how well each of some texts answers a question.
///
/// Dropping the future of a call ends its work soon: a caller gives up on a model that is late.
#[async_trait]
pub trait Reranker: Debug + Send + Sync {
    /// Names the model.
    fn name(&self) -> &str;

    /// Returns a finite score for each text, in their order; higher is better. Scores of two
    /// questions do not compare.
    ///
    /// # Errors
    ///
    /// Any of [`Error`](crate::Error); then no score is returned.
    async fn rerank(&self, question: &str, texts: &[String]) -> Result<Vec<f32>>;

    /// As [`rerank`](Self::rerank), for a caller that does not wait longer than to `deadline`: a request that failed is
    /// not repeated if there is no time left, so that the caller learns why it failed.
    ///
    /// # Errors
    ///
    /// Those of [`rerank`](Self::rerank).
    async fn rerank_by(
        &self,
        question: &str,
        texts: &[String],
        deadline: Instant,
    ) -> Result<Vec<f32>> {
        let _ = deadline;
        self.rerank(question, texts).await
    }
}
