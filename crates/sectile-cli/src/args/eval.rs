//! How well questions are answered.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{ChatArguments, EmbedderArguments, Mode, Strategy, Unit, name};

/// Measure how well questions are answered, with one setting or with several side by side
///
/// QUESTIONS holds JSON lines such as {"question": "…", "answers": [{"document": "guide.md", "heading":
/// "Install > Linux"}]}, TREC's topics, or lines of id, tab and question. It may be a folder that has
/// judgements and documents, too. Documents that are named are indexed into stores of their own, one for
/// each way to cut them.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  sectile eval questions.jsonl --in docs/
  sectile eval questions.jsonl --in docs/ --size 200,400,800 --html report.html
  sectile eval questions.jsonl --in docs/ --embedder ollama:nomic-embed-text --mode text,hybrid
  sectile eval cranfield/ --depth 100
  sectile eval draft --in docs/ --chat-model ollama:llama3.2 --count 50 > questions.jsonl"
)]
pub(crate) struct EvalArguments {
    #[command(subcommand)]
    pub(crate) command: Option<EvalCommand>,
    #[command(flatten)]
    pub(crate) measure: MeasureArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    Draft(DraftArguments),
}

#[derive(Debug, Args)]
pub(crate) struct MeasureArguments {
    /// File of questions, or a folder with questions, judgements and documents
    #[arg(required = true)]
    pub(crate) questions: Option<PathBuf>,
    /// Files and folders to index and search [default: those of the folder of questions, or else what
    /// the store holds]
    #[arg(long = "in", value_name = "PATH", num_args = 1.., conflicts_with = "corpus")]
    pub(crate) paths: Vec<PathBuf>,
    /// Documents as JSON lines of id, title and text
    #[arg(long, value_name = "FILE")]
    pub(crate) corpus: Option<PathBuf>,
    /// Judgements: TREC's qrels, BEIR's table, or JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) qrels: Option<PathBuf>,
    /// What a grade is worth
    #[arg(long, value_enum, default_value_t)]
    pub(crate) gain: Gain,
    /// Collection of the store to search [default: all]
    #[arg(long, value_name = "NAME", value_parser = name, conflicts_with_all = ["paths", "corpus"])]
    pub(crate) collection: Option<String>,
    /// How to rank; several are compared [default: text, and with a model also vector and hybrid]
    #[arg(long, value_enum, value_name = "MODES", value_delimiter = ',')]
    pub(crate) mode: Vec<Mode>,
    /// How to cut sections; several are compared [default: sentence]
    #[arg(long, value_enum, value_name = "STRATEGIES", value_delimiter = ',')]
    pub(crate) strategy: Vec<Strategy>,
    /// Largest chunk; several are compared [default: 400]
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    pub(crate) size: Vec<usize>,
    /// Overlap; several are compared [default: that of the strategy]
    #[arg(long, value_name = "OVERLAPS", value_delimiter = ',')]
    pub(crate) overlap: Vec<usize>,
    /// What sizes count [default: `o200k_base`]
    #[arg(long, value_enum)]
    pub(crate) unit: Option<Unit>,
    /// Hits that count, but for recall
    #[arg(short, value_name = "N", default_value = "10")]
    pub(crate) k: NonZero<usize>,
    /// Hits to ask for, and that count for recall [default: as many as count]
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<NonZero<usize>>,
    /// Keep the stores in this folder, so that the next run need not index again
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Write a page with plots that needs no other file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Gain {
    /// As much as it says
    #[default]
    Linear,
    /// 2 to the power of the grade, less 1
    Exponential,
}

/// Have a chat model write questions about sections of documents, as JSON lines marked as drafted
///
/// They are a beginning: read them, and throw away those that nobody would ask. Questions of a model are
/// closer to the words of a document than those of people.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile eval draft --in docs/ --chat-model ollama:llama3.2 --count 50 > questions.jsonl")]
pub(crate) struct DraftArguments {
    /// Files and folders to ask about [default: what the store holds]
    #[arg(long = "in", value_name = "PATH", num_args = 1..)]
    pub(crate) paths: Vec<PathBuf>,
    /// Collection of the store to ask about [default: all]
    #[arg(long, value_name = "NAME", value_parser = name, conflicts_with = "paths")]
    pub(crate) collection: Option<String>,
    /// How many questions to write, about as many sections
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) count: usize,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
}
