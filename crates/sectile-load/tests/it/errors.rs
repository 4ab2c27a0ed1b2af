//! Files that are not documents.

use std::fs;
use std::path::Path;

use sectile_core::Format;
use sectile_load::{Error, load_bytes, load_file};

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
fn binary_files_are_refused_with_their_kind() {
    for (bytes, reason) in [
        (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0"[..], "image/png"),
        (&b"\x1F\x8B\x08\0\0\0\0\0"[..], "application/gzip"),
        (&b"\0\x01\x02\x03 some words \0\0"[..], "binary data"),
        (&b"\xFF\xFE\0\0a\0\0\0"[..], "UTF-32"),
    ] {
        let error = load_error(bytes, "file.txt");
        assert!(matches!(error, Error::UnsupportedFormat { .. }));
        assert!(error.to_string().contains(reason), "{error}");
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
