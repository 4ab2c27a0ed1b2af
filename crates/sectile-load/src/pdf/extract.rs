//! The text of each page, from what is drawn on it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hayro_syntax::Pdf;

use super::content::Pen;
use super::drawn::Drawn;
use super::page::PageBlocks;
use super::{
    Failure, accents, blocks, bullets, columns, curved, hanging, info, joiners, line_numbers,
    lines, margin, order, ruby, side_notes, tables, underscores, upright, upward,
};
use crate::loader::OnPage;
use crate::{Limits, PdfOptions};

/// The pages that were asked for, in order.
#[derive(Debug, Default)]
pub(super) struct Extracted {
    pub(super) pages: Vec<PageBlocks>,
    /// How many pages the file has.
    pub(super) page_count: u32,
}

/// Extracts the text of the pages that the options name.
pub(super) fn extract(
    pdf: &Pdf,
    options: &PdfOptions,
    limits: &Limits,
    on_page: OnPage<'_>,
) -> Result<Extracted, Failure> {
    let page_count = pdf.pages().len() as u32;
    if page_count == 0 {
        return Err(Failure::Parse("it has no page that can be found".into()));
    }
    let numbers = select(page_count, options, limits.pages)?;
    let mut pages = Vec::with_capacity(numbers.len());
    let mut pen = Pen::new(pdf, options.comments);
    let mut heads = tables::Heads::new();
    let is_of_slides = info::is_of_slides(pdf);
    let mut blocks_of = |number, drawn| blocks_of(number, drawn, &mut heads, is_of_slides);
    #[cfg(feature = "ocr")]
    let reader = options.ocr.as_ref();
    #[cfg(feature = "ocr")]
    let reader = reader.map(|ocr| super::ocr::Reader::new(ocr, limits.time));
    for (done, &number) in (1..).zip(&numbers) {
        let page = &pdf.pages()[number as usize - 1];
        let read = guarded(number, || blocks_of(number, pen.draw(page)));
        let read = read.unwrap_or_else(|failed| {
            pen = Pen::new(pdf, options.comments);
            failed
        });
        #[cfg(feature = "ocr")]
        let read = match &reader {
            Some(reader) if needs_reading(&read) => {
                let drawn = guarded(number, || {
                    let own = read.is_scan.then(|| pen.draw(page).letters);
                    reader.read(number, page, own.unwrap_or_default())
                });
                match drawn {
                    Ok(drawn) => recognized(&read, blocks_of(number, drawn?)),
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

/// Returns whether a page has text, or may have it, that can only be recognized.
#[cfg(feature = "ocr")]
fn needs_reading(page: &PageBlocks) -> bool {
    page.is_scan || page.blocks.is_empty() && (page.is_drawn || page.unknown > 0)
}

/// Makes one of a page as it was read and as it was recognized: the text is that of the latter, and what is not read of the
/// page stays so.
#[cfg(feature = "ocr")]
fn recognized(read: &PageBlocks, recognized: PageBlocks) -> PageBlocks {
    PageBlocks {
        is_failed: read.is_failed,
        is_cut_off: read.is_cut_off,
        has_damage: read.has_damage,
        is_recognized: true,
        comments: read.comments,
        ..recognized
    }
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

/// Makes blocks of what is drawn on a page, which a program for slides may have made.
fn blocks_of(
    number: u32,
    mut drawn: Drawn,
    heads: &mut tables::Heads,
    is_of_slides: bool,
) -> PageBlocks {
    accents::compose_all(&mut drawn);
    joiners::mark(&mut drawn);
    underscores::add(&mut drawn);
    curved::straighten(&mut drawn.letters);
    upright::turn(&mut drawn.letters);
    hanging::settle(&mut drawn.letters);
    let is_scan = drawn.is_scan();
    let mut lines = upward::downward(lines::lines(&drawn));
    line_numbers::behind_text(&mut lines);
    let mut lines = side_notes::behind_text(lines);
    margin::numbers_first(&mut lines);
    bullets::take(&mut lines, &drawn.rules);
    bullets::mark_by_shape(&mut lines, &drawn);
    let mut lines = ruby::behind(columns::unweave(lines, &drawn.rules));
    let upright = lines.iter().filter(|line| line.turn == 0);
    let left = upright.map(lines::Line::left).reduce(f64::min);
    let mut tables = tables::take(&mut lines, &drawn, heads);
    order::settle(&mut lines, &mut tables, drawn.size, is_of_slides);
    PageBlocks {
        number,
        blocks: blocks::blocks(&lines, tables, drawn.size),
        left,
        is_failed: drawn.is_damaged,
        is_drawn: drawn.has_pictures,
        is_scan,
        unknown: drawn.unknown,
        comments: drawn.comments,
        is_cut_off: drawn.dropped > 0,
        has_damage: drawn.has_damage,
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
    /// Returns whether there is no text on any page.
    pub(super) fn is_blank(&self) -> bool {
        self.pages.iter().all(|page| page.blocks.is_empty())
    }

    /// Returns the numbers of the pages for which `is` holds.
    pub(super) fn numbers(&self, is: impl Fn(&PageBlocks) -> bool) -> Vec<u32> {
        let pages = self.pages.iter().filter(|page| is(page));
        pages.map(|page| page.number).collect()
    }
}

#[cfg(all(test, feature = "ocr"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_read_of_a_page_is_not_read_of_a_recognized_one() {
        let read = PageBlocks {
            number: 3,
            comments: 2,
            is_scan: true,
            is_cut_off: true,
            ..PageBlocks::default()
        };
        let page = PageBlocks {
            number: 3,
            is_drawn: true,
            ..PageBlocks::default()
        };
        let page = recognized(&read, page);
        assert!(page.is_recognized && page.is_cut_off && page.is_drawn);
        assert!(!page.is_failed && !page.is_scan);
        assert_eq!((page.number, page.comments), (3, 2));
    }
}
