//! Models behind a real server on this machine, and searches and summaries by scripted models.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "it/support.rs"]
mod support;

#[cfg(feature = "openai")]
#[path = "it/server.rs"]
mod server;

#[cfg(feature = "openai")]
#[path = "it/chat.rs"]
mod chat;
#[cfg(feature = "openai")]
#[path = "it/embeddings.rs"]
mod embeddings;
#[cfg(feature = "openai")]
#[path = "it/failures.rs"]
mod failures;
#[path = "it/summary.rs"]
mod summary;
#[path = "it/tree.rs"]
mod tree;
