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
/// Headings come from outline levels and from the names of styles, or are found as those of Word documents are. Lists, tables, links, footnotes
/// and endnotes become those of Markdown, and
/// a table in a cell is written in its line. Hidden and deleted text, pictures, page headers and footers
/// are left out, and so are objects of other programs, which `unread_parts` in the metadata names by these. What stands before the header of the format is text, and parts of documents without a header are read, too.
/// Comments are read on [request](crate::DocxOptions::comments), as notes with the names of their
/// authors. A file that is cut off is read as far as it goes, and `cut_off` in the metadata
/// says so; one whose groups nest deeper than 4,096 is refused.
#[derive(Clone, Debug, Default)]
pub struct RtfLoader {
    options: LoadOptions,
}

impl RtfLoader {
    /// Makes a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for RtfLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let reader = Reader::read(text, self.options.docx.comments);
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
