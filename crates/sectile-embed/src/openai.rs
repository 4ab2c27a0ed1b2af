//! Models behind servers that speak OpenAI's protocol, or one of those of rerankers.

mod chat;
mod client;
mod embed;
mod failure;
mod options;
mod rerank;

pub use chat::OpenAiChat;
pub use embed::OpenAiEmbedder;
pub use options::{OpenAiOptions, TokenLimit};
pub use rerank::{RemoteReranker, RerankProtocol};
