//! The text of each page, through `unpdf`.

use lopdf::ObjectId;
use unpdf::parser::backend::{PdfBackend as _, RawBackend};

use super::parts::{self, PAGES_AT_ONCE};
use super::{Failure, page};
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
    #[cfg(feature = "pdf-extract")]
    if options.engine == crate::PdfEngine::PdfExtract {
        return super::pdf_extract::extract(bytes, options, max_pages);
    }
    if let Some(extracted) = in_parts(objects, options, max_pages, on_page)? {
        return Ok(extracted);
    }
    let backend = load(bytes, options)?;
    let page_count = backend.pages().len() as u32;
    if page_count == 0 {
        return Err(Failure::Parse("it has no page that can be found".into()));
    }
    let numbers = select(page_count, options, max_pages)?;
    let mut extracted = Extracted {
        page_count,
        ..Extracted::default()
    };
    for (done, &number) in (1..).zip(&numbers) {
        extracted.read(&backend, number, number);
        on_page(done, numbers.len() as u32);
    }
    Ok(extracted)
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
        let ids: Vec<ObjectId> = part
            .iter()
            .map(|&number| ids[number as usize - 1])
            .collect();
        let Some(bytes) = parts::write(document, &ids) else {
            return Ok(None);
        };
        let Ok(backend) = RawBackend::load_bytes(&bytes) else {
            return Ok(None);
        };
        if backend.pages().len() != part.len() {
            return Ok(None);
        }
        for (in_part, &number) in (1..).zip(part) {
            extracted.read(&backend, in_part, number);
            on_page(extracted.pages.len() as u32, numbers.len() as u32);
        }
    }
    Ok(Some(extracted))
}

fn load(bytes: &[u8], options: &PdfOptions) -> Result<RawBackend, Failure> {
    let password = options.password.as_deref();
    Ok(RawBackend::load_bytes_with_password(bytes, password)?)
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

    /// Reads a page of a file or part, of which `number` is the number in the whole.
    fn read(&mut self, backend: &RawBackend, in_part: u32, number: u32) {
        let read = page::read(backend, in_part).unwrap_or_else(|error| {
            tracing::debug!(page = number, %error, "a page could not be read");
            PageBlocks {
                is_failed: true,
                ..PageBlocks::default()
            }
        });
        self.pages.push(PageBlocks { number, ..read });
    }
}
