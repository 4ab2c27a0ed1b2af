//! Models behind servers that speak OpenAI's protocol.

mod chat;
mod client;
mod embed;
mod failure;
mod options;
mod retry;

pub use chat::OpenAiChat;
pub use embed::OpenAiEmbedder;
pub use options::{OpenAiOptions, TokenLimit};
