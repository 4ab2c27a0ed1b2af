//! Packages in a single XML file (Flat OPC), as Word and PowerPoint save an "XML Document": each part is an element.

use std::borrow::Cow;
use std::io::{Cursor, Write as _};

use memchr::memmem;
use sectile_core::Format;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::Limits;
use crate::failure::Failure;

/// How many parts a package may have.
const MAX_PARTS: usize = 20_000;

/// Finds out which document a package holds, by the names and types of its parts.
pub(crate) fn format(bytes: &[u8]) -> Option<Format> {
    parts(bytes).take(MAX_PARTS).find_map(|part| part.format())
}

/// Packs the parts of a file that is not an archive into one; nothing where it has none. Their XML stays as it is; other
/// parts are in base64.
pub(crate) fn packed(bytes: &[u8], limits: &Limits) -> Result<Option<Vec<u8>>, Failure> {
    if bytes.starts_with(b"PK") {
        return Ok(None);
    }
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let (mut count, mut written) = (0, 0);
    for part in parts(bytes) {
        let (Some(name), Some(content)) = (part.name(), part.content()) else {
            continue;
        };
        count += 1;
        written += content.len() as u64;
        check_limits(count, written, limits)?;
        // A name that is there already is refused.
        if archive.start_file(name, options).is_ok() {
            archive.write_all(&content).map_err(ZipError::from)?;
        }
    }
    if count == 0 {
        return Ok(None);
    }
    Ok(Some(archive.finish()?.into_inner()))
}

fn check_limits(count: usize, written: u64, limits: &Limits) -> Result<(), Failure> {
    if count > MAX_PARTS {
        return Err(Failure::Limit {
            what: "files in the package",
            limit: MAX_PARTS as u64,
        });
    }
    if written > limits.inflated_bytes {
        return Err(Failure::Limit {
            what: "the bytes of all unpacked parts",
            limit: limits.inflated_bytes,
        });
    }
    Ok(())
}

/// An element: its tag without the name, and what is in it.
struct Element<'a> {
    tag: &'a [u8],
    inner: &'a [u8],
}

impl<'a> Element<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut rest = self.tag;
        loop {
            let (key, value) = rest.split_at(memchr::memchr(b'=', rest)?);
            let (quote, value) = value[1..].trim_ascii_start().split_first()?;
            let (value, after) = value.split_at(memchr::memchr(*quote, value)?);
            if key.trim_ascii() == name.as_bytes() {
                return std::str::from_utf8(value).ok();
            }
            rest = &after[1..];
        }
    }

    /// Returns the name of a part, as archives have it.
    fn name(&self) -> Option<&'a str> {
        Some(self.attribute("pkg:name")?.trim_start_matches('/'))
    }

    /// Returns the format of the document whose main part this is.
    fn format(&self) -> Option<Format> {
        let name = self.name().unwrap_or_default();
        let kind = self.attribute("pkg:contentType").unwrap_or_default();
        let is_main = |usual: &str, words: &[&str]| {
            let is_of_kind = || words.iter().any(|word| kind.contains(word));
            name.eq_ignore_ascii_case(usual) || kind.ends_with("main+xml") && is_of_kind()
        };
        if is_main("word/document.xml", &["word"]) {
            Some(Format::Docx)
        } else if is_main("ppt/presentation.xml", &["presentation", "powerpoint"]) {
            Some(Format::Pptx)
        } else {
            None
        }
    }

    /// Returns what a part holds.
    fn content(&self) -> Option<Cow<'a, [u8]>> {
        if let Some((xml, _)) = element(self.inner, "pkg:xmlData") {
            return Some(xml.inner.into());
        }
        let (binary, _) = element(self.inner, "pkg:binaryData")?;
        Some(from_base64(binary.inner).into())
    }
}

/// Goes through the parts of a package.
fn parts(bytes: &[u8]) -> impl Iterator<Item = Element<'_>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (part, after) = element(rest, "pkg:part")?;
        rest = after;
        Some(part)
    })
}

/// Finds the first element of this name, of which none stands in another, and what follows it.
fn element<'a>(bytes: &'a [u8], name: &str) -> Option<(Element<'a>, &'a [u8])> {
    let opening = format!("<{name}");
    let is_whole = |start: &usize| {
        let next = bytes.get(start + opening.len());
        next.is_some_and(|next| matches!(next, b'>' | b'/') || next.is_ascii_whitespace())
    };
    let start = memmem::find_iter(bytes, opening.as_bytes()).find(is_whole)?;
    let rest = &bytes[start + opening.len()..];
    let (tag, rest) = rest.split_at(end_of_tag(rest)?);
    let rest = &rest[1..];
    if let Some(tag) = tag.strip_suffix(b"/") {
        return Some((Element { tag, inner: b"" }, rest));
    }
    let closing = format!("</{name}>");
    let end = memmem::find(rest, closing.as_bytes())?;
    let inner = &rest[..end];
    Some((Element { tag, inner }, &rest[end + closing.len()..]))
}

/// Returns where a tag ends: at the first `>` that is in no value.
fn end_of_tag(tag: &[u8]) -> Option<usize> {
    let mut quote = None;
    tag.iter().position(|&byte| {
        match quote {
            Some(open) if byte == open => quote = None,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            _ => {}
        }
        quote.is_none() && byte == b'>'
    })
}

fn from_base64(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Archive;

    fn part(attributes: &str, content: &str) -> String {
        format!("<pkg:part {attributes}>{content}</pkg:part>")
    }

    #[test]
    fn parts_are_packed_as_they_are() {
        let flat = "<?xml version='1.0'?><pkg:package xmlns:pkg='x'>\
                    <pkg:part pkg:contentType='a/b' pkg:name=\"/word/a.xml\"><pkg:xmlData pkg:o='yes'><a b='c'>d</a></pkg:xmlData></pkg:part>\
                    <pkg:part pkg:name='/word/b.bin'><pkg:binaryData>aGVs\nbG8=</pkg:binaryData></pkg:part>\
                    <pkg:part pkg:name='/word/b.bin'><pkg:binaryData/></pkg:part>\
                    <pkg:part pkg:name='/cut";
        let limits = Limits::default();
        let bytes = packed(flat.as_bytes(), &limits).unwrap().unwrap();
        let mut archive = Archive::open(&bytes, &limits).unwrap();
        assert_eq!(archive.read("word/a.xml").unwrap(), "<a b='c'>d</a>");
        assert_eq!(archive.read_bytes("word/b.bin").unwrap(), b"hello");
    }

    #[test]
    fn tags_are_read_as_xml_has_them() {
        let xml = |content: &str| format!("<pkg:xmlData>{content}</pkg:xmlData>");
        let flat = "<pkg:part pkg:name='/empty'/><pkg:parts pkg:name='/other'/>".to_owned()
            + &part("pkg:padding='pkg:name=\"/no\" >' pkg:name='/a'", &xml("A"))
            + &part("pkg:name = '/b'", "<pkg:binaryData/>")
            + &part("pkg:name='/c'", &xml("C"));
        let limits = Limits::default();
        let bytes = packed(flat.as_bytes(), &limits).unwrap().unwrap();
        let mut archive = Archive::open(&bytes, &limits).unwrap();
        assert_eq!(archive.read("a").unwrap(), "A");
        assert_eq!(archive.read("b").unwrap(), "");
        assert_eq!(archive.read("c").unwrap(), "C");
        for name in ["empty", "other", "no"] {
            assert!(!archive.has(name), "{name}");
        }
    }

    #[test]
    fn what_has_no_part_is_not_packed() {
        let limits = Limits::default();
        for bytes in [&b"PK\x03\x04"[..], b"", b"text", b"<pkg:package/>"] {
            assert_eq!(packed(bytes, &limits).unwrap(), None);
        }
    }

    #[test]
    fn parts_have_as_many_bytes_as_the_limits_allow() {
        let flat = part("pkg:name='/a'", "<pkg:xmlData><a/></pkg:xmlData>")
            + &part("pkg:name='/b'", "<pkg:binaryData>aGVsbG8=</pkg:binaryData>");
        let check = |inflated_bytes: u64| {
            let limits = Limits {
                inflated_bytes,
                ..Limits::default()
            };
            packed(flat.as_bytes(), &limits)
        };
        assert!(check(9).unwrap().is_some());
        assert!(matches!(check(8), Err(Failure::Limit { limit: 8, .. })));
        let many = part("pkg:name='/a'", "<pkg:xmlData></pkg:xmlData>").repeat(MAX_PARTS + 1);
        let many = packed(many.as_bytes(), &Limits::default());
        assert!(matches!(many, Err(Failure::Limit { .. })));
    }

    #[test]
    fn the_format_is_known_by_the_main_part() {
        let check = |attributes: &str, expected: Option<Format>| {
            assert_eq!(format(part(attributes, "").as_bytes()), expected);
        };
        check("pkg:name='/word/document.xml'", Some(Format::Docx));
        check("pkg:name='/ppt/presentation.xml'", Some(Format::Pptx));
        check("pkg:name='/xl/workbook.xml'", None);
        let office = "application/vnd.openxmlformats-officedocument";
        let of_type =
            |kind: &str| format!("pkg:name='/main.xml' pkg:contentType='{office}.{kind}+xml'");
        check(
            &of_type("wordprocessingml.document.main"),
            Some(Format::Docx),
        );
        check(
            &of_type("presentationml.slideshow.main"),
            Some(Format::Pptx),
        );
        check(&of_type("wordprocessingml.styles"), None);
        check(&of_type("spreadsheetml.sheet.main"), None);
    }
}
