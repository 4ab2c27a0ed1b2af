//! How the store is searched.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::range::positive;
use super::{ChatArguments, EmbedderArguments, Mode, RerankArguments, name};

/// Search the store, or the given paths, for the answer to a question
#[derive(Debug, Args)]
#[command(
    after_help = "Any word of the question may match; more and rarer words rank higher.
  \"two words\"   as a phrase: required if it is alone, preferred among other words
  a AND b       both required
  NOT word      without the word; -\"two words\" without the phrase (if it comes first, write -- before it)
  inst*         words that begin with inst

Examples:
  sectile search \"how do I configure retries?\" --in docs/
  sectile search \"retry storms\" --in docs/ --mode hybrid --embedder ollama:nomic-embed-text
  sectile search \"retry storms\" --in docs/ --rerank
  sectile search install --filter 'path=docs/**/*.md' --filter heading=linux --explain
  sectile search '\"exponential backoff\" NOT draft' --limit 3
  sectile search useState --in pages/ --json | jq '.[0].heading_path'"
)]
pub(crate) struct SearchArguments {
    /// The question
    #[arg(required_unless_present = "paths")]
    pub(crate) query: Option<String>,
    /// Files and folders to search; changes in them are ingested first
    #[arg(long = "in", value_name = "PATH", num_args = 1..)]
    pub(crate) paths: Vec<PathBuf>,
    /// Collection to search [default: all; with --in, the one that has the files, or `default`]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
    /// Ranking [default: text]
    #[arg(long, value_enum)]
    pub(crate) mode: Option<Mode>,
    /// Explain how the question was parsed and why each hit ranks where it does
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) filters: FilterArguments,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
    #[arg(
        long,
        value_name = "MODEL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        help_heading = "Reranking",
        help = "Let a model read the best hits and order them: one that was added, http://HOST/v1#NAME, \
                http://HOST for text-embeddings-inference, cohere:NAME, jina:NAME, or a folder"
    )]
    pub(crate) rerank: Option<String>,
    /// The model of the configuration file, where it names one.
    #[arg(skip)]
    pub(crate) usual_reranker: String,
    #[command(flatten)]
    pub(crate) reranking: RerankArguments,
    /// What one hit is
    #[arg(long, value_enum, default_value_t)]
    pub(crate) group_by: Group,
    /// Maximum number of hits [default: 10]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    pub(crate) limit: Option<NonZeroUsize>,
    /// Show the full text of each hit: its section, or the unit of --group-by
    #[arg(long)]
    pub(crate) full: bool,
    /// Show only the documents with hits, best first
    #[arg(long, conflicts_with_all = ["full", "explain"])]
    pub(crate) files: bool,
    /// Output format [default: text]
    #[arg(long, value_enum, conflicts_with = "json")]
    pub(crate) format: Option<HitFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HitFormat {
    /// Text for a terminal
    Text,
    /// Markdown, to paste into a document or a prompt
    Md,
    /// One JSON array, as with --json
    Json,
    /// One JSON object per line, for each hit
    Jsonl,
}

impl SearchArguments {
    /// Returns the reranking model to ask, if one was typed or the configuration file has what is searched reranked
    /// (`is_always`). An empty name stands for the usual one.
    pub(crate) fn reranker(&self, is_always: bool) -> Option<&str> {
        match self.rerank.as_deref() {
            Some("") => Some(self.usual_reranker.as_str()),
            None if is_always => Some(self.usual_reranker.as_str()),
            typed => typed,
        }
    }
}

/// What is searched or listed
#[derive(Debug, Args)]
pub(crate) struct FilterArguments {
    /// Narrow by path=GLOB, heading=TEXT, level=N or N-M, since=DATE, until=DATE, or a field of the
    /// metadata, such as team=red; with several filters all must match
    #[arg(long = "filter", value_name = "KEY=VALUE")]
    pub(crate) filters: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Group {
    /// Every chunk
    Chunk,
    /// The best hit of each section
    #[default]
    Section,
    /// The best hit of each document
    Document,
}
