//! Pages of MediaWiki, written as Markdown.

mod blocks;
mod inline;
mod literals;
mod table;
mod templates;

use std::path::Path;

use sectile_core::{Document, Format};

use crate::blocks::{Block, render};
use crate::loader::with_source;
use crate::markup::{Fields, only_title, short};
use crate::text::decode_text;
use crate::{Error, Loader};

/// The name in [`Metadata::extra`](sectile_core::Metadata::extra) of the categories of a page.
const CATEGORIES: &str = "categories";

/// How many categories are kept.
const MAX_CATEGORIES: usize = 1_000;

/// Loads pages in the markup of MediaWiki, and writes them as Markdown.
///
/// Headings keep their levels: `==` is level 2. Lists, tables, links and footnotes become those of Markdown, and what is
/// in `<pre>`, `<source>` and `<syntaxhighlight>` stands in fences. Of a template its arguments are written, without
/// its name: of one on a single line those without names, or else those with names, and of a source what identifies it.
/// Templates without arguments, functions of the parser and comments are left out. Categories are read into
/// the metadata, and so are the fields of a `<pre>` that the page begins with. The title is that of `DISPLAYTITLE` or of
/// a field, and stands above the text as heading of level 1 if the page has none.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{Loader, MediawikiLoader};
///
/// let page = "== Use ==\nCall '''[[Help:Run|run]]''' or <code>start</code>.\n* One\n[[Category:Tools]]\n";
/// let document = MediawikiLoader.load(page.as_bytes(), Path::new("tool.mediawiki"))?;
/// assert_eq!(document.text, "## Use\n\nCall **run** or `start`.\n\n- One\n");
/// assert_eq!(document.metadata.extra["categories"][0], "Tools");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MediawikiLoader;

impl Loader for MediawikiLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = decode_text(bytes, path, Format::Mediawiki)?;
        let page = blocks::read(&document.text);
        let metadata = &mut document.metadata;
        metadata.title = page.title.map(|title| short(&title));
        let mut fields = Fields::new(metadata);
        for (name, value) in &page.fields {
            fields.set_if_any(name, value);
        }
        let mut categories = page.categories;
        categories.truncate(MAX_CATEGORIES);
        if !categories.is_empty() {
            metadata.extra.insert(CATEGORIES.into(), categories.into());
        }
        let mut blocks = page.blocks;
        let is_title = |block: &Block| matches!(block, Block::Heading { level: 1, .. });
        if let Some(title) = &metadata.title
            && !blocks.iter().any(is_title)
        {
            let text = short(title);
            blocks.insert(0, Block::Heading { level: 1, text });
        }
        (document.text, document.outline) = render(&blocks);
        if document.metadata.title.is_none() {
            document.metadata.title = only_title(&document.outline);
        }
        Ok(with_source(document, bytes))
    }
}
