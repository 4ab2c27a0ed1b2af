//! How files are loaded.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;

use super::range::{from_one, page_range};

/// How files are loaded
#[derive(Debug, Args)]
#[command(next_help_heading = "Loading")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are switches that a user sets apart"
)]
pub(crate) struct LoadArguments {
    /// Name of standard input, such as page.html, which tells its format as that of a file does
    #[arg(long, value_name = "FILE")]
    pub(crate) name: Option<PathBuf>,
    /// Password of encrypted PDF files
    #[arg(long, value_name = "PASSWORD")]
    pub(crate) password: Option<String>,
    /// Pages of PDF files to load, such as 1-3,10,20- [default: all]
    #[arg(long, value_name = "PAGES", value_delimiter = ',', value_parser = page_range)]
    pub(crate) pages: Vec<RangeInclusive<u32>>,
    /// Keep the lines that repeat at the head and foot of PDF pages
    #[arg(long)]
    pub(crate) keep_running_lines: bool,
    /// Do not infer headings of PDF files from type sizes
    #[arg(long)]
    pub(crate) no_guessed_headings: bool,
    /// Recognize text on scanned PDF pages (OCR) in these languages, such as eng+deu [default: eng];
    /// needs tesseract
    #[arg(long, value_name = "LANGUAGES", num_args = 0..=1, require_equals = true, default_missing_value = "eng")]
    pub(crate) ocr: Option<String>,
    /// Include the page headers and footers of text documents, such as Word files
    #[arg(long)]
    pub(crate) headers_and_footers: bool,
    /// Include comments of text documents, such as Word files, and of PDF files
    #[arg(long)]
    pub(crate) comments: bool,
    /// Load whole web pages, with navigation and comments, not only the main content
    #[arg(long)]
    pub(crate) whole_page: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// How large and slow files may be
#[derive(Debug, Args)]
#[command(next_help_heading = "Loading")]
pub(crate) struct LimitArguments {
    /// Timeout for one PDF file or web page, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = from_one::<u64>)]
    pub(crate) timeout: u64,
    /// Maximum size of a file that is loaded whole, such as 2GiB or 800MB; text and Markdown that are
    /// read in parts may have any size
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = byte_size)]
    pub(crate) max_file_size: u64,
    /// Maximum memory of the process that parses a file
    #[arg(long, value_name = "SIZE", default_value = "3GiB", value_parser = byte_size)]
    pub(crate) max_memory: u64,
}

/// Reads a number of bytes with a unit: B, KB, MB, GB, KiB, MiB, GiB.
fn byte_size(typed: &str) -> Result<u64, String> {
    let digits = typed.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let unit = match typed[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => Some(1),
        "k" | "kib" => Some(1 << 10),
        "m" | "mib" => Some(1 << 20),
        "g" | "gib" => Some(1 << 30),
        "kb" => Some(1_000),
        "mb" => Some(1_000_000),
        "gb" => Some(1_000_000_000),
        _ => None,
    };
    let number: Option<u64> = digits.trim_end().parse().ok();
    let size = number
        .zip(unit)
        .and_then(|(number, unit)| number.checked_mul(unit));
    size.ok_or_else(|| {
        "must be a whole number with a unit up to GiB, such as 800MB or 2GiB".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(byte_size("17"), Ok(17));
        assert_eq!(byte_size("2GiB"), Ok(2 << 30));
        assert_eq!(byte_size("800 MB"), Ok(800_000_000));
        assert_eq!(byte_size("1k"), Ok(1_024));
        for wrong in ["", "GiB", "-1", "1.5GB", "3 apples", "99999999999GiB"] {
            assert!(byte_size(wrong).is_err(), "{wrong}");
        }
    }
}
