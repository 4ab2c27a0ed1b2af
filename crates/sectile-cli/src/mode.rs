//! How a search ranks, as it is typed.

use clap::ValueEnum;

/// How to rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// BM25 over words
    #[default]
    Text,
    /// Likeness of meaning, by the vectors of an embedding model
    Vector,
    /// Both, by their ranks
    Hybrid,
    /// Sections by all that their best chunks score
    Value,
    /// A chat model reads the tables of contents and names the sections
    Tree,
}
