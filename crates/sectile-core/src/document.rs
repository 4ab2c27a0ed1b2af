//! What a loader makes of a file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::{ContentHash, Pages, Span};

/// A loaded document: its text with the structure found in it.
///
/// All spans point into `text`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The text; Markdown if the format has structure.
    pub text: String,
    /// The format it was loaded from.
    pub format: Format,
    /// The headings in the order of the text.
    pub outline: Vec<Heading>,
    /// The pages in the order of the text; empty if the format has none.
    pub pages: Vec<Page>,
    /// The metadata of the document.
    pub metadata: Metadata,
}

impl Document {
    /// Returns the text as Markdown. The text of most formats is returned unchanged. In some
    /// formats, headings are ordinary lines, as in a PDF, or have other markup, as in LaTeX or
    /// plain text. There each known heading gets its number signs.
    pub fn to_markdown(&self) -> Cow<'_, str> {
        let is_markup = matches!(
            self.format,
            Format::Rst | Format::Asciidoc | Format::Org | Format::Latex | Format::Text
        );
        if !is_markup && self.format != Format::Pdf {
            return Cow::Borrowed(&self.text);
        }
        let mut markdown = String::with_capacity(self.text.len());
        let mut done = 0;
        for heading in self
            .outline
            .iter()
            .filter(|heading| !heading.span.is_empty())
        {
            let Some(before) = self.text.get(done..heading.span.start) else {
                continue;
            };
            markdown.push_str(before.trim_end_matches([' ', '\t']));
            while !markdown.is_empty() && !markdown.ends_with("\n\n") {
                markdown.push('\n');
            }
            markdown.push_str(&"#".repeat(heading.level.into()));
            // The lines of a heading may hold marks that are not part of its title.
            let title = if is_markup {
                &heading.title
            } else {
                heading.span.of(&self.text)
            };
            for word in title.split_whitespace() {
                markdown.push(' ');
                markdown.push_str(word);
            }
            markdown.push_str("\n\n");
            done = self.behind_blanks(heading.span.end);
        }
        markdown.push_str(&self.text[done..]);
        Cow::Owned(markdown)
    }

    /// Returns the place behind blank lines, or behind the spaces within a line: a line keeps its indentation.
    fn behind_blanks(&self, place: usize) -> usize {
        let (before, behind) = self.text.split_at(place);
        let first = self.text.len() - behind.trim_start().len();
        match self.text[place..first].rfind('\n') {
            Some(end) => place + end + 1,
            None if before.ends_with('\n') => place,
            None => first,
        }
    }

    /// Returns the pages that `span` touches, or `None` if the document has no pages.
    pub fn pages_of(&self, span: Span) -> Option<Pages> {
        let after = |offset: usize| self.pages.partition_point(|page| page.span.start <= offset);
        let first = self.pages.get(after(span.start).checked_sub(1)?)?;
        let last_byte = span.end.saturating_sub(1).max(span.start);
        let last = self.pages.get(after(last_byte).checked_sub(1)?)?;
        Some(Pages {
            first: first.number,
            last: last.number,
        })
    }
}

/// A format that documents are loaded from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// Plain text.
    #[default]
    Text,
    /// Markdown.
    Markdown,
    /// Portable Document Format.
    Pdf,
    /// Office Open XML text document.
    Docx,
    /// Hypertext Markup Language.
    Html,
    /// Office Open XML presentation.
    Pptx,
    /// Office Open XML workbook, also a binary one (`.xlsb`).
    Xlsx,
    /// Excel workbook of before 2007.
    Xls,
    /// OpenDocument spreadsheet.
    Ods,
    /// OpenDocument text.
    Odt,
    /// OpenDocument presentation.
    Odp,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// Electronic book.
    Epub,
    /// Rich Text Format.
    Rtf,
    /// Jupyter notebook.
    Ipynb,
    /// reStructuredText.
    Rst,
    /// AsciiDoc.
    Asciidoc,
    /// Org mode of Emacs.
    Org,
    /// LaTeX.
    Latex,
    /// The markup of MediaWiki.
    Mediawiki,
    /// Manual page in roff.
    Man,
    /// An e-mail message (`.eml`).
    Email,
    /// A mailbox of e-mail messages.
    Mbox,
    /// JavaScript Object Notation, also with one value per line.
    Json,
    /// YAML.
    Yaml,
    /// Extensible Markup Language.
    Xml,
    /// Source code of a programming language.
    Code,
    /// An address book in vCard.
    Vcard,
    /// A calendar in iCalendar.
    Icalendar,
    /// Subtitles in `SubRip` or `WebVTT`.
    Subtitles,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 31] = [
        Self::Text,
        Self::Markdown,
        Self::Pdf,
        Self::Docx,
        Self::Html,
        Self::Pptx,
        Self::Xlsx,
        Self::Xls,
        Self::Ods,
        Self::Odt,
        Self::Odp,
        Self::Csv,
        Self::Tsv,
        Self::Epub,
        Self::Rtf,
        Self::Ipynb,
        Self::Rst,
        Self::Asciidoc,
        Self::Org,
        Self::Latex,
        Self::Mediawiki,
        Self::Man,
        Self::Email,
        Self::Mbox,
        Self::Json,
        Self::Yaml,
        Self::Xml,
        Self::Code,
        Self::Vcard,
        Self::Icalendar,
        Self::Subtitles,
    ];

    /// Returns the name in files, stores and output, such as `markdown`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Html => "html",
            Self::Pptx => "pptx",
            Self::Xlsx => "xlsx",
            Self::Xls => "xls",
            Self::Ods => "ods",
            Self::Odt => "odt",
            Self::Odp => "odp",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Epub => "epub",
            Self::Rtf => "rtf",
            Self::Ipynb => "ipynb",
            Self::Rst => "rst",
            Self::Asciidoc => "asciidoc",
            Self::Org => "org",
            Self::Latex => "latex",
            Self::Mediawiki => "mediawiki",
            Self::Man => "man",
            Self::Email => "email",
            Self::Mbox => "mbox",
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Xml => "xml",
            Self::Code => "code",
            Self::Vcard => "vcard",
            Self::Icalendar => "icalendar",
            Self::Subtitles => "subtitles",
        }
    }

    /// Returns the name of this format in messages, such as `Word document`.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "Markdown",
            Self::Pdf => "PDF",
            Self::Docx => "Word document",
            Self::Html => "web page",
            Self::Pptx => "PowerPoint presentation",
            Self::Xlsx | Self::Xls => "Excel workbook",
            Self::Ods => "OpenDocument spreadsheet",
            Self::Odt => "OpenDocument text",
            Self::Odp => "OpenDocument presentation",
            Self::Csv | Self::Tsv => "table",
            Self::Epub => "EPUB",
            Self::Rtf => "RTF document",
            Self::Ipynb => "Jupyter notebook",
            Self::Rst => "reStructuredText",
            Self::Asciidoc => "AsciiDoc",
            Self::Org => "Org file",
            Self::Latex => "LaTeX source",
            Self::Mediawiki => "wiki page",
            Self::Man => "manual page",
            Self::Email => "e-mail",
            Self::Mbox => "mailbox",
            Self::Json => "JSON file",
            Self::Yaml => "YAML file",
            Self::Xml => "XML file",
            Self::Code => "source file",
            Self::Vcard => "address book",
            Self::Icalendar => "calendar",
            Self::Subtitles => "subtitles",
        }
    }

    /// Returns whether only the outline tells the headings of documents in this format. Their text
    /// has other markup, or none, and a line `# comment` in it is not a heading.
    pub const fn is_outlined(self) -> bool {
        matches!(
            self,
            Self::Asciidoc
                | Self::Code
                | Self::Latex
                | Self::Org
                | Self::Pdf
                | Self::Rst
                | Self::Yaml
        )
    }

    /// Returns whether the text of documents in this format is that of their files, so that its lines are those of the
    /// files. The text of the others is made from what the files hold.
    pub const fn keeps_source(self) -> bool {
        matches!(
            self,
            Self::Asciidoc
                | Self::Code
                | Self::Latex
                | Self::Markdown
                | Self::Org
                | Self::Rst
                | Self::Text
                | Self::Yaml
        )
    }

    /// Returns the format with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the format of files with this extension, in lower case, without a dot. Returns `None` for source code,
    /// plain text, and formats that only their content tells: vCard, iCalendar, subtitles and gzip.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "asciidoc" | "adoc" => Self::Asciidoc,
            "csv" => Self::Csv,
            "docx" | "docm" | "dotx" | "dotm" => Self::Docx,
            // A web page with its pictures is a message in form.
            "eml" | "emlx" | "mht" | "mhtml" => Self::Email,
            "epub" => Self::Epub,
            "html" | "htm" | "xht" | "xhtml" => Self::Html,
            "ipynb" => Self::Ipynb,
            "json" | "json5" | "jsonc" | "jsonl" | "ndjson" | "geojson" => Self::Json,
            // The last ones are those of R Markdown, Quarto, Livebook, Markdoc and Nuxt.
            "md" | "markdown" | "mdown" | "mkd" | "mkdn" | "mdwn" | "mdx" | "rmd" | "rmarkdown"
            | "qmd" | "livemd" | "mdoc" | "mdc" => Self::Markdown,
            "mbox" => Self::Mbox,
            "mediawiki" | "wiki" | "wikitext" => Self::Mediawiki,
            "fodp" | "odp" | "otp" => Self::Odp,
            "fods" | "ods" | "ots" => Self::Ods,
            "fodt" | "odt" | "ott" => Self::Odt,
            "org" => Self::Org,
            "pdf" => Self::Pdf,
            "pptx" | "pptm" | "potx" | "ppsx" => Self::Pptx,
            "rst" | "rest" => Self::Rst,
            "rtf" => Self::Rtf,
            "tex" | "latex" | "ltx" => Self::Latex,
            "tsv" | "tab" => Self::Tsv,
            "xls" => Self::Xls,
            "xlsx" | "xlsm" | "xlsb" | "xltx" => Self::Xlsx,
            "atom" | "dbk" | "docbook" | "nxml" | "plist" | "rss" | "svg" | "tei" | "xml"
            | "xsd" => Self::Xml,
            "yaml" | "yml" => Self::Yaml,
            _ => return None,
        })
    }

    /// Returns whether files of this format are binary or begin with a signature, as RTF does.
    pub const fn is_binary(self) -> bool {
        matches!(
            self,
            Self::Docx
                | Self::Epub
                | Self::Odp
                | Self::Ods
                | Self::Odt
                | Self::Pdf
                | Self::Pptx
                | Self::Rtf
                | Self::Xls
                | Self::Xlsx
        )
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A heading of a document's outline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// The level, 1 to 6.
    pub level: u8,
    /// The heading's text without markup.
    pub title: String,
    /// The span of the heading's lines in the text; empty if only a position is known.
    pub span: Span,
}

/// A page of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The number, counted from 1 over the whole document.
    pub number: u32,
    /// The label that readers see, such as `iv`, if it differs from the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The part of the text on the page.
    pub span: Span,
}

/// The metadata of a document. Dates are ISO 8601.
///
/// In JSON it is one object, with the fields of `extra` next to the others. A field of `extra` that
/// has the name of another field, but a value of another type, is called `extra_NAME` there. So
/// everything that was written can be read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Metadata {
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The author or authors, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The date of creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The date of the last change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// The language as a BCP 47 tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The character encoding with which a text file was read: its WHATWG name, or the name of an
    /// encoding that the web does not use, such as `UTF-32LE` or `IBM850`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The number of pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_count: Option<u32>,
    /// The size of the source in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The hash of the source's bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<ContentHash>,
    /// All other metadata, for example front matter.
    #[serde(flatten, serialize_with = "under_other_names")]
    pub extra: BTreeMap<String, Value>,
}

/// The names of the fields of [`Metadata`].
const OWN_NAMES: [&str; 9] = [
    "title",
    "author",
    "created",
    "modified",
    "language",
    "encoding",
    "page_count",
    "size",
    "content_hash",
];

/// Writes `extra` without a second field of any name.
fn under_other_names<S: Serializer>(
    extra: &BTreeMap<String, Value>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(extra.iter().map(|(name, value)| {
        if Metadata::is_own(name) {
            (Cow::Owned(other_name(name)), value)
        } else {
            (Cow::Borrowed(name.as_str()), value)
        }
    }))
}

fn other_name(name: &str) -> String {
    format!("extra_{name}")
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

/// Puts the fields of an object in their places as they come: each hit of a search has some.
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Metadata;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the metadata of a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Metadata, A::Error> {
        let mut metadata = Metadata::default();
        while let Some(name) = fields.next_key::<String>()? {
            let value = fields.next_value()?;
            if !Metadata::is_own(&name) {
                metadata.extra.insert(name, value);
            } else if let Err(value) = metadata.put(&name, value) {
                metadata.extra.insert(other_name(&name), value);
            }
        }
        Ok(metadata)
    }
}

/// A field of `extra` has the name of a field of [`Metadata`], but a value of another type.
#[derive(Clone, Debug, PartialEq)]
pub struct MisfitField {
    /// The name.
    pub name: &'static str,
    /// Its value, as JSON.
    pub value: Value,
}

impl fmt::Display for MisfitField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value } = self;
        write!(
            formatter,
            "the metadata field `{name}` cannot be {value}; use another name or another value"
        )
    }
}

impl std::error::Error for MisfitField {}

impl Metadata {
    /// Returns whether a field with this name belongs to the struct, not to `extra`.
    pub fn is_own(name: &str) -> bool {
        OWN_NAMES.contains(&name)
    }

    /// Moves the values in `extra` that have the names of other fields into these fields.
    ///
    /// # Errors
    ///
    /// [`MisfitField`] for the first value that is not of the field's type; it stays in `extra`.
    pub fn settle(&mut self) -> Result<(), MisfitField> {
        for name in OWN_NAMES {
            let Some(value) = self.extra.remove(name) else {
                continue;
            };
            if let Err(value) = self.put(name, value) {
                self.extra.insert(name.to_owned(), value.clone());
                return Err(MisfitField { name, value });
            }
        }
        Ok(())
    }

    /// Puts a value into the field of an own name, or returns it where it is not of its kind.
    fn put(&mut self, name: &str, value: Value) -> Result<(), Value> {
        match name {
            "title" => put_text(&mut self.title, value),
            "author" => put_text(&mut self.author, value),
            "created" => put_text(&mut self.created, value),
            "modified" => put_text(&mut self.modified, value),
            "language" => put_text(&mut self.language, value),
            "encoding" => put_text(&mut self.encoding, value),
            "page_count" => put_parsed(&mut self.page_count, value),
            "size" => put_parsed(&mut self.size, value),
            "content_hash" => put_parsed(&mut self.content_hash, value),
            _ => Err(value),
        }
    }

    /// Returns the value of a field, by its name in JSON, or `None` if it is missing or null.
    pub fn field(&self, name: &str) -> Option<Cow<'_, Value>> {
        let text = |text: &Option<String>| text.clone().map(Value::from);
        let own = match name {
            "title" => text(&self.title),
            "author" => text(&self.author),
            "created" => text(&self.created),
            "modified" => text(&self.modified),
            "language" => text(&self.language),
            "encoding" => text(&self.encoding),
            "page_count" => self.page_count.map(Value::from),
            "size" => self.size.map(Value::from),
            "content_hash" => self.content_hash.map(|hash| Value::from(hash.to_string())),
            other => {
                return self
                    .extra
                    .get(other)
                    .filter(|value| !value.is_null())
                    .map(Cow::Borrowed);
            }
        };
        own.map(Cow::Owned)
    }
}

fn put_text(field: &mut Option<String>, value: Value) -> Result<(), Value> {
    *field = match value {
        Value::String(text) => Some(text),
        Value::Null => None,
        other => return Err(other),
    };
    Ok(())
}

fn put_parsed<T: DeserializeOwned>(field: &mut Option<T>, value: Value) -> Result<(), Value> {
    let Ok(parsed) = Option::deserialize(&value) else {
        return Err(value);
    };
    *field = parsed;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_read_again_whatever_names_it_has() {
        let own = OWN_NAMES.map(|name| (name.to_owned(), Value::from(vec![1])));
        let metadata = Metadata {
            title: Some("T".into()),
            content_hash: Some(ContentHash::of(b"x")),
            extra: own
                .into_iter()
                .chain([("team".into(), "red".into())])
                .collect(),
            ..Metadata::default()
        };
        let json = serde_json::to_string(&metadata).unwrap();
        let again: Metadata = serde_json::from_str(&json).unwrap();
        let written: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(
            (&again.title, again.content_hash),
            (&metadata.title, metadata.content_hash)
        );
        assert_eq!(again.extra["team"], "red");
        assert_eq!(again.extra["extra_size"], Value::from(vec![1]));
        assert_eq!(serde_json::to_value(&again).unwrap(), written);
    }

    #[test]
    fn metadata_that_was_written_wrong_is_read() {
        let json = r#"{"title": 5, "content_hash": "x", "size": 7, "content_hash": null, "page_count": -1}"#;
        let metadata: Metadata = serde_json::from_str(json).unwrap();
        assert_eq!((metadata.size, metadata.content_hash), (Some(7), None));
        assert_eq!(metadata.extra["extra_title"], 5);
        assert_eq!(metadata.extra["extra_page_count"], -1);
    }

    #[test]
    fn a_misfit_field_is_named() {
        let mut metadata = Metadata::default();
        metadata.extra.insert("author".into(), "Ada".into());
        metadata.extra.insert("size".into(), "big".into());
        let error = metadata.settle().unwrap_err().to_string();
        assert!(
            error.contains("`size`") && error.contains("\"big\""),
            "{error}"
        );
        assert_eq!(metadata.author.as_deref(), Some("Ada"));
    }

    fn page(number: u32, start: usize, end: usize) -> Page {
        Page {
            number,
            label: None,
            span: Span::new(start, end),
        }
    }

    #[test]
    fn a_span_over_a_page_break_has_both_pages() {
        let document = Document {
            text: "one two three".into(),
            pages: vec![page(1, 0, 4), page(2, 4, 8), page(3, 8, 13)],
            ..Document::default()
        };
        let pages = |start, end| document.pages_of(Span::new(start, end));
        assert_eq!(pages(0, 4), Some(Pages { first: 1, last: 1 }));
        assert_eq!(pages(3, 9), Some(Pages { first: 1, last: 3 }));
        assert_eq!(pages(13, 13), Some(Pages { first: 3, last: 3 }));
        assert_eq!(Document::default().pages_of(Span::new(0, 0)), None);
    }

    #[test]
    fn headings_of_a_pdf_become_those_of_markdown() {
        let heading = |level, start, end| Heading {
            level,
            title: String::new(),
            span: Span::new(start, end),
        };
        let mut document = Document {
            text: "1.2 The\nStart\n\ntext\nRun in. More\n".into(),
            format: Format::Pdf,
            outline: vec![heading(1, 0, 0), heading(2, 0, 14), heading(3, 20, 27)],
            ..Document::default()
        };
        let expected = "## 1.2 The Start\n\ntext\n\n### Run in.\n\nMore\n";
        assert_eq!(document.to_markdown(), expected);
        document.format = Format::Docx;
        assert_eq!(document.to_markdown(), document.text);
    }

    #[test]
    fn headings_of_other_markup_become_those_of_markdown() {
        let document = Document {
            text: "Guide\n=====\nText.\n\\section{A}\\label{a} More.\n".into(),
            format: Format::Rst,
            outline: vec![
                Heading {
                    level: 1,
                    title: "Guide".into(),
                    span: Span::new(0, 12),
                },
                Heading {
                    level: 2,
                    title: "A".into(),
                    span: Span::new(18, 38),
                },
            ],
            ..Document::default()
        };
        let expected = "# Guide\n\nText.\n\n## A\n\nMore.\n";
        assert_eq!(document.to_markdown(), expected);
    }

    #[test]
    fn text_below_a_heading_keeps_its_indentation() {
        let heading = |title: &str, start, end| Heading {
            level: 1,
            title: title.into(),
            span: Span::new(start, end),
        };
        let document = Document {
            text: "A\n=\n\n    1\n    2\n  B: 3\n".into(),
            format: Format::Text,
            outline: vec![heading("A", 0, 4), heading("B", 19, 21)],
            ..Document::default()
        };
        let expected = "# A\n\n    1\n    2\n\n# B\n\n3\n";
        assert_eq!(document.to_markdown(), expected);
    }

    #[test]
    fn every_format_is_found_by_its_name() {
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
            let json = serde_json::to_value(format).unwrap();
            assert_eq!(json, format.name());
        }
        assert_eq!(Format::from_name("ppt"), None);
    }
}
