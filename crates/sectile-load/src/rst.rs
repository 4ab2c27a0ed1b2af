//! reStructuredText files.

mod blocks;
mod includes;
mod inline;

use std::path::Path;

use sectile_core::{Document, Format, Metadata};

use crate::markup::{Fields, Line, lines, only_title, preamble};
use crate::text::load_text;
use crate::{Error, Loader};

/// Loads reStructuredText: the source as it is, decoded as [`TextLoader`](crate::TextLoader) does,
/// with its section titles as outline.
///
/// Titles are found and ranked as docutils does it: by their lines above and below, in the order in
/// which these appear. Those that docutils reports as errors, as they skip a level, count as well. The
/// fields at the beginning (`:Author:`, `:Date:`, `:orphan:`) are read into the metadata, and so are lines `Key: value`
/// above a blank line if one is the title, as in PEPs. Files that
/// the document includes are not followed: `not_followed` in
/// [`Metadata::extra`] names them.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{Loader, RstLoader};
///
/// let text = "Guide\n=====\n\n:Author: Ada\n\nUse ``cargo``\n-----------\n";
/// let document = RstLoader.load(text.as_bytes(), Path::new("guide.rst"))?;
/// assert_eq!(document.text, text);
/// assert_eq!(document.outline[1].title, "Use cargo");
/// assert_eq!(document.metadata.author.as_deref(), Some("Ada"));
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct RstLoader;

impl Loader for RstLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = load_text(bytes, path, Format::Rst)?;
        let lines = lines(&document.text);
        document.outline = blocks::outline(&lines);
        includes::find(&lines).write_into(&mut document.metadata);
        let after_title = document.outline.first().map_or(0, |first| first.span.end);
        let mut fields = Fields::new(&mut document.metadata);
        for (name, value) in preamble(&document.text) {
            fields.set_if_any(name, &value);
        }
        read_fields(&lines, 0, &mut document.metadata);
        read_fields(&lines, after_title, &mut document.metadata);
        if document.metadata.title.is_none() {
            document.metadata.title = only_title(&document.outline);
        }
        Ok(document)
    }
}

/// Reads the field list that begins at the offset `start`, after blank lines and comments at most.
fn read_fields(lines: &[Line<'_>], start: usize, metadata: &mut Metadata) {
    let first = lines.partition_point(|line| line.span.start < start);
    let is_before =
        |line: &&Line<'_>| line.is_blank() || line.is_indented() || line.text.starts_with("..");
    let rest = &lines[first..];
    let skipped = rest.iter().take_while(is_before).count();
    let mut fields = Fields::new(metadata);
    let mut field: Option<(&str, String)> = None;
    for line in &rest[skipped..] {
        if let Some((name, value)) = blocks::field(line.text) {
            if let Some((name, value)) = field.replace((name, value.to_owned())) {
                fields.set(name, &value);
            }
        } else if let (true, Some((_, value))) = (line.is_indented(), &mut field) {
            value.push(' ');
            value.push_str(line.text.trim());
        } else if !line.is_blank() || field.is_none() {
            break;
        }
    }
    if let Some((name, value)) = field {
        fields.set(name, &value);
    }
}
