//! Headings of documents whose styles name none, or too many.

use std::path::Path;

use sectile_load::load_bytes;

use crate::support::pack;

const PROSE: &str =
    "The supplier delivers the goods to the address that the customer names in the order.";

/// Makes a paragraph of Word of properties, of those of its run, and of a text.
fn word(properties: &str, run: &str, text: &str) -> String {
    format!(
        "<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"
    )
}

fn bold(text: &str) -> String {
    word("", "<w:b/>", text)
}

fn prose() -> String {
    word("", "", PROSE).repeat(6)
}

/// Returns the levels and titles of the headings of a Word document.
fn outline(body: &str) -> Vec<(u8, String)> {
    let space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let main = format!("<w:document xmlns:w='{space}'><w:body>{body}</w:body></w:document>");
    let styles = "<w:styles><w:style w:styleId='t1'><w:name w:val='toc 1'/></w:style>\
        <w:style w:styleId='t2'><w:name w:val='toc 2'/></w:style></w:styles>";
    let relationships = "<Relationships><Relationship Id='s' Target='styles.xml' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles'/></Relationships>";
    let bytes = pack(&[
        ("word/document.xml", &main),
        ("word/styles.xml", styles),
        ("word/_rels/document.xml.rels", relationships),
    ]);
    headings(&bytes, "a.docx")
}

fn check(body: &str, expected: &[(u8, &str)]) {
    let found = outline(body);
    let found: Vec<(u8, &str)> = found
        .iter()
        .map(|(level, title)| (*level, title.as_str()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn clauses_with_an_outline_level_are_no_headings() {
    let level = "<w:outlineLvl w:val='6'/>";
    let clause = |number: u32| word(level, "", &format!("2.{number}. {PROSE}"));
    let clauses = [1, 2, 3].map(clause).concat();
    let body = [
        bold("AGREEMENT No. ____"),
        bold("1. Subject"),
        prose(),
        word(level, "<w:b/>", "2. Delivery"),
        clauses,
        bold("3. Price:"),
        prose(),
    ]
    .concat();
    check(
        &body,
        &[(1, "1. Subject"), (1, "2. Delivery"), (1, "3. Price:")],
    );
}

#[test]
fn long_sentences_in_the_style_of_a_heading_are_text() {
    let long = format!("{PROSE} {PROSE}");
    let heading = |text: &str| word("<w:pStyle w:val='Heading1'/>", "", text);
    let body = [heading("One"), heading(&long), heading("Two"), prose()].concat();
    check(&body, &[(1, "One"), (1, "Two")]);
}

#[test]
fn the_table_of_contents_leads_to_the_headings() {
    let entry = |style: &str, place: &str, text: &str| {
        format!(
            "<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr><w:hyperlink w:anchor='{place}'><w:r><w:t>{text} 4</w:t></w:r>\
             </w:hyperlink></w:p>"
        )
    };
    let target = |place: &str, text: &str| {
        format!(
            "<w:p><w:bookmarkStart w:id='0' w:name='{place}'/><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body = [
        entry("t1", "_Toc1", "Purpose"),
        entry("t2", "_Toc2", "Limits"),
        entry("t1", "_Toc3", "Method"),
        // A cross-reference.
        entry("Normal", "_Toc2", "As said in Limits"),
        target("_Toc1", "Purpose"),
        target("_Toc2", "Limits"),
        prose(),
        target("_Toc3", "Method"),
        prose(),
        target("_Toc4", "Nowhere"),
    ]
    .concat();
    check(&body, &[(1, "Purpose"), (2, "Limits"), (1, "Method")]);
}

#[test]
fn lines_that_look_alike_are_headings() {
    let large = |text: &str| word("", "<w:b/><w:sz w:val='32'/>", text);
    let body = [
        bold("A cover"),
        bold("of a report"),
        large("Introduction"),
        prose(),
        bold("Aim"),
        prose(),
        large("Results"),
        prose(),
        bold("First year"),
        prose(),
        bold("Second year"),
        prose(),
        large("Outlook"),
        prose(),
        bold("Figure 1"),
        bold("Ann Example, Director"),
    ]
    .concat();
    let expected = [
        (1, "Introduction"),
        (2, "Aim"),
        (1, "Results"),
        (2, "First year"),
        (2, "Second year"),
        (1, "Outlook"),
    ];
    check(&body, &expected);
}

#[test]
fn numbers_give_the_levels() {
    let body = [
        word("", "", "PREFACE"),
        prose(),
        bold("1. Scope"),
        bold("1.1 Aim"),
        prose(),
        bold("1.2 Terms"),
        prose(),
        bold("2. Use"),
        prose(),
        bold("3. Limits"),
        prose(),
    ]
    .concat();
    let expected = [
        (1, "1. Scope"),
        (2, "1.1 Aim"),
        (2, "1.2 Terms"),
        (1, "2. Use"),
        (1, "3. Limits"),
    ];
    check(&body, &expected);
}

#[test]
fn single_letters_go_on_with_a_series_of_letters() {
    let letters = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"];
    let lines = letters.map(|letter| format!("{letter}. Lot {letter}"));
    let body = lines.each_ref().map(|line| bold(line) + &prose()).concat();
    let expected = lines.each_ref().map(|line| (1, line.as_str()));
    check(&body, &expected);
    let romans = ["I. Scope", "II. Use", "III. Limits", "IV. Terms", "V. End"];
    let body = romans.map(|line| bold(line) + &prose()).concat();
    check(&body, &romans.map(|line| (1, line)));
}

#[test]
fn bold_lines_that_are_many_or_no_titles_are_text() {
    let terms: String = ["Apple", "Pear", "Plum", "Fig"]
        .map(|term| bold(term) + &word("", "", PROSE))
        .concat();
    check(&terms, &[]);
    let sentences = [
        "Please note.",
        "mind the gap",
        "Tel. 030 123456",
        "See a@b.example",
    ]
    .map(bold);
    check(&sentences.map(|line| line + &prose()).concat(), &[]);
    let cells = ["One", "Two", "Three"]
        .map(|text| format!("<w:tr><w:tc>{}</w:tc><w:tc/></w:tr>", bold(text)));
    check(
        &format!("{}<w:tbl>{}</w:tbl>{}", prose(), cells.concat(), prose()),
        &[],
    );
    let named = [
        word("<w:pStyle w:val='Heading1'/>", "", "A"),
        word("<w:pStyle w:val='Heading1'/>", "", "B"),
    ];
    let bolds = ["One", "Two", "Three"].map(|line| bold(line) + &prose());
    check(&(named.concat() + &bolds.concat()), &[(1, "A"), (1, "B")]);
}

/// Returns the levels and titles of the headings of a document.
fn headings(bytes: &[u8], name: &str) -> Vec<(u8, String)> {
    let document = load_bytes(bytes, Path::new(name)).unwrap();
    let headings = document.outline.into_iter();
    headings
        .map(|heading| (heading.level, heading.title))
        .collect()
}

/// Returns the levels and titles of the headings of an OpenDocument text.
#[cfg(feature = "odt")]
fn open_document_outline(styles: &str, body: &str) -> Vec<(u8, String)> {
    let content = format!(
        "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles><office:body>\
         <office:text>{body}</office:text></office:body></office:document-content>"
    );
    let mimetype = ("mimetype", "application/vnd.oasis.opendocument.text");
    headings(&pack(&[mimetype, ("content.xml", &content)]), "a.odt")
}

#[cfg(feature = "odt")]
#[test]
fn bold_numbers_and_defaults_make_no_other_style_bold() {
    let bold = "<style:text-properties fo:font-weight='bold'/>";
    let line = |text: &str| {
        let prose = format!("<text:p>{PROSE}</text:p>").repeat(6);
        format!("<text:p text:style-name='T'>{text}</text:p>{prose}")
    };
    let body = ["Scope", "Use", "Limits"].map(line).concat();
    for other in [
        format!(
            "<text:outline-style style:name='Outline'><text:outline-level-style text:level='1' style:num-format='1'>\
             {bold}</text:outline-level-style></text:outline-style>"
        ),
        format!("<style:default-style style:family='paragraph'>{bold}</style:default-style>"),
        format!(
            "<text:list-style style:name='T'><text:list-level-style-number text:level='1' style:num-format='1'>{bold}\
             </text:list-level-style-number></text:list-style>"
        ),
    ] {
        let styles = format!("<style:style style:name='T' style:family='paragraph'/>{other}");
        let found = open_document_outline(&styles, &body);
        assert!(found.is_empty(), "{other}");
    }
    let styles =
        format!("<style:style style:name='T' style:family='paragraph'>{bold}</style:style>");
    assert_eq!(open_document_outline(&styles, &body).len(), 3);
}

#[cfg(feature = "odt")]
#[test]
fn bold_lines_of_an_opendocument_text_are_headings() {
    let styles = "<style:style style:name='B' style:family='paragraph'><style:text-properties fo:font-weight='bold' \
        fo:font-size='14pt'/></style:style><style:style style:name='T' style:family='text'>\
        <style:text-properties fo:font-weight='bold'/></style:style>";
    let prose = format!("<text:p>{PROSE}</text:p>").repeat(6);
    let body = [
        "<text:p text:style-name='B'>1. Scope</text:p>",
        &prose,
        "<text:p><text:span text:style-name='T'>1.1 Aim</text:span></text:p>",
        &prose,
        "<text:p text:style-name='B'>2. Use</text:p>",
        &prose,
        "<text:p text:style-name='B'>3. Limits</text:p>",
        &prose,
        "<text:p><text:span text:style-name='T'>Not</text:span> all of it</text:p>",
        &prose,
    ]
    .concat();
    let found = open_document_outline(styles, &body);
    let expected = [
        (1, "1. Scope"),
        (2, "1.1 Aim"),
        (1, "2. Use"),
        (1, "3. Limits"),
    ];
    assert_eq!(
        found,
        expected.map(|(level, title)| (level, title.to_owned()))
    );
}

#[cfg(feature = "rtf")]
#[test]
fn bold_lines_of_a_rich_text_are_headings() {
    let prose = format!("\\pard {PROSE}\\par\n").repeat(6);
    let heading = |text: &str| format!("\\pard {{\\b {text}}}\\par\n{prose}");
    let lines = ["Scope", "Use", "Limits"].map(heading).concat();
    let bytes = format!("{{\\rtf1\\ansi {lines}\\pard {{\\b Not}} all of it\\par {prose}}}");
    let found = headings(bytes.as_bytes(), "a.rtf");
    let expected = ["Scope", "Use", "Limits"].map(|title| (1, title.to_owned()));
    assert_eq!(found, expected);
}
