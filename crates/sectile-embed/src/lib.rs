//! Models that make vectors of texts, and models that answer in text.

mod chat;
mod embedder;
mod error;

pub use chat::{ChatModel, ChatRequest};
pub use embedder::{Embedder, Purpose};
pub use error::{Error, Result};
