//! Strategies and units.

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "tiktoken")]
use sectile_chunk::Bpe;
use sectile_chunk::{Characters, Heuristic, Tokenizer};

/// A strategy to cut documents into chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// Cuts at the coarsest separator that makes pieces small enough, as `LangChain` does.
    #[default]
    Recursive,
    /// Cuts at headings, with whole fences and tables, and large sections at sentences, with
    /// overlap.
    Markdown,
    /// Makes chunks of whole sentences, with overlap.
    Sentence,
    /// Makes windows of one size, with overlap.
    Token,
    /// Cuts at headings, each with as many subsections as fit the size.
    Sections,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Self; 5] = [
        Self::Recursive,
        Self::Markdown,
        Self::Sentence,
        Self::Token,
        Self::Sections,
    ];

    /// Returns the name, as it is typed and printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recursive => "recursive",
            Self::Markdown => "markdown",
            Self::Sentence => "sentence",
            Self::Token => "token",
            Self::Sections => "sections",
        }
    }

    /// Returns the strategy with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Returns the default size of a chunk.
    pub const fn default_size(self) -> usize {
        match self {
            Self::Recursive => 1000,
            Self::Markdown => 1024,
            Self::Sentence => 800,
            Self::Token => 512,
            Self::Sections => 8192,
        }
    }

    /// Returns the default overlap of chunks of this size; 0 for strategies without overlap.
    pub fn default_overlap(self, size: usize) -> usize {
        match self {
            Self::Recursive | Self::Markdown => 200.min(size / 5),
            // 15 %, without running over.
            Self::Sentence => size / 20 * 3 + size % 20 * 3 / 20,
            Self::Token => 64.min(size / 8),
            Self::Sections => 0,
        }
    }

    /// Returns the default unit of sizes.
    pub const fn default_unit(self) -> Unit {
        match self {
            Self::Recursive => Unit::Chars,
            _ => Unit::DEFAULT,
        }
    }

    /// Returns whether the strategy can cut a text part by part: see [`Cutter::stream`](super::Cutter::stream).
    pub const fn streams(self) -> bool {
        !matches!(self, Self::Sections)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The unit of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// Characters (Unicode scalar values).
    Chars,
    /// Tokens of GPT-4.
    #[cfg(feature = "tiktoken")]
    Cl100kBase,
    /// Tokens of GPT-4o and later.
    #[cfg(feature = "tiktoken")]
    O200kBase,
    /// Tokens, estimated at four characters each.
    Heuristic,
}

impl Unit {
    /// The unit of a library's budgets: tokens, exact where the build has a vocabulary.
    #[cfg(feature = "tiktoken")]
    pub(crate) const DEFAULT: Self = Self::O200kBase;
    #[cfg(not(feature = "tiktoken"))]
    pub(crate) const DEFAULT: Self = Self::Heuristic;

    /// All units of this build.
    pub const ALL: &[Self] = &[
        Self::Chars,
        #[cfg(feature = "tiktoken")]
        Self::Cl100kBase,
        #[cfg(feature = "tiktoken")]
        Self::O200kBase,
        Self::Heuristic,
    ];

    /// Returns the name, as it is typed and printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chars => Characters::NAME,
            #[cfg(feature = "tiktoken")]
            Self::Cl100kBase => "cl100k_base",
            #[cfg(feature = "tiktoken")]
            Self::O200kBase => "o200k_base",
            Self::Heuristic => "heuristic",
        }
    }

    /// Returns the unit of this build with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|unit| unit.name() == name)
    }

    /// Makes a counter for this unit.
    pub fn counter(self) -> Arc<dyn Tokenizer> {
        match self {
            Self::Chars => Arc::new(Characters),
            #[cfg(feature = "tiktoken")]
            Self::Cl100kBase => Arc::new(Bpe::cl100k_base()),
            #[cfg(feature = "tiktoken")]
            Self::O200kBase => Arc::new(Bpe::o200k_base()),
            Self::Heuristic => Arc::new(Heuristic),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
