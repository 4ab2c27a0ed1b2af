//! Models that make vectors of texts, and models that answer in text.

mod chat;
mod embedder;
mod error;
#[cfg(feature = "local")]
mod local;

pub use chat::{ChatModel, ChatRequest};
pub use embedder::{Embedder, Purpose};
pub use error::{Error, Result};
#[cfg(feature = "local")]
pub use local::LocalEmbedder;
