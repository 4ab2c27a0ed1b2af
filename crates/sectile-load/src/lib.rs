//! Loads files into documents: bytes or a path in, text with its outline, pages and metadata out.
//!
//! ```
//! use std::path::Path;
//! use sectile_core::Format;
//! use sectile_load::load_bytes;
//!
//! let document = load_bytes(b"Caf\xe9 ouvert\r\n", Path::new("sign.txt"))?;
//! assert_eq!(document.format, Format::Text);
//! assert_eq!(document.text, "Café ouvert\r\n");
//! assert_eq!(document.metadata.encoding.as_deref(), Some("windows-1252"));
//! # Ok::<(), sectile_load::Error>(())
//! ```
//!
//! [`load_file`] and [`load_bytes`] detect the format with [`detect`], and use the [`Loader`] of
//! the format:
//!
//! - [`TextLoader`] decodes text in any encoding of the web and keeps its line ends; [`TextReader`]
//!   does so part by part, for files larger than memory.
//! - [`MarkdownLoader`] keeps the source as it is, and reads its headings and front matter.
//! - `RstLoader`, `AsciidocLoader`, `OrgLoader` and `LatexLoader` (features `rst`, `asciidoc`, `org`,
//!   `latex`) keep the source, too, and name the files that it includes.
//! - `HtmlLoader` (feature `html`) writes the main part of web pages as Markdown.
//! - `IpynbLoader` (feature `ipynb`) writes Jupyter notebooks as Markdown.
//! - `PdfLoader` (feature `pdf`) gives the text page by page, with the bookmarks as outline.
//! - `CsvLoader` (feature `csv`) writes comma-separated and tab-separated values as a table.
//! - `CodeLoader` (feature `code`) keeps source code as it is, and reads its modules, types and
//!   functions.
//! - `DocxLoader` (feature `docx`) writes Word documents as Markdown.
//! - `EmailLoader` (feature `email`) writes messages and mailboxes as Markdown, with attachments.
//! - `JsonLoader` (feature `json`) writes JSON as Markdown, with the large values as sections.
//! - `YamlLoader` (feature `yaml`) keeps the source as it is, with the keys as outline.
//! - `XmlLoader` (feature `xml`) writes XML of any vocabulary as Markdown.
//! - `ManLoader` (feature `man`) writes manual pages as Markdown.
//! - `MediawikiLoader` (feature `mediawiki`) writes pages of MediaWiki as Markdown.
//! - `EpubLoader` (feature `epub`) writes the chapters of books as Markdown.
//! - `OdtLoader` (feature `odt`) writes OpenDocument text documents as Markdown.
//! - `OdpLoader` (feature `odp`) writes OpenDocument presentations as `PptxLoader` does those of PowerPoint.
//! - `RtfLoader` (feature `rtf`) writes documents in Rich Text Format as Markdown.
//! - `OdsLoader` (feature `ods`) writes the sheets of OpenDocument spreadsheets as tables.
//! - `PptxLoader` (feature `pptx`) writes presentations as Markdown, each slide as a page and a
//!   section.
//! - `XlsxLoader` (feature `xlsx`) writes the sheets of Excel workbooks as tables.
//! - `VcardLoader` (feature `vcard`) writes address books as Markdown.
//! - `IcalendarLoader` (feature `icalendar`) writes calendars as Markdown.
//! - `SubtitlesLoader` (feature `subtitles`) writes subtitles as a transcript.
//!
//! Text in gzip (`.txt.gz`, `.csv.gz`) is unpacked (feature `gzip`).
//!
//! A [`FileLoader`] loads with [`LoadOptions`] and, with `Workers` (feature `workers`), parses in
//! processes of their own what may be hostile: a PDF can make any parser run for ever, take all
//! memory or overflow the stack, which takes the process with it. Without workers nothing bounds
//! the time. A `FilesLoader` (feature `async`) loads many files at a time and can split them.
//!
//! What cannot be loaded is an [`Error`] that names the file and says what to do; nothing is
//! dropped in silence.

// A build with all formats tells of dead code; one format does not use all that it shares with others.
#![cfg_attr(
    not(all(
        feature = "asciidoc",
        feature = "code",
        feature = "csv",
        feature = "docx",
        feature = "email",
        feature = "epub",
        feature = "html",
        feature = "icalendar",
        feature = "ipynb",
        feature = "json",
        feature = "latex",
        feature = "man",
        feature = "mediawiki",
        feature = "odp",
        feature = "ods",
        feature = "odt",
        feature = "org",
        feature = "pdf",
        feature = "pptx",
        feature = "rst",
        feature = "rtf",
        feature = "subtitles",
        feature = "vcard",
        feature = "xlsx",
        feature = "xml",
        feature = "yaml",
    )),
    allow(
        dead_code,
        unused_imports,
        reason = "formats that share code do not use all of it"
    )
)]

#[cfg(any(feature = "ods", feature = "odt", feature = "opc", feature = "rtf"))]
mod alternative_text;
#[cfg(feature = "blocks")]
mod anchor_sign;
#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "asciidoc")]
mod asciidoc;
#[cfg(feature = "blocks")]
mod blocks;
#[cfg(feature = "opc")]
mod chart;
#[cfg(feature = "code")]
mod code;
mod code_pages;
#[cfg(any(feature = "docx", feature = "odt"))]
mod code_paragraphs;
#[cfg(any(feature = "icalendar", feature = "vcard"))]
mod content_lines;
mod controls;
#[cfg(feature = "csv")]
mod csv;
#[cfg(any(feature = "ods", feature = "odt", feature = "opc", feature = "rtf"))]
mod custom_properties;
mod date;
mod detect;
#[cfg(feature = "docx")]
mod docx;
#[cfg(feature = "opc")]
mod drawing;
#[cfg(feature = "email")]
mod email;
mod encoding;
#[cfg(any(feature = "mediawiki", feature = "xml"))]
mod entity_names;
#[cfg(feature = "epub")]
mod epub;
mod error;
mod escapes;
#[cfg(feature = "archive")]
mod failure;
#[cfg(any(feature = "docx", feature = "rtf"))]
mod field;
#[cfg(feature = "async")]
mod files;
mod foreign;
#[cfg(any(feature = "docx", feature = "rtf"))]
mod form_field;
mod front_matter;
#[cfg(any(feature = "csv", feature = "ods", feature = "xlsx"))]
mod grid;
#[cfg(feature = "gzip")]
mod gzip;
#[cfg(feature = "html")]
mod html;
#[cfg(feature = "icalendar")]
mod icalendar;
#[cfg(feature = "ipynb")]
mod ipynb;
#[cfg(any(
    feature = "email",
    feature = "html",
    feature = "pdf",
    feature = "xlsx",
    feature = "xml"
))]
mod isolate;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "latex")]
mod latex;
#[cfg(any(
    feature = "mediawiki",
    feature = "ods",
    feature = "odt",
    feature = "opc",
    feature = "rtf",
    feature = "xml"
))]
mod link;
mod loader;
#[cfg(feature = "man")]
mod man;
mod markdown;
mod markup;
#[cfg(any(feature = "html", feature = "ods", feature = "odt", feature = "xml"))]
mod mathml;
#[cfg(feature = "mediawiki")]
mod mediawiki;
mod not_followed;
mod notices;
#[cfg(any(feature = "ods", feature = "opc"))]
mod number;
#[cfg(feature = "opc")]
mod number_format;
#[cfg(any(
    feature = "docx",
    feature = "html",
    feature = "odt",
    feature = "pdf",
    feature = "pptx",
    feature = "rtf",
    feature = "xml"
))]
mod numerals;
#[cfg(feature = "ods")]
mod ods;
#[cfg(feature = "odt")]
mod odt;
#[cfg(feature = "opc")]
mod office_math;
mod omissions;
mod one_line;
#[cfg(feature = "opc")]
mod opc;
#[cfg(any(feature = "docx", feature = "odt"))]
mod open_cell;
#[cfg(any(feature = "ods", feature = "odt"))]
mod open_document;
mod open_file;
mod options;
#[cfg(feature = "org")]
mod org;
#[cfg(feature = "pdf")]
mod pdf;
mod placeholder_title;
#[cfg(feature = "pptx")]
mod pptx;
#[cfg(feature = "blocks")]
mod prose;
mod reader;
#[cfg(feature = "rst")]
mod rst;
#[cfg(feature = "rtf")]
mod rtf;
#[cfg(any(
    feature = "ods",
    feature = "odt",
    feature = "opc",
    feature = "rtf",
    feature = "xml",
))]
mod running_lines;
#[cfg(any(feature = "odp", feature = "pptx"))]
mod slides;
mod split;
#[cfg(feature = "subtitles")]
mod subtitles;
#[cfg(any(
    feature = "asciidoc",
    feature = "html",
    feature = "latex",
    feature = "mediawiki",
    feature = "ods",
    feature = "odt",
    feature = "opc",
    feature = "pdf",
    feature = "rst",
    feature = "rtf",
    feature = "xml"
))]
mod superscript;
#[cfg(any(feature = "docx", feature = "pdf", feature = "pptx", feature = "rtf"))]
mod symbols;
#[cfg(any(feature = "blocks", feature = "pdf"))]
mod table_caption;
mod tex;
mod text;
#[cfg(any(feature = "docx", feature = "html", feature = "odt", feature = "rtf"))]
mod titles;
#[cfg(feature = "vcard")]
mod vcard;
mod version;
#[cfg(any(feature = "ods", feature = "xlsx"))]
mod workbook;
#[cfg(feature = "workers")]
mod workers;
#[cfg(feature = "xlsx")]
mod xlsx;
#[cfg(feature = "archive")]
mod xml;
#[cfg(feature = "xml")]
mod xml_document;
#[cfg(feature = "yaml")]
mod yaml;

#[cfg(feature = "asciidoc")]
pub use asciidoc::AsciidocLoader;
#[cfg(feature = "code")]
pub use code::CodeLoader;
#[cfg(feature = "csv")]
pub use csv::CsvLoader;
pub use detect::{detect, is_known_extension};
#[cfg(feature = "docx")]
pub use docx::DocxLoader;
#[cfg(feature = "email")]
pub use email::EmailLoader;
#[cfg(feature = "epub")]
pub use epub::EpubLoader;
pub use error::Error;
#[cfg(feature = "async")]
pub use files::{
    Files, FilesLoader, LoadEvent, load_and_split_recursive, load_file_async, load_files_async,
};
#[cfg(feature = "html")]
pub use html::{HtmlHeaderTextSplitter, HtmlLoader, HtmlPart};
#[cfg(feature = "icalendar")]
pub use icalendar::IcalendarLoader;
#[cfg(feature = "ipynb")]
pub use ipynb::IpynbLoader;
#[cfg(feature = "json")]
pub use json::JsonLoader;
#[cfg(feature = "latex")]
pub use latex::LatexLoader;
pub use loader::{FileLoader, Loader, load_bytes, load_file};
#[cfg(feature = "man")]
pub use man::ManLoader;
pub use markdown::{MarkdownLoader, is_mdx};
#[cfg(feature = "mediawiki")]
pub use mediawiki::MediawikiLoader;
pub use notices::is_notice;
#[cfg(feature = "ods")]
pub use ods::OdsLoader;
#[cfg(feature = "odp")]
pub use odt::OdpLoader;
#[cfg(feature = "odt")]
pub use odt::OdtLoader;
pub use omissions::{
    LEFT_OUT_WORDS, OCR_LANGUAGES, PAGES_WITH_LITTLE_TEXT, PAGES_WITHOUT_TEXT, WHOLE_PAGE,
    omissions,
};
pub use open_file::{open_file, open_input};
pub use options::{DocxOptions, HtmlOptions, Limits, LoadOptions, OcrOptions, PdfOptions};
#[cfg(feature = "org")]
pub use org::OrgLoader;
#[cfg(feature = "pdf")]
pub use pdf::PdfLoader;
#[cfg(feature = "pptx")]
pub use pptx::PptxLoader;
pub use reader::TextReader;
#[cfg(feature = "rst")]
pub use rst::RstLoader;
#[cfg(feature = "rtf")]
pub use rtf::RtfLoader;
pub use split::{DocumentChunk, SplitDocument, split};
#[cfg(feature = "subtitles")]
pub use subtitles::SubtitlesLoader;
pub use text::TextLoader;
#[cfg(feature = "vcard")]
pub use vcard::VcardLoader;
pub use version::loader_version;
#[cfg(feature = "workers")]
pub use workers::{Workers, serve};
#[cfg(feature = "xlsx")]
pub use xlsx::XlsxLoader;
#[cfg(feature = "xml")]
pub use xml_document::XmlLoader;
#[cfg(feature = "yaml")]
pub use yaml::YamlLoader;

/// The two ends of the pipes, for a fuzzer.
#[cfg(all(fuzzing, feature = "workers"))]
pub mod fuzzing {
    pub use crate::workers::fuzzing::{replies, requests};
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
