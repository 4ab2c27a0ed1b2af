//! Models that say which texts answer a question best.

use std::fmt::Debug;
use std::time::Instant;

use async_trait::async_trait;

use crate::Result;

/// A model that scores how well texts answer a question.
///
/// If the future of a call is dropped, its work ends soon, so a caller can time out.
#[async_trait]
pub trait Reranker: Debug + Send + Sync {
    /// Returns the name of the model.
    fn name(&self) -> &str;

    /// Counts the texts that have more tokens, together with the question, than the model reads. By
    /// default it counts none, for models that read every text, refuse a long one, or truncate it
    /// without saying so.
    ///
    /// # Errors
    ///
    /// Those of [`rerank`](Self::rerank).
    async fn count_truncated(&self, question: &str, texts: &[String]) -> Result<usize> {
        let _ = (question, texts);
        Ok(0)
    }

    /// Returns a finite score for each text, in their order; higher is better. Scores of different
    /// questions are not comparable.
    ///
    /// # Errors
    ///
    /// Any of [`Error`](crate::Error); then no score is returned.
    async fn rerank(&self, question: &str, texts: &[String]) -> Result<Vec<f32>>;

    /// Does the same as [`rerank`](Self::rerank), for a caller that waits until `deadline`. A
    /// failed request is not retried if no time is left, so that the caller gets its error.
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
