//! The text of each page, from what is drawn on it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hayro_syntax::Pdf;

use super::content::{Drawn, Pen};
use super::{Failure, blocks, bullets, columns, lines, tables, upward};
use crate::PdfOptions;
use crate::loader::OnPage;

/// The pages that were asked for, in order.
#[derive(Debug, Default)]
pub(super) struct Extracted {
    pub(super) pages: Vec<PageBlocks>,
    /// How many pages the file has.
    pub(super) page_count: u32,
}

/// The blocks of one page in reading order.
#[derive(Debug, Default)]
pub(super) struct PageBlocks {
    /// The number of the page, from 1.
    pub(super) number: u32,
    pub(super) blocks: Vec<TextBlock>,
    /// Whether the page could not be read.
    pub(super) is_failed: bool,
    /// Whether there are images or shapes on the page, which a reader sees.
    pub(super) is_drawn: bool,
    /// How many letters are drawn of which nobody knows what they stand for.
    pub(super) unknown: usize,
    /// How many comments are left out.
    pub(super) comments: usize,
    /// Whether its text was recognized on a picture.
    pub(super) is_recognized: bool,
}

/// A paragraph, heading, list, or piece of code.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextBlock {
    pub(super) text: String,
    /// The level of the heading that its type makes it look like.
    pub(super) level: Option<u8>,
    pub(super) kind: Kind,
    pub(super) style: Style,
    /// How many lines it has on the page.
    pub(super) lines: usize,
    /// How far down the page it begins, as a part of the height of the page.
    pub(super) height: f64,
    /// Whether it is a table whose head stands on a page before, and not on this one.
    pub(super) has_lent_head: bool,
    /// Whether it goes on the last block of the page before, as the rows of a table do.
    pub(super) is_continued: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Prose,
    List,
    Code,
    Table,
}

/// How type is set; the larger comes after the smaller, and bold type after other type of its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Style {
    /// The size in quarters of a point.
    quarters: i64,
    pub(super) is_bold: bool,
}

impl Style {
    pub(super) fn new(size: f64, is_bold: bool) -> Self {
        Self {
            quarters: (size * 4.0).round().max(1.0) as i64,
            is_bold,
        }
    }

    /// Returns the size in points.
    pub(super) fn size(self) -> f64 {
        self.quarters as f64 / 4.0
    }
}

/// Extracts the text of the pages that the options name.
pub(super) fn extract(
    pdf: &Pdf,
    options: &PdfOptions,
    max_pages: u32,
    on_page: OnPage<'_>,
) -> Result<Extracted, Failure> {
    let page_count = pdf.pages().len() as u32;
    if page_count == 0 {
        return Err(Failure::Parse("it has no page that can be found".into()));
    }
    let numbers = select(page_count, options, max_pages)?;
    let mut pages = Vec::with_capacity(numbers.len());
    let mut pen = Pen::new(pdf, options.comments);
    let mut heads = tables::Heads::new();
    #[cfg(feature = "ocr")]
    let reader = options.ocr.as_ref().map(super::ocr::Reader::new);
    for (done, &number) in (1..).zip(&numbers) {
        let page = &pdf.pages()[number as usize - 1];
        let read = guarded(number, || blocks_of(number, &pen.draw(page), &mut heads));
        let read = read.unwrap_or_else(|failed| {
            pen = Pen::new(pdf, options.comments);
            failed
        });
        #[cfg(feature = "ocr")]
        let read = match &reader {
            Some(reader) if read.blocks.is_empty() && (read.is_drawn || read.unknown > 0) => {
                let drawn = guarded(number, || reader.read(page));
                match drawn {
                    Ok(drawn) => PageBlocks {
                        is_recognized: true,
                        ..blocks_of(number, &drawn?, &mut heads)
                    },
                    Err(failed) => failed,
                }
            }
            _ => read,
        };
        pages.push(read);
        on_page(done, numbers.len() as u32);
    }
    Ok(Extracted { pages, page_count })
}

/// Reads a page; a panic makes it one that cannot be read.
fn guarded<T>(number: u32, read: impl FnOnce() -> T) -> Result<T, PageBlocks> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| {
        tracing::debug!(page = number, "a page could not be read");
        PageBlocks {
            number,
            is_failed: true,
            ..PageBlocks::default()
        }
    })
}

/// Makes blocks of what is drawn on a page.
fn blocks_of(number: u32, drawn: &Drawn, heads: &mut tables::Heads) -> PageBlocks {
    let mut lines = upward::downward(lines::lines(drawn));
    bullets::take(&mut lines);
    bullets::mark_by_shape(&mut lines, drawn);
    let mut lines = columns::unweave(lines);
    let tables = tables::take(&mut lines, drawn, heads);
    PageBlocks {
        number,
        blocks: blocks::blocks(&lines, tables, drawn.size),
        is_drawn: drawn.has_pictures,
        unknown: drawn.unknown,
        comments: drawn.comments,
        ..PageBlocks::default()
    }
}

/// Returns the numbers of the pages to read of a file that has `page_count`.
pub(super) fn select(
    page_count: u32,
    options: &PdfOptions,
    max_pages: u32,
) -> Result<Vec<u32>, Failure> {
    let numbers = (1..=page_count).filter(|&number| options.includes(number));
    let numbers: Vec<u32> = numbers.take(max_pages as usize + 1).collect();
    if numbers.len() > max_pages as usize {
        let limit = max_pages.into();
        return Err(Failure::Limit {
            what: "pages",
            limit,
        });
    }
    if numbers.is_empty() && page_count > 0 {
        return Err(Failure::NoSuchPage { page_count });
    }
    Ok(numbers)
}

impl Extracted {
    /// Says whether there is no text on any page.
    pub(super) fn is_blank(&self) -> bool {
        self.pages.iter().all(|page| page.blocks.is_empty())
    }

    /// Returns the numbers of the pages for which `is` holds.
    pub(super) fn numbers(&self, is: impl Fn(&PageBlocks) -> bool) -> Vec<u32> {
        let pages = self.pages.iter().filter(|page| is(page));
        pages.map(|page| page.number).collect()
    }
}
