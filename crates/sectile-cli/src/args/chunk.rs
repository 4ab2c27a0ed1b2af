//! Commands on files, without a store.

use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use sectile::chunk::Language;

use super::range::{positive, whole};
use super::{ChatArguments, LoadArguments};

/// Print the text of files
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile extract report.pdf --pages 1-3
  sectile extract *.docx *.pdf --format json --jobs 4 > documents.jsonl
  curl -s https://example.org | sectile extract - --name page.html")]
pub(crate) struct ExtractArguments {
    /// Files, in any of the formats that are ingested, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t, conflicts_with = "json")]
    pub(crate) format: ExtractFormat,
    /// Number of files to load at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = positive::<NonZero<usize>>)]
    pub(crate) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(crate) load: LoadArguments,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractFormat {
    /// The text
    #[default]
    Text,
    /// The text as Markdown, with `#` before the headings of a PDF
    Markdown,
    /// Text, outline, pages and metadata as one JSON object per line
    Json,
}

/// Split files into chunks
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile chunk book.md --strategy recursive --size 1000 --overlap 200
  sectile chunk docs/*.md --strategy markdown --format jsonl
  sectile chunk docs/guide.md --strategy sentence --size 200 --html > chunks.html
  sectile chunk src/*.py --language python --size 1500
  sectile chunk llms-full.txt --strategy sections --size 2000 --unit cl100k_base --format jsonl
  cat notes.txt | sectile chunk - --strategy sentence")]
pub(crate) struct ChunkArguments {
    /// Files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Strategy
    #[arg(long, value_enum, default_value_t)]
    pub(crate) strategy: Strategy,
    /// Size of a chunk [default: recursive 1000, markdown 1024, sentence 800, token 512,
    /// sections 8192]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(crate) size: Option<usize>,
    /// Overlap of chunks [default: recursive and markdown 200, sentence 15 % of the size, token 64,
    /// sections none]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(crate) overlap: Option<usize>,
    /// Unit of sizes [default: recursive chars, others `o200k_base`]
    #[arg(long, value_enum)]
    pub(crate) unit: Option<Unit>,
    /// Separator to split at, coarsest first; may be repeated (recursive only)
    #[arg(long = "separator", value_name = "S")]
    pub(crate) separators: Vec<String>,
    /// Language of source code or markup, to split at LangChain's separators for it (recursive only)
    #[arg(long, value_name = "LANGUAGE", value_parser = language(), conflicts_with = "separators")]
    pub(crate) language: Option<Language>,
    /// Where a separator goes (recursive only)
    #[arg(long, value_enum)]
    pub(crate) keep_separator: Option<Keep>,
    /// Keep white space at the ends of chunks (recursive only)
    #[arg(long)]
    pub(crate) no_trim: bool,
    /// How to treat a sentence longer than a chunk [default: split] (sentence only)
    #[arg(long, value_enum)]
    pub(crate) long_sentences: Option<Long>,
    /// What to print
    #[arg(long, value_enum, default_value_t, conflicts_with = "json")]
    pub(crate) format: ChunkFormat,
    /// Print a self-contained web page with the chunks drawn over the text
    #[arg(long, conflicts_with_all = ["format", "json"])]
    pub(crate) html: bool,
    #[command(flatten)]
    pub(crate) load: LoadArguments,
}

/// Reads LangChain's name of a language.
fn language() -> impl TypedValueParser<Value = Language> {
    let names = PossibleValuesParser::new(Language::ALL.map(Language::name));
    names.try_map(|name| Language::from_name(&name).ok_or("no such language"))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strategy {
    /// At the coarsest separator that gives small enough pieces, like LangChain
    #[default]
    Recursive,
    /// At headings, keeping fences and tables whole; large sections at sentences, with overlap
    Markdown,
    /// Whole sentences, with overlap
    Sentence,
    /// Windows of a fixed size, with overlap
    Token,
    /// At headings; a chunk is a heading with everything below it that fits the size
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Long {
    /// Split it after clauses, words or characters, so that no chunk exceeds the size
    Split,
    /// Keep it as a chunk of its own, larger than the size
    Keep,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChunkFormat {
    /// Each chunk below a line with its position
    #[default]
    Text,
    /// One JSON object per line
    Jsonl,
}

/// Print the outline of a file
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are switches that a user sets apart"
)]
pub(crate) struct TreeArguments {
    /// A file, in any of the formats that are ingested, or - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) load: LoadArguments,
    /// Print a self-contained web page with the tree
    #[arg(long, conflicts_with = "json")]
    pub(crate) html: bool,
    /// Omit the texts (with --json)
    #[arg(long, requires = "json", conflicts_with = "node_map")]
    pub(crate) no_text: bool,
    /// Print a map from node id to node (with --json)
    #[arg(long, requires = "json")]
    pub(crate) node_map: bool,
    /// Let a chat model summarize each section, and store the summaries with the file
    #[arg(long, conflicts_with = "name")]
    pub(crate) summaries: bool,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
}
