//! Models that answer in text.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::Result;

/// What a chat model is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChatRequest {
    /// How it should behave.
    pub system: String,
    /// The question.
    pub user: String,
    /// The most tokens of its answer; what is usual for the model if none is given.
    pub max_tokens: Option<u32>,
}

/// A model that answers a question in text.
#[async_trait]
pub trait ChatModel: Debug + Send + Sync {
    /// Returns the model's name, which is kept beside what it wrote.
    fn name(&self) -> &str;

    /// Answers a request.
    ///
    /// # Errors
    ///
    /// Any of [`Error`](crate::Error).
    async fn complete(&self, request: &ChatRequest) -> Result<String>;
}
