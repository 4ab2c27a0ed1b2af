//! The formats of documents.

use std::fmt;

use serde::{Deserialize, Serialize};

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
            "csv" | "psv" => Self::Csv,
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
            "atom" | "dbk" | "dita" | "ditamap" | "docbook" | "gpx" | "kml" | "nxml" | "opml"
            | "plist" | "rdf" | "rss" | "svg" | "tei" | "tmx" | "wsdl" | "xlf" | "xliff"
            | "xml" | "xsd" | "xsl" | "xslt" => Self::Xml,
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

#[cfg(test)]
mod tests {
    use super::*;

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
