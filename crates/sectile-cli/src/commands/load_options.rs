//! Options of loading that would change nothing.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use sectile::core::Format;

use super::input::{is_standard_input, regular_format};
use crate::args::LoadArguments;

/// Formats that may contain files of other formats.
const HOLDERS: [Format; 2] = [Format::Email, Format::Mbox];

const PDF: (&str, &[Format]) = ("PDF files", &[Format::Pdf]);

const WORD: (&str, &[Format]) = (
    "Word documents, OpenDocument texts and RTF",
    &[Format::Docx, Format::Odt, Format::Rtf],
);

const COMMENTED: (&str, &[Format]) = (
    "PDF files and text documents, such as those of Word",
    &[Format::Pdf, Format::Docx, Format::Odt, Format::Rtf],
);

const PAGES: (&str, &[Format]) = ("web pages", &[Format::Html, Format::Epub]);

/// Refuses options that apply to none of the files. If the format of a file is unknown, its loader decides.
pub(super) fn check(files: &[PathBuf], arguments: &LoadArguments) -> anyhow::Result<()> {
    ensure!(
        arguments.name.is_none() || files.iter().any(|file| is_standard_input(file)),
        "`--name` is for standard input, and no file here is `-`: leave it out"
    );
    let typed = [
        ("--password", arguments.password.is_some(), PDF),
        ("--pages", !arguments.pages.is_empty(), PDF),
        ("--keep-running-lines", arguments.keep_running_lines, PDF),
        ("--no-guessed-headings", arguments.no_guessed_headings, PDF),
        ("--ocr", arguments.ocr.is_some(), PDF),
        ("--headers-and-footers", arguments.headers_and_footers, WORD),
        ("--comments", arguments.comments, COMMENTED),
        ("--whole-page", arguments.whole_page, PAGES),
    ];
    let typed = typed.into_iter().filter(|(_, is_typed, _)| *is_typed);
    for (option, _, (what, formats)) in typed {
        let applies = files.iter().any(|file| may_be(file, formats));
        ensure!(
            applies,
            "`{option}` is for {what}, and no file here is one: leave it out"
        );
    }
    Ok(())
}

fn may_be(file: &Path, formats: &[Format]) -> bool {
    regular_format(file).is_none_or(|format| formats.contains(&format) || HOLDERS.contains(&format))
}
