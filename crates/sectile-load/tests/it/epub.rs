//! Books in EPUB.

use std::path::Path;

use sectile_core::Document;
use sectile_load::{Error, load_bytes, omissions};
use serde_json::json;

use crate::support::{load_damaged, load_error, outline, pack};

const CONTAINER: &str =
    "<container><rootfiles><rootfile full-path='OEBPS/book.opf'/></rootfiles></container>";

const BOOK: &str = "<?xml version='1.0'?><package xmlns:dc='d' xmlns:opf='o'><metadata>\
    <dc:title>Wind &amp; Sea</dc:title><dc:creator>Ada</dc:creator><dc:creator>Alan</dc:creator>\
    <dc:language>en</dc:language><dc:date>2026-01-02</dc:date><dc:publisher>Press</dc:publisher>\
    <dc:identifier>urn:isbn:978-3-16-148410-0</dc:identifier></metadata><manifest>\
    <item id='n' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>\
    <item id='one' href='text/one%201.xhtml' media-type='application/xhtml+xml'/>\
    <item id='two' href='text/two.xhtml' media-type='application/xhtml+xml'/>\
    <item id='lost' href='text/lost.xhtml' media-type='application/xhtml+xml'/>\
    <item id='map' href='map.svg' media-type='image/svg+xml'/></manifest>\
    <spine><itemref idref='two' linear='no'/><itemref idref='one'/><itemref idref='map'/>\
    <itemref idref='lost'/></spine></package>";

const NAV: &str = "<!DOCTYPE html><html xmlns:epub='e'><body><nav epub:type='toc'><ol>\
    <li><a href='text/one%201.xhtml'>First <i>part</i></a></li></ol></nav></body></html>";

const ONE: &str = "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE html><html xmlns:epub='e'><head><title/></head>\
    <body><p>Text.<a id='x'/> More<a epub:type='noteref' href='#f'>1</a>.</p>\
    <aside epub:type='footnote' id='f'><p>A note.</p></aside></body></html>";

const TWO: &str = "<html><body><section><h2>Aside</h2><p>Beside it.</p></section></body></html>";

fn parts() -> Vec<(&'static str, &'static str)> {
    vec![
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", CONTAINER),
        ("OEBPS/book.opf", BOOK),
        ("OEBPS/nav.xhtml", NAV),
        ("OEBPS/text/one 1.xhtml", ONE),
        ("OEBPS/text/two.xhtml", TWO),
        (
            "OEBPS/map.svg",
            "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>",
        ),
    ]
}

/// Packs the book.
pub(crate) fn book() -> Vec<u8> {
    pack(&parts())
}

fn load(parts: &[(&str, &str)]) -> Document {
    load_bytes(&pack(parts), Path::new("book.epub")).unwrap()
}

#[test]
fn chapters_of_books_before_epub_are_read() {
    let book = BOOK.replace("application/xhtml+xml", "text/x-oeb1-document");
    let mut parts: Vec<(&str, &str)> = parts();
    parts[2].1 = &book;
    let document = load(&parts);
    assert!(document.text.contains("A note."), "{}", document.text);
    assert_eq!(
        document.metadata.extra["unread_parts"],
        json!(["OEBPS/map.svg"])
    );
}

#[test]
fn chapters_come_in_the_order_of_reading_with_titles_and_notes() {
    let document = load(&parts());
    assert_eq!(
        outline(&document),
        [
            (1, "First part", "# First part\n"),
            (2, "Aside", "## Aside\n")
        ]
    );
    for words in ["Text.", "A note.", "Beside it."] {
        assert!(document.text.contains(words), "{words}: {}", document.text);
    }
    let extra = &document.metadata.extra;
    assert_eq!(extra["non_linear_parts"], json!(["OEBPS/text/two.xhtml"]));
    assert_eq!(extra["damaged_parts"], json!(["OEBPS/text/lost.xhtml"]));
    assert_eq!(extra["unread_parts"], json!(["OEBPS/map.svg"]));
}

#[test]
fn a_title_that_is_the_first_line_of_its_chapter_is_there_once() {
    for (inside, expected) in [
        ("<p>First part</p><p>Text.</p>", "# First part\n\nText.\n"),
        (
            "<p>First part of two</p>",
            "# First part\n\nFirst part of two\n",
        ),
        ("<p>First part</p>", "# First part\n"),
    ] {
        let page = format!("<html><body>{inside}</body></html>");
        let mut parts = parts();
        parts[4].1 = &page;
        let text = load(&parts).text;
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn a_chapter_without_headings_has_those_of_the_table_of_contents() {
    let page = "<html><body><p>First part</p><p>Before.</p><p class='h'><span id='s1'><b>Wind</b></span></p><p>Blows.</p>\
        <div id='s2'><p>Waves.</p></div></body></html>";
    let nav = NAV.replace(
        "</li></ol>",
        "<ol><li><a href='text/one%201.xhtml#s1'>Wind</a></li><li><a href='text/one%201.xhtml#s2'>Sea</a></li>\
         <li><a href='text/one%201.xhtml#s9'>Lost</a></li></ol></li></ol>",
    );
    let mut parts = parts();
    parts[4].1 = page;
    let expected = "# First part\n\nBefore.\n\n## Wind\n\nBlows.\n\n## Sea\n\nWaves.\n\n";
    // The title of the chapter may lead to a place that is not there.
    let lost = nav.replacen("one%201.xhtml'", "one%201.xhtml#s0'", 1);
    for nav in [&nav, &lost] {
        parts[3].1 = nav;
        let text = load(&parts).text;
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn a_chapter_that_is_one_drawing_has_its_text() {
    let drawn = "<html><body><div><svg><title>Page</title><text><tspan x='0,5' y='0'>Il en avait </tspan><tspan x='0' y='15'># r\u{EA}v\u{E9}</tspan>\
        <tspan>.</tspan></text><g><text>1 &lt; 2</text><foreignObject><p>One</p><p>two</p></foreignObject></g></svg></div></body></html>";
    let with = |page| {
        let mut parts = parts();
        parts[4].1 = page;
        load(&parts).text
    };
    let text = with(drawn);
    assert!(
        text.starts_with("# First part\n\nIl en avait # r\u{EA}v\u{E9}.\n\n1 < 2\n\nOne two\n"),
        "{text}"
    );
    let label = "<html><body><p>Text.</p><svg><text>label</text></svg></body></html>";
    assert!(!with(label).contains("label"));
}

#[test]
fn a_drawing_in_the_order_of_reading_has_its_text() {
    let mut parts = parts();
    parts[6].1 = "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><title/><rect width='1'/>\
        <text><tspan x='0,5.67' y='0'>Sous le</tspan><tspan x='0' y='9'>vent</tspan></text><text>End</text></svg>";
    let document = load(&parts);
    assert!(
        document.text.contains("Sous le vent\n\nEnd\n"),
        "{}",
        document.text
    );
    assert!(!document.metadata.extra.contains_key("unread_parts"));
}

#[test]
fn chapters_outside_of_the_order_of_reading_are_named() {
    let book = BOOK.replace("<itemref idref='one'/>", "");
    let mut parts = parts();
    parts[2].1 = &book;
    let document = load(&parts);
    let said = omissions(&document.metadata);
    let expected = "the part OEBPS/text/one 1.xhtml did not get into the text, being outside of the order of reading";
    assert!(said.iter().any(|sentence| sentence == expected), "{said:?}");
}

#[test]
fn the_package_says_what_the_book_is() {
    let metadata = load(&parts()).metadata;
    assert_eq!(metadata.title.as_deref(), Some("Wind & Sea"));
    assert_eq!(metadata.author.as_deref(), Some("Ada; Alan"));
    assert_eq!(metadata.created.as_deref(), Some("2026-01-02"));
    assert_eq!(metadata.language.as_deref(), Some("en"));
    assert_eq!(metadata.extra["isbn"], json!("9783161484100"));
    assert_eq!(metadata.extra["publisher"], json!("Press"));
}

#[test]
fn encrypted_chapters_are_named_and_a_book_of_nothing_else_is_refused() {
    let encryption = |algorithm: &str, part: &str| {
        format!(
            "<encryption><EncryptedData><EncryptionMethod Algorithm='{algorithm}'/><CipherData>\
             <CipherReference URI='{part}'/></CipherData></EncryptedData></encryption>"
        )
    };
    let mut with = parts();
    let fonts = encryption("http://www.idpf.org/2008/embedding", "OEBPS/a.otf");
    with.push(("META-INF/encryption.xml", &fonts));
    assert!(load(&with).text.contains("Text."));
    let text = encryption(
        "http://www.w3.org/2001/04/xmlenc#aes128-cbc",
        "OEBPS/text/two.xhtml",
    );
    with.pop();
    with.push(("META-INF/encryption.xml", &text));
    let document = load(&with);
    assert!(document.text.contains("Text.") && !document.text.contains("Beside it."));
    let named = &document.metadata.extra["encrypted_chapters"];
    assert_eq!(*named, json!(["OEBPS/text/two.xhtml"]));
    let said = omissions(&document.metadata);
    let expected = "the part OEBPS/text/two.xhtml could not be read, being encrypted";
    assert!(said.iter().any(|sentence| sentence == expected), "{said:?}");
    let of_two = BOOK.replace("<itemref idref='one'/>", "");
    with[2].1 = &of_two;
    let error = load_error(&pack(&with), "book.epub");
    assert!(matches!(error, Error::Encrypted { .. }));
}

#[test]
fn damaged_books_are_read_or_refused() {
    assert!(load_damaged(&pack(&parts()), "book.epub", 200) < 200);
}

#[test]
fn notes_that_pop_up_are_kept_and_other_hidden_words_counted() {
    let chapter = "<html xmlns:epub='e'><body><h1>One</h1><p>Text<a epub:type='noteref' href='#f'>1</a>.</p>\
        <section role='doc-endnotes' hidden='hidden'><aside epub:type='footnote' id='f' style='display:none'>\
        <p>A note.</p></aside></section><p hidden=''>Two words.</p></body></html>";
    let mut parts = parts();
    parts[4].1 = chapter;
    let document = load(&parts);
    assert!(document.text.contains("A note."), "{}", document.text);
    assert!(!document.text.contains("Two words"), "{}", document.text);
    assert_eq!(
        document.metadata.extra["left_out_words"],
        json!({"hidden": 2})
    );
}
