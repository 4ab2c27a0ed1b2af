//! AsciiDoc files.

mod attributes;
mod blocks;
mod inline;

use std::path::Path;

use sectile_core::{Document, Format};

use crate::loader::with_source;
use crate::markup::lines;
use crate::text::decode_text;
use crate::{Error, Loader, front_matter};
use blocks::Reader;

/// Loads AsciiDoc: the source as it is, decoded as [`TextLoader`](crate::TextLoader) does, with its
/// section titles as outline.
///
/// Titles are found where Asciidoctor finds them, in both styles; `=` is level 1. Attributes that the
/// file defines are put into titles. Discrete headings are not sections. Of conditional directives
/// both sides count, as both stand in the text. The title, the author, the revision and the attributes
/// of the header are read into the metadata. Files that the document includes are not followed:
/// `not_followed` in [`Metadata::extra`](sectile_core::Metadata::extra) names them.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{AsciidocLoader, Loader};
///
/// let text = "= Guide\nAda Byron <ada@example.org>\n:tool: Sectile\n\n== Use {tool}\n\nText.\n";
/// let document = AsciidocLoader.load(text.as_bytes(), Path::new("guide.adoc"))?;
/// assert_eq!(document.text, text);
/// assert_eq!(document.outline[1].title, "Use Sectile");
/// assert_eq!(document.metadata.author.as_deref(), Some("Ada Byron"));
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AsciidocLoader;

impl Loader for AsciidocLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = decode_text(bytes, path, Format::Asciidoc)?;
        let above = front_matter::read(&mut document.metadata, &document.text, path);
        let lines = lines(&document.text);
        let body = above.map_or(0, |span| {
            lines.partition_point(|line| line.span.start <= span.end)
        });
        let reader = Reader::read(&lines[body..], &mut document.metadata);
        document.outline = reader.outline;
        reader.not_followed.write_into(&mut document.metadata);
        Ok(with_source(document, bytes))
    }
}
