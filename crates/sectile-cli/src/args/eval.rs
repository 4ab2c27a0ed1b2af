//! How well questions are answered.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::range::positive;
use super::{ChatArguments, EmbedderArguments, Mode, Strategy, Unit, name};

/// Measure how well questions are answered, with one or more settings
///
/// QUESTIONS holds JSON lines such as {"question": "…", "answers": [{"document": "guide.md", "heading":
/// "Install > Linux"}]}, TREC's topics, or lines of id, tab and question. It may also be a folder with
/// questions, judgements and documents. The documents of --in, --corpus or the folder are indexed into
/// separate stores, one for each way of splitting them.
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
    /// Gain of a grade
    #[arg(long, value_enum, default_value_t)]
    pub(crate) gain: Gain,
    /// Collection of the store to search [default: all]
    #[arg(long, value_name = "NAME", value_parser = name, conflicts_with_all = ["paths", "corpus"])]
    pub(crate) collection: Option<String>,
    /// Ranking; several are compared [default: text, and with a model also vector and hybrid]
    #[arg(long, value_enum, value_name = "MODES", value_delimiter = ',')]
    pub(crate) mode: Vec<Mode>,
    /// Strategy; several are compared [default: sentence]
    #[arg(long, value_enum, value_name = "STRATEGIES", value_delimiter = ',')]
    pub(crate) strategy: Vec<Strategy>,
    /// Largest chunk; several are compared [default: 400]
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    pub(crate) size: Vec<usize>,
    /// Overlap; several are compared [default: that of the strategy]
    #[arg(long, value_name = "OVERLAPS", value_delimiter = ',')]
    pub(crate) overlap: Vec<usize>,
    /// Unit of sizes [default: `o200k_base`]
    #[arg(long, value_enum)]
    pub(crate) unit: Option<Unit>,
    /// Number of hits that count for all metrics except recall
    #[arg(short, value_name = "N", default_value = "10", value_parser = positive::<NonZero<usize>>)]
    pub(crate) k: NonZero<usize>,
    /// Number of hits to request; all count for recall [default: that of -k]
    #[arg(long, value_name = "N", value_parser = positive::<NonZero<usize>>)]
    pub(crate) depth: Option<NonZero<usize>>,
    /// Keep the stores in this folder for the next run
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Write a self-contained page with plots
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Gain {
    /// The grade itself
    #[default]
    Linear,
    /// 2 to the power of the grade, minus 1
    Exponential,
}

/// Let a chat model draft questions about sections of documents, as JSON lines
///
/// The questions are marked as drafted. Read them and delete those that nobody would ask: a model stays
/// closer to the words of a document than people do.
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
    /// Number of questions, each about a different section
    #[arg(long, value_name = "N", default_value = "50", value_parser = positive::<NonZero<usize>>)]
    pub(crate) count: NonZero<usize>,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
}
