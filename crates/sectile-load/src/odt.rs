//! OpenDocument text documents, written as Markdown.

mod body;
mod lists;
mod paragraph;
#[cfg(feature = "odp")]
mod presentation;
mod running;
mod styles;
mod table;

use std::path::Path;

use sectile_core::{Document, Format, Metadata};

use crate::archive::Archive;
use crate::blocks::render;
use crate::failure::Failure;
use crate::loader::with_source;
use crate::omissions::{DAMAGED_PARTS, note_comments, note_readings};
use crate::open_document::{self, forms};
use crate::xml::{Node, Walk};
use crate::{Error, LoadOptions, Loader, titles};
use body::{Body, Finished};
#[cfg(feature = "odp")]
pub use presentation::OdpLoader;
use running::Running;
use styles::Styles;

/// Loads OpenDocument text documents (`.odt`, `.ott`, and `.fodt` in one XML file) and writes them
/// as Markdown.
///
/// Headings, lists, tables, footnotes and endnotes become those of Markdown; headings and items have their numbers as
/// they are shown. A document without headings gets the bold lines that look like headings. Raised digits are
/// superscript characters. Fields of forms show their values and labels. Text boxes stand after the paragraph they are anchored to, and so do the numbers of charts
/// and the alternative texts of pictures.
/// Tracked changes are read as accepted; `deletions_left_out` counts the deletions. Hidden text is left out;
/// `hidden_letters_left_out` counts its letters. `not_followed` names the files that
/// sections show where the document has no copy of them. Formulas are LaTeX between dollar signs. Annotations, and the headers and
/// footers of pages, are read on [request](crate::DocxOptions), as those of Word documents are. `running_lines` in
/// [`Metadata::extra`] has the lines of headers and footers that are left out.
#[derive(Clone, Debug, Default)]
pub struct OdtLoader {
    options: LoadOptions,
}

impl OdtLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for OdtLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        load(bytes, path, Format::Odt, &self.options, write)
    }
}

/// What makes a document of the XML of its content, the body that reads it, and what stands beside it.
type Write = fn(&str, Body<'_>, Beside, &LoadOptions) -> Result<Document, Failure>;

/// What a document has beside its content.
#[derive(Debug, Default)]
struct Beside {
    /// What it says of itself, and which parts are damaged.
    metadata: Metadata,
    running: Running,
}

/// Loads a text document or a presentation: a zip archive, or one XML file.
fn load(
    bytes: &[u8],
    path: &Path,
    format: Format,
    options: &LoadOptions,
    write: Write,
) -> Result<Document, Error> {
    let parsed = if bytes.starts_with(b"PK") {
        packed(bytes, options, write)
    } else {
        flat(bytes, options, write)
    };
    let document = parsed.map_err(|failure| failure.into_error(path, format))?;
    Ok(with_source(document, bytes))
}

/// Reads a document in a zip archive.
fn packed(bytes: &[u8], options: &LoadOptions, write: Write) -> Result<Document, Failure> {
    let mut archive = Archive::open(bytes, &options.limits)?;
    let Parts {
        content,
        styles,
        beside,
    } = read_parts(&mut archive)?;
    let mut body = Body::new(&styles, options.docx.comments);
    body.set_controls(forms::read(&content)?);
    body.set_objects(|part| archive.read(part).ok());
    write(&content, body, beside, options)
}

/// The parts of a document in a zip archive.
struct Parts {
    content: String,
    styles: Styles,
    beside: Beside,
}

fn read_parts(archive: &mut Archive<'_>) -> Result<Parts, Failure> {
    if is_encrypted(archive) {
        return Err(Failure::Encrypted);
    }
    let mut damaged: Vec<&str> = Vec::new();
    let mut styles = Styles::default();
    let mut beside = Beside::default();
    for part in ["styles.xml", "meta.xml"] {
        if !archive.has(part) {
            continue;
        }
        let read = archive.read(part).and_then(|xml| {
            if part == "meta.xml" {
                beside.metadata = open_document::metadata(&xml)?;
            } else {
                styles.read(&xml)?;
                beside.running = Running::read(&xml)?;
            }
            Ok(())
        });
        match read {
            Err(failure) if failure.is_damage() => damaged.push(part),
            other => other?,
        }
    }
    let content = archive.read("content.xml")?;
    styles.read(&content)?;
    if !damaged.is_empty() {
        let extra = &mut beside.metadata.extra;
        extra.insert(DAMAGED_PARTS.into(), damaged.into());
    }
    Ok(Parts {
        content,
        styles,
        beside,
    })
}

/// Reads a document in one XML file.
fn flat(bytes: &[u8], options: &LoadOptions, write: Write) -> Result<Document, Failure> {
    let xml = String::from_utf8_lossy(bytes);
    let mut styles = Styles::default();
    styles.read(&xml)?;
    let beside = Beside {
        metadata: open_document::metadata(&xml)?,
        running: Running::read(&xml)?,
    };
    let mut body = Body::new(&styles, options.docx.comments);
    body.set_controls(forms::read(&xml)?);
    write(&xml, body, beside, options)
}

fn write(
    xml: &str,
    mut body: Body<'_>,
    beside: Beside,
    options: &LoadOptions,
) -> Result<Document, Failure> {
    let Beside {
        mut metadata,
        running,
    } = beside;
    body.walk(xml)?;
    let mut finished = body.finish();
    let mut blocks = titles::settle(
        std::mem::take(&mut finished.blocks),
        &titles::Contents::new(),
    );
    if options.docx.headers_and_footers {
        blocks = running.around(blocks);
    } else {
        running.write_into(&mut metadata);
    }
    let (text, outline) = render(&blocks);
    note_left_out(&mut metadata, finished);
    Ok(Document {
        text,
        format: Format::Odt,
        outline,
        pages: Vec::new(),
        metadata,
    })
}

/// Notes what of a document is not in its text.
fn note_left_out(metadata: &mut Metadata, finished: Finished) {
    note_comments(metadata, finished.comments_left_out);
    note_readings(metadata, finished.readings_left_out);
    finished.hidden.write_into(metadata);
    finished.not_followed.write_into(metadata);
    open_document::note_omissions(metadata, finished.repeats_left_out, finished.unread);
}

/// Returns whether the manifest lists parts that are encrypted.
fn is_encrypted(archive: &mut Archive) -> bool {
    let Ok(xml) = archive.read("META-INF/manifest.xml") else {
        return false;
    };
    let mut walk = Walk::new(&xml);
    loop {
        match walk.next() {
            Ok(Node::Open(element)) if element.name() == "encryption-data" => return true,
            Ok(Node::End) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}
