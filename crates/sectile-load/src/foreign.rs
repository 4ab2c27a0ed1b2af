//! Formats that no loader reads, by their first bytes, and what to do about a file in one.

use std::path::Path;

use memchr::memmem;

/// What the compound files of older programs begin with.
pub(crate) const COMPOUND_FILE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// How far into a file marks may stand that are not at its beginning.
const LOOKED_AT: usize = 65_536;

const SAVE_AS_DOCX: &str = "save it as .docx or PDF";
const SAVE_AS_EPUB: &str = "convert it to EPUB";
const SAVE_AS_XLSX: &str = "save it as .xlsx";
const EXPORT: &str = "export it as PDF";

/// What workbooks of Excel 2, 3 and 4 are called: records without a compound file round them.
const OLD_WORKBOOK: &str = "an Excel workbook of before 1993 (.xls)";
const BARE_WORKBOOK: &str = "an Excel workbook (.xls) without the file round its records";

const WEB_ARCHIVE: &str = "a web archive (.warc)";
const EXTRACT_PAGES: &str = "extract its pages with a program such as warcio";

/// What a property list in binary form begins with, and a key of those that Safari saves pages in.
const BINARY_PROPERTIES: &[u8] = b"bplist00";
const SAVED_PAGE: &[u8] = b"WebMainResource";

/// How many digits the names of pages end with that Notion exports.
const NOTION_DIGITS: usize = 32;

/// The formats that begin with a mark at a place: what they are, and what to do about them.
const MARKS: [(usize, &[u8], &str, &str); 23] = [
    (0, b"AT&TFORM", "a DjVu document", "convert it to PDF"),
    (
        0,
        b"ITSF\x03\0",
        "compiled HTML help (.chm)",
        "unpack its pages with a program such as 7-Zip",
    ),
    (
        0,
        b"ITOLITLS",
        "an e-book of Microsoft Reader (.lit)",
        SAVE_AS_EPUB,
    ),
    (
        60,
        b"BOOKMOBI",
        "a Kindle or Mobipocket book (.mobi, .azw3)",
        SAVE_AS_EPUB,
    ),
    (60, b"TEXtREAd", "a PalmDOC book", SAVE_AS_EPUB),
    (0, b"TPZ0", "a Kindle book (Topaz)", SAVE_AS_EPUB),
    (
        0,
        b"\xEADRMION\xEE",
        "a Kindle book (KFX) under copy protection",
        SAVE_AS_EPUB,
    ),
    (0, b"\xFFWPC", "a WordPerfect document", SAVE_AS_DOCX),
    (
        0,
        b"\xDB\xA5-\0",
        "a Word document of before 1997",
        SAVE_AS_DOCX,
    ),
    (
        0,
        b"\xE4\x52\x5C\x7B\x8C\xD8\xA7\x4D\xAE\xB1\x53\x78\xD0\x29\x96\xD3",
        "a section of OneNote (.one)",
        EXPORT,
    ),
    (
        0,
        b"\xA1\x2F\xFF\x43\xD9\xEF\x76\x4C\x9E\xE4\x10\xEA\x57\x22\x76\x5F",
        "a table of contents of OneNote (.onetoc2)",
        EXPORT,
    ),
    (
        0,
        b"\x78\x9F\x3E\x22",
        "a message as Outlook wraps it (winmail.dat, TNEF)",
        "unpack it with a program such as tnef",
    ),
    (
        0,
        b"!BDN",
        "a mailbox of Outlook (.pst)",
        "export it as .mbox or .eml",
    ),
    (0, b"\x09\0\x04\0", OLD_WORKBOOK, SAVE_AS_XLSX),
    (0, b"\x09\x02\x06\0", OLD_WORKBOOK, SAVE_AS_XLSX),
    (0, b"\x09\x04\x06\0", OLD_WORKBOOK, SAVE_AS_XLSX),
    (0, b"\x09\x08\x08\0", BARE_WORKBOOK, SAVE_AS_XLSX),
    (0, b"\x09\x08\x10\0", BARE_WORKBOOK, SAVE_AS_XLSX),
    (
        0,
        b"(This file must be converted with BinHex",
        "a file packed with BinHex (.hqx)",
        "unpack it with a program such as The Unarchiver",
    ),
    (
        0,
        b"=ybegin ",
        "a file encoded with yEnc",
        "decode it with a program such as yydecode",
    ),
    (0, b"%!PS", "a PostScript file", "convert it to PDF"),
    (0, b"WARC/1.0\r", WEB_ARCHIVE, EXTRACT_PAGES),
    (0, b"WARC/1.1\r", WEB_ARCHIVE, EXTRACT_PAGES),
];

/// The streams by which compound files are told apart, and what they are.
const STREAMS: [(&str, &str, &str); 7] = [
    (
        "__properties_version1.0",
        "a message of Outlook (.msg)",
        "save it as .eml",
    ),
    (
        "PowerPoint Document",
        "a PowerPoint presentation of before 2007 (.ppt)",
        "save it as .pptx",
    ),
    (
        "HwpSummaryInformation",
        "a Hangul document (.hwp)",
        SAVE_AS_DOCX,
    ),
    (
        "WordDocument",
        "a Word document of before 2007 (.doc)",
        "save it as .docx",
    ),
    ("VisioDocument", "a Visio drawing (.vsd)", EXPORT),
    ("Quill", "a Publisher document (.pub)", EXPORT),
    (
        "MatOST",
        "a document of Microsoft Works (.wps)",
        SAVE_AS_DOCX,
    ),
];

/// The names of workbooks of before 2007 in compound files.
const WORKBOOKS: [&str; 2] = ["Workbook", "Book"];

/// Says which format `bytes` are in that no loader reads, and what to do, if the format is known.
pub(crate) fn describe(bytes: &[u8], path: &Path) -> Option<String> {
    let (what, advice) = marked(bytes)
        .or_else(|| compound(bytes))
        .or_else(|| properties(bytes, path))
        .or_else(|| iwork(bytes, path))
        .or_else(|| zipped(bytes))?;
    Some(format!("it is {what}, which cannot be read; {advice}"))
}

/// Returns whether `bytes` are a workbook of before 2007.
pub(crate) fn is_workbook(bytes: &[u8]) -> bool {
    let is_other = || STREAMS.iter().any(|(stream, ..)| has_stream(bytes, stream));
    bytes.starts_with(COMPOUND_FILE)
        && WORKBOOKS.iter().any(|stream| has_stream(bytes, stream))
        && !is_other()
}

fn marked(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let mut marks = MARKS.iter();
    let found =
        marks.find(|(at, mark, ..)| bytes.get(*at..).is_some_and(|rest| rest.starts_with(mark)));
    found.map(|&(_, _, what, advice)| (what, advice))
}

/// Tells compound files apart by the names of their streams.
fn compound(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    if !bytes.starts_with(COMPOUND_FILE) {
        return None;
    }
    let found = STREAMS
        .iter()
        .find(|(stream, ..)| has_stream(bytes, stream));
    let unknown = (
        "a compound file of an older program",
        "save it in a newer format or as PDF",
    );
    Some(found.map_or(unknown, |&(_, what, advice)| (what, advice)))
}

/// Returns whether the directory of a compound file has a stream of this name.
fn has_stream(bytes: &[u8], stream: &str) -> bool {
    let name: Vec<u8> = stream.encode_utf16().flat_map(u16::to_le_bytes).collect();
    // An entry begins at a multiple of its size, and its name ends with a zero.
    memmem::find_iter(bytes, &name)
        .any(|at| at % 128 == 0 && bytes[at + name.len()..].starts_with(&[0, 0]))
}

/// Tells property lists in binary form apart: the pages that Safari saves are some.
fn properties(bytes: &[u8], path: &Path) -> Option<(&'static str, &'static str)> {
    if !bytes.starts_with(BINARY_PROPERTIES) {
        return None;
    }
    let is_named = path
        .extension()
        .is_some_and(|name| name.eq_ignore_ascii_case("webarchive"));
    Some(if is_named || memmem::find(bytes, SAVED_PAGE).is_some() {
        (
            "a web page as Safari archives it (.webarchive)",
            "save the page as HTML or PDF",
        )
    } else {
        (
            "a property list in binary form (.plist)",
            "convert it with `plutil -convert xml1`",
        )
    })
}

/// Tells the documents of iWork, which are archives, by what they hold and how they are named.
fn iwork(bytes: &[u8], path: &Path) -> Option<(&'static str, &'static str)> {
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let has = |name: &str| memmem::find(head, name.as_bytes()).is_some();
    if !bytes.starts_with(b"PK") || !(has(".iwa") || has("index.xml") || has("index.apxl")) {
        return None;
    }
    let extension = path.extension()?.to_str()?.to_lowercase();
    Some(match extension.as_str() {
        "pages" => ("a Pages document", "export it as .docx, EPUB or PDF"),
        "numbers" => ("a Numbers spreadsheet", "export it as .xlsx or .csv"),
        "key" => ("a Keynote presentation", "export it as .pptx or PDF"),
        _ if has(".iwa") => ("a document of Pages, Numbers or Keynote", EXPORT),
        _ => return None,
    })
}

/// Tells other documents in archives by the type that they begin with.
fn zipped(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let has = |name: &str| memmem::find(head, name.as_bytes()).is_some();
    if !bytes.starts_with(b"PK") {
        return None;
    }
    if has("opendocument.graphics") {
        return Some(("an OpenDocument drawing (.odg)", EXPORT));
    }
    if has("visio/document.xml") {
        return Some(("a Visio drawing (.vsdx)", EXPORT));
    }
    if has(".fb2") {
        return Some((
            "a packed book in FictionBook (.fb2.zip)",
            "unpack it: .fb2 files are read",
        ));
    }
    if has("ExportBlock-") || has_page_of_notion(head) {
        return Some((
            "a packed export of Notion",
            "unpack it, also the archives in it: its pages are read",
        ));
    }
    has("FixedDocSeq").then_some(("an XPS document", "convert it to PDF"))
}

/// Returns whether a file in an archive is named as Notion names pages: a title, a blank, many digits.
fn has_page_of_notion(head: &[u8]) -> bool {
    let ends = memmem::find_iter(head, b".md").chain(memmem::find_iter(head, b".html"));
    let mut names = ends.filter_map(|end| head.get(end.checked_sub(NOTION_DIGITS + 1)?..end));
    names.any(|name| name[0] == b' ' && name[1..].iter().all(u8::is_ascii_hexdigit))
}
