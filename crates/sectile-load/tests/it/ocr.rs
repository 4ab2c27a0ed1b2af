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
    PdfLoader::new(options(ocr))
}

fn options(ocr: OcrOptions) -> LoadOptions {
    let pdf = PdfOptions {
        ocr: Some(ocr),
        ..PdfOptions::default()
    };
    LoadOptions {
        pdf,
        ..LoadOptions::default()
    }
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

#[cfg(unix)]
#[test]
fn a_program_that_does_not_end_is_ended_and_the_error_names_the_page() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;
    use std::time::Duration;

    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("tesseract");
    let script = "#!/bin/sh\necho $$ > \"$0.pid\"\nexec sleep 600\n";
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut options = options(OcrOptions {
        program,
        languages: "eng".into(),
        data: None,
    });
    options.limits.time = Duration::from_secs(1);
    let bytes = fs::read(fixture("scanned.pdf")).unwrap();
    let loader = PdfLoader::new(options);
    let error = loader.load(&bytes, Path::new("scanned.pdf")).unwrap_err();
    assert!(matches!(error, Error::Ocr { .. }), "{error:?}");
    let said = error.to_string();
    assert!(
        said.ends_with("takes longer than 1 s to read page 2"),
        "{said}"
    );
    // Where it was ended before it began, it has written nothing.
    if let Ok(id) = fs::read_to_string(folder.path().join("tesseract.pid")) {
        let asked = Command::new("kill").args(["-0", id.trim()]).output();
        assert!(!asked.unwrap().status.success(), "{id} goes on");
    }
}

/// Text recognition in worker processes, which have an empty environment.
#[cfg(all(unix, feature = "workers"))]
mod in_workers {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;
    use std::process::Command;

    use sectile_core::Document;
    use sectile_load::{Error, FileLoader, Loader as _, OcrOptions, Workers};

    use super::{loader, options};
    use crate::support::fixture;

    /// What a program answers to every picture: a word, and its line.
    const SCRIPT: &str = "#!/bin/sh\n\
        cat > /dev/null\n\
        printf 'level page block paragraph line word left top width height conf text\\n'\n\
        printf '4\\t1\\t1\\t1\\t1\\t0\\t200\\t300\\t400\\t50\\t-1\\t\\n'\n\
        printf '5\\t1\\t1\\t1\\t1\\t1\\t200\\t300\\t400\\t50\\t90\\tReadable\\n'\n";

    fn load(ocr: OcrOptions) -> Result<Document, Error> {
        let worker = || Command::new(env!("CARGO_BIN_EXE_sectile-load-worker"));
        let loader = FileLoader::new(options(ocr)).with_workers(Workers::new(worker));
        loader.load_file(fixture("scanned.pdf"))
    }

    #[test]
    fn a_scanned_page_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("tesseract");
        fs::write(&program, SCRIPT).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let document = load(OcrOptions {
            program,
            languages: "eng".into(),
            data: None,
        });
        let document = document.unwrap();
        let page = |index: usize| document.pages[index].span.of(&document.text).trim();
        assert_eq!(page(0), "The typed page before the scan.");
        assert_eq!(page(1), "Readable");
        assert_eq!(document.metadata.extra["ocr_pages"], serde_json::json!([2]));
    }

    #[test]
    fn a_program_that_cannot_be_started_is_an_error_that_names_it() {
        let error = load(OcrOptions {
            program: PathBuf::from("/nowhere/tesseract"),
            languages: "eng".into(),
            data: None,
        });
        let error = error.unwrap_err();
        assert!(matches!(error, Error::Ocr { .. }), "{error:?}");
        assert!(error.to_string().contains("/nowhere/tesseract"), "{error}");
    }

    #[test]
    fn a_worker_recognizes_what_this_process_does() {
        let Some(loader) = loader("eng") else {
            return;
        };
        let bytes = fs::read(fixture("scanned.pdf")).unwrap();
        let here = loader.load(&bytes, &fixture("scanned.pdf")).unwrap();
        let ocr = OcrOptions::find("eng").unwrap();
        assert_eq!(load(ocr).unwrap().text, here.text);
    }
}
