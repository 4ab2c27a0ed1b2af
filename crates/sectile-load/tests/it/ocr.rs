//! Text recognition on pages that are pictures. `SECTILE_OCR` says that `tesseract` is there.

use std::path::{Path, PathBuf};

use sectile_load::{Error, LoadOptions, Loader as _, OcrOptions, PdfLoader, PdfOptions, omissions};

use crate::support::fixture;

/// Returns a loader that recognizes text; nothing where that was not asked for.
fn loader(languages: &str) -> Option<PdfLoader> {
    std::env::var_os("SECTILE_OCR")?;
    let ocr = OcrOptions::find(languages).expect("tesseract is installed");
    Some(with(ocr))
}

fn with(ocr: OcrOptions) -> PdfLoader {
    let pdf = PdfOptions {
        ocr: Some(ocr),
        ..PdfOptions::default()
    };
    PdfLoader::new(LoadOptions {
        pdf,
        ..LoadOptions::default()
    })
}

#[test]
fn a_scanned_page_among_typed_ones_is_read_and_marked() {
    let Some(loader) = loader("eng") else {
        return;
    };
    let bytes = std::fs::read(fixture("scanned.pdf")).unwrap();
    let document = loader.load(&bytes, Path::new("scanned.pdf")).unwrap();
    assert!(document.text.contains("The typed page before the scan."));
    let page = document.pages[1].span.of(&document.text);
    assert!(page.contains("picture of 4711 words"), "{page}");
    assert!(page.contains("| Bolts | 1200 | 36.50 |"), "{page}");
    let mut titles = document.outline.iter().map(|heading| &*heading.title);
    assert!(titles.any(|title| title == "Delivery note"));
    assert_eq!(document.metadata.extra["ocr_pages"], serde_json::json!([2]));
    assert_eq!(document.metadata.extra["ocr_languages"], "eng");
    assert!(omissions(&document.metadata).is_empty());
}

#[test]
fn a_language_that_is_not_there_is_an_error_that_names_it() {
    let Some(loader) = loader("xyz") else {
        return;
    };
    let bytes = std::fs::read(fixture("scanned.pdf")).unwrap();
    let error = loader.load(&bytes, Path::new("scanned.pdf")).unwrap_err();
    assert!(matches!(error, Error::Ocr { .. }), "{error}");
    assert!(error.to_string().contains("xyz"), "{error}");
}

#[test]
fn a_program_that_cannot_be_started_is_an_error_that_names_it() {
    let loader = with(OcrOptions {
        program: PathBuf::from("/nowhere/tesseract"),
        languages: "eng".into(),
        data: None,
    });
    let bytes = std::fs::read(fixture("scanned.pdf")).unwrap();
    let error = loader.load(&bytes, Path::new("scanned.pdf")).unwrap_err();
    assert!(error.to_string().contains("/nowhere/tesseract"), "{error}");
    // Where every page has text nothing is started.
    let typed = std::fs::read(fixture("three-levels.pdf")).unwrap();
    assert!(loader.load(&typed, Path::new("typed.pdf")).is_ok());
}
