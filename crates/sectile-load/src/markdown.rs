//! Markdown files.

use std::path::Path;

use sectile_chunk::markdown_outline;
use sectile_core::{Document, Format, Heading};

use crate::text::load_text;
use crate::{Error, Loader, front_matter};

/// Loads Markdown: the source as it is, decoded as [`TextLoader`](crate::TextLoader) does, with
/// its headings as outline.
///
/// Front matter in YAML (`---`) or TOML (`+++`) stays in the text and is read into the metadata as well; one that is broken
/// is ignored. Where it gives no title, the heading of level 1 does if there is only one.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{Loader, MarkdownLoader};
///
/// let text = "---\ndate: 2026-11-21\n---\n\nGuide\n=====\n";
/// let document = MarkdownLoader.load(text.as_bytes(), Path::new("guide.md"))?;
/// assert_eq!(document.text, text);
/// assert_eq!(document.outline[0].title, "Guide");
/// assert_eq!(document.metadata.title.as_deref(), Some("Guide"));
/// assert_eq!(document.metadata.created.as_deref(), Some("2026-11-21"));
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkdownLoader;

impl Loader for MarkdownLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = load_text(bytes, path, Format::Markdown)?;
        document.outline = markdown_outline(&document.text);
        front_matter::read(&mut document.metadata, &document.text, path);
        if document.metadata.title.is_none() {
            document.metadata.title = only_title(&document.outline);
        }
        Ok(document)
    }
}

/// Returns the heading of level 1 if there is one alone: of several, none names the document.
pub(crate) fn only_title(outline: &[Heading]) -> Option<String> {
    let is_title = |heading: &&Heading| heading.level == 1 && !heading.title.is_empty();
    let mut titles = outline.iter().filter(is_title);
    let first = titles.next()?;
    titles.next().is_none().then(|| first.title.clone())
}
