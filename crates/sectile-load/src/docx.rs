//! Office Open XML text documents, written as Markdown.

mod body;
mod bookmarks;
mod context;
mod embedded;
mod fields;
mod notes;
mod numbering;
mod package;
mod paragraph;
mod pictures;
mod styles;
mod table;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use memchr::memmem;
use sectile_core::{Document, Format};
use serde_json::Value;

use crate::blocks::{Block, apart, render};
use crate::failure::Failure;
use crate::loader::with_source;
use crate::not_followed::NotFollowed;
use crate::omissions::{DAMAGED_PARTS, UNREAD_PARTS, note_comments, note_fields, note_readings};
use crate::opc::{self, core_properties, custom_properties, flat};
use crate::running_lines::RunningLines;
use crate::{Error, Limits, LoadOptions, Loader, notices, titles};
use bookmarks::Bookmarks;
use context::Context;
use notes::{Note, NoteKind};
use numbering::Numbering;
use package::{Package, Role};
use styles::Styles;

/// The blocks of parts that the main part shows, by their ids.
type Embedded = HashMap<String, Vec<Block>>;

/// The parts that hold notes.
const NOTES: [(Role, NoteKind); 3] = [
    (Role::Footnotes, NoteKind::Footnote),
    (Role::Endnotes, NoteKind::Endnote),
    (Role::Comments, NoteKind::Comment),
];

/// Loads Word documents (`.docx`, `.docm`, `.dotx`, and Flat OPC in one XML file) and writes them as Markdown.
///
/// Headings come from styles, built-in, localised or inherited, and from outline levels, with the numbers that lists
/// give them; paragraphs of prose are none, whatever their style. A document without such headings has those that its
/// table of contents leads to, or else lines that are bold or in capitals, alike and few. Items of lists have theirs as
/// they are shown: `1.1`, `(a)`. Paragraphs of code stand in fences. Raised digits are superscript characters. Lists,
/// tables, footnotes and endnotes become those of Markdown; text boxes stand beside the paragraph they are anchored to,
/// and a box made of a table with one cell is read as plain text. Equations become LaTeX between dollar signs, charts
/// their title and a table of their numbers, diagrams (SmartArt) lists, pictures the alternative texts that somebody
/// wrote. Chunks in other formats are read where there is a loader, and what is left out of them is counted with the
/// rest; `unread_parts` in the metadata names the others, and `not_followed` the files that a master document consists
/// of.
/// Tracked changes are read as accepted, hidden text and field codes are left out
/// (`deletions_left_out` and `hidden_letters_left_out` count them), and so are ruby annotations, which
/// `readings_left_out` counts. Fields without a result show what their code says, such as equations (`EQ`), or are
/// counted in `fields_left_out`. Page headers and footers, and comments, are read on [request](crate::DocxOptions);
/// `running_lines` has the headers and footers that are left out.
/// Words are never escaped, but for the pipes in tables.
///
/// A package that inflates to more than the [limits](crate::Limits) allow, holds more than 20,000
/// files, nests deeper than 4,096 elements or defines entities of its own is refused.
#[derive(Clone, Debug, Default)]
pub struct DocxLoader {
    options: LoadOptions,
}

impl DocxLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for DocxLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let parsed = flat::packed(bytes, &self.options.limits)
            .and_then(|packed| parse(packed.as_deref().unwrap_or(bytes), &self.options));
        let document = parsed.map_err(|failure| failure.into_error(path, Format::Docx))?;
        Ok(with_source(document, bytes))
    }
}

/// Returns whether `bytes` are a package with a Word document in it; nothing when the package
/// cannot be opened.
pub(crate) fn is_word(bytes: &[u8]) -> Option<bool> {
    let limits = Limits::default();
    let mut package = Package::open(bytes, &limits).ok()?;
    Some(package.is_usual() || package.main_part().is_ok())
}

fn parse(bytes: &[u8], options: &LoadOptions) -> Result<Document, Failure> {
    let mut package = Package::open(bytes, &options.limits)?;
    let main = package.main_part()?;
    let mut metadata =
        package.secondary(Role::CoreProperties, |xml| core_properties::read(&xml))?;
    let properties =
        package.secondary(Role::CustomProperties, |xml| custom_properties::read(&xml))?;
    properties.write_into(&mut metadata);
    let styles = package.secondary(Role::Styles, Styles::read)?;
    let main = package.read(&main)?;
    let has_lists =
        styles.may_have_lists() || memmem::find(main.as_bytes(), styles::LIST).is_some();
    let numbering = if has_lists {
        package.secondary(Role::Numbering, |xml| Numbering::read(&xml))?
    } else {
        Numbering::default()
    };
    let mut context = Context::new(&styles, numbering, options.docx.comments);
    context.bookmarks = Bookmarks::of(&main);
    context.links = std::mem::take(&mut package.main_links);
    let embedded = std::mem::take(&mut package.main_embedded);
    context.embedded = read_embedded(&mut package, embedded)?;
    let mut not_followed = NotFollowed::default();
    for name in std::mem::take(&mut package.included) {
        not_followed.add(&name);
    }
    not_followed.write_into(&mut metadata);
    let blocks = body::read(&main, &mut context)?;
    let mut blocks = titles::settle(blocks, &context.contents);
    if options.docx.headers_and_footers {
        let headers = running(&mut package, Role::Header, &mut context)?;
        let footers = running(&mut package, Role::Footer, &mut context)?;
        blocks = headers.into_iter().chain(blocks).chain(footers).collect();
    }
    let mut notes = Vec::new();
    for (role, kind) in NOTES {
        if context.references.has(kind) {
            notes.push((kind, read_notes(&mut package, role, &mut context)?));
        }
    }
    blocks.extend(notes::definitions(&context.references, notes));
    note_comments(&mut metadata, context.comments_left_out);
    note_readings(&mut metadata, context.readings_left_out);
    note_fields(&mut metadata, context.fields_left_out);
    context.hidden.write_into(&mut metadata);
    if !package.unread.is_empty() {
        let names = Value::from(std::mem::take(&mut package.unread));
        metadata.extra.insert(UNREAD_PARTS.into(), names);
    }
    if !package.damaged.is_empty() {
        let names = Value::from(std::mem::take(&mut package.damaged));
        metadata.extra.insert(DAMAGED_PARTS.into(), names);
    }
    if !options.docx.headers_and_footers {
        left_out_lines(&mut package, &mut context).write_into(&mut metadata);
    }
    notices::add(&mut metadata, &package.noticed);
    let (text, outline) = render(&blocks);
    Ok(Document {
        text,
        format: Format::Docx,
        outline,
        pages: Vec::new(),
        metadata,
    })
}

/// Reads the charts, diagrams and chunks that a part shows, by their ids, and notes the parts that are
/// in formats without a loader, and the objects of other programs.
fn read_embedded(
    package: &mut Package,
    shown: Vec<(String, String, String)>,
) -> Result<Embedded, Failure> {
    let mut found = HashMap::new();
    for (kind, id, part) in shown {
        if opc::is_object(&kind) {
            let part = package.has(&part).then_some(part);
            package.unread.extend(part);
            continue;
        }
        let blocks = match kind.as_str() {
            "chart" | "chartEx" => package.chart(part)?,
            "diagramData" => package.part(part, |xml| embedded::diagram(&xml))?,
            _ => match package.read_bytes(&part) {
                Ok(bytes) => {
                    if let Some((blocks, noticed)) = embedded::chunk(&bytes, &part) {
                        notices::add(&mut package.noticed, &noticed);
                        blocks
                    } else {
                        package.unread.push(part);
                        Vec::new()
                    }
                }
                Err(failure) if failure.is_damage() => {
                    package.damaged.push(part);
                    Vec::new()
                }
                Err(failure) => return Err(failure),
            },
        };
        found.insert(id, blocks);
    }
    Ok(found)
}

/// Reads the headers and footers that are not in the text. What is damaged in them is no loss of it.
fn left_out_lines(package: &mut Package, context: &mut Context) -> RunningLines {
    let mut lines = RunningLines::default();
    for role in [Role::Header, Role::Footer] {
        for block in running(package, role, context).unwrap_or_default() {
            lines.add(block.flat());
        }
    }
    lines
}

/// Reads the headers or footers of all sections, each text once.
fn running(
    package: &mut Package,
    role: Role,
    context: &mut Context,
) -> Result<Vec<Block>, Failure> {
    let mut all: Vec<Block> = Vec::new();
    let mut seen = HashSet::new();
    for name in package.names(role) {
        let blocks = beside_main(package, name, context, body::read)?;
        let blocks = apart(blocks).into_iter();
        all.extend(blocks.filter(|block| seen.insert(block.flat())));
    }
    Ok(all)
}

fn read_notes(
    package: &mut Package,
    role: Role,
    context: &mut Context,
) -> Result<Vec<Note>, Failure> {
    match package.names(role).pop() {
        Some(name) => beside_main(package, name, context, body::read_notes),
        None => Ok(Vec::new()),
    }
}

/// Reads a part that has text, links, and what it shows from other parts, of its own.
fn beside_main<T>(
    package: &mut Package,
    name: String,
    context: &mut Context,
    read: impl FnOnce(&str, &mut Context) -> Result<Vec<T>, Failure>,
) -> Result<Vec<T>, Failure> {
    let related = package.relationships(&name)?;
    context.links = related.links;
    context.embedded = read_embedded(package, related.embedded)?;
    package.part(name, |xml| read(&xml, context))
}
