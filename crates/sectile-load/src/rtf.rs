//! Rich Text Format, written as Markdown.

mod code_pages;
mod fonts;
mod reader;
mod table;
mod tokens;

use std::path::Path;

use sectile_core::{Document, Format};

use crate::blocks::render;
use crate::loader::with_source;
use crate::omissions::CUT_OFF;
use crate::{Error, LoadOptions, Loader};
use reader::Reader;

/// Loads documents in Rich Text Format and writes them as Markdown.
///
/// Headings come from outline levels and from the names of styles, or are inferred as in Word documents. Lists,
/// tables, links, footnotes and endnotes become Markdown; a table within a cell is written on the line of the
/// cell. A picture becomes its alternative text, and `WordArt` its words. Hidden and deleted text is left out;
/// `hidden_letters_left_out` and `deletions_left_out` count it. Embedded objects are left out, too;
/// `unread_parts` in the metadata lists the programs that they belong to. Headers and footers of pages are read on
/// [request](crate::DocxOptions), before and after the body; otherwise `running_lines` lists them. Text before the header of the format is
/// kept, and fragments without a header are read, too. Comments are read on
/// [request](crate::DocxOptions::comments), as notes with the names of their authors.
///
/// A truncated file is read as far as it goes, with `cut_off` in the metadata. A file with groups nested deeper
/// than 4,096 is refused.
#[derive(Clone, Debug, Default)]
pub struct RtfLoader {
    options: LoadOptions,
}

impl RtfLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for RtfLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let reader = Reader::read(text, &self.options.docx);
        let reader = reader.map_err(|failure| failure.into_error(path, Format::Rtf))?;
        let is_cut_off = reader.is_cut_off();
        let (blocks, mut metadata) = reader.finish();
        if is_cut_off {
            metadata.extra.insert(CUT_OFF.into(), true.into());
        }
        let (text, outline) = render(&blocks);
        let document = Document {
            text,
            format: Format::Rtf,
            outline,
            pages: Vec::new(),
            metadata,
        };
        Ok(with_source(document, bytes))
    }
}
