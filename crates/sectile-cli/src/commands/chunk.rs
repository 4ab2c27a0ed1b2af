//! `sectile chunk`.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use sectile::chunk::{
    Bpe, Characters, Heuristic, KeepSeparator, LongSentences, MarkdownChunkMetadata,
    MarkdownChunker, MarkdownChunkerConfig, RecursiveCharacterTextSplitter, SectionOptions,
    SentenceChunker, TokenChunker, Tokenizer, sections,
};
use sectile::core::{Chunk, ChunkMetadata, Document, Format, Span};
use sectile::load::{FileLoader, TextReader, detect};
use serde::Serialize;

use super::{Outcome, loader};
use crate::args::{ChunkArguments, ChunkFormat, Keep, Strategy, Unit};
use crate::output::{self, DIM, range};

/// How large a text file is, in bytes, that is read part by part and never whole.
const LARGE: u64 = 64 << 20;

/// How many bytes of a file tell its format.
const HEAD: u64 = 65_536;

pub(crate) fn run(arguments: &ChunkArguments, json: bool) -> anyhow::Result<Outcome> {
    check(arguments)?;
    let loader = loader(&arguments.load)?;
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

/// Says whether a file is a large plain text, and the strategy one that takes it part by part.
fn is_large_text(file: &Path, arguments: &ChunkArguments) -> bool {
    let streams = matches!(
        arguments.strategy,
        Strategy::Recursive | Strategy::Sentence | Strategy::Token
    );
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
    let counter = counter(arguments.unit.unwrap_or(Unit::O200kBase));
    let splitter;
    let mut stream = match arguments.strategy {
        Strategy::Sentence => sentence(arguments)?.stream(&*counter),
        Strategy::Token => token(arguments)?.stream(&*counter),
        _ => {
            splitter = recursive(arguments)?;
            splitter.stream()
        }
    };
    let name = file.display().to_string();
    let print = |chunks: Vec<Chunk<'_>>| {
        chunks.iter().try_for_each(|chunk| {
            let metadata = Metadata::Plain(chunk.metadata(&name, Format::Text));
            print_chunk(&name, chunk, &metadata, is_jsonl)
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
    if arguments.overlap.is_some() && arguments.strategy == Strategy::Sections {
        bail!("sections do not overlap; leave --overlap out");
    }
    Ok(())
}

/// Loads a file, or standard input for `-`.
fn load(loader: &FileLoader, file: &Path) -> anyhow::Result<Document> {
    if file != Path::new("-") {
        return Ok(loader.load_file(file)?);
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
    let chunks = chunks(&file, document, arguments)
        .with_context(|| format!("cannot cut `{file}` into chunks"))?;
    chunks
        .iter()
        .try_for_each(|(chunk, metadata)| print_chunk(&file, chunk, metadata, is_jsonl))
}

fn print_chunk(
    file: &str,
    chunk: &Chunk<'_>,
    metadata: &Metadata,
    is_jsonl: bool,
) -> anyhow::Result<()> {
    if is_jsonl {
        return output::line(&Row::new(file, chunk, metadata));
    }
    output::text(&header(file, chunk))?;
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
) -> anyhow::Result<Vec<(Chunk<'a>, Metadata)>> {
    let text = &document.text;
    let tokens = || counter(arguments.unit.unwrap_or(Unit::O200kBase));
    let chunks = match arguments.strategy {
        Strategy::Recursive => recursive(arguments)?.chunks(text),
        Strategy::Markdown => return markdown(file, document, arguments),
        Strategy::Sentence => sentence(arguments)?.chunks(text, &*tokens()),
        Strategy::Token => token(arguments)?.chunks(text, &*tokens()),
        Strategy::Sections => section_chunks(file, document, arguments)?,
    };
    let metadata = |chunk: &Chunk<'_>| Metadata::Plain(chunk.metadata(file, document.format));
    let chunks = chunks.into_iter().map(|chunk| (metadata(&chunk), chunk));
    Ok(chunks.map(|(metadata, chunk)| (chunk, metadata)).collect())
}

/// Cuts a document at its headings.
fn markdown<'a>(
    file: &str,
    document: &'a Document,
    arguments: &ChunkArguments,
) -> anyhow::Result<Vec<(Chunk<'a>, Metadata)>> {
    let size = arguments.size.unwrap_or(1024);
    let chunker = MarkdownChunker::new(MarkdownChunkerConfig {
        max_chunk_size: size,
        chunk_overlap: arguments.overlap.unwrap_or_else(|| 200.min(size / 5)),
        ..MarkdownChunkerConfig::default()
    })?;
    let counter = counter(arguments.unit.unwrap_or(Unit::O200kBase));
    let chunks = chunker.iter(&document.text, &*counter);
    let named = |metadata| Metadata::Markdown {
        source: file.to_owned(),
        metadata: MarkdownChunkMetadata {
            file_name: Some(file_name(file).to_owned()),
            file_type: Some(document.format.name().to_owned()),
            ..metadata
        },
    };
    Ok(chunks
        .map(|chunk| (chunk.chunk, named(chunk.metadata)))
        .collect())
}

fn file_name(file: &str) -> &str {
    let name = Path::new(file).file_name().and_then(|name| name.to_str());
    name.unwrap_or(file)
}

fn recursive(arguments: &ChunkArguments) -> anyhow::Result<RecursiveCharacterTextSplitter> {
    let size = arguments.size.unwrap_or(1000);
    let overlap = arguments.overlap.unwrap_or_else(|| 200.min(size / 5));
    let keep = match arguments.keep_separator {
        None | Some(Keep::Start) => KeepSeparator::Start,
        Some(Keep::End) => KeepSeparator::End,
        Some(Keep::None) => KeepSeparator::None,
    };
    Ok(RecursiveCharacterTextSplitter::new(size, overlap)?
        .with_separators(arguments.separators.iter().map(String::as_str))
        .with_keep_separator(keep)
        .with_trim(!arguments.no_trim)
        .with_length(counter(arguments.unit.unwrap_or(Unit::Chars))))
}

fn sentence(arguments: &ChunkArguments) -> anyhow::Result<SentenceChunker> {
    let size = arguments.size.unwrap_or(800);
    let chunker = SentenceChunker::new(size)?.with_long_sentences(LongSentences::Keep);
    match arguments.overlap {
        Some(overlap) => Ok(chunker.with_overlap(overlap as f64 / size as f64)?),
        None => Ok(chunker.with_overlap(0.15)?),
    }
}

/// Windows of a file that a user names leave nothing out, however short it is.
fn token(arguments: &ChunkArguments) -> anyhow::Result<TokenChunker> {
    let size = arguments.size.unwrap_or(512);
    let overlap = arguments.overlap.unwrap_or_else(|| 64.min(size / 8));
    Ok(TokenChunker::new(size, overlap)?.with_min_tokens(1))
}

fn section_chunks<'a>(
    file: &str,
    document: &'a Document,
    arguments: &ChunkArguments,
) -> anyhow::Result<Vec<Chunk<'a>>> {
    let counter = counter(arguments.unit.unwrap_or(Unit::O200kBase));
    let options = SectionOptions::default();
    let options = arguments
        .size
        .map_or(options, |size| options.with_max_tokens(size));
    let tree = sections(file, &document.text, &document.outline, &options, &*counter)?;
    let mut characters = 0;
    let chunk = |(index, section): (usize, &sectile::core::Section)| {
        let text = section.span.of(&document.text);
        let start = characters;
        characters += text.chars().count();
        let path = tree.heading_path(index).into_iter().map(str::to_owned);
        Chunk {
            index,
            text: text.into(),
            span: section.span,
            chars: Span::new(start, characters),
            lines: section.lines,
            tokens: Some(counter.count(text)),
            heading_path: Some(path.collect()),
        }
    };
    Ok(tree.sections.iter().enumerate().map(chunk).collect())
}

fn counter(unit: Unit) -> Arc<dyn Tokenizer> {
    match unit {
        Unit::Chars => Arc::new(Characters),
        Unit::Cl100kBase => Arc::new(Bpe::cl100k_base()),
        Unit::O200kBase => Arc::new(Bpe::o200k_base()),
        Unit::Heuristic => Arc::new(Heuristic),
    }
}

/// Writes the line above a chunk.
fn header(file: &str, chunk: &Chunk<'_>) -> String {
    let lines = range(chunk.lines.first, chunk.lines.last);
    let tokens = chunk
        .tokens
        .map_or_else(String::new, |tokens| format!(", {tokens} tokens"));
    let path = chunk
        .heading_path
        .as_ref()
        .map_or_else(String::new, |path| path.join(" > "));
    let line = format!("--- {file} #{}, lines {lines}{tokens}  {path}", chunk.index);
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

impl<'a> Row<'a> {
    fn new(file: &'a str, chunk: &'a Chunk<'_>, metadata: &'a Metadata) -> Self {
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
            tokens: chunk.tokens,
            heading_path: chunk.heading_path.as_deref(),
            metadata,
        }
    }
}
