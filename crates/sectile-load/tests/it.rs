//! Loads files of real producers, made ones, and on request the corpora.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests fail and report as tests do"
)]

#[path = "it/support.rs"]
mod support;

#[cfg(all(feature = "icalendar", feature = "subtitles", feature = "vcard"))]
#[path = "it/cards.rs"]
mod cards;
#[cfg(feature = "code")]
#[path = "it/code.rs"]
mod code;
#[cfg(all(
    feature = "csv",
    feature = "docx",
    feature = "email",
    feature = "html",
    feature = "rtf",
    feature = "xml",
    feature = "yaml"
))]
#[path = "it/controls.rs"]
mod controls;
#[path = "it/corpus.rs"]
mod corpus;
#[cfg(all(feature = "docx", feature = "odt", feature = "rtf", feature = "xlsx"))]
#[path = "it/custom_properties.rs"]
mod custom_properties;
#[cfg(feature = "docx")]
#[path = "it/docx.rs"]
mod docx;
#[cfg(all(feature = "docx", feature = "email"))]
#[path = "it/email.rs"]
mod email;
#[path = "it/encodings.rs"]
mod encodings;
#[cfg(feature = "epub")]
#[path = "it/epub.rs"]
mod epub;
#[path = "it/errors.rs"]
mod errors;
#[cfg(all(feature = "async", feature = "docx", feature = "pdf"))]
#[path = "it/files.rs"]
mod files;
#[cfg(all(
    unix,
    feature = "code",
    feature = "csv",
    feature = "email",
    feature = "epub",
    feature = "docx",
    feature = "html",
    feature = "ipynb",
    feature = "odp",
    feature = "ods",
    feature = "odt",
    feature = "pdf",
    feature = "pptx",
    feature = "rtf",
    feature = "workers",
    feature = "xlsx"
))]
#[path = "it/hostile.rs"]
mod hostile;
#[cfg(feature = "docx")]
#[path = "it/hostile_files.rs"]
mod hostile_files;
#[cfg(feature = "html")]
#[path = "it/html.rs"]
mod html;
#[cfg(feature = "html")]
#[path = "it/html_docs.rs"]
mod html_docs;
#[cfg(feature = "html")]
#[path = "it/html_fields.rs"]
mod html_fields;
#[cfg(feature = "html")]
#[path = "it/html_generators.rs"]
mod html_generators;
#[cfg(feature = "html")]
#[path = "it/html_headers.rs"]
mod html_headers;
#[cfg(feature = "html")]
#[path = "it/html_items.rs"]
mod html_items;
#[cfg(feature = "html")]
#[path = "it/html_kept.rs"]
mod html_kept;
#[cfg(feature = "html")]
#[path = "it/html_metadata.rs"]
mod html_metadata;
#[cfg(feature = "html")]
#[path = "it/html_tables.rs"]
mod html_tables;
#[cfg(feature = "ipynb")]
#[path = "it/ipynb.rs"]
mod ipynb;
#[cfg(all(feature = "docx", feature = "json"))]
#[path = "it/json.rs"]
mod json;
#[cfg(all(feature = "docx", feature = "pdf"))]
#[path = "it/made_pdf.rs"]
mod made_pdf;
#[cfg(feature = "man")]
#[path = "it/man.rs"]
mod man;
#[cfg(all(
    feature = "asciidoc",
    feature = "latex",
    feature = "mediawiki",
    feature = "org",
    feature = "rst"
))]
#[path = "it/markup.rs"]
mod markup;
#[cfg(all(
    feature = "asciidoc",
    feature = "ipynb",
    feature = "latex",
    feature = "man",
    feature = "mediawiki",
    feature = "org",
    feature = "rst"
))]
#[path = "it/markup_hostile.rs"]
mod markup_hostile;
#[path = "it/memory.rs"]
mod memory;
#[cfg(all(
    feature = "docx",
    any(feature = "email", feature = "json", feature = "xml", feature = "yaml")
))]
#[path = "it/mutations.rs"]
mod mutations;
#[cfg(feature = "ocr")]
#[path = "it/ocr.rs"]
mod ocr;
#[cfg(feature = "odp")]
#[path = "it/odp.rs"]
mod odp;
#[cfg(feature = "odt")]
#[path = "it/odt.rs"]
mod odt;
#[cfg(feature = "odt")]
#[path = "it/odt_hidden.rs"]
mod odt_hidden;
#[cfg(feature = "odt")]
#[path = "it/odt_lists.rs"]
mod odt_lists;
#[cfg(feature = "pdf")]
#[path = "it/pdf.rs"]
mod pdf;
#[cfg(all(feature = "docx", feature = "pdf"))]
#[path = "it/pdf_damaged.rs"]
mod pdf_damaged;
#[cfg(all(feature = "docx", feature = "pdf"))]
#[path = "it/pdf_overprint.rs"]
mod pdf_overprint;
#[cfg(all(feature = "docx", feature = "pdf"))]
#[path = "it/pdf_scripts.rs"]
mod pdf_scripts;
#[cfg(all(feature = "docx", feature = "pdf"))]
#[path = "it/pdf_spacing.rs"]
mod pdf_spacing;
#[cfg(all(feature = "docx", feature = "pdf"))]
#[path = "it/pdf_tables.rs"]
mod pdf_tables;
#[cfg(all(feature = "docx", feature = "pdf"))]
#[path = "it/pdf_tags.rs"]
mod pdf_tags;
#[cfg(all(feature = "docx", feature = "pdf"))]
#[path = "it/pdf_text.rs"]
mod pdf_text;
#[cfg(all(
    feature = "docx",
    feature = "ods",
    feature = "odt",
    feature = "pptx",
    feature = "xlsx"
))]
#[path = "it/pictures.rs"]
mod pictures;
#[cfg(feature = "pptx")]
#[path = "it/pptx.rs"]
mod pptx;
#[cfg(all(
    feature = "docx",
    feature = "email",
    feature = "epub",
    feature = "ipynb",
    feature = "odp",
    feature = "ods",
    feature = "odt",
    feature = "pptx",
    feature = "rtf",
    feature = "xlsx"
))]
#[path = "it/producers.rs"]
mod producers;
#[path = "it/reader.rs"]
mod reader;
#[cfg(feature = "rtf")]
#[path = "it/rtf.rs"]
mod rtf;
#[cfg(feature = "rtf")]
#[path = "it/rtf_drawings.rs"]
mod rtf_drawings;
#[cfg(all(feature = "csv", feature = "ods", feature = "xlsx"))]
#[path = "it/sheet_rules.rs"]
mod sheet_rules;
#[cfg(all(feature = "csv", feature = "ods", feature = "xlsx"))]
#[path = "it/sheets.rs"]
mod sheets;
#[cfg(feature = "xlsx")]
#[path = "it/spreadsheet_xml.rs"]
mod spreadsheet_xml;
#[path = "it/text.rs"]
mod text;
#[cfg(feature = "docx")]
#[path = "it/titles.rs"]
mod titles;
#[cfg(feature = "docx")]
#[path = "it/word_features.rs"]
mod word_features;
#[cfg(feature = "docx")]
#[path = "it/word_fields.rs"]
mod word_fields;
#[cfg(all(unix, feature = "workers", feature = "pdf"))]
#[path = "it/workers.rs"]
mod workers;
#[cfg(all(feature = "docx", feature = "html", feature = "xml"))]
#[path = "it/xml.rs"]
mod xml;
#[cfg(all(feature = "docx", feature = "yaml"))]
#[path = "it/yaml.rs"]
mod yaml;
