//! How a search ranks, as it is typed.

use clap::ValueEnum;

/// How to rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// BM25 over words
    #[default]
    Text,
    /// Similarity of meaning, by vectors of an embedding model
    Vector,
    /// Both, combined by rank fusion
    Hybrid,
    /// Sections by the combined scores of their best chunks
    Value,
    /// A chat model picks sections from the tables of contents
    Tree,
}
