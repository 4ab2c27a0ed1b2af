//! Chunks as lines of JSON, or below a line that says where they stand.

use std::path::Path;

use serde::Serialize;

use sectile::CutChunk;
use sectile::chunk::MarkdownChunkMetadata;
use sectile::core::{Chunk, ChunkMetadata, Format, Pages};

use crate::output::{self, DIM, Sink};

/// Writes the chunks of one file.
pub(super) struct Rows<'s> {
    sink: &'s mut Sink,
    file: String,
    /// The name of the file as JSON.
    file_json: String,
    format: Format,
    is_jsonl: bool,
    is_styled: bool,
}

impl<'s> Rows<'s> {
    pub(super) fn new(sink: &'s mut Sink, file: &Path, format: Format, is_jsonl: bool) -> Self {
        let file = file.display().to_string();
        let mut file_json = Vec::new();
        output::escape(&file, &mut file_json);
        Self {
            sink,
            file_json: String::from_utf8(file_json).unwrap_or_default(),
            file,
            format,
            is_jsonl,
            is_styled: output::is_styled(),
        }
    }

    pub(super) fn write(&mut self, cut: CutChunk<'_>, pages: Option<Pages>) -> anyhow::Result<()> {
        let CutChunk { chunk, markdown } = cut;
        if !self.is_jsonl {
            return self.write_text(&chunk, pages);
        }
        let metadata = match markdown {
            Some(metadata) => Metadata::of_section(&self.file, self.format, metadata),
            None => Metadata::Plain(chunk.metadata(&self.file, self.format).with_pages(pages)),
        };
        self.write_json(&chunk, pages, &metadata)
    }

    fn write_text(&mut self, chunk: &Chunk<'_>, pages: Option<Pages>) -> anyhow::Result<()> {
        let header = header(&self.file, chunk, pages);
        if self.is_styled {
            self.sink
                .write(format!("{DIM}{header}{DIM:#}\n").as_bytes())
        } else {
            self.sink.write(&[header.as_bytes(), b"\n"].concat())
        }?;
        self.sink.write(chunk.text.as_bytes())?;
        if chunk.text.ends_with('\n') {
            return Ok(());
        }
        self.sink.write(b"\n")
    }

    /// Writes a chunk as JSON. The names are documented in `docs/json.md` and do not change.
    fn write_json(
        &mut self,
        chunk: &Chunk<'_>,
        pages: Option<Pages>,
        metadata: &Metadata,
    ) -> anyhow::Result<()> {
        let place = Place {
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
        };
        let line = self.sink.buffer();
        line.extend_from_slice(b"{\"file\":");
        line.extend_from_slice(self.file_json.as_bytes());
        line.extend_from_slice(b",\"index\":");
        serde_json::to_writer(&mut *line, &chunk.index)?;
        line.extend_from_slice(b",\"text\":");
        output::escape(&chunk.text, line);
        let brace = line.len();
        serde_json::to_writer(&mut *line, &place)?;
        // The fields of the place go on with the object of the chunk.
        line[brace] = b',';
        line.push(b'\n');
        self.sink.flush_if_full()
    }
}

/// Returns the line above a chunk.
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
    let mut line = format!(
        "--- {file} #{}, lines {lines}{pages}{tokens}  {path}",
        chunk.index
    );
    line.truncate(line.trim_end().len());
    line
}

/// Where a chunk stands: what follows its text in a line of JSON.
#[derive(Serialize)]
struct Place<'a> {
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

fn file_name(file: &str) -> &str {
    let name = Path::new(file).file_name().and_then(|name| name.to_str());
    name.unwrap_or(file)
}
