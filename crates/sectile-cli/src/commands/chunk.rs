//! `sectile chunk`.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use sectile::chunk::{
    KeepSeparator, MarkdownChunkMetadata, RecursiveCharacterTextSplitter, section_tree,
};
use sectile::core::{Chunk, ChunkMetadata, Document, Format, Pages};
use sectile::load::{FileLoader, TextReader, detect};
use sectile::{ChunkSettings, CutChunk, Cutter};
use sectile_web::picture::{ChunkReport, Cut, chunk_report};
use serde::Serialize;

use super::{Outcome, loader, warn_of_omissions};
use crate::args::{ChunkArguments, ChunkFormat, Keep, Strategy, Unit};
use crate::output::{self, DIM};

/// How large a text file is, in bytes, that is read part by part and never whole.
const LARGE: u64 = 64 << 20;

/// How many bytes of a file tell its format.
const HEAD: u64 = 65_536;

pub(crate) fn run(arguments: &ChunkArguments, json: bool) -> anyhow::Result<Outcome> {
    check(arguments)?;
    let loader = loader(&arguments.load)?;
    if arguments.html {
        return draw(arguments, &loader);
    }
    let is_jsonl = json || arguments.format == ChunkFormat::Jsonl;
    let mut outcome = Outcome::Done;
    for file in &arguments.files {
        if is_large_text(file, arguments) {
            print_streamed(file, arguments, is_jsonl)?;
            continue;
        }
        match load(&loader, file) {
            Ok(document) => print(file, &document, arguments, is_jsonl)?,
            Err(error) => {
                output::error(&error);
                outcome = Outcome::SomeFailed;
            }
        }
    }
    Ok(outcome)
}

/// Prints a page of all files.
fn draw(arguments: &ChunkArguments, loader: &FileLoader) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Done;
    let mut drawn = Vec::with_capacity(arguments.files.len());
    for file in &arguments.files {
        match load_to_draw(loader, file) {
            Ok(document) => drawn.push(cut_to_draw(file, document, arguments)?),
            Err(error) => {
                output::error(&error);
                outcome = Outcome::SomeFailed;
            }
        }
    }
    output::raw(chunk_report(&drawn).as_bytes())?;
    Ok(outcome)
}

fn load_to_draw(loader: &FileLoader, file: &Path) -> anyhow::Result<Document> {
    let document = load(loader, file)?;
    let (size, file) = (document.text.len() as u64, file.display());
    anyhow::ensure!(
        size < LARGE,
        "`{file}` is too large to be drawn; take --format jsonl"
    );
    Ok(document)
}

fn cut_to_draw(
    file: &Path,
    document: Document,
    arguments: &ChunkArguments,
) -> anyhow::Result<ChunkReport> {
    let name = file.display().to_string();
    let chunks = chunks(&name, &document, arguments)?;
    let settings = settings(arguments);
    let cut = Cut::of(chunks.iter().map(|cut| &cut.chunk)).counted_in(settings.unit());
    Ok(ChunkReport {
        sections: section_tree(&name, &document.text, &document.outline),
        how: format!("Strategy {settings}."),
        text: document.text,
        name,
        cut,
    })
}

/// Says whether a file is a large plain text, and the strategy one that takes it part by part.
fn is_large_text(file: &Path, arguments: &ChunkArguments) -> bool {
    let streams = sectile::Strategy::from(arguments.strategy).streams();
    let is_large = file
        .metadata()
        .is_ok_and(|metadata| metadata.len() >= LARGE);
    if !streams || !is_large {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(file).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let format = read.ok().and_then(|_| detect(&head, file).ok());
    format == Some(Format::Text)
}

/// Cuts and prints a text part by part.
fn print_streamed(file: &Path, arguments: &ChunkArguments, is_jsonl: bool) -> anyhow::Result<()> {
    let cutter = cutter(arguments)?;
    let stream = cutter.stream();
    let mut stream = stream.context("the strategy takes no text part by part")?;
    let name = file.display().to_string();
    let print = |chunks: Vec<Chunk<'_>>| {
        chunks.iter().try_for_each(|chunk| {
            let metadata = Metadata::Plain(chunk.metadata(&name, Format::Text));
            print_chunk(&name, chunk, None, &metadata, is_jsonl)
        })
    };
    for part in TextReader::open(file)? {
        print(stream.push(&part?))?;
    }
    print(stream.finish())
}

/// Refuses options that the strategy would ignore.
fn check(arguments: &ChunkArguments) -> anyhow::Result<()> {
    let is_tuned =
        !arguments.separators.is_empty() || arguments.keep_separator.is_some() || arguments.no_trim;
    if is_tuned && arguments.strategy != Strategy::Recursive {
        bail!("--separator, --keep-separator and --no-trim go with --strategy recursive");
    }
    Ok(())
}

/// Loads a file, or standard input for `-`.
fn load(loader: &FileLoader, file: &Path) -> anyhow::Result<Document> {
    if file != Path::new("-") {
        let document = loader.load_file(file)?;
        warn_of_omissions(file, &document);
        return Ok(document);
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    // What comes through a pipe has no name; Markdown is text with headings where there are any.
    Ok(loader.load_bytes(&bytes, Path::new("stdin.md"))?)
}

fn print(
    file: &Path,
    document: &Document,
    arguments: &ChunkArguments,
    is_jsonl: bool,
) -> anyhow::Result<()> {
    let file = file.display().to_string();
    for CutChunk { chunk, markdown } in chunks(&file, document, arguments)? {
        let pages = document.pages_of(chunk.span);
        let metadata = match markdown {
            Some(metadata) => Metadata::of_section(&file, document.format, metadata),
            None => Metadata::Plain(chunk.metadata(&file, document.format).with_pages(pages)),
        };
        print_chunk(&file, &chunk, pages, &metadata, is_jsonl)?;
    }
    Ok(())
}

fn print_chunk(
    file: &str,
    chunk: &Chunk<'_>,
    pages: Option<Pages>,
    metadata: &Metadata,
    is_jsonl: bool,
) -> anyhow::Result<()> {
    if is_jsonl {
        return output::line(&Row::new(file, chunk, pages, metadata));
    }
    output::text(&header(file, chunk, pages))?;
    output::raw(chunk.text.as_bytes())?;
    output::raw(if chunk.text.ends_with('\n') {
        b""
    } else {
        b"\n"
    })
}

/// Cuts a document as the arguments say.
fn chunks<'a>(
    file: &str,
    document: &'a Document,
    arguments: &ChunkArguments,
) -> anyhow::Result<Vec<CutChunk<'a>>> {
    let cutter = cutter(arguments);
    let chunks =
        cutter.and_then(|cutter| Ok(cutter.chunks(file, &document.text, &document.outline)?));
    chunks.with_context(|| format!("cannot cut `{file}` into chunks"))
}

fn file_name(file: &str) -> &str {
    let name = Path::new(file).file_name().and_then(|name| name.to_str());
    name.unwrap_or(file)
}

fn cutter(arguments: &ChunkArguments) -> anyhow::Result<Cutter> {
    let settings = settings(arguments);
    Ok(match settings.cutter()? {
        Cutter::Recursive(splitter) => Cutter::Recursive(tuned(splitter, arguments)),
        other => other,
    })
}

fn settings(arguments: &ChunkArguments) -> ChunkSettings {
    ChunkSettings {
        strategy: arguments.strategy.into(),
        size: arguments.size,
        overlap: arguments.overlap,
        unit: arguments.unit.map(Into::into),
    }
}

fn tuned(
    splitter: RecursiveCharacterTextSplitter,
    arguments: &ChunkArguments,
) -> RecursiveCharacterTextSplitter {
    let keep = match arguments.keep_separator {
        None | Some(Keep::Start) => KeepSeparator::Start,
        Some(Keep::End) => KeepSeparator::End,
        Some(Keep::None) => KeepSeparator::None,
    };
    splitter
        .with_separators(arguments.separators.iter().map(String::as_str))
        .with_keep_separator(keep)
        .with_trim(!arguments.no_trim)
}

impl From<Strategy> for sectile::Strategy {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Recursive => Self::Recursive,
            Strategy::Markdown => Self::Markdown,
            Strategy::Sentence => Self::Sentence,
            Strategy::Token => Self::Token,
            Strategy::Sections => Self::Sections,
        }
    }
}

impl From<Unit> for sectile::Unit {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::Chars => Self::Chars,
            Unit::Cl100kBase => Self::Cl100kBase,
            Unit::O200kBase => Self::O200kBase,
            Unit::Heuristic => Self::Heuristic,
        }
    }
}

/// Writes the line above a chunk.
fn header(file: &str, chunk: &Chunk<'_>, pages: Option<Pages>) -> String {
    let lines = chunk.lines;
    let pages = match pages {
        Some(pages) if pages.first == pages.last => format!(", page {pages}"),
        Some(pages) => format!(", pages {pages}"),
        None => String::new(),
    };
    let tokens = chunk
        .tokens
        .map_or_else(String::new, |tokens| format!(", {tokens} tokens"));
    let path = chunk
        .heading_path
        .as_ref()
        .map_or_else(String::new, |path| path.join(" > "));
    let line = format!(
        "--- {file} #{}, lines {lines}{pages}{tokens}  {path}",
        chunk.index
    );
    format!("{DIM}{}{DIM:#}\n", line.trim_end())
}

/// A chunk as JSON. The names are documented in `docs/json.md` and do not change.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    index: usize,
    text: &'a str,
    start: usize,
    end: usize,
    char_start: usize,
    char_end: usize,
    line_start: usize,
    line_end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_start: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_end: Option<u32>,
    tokens: Option<usize>,
    heading_path: Option<&'a [String]>,
    metadata: &'a Metadata,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Metadata {
    Plain(ChunkMetadata),
    Markdown {
        source: String,
        #[serde(flatten)]
        metadata: MarkdownChunkMetadata,
    },
}

impl Metadata {
    /// Says of which section of a file a chunk is.
    fn of_section(file: &str, format: Format, metadata: MarkdownChunkMetadata) -> Self {
        Self::Markdown {
            source: file.to_owned(),
            metadata: MarkdownChunkMetadata {
                file_name: Some(file_name(file).to_owned()),
                file_type: Some(format.name().to_owned()),
                ..metadata
            },
        }
    }
}

impl<'a> Row<'a> {
    fn new(
        file: &'a str,
        chunk: &'a Chunk<'_>,
        pages: Option<Pages>,
        metadata: &'a Metadata,
    ) -> Self {
        Self {
            file,
            index: chunk.index,
            text: &chunk.text,
            start: chunk.span.start,
            end: chunk.span.end,
            char_start: chunk.chars.start,
            char_end: chunk.chars.end,
            line_start: chunk.lines.first,
            line_end: chunk.lines.last,
            page_start: pages.map(|pages| pages.first),
            page_end: pages.map(|pages| pages.last),
            tokens: chunk.tokens,
            heading_path: chunk.heading_path.as_deref(),
            metadata,
        }
    }
}
