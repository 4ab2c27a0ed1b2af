//! PDF files.

use std::fs;

use sectile_core::Format;
use sectile_load::Error;

use crate::support::{fixture, load, load_error, outline};

#[test]
fn pages_and_bookmarks_are_read() {
    let document = load("three-levels.pdf");
    assert_eq!(document.format, Format::Pdf);
    assert_eq!(document.metadata.page_count, Some(3));
    let pages: Vec<&str> = document
        .pages
        .iter()
        .map(|page| page.span.of(&document.text))
        .collect();
    assert_eq!(pages.concat(), document.text);
    assert_eq!(pages[2], "Part Two\n\nIt ends.\n");
    let expected = [
        (1, "Part One", "Part One\n"),
        (2, "Chapter One", "Chapter One\n"),
        (3, "Section Deep", "Section Deep\n"),
        (2, "Chapter Two", "Chapter Two\n"),
        (1, "Part Two", "Part Two\n"),
    ];
    assert_eq!(outline(&document), expected);
    let starts = document
        .outline
        .iter()
        .map(|heading| document.pages_of(heading.span));
    let starts: Vec<u32> = starts.map(|pages| pages.unwrap().first).collect();
    assert_eq!(starts, [1, 1, 2, 2, 3]);
}

#[test]
fn the_file_describes_itself() {
    let metadata = load("three-levels.pdf").metadata;
    assert_eq!(metadata.title.as_deref(), Some("Three levels"));
    assert_eq!(metadata.author.as_deref(), Some("Ada Example"));
    assert_eq!(metadata.language.as_deref(), Some("en-US"));
    assert!(metadata.created.unwrap().starts_with("2026-11-21T"));
}

#[test]
fn headings_without_bookmarks_come_from_type_sizes() {
    let document = load("no-bookmarks.pdf");
    let titles: Vec<&str> = document
        .outline
        .iter()
        .map(|heading| heading.title.as_str())
        .collect();
    assert!(
        titles.starts_with(&["Part One", "Chapter One", "Section Deep"]),
        "{titles:?}"
    );
}

#[test]
fn a_password_is_asked_for_unless_it_is_empty() {
    let bytes = fs::read(fixture("encrypted.pdf")).unwrap();
    let error = load_error(&bytes, "a.pdf");
    assert!(matches!(error, Error::Encrypted { is_wrong: false, .. }));
    let document = load("owner-password.pdf");
    assert_eq!(document, {
        let mut open = load("three-levels.pdf");
        open.metadata.size = document.metadata.size;
        open.metadata.content_hash = document.metadata.content_hash;
        open
    });
}

#[test]
fn pages_without_text_are_an_error() {
    let bytes = fs::read(fixture("no-text.pdf")).unwrap();
    assert!(matches!(
        load_error(&bytes, "scan.pdf"),
        Error::NoText { .. }
    ));
}

#[test]
fn a_truncated_file_is_an_error_or_what_is_left_of_it() {
    let bytes = fs::read(fixture("three-levels.pdf")).unwrap();
    let short = load_error(&bytes[..200], "cut.pdf");
    assert!(matches!(short, Error::ParsePdf { .. }), "{short:?}");
    assert!(std::error::Error::source(&short).is_some());
    for length in (1_000..bytes.len()).step_by(2_500) {
        match sectile_load::load_bytes(&bytes[..length], "cut.pdf".as_ref()) {
            Ok(document) => assert!(!document.text.trim().is_empty()),
            Err(error) => assert!(
                matches!(error, Error::ParsePdf { .. } | Error::NoText { .. }),
                "{length}: {error:?}"
            ),
        }
    }
}
