//! How files are loaded, and how much of them is accepted.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How files are loaded. The default is right for most.
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
    /// How much is accepted.
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
    /// The password, for files that do not open with an empty one.
    pub password: Option<String>,
    /// The numbers, from 1, of the pages to load, each once and in order; all when there are none.
    pub pages: Vec<RangeInclusive<u32>>,
    /// Whether headings are guessed from type sizes where there are no bookmarks. On by default.
    pub guess_headings: bool,
    /// Whether lines that repeat at the head or foot of page after page are left out of the text, and the
    /// heads that tables repeat on each page they go on to; `running_lines` in the metadata then lists them.
    /// On by default.
    pub drop_running_lines: bool,
    /// Whether comments are loaded: notes that are pinned to a page and read when clicked on. What is typed
    /// onto a page is not a comment, and always loaded. Without this `comments_left_out` in the metadata counts
    /// them; a file without any other text is loaded with them.
    pub comments: bool,
    /// How the text of pages is recognized that have none; not at all without this. It needs the feature
    /// `ocr`.
    pub ocr: Option<OcrOptions>,
}

/// How text is recognized (OCR) on pages that are pictures. `ocr_pages` in the metadata then names them, and
/// `ocr_languages` these languages.
///
/// The pages are drawn in this process, or the worker's, and read by the program `tesseract`, version 4 or
/// later, one after the other. With workers the limit of time holds for each page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OcrOptions {
    /// Where `tesseract` is.
    pub program: PathBuf,
    /// The languages of the text, by `tesseract`'s names, such as `eng+deu`.
    pub languages: String,
    /// The folder of the languages' data, where it is not the usual one.
    pub data: Option<PathBuf>,
}

impl OcrOptions {
    /// Finds `tesseract` in the folders of `PATH`, to recognize these languages; nothing where it is not
    /// installed. `TESSDATA_PREFIX` names the folder of the data.
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
    /// Returns whether the page with this number is to be loaded.
    pub fn includes(&self, page: u32) -> bool {
        self.pages.is_empty() || self.pages.iter().any(|range| range.contains(&page))
    }
}

/// How Word documents are loaded, and others of the kind: OpenDocument text and Rich Text Format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocxOptions {
    /// Whether the text of page headers and footers is loaded, before and after the body.
    pub headers_and_footers: bool,
    /// Whether comments are loaded, as notes at the end. Without this `comments_left_out` in the metadata counts
    /// them.
    pub comments: bool,
}

/// How web pages are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HtmlOptions {
    /// Whether only the main part of a page is loaded, without navigation, comments and whatever else stands
    /// around it; `left_out_words` in the metadata then counts what was left out. On by default. Without
    /// this everything is loaded, what is hidden too, and `whole_page` in the metadata says so.
    pub main_only: bool,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self { main_only: true }
    }
}

/// How much is accepted of one file. What exceeds a limit is
/// [`Error::LimitExceeded`](crate::Error::LimitExceeded), unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The size of the file in bytes; 512 MiB.
    pub file_bytes: u64,
    /// The size of what a file unpacks to, in bytes; 512 MiB. For an archive it is the size of all parts together, of
    /// which one may have half; for e-mail that of the attachments. The text that a spreadsheet, a slide show, JSON,
    /// XML or e-mail becomes has the same limit.
    pub inflated_bytes: u64,
    /// How many times its size one part of an archive may inflate to; 500. Parts that inflate to less than 32 MiB are
    /// always accepted.
    pub inflation_ratio: u64,
    /// The number of pages of a PDF; 100,000.
    pub pages: u32,
    /// How long a worker process may take for one file, or for one page where text is recognized; 2 minutes.
    /// Exceeding it is
    /// [`Error::TimedOut`](crate::Error::TimedOut). Loading in this process has no such limit.
    pub time: Duration,
    /// The address space of a worker process in bytes; 3 GiB. A worker that runs out of it is
    /// [`Error::WorkerDied`](crate::Error::WorkerDied). Loading in this process has no such limit.
    pub memory: u64,
}

impl Limits {
    /// Sets the size of a file, which what it unpacks to may also have.
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
