//! Tests of what is said of the text that is missing.

use serde_json::json;

use super::*;

#[test]
fn files_that_are_included_are_named() {
    let mut metadata = Metadata::default();
    metadata
        .extra
        .insert(NOT_FOLLOWED.into(), json!(["a.rst", "b.rst"]));
    assert_eq!(
        omissions(&metadata),
        ["a.rst, b.rst, which it includes, are not part of the text"]
    );
}

#[test]
fn characters_that_could_not_be_read_are_counted() {
    let said = |name: &str, count: u64| {
        let mut metadata = Metadata::default();
        metadata.extra.insert(name.into(), count.into());
        omissions(&metadata).concat()
    };
    for (name, count, expected) in [
        ("replaced_characters", 0, ""),
        ("replaced_characters", 1, "1 character could not be read"),
        ("replaced_characters", 2, "2 characters could not be read"),
        (
            "unresolved_entities",
            3,
            "3 references to entities are written as their names",
        ),
    ] {
        assert_eq!(said(name, count), expected);
    }
}

#[test]
fn a_fence_that_hides_headings_is_said_with_its_line() {
    let said = |headings: u64| {
        let mut metadata = Metadata::default();
        let fence = json!({"line": 3, "headings": headings});
        metadata.extra.insert(UNCLOSED_FENCE.into(), fence);
        omissions(&metadata).concat()
    };
    assert_eq!(
        said(1),
        "nothing closes the code fence in line 3, so that 1 heading below it is code"
    );
    assert!(said(2).ends_with("2 headings below it are code"));
}

#[test]
fn a_document_without_text_is_said_where_nothing_else_tells_why() {
    let mut metadata = Metadata::default();
    metadata.extra.insert(WITHOUT_TEXT.into(), true.into());
    assert_eq!(
        omissions(&metadata),
        ["it holds no text outside of pictures, objects, and the heads and feet of pages"]
    );
    metadata.extra.insert(CUT_OFF.into(), true.into());
    assert_eq!(omissions(&metadata), ["the file ends before its text does"]);
}

#[test]
fn pages_and_letters_are_counted() {
    let mut metadata = Metadata::default();
    metadata.extra.insert(FAILED_PAGES.into(), json!([7]));
    metadata.extra.insert(CUT_OFF_PAGES.into(), json!([8]));
    metadata.extra.insert(DAMAGED_PAGES.into(), json!([6]));
    metadata.extra.insert(MISSING_PAGES.into(), json!(2));
    let part = json!(["xl/worksheets/sheet1.xml"]);
    metadata.extra.insert(DAMAGED_PARTS.into(), part);
    let many: Vec<u32> = (1..=14).collect();
    metadata
        .extra
        .insert(PAGES_WITHOUT_TEXT.into(), many.into());
    metadata
        .extra
        .insert(PAGES_WITH_LITTLE_TEXT.into(), json!([15]));
    metadata
        .extra
        .insert(UNMAPPED_LETTERS.into(), json!({"10": 1, "9": 40}));
    assert_eq!(
        omissions(&metadata),
        [
            "page 7 could not be read",
            "2 pages that the file lists cannot be found",
            "page 8 was read in part: it exceeds a page's limits",
            "page 6 has damaged content, of which parts may be missing",
            "pages 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 others hold pictures and no text, as scanned \
             pages do; `ocr` recognizes it",
            "page 15 is mostly a picture with little text beside, as scanned pages are; `ocr` recognizes it",
            "the part xl/worksheets/sheet1.xml could not be read, or not to the end",
            "41 letters on pages 9, 10 cannot be read, as their fonts do not say what they mean",
        ]
    );
}

#[test]
fn pages_beyond_the_limits_are_named() {
    let mut metadata = Metadata::default();
    metadata.extra.insert(CUT_OFF_PAGES.into(), json!([8, 9]));
    assert_eq!(
        omissions(&metadata),
        ["pages 8, 9 were read in part: they exceed a page's limits"]
    );
}

#[test]
fn many_words_of_the_text_that_was_not_read_are_counted() {
    let check = |words: u64, expected: &[&str]| {
        let mut metadata = Metadata::default();
        metadata
            .extra
            .insert(ALTERNATIVE_WORDS_LEFT_OUT.into(), words.into());
        assert_eq!(omissions(&metadata), expected);
    };
    check(29, &[]);
    check(
        30,
        &["30 words are left out: they are only in the plain text or the HTML that was not read"],
    );
}

#[test]
fn words_in_forms_are_said_where_they_are_many_beside_the_text() {
    let check = |forms: u64, main: u64, expected: &[&str]| {
        let mut metadata = Metadata::default();
        let extra = &mut metadata.extra;
        extra.insert(LEFT_OUT_WORDS.into(), json!({ "forms": forms }));
        extra.insert(MAIN_PART_WORDS.into(), main.into());
        assert_eq!(omissions(&metadata), expected);
    };
    let said = ["131 words in forms are left out; `whole_page` keeps them"];
    check(131, 400, &said);
    check(131, 4_000, &[]);
    check(20, 10, &[]);
}

#[test]
fn attachments_and_lines_are_named() {
    let mut metadata = Metadata::default();
    let extra = &mut metadata.extra;
    let picture = json!({"name": "a.png", "reason": "it is a picture"});
    extra.insert(ATTACHMENTS_NOT_READ.into(), vec![picture; 13].into());
    let partly = json!([{"name": "b.pdf", "missing": ["page 2 could not be read"]}]);
    extra.insert(ATTACHMENTS_PARTLY_READ.into(), partly);
    extra.insert(ENCRYPTED_PARTS.into(), json!(["smime.p7m"]));
    extra.insert(DAMAGED_LINES.into(), json!([3]));
    let said = omissions(&metadata);
    assert_eq!(said.len(), 16);
    assert_eq!(
        said[0],
        "the attachment a.png was not loaded: it is a picture"
    );
    assert_eq!(
        said[12..],
        [
            "1 other attachment was not loaded",
            "of the attachment b.pdf, page 2 could not be read",
            "1 part of the message is encrypted",
            "line 3 is not JSON",
        ]
    );
}
