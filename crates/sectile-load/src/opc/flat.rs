//! Packages in a single XML file (Flat OPC), as Word and PowerPoint save an "XML Document": each part is an element.

use std::borrow::Cow;
use std::io::{Cursor, Write as _};

use memchr::memmem;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// How many parts are looked at.
const MAX_PARTS: usize = 20_000;

/// Packs the parts of a file that is no archive into one. Their XML stays as it is; other parts are in base64.
pub(crate) fn packed(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.starts_with(b"PK") {
        return None;
    }
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut rest = bytes;
    for _ in 0..MAX_PARTS {
        let Some((part, after)) = element(rest, "pkg:part") else {
            break;
        };
        rest = after;
        let (Some(name), Some(content)) = (part.attribute("pkg:name"), part.content()) else {
            continue;
        };
        // A name that is there already is refused.
        let name = name.trim_start_matches('/');
        if archive.start_file(name, options).is_ok() {
            archive.write_all(&content).ok()?;
        }
    }
    Some(archive.finish().ok()?.into_inner())
}

/// An element: its tag without the name, and what is in it.
struct Element<'a> {
    tag: &'a [u8],
    inner: &'a [u8],
}

impl<'a> Element<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        let after = memmem::find(self.tag, name.as_bytes())? + name.len();
        let value = self.tag[after..].trim_ascii_start().strip_prefix(b"=")?;
        let (quote, value) = value.trim_ascii_start().split_first()?;
        let end = memchr::memchr(*quote, value)?;
        std::str::from_utf8(&value[..end]).ok()
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

/// Finds the first element of this name, of which none stands in another, and what follows it.
fn element<'a>(bytes: &'a [u8], name: &str) -> Option<(Element<'a>, &'a [u8])> {
    let opening = format!("<{name}");
    let start = memmem::find(bytes, opening.as_bytes())? + opening.len();
    let rest = &bytes[start..];
    let (tag, rest) = rest.split_at(memchr::memchr(b'>', rest)?);
    let closing = format!("</{name}>");
    let end = memmem::find(rest, closing.as_bytes())?;
    let element = Element {
        tag,
        inner: &rest[1..end.max(1)],
    };
    Some((element, &rest[end + closing.len()..]))
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
    use crate::Limits;
    use crate::archive::Archive;

    #[test]
    fn parts_are_packed_as_they_are() {
        let flat = "<?xml version='1.0'?><pkg:package xmlns:pkg='x'>\
                    <pkg:part pkg:contentType='a/b' pkg:name=\"/word/a.xml\"><pkg:xmlData pkg:o='yes'><a b='c'>d</a></pkg:xmlData></pkg:part>\
                    <pkg:part pkg:name='/word/b.bin'><pkg:binaryData>aGVs\nbG8=</pkg:binaryData></pkg:part>\
                    <pkg:part pkg:name='/word/b.bin'><pkg:binaryData/></pkg:part>\
                    <pkg:part pkg:name='/cut";
        let bytes = packed(flat.as_bytes()).unwrap();
        let limits = Limits::default();
        let mut archive = Archive::open(&bytes, &limits).unwrap();
        assert_eq!(archive.read("word/a.xml").unwrap(), "<a b='c'>d</a>");
        assert_eq!(archive.read_bytes("word/b.bin").unwrap(), b"hello");
        assert_eq!(packed(b"PK\x03\x04"), None);
    }
}
