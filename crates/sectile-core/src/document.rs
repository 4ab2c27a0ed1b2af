//! What a loader makes of a file.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Format, Metadata, Pages, Span};

/// A loaded document: its text with the structure found in it.
///
/// All spans point into `text`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The text; Markdown if the format has structure.
    pub text: String,
    /// The format it was loaded from.
    pub format: Format,
    /// The headings in the order of the text.
    pub outline: Vec<Heading>,
    /// The pages in the order of the text; empty if the format has none.
    pub pages: Vec<Page>,
    /// The metadata of the document.
    pub metadata: Metadata,
}

impl Document {
    /// Returns the text as Markdown. The text of most formats is returned unchanged. In some
    /// formats, headings are ordinary lines, as in a PDF, or have other markup, as in LaTeX or
    /// plain text. There each known heading gets its number signs.
    pub fn to_markdown(&self) -> Cow<'_, str> {
        let is_markup = matches!(
            self.format,
            Format::Rst | Format::Asciidoc | Format::Org | Format::Latex | Format::Text
        );
        if !is_markup && self.format != Format::Pdf {
            return Cow::Borrowed(&self.text);
        }
        let mut markdown = String::with_capacity(self.text.len());
        let mut done = 0;
        for heading in self
            .outline
            .iter()
            .filter(|heading| !heading.span.is_empty())
        {
            let Some(before) = self.text.get(done..heading.span.start) else {
                continue;
            };
            markdown.push_str(before.trim_end_matches([' ', '\t']));
            while !markdown.is_empty() && !markdown.ends_with("\n\n") {
                markdown.push('\n');
            }
            markdown.push_str(&"#".repeat(heading.level.into()));
            // The lines of a heading may hold marks that are not part of its title.
            let title = if is_markup {
                &heading.title
            } else {
                heading.span.of(&self.text)
            };
            for word in title.split_whitespace() {
                markdown.push(' ');
                markdown.push_str(word);
            }
            markdown.push_str("\n\n");
            done = self.behind_blanks(heading.span.end);
        }
        markdown.push_str(&self.text[done..]);
        Cow::Owned(markdown)
    }

    /// Returns the place behind blank lines, or behind the spaces within a line: a line keeps its indentation.
    fn behind_blanks(&self, place: usize) -> usize {
        let (before, behind) = self.text.split_at(place);
        let first = self.text.len() - behind.trim_start().len();
        match self.text[place..first].rfind('\n') {
            Some(end) => place + end + 1,
            None if before.ends_with('\n') => place,
            None => first,
        }
    }

    /// Returns the pages that `span` touches, or `None` if the document has no pages.
    pub fn pages_of(&self, span: Span) -> Option<Pages> {
        let after = |offset: usize| self.pages.partition_point(|page| page.span.start <= offset);
        let first = self.pages.get(after(span.start).checked_sub(1)?)?;
        let last_byte = span.end.saturating_sub(1).max(span.start);
        let last = self.pages.get(after(last_byte).checked_sub(1)?)?;
        Some(Pages {
            first: first.number,
            last: last.number,
        })
    }
}

/// A heading of a document's outline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// The level, 1 to 6.
    pub level: u8,
    /// The heading's text without markup.
    pub title: String,
    /// The span of the heading's lines in the text; empty if only a position is known.
    pub span: Span,
}

/// A page of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The number, counted from 1 over the whole document.
    pub number: u32,
    /// The label that readers see, such as `iv`, if it differs from the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The part of the text on the page.
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u32, start: usize, end: usize) -> Page {
        Page {
            number,
            label: None,
            span: Span::new(start, end),
        }
    }

    #[test]
    fn a_span_over_a_page_break_has_both_pages() {
        let document = Document {
            text: "one two three".into(),
            pages: vec![page(1, 0, 4), page(2, 4, 8), page(3, 8, 13)],
            ..Document::default()
        };
        let pages = |start, end| document.pages_of(Span::new(start, end));
        assert_eq!(pages(0, 4), Some(Pages { first: 1, last: 1 }));
        assert_eq!(pages(3, 9), Some(Pages { first: 1, last: 3 }));
        assert_eq!(pages(13, 13), Some(Pages { first: 3, last: 3 }));
        assert_eq!(Document::default().pages_of(Span::new(0, 0)), None);
    }

    #[test]
    fn headings_of_a_pdf_become_those_of_markdown() {
        let heading = |level, start, end| Heading {
            level,
            title: String::new(),
            span: Span::new(start, end),
        };
        let mut document = Document {
            text: "1.2 The\nStart\n\ntext\nRun in. More\n".into(),
            format: Format::Pdf,
            outline: vec![heading(1, 0, 0), heading(2, 0, 14), heading(3, 20, 27)],
            ..Document::default()
        };
        let expected = "## 1.2 The Start\n\ntext\n\n### Run in.\n\nMore\n";
        assert_eq!(document.to_markdown(), expected);
        document.format = Format::Docx;
        assert_eq!(document.to_markdown(), document.text);
    }

    #[test]
    fn headings_of_other_markup_become_those_of_markdown() {
        let document = Document {
            text: "Guide\n=====\nText.\n\\section{A}\\label{a} More.\n".into(),
            format: Format::Rst,
            outline: vec![
                Heading {
                    level: 1,
                    title: "Guide".into(),
                    span: Span::new(0, 12),
                },
                Heading {
                    level: 2,
                    title: "A".into(),
                    span: Span::new(18, 38),
                },
            ],
            ..Document::default()
        };
        let expected = "# Guide\n\nText.\n\n## A\n\nMore.\n";
        assert_eq!(document.to_markdown(), expected);
    }

    #[test]
    fn text_below_a_heading_keeps_its_indentation() {
        let heading = |title: &str, start, end| Heading {
            level: 1,
            title: title.into(),
            span: Span::new(start, end),
        };
        let document = Document {
            text: "A\n=\n\n    1\n    2\n  B: 3\n".into(),
            format: Format::Text,
            outline: vec![heading("A", 0, 4), heading("B", 19, 21)],
            ..Document::default()
        };
        let expected = "# A\n\n    1\n    2\n\n# B\n\n3\n";
        assert_eq!(document.to_markdown(), expected);
    }
}
