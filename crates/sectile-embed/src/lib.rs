#![doc = include_str!("../README.md")]

mod chat;
mod embedder;
mod error;
#[cfg(feature = "openai")]
mod http;
#[cfg(feature = "local")]
mod local;
#[cfg(feature = "openai")]
mod openai;
mod prompt_text;
mod rerank;
mod summary;
mod tree;

pub use chat::{ChatModel, ChatRequest};
pub use embedder::{Embedder, Purpose};
pub use error::{Error, Result};
#[cfg(feature = "local")]
pub use local::LocalEmbedder;
#[cfg(feature = "openai")]
pub use openai::{
    OpenAiChat, OpenAiEmbedder, OpenAiOptions, RemoteReranker, RerankProtocol, TokenLimit,
};
pub use prompt_text::TokenCount;
pub use rerank::Reranker;
pub use summary::{SUMMARY_THRESHOLD, Summarizer, is_own_summary};
pub use tree::{TreeAnswer, TreeHit, TreeSearch};
