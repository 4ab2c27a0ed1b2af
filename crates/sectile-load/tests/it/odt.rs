//! OpenDocument text documents.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{DocxOptions, Error, FileLoader, LoadOptions, load_bytes};

use crate::support::{load_damaged, load_error, outline, pack};

const MIMETYPE: (&str, &str) = ("mimetype", "application/vnd.oasis.opendocument.text");

const STYLES: &str = "<text:list-style style:name='L1'>\
    <text:list-level-style-number text:level='1' style:num-format='1' text:start-value='3'/>\
    <text:list-level-style-bullet text:level='2'/></text:list-style>";

fn content(body: &str) -> String {
    format!(
        "<office:document-content><office:automatic-styles>{STYLES}</office:automatic-styles>\
         <office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
}

fn packed(body: &str) -> Vec<u8> {
    pack(&[MIMETYPE, ("content.xml", &content(body))])
}

fn load(body: &str) -> Document {
    load_bytes(&packed(body), Path::new("a.odt")).unwrap()
}

/// Checks the text of a document with the given body and no other part.
fn check(body: &str, expected: &str) {
    assert_eq!(load(body).text, expected);
}

#[test]
fn headings_and_white_space_are_read() {
    let document = load(
        "<text:h text:outline-level='2'>Two\n words</text:h><text:p>a<text:s text:c='2'/>b<text:tab/>c\
         <text:line-break/>d <text:span> e</text:span></text:p>",
    );
    assert_eq!(document.text, "## Two words\n\na  b\tc\nd e\n");
    assert_eq!(outline(&document), [(2, "Two words", "## Two words\n")]);
}

#[test]
fn lists_keep_their_levels_and_numbers() {
    check(
        "<text:list text:style-name='L1'><text:list-item><text:p>a</text:p><text:list><text:list-item>\
         <text:p>b</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>c</text:p>\
         </text:list-item></text:list><text:list text:style-name='L1' text:continue-numbering='true'>\
         <text:list-item><text:p>d</text:p></text:list-item></text:list>",
        "3. a\n    - b\n4. c\n5. d\n",
    );
}

#[test]
fn cells_that_span_and_repeat_keep_their_columns() {
    let cell = |attributes: &str, text: &str| {
        format!("<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>")
    };
    let rows = format!(
        "<table:table-row>{}<table:covered-table-cell/>{}</table:table-row>\
         <table:table-row table:number-rows-repeated='2'>{}{}</table:table-row>",
        cell("table:number-columns-spanned='2'", "a"),
        cell("", "b"),
        cell("table:number-columns-repeated='2'", "c"),
        cell("", "d"),
    );
    check(
        &format!("<table:table>{rows}</table:table>"),
        "| a |  | b |\n| --- | --- | --- |\n| c | c | d |\n| c | c | d |\n",
    );
}

#[test]
fn repetition_is_bounded() {
    let row = "<table:table-row table:number-rows-repeated='900000'><table:table-cell \
        table:number-columns-repeated='900000'><text:p>x</text:p></table:table-cell></table:table-row>";
    let document = load(&format!("<table:table>{}</table:table>", row.repeat(20)));
    assert!(document.text.len() < 10_000_000, "{}", document.text.len());
}

#[test]
fn notes_changes_and_text_boxes_are_read() {
    let body = "<text:tracked-changes><text:deletion><text:p>gone</text:p></text:deletion></text:tracked-changes>\
        <text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>why</text:p>\
        </text:note-body></text:note><office:annotation><dc:creator>Al</dc:creator><text:p>hm</text:p>\
        </office:annotation> b<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box><svg:title>t</svg:title>\
        </draw:frame></text:p>";
    check(body, "a[^1] b\n\nbox\n\n[^1]: why\n");
    let docx = DocxOptions {
        comments: true,
        ..DocxOptions::default()
    };
    let loader = FileLoader::new(LoadOptions {
        docx,
        ..LoadOptions::default()
    });
    let document = loader
        .load_bytes(&packed(body), Path::new("a.odt"))
        .unwrap();
    assert!(document.text.contains("hm"), "{}", document.text);
}

#[test]
fn a_document_in_one_file_is_read() {
    let flat = "<?xml version='1.0'?><office:document office:mimetype='application/vnd.oasis.opendocument.text'>\
        <office:meta><dc:title>T</dc:title></office:meta><office:body><office:text><text:p>flat</text:p>\
        </office:text></office:body></office:document>";
    let document = load_bytes(flat.as_bytes(), Path::new("a.fodt")).unwrap();
    assert_eq!(
        (document.text.as_str(), document.format),
        ("flat\n", Format::Odt)
    );
    assert_eq!(document.metadata.title.as_deref(), Some("T"));
}

#[test]
fn an_encrypted_document_is_refused() {
    let manifest = "<manifest:manifest><manifest:file-entry manifest:full-path='content.xml'>\
        <manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    let bytes = pack(&[
        MIMETYPE,
        ("META-INF/manifest.xml", manifest),
        ("content.xml", "x"),
    ]);
    assert!(matches!(
        load_error(&bytes, "a.odt"),
        Error::Encrypted { .. }
    ));
}

#[test]
fn damaged_documents_are_read_or_refused() {
    let bytes = packed(&"<text:p>words <text:span>and</text:span> more</text:p>".repeat(50));
    assert!(load_damaged(&bytes, "a.odt", 200) < 200);
    let flat = content(
        &"<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list>".repeat(50),
    );
    assert!(load_damaged(flat.as_bytes(), "a.fodt", 200) < 200);
}
