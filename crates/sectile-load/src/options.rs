//! Options and limits of loading.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Options of loading. The defaults are right for most uses.
///
/// ```
/// use sectile_load::{LoadOptions, PdfOptions};
///
/// let options = LoadOptions {
///     pdf: PdfOptions {
///         password: Some("secret".into()),
///         pages: vec![1..=3, 10..=10],
///         ..PdfOptions::default()
///     },
///     ..LoadOptions::default()
/// };
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadOptions {
    /// The limits.
    pub limits: Limits,
    /// How PDF files are loaded.
    pub pdf: PdfOptions,
    /// How Word documents are loaded.
    pub docx: DocxOptions,
    /// How web pages are loaded.
    pub html: HtmlOptions,
}

/// How PDF files are loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PdfOptions {
    /// The password of encrypted files.
    pub password: Option<String>,
    /// The pages to load, numbered from 1; all if empty. Each page is loaded once, in order.
    pub pages: Vec<RangeInclusive<u32>>,
    /// Whether to infer headings from type sizes if a file has no bookmarks. On by default.
    pub guess_headings: bool,
    /// Whether to remove lines that repeat at the head or foot of pages, and table heads that repeat on each
    /// page of a table. `running_lines` in the metadata lists them. On by default.
    pub drop_running_lines: bool,
    /// Whether to load comments: notes that a viewer shows on a click. Text typed onto a page is not a comment,
    /// and is always loaded. If off, `comments_left_out` in the metadata counts the comments. A file without
    /// any other text is loaded with them.
    pub comments: bool,
    /// How to recognize text on pages without any; `None` disables recognition. Needs the feature `ocr`.
    pub ocr: Option<OcrOptions>,
}

/// Options for recognizing text (OCR) on pages that are pictures. `ocr_pages` in the metadata lists these
/// pages, and `ocr_languages` names the languages.
///
/// This process, or the worker, draws the pages, and the program `tesseract`, version 4 or later, reads
/// them one after the other. With workers, the time limit applies to each page; without, to the program on each page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OcrOptions {
    /// The path of `tesseract`.
    pub program: PathBuf,
    /// The languages of the text, by `tesseract`'s names, such as `eng+deu`.
    pub languages: String,
    /// The folder of the language data, if it is not the default one.
    pub data: Option<PathBuf>,
}

impl OcrOptions {
    /// Finds `tesseract` in the folders of `PATH`, to recognize these languages. Returns `None` if it is
    /// not installed. `TESSDATA_PREFIX` names the folder of the language data.
    ///
    /// ```
    /// use sectile_load::OcrOptions;
    ///
    /// if let Some(ocr) = OcrOptions::find("eng+deu") {
    ///     assert!(ocr.program.is_absolute());
    /// }
    /// ```
    pub fn find(languages: impl Into<String>) -> Option<Self> {
        let name = format!("tesseract{}", std::env::consts::EXE_SUFFIX);
        let folders = std::env::var_os("PATH")?;
        let mut programs = std::env::split_paths(&folders).map(|folder| folder.join(&name));
        Some(Self {
            program: programs.find(|program| program.is_absolute() && program.is_file())?,
            languages: languages.into(),
            data: std::env::var_os("TESSDATA_PREFIX").map(PathBuf::from),
        })
    }
}

impl Default for PdfOptions {
    fn default() -> Self {
        Self {
            password: None,
            pages: Vec::new(),
            guess_headings: true,
            drop_running_lines: true,
            comments: false,
            ocr: None,
        }
    }
}

impl PdfOptions {
    /// Returns whether to load the page with this number.
    pub fn includes(&self, page: u32) -> bool {
        self.pages.is_empty() || self.pages.iter().any(|range| range.contains(&page))
    }
}

/// Options for text documents: Word, OpenDocument text and Rich Text Format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocxOptions {
    /// Whether to load the page headers and footers, before and after the body. If off, `running_lines` in the metadata
    /// lists them.
    pub headers_and_footers: bool,
    /// Whether to load comments, as notes at the end. If off, `comments_left_out` in the metadata counts them.
    pub comments: bool,
}

/// How web pages are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HtmlOptions {
    /// Whether to load only the main part of a page, without navigation, comments and the like.
    /// `left_out_words` in the metadata counts the words that were left out. On by default. If off,
    /// everything is loaded, including hidden text, and `whole_page` in the metadata is true.
    pub main_only: bool,
    /// Whether a web server sent the pages. A server fills in its templates before it sends them, so no page is taken for
    /// a template and read as source code, whatever stands in braces in it. Off by default: a file is a template if it
    /// has statements of a server, or values in braces and little text beside them.
    pub from_server: bool,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self {
            main_only: true,
            from_server: false,
        }
    }
}

/// Limits for one file. A file that exceeds a limit is refused with
/// [`Error::LimitExceeded`](crate::Error::LimitExceeded), unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The maximum size of the file in bytes; 512 MiB by default.
    pub file_bytes: u64,
    /// The maximum decompressed size in bytes; 512 MiB by default. For an archive, it is the total size of all parts,
    /// and one part may have half of it; for e-mail, the size of the attachments. The text of a spreadsheet, a
    /// presentation, JSON, XML or e-mail has the same limit.
    pub inflated_bytes: u64,
    /// The maximum compression ratio of one part of an archive; 500 by default. Parts that decompress to less than 32
    /// MiB are always accepted.
    pub inflation_ratio: u64,
    /// The maximum number of pages of a PDF; 100,000 by default.
    pub pages: u32,
    /// The timeout of a worker process for one file, or for one page with text recognition; 2 minutes by
    /// default. Exceeding it is [`Error::TimedOut`](crate::Error::TimedOut). Loading in this process has no
    /// such limit, but the program that recognizes text is ended if it takes longer for a page, which is
    /// [`Error::Ocr`](crate::Error::Ocr).
    pub time: Duration,
    /// The maximum address space of a worker process in bytes; 3 GiB by default. A worker that runs
    /// out of it is [`Error::WorkerDied`](crate::Error::WorkerDied). Loading in this process has no
    /// such limit.
    pub memory: u64,
}

impl Limits {
    /// Sets the maximum size of a file, and raises the maximum decompressed size to it.
    #[must_use]
    pub fn with_file_bytes(mut self, bytes: u64) -> Self {
        self.file_bytes = bytes;
        self.inflated_bytes = self.inflated_bytes.max(bytes);
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 512 << 20,
            inflated_bytes: 512 << 20,
            inflation_ratio: 500,
            pages: 100_000,
            time: Duration::from_mins(2),
            memory: 3 << 30,
        }
    }
}
