#![doc = include_str!("../README.md")]

mod added;
mod chat;
mod embedder;
mod error;
#[cfg(any(feature = "hub", feature = "openai"))]
mod http;
#[cfg(feature = "hub")]
mod hub;
#[cfg(feature = "local")]
mod local;
#[cfg(feature = "openai")]
mod openai;
mod prompt_text;
mod question;
mod regular_file;
mod rerank;
mod summary;
mod tree;

pub use added::{AddedModel, AddedModels, ModelFile, ModelKind};
pub use chat::{ChatModel, ChatRequest};
pub use embedder::{Embedder, Purpose};
pub use error::{Error, Result};
#[cfg(feature = "hub")]
pub use hub::{Hub, HubEvent, HubModel, HubOptions, KNOWN_MODELS, KnownModel};
#[cfg(feature = "local")]
pub use local::{LocalEmbedder, LocalReranker, Precision};
#[cfg(feature = "openai")]
pub use openai::{
    OpenAiChat, OpenAiEmbedder, OpenAiOptions, RemoteReranker, RerankProtocol, TokenLimit,
};
pub use prompt_text::TokenCount;
pub use question::QuestionWriter;
pub use rerank::Reranker;
pub use summary::{SUMMARY_THRESHOLD, Summarizer, is_own_summary};
pub use tree::{TreeAnswer, TreeHit, TreeSearch};
