//! The same headings, sentence and table, as several programs write them in each format.

use std::fs;
use std::path::PathBuf;

use sectile_core::Format;
use sectile_load::{load_file, omissions};

use crate::support::fixture;

/// Returns the files that `make_producers.py` makes.
pub(crate) fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir(fixture("producers")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Returns the headings that a file of a program has in its outline.
fn headings(name: &str, format: Format) -> &'static [&'static str] {
    match format {
        // Sheets are named after the file, messages after their subject.
        Format::Ods | Format::Xlsx => &[],
        Format::Email => &["Harbours"],
        // LibreOffice writes a heading that begins no file of a book as a paragraph in bold type.
        _ if name == "libreoffice.epub" => &["The harbours"],
        _ => &["The harbours", "Ships and cranes"],
    }
}

#[test]
fn files_of_each_program_are_read_alike() {
    let files = files();
    assert_eq!(files.len(), 23);
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let document = load_file(&path).unwrap();
        let said = omissions(&document.metadata);
        assert!(said.is_empty(), "{name}: {said:?}");
        let words: Vec<&str> = document.text.split_whitespace().collect();
        let text = words.join(" ");
        for row in ["| Port | Ships |", "| Antwerp | 2740 |", "| Bergen | 655 |"] {
            assert!(text.contains(row), "{name}: {text}");
        }
        for title in headings(name, document.format) {
            let mut outline = document.outline.iter();
            assert!(
                outline.any(|heading| heading.title == *title),
                "{name}: {text}"
            );
        }
        if !matches!(document.format, Format::Ods | Format::Xlsx) {
            for words in [
                "The harbours",
                "Every harbour is open in winter.",
                "Ships and cranes",
            ] {
                assert_eq!(text.matches(words).count(), 1, "{name}: {text}");
            }
        }
    }
}
