//! A Word document, or one part of one, is text with an outline of it, or an error.
#![no_main]

use std::io::{Cursor, Write};
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sectile_fuzz::check_document;
use sectile_load::{DocxLoader, DocxOptions, Limits, LoadOptions, Loader};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The parts that an input may be, by the first of its bytes.
const PARTS: [&str; 7] = [
    "word/document.xml",
    "word/styles.xml",
    "word/numbering.xml",
    "word/footnotes.xml",
    "word/comments.xml",
    "docProps/core.xml",
    "word/_rels/document.xml.rels",
];

const MAIN: &str = "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body>\
    <w:p><w:pPr><w:pStyle w:val='a'/><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr><w:r><w:t>a</w:t>\
    <w:footnoteReference w:id='1'/><w:commentReference w:id='1'/></w:r></w:p></w:body></w:document>";

/// Packs the input as one part, beside a main part where it is another.
fn pack(part: &str, xml: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in [("word/document.xml", MAIN.as_bytes()), (part, xml)] {
        if name == part && bytes == MAIN.as_bytes() || name != part && part == PARTS[0] {
            continue;
        }
        archive.start_file(name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fuzz_target!(|bytes: &[u8]| {
    let bytes = match bytes.split_first() {
        Some((&first, xml)) if usize::from(first) < PARTS.len() => {
            pack(PARTS[usize::from(first)], xml)
        }
        Some((b'<', _)) => pack(PARTS[0], bytes),
        _ => bytes.to_vec(),
    };
    let options = LoadOptions {
        limits: Limits {
            inflated_bytes: 1 << 20,
            ..Limits::default()
        },
        docx: DocxOptions {
            headers_and_footers: true,
            comments: true,
        },
        ..LoadOptions::default()
    };
    if let Ok(document) = DocxLoader::new(options).load(&bytes, Path::new("a.docx")) {
        check_document(&document);
    }
});
