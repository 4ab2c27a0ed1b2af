//! Markdown files.

mod includes;

use std::path::Path;

use sectile_chunk::{UnclosedFence, markdown_outline, mdx_outline};
use sectile_core::{Document, Format, Heading};
use serde_json::json;

use crate::loader::with_source;
use crate::markup::only_title;
use crate::omissions::UNCLOSED_FENCE;
use crate::text::decode_text;
use crate::{Error, Loader, front_matter};

/// Loads Markdown: the source as it is, decoded as [`TextLoader`](crate::TextLoader) does, with
/// its headings as outline.
///
/// Front matter in YAML (`---`), in TOML (`+++`) or in lines `Key: value` above a blank line (see
/// [`LeadingFields`](sectile_core::LeadingFields)) stays in the text and is read into the metadata as well; one that is broken
/// is ignored. Where it gives no title, the heading of level 1 does if there is only one; without any, the heading that the
/// document begins with if the others are below it. The outline of a file in MDX is that of [`mdx_outline`]. Files that the document includes are not followed: `not_followed` in
/// [`Metadata::extra`](sectile_core::Metadata::extra) names them. If nothing closes a code fence, and it hides headings,
/// `unclosed_fence` there has its `line` and the number of these `headings`.
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
        let mut document = decode_text(bytes, path, Format::Markdown)?;
        let fence = if is_mdx(path) {
            document.outline = mdx_outline(&document.text);
            UnclosedFence::of_mdx(&document.text)
        } else {
            document.outline = markdown_outline(&document.text);
            UnclosedFence::of(&document.text)
        };
        let above = front_matter::read(&mut document.metadata, &document.text, path)
            .or_else(|| front_matter::read_fields(&mut document.metadata, &document.text));
        includes::find(&document.text, is_mdx(path)).write_into(&mut document.metadata);
        if let Some(UnclosedFence { line, headings }) = fence {
            let fence = json!({ "line": line, "headings": headings });
            document.metadata.extra.insert(UNCLOSED_FENCE.into(), fence);
        }
        if document.metadata.title.is_none() {
            let above = above.map_or(0, |span| span.end);
            document.metadata.title = only_title(&document.outline)
                .or_else(|| opening_title(&document.text, above, &document.outline));
        }
        Ok(with_source(document, bytes))
    }
}

/// Returns whether the name of a file is that of MDX, Markdown with components.
pub fn is_mdx(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("mdx"))
}

/// Returns the heading that a text begins with behind the place `above`, if all others are below it. Badges, tags and the
/// end of front matter may stand before it.
fn opening_title(text: &str, above: usize, outline: &[Heading]) -> Option<String> {
    let (first, others) = outline.split_first()?;
    let before = text.get(above..first.span.start)?;
    let is_text = |line: &str| {
        let is_fence = line.chars().all(|sign| matches!(sign, '-' | '+' | '.'));
        !is_fence && !line.starts_with('<') && !line.starts_with("[![")
    };
    let is_first = !before.lines().any(|line| is_text(line.trim()));
    let is_above = others.iter().all(|other| other.level > first.level);
    (is_first && is_above && !first.title.is_empty()).then(|| first.title.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heading_that_a_text_begins_with_is_its_title() {
        let title = |text: &str| {
            let document = MarkdownLoader.load(text.as_bytes(), Path::new("a.md"));
            document.expect("it is Markdown").metadata.title
        };
        for text in [
            "Article 144\n----\nText.\n",
            "---\ntags: [a]\n---\n\n### Article 144\n\n#### Notes\n",
            "<a id=\"x\"></a>\n[![b](c)](d)\n\n## Article 144\n",
            "## Aside\n\n# Article 144\n",
        ] {
            assert_eq!(title(text).as_deref(), Some("Article 144"), "{text}");
        }
        for text in [
            "Text.\n\n## License\n",
            "## Install\n\n## Use\n",
            "### A\n\n## B\n",
            "# A\n\n# B\n",
        ] {
            assert_eq!(title(text), None, "{text}");
        }
    }

    #[test]
    fn files_in_mdx_have_the_headings_of_mdx() {
        let text = "# Guide\n\n<Tab>\n    ## Install\n</Tab>\n";
        let titles = |path: &str| -> Vec<String> {
            let document = MarkdownLoader.load(text.as_bytes(), Path::new(path));
            let document = document.expect("it is Markdown");
            assert_eq!(document.text, text);
            let outline = document.outline.into_iter();
            outline.map(|heading| heading.title).collect()
        };
        assert_eq!(titles("a.md"), ["Guide"]);
        assert_eq!(titles("a.MDX"), ["Guide", "Install"]);
    }
}
