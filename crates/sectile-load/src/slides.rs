//! The slides of a presentation, written one after the other.

use sectile_core::{Document, Format, Heading, Metadata, Page, Span};
use serde_json::Value;

use crate::Limits;
use crate::blocks::{Block, render};
use crate::failure::Failure;
use crate::omissions::FAILED_PAGES;
use crate::running_lines::RunningLines;

/// The name in `Metadata::extra` of hidden slides.
const HIDDEN_SLIDES: &str = "hidden_slides";

/// The maximum difference in height of shapes in a row: a quarter of an inch, in units of 1/914,400 inch.
const ROW: i64 = 228_600;

/// What a shape is on the slide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Title,
    Subtitle,
    /// A placeholder whose paragraphs are items.
    Outline,
    #[default]
    Other,
    /// A footer, header or date.
    Footer,
    /// The number of the slide.
    Number,
}

/// A slide as it is written.
#[derive(Debug, Default)]
pub(crate) struct Slide {
    pub(crate) title: Option<String>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) is_hidden: bool,
    /// It could not be read to its end.
    pub(crate) is_damaged: bool,
    /// Its footer and date.
    pub(crate) running: Vec<String>,
}

/// Puts shapes in the order in which they are read: by what they are, then by rows. The place of a shape is how far it
/// is from the top and from the left, where the slide says so.
pub(crate) fn in_reading_order<T>(
    shapes: &mut [T],
    kind: impl Fn(&T) -> Kind,
    place: impl Fn(&T) -> Option<(i64, i64)>,
) {
    shapes.sort_by_key(|shape| (kind(shape), place(shape)));
    for same in shapes.chunk_by_mut(|left, right| kind(left) == kind(right)) {
        let mut from = 0;
        while from < same.len() {
            let top = place(&same[from]).map(|(top, _)| top);
            let row = same[from..].iter().take_while(|&shape| {
                let distance = place(shape)
                    .zip(top)
                    .map(|((own, _), top)| own.saturating_sub(top));
                distance.is_some_and(|distance| distance < ROW)
            });
            let row = row.count().max(1);
            same[from..from + row].sort_by_key(|shape| place(shape).map(|(_, left)| left));
            from += row;
        }
    }
}

/// The text of a presentation while its slides are read.
#[derive(Debug, Default)]
pub(crate) struct Slides {
    text: String,
    outline: Vec<Heading>,
    pages: Vec<Page>,
    hidden: Vec<u32>,
    failed: Vec<u32>,
    running: RunningLines,
}

impl Slides {
    /// Writes a slide with its title at a level, below the section that begins with it.
    pub(crate) fn add(
        &mut self,
        section: Option<&str>,
        level: u8,
        slide: Slide,
        limits: &Limits,
    ) -> Result<(), Failure> {
        let number = self.pages.len() as u32 + 1;
        let heading = |level, text: &str| Block::Heading {
            level,
            text: text.into(),
        };
        let mut blocks: Vec<Block> = section.map(|name| heading(1, name)).into_iter().collect();
        let title = slide.title.unwrap_or_else(|| format!("Slide {number}"));
        blocks.push(heading(level, &title));
        blocks.extend(slide.blocks);
        self.push(number, &blocks);
        self.hidden.extend(slide.is_hidden.then_some(number));
        self.failed.extend(slide.is_damaged.then_some(number));
        self.add_running(slide.running);
        let limit = limits.inflated_bytes;
        if self.text.len() as u64 <= limit {
            return Ok(());
        }
        Err(Failure::Limit {
            what: "the bytes of the text of a presentation",
            limit,
        })
    }

    /// Adds lines at the foot of slides, each once.
    pub(crate) fn add_running(&mut self, lines: Vec<String>) {
        for line in lines {
            self.running.add(line);
        }
    }

    /// Writes the blocks of a page.
    fn push(&mut self, number: u32, blocks: &[Block]) {
        let (text, outline) = render(blocks);
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(&text);
        self.outline
            .extend(outline.into_iter().map(|heading| Heading {
                span: Span::new(start + heading.span.start, start + heading.span.end),
                ..heading
            }));
        if let Some(last) = self.pages.last_mut() {
            last.span.end = start;
        }
        self.pages.push(Page {
            number,
            label: None,
            span: Span::new(start, self.text.len()),
        });
    }

    /// Makes a document of the slides.
    pub(crate) fn finish(self, format: Format, mut metadata: Metadata) -> Document {
        metadata.page_count = Some(self.pages.len() as u32);
        for (key, numbers) in [(HIDDEN_SLIDES, self.hidden), (FAILED_PAGES, self.failed)] {
            if !numbers.is_empty() {
                metadata.extra.insert(key.into(), Value::from(numbers));
            }
        }
        self.running.write_into(&mut metadata);
        Document {
            text: self.text,
            format,
            outline: self.outline,
            pages: self.pages,
            metadata,
        }
    }
}
