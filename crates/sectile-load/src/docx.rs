//! Office Open XML text documents, written as Markdown.

mod block;
mod body;
mod core_properties;
mod failure;
mod notes;
mod numbering;
mod package;
mod paragraph;
mod render;
mod styles;
mod symbols;
mod table;
mod xml;

use std::path::Path;

use sectile_core::{Document, Format};
use serde_json::Value;

use crate::{Error, Loader};
use body::Context;
use failure::Failure;
use notes::Notes;
use numbering::Numbering;
use package::{Package, Role};
use styles::Styles;

/// The name in `Metadata::extra` of the secondary parts that could not be read.
const DAMAGED_PARTS: &str = "damaged_parts";

/// Loads Word documents (`.docx`, `.docm`, `.dotx`) and writes them as Markdown.
///
/// Headings come from styles, built-in, localised or inherited, and from outline levels. Lists,
/// tables, footnotes and endnotes become those of Markdown; text boxes stand beside the paragraph
/// they are anchored to, and a box made of a table with one cell is read as plain text. Tracked
/// changes are read as accepted, hidden text and field codes are left out. Words are never
/// escaped, but for the pipes in tables.
///
/// A package that inflates to more than 512 MB, holds more than 20,000 files, nests deeper than
/// 4,096 elements or has a document type definition is refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct DocxLoader;

impl Loader for DocxLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        parse(bytes).map_err(|failure| failure.into_error(path))
    }
}

/// Says whether `bytes` are a package with a Word document in it; nothing when the package
/// cannot be opened.
pub(crate) fn is_word(bytes: &[u8]) -> Option<bool> {
    let mut package = Package::open(bytes).ok()?;
    Some(package.main_part().is_ok())
}

fn parse(bytes: &[u8]) -> Result<Document, Failure> {
    let mut package = Package::open(bytes)?;
    let main = package.main_part()?;
    let mut metadata = package.secondary(Role::CoreProperties, core_properties::read)?;
    let styles = package.secondary(Role::Styles, Styles::read)?;
    let numbering = package.secondary(Role::Numbering, Numbering::read)?;
    let mut context = Context::new(&styles, numbering);
    let mut blocks = body::read(&package.read(&main)?, &mut context)?;
    let footnotes = package.secondary(Role::Footnotes, |xml| Notes::read(xml, &mut context))?;
    let endnotes = package.secondary(Role::Endnotes, |xml| Notes::read(xml, &mut context))?;
    blocks.extend(notes::definitions(&context.references, footnotes, endnotes));
    metadata.size = Some(bytes.len() as u64);
    if !package.damaged.is_empty() {
        let names = Value::from(package.damaged);
        metadata.extra.insert(DAMAGED_PARTS.into(), names);
    }
    let (text, outline) = render::render(&blocks);
    Ok(Document {
        text,
        format: Format::Docx,
        outline,
        pages: Vec::new(),
        metadata,
    })
}
