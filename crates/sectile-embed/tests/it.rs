//! Models behind a real server on this machine, searches and summaries by scripted models, and models
//! in this process: tiny ones made here, and with `SECTILE_MODEL` a real one.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "it/support.rs"]
mod support;

#[cfg(feature = "hub")]
#[path = "it/fake_hub.rs"]
mod fake_hub;
#[cfg(feature = "openai")]
#[path = "it/server.rs"]
mod server;
#[cfg(feature = "local")]
#[path = "it/tiny.rs"]
mod tiny;

#[cfg(feature = "openai")]
#[path = "it/chat.rs"]
mod chat;
#[cfg(feature = "local")]
#[path = "it/damaged.rs"]
mod damaged;
#[cfg(feature = "openai")]
#[path = "it/embeddings.rs"]
mod embeddings;
#[cfg(feature = "openai")]
#[path = "it/failures.rs"]
mod failures;
#[cfg(feature = "hub")]
#[path = "it/hub.rs"]
mod hub;
#[cfg(feature = "local")]
#[path = "it/local.rs"]
mod local;
#[cfg(feature = "local")]
#[path = "it/local_reranker.rs"]
mod local_reranker;
#[cfg(feature = "local")]
#[path = "it/minilm.rs"]
mod minilm;
#[path = "it/question.rs"]
mod question;
#[cfg(feature = "openai")]
#[path = "it/rerank.rs"]
mod rerank;
#[path = "it/summary.rs"]
mod summary;
#[path = "it/tree.rs"]
mod tree;
