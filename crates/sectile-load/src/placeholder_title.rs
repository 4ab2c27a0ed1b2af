//! Titles that no author gave: those that a program puts into a new file, and the names of files.

use sectile_core::{Document, Format};

/// The formats of files that have the titles of programs. In others, a title is what somebody wrote.
const FORMATS: [Format; 8] = [
    Format::Docx,
    Format::Epub,
    Format::Html,
    Format::Odp,
    Format::Odt,
    Format::Pdf,
    Format::Pptx,
    Format::Rtf,
];

/// What programs put into new files and templates, in the languages of the documents that people have.
const PLACEHOLDERS: [&str; 47] = [
    "(no title)",
    "(unknown)",
    "(untitled)",
    "apresentação do powerpoint",
    "bez tytułu",
    "document",
    "document sans titre",
    "document title",
    "documento sem título",
    "documento senza titolo",
    "documento sin título",
    "generated documentation (untitled)",
    "main title",
    "microsoft powerpoint",
    "microsoft word",
    "microsoft word document",
    "naamloos document",
    "new document",
    "new page",
    "no title",
    "ohne titel",
    "page title",
    "powerpoint presentation",
    "powerpoint-presentatie",
    "powerpoint-präsentation",
    "powerpoint プレゼンテーション",
    "powerpoint 演示文稿",
    "powerpoint 簡報",
    "powerpoint 프레젠테이션",
    "presentación de powerpoint",
    "presentazione di powerpoint",
    "presentazione standard di powerpoint",
    "prezentacja programu powerpoint",
    "présentation powerpoint",
    "r graphics output",
    "sans titre",
    "senza titolo",
    "sem título",
    "sin título",
    "title",
    "unbenannt",
    "unbenanntes dokument",
    "untitled",
    "untitled document",
    "untitled page",
    "презентация powerpoint",
    "без названия",
];

/// The title of a contents page, which programs give to whole documents, too.
const CONTENTS: &str = "table of contents";

/// What programs number.
const NUMBERED: [&str; 17] = [
    "diapositiva ",
    "diapositive ",
    "document",
    "dokument",
    "folie ",
    "page ",
    "presentación",
    "presentation",
    "präsentation",
    "présentation",
    "seite ",
    "slide ",
    "unbenannt ",
    "untitled ",
    "untitled-",
    "слайд ",
    "页 ",
];

/// What a printer driver puts before the name of a file.
const BEFORE_FILE_NAMES: [&str; 3] = [
    "microsoft excel - ",
    "microsoft powerpoint - ",
    "microsoft word - ",
];

/// The endings of the names of files that hold documents.
const ENDINGS: &str = "\
    book cdr doc docm docx dot dotx dvi dwg eps htm html indd odp ods odt pdf ppt pptm pptx qxd rtf tex txt vsd vsdx wpd \
    wps xls xlsm xlsx";

/// How many headings may stand for the title, and how many bytes their letters have at least.
const MAX_HEADINGS: usize = 5;
const MIN_LETTERS: usize = 4;

/// Replaces a title that no author gave by the first heading, and removes it if there is none.
pub(crate) fn without_placeholder(document: &mut Document) {
    let title = document.metadata.title.as_deref().unwrap_or_default();
    if FORMATS.contains(&document.format) && is_placeholder(title, document) {
        document.metadata.title = heading(document);
    }
}

/// Returns whether no author gave a title. The name of a file, and that of a contents page, is a title where it is also a
/// heading.
fn is_placeholder(title: &str, document: &Document) -> bool {
    let is_heading = || {
        document
            .outline
            .iter()
            .any(|heading| heading.title.eq_ignore_ascii_case(title))
    };
    is_of_program(title)
        || (is_file_name(title, document.format) || is_contents(title)) && !is_heading()
}

/// Returns the first heading that may be the title.
fn heading(document: &Document) -> Option<String> {
    let letters = |title: &str| -> usize {
        let letters = title.chars().filter(|letter| letter.is_alphabetic());
        letters.map(char::len_utf8).sum()
    };
    let headings = document.outline.iter().take(MAX_HEADINGS);
    let mut titles = headings.map(|heading| &heading.title);
    let title = titles.find(|title| {
        letters(title) >= MIN_LETTERS && !is_of_program(title) && !is_contents(title)
    });
    title.cloned()
}

/// Returns whether a program puts a title into new files, or numbers them with it.
pub(crate) fn is_of_program(title: &str) -> bool {
    let words: Vec<&str> = title.split_whitespace().collect();
    let title = words.join(" ").to_lowercase();
    let unnumbered = title.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let is_numbered = unnumbered != title && NUMBERED.contains(&unnumbered);
    let mut before = BEFORE_FILE_NAMES.iter();
    is_numbered
        || PLACEHOLDERS.contains(&&*title)
        || before.any(|before| title.starts_with(*before))
        || title.starts_with("{{") && title.ends_with("}}")
        || is_hexadecimal(&title)
}

/// Returns whether a title is a text of a printer driver, as in `<4D6963726F>`.
fn is_hexadecimal(title: &str) -> bool {
    let digits = title
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    digits.is_some_and(|digits| {
        digits.len() >= 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    })
}

fn is_contents(title: &str) -> bool {
    title.trim().eq_ignore_ascii_case(CONTENTS)
}

/// Returns whether a title is the name of a file. Web pages have titles about files of text: `What is llms.txt`.
fn is_file_name(title: &str, format: Format) -> bool {
    let Some((name, ending)) = title.trim().rsplit_once('.') else {
        return false;
    };
    let ending = ending.to_lowercase();
    let is_about_file = format == Format::Html && ending == "txt" && name.contains(' ');
    !name.is_empty() && !is_about_file && ENDINGS.split(' ').any(|known| known == ending)
}

#[cfg(test)]
mod tests {
    use sectile_core::{Heading, Metadata, Span};

    use super::*;

    fn check(format: Format, title: &str, headings: &[&str], expected: Option<&str>) {
        let heading = |title: &&str| Heading {
            level: 1,
            title: (*title).into(),
            span: Span::default(),
        };
        let mut document = Document {
            format,
            outline: headings.iter().map(heading).collect(),
            metadata: Metadata {
                title: Some(title.into()),
                ..Metadata::default()
            },
            ..Document::default()
        };
        without_placeholder(&mut document);
        assert_eq!(document.metadata.title.as_deref(), expected, "{title}");
    }

    #[test]
    fn the_first_heading_replaces_what_a_program_wrote() {
        for title in [
            "PowerPoint Presentation",
            "Présentation PowerPoint",
            "PowerPoint 演示文稿",
            "untitled",
            "Untitled Document",
            "Untitled-1",
            "Microsoft Word - Notice.doc",
            "Microsoft  Word - Notice",
            "MAIN TITLE",
            "Table of Contents",
            "Slide 1",
            "Document12",
            "BMENSUAL 01 2016 - copia.xlsx",
            "DS_STM32F42x_step2.book",
            "<4D6963726F736F667420576F7264>",
            "{{ self.title() | e }}",
        ] {
            let headings = ["1", "Slide 1", "Opening hours", "Prices"];
            check(Format::Pdf, title, &headings, Some("Opening hours"));
            check(Format::Html, title, &[], None);
        }
    }

    #[test]
    fn a_contents_page_has_its_own_title() {
        let headings = ["Table of Contents", "Opening hours"];
        let title = "Table of contents";
        check(Format::Html, title, &headings, Some(title));
        check(Format::Pdf, title, &headings[1..], Some("Opening hours"));
        check(Format::Pdf, "untitled", &headings, Some("Opening hours"));
    }

    #[test]
    fn titles_of_authors_stay() {
        for title in [
            "PowerPoint for beginners",
            "The untitled guide",
            "Slide rules",
            "Microsoft Word 97",
            "Presentation of the plan",
            "2016",
            "Version 2.0",
            "Node.js",
            "Last.fm",
            "Character.AI",
            "Dart.pub",
            "Florida.key",
            "Yellow.pages",
            "Notes.ps",
            "I",
        ] {
            check(Format::Pptx, title, &["Opening hours"], Some(title));
        }
        check(
            Format::Html,
            "robots.txt",
            &["robots.txt"],
            Some("robots.txt"),
        );
        let about = "What is llms.txt";
        check(Format::Html, about, &["Overview"], Some(about));
        check(Format::Html, "notice.txt", &["Overview"], Some("Overview"));
        check(
            Format::Html,
            "Price list.doc",
            &["Overview"],
            Some("Overview"),
        );
        // A subject, and what stands in the source.
        check(
            Format::Email,
            "contract.docx",
            &["Hello all"],
            Some("contract.docx"),
        );
        check(
            Format::Markdown,
            "Untitled",
            &["Hello all"],
            Some("Untitled"),
        );
    }
}
