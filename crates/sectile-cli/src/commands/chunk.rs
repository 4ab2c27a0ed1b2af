//! `sectile chunk`.

mod oversize;
mod rows;

use std::path::Path;

use anyhow::Context as _;
use sectile::chunk::{KeepSeparator, LinkDefinitions, LongSentences, section_tree};
use sectile::core::Document;
use sectile::load::{FileLoader, TextLoader, TextReader};
use sectile::{ChunkSettings, CutChunk, CutStream, Cutter, StrategyOptions};
use sectile_web::picture::{ChunkReport, Cut, chunk_report};

use super::input::{Input, called, is_standard_input};
use super::{Outcome, load_options, loader};
use crate::args::{ChunkArguments, ChunkFormat, Keep, Long, Strategy, Unit};
use crate::output::{self, Sink};
use oversize::Oversize;
use rows::{Form, Rows};

/// The maximum size in bytes of a text that is drawn, or whose headings are found.
const LARGE: u64 = 64 << 20;

pub(crate) fn run(arguments: &ChunkArguments, json: bool) -> anyhow::Result<Outcome> {
    load_options::check(&arguments.files, &arguments.load)?;
    let loader = loader(&arguments.load)?;
    if arguments.html {
        return draw(arguments, &loader);
    }
    let form = Form {
        is_jsonl: json || arguments.format == ChunkFormat::Jsonl,
        is_in_tokens: is_in_tokens(arguments),
        oversize: oversize(arguments),
    };
    let cutter = cutter(arguments)?;
    let mut sink = Sink::default();
    let mut outcome = Outcome::Done;
    for file in &arguments.files {
        let name = arguments.load.name.as_deref();
        let shown = called(file, name);
        let cut = Input::open(file, name)
            .and_then(|input| print(shown, input, &cutter, &loader, &mut sink, form));
        sink.finish()?;
        match cut {
            Err(error) if output::is_closed_pipe(&error) => return Err(error),
            Err(error) => {
                output::error(&error);
                outcome = Outcome::SomeFailed;
            }
            Ok(()) => {}
        }
    }
    Ok(outcome)
}

/// Cuts a file and prints its chunks, in parts where that can be.
fn print(
    file: &Path,
    mut input: Input,
    cutter: &Cutter,
    loader: &FileLoader,
    sink: &mut Sink,
    form: Form<'_>,
) -> anyhow::Result<()> {
    let cuts_at_headings = matches!(cutter, Cutter::Markdown(..));
    let has_late_headings = input.has_late_headings();
    let is_held = cuts_at_headings && has_late_headings && input.hold(most_held(loader))?;
    let format = input.text_format().filter(|_| !is_held);
    if let (Some(format), Some(stream)) = (format, cutter.stream()) {
        input.warn_of_omissions()?;
        let mut rows = Rows::new(sink, file, format, form);
        if !cuts_at_headings && has_late_headings {
            return print_parts(input.parts()?, stream, &mut rows);
        }
        let (parts, again) = input.parts_twice(cuts_at_headings)?;
        let name = file.to_path_buf();
        let stream = stream.of_markdown(move || definitions(&name, again()));
        return print_parts(parts, stream, &mut rows);
    }
    let document = input.load(loader)?;
    let mut rows = Rows::new(sink, file, document.format, form);
    let name = file.display().to_string();
    for cut in chunks(&name, &document, cutter)? {
        let pages = document.pages_of(cut.chunk.span);
        rows.write(cut, pages)?;
    }
    rows.finish();
    Ok(())
}

/// Returns the maximum size in bytes of a text that is kept in memory. The loader finds no headings in a larger one, or
/// refuses it.
fn most_held(loader: &FileLoader) -> u64 {
    let limit = loader.options().limits.file_bytes;
    limit.min(TextLoader::MAX_OUTLINED as u64)
}

/// Finds the link definitions of a text; of one that cannot be read again there are none, which is said.
fn definitions(file: &Path, parts: Option<TextReader>) -> LinkDefinitions {
    if parts.is_none() {
        let name = if is_standard_input(file) {
            "standard input".to_owned()
        } else {
            format!("`{}`", file.display())
        };
        output::warning(format_args!(
            "links in headings of {name} may be defined further down, and it cannot be read twice; headings keep the \
             brackets of these links. Give a file, or use --strategy markdown"
        ));
    }
    let mut definitions = LinkDefinitions::default();
    for part in parts.into_iter().flatten().map_while(Result::ok) {
        definitions.push(&part);
    }
    definitions.finish()
}

fn print_parts(
    parts: TextReader,
    mut stream: CutStream<'_>,
    rows: &mut Rows<'_>,
) -> anyhow::Result<()> {
    for part in parts {
        stream.try_push(&part?, |cut| rows.write(cut, None))?;
    }
    stream.try_finish(|cut| rows.write(cut, None))?;
    rows.finish();
    Ok(())
}

/// Prints a page of all files.
fn draw(arguments: &ChunkArguments, loader: &FileLoader) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Done;
    let cutter = cutter(arguments)?;
    let mut drawn = Vec::with_capacity(arguments.files.len());
    for file in &arguments.files {
        let name = arguments.load.name.as_deref();
        let shown = called(file, name);
        match load_to_draw(loader, file, name) {
            Ok(document) => drawn.push(cut_to_draw(shown, document, arguments, &cutter)?),
            Err(error) => {
                output::error(&error);
                outcome = Outcome::SomeFailed;
            }
        }
    }
    output::raw(chunk_report(&drawn).as_bytes())?;
    Ok(outcome)
}

fn load_to_draw(loader: &FileLoader, file: &Path, name: Option<&Path>) -> anyhow::Result<Document> {
    let document = Input::open(file, name)?.load(loader)?;
    let (size, file) = (document.text.len() as u64, file.display());
    anyhow::ensure!(
        size < LARGE,
        "`{file}` is too large for a page; use --format jsonl"
    );
    Ok(document)
}

fn cut_to_draw(
    file: &Path,
    document: Document,
    arguments: &ChunkArguments,
    cutter: &Cutter,
) -> anyhow::Result<ChunkReport> {
    let settings = settings(arguments);
    let name = file.display().to_string();
    let chunks = chunks(&name, &document, cutter)?;
    let mut oversize = oversize(arguments);
    for cut in &chunks {
        oversize.add(&cut.chunk);
    }
    oversize.warn(&name);
    let cut = Cut::of(chunks.iter().map(|cut| &cut.chunk)).counted_in(settings.unit());
    Ok(ChunkReport {
        sections: section_tree(&name, &document.text, &document.outline),
        how: format!("Strategy {settings}."),
        text: document.text,
        name,
        cut,
    })
}

fn is_in_tokens(arguments: &ChunkArguments) -> bool {
    settings(arguments).unit() != sectile::Unit::Chars
}

fn oversize(arguments: &ChunkArguments) -> Oversize<'_> {
    let size = settings(arguments).size();
    Oversize::new(&arguments.separators, size, is_in_tokens(arguments))
}

/// Says when an overlap of a whole chunk or more is made smaller.
fn warn_of_clamping(arguments: &ChunkArguments) {
    let settings = settings(arguments);
    let (size, overlap) = (settings.size(), settings.overlap());
    if let Some(asked) = arguments.overlap
        && asked > overlap
        && size > 0
    {
        output::warning(format_args!(
            "an overlap of {asked} does not fit into chunks of {size}; using {overlap}"
        ));
    }
}

/// Cuts a document.
fn chunks<'a>(
    file: &str,
    document: &'a Document,
    cutter: &Cutter,
) -> anyhow::Result<Vec<CutChunk<'a>>> {
    let chunks = cutter.chunks(file, &document.text, document.format, &document.outline);
    chunks.with_context(|| format!("cannot cut `{file}` into chunks"))
}

fn cutter(arguments: &ChunkArguments) -> anyhow::Result<Cutter> {
    let options = StrategyOptions {
        separators: arguments.separators.clone(),
        language: arguments.language,
        keep_separator: arguments.keep_separator.map(Into::into),
        keep_white_space: arguments.no_trim,
        long_sentences: arguments.long_sentences.map(Into::into),
        ..StrategyOptions::default()
    };
    let cutter = settings(arguments).cutter_with(&options)?;
    warn_of_clamping(arguments);
    Ok(cutter)
}

fn settings(arguments: &ChunkArguments) -> ChunkSettings {
    ChunkSettings {
        strategy: arguments.strategy.into(),
        size: arguments.size,
        overlap: arguments.overlap,
        unit: arguments.unit.map(Into::into),
    }
}

impl From<Keep> for KeepSeparator {
    fn from(keep: Keep) -> Self {
        match keep {
            Keep::Start => Self::Start,
            Keep::End => Self::End,
            Keep::None => Self::None,
        }
    }
}

impl From<Long> for LongSentences {
    fn from(long: Long) -> Self {
        match long {
            Long::Split => Self::Split,
            Long::Keep => Self::Keep,
        }
    }
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
