//! OpenDocument presentations.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{DocxOptions, Error, FileLoader, Limits, LoadOptions, load_bytes, omissions};
use serde_json::json;

use crate::support::{load_damaged, load_error, outline, pack};

const MIMETYPE: (&str, &str) = (
    "mimetype",
    "application/vnd.oasis.opendocument.presentation",
);

const STYLES: &str = "<style:style style:name='dp1' style:family='drawing-page'>\
    <style:drawing-page-properties presentation:visibility='visible'/></style:style>\
    <style:style style:name='dp2' style:family='drawing-page'>\
    <style:drawing-page-properties presentation:visibility='hidden'/></style:style>";

fn content(body: &str) -> String {
    format!(
        "<office:document-content><office:automatic-styles>{STYLES}</office:automatic-styles>\
         <office:body><office:presentation>{body}</office:presentation></office:body></office:document-content>"
    )
}

fn packed(body: &str) -> Vec<u8> {
    pack(&[MIMETYPE, ("content.xml", &content(body))])
}

fn load(body: &str) -> Document {
    load_bytes(&packed(body), Path::new("a.odp")).unwrap()
}

fn page(style: &str, shapes: &str) -> String {
    format!("<draw:page draw:name='page1' draw:style-name='{style}'>{shapes}</draw:page>")
}

/// A placeholder of a class.
fn placeholder(class: &str, text: &str) -> String {
    format!(
        "<draw:frame presentation:class='{class}' svg:x='9cm' svg:y='9cm'><draw:text-box>{text}</draw:text-box>\
         </draw:frame>"
    )
}

fn shape(x: &str, y: &str, text: &str) -> String {
    format!(
        "<draw:custom-shape svg:x='{x}' svg:y='{y}'><text:p>{text}</text:p></draw:custom-shape>"
    )
}

fn list(items: &str) -> String {
    format!("<text:list>{items}</text:list>")
}

fn item(text: &str) -> String {
    format!("<text:list-item>{text}</text:list-item>")
}

/// A presentation with what one may have, its chart in a part of its own.
pub(crate) fn with_all() -> Vec<u8> {
    let items = item("<text:p>First</text:p>") + &item(&list(&item("<text:p>deeper</text:p>")));
    let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let row = |left: &str, right: &str| {
        format!(
            "<table:table-row>{}{}</table:table-row>",
            cell(left),
            cell(right)
        )
    };
    let table = format!(
        "<draw:frame><table:table>{}{}</table:table></draw:frame>",
        row("a", "b"),
        row("c", "d")
    );
    let notes = format!(
        "<presentation:notes><draw:page-thumbnail/>{}{}</presentation:notes>",
        placeholder("notes", "<text:p>Say it slowly.</text:p>"),
        placeholder("page-number", "<text:p>1</text:p>")
    );
    let first = [
        placeholder("outline", &list(&items)),
        placeholder("title", "<text:p>The Plan</text:p>"),
        placeholder("footer", "<text:p>Own foot</text:p>"),
        placeholder("page-number", "<text:p>1</text:p>"),
        notes,
    ];
    let chart = "<draw:frame><draw:object xlink:href='./Object 1'/></draw:frame>";
    let body = [
        "<presentation:footer-decl presentation:name='f'>The foot</presentation:footer-decl>"
            .into(),
        page("dp1", &first.concat()),
        page("dp2", &(table + chart)),
    ];
    let object = "<office:document-content><office:chart><chart:chart><chart:title><text:p>Sales</text:p></chart:title>\
        <table:table><table:table-row><table:table-cell><text:p>Q1</text:p></table:table-cell><table:table-cell>\
        <text:p>7</text:p></table:table-cell></table:table-row></table:table></chart:chart></office:chart>\
        </office:document-content>";
    let meta = "<office:document-meta><office:meta><dc:title>Plans</dc:title></office:meta></office:document-meta>";
    pack(&[
        MIMETYPE,
        ("content.xml", &content(&body.concat())),
        ("meta.xml", meta),
        ("Object 1/content.xml", object),
    ])
}

#[test]
fn slides_are_pages_and_sections_with_what_is_on_them() {
    let document = load_bytes(&with_all(), Path::new("a.odp")).unwrap();
    let expected = "# The Plan\n\n- First\n    - deeper\n\nNotes:\n\nSay it slowly.\n\n\
        # Slide 2\n\n| a | b |\n| --- | --- |\n| c | d |\n\nChart: Sales\n\n| Q1 | 7 |\n| --- | --- |\n";
    assert_eq!(document.text, expected);
    assert_eq!(document.format, Format::Odp);
    assert_eq!(document.metadata.title.as_deref(), Some("Plans"));
    assert_eq!(document.metadata.page_count, Some(2));
    assert_eq!(document.metadata.extra["hidden_slides"][0], 2);
    assert_eq!(
        document.metadata.extra["running_lines"],
        json!(["Own foot", "The foot"])
    );
    let pages = document.pages.iter();
    let pages: Vec<&str> = pages.map(|page| page.span.of(&document.text)).collect();
    assert_eq!(pages.concat(), document.text);
    assert!(pages[1].starts_with("# Slide 2\n"));
    assert_eq!(outline(&document)[0], (1, "The Plan", "# The Plan\n"));
    assert!(omissions(&document.metadata).is_empty());
}

#[test]
fn what_a_master_shows_on_each_slide_is_named() {
    let masters = placeholder("title", "<text:p>Click to edit</text:p>")
        + &shape("0cm", "0cm", "Mill Ltd")
        + "<draw:frame><draw:text-box><text:p>Confidential</text:p></draw:text-box></draw:frame>";
    let styles = format!(
        "<office:document-styles><office:master-styles><style:master-page>{masters}</style:master-page>\
         </office:master-styles></office:document-styles>"
    );
    let body = content(&page("dp1", &placeholder("title", "<text:p>One</text:p>")));
    let bytes = pack(&[MIMETYPE, ("content.xml", &body), ("styles.xml", &styles)]);
    let document = load_bytes(&bytes, Path::new("a.odp")).unwrap();
    assert_eq!(document.text, "# One\n");
    assert_eq!(
        document.metadata.extra["running_lines"],
        json!(["Mill Ltd", "Confidential"])
    );
}

#[test]
fn shapes_are_read_by_rows() {
    let group = format!(
        "<draw:g><svg:title>a picture</svg:title>{}{}</draw:g>",
        shape("0cm", "1in", "left"),
        shape("2cm", "1in", "beside it")
    );
    let shapes = [
        shape("0cm", "9cm", "last"),
        shape("12cm", "25mm", "right"),
        group,
    ];
    let document = load(&page("dp1", &shapes.concat()));
    assert_eq!(
        document.text,
        "# Slide 1\n\nleft\n\nbeside it\n\nright\n\nlast\n"
    );
}

#[test]
fn headings_within_a_slide_are_none_of_the_presentation() {
    let shapes = placeholder(
        "title",
        "<text:list><text:list-item><text:p>One</text:p></text:list-item></text:list>",
    ) + &placeholder("title", "<text:h text:outline-level='1'>Two</text:h>");
    let document = load(&page("dp1", &shapes));
    assert_eq!(document.text, "# One\n\nTwo\n");
    assert_eq!(outline(&document), [(1, "One", "# One\n")]);
}

#[test]
fn annotations_are_read_on_request_or_counted() {
    let shapes =
        "<office:annotation><dc:creator>Ada</dc:creator><text:p>Why?</text:p></office:annotation>";
    let bytes = packed(&page(
        "dp1",
        &(placeholder("title", "<text:p>One</text:p>") + shapes),
    ));
    let document = load_bytes(&bytes, Path::new("a.odp")).unwrap();
    assert_eq!(document.text, "# One\n");
    assert_eq!(
        omissions(&document.metadata),
        ["1 comment is left out; `comments` includes them"]
    );
    let docx = DocxOptions {
        comments: true,
        ..DocxOptions::default()
    };
    let options = LoadOptions {
        docx,
        ..LoadOptions::default()
    };
    let loader = FileLoader::default().with_options(options);
    let document = loader.load_bytes(&bytes, Path::new("a.odp")).unwrap();
    assert!(document.text.contains("Why?"), "{}", document.text);
}

#[test]
fn a_presentation_in_one_file_is_read() {
    let flat = format!(
        "\u{FEFF}<office:document><office:meta><dc:title>Plans</dc:title></office:meta><office:body>\
         <office:presentation>{}</office:presentation></office:body></office:document>",
        page("dp1", &shape("1cm", "1cm", "flat"))
    );
    let document = load_bytes(flat.as_bytes(), Path::new("a.fodp")).unwrap();
    assert_eq!(
        (document.text.as_str(), document.format),
        ("# Slide 1\n\nflat\n", Format::Odp)
    );
    assert_eq!(document.metadata.title.as_deref(), Some("Plans"));
    assert!(load_damaged(flat.as_bytes(), "a.fodp", 200) < 200);
}

#[test]
fn a_presentation_without_slides_has_no_text() {
    let document = load("");
    assert_eq!(
        (document.text.as_str(), document.metadata.page_count),
        ("", Some(0))
    );
}

#[test]
fn encrypted_and_damaged_presentations_are_refused() {
    let manifest = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    let bytes = pack(&[
        MIMETYPE,
        ("META-INF/manifest.xml", manifest),
        ("content.xml", "x"),
    ]);
    assert!(matches!(
        load_error(&bytes, "a.odp"),
        Error::Encrypted { .. }
    ));
    let cut = content(&page("dp1", "<draw:frame>"));
    let bytes = pack(&[MIMETYPE, ("content.xml", &cut)]);
    assert!(matches!(load_error(&bytes, "a.odp"), Error::Parse { .. }));
    assert!(load_damaged(&with_all(), "a.odp", 200) < 200);
}

#[test]
fn groups_in_a_thousand_groups_and_cells_that_repeat_stay_within_limits() {
    let nested =
        "<draw:g>".repeat(1_000) + &shape("1cm", "1cm", "deep") + &"</draw:g>".repeat(1_000);
    assert_eq!(load(&page("dp1", &nested)).text, "# Slide 1\n\ndeep\n");
    let nested = "<draw:g>".repeat(9_000) + &"</draw:g>".repeat(9_000);
    let error = load_error(&packed(&page("dp1", &nested)), "a.odp");
    assert!(matches!(error, Error::LimitExceeded { .. }), "{error:?}");
    let table = "<draw:frame><table:table><table:table-row table:number-rows-repeated='900000'><table:table-cell \
        table:number-columns-repeated='900000'><text:p>x</text:p></table:table-cell></table:table-row></table:table></draw:frame>";
    let limits = Limits {
        inflated_bytes: 1 << 20,
        ..Limits::default()
    };
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    let bytes = packed(&page("dp1", &table.repeat(20)));
    let loader = FileLoader::default().with_options(options);
    let error = loader.load_bytes(&bytes, Path::new("a.odp")).unwrap_err();
    assert!(matches!(error, Error::LimitExceeded { .. }), "{error:?}");
}
