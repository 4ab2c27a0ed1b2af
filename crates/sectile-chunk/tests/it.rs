//! Behaviour over whole texts: invariants, restatements and, with `SECTILE_CORPUS`, real documents.

#[path = "it/adversarial.rs"]
mod adversarial;
#[path = "it/corpus.rs"]
mod corpus;
#[cfg(feature = "hugging-face")]
#[path = "it/hugging_face.rs"]
mod hugging_face;
#[cfg(feature = "json")]
#[path = "it/json.rs"]
mod json;
#[path = "it/langchain.rs"]
mod langchain;
#[path = "it/markdown.rs"]
mod markdown;
#[path = "it/outline.rs"]
mod outline;
#[path = "it/picture.rs"]
mod picture;
#[path = "it/recursive.rs"]
mod recursive;
#[path = "it/sections.rs"]
mod sections;
#[path = "it/sentence.rs"]
mod sentence;
#[path = "it/sizes.rs"]
mod sizes;
#[path = "it/snapshots.rs"]
mod snapshots;
#[path = "it/stream.rs"]
mod stream;
#[path = "it/token.rs"]
mod token;
#[cfg(feature = "tiktoken")]
#[path = "it/tokens.rs"]
mod tokens;

/// Returns the configuration for a property test of this many cases, without a file of failures.
fn cases(cases: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config {
        cases,
        failure_persistence: None,
        ..proptest::test_runner::Config::default()
    }
}
