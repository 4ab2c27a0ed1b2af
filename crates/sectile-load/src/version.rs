//! The versions of the loaders, by which an ingest knows which files to read again.

use sectile_core::Format;

/// The version of each loader, from 1. Stores keep these numbers, so none is ever lowered.
///
/// Raise a number in the commit in which the loader makes another text, outline, pages or metadata of some files, or reads
/// some on which it failed. Where files are detected as another format from now on, raise the number of the format that they
/// were read as. What is the same for the files that people have, such as a faster loader, raises nothing: each number makes
/// every ingest read all files of its format once more.
const VERSIONS: [(Format, u32); Format::ALL.len()] = [
    (Format::Text, 8),
    (Format::Markdown, 7),
    (Format::Pdf, 8),
    (Format::Docx, 8),
    (Format::Html, 10),
    (Format::Pptx, 7),
    (Format::Xlsx, 7),
    (Format::Xls, 6),
    (Format::Ods, 6),
    (Format::Odt, 7),
    (Format::Odp, 6),
    (Format::Csv, 3),
    (Format::Tsv, 3),
    (Format::Epub, 5),
    (Format::Rtf, 10),
    (Format::Ipynb, 5),
    (Format::Rst, 3),
    (Format::Asciidoc, 2),
    (Format::Org, 2),
    (Format::Latex, 6),
    (Format::Mediawiki, 4),
    (Format::Man, 2),
    (Format::Email, 7),
    (Format::Mbox, 6),
    (Format::Json, 2),
    (Format::Yaml, 3),
    (Format::Xml, 6),
    (Format::Code, 8),
    (Format::Vcard, 2),
    (Format::Icalendar, 3),
    (Format::Subtitles, 2),
];

/// Returns the version of the loader of a format. It increases when the loader produces other output for the same
/// files. For formats that contain files of other formats, such as e-mail, it also increases with the versions of their
/// loaders.
///
/// ```
/// use sectile_core::Format;
/// use sectile_load::loader_version;
///
/// assert!(loader_version(Format::Pdf) > 0);
/// assert!(loader_version(Format::Email) > loader_version(Format::Pdf));
/// ```
pub fn loader_version(format: Format) -> u32 {
    let parts = parts(format).iter().copied();
    own_version(format) + parts.map(own_version).sum::<u32>()
}

fn own_version(format: Format) -> u32 {
    let mut versions = VERSIONS.iter();
    let found = versions.find(|(of, _)| *of == format);
    found.map_or(1, |(_, version)| *version)
}

/// Returns the formats of what files of a format may hold.
fn parts(format: Format) -> &'static [Format] {
    match format {
        Format::Email | Format::Mbox => &Format::ALL,
        Format::Docx => &[Format::Html, Format::Rtf, Format::Text],
        Format::Epub | Format::Ipynb | Format::Xml => &[Format::Html],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_a_version_which_its_parts_add_to() {
        for format in Format::ALL {
            assert!(VERSIONS.iter().any(|(of, _)| *of == format), "{format}");
        }
        let all: u32 = Format::ALL.into_iter().map(own_version).sum();
        let email = own_version(Format::Email);
        assert_eq!(loader_version(Format::Email), email + all);
        assert_eq!(loader_version(Format::Pdf), own_version(Format::Pdf));
    }
}
