//! Files that are not documents.

use std::fs;
use std::path::Path;

use sectile_core::Format;
use sectile_load::{Error, TextReader, load_bytes, load_file};

use crate::support::{fixture, load_error};

#[test]
fn a_missing_file_is_a_read_error() {
    let error = load_file("nowhere/a.txt").unwrap_err();
    assert!(matches!(&error, Error::Read { path, .. } if path == Path::new("nowhere/a.txt")));
    let hint = "cannot read nowhere/a.txt; check that it exists and may be read";
    assert_eq!(error.to_string(), hint);
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn a_folder_is_no_file() {
    let error = load_file("tests").unwrap_err();
    let hint = "cannot read tests; it is a folder; name the files in it";
    assert_eq!(error.to_string(), hint);
}

#[cfg(unix)]
#[test]
fn what_blocks_its_reader_or_never_ends_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let made = std::process::Command::new("mkfifo")
        .arg(path("a.txt"))
        .status();
    assert!(made.unwrap().success());
    std::os::unix::fs::symlink(path("a.txt"), path("b.txt")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(path("c.txt")).unwrap();
    for path in [
        path("a.txt"),
        path("b.txt"),
        path("c.txt"),
        "/dev/zero".into(),
    ] {
        for error in [
            load_file(&path).unwrap_err(),
            TextReader::open(&path).unwrap_err(),
        ] {
            assert!(matches!(error, Error::Read { .. }), "{error}");
            let hint = "; name a file, or pass what a program writes as standard input";
            assert!(error.to_string().ends_with(hint), "{error}");
            let cause = std::error::Error::source(&error).unwrap().to_string();
            assert_eq!(cause, "it is a pipe, a socket or a device, and no file");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_circle_of_links_leads_to_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink(path("b.txt"), path("a.txt")).unwrap();
    std::os::unix::fs::symlink(path("a.txt"), path("b.txt")).unwrap();
    assert!(matches!(load_file(path("a.txt")), Err(Error::Read { .. })));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_size_is_not_known_is_read_to_its_end() {
    assert_eq!(std::fs::metadata("/proc/version").unwrap().len(), 0);
    let text = load_file("/proc/version").unwrap().text;
    assert!(text.starts_with("Linux version"), "{text}");
}

#[test]
fn binary_files_are_refused_with_their_kind() {
    for (bytes, reason) in [
        (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0"[..], "image/png"),
        (&b"\x1F\x8B\x08\0\0\0\0\0"[..], "application/gzip"),
        (&b"\0\x01\x02\x03 some words \0\0"[..], "binary data"),
        (&b"\xFF\xFE\0\0a\0\0\0b"[..], "binary data"),
    ] {
        let error = load_error(bytes, "file.txt");
        assert!(matches!(error, Error::UnsupportedFormat { .. }));
        assert!(error.to_string().contains(reason), "{error}");
    }
}

/// A compound file with streams of these names.
fn compound(streams: &[&str]) -> Vec<u8> {
    let mut bytes = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    for stream in streams {
        bytes.resize(bytes.len().next_multiple_of(128), 0);
        bytes.extend(stream.encode_utf16().flat_map(u16::to_le_bytes));
    }
    bytes.resize(bytes.len().next_multiple_of(128), 0);
    bytes
}

fn check_refused(bytes: &[u8], name: &str, what: &str, advice: &str) {
    for name in [name, "a.txt", "a"] {
        let error = load_error(bytes, name);
        assert!(matches!(error, Error::UnsupportedFormat { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains(what) && said.contains(advice), "{said}");
    }
}

#[test]
fn formats_without_a_loader_are_named_with_what_to_do() {
    let prose = " the words of a book, which are not to be indexed as noise".repeat(9);
    let begins = |mark: &[u8]| [mark, prose.as_bytes()].concat();
    let palm = |kind: &[u8]| [&[b'a'; 60][..], kind, prose.as_bytes()].concat();
    check_refused(
        &compound(&["Root Entry", "WordDocument"]),
        "a.doc",
        "(.doc)",
        ".docx",
    );
    check_refused(
        &compound(&["Workbook", "PowerPoint Document"]),
        "a.ppt",
        "(.ppt)",
        ".pptx",
    );
    check_refused(
        &compound(&["__properties_version1.0"]),
        "a.msg",
        "(.msg)",
        ".eml",
    );
    check_refused(
        &compound(&["Contents", "Quill"]),
        "a.pub",
        "Publisher",
        "PDF",
    );
    check_refused(&compound(&["Other"]), "a.dat", "compound file", "PDF");
    check_refused(&begins(b"AT&TFORM\0\0\0\x10DJVU"), "a.djvu", "DjVu", "PDF");
    check_refused(&begins(b"ITSF\x03\0\0\0"), "a.chm", "(.chm)", "unpack");
    check_refused(&palm(b"BOOKMOBI"), "a.mobi", "(.mobi, .azw3)", "EPUB");
    check_refused(&palm(b"BOOKMOBI"), "a.azw3", "(.mobi, .azw3)", "EPUB");
    check_refused(&begins(b"\xFFWPC\x10"), "a.wpd", "WordPerfect", ".docx");
    let one = b"\xE4\x52\x5C\x7B\x8C\xD8\xA7\x4D\xAE\xB1\x53\x78\xD0\x29\x96\xD3";
    check_refused(&begins(one), "a.one", "OneNote", "PDF");
    check_refused(
        &begins(b"\x78\x9F\x3E\x22"),
        "winmail.dat",
        "TNEF",
        "unpack",
    );
    check_refused(&begins(b"!BDN"), "a.pst", "(.pst)", ".mbox");
    let hqx = b"(This file must be converted with BinHex 4.0)\n:";
    check_refused(&begins(hqx), "a.hqx", "BinHex", "unpack");
    let yenc = b"=ybegin line=128 size=3 name=a.txt\n";
    check_refused(&begins(yenc), "a.txt", "yEnc", "decode");
    check_refused(
        &begins(b"WARC/1.0\r\nWARC-Type: warcinfo\r\n"),
        "a.warc",
        "(.warc)",
        "warcio",
    );
    let page = b"bplist00\xD1\x01\x02_\x10\x0FWebMainResource\x00";
    check_refused(page, "a.webarchive", "(.webarchive)", "HTML");
    check_refused(b"bplist00\xD0\x08\x00", "a.plist", "(.plist)", "plutil");
    // The records that the workbooks of Excel 2, 3 and 4 begin with, and those of 5 and 97 without a file round them.
    for begin in [
        b"\x09\0\x04\0\x02\0\x10\0",
        b"\x09\x02\x06\0\0\0\x10\0",
        b"\x09\x04\x06\0\0\0\x10\0",
    ] {
        check_refused(
            &begins(begin),
            "a.xls",
            "Excel workbook of before 1993",
            ".xlsx",
        );
    }
    for begin in [b"\x09\x08\x08\0\0\x05\x05\0", b"\x09\x08\x10\0\0\x06\x05\0"] {
        check_refused(
            &begins(begin),
            "a.xls",
            "Excel workbook (.xls) without",
            ".xlsx",
        );
    }
}

#[cfg(feature = "archive")]
#[test]
fn documents_in_archives_without_a_loader_are_named_with_what_to_do() {
    let zip = |part: &str| crate::support::pack(&[(part, "x"), ("other", "y")]);
    check_refused(&zip("visio/document.xml"), "a.vsdx", "(.vsdx)", "PDF");
    check_refused(&zip("tides.fb2"), "a.fb2.zip", "(.fb2.zip)", "unpack");
    for part in [
        "Notes 0123456789abcdef0123456789abcdef.md",
        "ExportBlock-1-Part-1.zip",
    ] {
        check_refused(&zip(part), "Export.zip", "Notion", "unpack");
    }
    let iwork = crate::support::pack(&[("Index/Document.iwa", "x"), ("preview.jpg", "y")]);
    for (name, what, advice) in [
        ("a.pages", "a Pages document", ".docx"),
        ("a.numbers", "a Numbers spreadsheet", ".xlsx"),
        ("a.key", "a Keynote presentation", ".pptx"),
        ("a.zip", "Pages, Numbers or Keynote", "PDF"),
    ] {
        let said = load_error(&iwork, name).to_string();
        assert!(said.contains(what) && said.contains(advice), "{said}");
    }
    let mimetype = "application/vnd.oasis.opendocument.graphics";
    let odg = crate::support::pack(&[("mimetype", mimetype), ("content.xml", "<a/>")]);
    check_refused(&odg, "a.odg", "(.odg)", "PDF");
}

#[cfg(all(
    feature = "docx",
    feature = "epub",
    feature = "odt",
    feature = "pptx",
    feature = "xlsx"
))]
#[test]
fn the_part_that_a_document_in_an_archive_lacks_is_named() {
    let types = |name: &str| {
        format!(
            "<Types><Override ContentType='application/vnd.openxmlformats-officedocument.{name}.main+xml'/></Types>"
        )
    };
    let office = |name: &str| crate::support::pack(&[("[Content_Types].xml", &types(name))]);
    let named = |name: &str| crate::support::pack(&[("mimetype", name)]);
    for (name, bytes, part) in [
        (
            "a.docx",
            office("wordprocessingml.document"),
            "word/document.xml",
        ),
        ("a.xlsx", office("spreadsheetml.sheet"), "xl/workbook.xml"),
        (
            "a.pptx",
            office("presentationml.presentation"),
            "ppt/presentation.xml",
        ),
        (
            "a.odt",
            named("application/vnd.oasis.opendocument.text"),
            "content.xml",
        ),
        (
            "a.epub",
            named("application/epub+zip"),
            "META-INF/container.xml",
        ),
    ] {
        let error = load_error(&bytes, name);
        assert!(matches!(error, Error::Parse { .. }), "{error:?}");
        let cause = std::error::Error::source(&error).unwrap();
        assert_eq!(cause.to_string(), format!("the part {part} is missing"));
    }
    let other = crate::support::pack(&[("a.txt", "words")]);
    for (name, part) in [
        ("a.docx", "word/document.xml"),
        ("a.xlsx", "xl/workbook.xml"),
        ("a.pptx", "ppt/presentation.xml"),
        ("a.odt", "mimetype"),
        ("a.epub", "META-INF/container.xml"),
    ] {
        let error = load_error(&other, name);
        assert!(
            matches!(error, Error::UnsupportedFormat { .. }),
            "{error:?}"
        );
        let reason = format!("it is a zip archive without the part {part}");
        assert!(error.to_string().ends_with(&reason), "{error}");
    }
}

#[cfg(feature = "xlsx")]
#[test]
fn a_workbook_under_another_name_is_a_workbook() {
    let bytes = fs::read(fixture("workbook.xlsx")).unwrap();
    for name in ["workbook.xlsx", "renamed.docx"] {
        let document = load_bytes(&bytes, Path::new(name)).unwrap();
        assert_eq!(document.format, Format::Xlsx);
    }
}
