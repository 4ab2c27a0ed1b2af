//! The text of each page, through `unpdf`.

use std::ops::ControlFlow;

use sectile_core::{Heading, Span};
use unpdf::{Block, PageStreamOptions, ParseEvent, ParseOptions, PdfParser};

use super::Failure;

/// What separates the blocks of a page.
const BETWEEN_BLOCKS: &str = "\n\n";

/// The pages of a file in order.
#[derive(Debug, Default)]
pub(super) struct Extracted {
    pub(super) pages: Vec<Extract>,
    /// The numbers, from 1, of the pages that could not be read and are empty in `pages`.
    pub(super) failed: Vec<u32>,
}

/// The text of one page and the headings that stand out by their type size.
#[derive(Debug, Default)]
pub(super) struct Extract {
    pub(super) text: String,
    pub(super) headings: Vec<Heading>,
}

/// Extracts the text of all pages.
pub(super) fn extract(bytes: &[u8]) -> Result<Extracted, Failure> {
    // One thread only: the parser's own threads would not have the large stack.
    let options = ParseOptions::new()
        .lenient()
        .with_resources(false)
        .sequential();
    let stream = PageStreamOptions::from(&options);
    let parser = PdfParser::from_bytes_with_options(bytes, options)?;
    let mut extracted = Extracted::default();
    parser.for_each_page(stream, |event| {
        extracted.add(event);
        ControlFlow::Continue(())
    })?;
    if extracted.pages.is_empty() {
        return Err(Failure::Parse("it has no page that can be found".into()));
    }
    Ok(extracted)
}

impl From<unpdf::Error> for Failure {
    fn from(error: unpdf::Error) -> Self {
        match error {
            unpdf::Error::Encrypted | unpdf::Error::InvalidPassword => Self::Encrypted,
            other => Self::Parse(other.into()),
        }
    }
}

impl Extracted {
    /// Says whether there is no text on any page.
    pub(super) fn is_blank(&self) -> bool {
        let mut texts = self.pages.iter().map(|page| page.text.trim());
        texts.all(str::is_empty)
    }

    fn add(&mut self, event: ParseEvent) {
        match event {
            ParseEvent::PageParsed(page) => self.pages.push(Extract::new(&page.elements)),
            ParseEvent::PageFailed { page, error } => {
                tracing::debug!(page, %error, "a page could not be read");
                self.failed.push(page);
                self.pages.push(Extract::default());
            }
            ParseEvent::DocumentStart { .. }
            | ParseEvent::Progress { .. }
            | ParseEvent::DocumentEnd { .. } => {}
        }
    }
}

impl Extract {
    fn new(blocks: &[Block]) -> Self {
        let mut extract = Self::default();
        for block in blocks {
            extract.push(block);
        }
        extract
    }

    fn push(&mut self, block: &Block) {
        let mut text = String::new();
        block.append_plain_text(&mut text);
        let text = text.trim_end().replace('\0', "\u{FFFD}");
        if text.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(BETWEEN_BLOCKS);
        }
        if let Some(heading) = heading(block, &text, self.text.len()) {
            self.headings.push(heading);
        }
        self.text.push_str(&text);
    }
}

fn heading(block: &Block, text: &str, start: usize) -> Option<Heading> {
    let Block::Paragraph(paragraph) = block else {
        return None;
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    Some(Heading {
        level: paragraph.heading_level()?.clamp(1, 6),
        title: words.join(" "),
        // The newline belongs to the line, and always follows.
        span: Span::new(start, start + text.len() + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use unpdf::Paragraph;

    #[test]
    fn headings_point_at_their_lines() {
        let blocks = [
            Block::Paragraph(Paragraph::with_text("Some text.")),
            Block::HorizontalRule,
            Block::Paragraph(Paragraph::heading("A  title", 2)),
        ];
        let extract = Extract::new(&blocks);
        assert_eq!(extract.text, "Some text.\n\nA  title");
        assert_eq!(extract.headings.len(), 1);
        assert_eq!(extract.headings[0].title, "A title");
        assert_eq!(extract.headings[0].span, Span::new(12, 21));
    }
}
