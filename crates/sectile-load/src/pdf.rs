//! Portable Document Format files.

mod bookmarks;
mod extract;
mod info;
mod isolate;
mod locate;
mod objects;

use std::path::Path;

use sectile_core::{Document, Format, Heading, Metadata, Page, Span};
use serde_json::Value;

use crate::{Error, Loader};
use bookmarks::Bookmark;
use extract::{Extract, Extracted};

/// The name in [`Metadata::extra`] of the numbers of pages that could not be read.
const FAILED_PAGES: &str = "failed_pages";

/// Loads PDF files: the text page by page, with the bookmarks as outline.
///
/// Page spans cover the whole text, each page ends with a newline. Where the file has no
/// bookmarks, the outline is made of the headings that stand out by their type size. A page that
/// cannot be read is left empty, and `failed_pages` in [`Metadata::extra`] names it.
///
/// Parsing runs on a thread of its own with a large stack, and a panic of the parser becomes an
/// error. A hostile file can still take very long, exhaust the memory or overflow the stack, with
/// this as with any other parser of PDF: load files of unknown origin in a process of their own,
/// under limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct PdfLoader;

/// The cause of a parse error, from whichever parser found it.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why a PDF could not be loaded, before the file's name is known.
enum Failure {
    Encrypted,
    NoText,
    Parse(Cause),
}

impl Loader for PdfLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let parsed = isolate::on_large_stack(|| parse(bytes));
        let failure = match parsed {
            Ok(Ok(document)) => return Ok(document),
            Ok(Err(failure)) => failure,
            Err(cause) => Failure::Parse(cause),
        };
        let path = path.into();
        Err(match failure {
            Failure::Encrypted => Error::Encrypted { path },
            Failure::NoText => Error::NoText { path },
            Failure::Parse(source) => Error::ParsePdf { path, source },
        })
    }
}

fn parse(bytes: &[u8]) -> Result<Document, Failure> {
    let extracted = extract::extract(bytes)?;
    if extracted.is_blank() {
        return Err(if extracted.failed.is_empty() {
            Failure::NoText
        } else {
            Failure::Parse("none of its pages can be read".into())
        });
    }
    let objects = objects::read(bytes);
    let mut metadata = objects.as_ref().map(info::metadata).unwrap_or_default();
    let marks = objects.as_ref().map(bookmarks::read).unwrap_or_default();
    describe(&mut metadata, bytes, &extracted);
    Ok(assemble(extracted.pages, &marks, metadata))
}

fn describe(metadata: &mut Metadata, bytes: &[u8], extracted: &Extracted) {
    metadata.size = Some(bytes.len() as u64);
    metadata.page_count = u32::try_from(extracted.pages.len()).ok();
    if !extracted.failed.is_empty() {
        let numbers = Value::from(extracted.failed.clone());
        metadata.extra.insert(FAILED_PAGES.into(), numbers);
    }
}

/// Joins the pages into one text, and points the outline into it.
fn assemble(extracts: Vec<Extract>, marks: &[Bookmark], metadata: Metadata) -> Document {
    let mut document = Document {
        format: Format::Pdf,
        metadata,
        ..Document::default()
    };
    for (number, extract) in (1..).zip(extracts) {
        let start = document.text.len();
        document.text.push_str(&extract.text);
        document.text.push('\n');
        document.pages.push(Page {
            number,
            label: None,
            span: Span::new(start, document.text.len()),
        });
        let headings = extract.headings.into_iter();
        document.outline.extend(headings.map(|heading| Heading {
            span: heading.span.shifted(start),
            ..heading
        }));
    }
    if !marks.is_empty() {
        document.outline = locate::headings(marks, &document.text, &document.pages);
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extract(text: &str) -> Extract {
        Extract {
            text: text.into(),
            headings: Vec::new(),
        }
    }

    #[test]
    fn pages_cover_the_text_without_gaps() {
        let pages = vec![extract("one"), extract(""), extract("three")];
        let document = assemble(pages, &[], Metadata::default());
        assert_eq!(document.text, "one\n\nthree\n");
        let spans: Vec<Span> = document.pages.iter().map(|page| page.span).collect();
        assert_eq!(spans, [Span::new(0, 4), Span::new(4, 5), Span::new(5, 11)]);
    }

    #[test]
    fn guessed_headings_are_moved_to_their_page() {
        let heading = Heading {
            level: 2,
            title: "Two".into(),
            span: Span::new(0, 4),
        };
        let second = Extract {
            text: "Two\n\ntext".into(),
            headings: vec![heading],
        };
        let document = assemble(vec![extract("one"), second], &[], Metadata::default());
        assert_eq!(document.outline[0].span.of(&document.text), "Two\n");
    }
}
