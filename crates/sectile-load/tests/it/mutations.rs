//! Damaged copies of small files of ours: each ends with text or an error, in bounded time and size.

use std::fs;
use std::io::{Cursor, Read as _};
use std::path::Path;

use sectile_load::load_bytes;

use crate::hostile_files::mutate;
use crate::memory::bounded;
use crate::support::{ends, fixture, pack_bytes};

/// How many damaged copies are loaded of each file.
const COPIES: u64 = 200;

/// How many times longer than its file a text may be, and how much longer besides.
const TIMES: usize = 40;
const BESIDES: usize = 10_000;

/// Loads damaged and cut off copies of a file.
pub(crate) fn check(bytes: &[u8], name: &str) {
    assert!(load_bytes(bytes, Path::new(name)).is_ok());
    let (bytes, name) = (bytes.to_vec(), name.to_owned());
    ends(move || {
        for copy in copies(&bytes) {
            check_copy(&copy, &name, copy.len());
        }
    });
}

/// Loads copies of an archive.
pub(crate) fn check_archive(bytes: &[u8], name: &str) {
    assert!(load_bytes(bytes, Path::new(name)).is_ok());
    let size: usize = unpack(bytes).iter().map(|(_, part)| part.len()).sum();
    let (bytes, name) = (bytes.to_vec(), name.to_owned());
    ends(move || {
        for copy in copies_of_archive(&bytes) {
            check_copy(&copy, &name, size);
        }
    });
}

/// Returns damaged and cut off copies of a file.
pub(crate) fn copies(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let cut = (1..=20).map(move |part| bytes[..bytes.len() * part / 21].to_vec());
    let damaged = (0..COPIES).map(move |seed| damage(bytes, seed));
    damaged.chain(cut)
}

/// Returns copies of an archive: some are damaged as a whole, in others one of the parts is damaged and packed again.
pub(crate) fn copies_of_archive(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let parts = unpack(bytes);
    (0..COPIES).map(move |seed| {
        if seed % 4 == 0 {
            return damage(bytes, seed / 4);
        }
        let mut copy = parts.clone();
        let chosen = (seed * 7_919) as usize % copy.len();
        copy[chosen].1 = damage(&parts[chosen].1, seed);
        pack_bytes(&copy)
    })
}

/// Damages a file as `mutate` does, or repeats a piece of it.
fn damage(bytes: &[u8], seed: u64) -> Vec<u8> {
    if seed % 5 != 4 || bytes.is_empty() {
        return mutate(bytes, seed);
    }
    let at = (seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % bytes.len();
    let end = (at + 1 + seed as usize * 3).min(bytes.len());
    let piece = bytes[at..end].repeat(8);
    [&bytes[..end], &piece, &bytes[end..]].concat()
}

fn unpack(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let read = |index| {
        let mut part = archive.by_index(index).unwrap();
        let mut content = Vec::new();
        part.read_to_end(&mut content).unwrap();
        (part.name().unwrap().into_owned(), content)
    };
    (0..zip::ZipArchive::new(Cursor::new(bytes)).unwrap().len())
        .map(read)
        .collect()
}

/// Loads a damaged copy of a file of so many bytes, unpacked.
fn check_copy(copy: &[u8], name: &str, size: usize) {
    match load_bytes(copy, Path::new(name)) {
        Ok(document) => {
            assert!(document.text.len() <= size * TIMES + BESIDES, "{name}");
            assert!(!document.text.contains('\0'), "{name}");
            for heading in &document.outline {
                let span = heading.span;
                assert!(document.text.get(span.start..span.end).is_some(), "{name}");
            }
        }
        Err(error) => assert_eq!(error.path(), Some(Path::new(name))),
    }
}

#[test]
fn damaged_copies_of_archives_end_with_text_or_an_error() {
    let test = "mutations::damaged_copies_of_archives_end_with_text_or_an_error";
    bounded(test, check_archives);
}

fn check_archives() {
    let names = [
        "nested-table.docx",
        "odfpy.ods",
        "openpyxl.xlsx",
        "pandoc.docx",
        "python-pptx.pptx",
        "workbook.xlsx",
        "writer.docx",
        "xlsxwriter.xlsx",
    ];
    for name in names {
        check_archive(&fs::read(fixture(name)).unwrap(), name);
    }
    check_archive(&crate::epub::book(), "book.epub");
    check_archive(&crate::odp::with_all(), "a.odp");
    check_archive(&crate::odt::with_objects(), "a.odt");
    check_archive(&crate::odt::sheet_with_shapes(), "a.ods");
}

// PDF files, source code and binary workbooks are not among them: `hostile` has workers load damaged ones.
#[test]
fn damaged_copies_of_other_files_end_with_text_or_an_error() {
    let test = "mutations::damaged_copies_of_other_files_end_with_text_or_an_error";
    bounded(test, check_other_files);
}

fn check_other_files() {
    let notebook = br##"{"nbformat":4,"nbformat_minor":5,"metadata":{"kernelspec":{"language":"python"}},"cells":[
        {"cell_type":"markdown","source":["# Title\n","text"]},
        {"cell_type":"code","source":"x = 1","outputs":[{"output_type":"stream","text":["a\n"]},
        {"output_type":"error","ename":"E","evalue":"v","traceback":["\u001b[0m t"]},
        {"output_type":"display_data","data":{"image/png":"aGk=","text/html":"<table><tr><td>1</td></tr></table>"}}]}]}"##;
    check(notebook, "a.ipynb");
    check(
        b"a,b,c\n1,\"two, \"\"x\"\"\",3\n4,5\n\n\"six\nseven\",8,9,10\n",
        "a.csv",
    );
    check(b"a\tb\n1\t2\n", "a.tsv");
    let page = b"<!DOCTYPE html><html><head><title>T</title></head><body><h1>A</h1><ul><li>b<li>c</ul><table><tr>\
        <td colspan=2>d<td rowspan=3>e<tr><td>f</table><pre>g\n h</pre><p>&eacute; <a href='x'>i</a></body></html>";
    check(page, "a.html");
    let rich = b"{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset204 A;}}{\\stylesheet{\\s1 heading 1;}}{\\info{\\title T}}\
        \\pard\\s1 One\\par\\pard{\\field{\\*\\fldinst HYPERLINK \"http://a.org/b\"}{\\fldrslt the \\f0\\'cf page}}\\par\
        a{\\*\\atnauthor Ann}{\\*\\annotation\\pard why{\\footnote in\\par it}}\\u-10179?\\u-8704?\\par\
        \\trowd\\cellx1\\clmrg\\cellx2\\intbl c\\cell d\\nestcell\\nestrow\\cell\\row\\pard{\\listtext 1.\\tab}e\\par}";
    check(rich, "a.rtf");
    let page = b".ds a \\*(lqab\n.TH A 1\n.SH NAME\na \\- \\*a\\*a\n.TP\n\\fB\\-a\\fR\nb\n.IP \\(bu\nc\n.RS\n.IP 1.\nd\n.RE\n.TS\n\
        l l.\ne\tf\n.TE\n.nf\ng\n.fi\n.if n \\{\\\n.B h\n.\\}\n.PP\ni";
    check(page, "a.1");
    check(crate::spreadsheet_xml::sales().as_bytes(), "a.xml");
    let markdown = b"---\ntitle: T\n---\n# A\n\n> b\n\n* [c](d 'e') ![f](g)\n    1. h\n\n```x\n# i\n```\n\n|j|k|\n|---|:-:|\n|l\\|m|n|\n\n\
        O\n===\n\n<div>\n# p\n</div>\n\n[q]: r\n[^s]: t\n\n**u *v** w*[^s] &amp; `x`` ~~y~~\n";
    check(markdown, "a.md");
    check(markdown, "a.mdx");
}
