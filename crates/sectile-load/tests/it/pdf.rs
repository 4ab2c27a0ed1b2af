//! PDF files.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Mutex;

use sectile_core::{Document, Format};
use sectile_load::{Error, Limits, LoadOptions, Loader as _, PdfLoader, PdfOptions};
use serde_json::json;

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
    assert!(matches!(
        error,
        Error::Encrypted {
            is_wrong: false,
            ..
        }
    ));
    let document = load("owner-password.pdf");
    assert_eq!(document, {
        let mut open = load("three-levels.pdf");
        open.metadata.size = document.metadata.size;
        open.metadata.content_hash = document.metadata.content_hash;
        open
    });
}

#[test]
fn a_key_of_another_length_than_is_said_opens() {
    let bytes = fs::read(fixture("owner-password.pdf")).unwrap();
    let said = b"/Length 128";
    let at = bytes.windows(said.len()).position(|part| part == said);
    let at = at.unwrap();
    let text = load("owner-password.pdf").text;
    for other in [
        "           ",
        "/Length  40",
        "/Length  16",
        "/Length 256",
        "/Length   0",
    ] {
        let mut bytes = bytes.clone();
        bytes[at..at + said.len()].copy_from_slice(other.as_bytes());
        let document = PdfLoader::default().load(&bytes, Path::new("a.pdf"));
        assert_eq!(document.unwrap().text, text, "{other}");
    }
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
    assert!(matches!(short, Error::Parse { .. }), "{short:?}");
    assert!(std::error::Error::source(&short).is_some());
    for length in (1_000..bytes.len()).step_by(2_500) {
        match sectile_load::load_bytes(&bytes[..length], "cut.pdf".as_ref()) {
            Ok(document) => assert!(!document.text.trim().is_empty()),
            Err(error) => assert!(
                matches!(error, Error::Parse { .. } | Error::NoText { .. }),
                "{length}: {error:?}"
            ),
        }
    }
}

fn load_with(name: &str, pdf: PdfOptions) -> Result<Document, Error> {
    let options = LoadOptions {
        pdf,
        ..LoadOptions::default()
    };
    PdfLoader::new(options).load(&fs::read(fixture(name)).unwrap(), Path::new(name))
}

#[test]
fn columns_are_read_one_after_the_other_and_running_lines_are_left_out() {
    let document = load("book.pdf");
    let first = document.pages[0].span.of(&document.text);
    assert_eq!(
        first,
        "The left column of Ada\nis read from its top to its bottom before the right one.\n\n\
         The right column of Ada comes next, with a well-known end.\n"
    );
    assert!(!document.text.contains("The Book") && !document.text.contains("Page"));
    assert_eq!(
        document.metadata.extra["running_lines"],
        json!(["The Book of Columns", "Page 1 of 6"])
    );
    let options = PdfOptions {
        drop_running_lines: false,
        ..PdfOptions::default()
    };
    let kept = load_with("book.pdf", options).unwrap();
    assert_eq!(kept.text.matches("The Book of Columns").count(), 6);
    assert!(!kept.metadata.extra.contains_key("running_lines"));
}

#[test]
fn pages_have_labels_and_those_without_text_are_named() {
    let document = load("book.pdf");
    let labels = document.pages.iter().map(|page| page.label.as_deref());
    let labels: Vec<_> = labels.map(Option::unwrap).collect();
    assert_eq!(labels, ["i", "ii", "1", "2", "3", "4"]);
    assert_eq!(document.metadata.extra["pages_without_text"], json!([5]));
    let every_page_has_text = load("three-levels.pdf").metadata.extra;
    assert!(!every_page_has_text.contains_key("pages_without_text"));
}

#[test]
fn some_pages_can_be_asked_for() {
    let pages = |pages: &[RangeInclusive<u32>]| PdfOptions {
        pages: pages.to_vec(),
        ..PdfOptions::default()
    };
    let document = load_with("three-levels.pdf", pages(&[2..=9])).unwrap();
    let numbers: Vec<u32> = document.pages.iter().map(|page| page.number).collect();
    assert_eq!(numbers, [2, 3]);
    assert_eq!(document.metadata.page_count, Some(3));
    let expected = [
        (3, "Section Deep", "Section Deep\n"),
        (2, "Chapter Two", "Chapter Two\n"),
        (1, "Part Two", "Part Two\n"),
    ];
    assert_eq!(outline(&document), expected);
    let error = load_with("three-levels.pdf", pages(&[4..=5])).unwrap_err();
    assert!(
        matches!(error, Error::NoSuchPage { page_count: 3, .. }),
        "{error:?}"
    );
}

#[test]
fn passwords_open_files_and_wrong_ones_are_told() {
    let password = |password: &str| PdfOptions {
        password: Some(password.into()),
        ..PdfOptions::default()
    };
    let document = load_with("encrypted.pdf", password("secret")).unwrap();
    let open = load("three-levels.pdf");
    assert_eq!(document.text, open.text);
    assert_eq!(document.outline, open.outline);
    assert_eq!(document.metadata.title, open.metadata.title);
    let error = load_with("encrypted.pdf", password("guess")).unwrap_err();
    assert!(
        matches!(error, Error::Encrypted { is_wrong: true, .. }),
        "{error:?}"
    );
}

#[test]
fn headings_are_not_guessed_when_they_are_not_wanted() {
    let options = PdfOptions {
        guess_headings: false,
        ..PdfOptions::default()
    };
    assert!(
        load_with("no-bookmarks.pdf", options)
            .unwrap()
            .outline
            .is_empty()
    );
}

/// Makes a file of many pages, of which each has a line of its own and takes its type from the node
/// above all of them.
fn many_pages(count: usize) -> Vec<u8> {
    let kids: Vec<String> = (0..count)
        .map(|page| format!("{} 0 R", 3 + page * 2))
        .collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!(
            "<</Type/Pages/Kids[{}]/Count {count}/MediaBox[0 0 600 800]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
            kids.join(" ")
        ),
    ];
    for page in 1..=count {
        let text = format!("BT /F 12 Tf 20 700 Td (Here is page {page} of all.) Tj ET");
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R>>",
            2 + page * 2
        ));
        objects.push(format!(
            "<</Length {}>>stream\n{text}\nendstream",
            text.len()
        ));
    }
    crate::hostile_files::pdf(&objects, "")
}

#[test]
fn a_file_of_many_pages_is_read_like_one_of_few() {
    let bytes = many_pages(700);
    let seen = Mutex::new(Vec::new());
    let loader = PdfLoader::default();
    let document = loader.load_with_progress(&bytes, Path::new("many.pdf"), &|done, of| {
        seen.lock().unwrap().push((done, of));
    });
    let document = document.unwrap();
    assert_eq!(document.pages.len(), 700);
    for page in &document.pages {
        let expected = format!("Here is page {} of all.\n", page.number);
        assert_eq!(page.span.of(&document.text), expected);
    }
    let expected: Vec<_> = (1..=700).map(|done| (done, 700)).collect();
    assert_eq!(*seen.lock().unwrap(), expected);
    let limits = Limits {
        pages: 699,
        ..Limits::default()
    };
    let loader = PdfLoader::new(LoadOptions {
        limits,
        ..LoadOptions::default()
    });
    let error = loader.load(&bytes, Path::new("many.pdf")).unwrap_err();
    assert!(
        matches!(error, Error::LimitExceeded { limit: 699, .. }),
        "{error:?}"
    );
}
