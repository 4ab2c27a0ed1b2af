//! Text that OpenDocument files do not show.

use std::path::Path;

use sectile_core::Document;
use sectile_load::{DocxOptions, FileLoader, LoadOptions, load_bytes, omissions};

use crate::odt::MIMETYPE;
use crate::support::pack;

/// The styles that hide text, and one that shows it within.
const STYLES: &str = "<style:style style:name='gone' style:family='paragraph'><style:text-properties text:display='none'/>\
    </style:style><style:style style:name='below' style:family='paragraph' style:parent-style-name='gone'/>\
    <style:style style:name='gone' style:family='text'><style:text-properties text:display='none'/></style:style>\
    <style:style style:name='there' style:family='text'><style:text-properties text:display='true'/></style:style>\
    <style:style style:name='bold' style:family='text'><style:text-properties fo:font-weight='bold'/></style:style>";

fn packed(body: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:automatic-styles>{STYLES}</office:automatic-styles>\
         <office:body><office:text>{body}</office:text></office:body></office:document-content>"
    );
    pack(&[MIMETYPE, ("content.xml", &content)])
}

/// Checks what is shown of a body, and how many letters are not.
fn check(body: &str, shown: &str, hidden: u64) -> Document {
    let document = load_bytes(&packed(body), Path::new("a.odt")).unwrap();
    assert_eq!(document.text, shown, "{body}");
    let count = document.metadata.extra.get("hidden_letters_left_out");
    let count = count.and_then(serde_json::Value::as_u64);
    assert_eq!(count.unwrap_or_default(), hidden, "{body}");
    document
}

fn span(style: &str, text: &str) -> String {
    format!("<text:span text:style-name='{style}'>{text}</text:span>")
}

#[test]
fn hidden_words_and_paragraphs_are_left_out_and_counted() {
    let document = check(
        &format!("<text:p>One {}two</text:p>", span("gone", "no<text:s/>no ")),
        "One two\n",
        4,
    );
    assert_eq!(
        omissions(&document.metadata),
        ["4 letters of hidden text are left out"]
    );
    let paragraph =
        |style: &str, text: &str| format!("<text:p text:style-name='{style}'>{text}</text:p>");
    check(&paragraph("gone", "no"), "", 2);
    check(
        &format!("{}<text:p>a</text:p>", paragraph("below", "no")),
        "a\n",
        2,
    );
    check(
        "<text:h text:style-name='gone' text:outline-level='1'>no</text:h><text:p>a</text:p>",
        "a\n",
        2,
    );
    let mixed = format!("no{}", span("there", &format!("a{}", span("bold", "b"))));
    check(&paragraph("gone", &mixed), "ab\n", 2);
    let bold = span("gone", &format!("no{}", span("bold", "no")));
    check(&format!("<text:p>a{bold}c</text:p>"), "ac\n", 4);
}

#[test]
fn hidden_sections_are_left_out_and_counted() {
    let section = |attributes: &str| {
        format!(
            "<text:section {attributes}><text:h text:outline-level='1'>Head</text:h><text:list><text:list-item>\
             <text:p>item</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell>\
             <text:p>cell</text:p></table:table-cell></table:table-row></table:table></text:section><text:p>a</text:p>"
        )
    };
    let shown = "# Head\n\n- item\n\ncell\n\na\n";
    check(&section("text:display='none'"), "a\n", 12);
    check(&section("text:display='true'"), shown, 0);
    let condition = "text:display='condition' text:condition='ooow:x'";
    check(&section(condition), shown, 0);
    let is_met = format!("{condition} text:is-hidden='true'");
    check(&section(&is_met), "a\n", 12);
}

#[test]
fn fields_hide_their_text_and_their_paragraph_where_a_condition_is_met() {
    let field = |is_hidden: &str, text: &str| {
        format!(
            "<text:hidden-text text:condition='x' text:string-value='words' text:is-hidden='{is_hidden}'>{text}\
             </text:hidden-text>"
        )
    };
    check(
        &format!("<text:p>a {}</text:p>", field("false", "words")),
        "a words\n",
        0,
    );
    check(
        &format!("<text:p>a {}</text:p>", field("true", "")),
        "a\n",
        5,
    );
    let paragraph = |is_hidden: &str| {
        let field =
            format!("<text:hidden-paragraph text:condition='x' text:is-hidden='{is_hidden}'/>");
        let inner = span("bold", &format!("no{field}no"));
        format!("<text:p>no {inner} no</text:p><text:p>a</text:p>")
    };
    check(&paragraph("true"), "a\n", 8);
    check(&paragraph("false"), "no nono no\n\na\n", 0);
}

#[test]
fn scripts_are_no_text_and_the_values_of_fields_may_be_hidden() {
    let body = "<text:p>a<text:script script:language='JavaScript'>alert(1)</text:script> \
        <text:variable-set text:display='none'>42</text:variable-set>\
        <text:variable-set text:display='value'>b</text:variable-set></text:p>";
    check(body, "a b\n", 2);
}

#[test]
fn files_that_frames_show_are_named() {
    let frame = "<draw:frame><draw:floating-frame xlink:href='plan.html'/></draw:frame>";
    let document = check(&format!("<text:p>a{frame}</text:p>"), "a\n", 0);
    assert_eq!(
        document.metadata.extra["not_followed"],
        serde_json::json!(["plan.html"])
    );
}

#[test]
fn what_stands_in_hidden_text_is_hidden() {
    let note = "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body>\
        </text:note>";
    let frame = "<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame>";
    let annotation =
        "<office:annotation><dc:creator>Al</dc:creator><text:p>said</text:p></office:annotation>";
    let link = "<text:a xlink:href='https://a.example'>link</text:a>";
    let hidden = span("gone", &format!("x{note}{frame}{annotation}{link}"));
    let body = format!("<text:p>a{hidden}{note}</text:p>");
    let document = check(&body, "a[^1]\n\n[^1]: note\n", 12);
    assert!(!document.metadata.extra.contains_key("comments_left_out"));
    let options = LoadOptions {
        docx: DocxOptions {
            comments: true,
            ..DocxOptions::default()
        },
        ..LoadOptions::default()
    };
    let loader = FileLoader::new(options);
    let text = loader.load_bytes(&packed(&body), Path::new("a.odt"));
    assert_eq!(text.unwrap().text, document.text);
}
