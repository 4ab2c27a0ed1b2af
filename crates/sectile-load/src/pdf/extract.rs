//! The text of each page, through `unpdf`.

use std::ops::ControlFlow;

use lopdf::ObjectId;
use unpdf::{Block, PageSelection, PageStreamOptions, ParseEvent, ParseOptions, PdfParser};

use super::Failure;
use super::parts::{self, PAGES_AT_ONCE};
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
}

/// A paragraph, heading or table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextBlock {
    pub(super) text: String,
    /// The level of the heading that its type size makes it look like.
    pub(super) level: Option<u8>,
}

/// The objects of a file, when they could be read.
pub(super) type Objects = Option<lopdf::Document>;

/// Extracts the text of the pages that the options name.
pub(super) fn extract(
    bytes: &[u8],
    objects: &Objects,
    options: &PdfOptions,
    max_pages: u32,
    on_page: OnPage<'_>,
) -> Result<Extracted, Failure> {
    if let Some(extracted) = in_parts(objects, options, max_pages, on_page)? {
        return Ok(extracted);
    }
    let parser = parser(bytes, options)?;
    let page_count = parser.page_count();
    let numbers = select(page_count, options, max_pages)?;
    if page_count == 0 {
        return Err(Failure::Parse("it has no page that can be found".into()));
    }
    let mut extracted = Extracted {
        page_count,
        ..Extracted::default()
    };
    let selection = if options.pages.is_empty() {
        PageSelection::All
    } else {
        PageSelection::Pages(numbers.clone())
    };
    extracted.read(&parser, selection, &numbers, |done| {
        on_page(done, numbers.len() as u32);
    })?;
    Ok(extracted)
}

/// Returns the numbers of the pages to read of a file that has `page_count`.
fn select(page_count: u32, options: &PdfOptions, max_pages: u32) -> Result<Vec<u32>, Failure> {
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

/// Extracts the text of a file of many pages, or nothing when it has few, or when its parts do
/// not give as many pages as they should.
fn in_parts(
    objects: &Objects,
    options: &PdfOptions,
    max_pages: u32,
    on_page: OnPage<'_>,
) -> Result<Option<Extracted>, Failure> {
    let Some(document) = objects else {
        return Ok(None);
    };
    let ids = document.page_iter().take(max_pages as usize + 1);
    let ids: Vec<ObjectId> = ids.collect();
    if ids.len() <= PAGES_AT_ONCE {
        return Ok(None);
    }
    let page_count = ids.len() as u32;
    let numbers = select(page_count, options, max_pages)?;
    let mut extracted = Extracted {
        page_count,
        ..Extracted::default()
    };
    for part in numbers.chunks(PAGES_AT_ONCE) {
        let ids: Vec<ObjectId> = part.iter().map(|&number| ids[number as usize - 1]).collect();
        let Some(bytes) = parts::write(document, &ids) else {
            return Ok(None);
        };
        let Ok(parser) = parser(&bytes, options) else {
            return Ok(None);
        };
        let before = extracted.pages.len();
        extracted.read(&parser, PageSelection::All, part, |done| {
            on_page(before as u32 + done, numbers.len() as u32);
        })?;
        if extracted.pages.len() != before + part.len() {
            return Ok(None);
        }
    }
    Ok(Some(extracted))
}

fn parser(bytes: &[u8], options: &PdfOptions) -> Result<PdfParser, Failure> {
    // One thread only: the parser's own threads would not have the large stack.
    let mut parse = ParseOptions::new()
        .lenient()
        .with_resources(false)
        .sequential();
    parse.password.clone_from(&options.password);
    Ok(PdfParser::from_bytes_with_options(bytes, parse)?)
}

impl From<unpdf::Error> for Failure {
    fn from(error: unpdf::Error) -> Self {
        match error {
            unpdf::Error::Encrypted => Self::Encrypted { is_wrong: false },
            unpdf::Error::InvalidPassword => Self::Encrypted { is_wrong: true },
            other => Self::Parse(other.into()),
        }
    }
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

    /// Reads the selected pages of a file, to which `numbers` gives their numbers.
    fn read(
        &mut self,
        parser: &PdfParser,
        pages: PageSelection,
        numbers: &[u32],
        on_page: impl Fn(u32),
    ) -> Result<(), Failure> {
        let stream = PageStreamOptions {
            extract_resources: false,
            parallel: false,
            pages,
            ..PageStreamOptions::default()
        };
        let mut numbered = (1..).zip(numbers);
        parser.for_each_page(stream, |event| {
            let read = match event {
                ParseEvent::PageParsed(page) => PageBlocks::new(&page),
                ParseEvent::PageFailed { page, error } => {
                    tracing::debug!(page, %error, "a page could not be read");
                    PageBlocks {
                        is_failed: true,
                        ..PageBlocks::default()
                    }
                }
                _ => return ControlFlow::Continue(()),
            };
            let Some((done, &number)) = numbered.next() else {
                return ControlFlow::Break(());
            };
            self.pages.push(PageBlocks { number, ..read });
            on_page(done);
            ControlFlow::Continue(())
        })?;
        Ok(())
    }
}

impl PageBlocks {
    fn new(page: &unpdf::Page) -> Self {
        Self {
            number: page.number,
            blocks: page.elements.iter().filter_map(TextBlock::new).collect(),
            is_failed: false,
            is_drawn: page.image_op_count > 0 || page.fill_op_count > 0,
        }
    }
}

impl TextBlock {
    fn new(block: &Block) -> Option<Self> {
        let mut text = String::new();
        block.append_plain_text(&mut text);
        let text = text.trim_end().replace('\0', "\u{FFFD}");
        let level = match block {
            Block::Paragraph(paragraph) => paragraph.heading_level(),
            _ => None,
        };
        (!text.is_empty()).then_some(Self { text, level })
    }
}
