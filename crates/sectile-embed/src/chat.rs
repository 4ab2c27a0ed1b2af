//! Models that answer in text.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::Result;

/// A request to a chat model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChatRequest {
    /// The system prompt.
    pub system: String,
    /// The question.
    pub user: String,
    /// The maximum number of tokens of the answer; by default that of the model.
    pub max_tokens: Option<u32>,
}

/// A model that answers a question in text.
#[async_trait]
pub trait ChatModel: Debug + Send + Sync {
    /// Returns the model's name, which is stored with its texts.
    fn name(&self) -> &str;

    /// Answers a request.
    ///
    /// # Errors
    ///
    /// Any of [`Error`](crate::Error).
    async fn complete(&self, request: &ChatRequest) -> Result<String>;
}
