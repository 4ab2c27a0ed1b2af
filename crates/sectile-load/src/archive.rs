//! The zip archive that a document is packed in, unpacked within limits.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use sectile_core::Format;
use zip::ZipArchive;

use crate::Limits;
use crate::failure::Failure;
use crate::xml::{Node, Walk};

/// How large a part may be, inflated, before its ratio counts: real parts of white space or of
/// one row a thousand times inflate as much as those of a bomb.
const RATIO_FROM: u64 = 32 << 20;

/// How much memory is taken for a part because its directory says how large it is.
const TRUSTED_SIZE: u64 = 1 << 20;

/// How many files the archive may hold.
const MAX_ENTRIES: usize = 20_000;

/// The part that names the format of OpenDocument files and of EPUB.
const MIMETYPE: &str = "mimetype";

/// The part of EPUB that says where the package is, and the type that it gives it.
const CONTAINER: &str = "META-INF/container.xml";
const PACKAGE: &str = "application/oebps-package+xml";

/// The part of OpenDocument files that lists the others, and the whole as `/`.
const MANIFEST: &str = "META-INF/manifest.xml";

/// Where the main parts of Office Open XML documents stand.
const MAIN_PARTS: [(&str, Format); 4] = [
    ("xl/workbook.xml", Format::Xlsx),
    ("xl/workbook.bin", Format::Xlsx),
    ("ppt/presentation.xml", Format::Pptx),
    ("word/document.xml", Format::Docx),
];

/// What the content types of main parts have in them, which may stand elsewhere.
const CONTENT_TYPES: [(&str, Format); 8] = [
    ("spreadsheetml.sheet.main+xml", Format::Xlsx),
    ("spreadsheetml.template.main+xml", Format::Xlsx),
    ("ms-excel.sheet.macroEnabled.main+xml", Format::Xlsx),
    ("presentationml.presentation.main+xml", Format::Pptx),
    ("presentationml.slideshow.main+xml", Format::Pptx),
    ("wordprocessingml.document.main+xml", Format::Docx),
    ("wordprocessingml.template.main+xml", Format::Docx),
    ("ms-word.document.macroEnabled.main+xml", Format::Docx),
];

/// An open archive. Names are case-insensitive, as in Office Open XML.
#[derive(Debug)]
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    limits: &'a Limits,
    inflated: u64,
}

impl<'a> Archive<'a> {
    /// Opens the archive in `bytes`.
    pub(crate) fn open(bytes: &'a [u8], limits: &'a Limits) -> Result<Self, Failure> {
        let zip = ZipArchive::new(Cursor::new(bytes))?;
        if zip.len() > MAX_ENTRIES {
            return Err(Failure::Limit {
                what: "files in the package",
                limit: MAX_ENTRIES as u64,
            });
        }
        Ok(Self {
            zip,
            limits,
            inflated: 0,
        })
    }

    /// Finds out which format the document in the archive is in, where a part says so.
    pub(crate) fn format(&mut self) -> Option<Format> {
        if let Ok(name) = self.read(MIMETYPE) {
            return of_mimetype(name.trim());
        }
        let found = MAIN_PARTS.iter().find(|(part, _)| self.has(part));
        let found = found.map(|(_, format)| *format);
        found
            .or_else(|| self.format_by_content_types())
            .or_else(|| self.format_by_list())
    }

    /// Finds the format by the part that lists the others, where the one that names the format is missing.
    fn format_by_list(&mut self) -> Option<Format> {
        if let Ok(container) = self.read(CONTAINER) {
            return container.contains(PACKAGE).then_some(Format::Epub);
        }
        let manifest = self.read(MANIFEST).ok()?;
        let mut walk = Walk::new(&manifest);
        loop {
            match walk.next().ok()? {
                Node::Open(entry) if entry.attribute("full-path").as_deref() == Some("/") => {
                    return of_mimetype(&entry.attribute("media-type")?);
                }
                Node::End => return None,
                Node::Open(_) | Node::Close | Node::Text(_) => {}
            }
        }
    }

    fn format_by_content_types(&mut self) -> Option<Format> {
        let types = self.read("[Content_Types].xml").ok()?;
        let found = CONTENT_TYPES.iter().find(|(name, _)| types.contains(name));
        found.map(|(_, format)| *format)
    }

    /// Reads and decodes the XML of the part called `name`.
    pub(crate) fn read(&mut self, name: &str) -> Result<String, Failure> {
        self.read_bytes(name).map(decode)
    }

    /// Reads the part called `name`.
    pub(crate) fn read_bytes(&mut self, name: &str) -> Result<Vec<u8>, Failure> {
        let index = self.index(name);
        let index = index.ok_or_else(|| Failure::Missing(name.into()))?;
        let compressed = self.zip.by_index_raw(index)?.compressed_size();
        let (room, what, limit) = self.limit(compressed);
        let file = self.zip.by_index(index)?;
        let mut bytes = Vec::with_capacity(file.size().min(room).min(TRUSTED_SIZE) as usize);
        let read = file.take(room + 1).read_to_end(&mut bytes);
        read.map_err(|source| Failure::Unpack {
            part: name.into(),
            source,
        })?;
        let length = bytes.len() as u64;
        if length > room {
            return Err(Failure::Limit { what, limit });
        }
        self.inflated += length;
        Ok(bytes)
    }

    /// Returns how many bytes a part of this compressed size may inflate to, and which limit says
    /// so: the least of half of what all parts may have, what is left of it, and the ratio.
    fn limit(&self, compressed: u64) -> (u64, &'static str, u64) {
        let total = self.limits.inflated_bytes;
        let ratio = compressed.saturating_mul(self.limits.inflation_ratio);
        let (half, tight) = (total / 2, ratio.max(RATIO_FROM));
        let limits = [
            (half, "the bytes of an unpacked part", half),
            (
                total - self.inflated,
                "the bytes of all unpacked parts",
                total,
            ),
            (
                tight,
                "the bytes of a part that is packed so tightly",
                tight,
            ),
        ];
        let least = limits.into_iter().min_by_key(|(room, ..)| *room);
        least.expect("there are three")
    }

    /// Returns whether there is a part called `name`.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// Finds a part by its name, which is case-insensitive in the standard and in Word. Some programs write
    /// backslashes, and old archives have names in code page 437.
    fn index(&self, name: &str) -> Option<usize> {
        let exact = self.zip.index_for_name_raw(name.as_bytes());
        let written_otherwise = || {
            let mut names = self.zip.file_names_raw();
            names.position(|other| is_same(other, name.as_bytes()))
        };
        exact
            .or_else(written_otherwise)
            .or_else(|| self.zip.index_for_name(name))
    }
}

/// Returns whether two names differ in their case and the direction of their slashes at most.
fn is_same(left: &[u8], right: &[u8]) -> bool {
    let plain = |byte: &u8| match byte {
        b'\\' => b'/',
        other => other.to_ascii_lowercase(),
    };
    left.len() == right.len() && left.iter().map(plain).eq(right.iter().map(plain))
}

/// Returns the format of the media type that an archive gives.
fn of_mimetype(name: &str) -> Option<Format> {
    match name {
        "application/epub+zip" => Some(Format::Epub),
        "application/vnd.oasis.opendocument.text"
        | "application/vnd.oasis.opendocument.text-template" => Some(Format::Odt),
        "application/vnd.oasis.opendocument.spreadsheet"
        | "application/vnd.oasis.opendocument.spreadsheet-template" => Some(Format::Ods),
        "application/vnd.oasis.opendocument.presentation"
        | "application/vnd.oasis.opendocument.presentation-template" => Some(Format::Odp),
        _ => None,
    }
}

/// Decodes the XML of a part: by byte order mark, by the look of UTF-16, or as declared.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    let encoding = match bytes.as_slice() {
        [b'<', 0, ..] => UTF_16LE,
        [0, b'<', ..] => UTF_16BE,
        other => declared(other).unwrap_or(UTF_8),
    };
    if encoding == UTF_8 && Encoding::for_bom(&bytes).is_none() {
        return match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
    }
    let (text, _, _) = encoding.decode(&bytes);
    Cow::into_owned(text)
}

/// Returns the encoding that the XML declaration names.
pub(crate) fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(200)];
    let head = head.strip_prefix(b"<?xml")?;
    let head = String::from_utf8_lossy(head.split(|&byte| byte == b'>').next()?);
    let (_, value) = head.split_once("encoding")?;
    let label = value.split(['"', '\'']).nth(1)?;
    // Bytes that begin with an ASCII declaration are not UTF-16, whatever it says.
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

/// Returns the name of a part that a path within the archive means, seen from a folder.
#[cfg(any(feature = "epub", feature = "opc"))]
pub(crate) fn joined(folder: &str, path: &str) -> String {
    let base = if path.starts_with('/') { "" } else { folder };
    let mut segments = Vec::new();
    for segment in base.split('/').chain(path.split('/')) {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            name => segments.push(name),
        }
    }
    segments.join("/")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn parts_are_found_by_names_in_an_old_code_page() {
        let mut packed = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        packed.start_file("caf?.xhtml", options).unwrap();
        packed.write_all(b"text").unwrap();
        let mut bytes = packed.finish().unwrap().into_inner();
        while let Some(at) = memchr::memchr(b'?', &bytes) {
            bytes[at] = 0x82;
        }
        let limits = Limits::default();
        let mut archive = Archive::open(&bytes, &limits).unwrap();
        assert_eq!(archive.read("café.xhtml").unwrap(), "text");
        assert!(!archive.has("cafe.xhtml"));
    }

    #[test]
    fn a_format_is_known_without_the_part_that_names_it() {
        let check = |part: &str, content: &str, expected| {
            let mut packed = ZipWriter::new(Cursor::new(Vec::new()));
            packed
                .start_file(part, SimpleFileOptions::default())
                .unwrap();
            packed.write_all(content.as_bytes()).unwrap();
            let bytes = packed.finish().unwrap().into_inner();
            let limits = Limits::default();
            assert_eq!(Archive::open(&bytes, &limits).unwrap().format(), expected);
        };
        let container = format!("<container><rootfile media-type='{PACKAGE}'/></container>");
        check(CONTAINER, &container, Some(Format::Epub));
        check(CONTAINER, "<container/>", None);
        let manifest = |kind: &str| {
            format!(
                "<m:manifest><m:file-entry m:full-path='a.xml' m:media-type='text/xml'/><m:file-entry m:full-path='/' \
                 m:media-type='application/vnd.oasis.opendocument.{kind}'/></m:manifest>"
            )
        };
        check(MANIFEST, &manifest("spreadsheet"), Some(Format::Ods));
        check(MANIFEST, &manifest("text"), Some(Format::Odt));
        check(MANIFEST, &manifest("presentation"), Some(Format::Odp));
        check(MANIFEST, &manifest("graphics"), None);
        check("META-INF/MANIFEST.MF", "Version: 1", None);
    }

    #[test]
    fn parts_are_decoded_as_they_say() {
        let wide = |mark: &str| {
            format!("{mark}<a>é</a>")
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect()
        };
        assert_eq!(decode(wide("\u{FEFF}")), "<a>é</a>");
        assert_eq!(decode(wide("")), "<a>é</a>");
        let declared = b"<?xml version='1.0' encoding='windows-1252'?><a>\xE9</a>";
        assert!(decode(declared.to_vec()).ends_with("<a>é</a>"));
        assert!(decode(b"<?xml version='1.0' encoding='UTF-16'?><a/>".to_vec()).ends_with("<a/>"));
        assert_eq!(decode(b"<a>\xFF</a>".to_vec()), "<a>\u{FFFD}</a>");
    }
}
