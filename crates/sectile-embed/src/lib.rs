//! Models that make vectors of texts, and models that answer in text.

mod chat;
mod embedder;
mod error;
#[cfg(feature = "openai")]
mod openai;

pub use chat::{ChatModel, ChatRequest};
pub use embedder::{Embedder, Purpose};
pub use error::{Error, Result};
#[cfg(feature = "openai")]
pub use openai::{OpenAiChat, OpenAiEmbedder, OpenAiOptions, TokenLimit};
