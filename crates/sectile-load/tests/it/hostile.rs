//! Hostile files of our own making: each ends with text or an error, and the process lives.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sectile_load::{Error, FileLoader, Limits, LoadOptions, Workers};

use crate::hostile_files;
use crate::mutations::{copies, copies_of_archive};
use crate::support::fixture;

/// How long a worker may take for what ends by itself, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// Makes a loader whose workers have so much time, and so many bytes of memory.
fn loader(time: Duration, memory: u64) -> FileLoader {
    let limits = Limits {
        time,
        memory,
        ..Limits::default()
    };
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    let worker = || Command::new(env!("CARGO_BIN_EXE_sectile-load-worker"));
    FileLoader::new(options).with_workers(Workers::new(worker))
}

/// Loads a file and says what came of it.
fn load(loader: &FileLoader, name: &str, bytes: &[u8]) -> Result<usize, Error> {
    let result = loader.load_bytes(bytes, Path::new(name));
    if let Err(error) = &result {
        assert_eq!(error.path(), Some(Path::new(name)));
    }
    result.map(|document| {
        assert!(document.outline.iter().all(|heading| {
            document
                .text
                .get(heading.span.start..heading.span.end)
                .is_some()
        }));
        document.text.len()
    })
}

/// What has to come of a file.
enum Expected {
    Anything,
    AtLeast(usize),
    Limit,
    ParseError,
}

fn expected(name: &str) -> Expected {
    match name {
        "flat-bomb.docx" | "styles-bomb.docx" | "deep.docx" | "deep-tables.docx" | "deep.html"
        | "deep-lists.html" | "deep-tables.html" => Expected::Limit,
        "entities.docx" | "external-entity.docx" | "empty.pdf" => Expected::ParseError,
        // Files that are only large, and files of which the rest is sound.
        "paragraphs.docx" => Expected::AtLeast(16_000_000),
        "page-circle.pdf" | "bookmark-circle.pdf" | "names-circle.pdf" | "xref-circle.pdf" => {
            Expected::AtLeast(10)
        }
        _ => Expected::Anything,
    }
}

#[test]
fn made_files_end_with_text_or_an_error() {
    let patient = loader(PATIENCE, 2 << 30);
    let impatient = loader(Duration::from_secs(10), 2 << 30);
    for (name, bytes) in hostile_files::all() {
        let expected = expected(&name);
        // What may take too long is not waited for.
        let loader = if matches!(expected, Expected::Anything) {
            &impatient
        } else {
            &patient
        };
        let result = load(loader, &name, &bytes);
        println!("{name}: {result:?}");
        let is_expected = match (expected, result) {
            (Expected::Anything, _) => true,
            (Expected::AtLeast(length), Ok(found)) => found >= length,
            (Expected::Limit, Err(error)) => matches!(error, Error::LimitExceeded { .. }),
            (Expected::ParseError, Err(error)) => {
                matches!(error, Error::Parse { .. })
            }
            (Expected::AtLeast(_), Err(_)) | (_, Ok(_)) => false,
        };
        assert!(is_expected, "{name}");
    }
}

/// Returns real files: our own few, and those of the corpora.
fn real_files() -> Vec<PathBuf> {
    let names = [
        "three-levels.pdf",
        "no-bookmarks.pdf",
        "pandoc.docx",
        "writer.docx",
        "openpyxl.xlsx",
        "xlwt.xls",
        "odfpy.ods",
        "python-pptx.pptx",
    ];
    let mut files = names.map(fixture).to_vec();
    files.extend(crate::producers::files());
    let Ok(corpus) = std::env::var("SECTILE_CORPUS") else {
        return files;
    };
    for folder in ["pdf/files", "docx/files"] {
        let entries = fs::read_dir(Path::new(&corpus).join(folder)).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort_by_key(|path| (path.metadata().unwrap().len(), path.clone()));
        let every = paths.len() / 10;
        files.extend(paths.into_iter().step_by(every).take(10));
    }
    files
}

/// Returns whether a worker had to be stopped, or died.
fn is_death(error: &Error) -> bool {
    matches!(error, Error::TimedOut { .. } | Error::WorkerDied { .. })
}

#[test]
fn damaged_real_files_end_with_text_or_an_error() {
    let loader = loader(PATIENCE, 2 << 30);
    let files = real_files();
    let (mut read, mut refused) = (0, 0);
    for (index, path) in files.iter().enumerate() {
        let bytes = fs::read(path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        for seed in 0..15 {
            let damaged = hostile_files::mutate(&bytes, (index * 15 + seed) as u64);
            match load(&loader, name, &damaged) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert!(!is_death(&error), "{name} {seed}: {error}");
                    refused += 1;
                }
            }
        }
    }
    println!(
        "{} files, {read} damaged ones read, {refused} refused",
        files.len()
    );
    assert!(read > 0 && refused > 0);
}

/// Has a worker load a file, with the outcome that it has in this process, and then copies of it.
fn check_copies(name: &str, bytes: &[u8], damaged: impl Iterator<Item = Vec<u8>>) {
    let loader = loader(PATIENCE, 512 << 20);
    let path = Path::new(name);
    let there = loader.load_bytes(bytes, path).unwrap();
    assert_eq!(there, sectile_load::load_bytes(bytes, path).unwrap());
    for (index, copy) in damaged.enumerate() {
        if let Err(error) = load(&loader, name, &copy) {
            assert!(!is_death(&error), "{name} {index}: {error}");
        }
    }
}

/// The formats whose damaged copies no other test loads: what reads them has no bounds of its own.
#[test]
fn damaged_copies_kill_no_worker_that_has_512_mib() {
    for (name, file) in [("a.pdf", "book.pdf"), ("a.xls", "xlwt.xls")] {
        let bytes = fs::read(fixture(file)).unwrap();
        check_copies(name, &bytes, copies(&bytes));
    }
    let code = include_bytes!("support.rs");
    check_copies("a.rs", code, copies(code));
    let workbook = crate::sheets::hello();
    check_copies("a.xlsb", &workbook, copies_of_archive(&workbook));
}
