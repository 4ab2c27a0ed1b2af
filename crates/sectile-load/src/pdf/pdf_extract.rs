//! The text of each page, through the crate `pdf-extract`.

use super::Failure;
use super::extract::{Extracted, select};
use super::page::{PageBlocks, TextBlock};
use crate::PdfOptions;

/// Extracts the text of the pages that the options name.
pub(super) fn extract(
    bytes: &[u8],
    options: &PdfOptions,
    max_pages: u32,
) -> Result<Extracted, Failure> {
    let texts = match &options.password {
        Some(password) => ::pdf_extract::extract_text_from_mem_by_pages_encrypted(bytes, password),
        None => ::pdf_extract::extract_text_from_mem_by_pages(bytes),
    };
    let texts = texts.map_err(|error| Failure::Parse(error.into()))?;
    let page_count = texts.len() as u32;
    let numbers = select(page_count, options, max_pages)?;
    let page = |number: u32| PageBlocks {
        number,
        blocks: blocks(&texts[number as usize - 1]),
        ..PageBlocks::default()
    };
    Ok(Extracted {
        pages: numbers.into_iter().map(page).collect(),
        page_count,
    })
}

/// Cuts the text of a page at its empty lines.
fn blocks(text: &str) -> Vec<TextBlock> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let paragraphs = lines.split(|line| line.is_empty());
    let paragraphs = paragraphs.filter(|lines| !lines.is_empty());
    let block = |lines: &[&str]| TextBlock {
        text: lines.join("\n").replace('\0', "\u{FFFD}"),
        ..TextBlock::default()
    };
    paragraphs.map(block).collect()
}
