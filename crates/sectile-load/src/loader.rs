//! The loaders' common interface, and the choice of one by format.

use std::io::{self, Read as _};
use std::path::Path;

use sectile_core::{ContentHash, Document, Format};

use crate::controls::without_controls;
use crate::date::put_into_iso;
use crate::detect::detect_sent;
use crate::omissions::{READ_AS_TEXT, WITHOUT_TEXT};
use crate::open_file::open_file;
use crate::placeholder_title::without_placeholder;
use crate::{Error, LoadOptions, MarkdownLoader, TextLoader};

/// Loads the bytes of a file in one format.
pub trait Loader {
    /// Loads a document from `bytes`. `path` names it in errors and need not exist.
    ///
    /// # Errors
    ///
    /// Fails when the bytes are not a document in the loader's format, or cannot be loaded for
    /// one of the reasons of [`Error`].
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error>;
}

/// Formats that are text. What is named so and cannot be parsed, such as a template or a file that is cut off, is read as
/// plain text.
const TEXTS: [Format; 7] = [
    Format::Csv,
    Format::Email,
    Format::Ipynb,
    Format::Json,
    Format::Mbox,
    Format::Tsv,
    Format::Xml,
];

/// How large a packed file may be, unpacked, before its ratio counts.
#[cfg(feature = "gzip")]
const RATIO_FROM: u64 = 32 << 20;

/// Loads files of any format.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{FileLoader, Limits, LoadOptions};
///
/// let limits = Limits { file_bytes: 4, ..Limits::default() };
/// let loader = FileLoader::new(LoadOptions { limits, ..LoadOptions::default() });
/// assert_eq!(loader.load_bytes(b"text", Path::new("a.txt"))?.text, "text");
/// assert!(loader.load_bytes(b"more text", Path::new("b.txt")).is_err());
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FileLoader {
    options: LoadOptions,
    #[cfg(feature = "workers")]
    workers: Option<crate::Workers>,
}

/// A callback for the number of finished pages and the total.
pub(crate) type OnPage<'a> = &'a (dyn Fn(u32, u32) + Sync);

impl FileLoader {
    /// The subject of [`Error::LimitExceeded`] for a file that is larger than
    /// [`Limits::file_bytes`](crate::Limits::file_bytes).
    pub const FILE_BYTES: &str = crate::error::FILE_BYTES;

    /// Creates a loader that parses in this process.
    pub fn new(options: LoadOptions) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// Parses formats with third-party parsers in worker processes: PDF files, web pages, books,
    /// e-mail, XML, binary workbooks and source code. The other parsers are our own, and have
    /// limits.
    #[cfg(feature = "workers")]
    #[must_use]
    pub fn with_workers(mut self, workers: crate::Workers) -> Self {
        self.workers = Some(workers);
        self
    }

    /// Sets the options.
    #[must_use]
    pub fn with_options(mut self, options: LoadOptions) -> Self {
        self.options = options;
        self
    }

    /// Returns the options.
    pub fn options(&self) -> &LoadOptions {
        &self.options
    }

    /// Loads the file at `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] when the file cannot be read, and as [`load_bytes`](Self::load_bytes).
    pub fn load_file(&self, path: impl AsRef<Path>) -> Result<Document, Error> {
        let path = path.as_ref();
        self.load_bytes(&self.read(path)?, path)
    }

    /// Loads a document from the `bytes` of a file.
    ///
    /// `path` is a hint of the format if the content is ambiguous, and names the file in errors. It
    /// need not exist.
    ///
    /// # Errors
    ///
    /// Fails when [`detect`](fn@crate::detect) does, and when the loader of the format does. Text with the name of
    /// JSON, XML, a notebook, a table or e-mail, but with other content, is loaded as plain text,
    /// and `read_as_text` in [`Metadata::extra`](sectile_core::Metadata::extra) says why.
    pub fn load_bytes(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        self.load_with_progress(bytes, path, &|_, _| {})
    }

    /// Loads a document as [`load_bytes`](Self::load_bytes) does, and calls `on_page` after each
    /// page of a PDF with the number of finished pages and the total.
    ///
    /// # Errors
    ///
    /// As [`load_bytes`](Self::load_bytes).
    pub fn load_with_progress(
        &self,
        bytes: &[u8],
        path: &Path,
        on_page: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<Document, Error> {
        self.check_size(bytes.len() as u64, path)?;
        let format = detect_sent(bytes, path, self.options.html.from_server)?;
        #[cfg(feature = "workers")]
        if let (true, Some(workers)) = (is_parsed_by_others(format, bytes), &self.workers) {
            return workers.load(bytes, path, &self.options, on_page);
        }
        self.load_here(format, bytes, path, on_page)
    }

    fn load_here(
        &self,
        format: Format,
        bytes: &[u8],
        path: &Path,
        on_page: OnPage<'_>,
    ) -> Result<Document, Error> {
        // The loader of manual pages unpacks them itself, to less.
        #[cfg(feature = "gzip")]
        if crate::gzip::is_gzip(bytes) && format != Format::Man {
            return self.load_packed(format, bytes, path, on_page);
        }
        self.load_unpacked(format, bytes, path, on_page)
    }

    /// Loads what a file in gzip holds.
    #[cfg(feature = "gzip")]
    fn load_packed(
        &self,
        format: Format,
        bytes: &[u8],
        path: &Path,
        on_page: OnPage<'_>,
    ) -> Result<Document, Error> {
        let limits = &self.options.limits;
        let by_ratio = limits.inflation_ratio.saturating_mul(bytes.len() as u64);
        let limit = limits.inflated_bytes.min(by_ratio.max(RATIO_FROM));
        let unpacked = crate::gzip::unpack(bytes, limit.saturating_add(1))
            .map_err(|error| Error::parse(path, format, error))?;
        if unpacked.len() as u64 > limit {
            return Err(Error::LimitExceeded {
                path: path.into(),
                what: "the bytes of a packed file".into(),
                limit,
            });
        }
        let inner = crate::gzip::inner_name(path);
        let document = self
            .load_unpacked(format, &unpacked, &inner, on_page)
            .map_err(|error| error.with_path(path))?;
        Ok(with_source(document, bytes))
    }

    fn load_unpacked(
        &self,
        format: Format,
        bytes: &[u8],
        path: &Path,
        on_page: OnPage<'_>,
    ) -> Result<Document, Error> {
        match self.load_as(format, bytes, path, on_page) {
            Err(Error::Parse { source, .. }) if TEXTS.contains(&format) => {
                load_unparsed(bytes, path, format, &source.to_string())
                    .map_err(|_| Error::parse(path, format, source))
            }
            loaded => loaded,
        }
    }

    fn load_as(
        &self,
        format: Format,
        bytes: &[u8],
        path: &Path,
        on_page: OnPage<'_>,
    ) -> Result<Document, Error> {
        let _ = on_page;
        match format {
            Format::Text => TextLoader.load(bytes, path),
            Format::Markdown => MarkdownLoader.load(bytes, path),
            #[cfg(feature = "code")]
            Format::Code => crate::CodeLoader.load(bytes, path),
            #[cfg(feature = "html")]
            Format::Html => crate::HtmlLoader::new(self.options.clone()).load(bytes, path),
            #[cfg(feature = "pdf")]
            Format::Pdf => {
                let loader = crate::PdfLoader::new(self.options.clone());
                loader.load_with_progress(bytes, path, on_page)
            }
            #[cfg(feature = "csv")]
            Format::Csv | Format::Tsv => crate::CsvLoader.load(bytes, path),
            #[cfg(feature = "docx")]
            Format::Docx => crate::DocxLoader::new(self.options.clone()).load(bytes, path),
            #[cfg(feature = "asciidoc")]
            Format::Asciidoc => crate::AsciidocLoader.load(bytes, path),
            #[cfg(feature = "ipynb")]
            Format::Ipynb => crate::IpynbLoader.load(bytes, path),
            #[cfg(feature = "latex")]
            Format::Latex => crate::LatexLoader.load(bytes, path),
            #[cfg(feature = "man")]
            Format::Man => crate::ManLoader.load(bytes, path),
            #[cfg(feature = "mediawiki")]
            Format::Mediawiki => crate::MediawikiLoader.load(bytes, path),
            #[cfg(feature = "org")]
            Format::Org => crate::OrgLoader.load(bytes, path),
            #[cfg(feature = "rst")]
            Format::Rst => crate::RstLoader.load(bytes, path),
            #[cfg(feature = "email")]
            Format::Email | Format::Mbox => {
                crate::EmailLoader::new(self.options.clone()).load(bytes, path)
            }
            #[cfg(feature = "json")]
            Format::Json => crate::JsonLoader::new(self.options.clone()).load(bytes, path),
            #[cfg(feature = "xml")]
            Format::Xml => crate::XmlLoader::new(self.options.clone()).load(bytes, path),
            #[cfg(feature = "vcard")]
            Format::Vcard => crate::VcardLoader.load(bytes, path),
            #[cfg(feature = "icalendar")]
            Format::Icalendar => crate::IcalendarLoader.load(bytes, path),
            #[cfg(feature = "subtitles")]
            Format::Subtitles => crate::SubtitlesLoader.load(bytes, path),
            #[cfg(feature = "yaml")]
            Format::Yaml => crate::YamlLoader.load(bytes, path),
            #[cfg(feature = "epub")]
            Format::Epub => crate::EpubLoader::new(self.options.clone()).load(bytes, path),
            #[cfg(feature = "odt")]
            Format::Odt => crate::OdtLoader::new(self.options.clone()).load(bytes, path),
            #[cfg(feature = "odp")]
            Format::Odp => crate::OdpLoader::new(self.options.clone()).load(bytes, path),
            #[cfg(feature = "rtf")]
            Format::Rtf => crate::RtfLoader::new(self.options.clone()).load(bytes, path),
            #[cfg(feature = "ods")]
            Format::Ods => crate::OdsLoader::new(self.options.clone()).load(bytes, path),
            #[cfg(feature = "pptx")]
            Format::Pptx => crate::PptxLoader::new(self.options.clone()).load(bytes, path),
            #[cfg(feature = "xlsx")]
            Format::Xls | Format::Xlsx => {
                crate::XlsxLoader::new(self.options.clone()).load(bytes, path)
            }
            other => Err(Error::unsupported(
                path,
                format!("this build was made without the feature `{other}`"),
            )),
        }
    }

    /// Reads the file at `path`, up to one byte more than the limit. A pipe, a socket or a device is not
    /// read.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] and [`Error::LimitExceeded`].
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, Error> {
        let limit = self.options.limits.file_bytes;
        let read = |source: io::Error| Error::Read {
            path: path.into(),
            source,
        };
        let file = open_file(path)?;
        let size = file.metadata().map_err(read)?.len();
        self.check_size(size, path)?;
        let mut bytes = Vec::with_capacity(size as usize);
        let length = file.take(limit.saturating_add(1)).read_to_end(&mut bytes);
        self.check_size(length.map_err(read)? as u64, path)?;
        Ok(bytes)
    }

    fn check_size(&self, size: u64, path: &Path) -> Result<(), Error> {
        let limit = self.options.limits.file_bytes;
        if size <= limit {
            return Ok(());
        }
        Err(Error::LimitExceeded {
            path: path.into(),
            what: Self::FILE_BYTES.into(),
            limit,
        })
    }
}

/// Returns whether a parser that is not ours reads the bytes: those of binary workbooks among others.
#[cfg(feature = "workers")]
fn is_parsed_by_others(format: Format, bytes: &[u8]) -> bool {
    let is_binary = || memchr::memmem::find(bytes, b"xl/workbook.bin").is_some();
    match format {
        // Books, e-mail and XML hold pages and other documents.
        Format::Code
        | Format::Email
        | Format::Epub
        | Format::Html
        | Format::Mbox
        | Format::Pdf
        | Format::Xls
        | Format::Xml => true,
        Format::Xlsx => is_binary(),
        _ => false,
    }
}

/// Loads the file at `path`, of any format, in this process and with the default options.
///
/// # Errors
///
/// As [`FileLoader::load_file`].
pub fn load_file(path: impl AsRef<Path>) -> Result<Document, Error> {
    FileLoader::default().load_file(path)
}

/// Loads a document from the `bytes` of a file of any format, in this process and with the default
/// options. `path` names the file and is a hint of its format.
///
/// # Errors
///
/// As [`FileLoader::load_bytes`].
pub fn load_bytes(bytes: &[u8], path: &Path) -> Result<Document, Error> {
    FileLoader::default().load_bytes(bytes, path)
}

/// Loads as plain text what its name or its beginning promise to be of another format, which cannot be parsed for a reason.
fn load_unparsed(
    bytes: &[u8],
    path: &Path,
    promised: Format,
    reason: &str,
) -> Result<Document, Error> {
    let mut document = TextLoader.load(bytes, path)?;
    let why = format!("{}: {reason}", promised.description());
    let extra = &mut document.metadata.extra;
    extra.insert(READ_AS_TEXT.into(), why.into());
    Ok(document)
}

/// Adds to the metadata of a document what is known of its source, and whether it has no text though the source is not
/// blank; puts its dates into one form, drops control characters from what is no copy of the source, and titles that no
/// author gave.
pub(crate) fn with_source(mut document: Document, bytes: &[u8]) -> Document {
    put_into_iso(&mut document.metadata);
    without_controls(&mut document);
    without_placeholder(&mut document);
    if document.text.trim().is_empty() && !bytes.trim_ascii().is_empty() {
        let extra = &mut document.metadata.extra;
        extra.insert(WITHOUT_TEXT.into(), true.into());
    }
    document.metadata.size = Some(bytes.len() as u64);
    document.metadata.content_hash = Some(ContentHash::of(bytes));
    document
}
