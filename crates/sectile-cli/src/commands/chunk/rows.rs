//! Chunks as lines of JSON, or as text below a line with their positions.

use std::io::Write as _;
use std::path::Path;

use sectile::CutChunk;
use sectile::chunk::MarkdownChunkMetadata;
use sectile::core::{Chunk, Format, Pages};

use super::oversize::Oversize;
use crate::output::{self, DIM, Sink};

/// How chunks are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form<'a> {
    pub(super) is_jsonl: bool,
    /// Whether sizes are in tokens, and not in characters.
    pub(super) is_in_tokens: bool,
    pub(super) oversize: Oversize<'a>,
}

/// Writes the chunks of one file.
pub(super) struct Rows<'s> {
    sink: &'s mut Sink,
    file: String,
    /// The name of the file as JSON.
    file_json: String,
    format: Format,
    form: Form<'s>,
    is_styled: bool,
}

impl<'s> Rows<'s> {
    pub(super) fn new(sink: &'s mut Sink, file: &Path, format: Format, form: Form<'s>) -> Self {
        let file = file.display().to_string();
        let mut file_json = Vec::new();
        output::escape(&file, &mut file_json);
        Self {
            sink,
            file_json: String::from_utf8(file_json).unwrap_or_default(),
            file,
            format,
            form,
            is_styled: output::is_styled(),
        }
    }

    pub(super) fn write(&mut self, cut: CutChunk<'_>, pages: Option<Pages>) -> anyhow::Result<()> {
        let CutChunk {
            mut chunk,
            markdown,
        } = cut;
        self.form.oversize.add(&chunk);
        chunk.tokens = chunk.tokens.filter(|_| self.form.is_in_tokens);
        if !self.form.is_jsonl {
            return self.write_text(&chunk, pages);
        }
        self.write_json(&chunk, pages, markdown)
    }

    /// Says what is to be said of all chunks.
    pub(super) fn finish(&self) {
        self.form.oversize.warn(&self.file);
    }

    fn write_text(&mut self, chunk: &Chunk<'_>, pages: Option<Pages>) -> anyhow::Result<()> {
        let is_styled = self.is_styled;
        let line = self.sink.buffer();
        if is_styled {
            write!(line, "{DIM}")?;
        }
        write_header(line, &self.file, chunk, pages)?;
        if is_styled {
            write!(line, "{DIM:#}")?;
        }
        line.push(b'\n');
        line.extend_from_slice(chunk.text.as_bytes());
        if !chunk.text.ends_with('\n') {
            line.push(b'\n');
        }
        self.sink.flush_if_full()
    }

    /// Writes a chunk as JSON. The names are documented in `docs/json.md` and do not change.
    fn write_json(
        &mut self,
        chunk: &Chunk<'_>,
        pages: Option<Pages>,
        metadata: Option<MarkdownChunkMetadata>,
    ) -> anyhow::Result<()> {
        let line = self.sink.buffer();
        line.extend_from_slice(b"{\"file\":");
        line.extend_from_slice(self.file_json.as_bytes());
        number(line, ",\"index\":", chunk.index);
        line.extend_from_slice(b",\"text\":");
        output::escape(&chunk.text, line);
        number(line, ",\"start\":", chunk.span.start);
        number(line, ",\"end\":", chunk.span.end);
        number(line, ",\"char_start\":", chunk.chars.start);
        number(line, ",\"char_end\":", chunk.chars.end);
        number(line, ",\"line_start\":", chunk.lines.first);
        number(line, ",\"line_end\":", chunk.lines.last);
        if let Some(pages) = pages {
            number(line, ",\"page_start\":", pages.first as usize);
            number(line, ",\"page_end\":", pages.last as usize);
        }
        match chunk.tokens {
            Some(tokens) => number(line, ",\"tokens\":", tokens),
            None => line.extend_from_slice(b",\"tokens\":null"),
        }
        line.extend_from_slice(b",\"heading_path\":");
        serde_json::to_writer(&mut *line, &chunk.heading_path.as_deref())?;
        line.extend_from_slice(b",\"metadata\":{\"source\":");
        line.extend_from_slice(self.file_json.as_bytes());
        match metadata {
            Some(metadata) => write_section(line, &self.file, self.format, metadata)?,
            None => write_plain(line, self.format, chunk, pages)?,
        }
        line.extend_from_slice(b"}}\n");
        self.sink.flush_if_full()
    }
}

/// Writes a name and its number.
fn number(line: &mut Vec<u8>, name: &str, number: usize) {
    line.extend_from_slice(name.as_bytes());
    line.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Writes the metadata of a chunk after the source: the rest of
/// [`ChunkMetadata`](sectile::core::ChunkMetadata).
fn write_plain(
    line: &mut Vec<u8>,
    format: Format,
    chunk: &Chunk<'_>,
    pages: Option<Pages>,
) -> anyhow::Result<()> {
    line.extend_from_slice(b",\"file_type\":\"");
    line.extend_from_slice(format.name().as_bytes());
    number(line, "\",\"chunk_index\":", chunk.index);
    if pages.is_some() {
        line.extend_from_slice(b",\"pages\":");
        serde_json::to_writer(line, &pages)?;
    }
    Ok(())
}

/// Writes the section of a chunk after the source.
fn write_section(
    line: &mut Vec<u8>,
    file: &str,
    format: Format,
    metadata: MarkdownChunkMetadata,
) -> anyhow::Result<()> {
    let metadata = MarkdownChunkMetadata {
        file_name: Some(file_name(file).to_owned()),
        file_type: Some(format.name().to_owned()),
        ..metadata
    };
    let brace = line.len();
    serde_json::to_writer(&mut *line, &metadata)?;
    // The fields go on with the object, whose end is written behind them.
    line[brace] = b',';
    line.pop();
    Ok(())
}

/// Writes the line above a chunk.
fn write_header(
    line: &mut Vec<u8>,
    file: &str,
    chunk: &Chunk<'_>,
    pages: Option<Pages>,
) -> std::io::Result<()> {
    write!(line, "--- {file} #{}, lines {}", chunk.index, chunk.lines)?;
    match pages {
        Some(pages) if pages.first == pages.last => write!(line, ", page {pages}")?,
        Some(pages) => write!(line, ", pages {pages}")?,
        None => {}
    }
    if let Some(tokens) = chunk.tokens {
        write!(line, ", {}", output::count(tokens, "token"))?;
    }
    match chunk.heading_path.as_deref() {
        Some(path) if !path.is_empty() => write!(line, "  {}", path.join(" > ")),
        _ => Ok(()),
    }
}

fn file_name(file: &str) -> &str {
    let name = Path::new(file).file_name().and_then(|name| name.to_str());
    name.unwrap_or(file)
}
