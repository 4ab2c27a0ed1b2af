//! Models that make vectors.

use std::fmt::Debug;

use async_trait::async_trait;
use sectile_core::EmbeddingModel;

use crate::Result;

/// The purpose of a vector, which some models need to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The text is part of a document.
    Document,
    /// The text is a question.
    Query,
}

/// A model that makes a vector of a text, so that texts with similar meanings have vectors with
/// similar directions.
#[async_trait]
pub trait Embedder: Debug + Send + Sync {
    /// Returns the model's identity, which is stored with its vectors.
    fn model(&self) -> &EmbeddingModel;

    /// Returns the maximum number of tokens that the model reads of a text, if it is known. By
    /// default it is not.
    fn max_tokens(&self) -> Option<usize> {
        None
    }

    /// Counts the texts that have more tokens than the model reads, so that their ends are not in
    /// their vectors. By default it counts none, for models that read every text, refuse a long one,
    /// or truncate it without saying so.
    ///
    /// # Errors
    ///
    /// Those of [`embed`](Self::embed).
    async fn count_truncated(&self, texts: &[String], purpose: Purpose) -> Result<usize> {
        let _ = (texts, purpose);
        Ok(0)
    }

    /// Makes a vector of [`EmbeddingModel::dimensions`] finite numbers for each text, in order.
    ///
    /// # Errors
    ///
    /// Any of [`Error`](crate::Error); then no vector is returned.
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>>;

    /// Makes the vectors that [`embed`](Self::embed) makes, and calls `on_done` with the number of
    /// texts each time that some are done. The numbers add up to that of all texts. By default, it
    /// is called once.
    ///
    /// # Errors
    ///
    /// Those of [`embed`](Self::embed).
    async fn embed_with_progress(
        &self,
        texts: &[String],
        purpose: Purpose,
        on_done: &(dyn Fn(usize) + Send + Sync),
    ) -> Result<Vec<Vec<f32>>> {
        let vectors = self.embed(texts, purpose).await?;
        on_done(texts.len());
        Ok(vectors)
    }
}
