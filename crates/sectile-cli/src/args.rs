//! The command line.

mod agents;
mod backup;
mod checkpoint;
mod chunk;
mod collection;
mod eval;
mod ingest;
mod load;
mod model;
mod parts;
mod range;
mod search;
mod settings;
mod watch;

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::Path;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use crate::mode::Mode;
use crate::settings::Settings;
pub(crate) use agents::{AgentArguments, McpArguments, ServeArguments};
pub(crate) use backup::BackupArguments;
pub(crate) use checkpoint::{CheckpointArguments, CheckpointCommand, TableArguments};
pub(crate) use chunk::{
    ChunkArguments, ChunkFormat, ExtractArguments, ExtractFormat, Keep, Long, Strategy,
    TreeArguments, Unit,
};
pub(crate) use collection::{CollectionArguments, CollectionCommand};
pub(crate) use eval::{DraftArguments, EvalArguments, EvalCommand, Gain, MeasureArguments};
pub(crate) use ingest::{IngestArguments, ReadingArguments};
pub(crate) use load::{LimitArguments, LoadArguments};
pub(crate) use model::{AddArguments, ModelArguments, ModelCommand, RerankArguments};
pub(crate) use parts::PartsArguments;
use range::{line_range, page_range, positive, whole};
pub(crate) use search::{FilterArguments, Group, HitFormat, SearchArguments};
pub(crate) use settings::{ConfigArguments, ConfigCommand, DoctorArguments, ManArguments};
pub(crate) use watch::{WatchArguments, WatchedArguments};

/// Search documents, and split documents into sections and chunks
#[derive(Debug, Parser)]
#[command(
    name = "sectile",
    version,
    propagate_version = true,
    after_help = "Examples:
  sectile search \"how do I install it?\" --in docs/
  sectile ingest docs/ notes.md && sectile search \"release checklist\"
  sectile get docs/guide.md --heading 'Guide > Install'
  sectile chunk README.md --strategy recursive --size 500 --overlap 50 --format jsonl

Exit status: 0 on success, 1 when nothing was found, 2 on an error."
)]
pub(crate) struct Arguments {
    /// Store to use, as sqlite:PATH or postgres://… [default: a file in your data directory]
    #[arg(long, global = true, value_name = "URL", env = "SECTILE_STORE")]
    pub(crate) store: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print only errors and warnings
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Log what happens; twice for details [`RUST_LOG` selects events]
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Format of the log on standard error
    #[arg(long, global = true, value_enum, default_value_t)]
    pub(crate) log_format: LogFormat,
    /// The options of models that were typed: not those of variables and of the configuration file, which are for all
    /// commands.
    #[arg(skip)]
    pub(crate) typed_models: Vec<&'static str>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Readable text
    #[default]
    Text,
    /// One JSON object per line, for each event and each span that ends
    Json,
}

impl Arguments {
    /// Refuses models that were typed and that would not be asked.
    pub(crate) fn check_models(&self) -> anyhow::Result<()> {
        for option in &self.typed_models {
            let (is_used, needed) = match (&self.command, *option) {
                (Command::Search(search), "--embedder") => {
                    let mode = search.mode.unwrap_or_default();
                    (!matches!(mode, Mode::Text | Mode::Tree), "--mode hybrid")
                }
                (Command::Search(search), _) => {
                    (search.mode.unwrap_or_default() == Mode::Tree, "--mode tree")
                }
                (Command::Tree(tree), _) => (tree.summaries, "--summaries"),
                _ => continue,
            };
            anyhow::ensure!(
                is_used,
                "`{option}` changes nothing without `{needed}`: add it"
            );
        }
        Ok(())
    }

    /// Fills in what was not typed from the configuration file.
    pub(crate) fn fill(&mut self, settings: Settings) {
        let Settings {
            store,
            embedder,
            chat_model,
            reranker,
            rerank,
            // They are no options.
            languages: _,
            mode,
            limit,
        } = settings;
        fill(&mut self.store, store);
        match &mut self.command {
            Command::Search(arguments) => {
                fill(&mut arguments.embedder.embedder, embedder);
                fill(&mut arguments.chat.chat_model, chat_model);
                fill(&mut arguments.mode, mode);
                fill(&mut arguments.limit, limit);
                arguments.usual_reranker = reranker.unwrap_or_default();
                arguments.reranking.collections = rerank;
            }
            Command::Ingest(arguments) => fill(&mut arguments.embedder.embedder, embedder),
            Command::Load(arguments) => fill(&mut arguments.embedder.embedder, embedder),
            Command::Watch(arguments) => fill(&mut arguments.embedder.embedder, embedder),
            Command::Remember(arguments) | Command::Learn(arguments) => {
                fill(&mut arguments.embedder.embedder, embedder);
            }
            Command::Tree(arguments) => fill(&mut arguments.chat.chat_model, chat_model),
            Command::Eval(EvalArguments { command, measure }) => match command {
                Some(EvalCommand::Draft(draft)) => fill(&mut draft.chat.chat_model, chat_model),
                None => fill(&mut measure.embedder.embedder, embedder),
            },
            Command::Mcp(McpArguments { agents, .. })
            | Command::Serve(ServeArguments { agents, .. }) => {
                fill(&mut agents.embedder.embedder, embedder);
                fill(&mut agents.chat.chat_model, chat_model);
                fill(&mut agents.reranker, reranker);
                agents.reranking.collections = rerank;
            }
            _ => {}
        }
    }
}

fn fill<T>(typed: &mut Option<T>, setting: Option<T>) {
    if typed.is_none() {
        *typed = setting;
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Search(SearchArguments),
    Ingest(IngestArguments),
    Load(PartsArguments),
    Watch(WatchArguments),
    List(ListArguments),
    /// Show the contents of the store
    Status,
    Rm(RmArguments),
    Note(NoteArguments),
    Collection(CollectionArguments),
    Toc(TocArguments),
    Get(GetArguments),
    Extract(ExtractArguments),
    Chunk(ChunkArguments),
    Tree(TreeArguments),
    Eval(EvalArguments),
    /// Store a memory (something that happened or was said) in the collection `memories`
    #[command(after_help = "Examples:
  sectile remember 'Deploys are on Tuesdays' --metadata source=chat
  sectile search 'when do we deploy?' --collection memories")]
    Remember(MemoryArguments),
    /// Store a fact in the collection `knowledge`
    #[command(after_help = "Examples:
  sectile learn 'The staging database is read-only' --metadata source=runbook
  sectile search 'can I write to staging?' --collection knowledge")]
    Learn(MemoryArguments),
    Forget(ForgetArguments),
    Checkpoint(CheckpointArguments),
    Model(ModelArguments),
    Mcp(McpArguments),
    Serve(ServeArguments),
    Doctor(DoctorArguments),
    Backup(BackupArguments),
    Config(ConfigArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    Man(ManArguments),
    /// Parse files for another process of this program, on standard input and output
    #[command(name = LOAD_WORKER, hide = true)]
    LoadWorker,
}

/// Takes a name, which has at least a letter.
fn name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("a name cannot be empty; write one, or leave the option out".to_owned());
    }
    Ok(text.to_owned())
}

/// Takes the name of a document or a folder. A path that is not valid UTF-8 is converted to its
/// URI.
fn document() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().try_map(|name| {
        name.into_string()
            .or_else(|name| sectile::path_uri(Path::new(&name)))
    })
}

/// Reads `KEY=VALUE`, where the value is JSON, or else text.
fn metadata_entry(text: &str) -> Result<(String, serde_json::Value), String> {
    let (key, value) = text
        .split_once('=')
        .filter(|(key, _)| !key.is_empty())
        .ok_or_else(|| format!("`{text}` has no name before a `=`; write KEY=VALUE"))?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    Ok((key.to_owned(), value))
}

/// Reads `KEY=VALUE` of a memory as [`metadata_entry`] does. A number that JSON writes in another way stays text, because
/// filters compare what is written: `1.10` is a version.
fn memory_entry(text: &str) -> Result<(String, serde_json::Value), String> {
    let (key, value) = metadata_entry(text)?;
    let typed = text.split_once('=').map_or("", |(_, typed)| typed.trim());
    let in_json = value.to_string();
    if value.is_number() && in_json != typed {
        return Ok((key, typed.into()));
    }
    Ok((key, value))
}

/// The command that makes a process parse files for the one that started it.
pub(crate) const LOAD_WORKER: &str = "load-worker";

/// Which model makes vectors
#[derive(Debug, Args)]
#[command(next_help_heading = "Models (SECTILE_API_KEY is sent to servers)")]
pub(crate) struct EmbedderArguments {
    #[arg(
        long,
        value_name = "MODEL",
        env = "SECTILE_EMBEDDER",
        help = "Embedding model: one that was added, ollama:NAME, openai:NAME, http://HOST/v1#NAME, or a \
                folder"
    )]
    pub(crate) embedder: Option<String>,
}

/// Which model reads and writes
#[derive(Debug, Args)]
#[command(next_help_heading = "Models (SECTILE_API_KEY is sent to servers)")]
pub(crate) struct ChatArguments {
    #[arg(
        long,
        value_name = "MODEL",
        env = "SECTILE_CHAT_MODEL",
        help = "Chat model: ollama:NAME, openai:NAME or http://HOST/v1#NAME"
    )]
    pub(crate) chat_model: Option<String>,
}

/// A text to keep.
#[derive(Debug, Args)]
pub(crate) struct MemoryArguments {
    /// The text, or - for standard input
    pub(crate) text: String,
    /// Metadata to store with it
    #[arg(long, value_name = "KEY=VALUE", value_parser = memory_entry)]
    pub(crate) metadata: Vec<(String, serde_json::Value)>,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
}

/// Remove memories or facts
#[derive(Debug, Args)]
pub(crate) struct ForgetArguments {
    /// Ids that remember and learn printed
    #[arg(required = true, value_name = "ID")]
    pub(crate) ids: Vec<sectile::core::DocumentId>,
}

/// List the documents in the store
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile list --filter since=2026-01 --filter author='Ada Lovelace'
  sectile list --sections --filter heading=methods --filter level=2")]
pub(crate) struct ListArguments {
    /// Collection to list [default: all]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
    /// List sections instead of documents
    #[arg(long)]
    pub(crate) sections: bool,
    #[command(flatten)]
    pub(crate) filters: FilterArguments,
}

/// Remove documents from the store; files stay where they are
#[derive(Debug, Args)]
pub(crate) struct RmArguments {
    /// Documents, by path or URI; a folder stands for all documents in it
    #[arg(value_name = "URI", value_parser = document())]
    pub(crate) uris: Vec<String>,
    /// Collection to remove them from [default: all]; without a URI, the whole collection
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
    /// Remove several documents without asking; required without a terminal
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Only list what would be removed
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
}

/// Attach a note to a document, folder or collection; hits in it show the note
///
/// Without a text, lists the notes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile note 'The handbook of 2024; the wiki replaces it' --in docs/handbook/
  sectile note 'Minutes: what was said, not what was decided' --collection minutes
  sectile note --remove --in docs/handbook/")]
pub(crate) struct NoteArguments {
    /// The note, on one line
    pub(crate) text: Option<String>,
    /// Document or folder that the note is about, by path or URI
    #[arg(long = "in", value_name = "PATH", value_parser = document())]
    pub(crate) path: Option<String>,
    /// Collection that the note is about; with --in, the collection of the documents
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
    /// Remove the note
    #[arg(long, conflicts_with = "text")]
    pub(crate) remove: bool,
}

/// Show the table of contents of a document in the store
#[derive(Debug, Args)]
pub(crate) struct TocArguments {
    /// Document, by path or URI
    #[arg(value_parser = document())]
    pub(crate) uri: String,
    /// Collection of the document
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
}

/// Print a document in the store or a part of it: a section with its subsections, lines or pages
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile get docs/guide.md
  sectile get docs/guide.md --heading 'Guide > Install'
  sectile get docs/guide.md --lines 10-40
  sectile get report.pdf --pages 3-4
  sectile get --section 0c3f8a52-7f0e-5d0a-9a4b-6f1f0c6f7a10 --max-tokens 500")]
pub(crate) struct GetArguments {
    /// Document, by path or URI
    #[arg(value_parser = document())]
    pub(crate) uri: Option<String>,
    /// Heading, or the end of a heading path: 'A > B'; of source code also a name: 'Pool.acquire'
    #[arg(long, value_name = "HEADING", conflicts_with = "section")]
    pub(crate) heading: Option<String>,
    /// Section id, as search and toc print it with --json
    #[arg(long, value_name = "ID")]
    pub(crate) section: Option<sectile::core::SectionId>,
    /// Lines, such as 10-40 or 10-, as search and toc number them
    #[arg(long, value_name = "LINES", value_parser = line_range, conflicts_with_all = ["heading", "section"])]
    pub(crate) lines: Option<RangeInclusive<usize>>,
    /// Pages, such as 3-4 or 3-: the sections on them
    #[arg(long, value_name = "PAGES", value_parser = page_range, conflicts_with_all = ["heading", "section", "lines"])]
    pub(crate) pages: Option<RangeInclusive<u32>>,
    /// Maximum number of tokens to print [default: no limit]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    pub(crate) max_tokens: Option<NonZeroUsize>,
    /// Where to continue: the cursor of the previous answer
    #[arg(long, value_name = "CURSOR", default_value_t = 0, value_parser = whole::<usize>)]
    pub(crate) cursor: usize,
    /// Collection of the document
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) collection: Option<String>,
}
