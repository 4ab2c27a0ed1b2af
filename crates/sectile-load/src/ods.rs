//! OpenDocument spreadsheets, written as Markdown tables.

mod content;
mod messages;
mod running;
mod value;

use std::path::Path;

use memchr::memmem;
use sectile_core::{Document, Format};

use crate::archive::Archive;
use crate::failure::Failure;
use crate::loader::with_source;
use crate::open_document::Objects;
use crate::workbook::Workbook;
use crate::{Error, Limits, LoadOptions, Loader, open_document};

const CONTENT: &str = "content.xml";
const META: &str = "meta.xml";
const STYLES: &str = "styles.xml";
const MANIFEST: &str = "META-INF/manifest.xml";

/// Loads OpenDocument spreadsheets (`.ods`, `.ots`, and `.fods` in one XML file) as [`XlsxLoader`](crate::XlsxLoader) does
/// Excel workbooks: a section with tables for each sheet; text boxes, the numbers of charts,
/// the alternative texts of pictures, the prompts and error messages of cells, and comments below them.
///
/// Percentages and currencies are written as displayed, dates in ISO 8601, and other numbers in full. The heads and feet
/// of printed pages are left out, and in `running_lines`.
#[derive(Clone, Debug, Default)]
pub struct OdsLoader {
    options: LoadOptions,
}

impl OdsLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for OdsLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let fail = |failure: Failure| failure.into_error(path, Format::Ods);
        if !bytes.starts_with(b"PK") {
            let document = flat(bytes, &self.options.limits).map_err(fail)?;
            return Ok(with_source(document, bytes));
        }
        let mut archive = Archive::open(bytes, &self.options.limits).map_err(fail)?;
        if is_encrypted(&mut archive) {
            return Err(Error::Encrypted {
                path: path.into(),
                is_wrong: false,
            });
        }
        let document = parse(&mut archive, &self.options.limits).map_err(fail)?;
        Ok(with_source(document, bytes))
    }
}

/// Returns whether the manifest names encrypted parts.
fn is_encrypted(archive: &mut Archive) -> bool {
    let manifest = archive.read_bytes(MANIFEST);
    manifest.is_ok_and(|xml| memmem::find(&xml, b"encryption-data").is_some())
}

fn parse(archive: &mut Archive, limits: &Limits) -> Result<Document, Failure> {
    let mut workbook = Workbook::new(limits);
    let xml = archive.read(CONTENT)?;
    let mut objects = Objects::new(|part| archive.read(part).ok());
    let repeats = content::read(&xml, &mut workbook, &mut objects)?;
    let unread = objects.into_unread();
    // What the document says of itself is not worth the document.
    let meta = archive
        .read(META)
        .and_then(|xml| open_document::metadata(&xml));
    let mut metadata = meta.unwrap_or_default();
    let running = archive.read(STYLES).and_then(|xml| running::read(&xml));
    running.unwrap_or_default().write_into(&mut metadata);
    open_document::note_omissions(&mut metadata, repeats, unread);
    Ok(workbook.finish(Format::Ods, metadata))
}

/// Reads a spreadsheet in one XML file.
fn flat(bytes: &[u8], limits: &Limits) -> Result<Document, Failure> {
    let xml = String::from_utf8_lossy(bytes);
    let mut workbook = Workbook::new(limits);
    let mut objects = Objects::default();
    let repeats = content::read(&xml, &mut workbook, &mut objects)?;
    let mut metadata = open_document::metadata(&xml)?;
    running::read(&xml)?.write_into(&mut metadata);
    open_document::note_omissions(&mut metadata, repeats, objects.into_unread());
    Ok(workbook.finish(Format::Ods, metadata))
}
