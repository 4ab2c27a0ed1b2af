//! What a server answers.

use std::collections::HashMap;

use reqwest::header::{HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH};
use url::Url;

/// The known versions of pages, by the address at which each page was last found.
pub type Known = HashMap<String, Validators>;

/// The server's identifiers for a version of a page, for conditional requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// The header `ETag`, as sent.
    pub etag: Option<String>,
    /// The header `Last-Modified`, as sent.
    pub last_modified: Option<String>,
}

impl Validators {
    /// Returns whether the server sent no identifier.
    pub const fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }

    pub(crate) fn headers(&self) -> HeaderMap {
        let conditions = [
            (IF_NONE_MATCH, &self.etag),
            (IF_MODIFIED_SINCE, &self.last_modified),
        ];
        let header = |(name, value): (_, &Option<String>)| {
            Some((name, HeaderValue::try_from(value.as_deref()?).ok()?))
        };
        conditions.into_iter().filter_map(header).collect()
    }
}

/// An answer that is not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The known version of the page is current.
    NotModified {
        /// The address after redirects.
        url: Url,
    },
    /// The page.
    Body(Body),
}

impl Answer {
    /// Returns where the page was found, after redirects.
    pub const fn url(&self) -> &Url {
        match self {
            Self::NotModified { url } | Self::Body(Body { url, .. }) => url,
        }
    }
}

/// The body of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The address after redirects.
    pub url: Url,
    /// The header `Content-Type`; empty if the server sent none.
    pub content_type: String,
    /// The identifiers of this version.
    pub validators: Validators,
    /// The headers `X-Robots-Tag`, which tell programs what to do with the page.
    pub robots: Vec<String>,
    /// The decompressed bytes. They are UTF-8 if the server or the page declares the encoding.
    pub bytes: Vec<u8>,
}

/// The kind of text of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Hypertext Markup Language.
    Html,
    /// Markdown.
    Markdown,
    /// Text, which may be any of them.
    Text,
}

/// How files begin that servers send as text, and their types.
const FILES: [(&[u8], &str); 4] = [
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (
        b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
        "application/x-ole-storage",
    ),
    (b"{\\rtf", "application/rtf"),
];

impl Body {
    /// Returns the kind of text, from the content type and the first bytes of the page. `None` if
    /// the page is not text.
    pub fn kind(&self) -> Option<Kind> {
        if self.file_type().is_some() {
            return None;
        }
        let name = self.content_type.split(';').next().unwrap_or_default();
        let extension = extension(&self.url);
        let is_markdown = extension.as_deref().is_some_and(is_markdown);
        let kind = match name.trim().to_ascii_lowercase().as_str() {
            // Some servers call every text a web page.
            "text/html" | "application/xhtml+xml" if self.has_markup() => Kind::Html,
            "text/html" | "text/plain" | "" | "application/octet-stream" if is_markdown => {
                Kind::Markdown
            }
            "text/html" | "application/octet-stream" if extension.as_deref() == Some("txt") => {
                Kind::Text
            }
            "text/html" | "application/xhtml+xml" => Kind::Html,
            "text/markdown" | "text/x-markdown" => Kind::Markdown,
            "text/plain" | "" => Kind::Text,
            _ => return None,
        };
        Some(if self.begins_like_html() {
            Kind::Html
        } else {
            kind
        })
    }

    /// Returns the type of a file that is not text, from its first bytes, whatever the server says.
    pub(crate) fn file_type(&self) -> Option<&'static str> {
        let bytes = self.bytes.trim_ascii_start();
        let found = FILES.iter().find(|(mark, _)| bytes.starts_with(mark));
        found.map(|(_, name)| *name)
    }

    /// Returns whether the page is a text, and not a web page that came in its place.
    pub(crate) fn is_plain(&self) -> bool {
        self.kind().is_some_and(|kind| kind != Kind::Html)
    }

    /// Returns the bytes from the first one on that is shown.
    fn beginning(&self) -> &[u8] {
        let bytes = self.bytes.strip_prefix(b"\xEF\xBB\xBF");
        bytes.unwrap_or(&self.bytes).trim_ascii_start()
    }

    /// Returns whether a page begins with a tag or a comment, or is empty, as it is before its bytes are read.
    fn has_markup(&self) -> bool {
        self.beginning().first().is_none_or(|&first| first == b'<')
    }

    fn begins_like_html(&self) -> bool {
        let beginning = self.beginning();
        [&b"<!doctype html"[..], b"<html"].iter().any(|tag| {
            let head = beginning.get(..tag.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(tag))
        })
    }
}

/// Returns what follows the last full stop of the last part of a path, in lower case.
pub(crate) fn extension(url: &Url) -> Option<String> {
    let name = url.path().rsplit('/').next()?;
    let (_, extension) = name.rsplit_once('.')?;
    Some(extension.to_ascii_lowercase())
}

/// Returns whether files of an extension are Markdown.
pub(crate) fn is_markdown(extension: &str) -> bool {
    matches!(extension, "md" | "mdx" | "markdown" | "mdown" | "mkd")
}
