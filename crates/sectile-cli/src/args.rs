//! What can be typed.

use std::net::SocketAddr;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::settings::Settings;

/// Search folders of documents, and cut documents into sections and chunks
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
    /// Say only what went wrong
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say what is being done; twice for details [`RUST_LOG` chooses what is logged]
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    /// Fills in what was not typed from the configuration file.
    pub(crate) fn fill(&mut self, settings: Settings) {
        let Settings {
            store,
            embedder,
            chat_model,
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
            }
            Command::Ingest(arguments) => fill(&mut arguments.embedder.embedder, embedder),
            Command::Remember(arguments) | Command::Learn(arguments) => {
                fill(&mut arguments.embedder.embedder, embedder);
            }
            Command::Tree(arguments) => fill(&mut arguments.chat.chat_model, chat_model),
            Command::Mcp(McpArguments { agents })
            | Command::Serve(ServeArguments { agents, .. }) => {
                fill(&mut agents.embedder.embedder, embedder);
                fill(&mut agents.chat.chat_model, chat_model);
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
    List(ListArguments),
    /// Show what the store holds
    Status,
    Rm(RmArguments),
    Toc(TocArguments),
    Get(GetArguments),
    Extract(ExtractArguments),
    Chunk(ChunkArguments),
    Tree(TreeArguments),
    Remember(MemoryArguments),
    Learn(MemoryArguments),
    Forget(ForgetArguments),
    Checkpoint(CheckpointArguments),
    Mcp(McpArguments),
    Serve(ServeArguments),
    Doctor(DoctorArguments),
    Config(ConfigArguments),
    /// Print the completion script of a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    Man(ManArguments),
    /// Parse files for another process of this program, on standard input and output
    #[command(name = LOAD_WORKER, hide = true)]
    LoadWorker,
}

/// Look at the store, the models and the rest, and say what to do
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
}

/// Show or change the settings of the configuration file
///
/// The settings are store, embedder, chat-model, mode and limit. An option counts before the
/// environment, and that before the file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile config
  sectile config set embedder ollama:nomic-embed-text
  sectile config set mode hybrid
  sectile config unset store")]
pub(crate) struct ConfigArguments {
    #[command(subcommand)]
    pub(crate) command: Option<ConfigCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print what the file sets
    Get {
        /// The setting
        name: String,
    },
    /// Set something
    Set {
        /// The setting
        name: String,
        /// What to set it to
        value: String,
    },
    /// Take a setting out of the file
    Unset {
        /// The setting
        name: String,
    },
    /// Print where the file is; `SECTILE_CONFIG` names another one
    Path,
}

/// Print the manual page
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// Write a page for each command into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

/// Show and tidy the checkpoints of graph runs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile checkpoint threads --store postgres://localhost/app --schema sectile
  sectile checkpoint list thread-1 --limit 5 --filter 'source=\"loop\"'
  sectile checkpoint show thread-1 --seq 3
  sectile checkpoint fork thread-1 what-if --at 3
  sectile checkpoint prune --keep-latest 20 --older-than 30days")]
pub(crate) struct CheckpointArguments {
    #[command(flatten)]
    pub(crate) tables: TableArguments,
    #[command(subcommand)]
    pub(crate) command: CheckpointCommand,
}

/// Where the tables of checkpoints are
#[derive(Debug, Args)]
pub(crate) struct TableArguments {
    /// Database schema of the tables, on Postgres
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) schema: Option<String>,
    /// What the names of the tables begin with
    #[arg(
        long,
        global = true,
        value_name = "PREFIX",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) table_prefix: String,
    /// A pooler in transaction mode stands before the server
    #[arg(long, global = true)]
    pub(crate) pgbouncer: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CheckpointCommand {
    /// List the threads with their newest checkpoint
    Threads {
        /// List at most so many
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
        /// List those whose ids come after this one
        #[arg(long, value_name = "THREAD")]
        after: Option<String>,
    },
    /// List the checkpoints of a thread, newest first
    List {
        /// The thread
        thread: String,
        /// List at most so many
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// List those with a smaller number
        #[arg(long, value_name = "SEQ")]
        before: Option<u64>,
        /// List those whose metadata has this entry; the value is JSON, or else text
        #[arg(long, value_name = "KEY=VALUE", value_parser = metadata_entry)]
        filter: Vec<(String, serde_json::Value)>,
    },
    /// Show a checkpoint of a thread, the newest if none is named
    Show {
        /// The thread
        thread: String,
        /// Its number
        #[arg(long, value_name = "SEQ", conflicts_with = "id")]
        seq: Option<u64>,
        /// The id that was given to it
        #[arg(long, value_name = "ID")]
        id: Option<String>,
    },
    /// Copy a thread to a new one, whole or up to a checkpoint
    Fork {
        /// The thread
        thread: String,
        /// The id of the new thread
        new_thread: String,
        /// The last checkpoint to copy [default: the newest]
        #[arg(long, value_name = "SEQ")]
        at: Option<u64>,
    },
    /// Delete threads with all that is kept of them
    Delete {
        /// The threads
        #[arg(required = true, value_name = "THREAD")]
        threads: Vec<String>,
    },
    /// Delete old checkpoints; the newest of a thread always stays
    #[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
    Prune {
        /// Prune this thread only
        #[arg(long, value_name = "THREAD")]
        thread: Option<String>,
        /// Keep the newest so many of each thread
        #[arg(long, value_name = "N", group = "what")]
        keep_latest: Option<u64>,
        /// Keep what is younger than this, such as 12h or 30days
        #[arg(long, value_name = "AGE", group = "what", value_parser = humantime::parse_duration)]
        older_than: Option<std::time::Duration>,
    },
    /// Make the tables, or bring them up to date
    Migrate,
}

/// Reads `KEY=VALUE`, where the value is JSON, or else text.
fn metadata_entry(text: &str) -> Result<(String, serde_json::Value), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` has no `=`; write KEY=VALUE"))?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    Ok((key.to_owned(), value))
}

/// The command that makes a process parse files for the one that started it.
pub(crate) const LOAD_WORKER: &str = "load-worker";

/// How files are loaded
#[derive(Debug, Args)]
#[command(next_help_heading = "Loading")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are switches that a user sets apart"
)]
pub(crate) struct LoadArguments {
    /// Password of encrypted PDF files
    #[arg(long, value_name = "PASSWORD")]
    pub(crate) password: Option<String>,
    /// Pages of PDF files to load, such as 1-3,10,20- [default: all]
    #[arg(long, value_name = "PAGES", value_delimiter = ',', value_parser = page_range)]
    pub(crate) pages: Vec<RangeInclusive<u32>>,
    /// Keep the lines that repeat at the head and foot of PDF pages
    #[arg(long)]
    pub(crate) keep_running_lines: bool,
    /// Take no text of PDF files for a heading because of its type size
    #[arg(long)]
    pub(crate) no_guessed_headings: bool,
    /// Load the page headers and footers of Word documents
    #[arg(long)]
    pub(crate) headers_and_footers: bool,
    /// Load the comments of Word documents
    #[arg(long)]
    pub(crate) comments: bool,
    /// How long one PDF file or web page may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) timeout: u64,
}

/// Reads `3`, `3-5` or `3-` as a range of pages.
fn page_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let number = |text: &str| match text.trim().parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err(format!("`{text}` is no page number; write 3, 3-5 or 3-")),
    };
    let (first, last) = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some((first, "")) => (number(first)?, u32::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if last < first {
        return Err(format!("page {last} is before page {first}"));
    }
    Ok(first..=last)
}

/// Reads `10`, `10-40` or `10-` as a range of lines.
fn line_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |text: &str| match text.trim().parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err(format!(
            "`{text}` is no line number; write 10, 10-40 or 10-"
        )),
    };
    let (first, last) = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some((first, "")) => (number(first)?, usize::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if last < first {
        return Err(format!("line {last} is before line {first}"));
    }
    Ok(first..=last)
}

/// Answer a question from the documents in the store, or in some paths
#[derive(Debug, Args)]
#[command(
    after_help = "Any word of the question finds; more and rarer words rank higher.
  \"two words\"   next to each other, required
  a AND b       both required
  -word         without it

Examples:
  sectile search \"how do I configure retries?\" --in docs/
  sectile search \"retry storms\" --in docs/ --mode hybrid --embedder ollama:nomic-embed-text
  sectile search install --filter 'path=docs/**/*.md' --filter heading=linux --explain
  sectile search '\"exponential backoff\" -draft' --limit 3
  sectile search useState --in pages/ --json | jq '.[0].heading_path'"
)]
pub(crate) struct SearchArguments {
    /// The question
    pub(crate) query: String,
    /// Files and folders to search; what changed in them is ingested first
    #[arg(long = "in", value_name = "PATH", num_args = 1..)]
    pub(crate) paths: Vec<PathBuf>,
    /// Collection to search [default: all, or `default` with --in]
    #[arg(long, value_name = "NAME")]
    pub(crate) collection: Option<String>,
    /// How to rank [default: text]
    #[arg(long, value_enum)]
    pub(crate) mode: Option<Mode>,
    /// Say what each leg of the search found: its rank and its score
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) filters: FilterArguments,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
    /// What a hit stands for
    #[arg(long, value_enum, default_value_t)]
    pub(crate) group_by: Group,
    /// The most hits to show [default: 10]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

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

/// What is searched or listed
#[derive(Debug, Args)]
pub(crate) struct FilterArguments {
    /// Narrow by path=GLOB, heading=TEXT, level=N or N-M, since=DATE, until=DATE, or a field of the
    /// metadata, as in team=red; all must hold
    #[arg(long = "filter", value_name = "KEY=VALUE")]
    pub(crate) filters: Vec<String>,
}

/// Which model makes vectors
#[derive(Debug, Args)]
#[command(next_help_heading = "Models (SECTILE_API_KEY is sent to servers)")]
pub(crate) struct EmbedderArguments {
    #[arg(
        long,
        value_name = "MODEL",
        env = "SECTILE_EMBEDDER",
        help = "Embedding model: ollama:NAME, openai:NAME, http://HOST/v1#NAME, or a folder"
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

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Group {
    /// Every chunk that was found
    Chunk,
    /// The best hit of each section
    #[default]
    Section,
    /// The best hit of each document
    Document,
}

/// Put documents into the store, or bring them up to date
///
/// New and changed files are written, files that are gone are removed. Folders are walked as
/// ripgrep does: what .gitignore names and what is hidden is left out. Of a web site the pages of its
/// llms-full.txt are read, or else those that its llms.txt lists.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile ingest docs/ --collection handbook
  sectile ingest https://docs.example.org
  sectile ingest https://example.org/guide/ --crawl --max-pages 200
  sectile ingest docs/ --embedder ollama:nomic-embed-text
  sectile ingest filings/ --collection filings --key ticker,fiscal_year,doc_type")]
pub(crate) struct IngestArguments {
    /// Files, folders and web sites
    #[arg(required = true, value_name = "PATH|URL")]
    pub(crate) sources: Vec<PathBuf>,
    /// Collection to put them into [default: `default`, and for a site its host]
    #[arg(long, value_name = "NAME")]
    pub(crate) collection: Option<String>,
    #[command(flatten)]
    pub(crate) site: SiteArguments,
    /// Fields of the metadata of which no two documents of the collection have the same values
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    pub(crate) key: Option<Vec<String>>,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
    /// Keep new vectors in a byte a number, on SQLite: a quarter of the room
    #[arg(long, requires = "embedder")]
    pub(crate) int8: bool,
    /// Make all vectors of the collection again, if they are of another model
    #[arg(long, requires = "embedder")]
    pub(crate) replace_vectors: bool,
}

/// How web sites are read
#[derive(Debug, Args)]
#[command(next_help_heading = "Web sites")]
pub(crate) struct SiteArguments {
    /// Follow the links of a site that has no llms.txt
    #[arg(long)]
    pub(crate) crawl: bool,
    /// Read also what llms.txt lists as optional
    #[arg(long)]
    pub(crate) optional: bool,
    /// Allow addresses that are not public, such as those of this machine
    #[arg(long)]
    pub(crate) allow_private: bool,
    /// Ask for at most so many pages
    #[arg(long, value_name = "N", default_value_t = sectile::SiteOptions::default().max_pages)]
    pub(crate) max_pages: usize,
}

/// Keep a text, such as something that an agent should know later
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile remember 'Deploys are on Tuesdays' --metadata source=chat
  sectile search 'when do we deploy?' --collection memories")]
pub(crate) struct MemoryArguments {
    /// The text, or - for standard input
    pub(crate) text: String,
    /// What to note with it
    #[arg(long, value_name = "KEY=VALUE", value_parser = metadata_entry)]
    pub(crate) metadata: Vec<(String, serde_json::Value)>,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
}

/// Remove what was remembered or learned
#[derive(Debug, Args)]
pub(crate) struct ForgetArguments {
    /// Ids, as remember and learn print them
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
    #[arg(long, value_name = "NAME")]
    pub(crate) collection: Option<String>,
    /// List sections
    #[arg(long)]
    pub(crate) sections: bool,
    #[command(flatten)]
    pub(crate) filters: FilterArguments,
}

/// Remove documents from the store; files stay where they are
#[derive(Debug, Args)]
pub(crate) struct RmArguments {
    /// Documents, by path or URI; a folder means all that is in it
    #[arg(required = true, value_name = "URI")]
    pub(crate) uris: Vec<String>,
    /// Collection to remove them from [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) collection: Option<String>,
}

/// Show the table of contents of a document in the store
#[derive(Debug, Args)]
pub(crate) struct TocArguments {
    /// Document, by path or URI
    pub(crate) uri: String,
    /// Collection that holds it
    #[arg(long, value_name = "NAME")]
    pub(crate) collection: Option<String>,
}

/// Print a document in the store, or a part of it: a section with all below it, lines or pages
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile get docs/guide.md
  sectile get docs/guide.md --heading 'Guide > Install'
  sectile get docs/guide.md --lines 10-40
  sectile get report.pdf --pages 3-4
  sectile get --section 0c3f8a52-7f0e-5d0a-9a4b-6f1f0c6f7a10 --max-tokens 500")]
pub(crate) struct GetArguments {
    /// Document, by path or URI
    #[arg(required_unless_present = "section")]
    pub(crate) uri: Option<String>,
    /// Heading, or the end of a heading path: 'A > B'
    #[arg(long, value_name = "HEADING", conflicts_with = "section")]
    pub(crate) heading: Option<String>,
    /// Section id, as search and toc print it with --json
    #[arg(long, value_name = "ID")]
    pub(crate) section: Option<sectile::core::SectionId>,
    /// Lines, such as 10-40 or 10-, as search and toc number them
    #[arg(long, value_name = "LINES", value_parser = line_range, conflicts_with_all = ["heading", "section"])]
    pub(crate) lines: Option<RangeInclusive<usize>>,
    /// Pages, such as 3-4 or 3-: the sections that stand on them
    #[arg(long, value_name = "PAGES", value_parser = page_range, conflicts_with_all = ["heading", "section", "lines"])]
    pub(crate) pages: Option<RangeInclusive<u32>>,
    /// The most tokens to print [default: no limit]
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<usize>,
    /// Where to go on, as the answer before said
    #[arg(long, value_name = "CURSOR", default_value_t = 0)]
    pub(crate) cursor: usize,
    /// Collection that holds it
    #[arg(long, value_name = "NAME")]
    pub(crate) collection: Option<String>,
}

/// Print the text of files
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile extract report.pdf --pages 1-3
  sectile extract *.docx *.pdf --format json --jobs 4 > documents.jsonl")]
pub(crate) struct ExtractArguments {
    /// Files: text, Markdown, HTML, PDF, DOCX
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ExtractFormat,
    /// How many files to load at a time [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(crate) load: LoadArguments,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractFormat {
    /// The text
    #[default]
    Text,
    /// The text as Markdown: the known headings of a PDF get their number signs
    Markdown,
    /// Text, outline, pages and metadata as a JSON object a line
    Json,
}

/// Cut files into chunks
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile chunk book.md --strategy recursive --size 1000 --overlap 200
  sectile chunk docs/*.md --strategy markdown --format jsonl
  sectile chunk docs/guide.md --strategy sentence --size 200 --html > chunks.html
  sectile chunk llms-full.txt --strategy sections --size 2000 --unit cl100k_base --format jsonl
  cat notes.txt | sectile chunk - --strategy sentence")]
pub(crate) struct ChunkArguments {
    /// Files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// How to cut
    #[arg(long, value_enum, default_value_t)]
    pub(crate) strategy: Strategy,
    /// Size of a chunk [default: recursive 1000, markdown 1024, sentence 800, token 512,
    /// sections 8192]
    #[arg(long, value_name = "N")]
    pub(crate) size: Option<usize>,
    /// Overlap of chunks [default: recursive and markdown 200, sentence 15 % of the size, token 64,
    /// sections none]
    #[arg(long, value_name = "N")]
    pub(crate) overlap: Option<usize>,
    /// What sizes count [default: recursive chars, others `o200k_base`]
    #[arg(long, value_enum)]
    pub(crate) unit: Option<Unit>,
    /// Separator to cut at, the coarsest first; may be repeated (recursive only)
    #[arg(long = "separator", value_name = "S")]
    pub(crate) separators: Vec<String>,
    /// Where a separator goes (recursive only)
    #[arg(long, value_enum)]
    pub(crate) keep_separator: Option<Keep>,
    /// Keep white space at the ends of chunks (recursive only)
    #[arg(long)]
    pub(crate) no_trim: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ChunkFormat,
    /// Print a web page that shows the chunks drawn over the text and needs no other file
    #[arg(long, conflicts_with_all = ["format", "json"])]
    pub(crate) html: bool,
    #[command(flatten)]
    pub(crate) load: LoadArguments,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strategy {
    /// At the coarsest separator that makes pieces small enough, as LangChain does
    #[default]
    Recursive,
    /// At headings, with whole fences and tables; large sections at sentences, with overlap
    Markdown,
    /// Whole sentences, with overlap
    Sentence,
    /// Windows of one size, with overlap
    Token,
    /// Headings: as few sections as fit the size
    Sections,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unit {
    /// Characters
    Chars,
    /// Tokens of GPT-4
    #[value(name = "cl100k_base")]
    Cl100kBase,
    /// Tokens of GPT-4o and later
    #[value(name = "o200k_base")]
    O200kBase,
    /// Tokens, estimated at four characters each
    Heuristic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    /// At the start of the next chunk
    Start,
    /// At the end of the chunk before
    End,
    /// Nowhere
    None,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChunkFormat {
    /// Each chunk below a line that says where it stands
    #[default]
    Text,
    /// A JSON object a line
    Jsonl,
}

/// Draw the headings of a file
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are switches that a user sets apart"
)]
pub(crate) struct TreeArguments {
    /// File: text, Markdown, HTML, PDF, DOCX
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) load: LoadArguments,
    /// Print a web page that shows the tree and needs no other file
    #[arg(long, conflicts_with = "json")]
    pub(crate) html: bool,
    /// Leave the texts out (with --json)
    #[arg(long, requires = "json", conflicts_with = "node_map")]
    pub(crate) no_text: bool,
    /// Print a map from node id to node (with --json)
    #[arg(long, requires = "json")]
    pub(crate) node_map: bool,
    /// Have a chat model write what each section says, and keep that in the store with the file
    #[arg(long)]
    pub(crate) summaries: bool,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
}

/// Serve agents on standard input and output, by the Model Context Protocol
#[derive(Debug, Args)]
#[command(
    after_help = "An agent's program starts this; docs/agents.md says how it is told to.

Examples:
  claude mcp add docs -- sectile mcp --folder docs
  sectile mcp --read-only --store postgres://localhost/app"
)]
pub(crate) struct McpArguments {
    #[command(flatten)]
    pub(crate) agents: AgentArguments,
}

/// Serve agents over HTTP, by the Model Context Protocol at /mcp
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile serve --folder docs
  SECTILE_TOKEN=$(openssl rand -hex 32) sectile serve --listen 0.0.0.0:7727 --allow-host docs.example.org")]
pub(crate) struct ServeArguments {
    /// Address to listen on; with port 0 any free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7727")]
    pub(crate) listen: SocketAddr,
    #[arg(
        long,
        value_name = "FILE",
        help = "File with the token that clients must send; SECTILE_TOKEN has it, too"
    )]
    pub(crate) token_file: Option<PathBuf>,
    /// Name by which the server is known besides localhost and its address; may be repeated
    #[arg(long = "allow-host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    #[command(flatten)]
    pub(crate) agents: AgentArguments,
    #[command(flatten, next_help_heading = "Checkpoints")]
    pub(crate) tables: TableArguments,
}

/// What agents may do, and with which models
#[derive(Debug, Args)]
pub(crate) struct AgentArguments {
    /// Leave out the tools that write: ingest, remember, forget
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Folder of which files may be ingested; may be repeated [default: the working folder for mcp,
    /// none for serve]
    #[arg(long = "folder", value_name = "DIR", conflicts_with = "read_only")]
    pub(crate) folders: Vec<PathBuf>,
    /// Let web sites be ingested that are in private networks or on this machine
    #[arg(long, conflicts_with = "read_only")]
    pub(crate) allow_private: bool,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
}
