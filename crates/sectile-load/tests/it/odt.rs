//! OpenDocument text documents.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{DocxOptions, Error, FileLoader, LoadOptions, load_bytes, omissions};

use crate::support::{load_damaged, load_error, outline, pack};

pub(crate) const MIMETYPE: (&str, &str) = ("mimetype", "application/vnd.oasis.opendocument.text");

const STYLES: &str = "<text:list-style style:name='L1'>\
    <text:list-level-style-number text:level='1' style:num-format='1' text:start-value='3'/>\
    <text:list-level-style-bullet text:level='2'/></text:list-style>";

pub(crate) fn content(body: &str) -> String {
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
fn readings_above_characters_are_counted() {
    let ruby = "<text:ruby><text:ruby-base>猫</text:ruby-base><text:ruby-text>ねこ</text:ruby-text></text:ruby>";
    let document = load(&format!("<text:p>{ruby}と{ruby}</text:p>"));
    assert_eq!(document.text, "猫と猫\n");
    assert_eq!(
        omissions(&document.metadata),
        ["2 ruby annotations are left out"]
    );
}

#[test]
fn controls_of_forms_show_their_values() {
    let control = |id: &str, anchor: &str| {
        format!("<draw:control text:anchor-type='{anchor}' draw:control='{id}'/>")
    };
    let forms = "<office:forms><form:form><form:text form:id='a' form:value='none' form:current-value='Ann Lee'/>\
        <form:checkbox xml:id='b' form:label='I agree' form:current-state='checked'/>\
        <form:radio form:id='c' form:label='By post'/><form:textarea form:id='d'><text:p>Two</text:p></form:textarea>\
        <form:listbox form:id='e'><form:option form:label='Red'/><form:option form:label='Blue' \
        form:current-selected='true'/></form:listbox><form:password form:id='f' form:current-value='x'/></form:form>\
        </office:forms>";
    let body = format!(
        "{forms}<text:p>Name: {}, <text:meta>marked</text:meta></text:p><text:p>Terms{}{}</text:p><text:p>{}{}</text:p>",
        control("a", "as-char"),
        control("b", "paragraph"),
        control("c", "paragraph"),
        control("e", "as-char"),
        control("f", "as-char"),
    );
    let expected = "Two\n\nName: Ann Lee, marked\n\nTerms\n\n☒ I agree\n\n☐ By post\n\nBlue\n";
    check(&(control("d", "page") + &body), expected);
    // A file may name a long value very often.
    let again = control("a", "as-char").repeat(1_000);
    check(&(body + "<text:p>" + &again + "</text:p>"), &expected[5..]);
}

#[test]
fn headers_and_footers_are_read_on_request() {
    let styles = "<office:document-styles><office:master-styles><style:master-page>\
        <style:header><text:p>Mill<text:tab/>Ltd</text:p><draw:frame><svg:desc>no</svg:desc></draw:frame></style:header>\
        <style:header-left style:display='false'><text:p>hidden</text:p></style:header-left>\
        <style:footer><text:p><text:page-number>1</text:page-number></text:p><text:p>Confidential</text:p></style:footer>\
        </style:master-page></office:master-styles></office:document-styles>";
    let note = "<text:note><text:note-body><text:p>Why</text:p></text:note-body></text:note>";
    let body = content(&format!("<text:p>Body{note}</text:p>"));
    let bytes = pack(&[MIMETYPE, ("content.xml", &body), ("styles.xml", styles)]);
    let document = load_bytes(&bytes, Path::new("a.odt")).unwrap();
    assert_eq!(document.text, "Body[^1]\n\n[^1]: Why\n");
    assert_eq!(
        document.metadata.extra["running_lines"],
        serde_json::json!(["Mill Ltd", "Confidential"])
    );
    let docx = DocxOptions {
        headers_and_footers: true,
        ..DocxOptions::default()
    };
    let options = LoadOptions {
        docx,
        ..LoadOptions::default()
    };
    let whole = FileLoader::new(options).load_bytes(&bytes, Path::new("a.odt"));
    let whole = whole.unwrap();
    assert_eq!(
        whole.text,
        "Mill Ltd\n\nBody[^1]\n\n1\n\nConfidential\n\n[^1]: Why\n"
    );
    assert!(!whole.metadata.extra.contains_key("running_lines"));
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
fn the_title_is_a_heading() {
    check(
        "<text:p text:style-name='Title'>Tides</text:p>\
         <text:p text:style-name='Subtitle'>Of the sea</text:p>",
        "# Tides\n\nOf the sea\n",
    );
    let styles = "<office:document-styles><style:style style:name='P2' style:parent-style-name='Title'/>\
        </office:document-styles>";
    let content = content("<text:p text:style-name='P2'>Tides</text:p>");
    let bytes = pack(&[MIMETYPE, ("styles.xml", styles), ("content.xml", &content)]);
    let document = load_bytes(&bytes, Path::new("a.odt")).unwrap();
    assert_eq!(document.text, "# Tides\n");
}

#[test]
fn code_keeps_its_lines_and_indents() {
    let line =
        |text: &str| format!("<text:p text:style-name='Preformatted_20_Text'>{text}</text:p>");
    let body = [
        line("if a:"),
        line("<text:s text:c='4'/>b"),
        line(""),
        line("c"),
        "<text:p>Words.</text:p>".into(),
    ];
    check(&body.concat(), "```\nif a:\n    b\n\nc\n```\n\nWords.\n");
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
fn numbers_of_headings_and_items_are_as_shown_and_digits_are_raised() {
    let styles = "<text:outline-style><text:outline-level-style text:level='1' style:num-format='I' \
        style:num-prefix='Article ' style:num-suffix='.'/><text:outline-level-style text:level='2' \
        style:num-format='1' text:display-levels='2'/><text:outline-level-style text:level='3' style:num-format=''/>\
        </text:outline-style><text:list-style style:name='L2'><text:list-level-style-number text:level='1' \
        style:num-format='1' style:num-suffix='.'/><text:list-level-style-number text:level='2' \
        style:num-format='a' style:num-prefix='(' style:num-suffix=')'/><text:list-level-style-number text:level='3' \
        style:num-format='1' text:display-levels='3'/></text:list-style>\
        <style:style style:name='Up'><style:text-properties style:text-position='super 58%'/></style:style>\
        <style:style style:name='T1' style:parent-style-name='Up'/>\
        <style:style style:name='T2'><style:text-properties style:text-position='-33% 58%'/></style:style>";
    let heading =
        |level: u32, text: &str| format!("<text:h text:outline-level='{level}'>{text}</text:h>");
    let item = |text: &str| format!("<text:list-item>{text}</text:list-item>");
    let inner = "<text:list>".to_owned() + &item("<text:p>third</text:p>") + "</text:list>";
    let second = format!(
        "<text:list>{}</text:list>",
        item(&format!("<text:p>second</text:p>{inner}"))
    );
    let list = item(&format!("<text:p>first</text:p>{second}"));
    let body = [
        heading(1, "One"),
        heading(2, "Two"),
        heading(3, "Three"),
        heading(1, "Four"),
        format!("<text:list text:style-name='L2'>{list}</text:list>"),
        "<text:p>10<text:span text:style-name='T1'>6</text:span> log<text:span text:style-name='T2'>2</text:span>8 H<text:span text:style-name='T2'>2</text:span>O \
         1<text:span text:style-name='T1'>s</text:span><text:span text:style-name='T1'>t</text:span></text:p>"
            .into(),
    ]
    .concat();
    let content = content(&body);
    let styles = format!("<office:document-styles>{styles}</office:document-styles>");
    let bytes = pack(&[MIMETYPE, ("styles.xml", &styles), ("content.xml", &content)]);
    assert_eq!(
        load_bytes(&bytes, Path::new("a.odt")).unwrap().text,
        "# Article I. One\n\n## I.1 Two\n\n### Three\n\n# Article II. Four\n\n1. first\n    - (a) second\n\
         \u{20}       - 1.a.1 third\n\n10⁶ log₂8 H2O 1st\n"
    );
}

#[test]
fn headings_out_of_the_outline_have_no_number_and_do_not_count() {
    let styles = "<office:document-styles><text:outline-style style:name='Outline'><text:outline-level-style \
        text:level='1' style:num-format='1'/></text:outline-style>\
        <style:style style:name='Heading' style:list-style-name='Numbering_20_3'/>\
        <style:style style:name='H1' style:parent-style-name='Heading' style:default-outline-level='1'/>\
        <style:style style:name='Mine' style:parent-style-name='H1' style:list-style-name='L1'/>\
        <style:style style:name='Back' style:parent-style-name='Mine' style:list-style-name='Outline'/>\
        <style:style style:name='No' style:parent-style-name='H1' style:default-outline-level='' \
        style:list-style-name=''/><style:style style:name='P1' style:parent-style-name='No'/>\
        </office:document-styles>";
    let heading = |style: &str, text: &str| {
        format!("<text:h text:style-name='{style}' text:outline-level='1'>{text}</text:h>")
    };
    let in_list = |tag: &str, inner: &str| {
        format!("<text:list text:style-name='L1'><text:{tag}>{inner}</text:{tag}></text:list>")
    };
    let body = [
        heading("No", ""),
        heading("P1", "Preface"),
        heading("H1", "One"),
        heading("Mine", "Apart"),
        in_list("list-item", &heading("Mine", "Item")),
        in_list("list-header", &heading("H1", "Header")),
        heading("Back", "Two"),
        heading("Unknown", "Three"),
    ]
    .concat();
    let content = content(&body);
    let bytes = pack(&[MIMETYPE, ("styles.xml", styles), ("content.xml", &content)]);
    assert_eq!(
        load_bytes(&bytes, Path::new("a.odt")).unwrap().text,
        "# Preface\n\n# 1 One\n\n# Apart\n\n# 3 Item\n\n# Header\n\n# 2 Two\n\n# 3 Three\n"
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
fn a_table_of_one_column_with_headings_lays_out_its_text() {
    let row = |title: &str| {
        format!(
            "<table:table-row><table:table-cell><text:h text:outline-level='1'>{title}</text:h>\
             <text:p>text</text:p></table:table-cell></table:table-row>"
        )
    };
    check(
        &format!("<table:table>{}{}</table:table>", row("One"), row("Two")),
        "# One\n\ntext\n\n# Two\n\ntext\n",
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
fn cells_that_repeat_too_often_are_counted() {
    let body = "<table:table><table:table-row><table:table-cell table:number-columns-repeated='100100'>\
        <text:p>x</text:p></table:table-cell></table:table-row></table:table>";
    let document = load(body);
    assert_eq!(document.metadata.extra["repeats_left_out"], 99);
    let said = omissions(&document.metadata);
    assert_eq!(said, ["cells that repeat too often are left out 99 times"]);
    let body = "<table:table><table:table-row><table:table-cell table:number-columns-repeated='300'>\
        <text:p>x</text:p></table:table-cell></table:table-row></table:table>";
    assert_eq!(load(body).text.matches('x').count(), 300);
}

/// A chart as `LibreOffice` writes it, with the numbers that it shows.
const CHART: &str = "<office:document-content><office:body><office:chart><chart:chart><chart:title>\
    <text:p>Sales</text:p></chart:title><table:table table:name='local-table'><table:table-header-rows>\
    <table:table-row><table:table-cell><text:p/></table:table-cell><table:table-cell><text:p>East</text:p>\
    </table:table-cell></table:table-row></table:table-header-rows><table:table-rows><table:table-row>\
    <table:table-cell><text:p>Q1</text:p></table:table-cell><table:table-cell><text:p>7</text:p><draw:g>\
    <svg:desc>Sheet1.A1</svg:desc></draw:g></table:table-cell></table:table-row></table:table-rows>\
    </table:table></chart:chart></office:chart></office:body></office:document-content>";

const MATH: &str = "<math><semantics><mrow/><annotation encoding='StarMath 5.0'>a over b</annotation></semantics></math>";

fn frame(object: &str) -> String {
    format!("<draw:frame><draw:{object}/></draw:frame>")
}

/// A document with a chart, a formula and an object of another program.
pub(crate) fn with_objects() -> Vec<u8> {
    let body = format!(
        "<text:p>before{}{}{}</text:p>",
        frame("object xlink:href='./Object 1'"),
        frame("object xlink:href='./Object 2'"),
        frame("object-ole xlink:href='./Object 3'")
    );
    pack(&[
        MIMETYPE,
        ("content.xml", &content(&body)),
        ("Object 1/content.xml", CHART),
        ("Object 2/content.xml", MATH),
    ])
}

#[test]
fn charts_and_formulas_are_read_and_other_objects_named() {
    let document = load_bytes(&with_objects(), Path::new("a.odt")).unwrap();
    let expected = "beforea over b\n\nChart: Sales\n\n|  | East |\n| --- | --- |\n| Q1 | 7 |\n";
    assert_eq!(document.text, expected);
    let said = omissions(&document.metadata);
    assert_eq!(said, ["the part Object 3 cannot be read within the file"]);
}

/// One half and ten to the minus third, as `LibreOffice` writes it.
const SUM: &str = "<math display='block'><semantics><mrow><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>+</mo><msup><mn>1&#48;</mn>\
    <mrow><mo>−</mo><mn>3</mn></mrow></msup></mrow><annotation encoding='StarMath 5.0'>1 over 2 + 10^{-3}</annotation>\
    </semantics></math>";

#[test]
fn formulas_are_tex() {
    let body = format!(
        "<text:p>Dose {} g.</text:p>",
        frame("object xlink:href='./Object 1'")
    );
    let packed = pack(&[
        MIMETYPE,
        ("content.xml", &content(&body)),
        ("Object 1/content.xml", SUM),
    ]);
    let expected = "Dose $\\frac{1}{2}+{10}^{-3}$ g.\n";
    let document = load_bytes(&packed, Path::new("a.odt")).unwrap();
    assert_eq!(document.text, expected);
    // In a file of one part the formula stands where it is shown.
    check(
        &format!(
            "<text:p>Dose <draw:frame><draw:object>{SUM}</draw:object></draw:frame> g.</text:p>"
        ),
        expected,
    );
}

/// A sheet with shapes and a chart, in one XML file.
fn flat_sheet() -> String {
    let cell = "<table:table-cell office:value-type='float' office:value='5'><text:p>5</text:p>\
        <draw:custom-shape><text:p>in a cell</text:p></draw:custom-shape></table:table-cell>";
    let shapes = format!(
        "<table:shapes><draw:frame><draw:text-box><text:p>on the <text:span>sheet</text:span></text:p>\
         </draw:text-box></draw:frame>{}</table:shapes>",
        frame("object xlink:href='./Object 1'")
    );
    format!(
        "<office:document><office:body><office:spreadsheet><table:table table:name='One'>{shapes}\
         <table:table-row>{cell}</table:table-row></table:table></office:spreadsheet></office:body></office:document>"
    )
}

/// The same sheet in an archive.
pub(crate) fn sheet_with_shapes() -> Vec<u8> {
    let sheet = flat_sheet();
    let mimetype = ("mimetype", "application/vnd.oasis.opendocument.spreadsheet");
    let parts = [
        mimetype,
        ("content.xml", &*sheet),
        ("Object 1/content.xml", CHART),
    ];
    pack(&parts)
}

#[test]
fn raised_digits_of_a_cell_are_superscript_characters() {
    let sheet = "<office:document><office:automatic-styles><style:style style:name='T1'>\
        <style:text-properties style:text-position='33% 58%'/></style:style></office:automatic-styles><office:body>\
        <office:spreadsheet><table:table table:name='One'><table:table-row><table:table-cell office:value-type='string'>\
        <text:p>m<text:span text:style-name='T1'>2</text:span> a<text:span>3</text:span></text:p></table:table-cell>\
        </table:table-row></table:table></office:spreadsheet></office:body></office:document>";
    let document = load_bytes(sheet.as_bytes(), Path::new("a.fods")).unwrap();
    assert_eq!(document.text, "# One\n\n| m² a3 |\n| --- |\n");
}

#[test]
fn shapes_and_charts_on_a_sheet_are_read() {
    let document = load_bytes(&sheet_with_shapes(), Path::new("a.ods")).unwrap();
    let expected = "# One\n\n| 5 |\n| --- |\n\non the sheet\n\nChart: Sales\n\n|  | East |\n| --- | --- |\n\
        | Q1 | 7 |\n\nin a cell\n";
    assert_eq!(document.text, expected);
    let flat = load_bytes(flat_sheet().as_bytes(), Path::new("a.fods")).unwrap();
    assert!(
        flat.text.ends_with("on the sheet\n\nin a cell\n"),
        "{}",
        flat.text
    );
}

#[test]
fn notes_changes_and_text_boxes_are_read() {
    let body = "<text:tracked-changes><text:deletion><text:p>gone</text:p></text:deletion></text:tracked-changes>\
        <text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>why</text:p>\
        </text:note-body></text:note><office:annotation><dc:creator>Al</dc:creator><text:p>hm</text:p>\
        </office:annotation> b<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box><svg:title>t</svg:title>\
        </draw:frame></text:p>";
    check(body, "a[^1] b\n\nbox\n\n[^1]: why\n");
    let document = load_bytes(&packed(body), Path::new("a.odt")).unwrap();
    assert_eq!(document.metadata.extra["comments_left_out"], 1);
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

#[test]
fn tracked_deletions_are_counted() {
    let body = "<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>Al</dc:creator>\
        </office:change-info><text:p>gone</text:p></text:deletion></text:changed-region><text:changed-region>\
        <text:insertion><office:change-info><dc:creator>Al</dc:creator></office:change-info></text:insertion>\
        </text:changed-region></text:tracked-changes><text:p>kept</text:p>";
    let document = load(body);
    assert_eq!(document.text, "kept\n");
    assert_eq!(document.metadata.extra["deletions_left_out"], 1);
    assert_eq!(
        omissions(&document.metadata),
        ["1 tracked deletion is left out, as if it was accepted"]
    );
}

#[test]
fn files_that_sections_show_without_a_copy_are_named() {
    let section = |file: &str, content: &str| {
        format!("<text:section><text:section-source xlink:href='{file}'/>{content}</text:section>")
    };
    let inner = section("inner.odt", "");
    let body = [
        section("copied.odt", "<text:p>copied</text:p>"),
        section("missing.odt", "<text:p/>"),
        section("", ""),
        section("outer.odt", &format!("<text:p>around</text:p>{inner}")),
        "<text:section><text:p>own</text:p></text:section>".to_owned(),
    ];
    let document = load(&body.concat());
    assert_eq!(document.text, "copied\n\naround\n\nown\n");
    let expected = serde_json::json!(["missing.odt", "inner.odt"]);
    assert_eq!(document.metadata.extra["not_followed"], expected);
}
