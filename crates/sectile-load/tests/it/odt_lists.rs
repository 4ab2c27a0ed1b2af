//! The numbers of lists in OpenDocument texts.

use std::path::Path;

use sectile_load::load_bytes;

use crate::odt::{MIMETYPE, content};
use crate::support::pack;

/// Checks the text of a document whose lists have the levels `1.`, `1.1` and `(a)`.
fn check_list(body: &str, expected: &str) {
    let styles = "<office:document-styles><text:list-style style:name='N'>\
        <text:list-level-style-number text:level='1' style:num-format='1' style:num-suffix='.'/>\
        <text:list-level-style-number text:level='2' style:num-format='1' text:display-levels='2'/></text:list-style>\
        <text:list-style style:name='Roman'><text:list-level-style-number text:level='1' style:num-format='I' \
        style:num-suffix='.'/></text:list-style>\
        <style:style style:name='Step' style:family='paragraph' style:list-style-name='Roman'/>\
        <style:style style:name='P1' style:family='paragraph' style:parent-style-name='Step'/>\
        <style:style style:name='P1' style:family='text' style:parent-style-name='None'/></office:document-styles>";
    let content = content(body);
    let bytes = pack(&[MIMETYPE, ("styles.xml", styles), ("content.xml", &content)]);
    let document = load_bytes(&bytes, Path::new("a.odt")).unwrap();
    assert_eq!(document.text, expected);
}

fn list(attributes: &str, items: &str) -> String {
    format!("<text:list {attributes}>{items}</text:list>")
}

fn item(attributes: &str, inside: &str) -> String {
    format!("<text:list-item {attributes}>{inside}</text:list-item>")
}

#[test]
fn lists_go_on_with_the_list_that_they_name() {
    let one = |text: &str| item("", &format!("<text:p>{text}</text:p>"));
    let body = [
        list("xml:id='a' text:style-name='N'", &(one("a") + &one("b"))),
        list("xml:id='b' text:style-name='N'", &one("other")),
        "<text:p>Between.</text:p>".into(),
        list(
            "xml:id='c' text:continue-list='a' text:style-name='N'",
            &one("c"),
        ),
        list("text:continue-list='c' text:style-name='N'", &one("d")),
        list("text:style-name='N'", &one("new")),
    ];
    check_list(
        &body.concat(),
        "1. a\n2. b\n1. other\n\nBetween.\n\n3. c\n4. d\n1. new\n",
    );
}

#[test]
fn a_list_that_goes_on_below_its_first_level_keeps_the_number_above() {
    let inner = list("", &item("", "<text:p>b</text:p>"));
    let body = [
        list(
            "text:style-name='N'",
            &item("", &format!("<text:p>a</text:p>{inner}")),
        ),
        "<text:p>Between.</text:p>".into(),
        list(
            "text:style-name='N' text:continue-numbering='true'",
            &(item("", &inner) + &item("", "<text:p>c</text:p>")),
        ),
    ];
    check_list(
        &body.concat(),
        "1. a\n    - 1.1 b\n\nBetween.\n\n- 1.2 b\n2. c\n",
    );
}

#[test]
fn items_may_have_a_style_and_a_number_of_their_own() {
    let body = list(
        "text:style-name='N'",
        &[
            item("", "<text:p>a</text:p>"),
            item("text:style-override='Roman'", "<text:p>b</text:p>"),
            item("text:start-value='7'", "<text:p>c</text:p>"),
            item("", "<text:p>d</text:p>"),
        ]
        .concat(),
    );
    check_list(&body, "1. a\n- II. b\n7. c\n8. d\n");
}

#[test]
fn items_of_a_list_without_a_style_have_that_of_their_paragraphs() {
    let items = item("", "<text:p text:style-name='P1'>a</text:p>");
    check_list(&list("", &items.repeat(2)), "- I. a\n- II. a\n");
}

#[test]
fn numbered_paragraphs_are_items() {
    let paragraph = |level: usize, text: &str| {
        format!(
            "<text:numbered-paragraph text:list-id='x' text:level='{level}' text:style-name='N'>\
             <text:number>?</text:number><text:p>{text}</text:p></text:numbered-paragraph>"
        )
    };
    let body = paragraph(1, "a") + &paragraph(2, "b") + &paragraph(1, "c");
    check_list(&body, "1. a\n    - 1.1 b\n2. c\n");
}

#[test]
fn numbers_for_programs_that_do_not_count_are_not_read_twice() {
    let number = "<text:number>1.</text:number>";
    let items = item("", &format!("{number}<text:p>a</text:p>"));
    let list = list("text:style-name='N'", &items);
    check_list(
        &format!("<text:h text:outline-level='1'>{number}Title</text:h>{list}"),
        "# Title\n\n1. a\n",
    );
    // A paragraph is open around a box.
    check_list(
        &format!(
            "<text:p>Text<draw:frame><draw:text-box>{list}</draw:text-box></draw:frame></text:p>"
        ),
        "Text\n\n1. a\n",
    );
}
