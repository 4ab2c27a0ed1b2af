//! How files are loaded.

use std::ops::RangeInclusive;

use clap::Args;

use super::range::page_range;

/// How files are loaded
#[derive(Debug, Args)]
#[command(next_help_heading = "Loading")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are switches that a user sets apart"
)]
pub(crate) struct LoadArguments {
    /// Password of encrypted PDF files
    #[arg(long, value_name = "PASSWORD")]
    pub(crate) password: Option<String>,
    /// Pages of PDF files to load, such as 1-3,10,20- [default: all]
    #[arg(long, value_name = "PAGES", value_delimiter = ',', value_parser = page_range)]
    pub(crate) pages: Vec<RangeInclusive<u32>>,
    /// Keep the lines that repeat at the head and foot of PDF pages
    #[arg(long)]
    pub(crate) keep_running_lines: bool,
    /// Take no text of PDF files for a heading because of its type size
    #[arg(long)]
    pub(crate) no_guessed_headings: bool,
    /// Recognize the text of PDF pages that are pictures (OCR), in these languages, such as eng+deu
    /// [default: eng]; needs tesseract
    #[arg(long, value_name = "LANGUAGES", num_args = 0..=1, require_equals = true, default_missing_value = "eng")]
    pub(crate) ocr: Option<String>,
    /// Load the page headers and footers of Word documents
    #[arg(long)]
    pub(crate) headers_and_footers: bool,
    /// Load the comments of Word documents and PDF files
    #[arg(long)]
    pub(crate) comments: bool,
    /// How long one PDF file or web page may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) timeout: u64,
}
