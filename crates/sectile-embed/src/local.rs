//! Models that run in this process.

mod bert;
mod cancellation;
mod embedder;
mod encoder;
mod folder;
mod functions;
mod layout;
mod linear;
mod quantized;
mod reranker;
mod tokens;
mod weights;

pub use embedder::LocalEmbedder;
pub use linear::Precision;
pub use reranker::LocalReranker;
