//! Files that have all pages of a site, such as a saved `llms-full.txt`.

use std::path::Path;

use sectile_chunk::markdown_outline;
use sectile_core::{Document, Format, Heading};
use sectile_site::{FullPage, SPLIT_VERSION, split_full};
use url::Url;

use crate::uri::document_path;

/// How the names of such files end, before the extension.
const NAME: &str = "llms-full";

/// The address that the file would have on a site. Only the paths of its pages' addresses are shown.
const SITE: &str = "https://site.invalid/llms-full.txt";

/// Returns whether a file name is that of a file with all pages of a site.
pub fn is_full_text(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_str().is_some_and(|stem| stem.ends_with(NAME))
}

/// Returns the version of the rules that find the pages of such a file, or 0 for other documents.
pub(super) fn rules_version(uri: &str) -> u32 {
    let is_full_text = document_path(uri).is_some_and(|path| is_full_text(&path));
    if is_full_text { SPLIT_VERSION } else { 0 }
}

/// Gives a document a heading for each page, with the headings of the page below it, if its
/// [name](is_full_text) and its page markers show that it is a file of many pages. An ingest does
/// this with the documents that it loads.
#[expect(clippy::missing_panics_doc, reason = "the address is a constant")]
pub fn give_pages(document: &mut Document, path: &Path) {
    let is_text = matches!(document.format, Format::Text | Format::Markdown);
    if !is_text || !is_full_text(path) {
        return;
    }
    let url = Url::parse(SITE).expect("it is an address");
    let pages = split_full(&document.text, &url);
    if pages.len() < 2 {
        return;
    }
    let outlines = pages.iter().map(|page| outline(&document.text, page, &url));
    document.outline = outlines.flatten().collect();
    document.format = Format::Markdown;
    // Front matter of the first page is not that of the file.
    document.metadata.title = None;
}

/// Returns the heading of a page followed by the headings in its text. For text before the first page, there are only
/// the latter.
fn outline(text: &str, page: &FullPage, file: &Url) -> Vec<Heading> {
    let of_page = page.span.of(text);
    let own = markdown_outline(of_page);
    let is_page = page.url != *file;
    let begins = if is_page {
        front_matter_end(of_page)
    } else {
        0
    };
    let mut own: Vec<Heading> = own
        .into_iter()
        .filter(|heading| heading.span.start >= begins)
        .collect();
    for heading in &mut own {
        heading.span = heading.span.shifted(page.span.start);
    }
    if !is_page {
        return own;
    }
    // The page may begin with its heading, or have it below front matter.
    let is_only = own.iter().filter(|heading| heading.level == 1).count() == 1;
    let repeats = |first: &Heading| {
        let is_title = page.title.as_ref() == Some(&first.title);
        let is_alone = is_only && first.level == 1;
        first.span.start == page.span.start || is_title || is_alone
    };
    let first = own.first().is_some_and(repeats).then(|| own.remove(0));
    let begins_it = |first: &&Heading| first.span.start == page.span.start;
    let span = first.as_ref().filter(begins_it).map(|first| first.span);
    let heading = Heading {
        level: 1,
        span: span.unwrap_or((page.span.start..page.span.start).into()),
        title: first
            .map(|first| first.title)
            .or_else(|| page.title.clone())
            .unwrap_or_else(|| page.url.path().to_owned()),
    };
    [heading].into_iter().chain(below(own)).collect()
}

/// Moves headings one level down, below a heading of level 1.
fn below(mut headings: Vec<Heading>) -> Vec<Heading> {
    let is_as_high = headings.iter().any(|heading| heading.level == 1);
    for heading in headings.iter_mut().filter(|_| is_as_high) {
        heading.level = (heading.level + 1).min(6);
    }
    headings
}

/// Returns the end of the front matter of a page, or 0 if there is none.
fn front_matter_end(page: &str) -> usize {
    let fence = "---\n";
    let inner = page.strip_prefix(fence);
    let end = inner.and_then(|inner| inner.find("\n---\n"));
    end.map_or(0, |end| fence.len() + end + "\n---\n".len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, expected: &[(u8, &str)]) {
        let mut document = Document {
            text: text.to_owned(),
            ..Document::default()
        };
        give_pages(&mut document, &Path::new("docs").join(name));
        let outline = document.outline.iter();
        let found: Vec<_> = outline
            .map(|heading| (heading.level, &*heading.title))
            .collect();
        assert_eq!(found, expected, "{name}");
        let starts: Vec<_> = document.outline.iter().map(|one| one.span.start).collect();
        assert!(starts.is_sorted(), "{starts:?}");
    }

    #[test]
    fn each_page_is_a_heading_with_its_own_below() {
        let text = "Intro.\n\n---\nurl: /a\n---\n\n# A\n\n## Use\n\nText.\n\n---\n\nMore.\n\n\
                    ---\nurl: /b\n---\n\nText.\n\n# One\n\n# Two\n";
        let expected = [(1, "A"), (2, "Use"), (1, "/b"), (2, "One"), (2, "Two")];
        check("llms-full.txt", text, &expected);
        let text = "---\na.md\n---\n\n# A\n\nText.\n\n---\nb.md\n---\n\n# B\n";
        check("lang-llms-full.txt", text, &[(1, "A"), (1, "B")]);
        let text = "# A\nSource: /a\n\n## Use\n\n# B\nSource: /b\n";
        check("llms-full.md", text, &[(1, "A"), (2, "Use"), (1, "B")]);
    }

    #[test]
    fn other_files_are_as_they_were() {
        check("notes.txt", "# A\nSource: /a\n\n# B\nSource: /b\n", &[]);
        check("llms-full.txt", "No pages.\n", &[]);
    }
}
