//! The properties that an organization adds to Office documents.

use std::path::Path;

use sectile_core::Metadata;
use sectile_load::load_bytes;
use serde_json::json;

use crate::support::pack;

const CUSTOM: &str = "<Properties xmlns:vt='vt'>\
    <property pid='2' name='Team'><vt:lpwstr>Docs &amp;\n Tools</vt:lpwstr></property>\
    <property pid='3' name='Approved'><vt:bool>true</vt:bool></property>\
    <property pid='4' name='Revision'><vt:i4>12</vt:i4></property>\
    <property pid='5' name='Due'><vt:filetime>2024-02-29T12:00:00Z</vt:filetime></property>\
    <property pid='6' name='Tags'><vt:vector><vt:lpstr>a</vt:lpstr> <vt:lpstr>b</vt:lpstr></vt:vector></property>\
    <property pid='7' name='Empty'><vt:lpwstr/></property>\
    <property pid='8' name='title'><vt:lpwstr>Another</vt:lpwstr></property>\
    <property pid='9' name='cut_off'><vt:lpwstr>no</vt:lpwstr></property></Properties>";

fn metadata(parts: &[(&str, &str)], name: &str) -> Metadata {
    load_bytes(&pack(parts), Path::new(name)).unwrap().metadata
}

fn check(metadata: &Metadata) {
    let extra = serde_json::to_value(&metadata.extra).unwrap();
    let expected = json!({
        "Team": "Docs & Tools",
        "Approved": true,
        "Revision": 12,
        "Due": "2024-02-29T12:00:00Z",
        "property_title": "Another",
        "property_cut_off": "no",
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&extra[name], value, "{name}");
    }
    for name in ["Empty", "title", "cut_off"] {
        assert!(extra.get(name).is_none(), "{name}");
    }
    assert_eq!(metadata.title, None);
}

#[test]
fn custom_properties_of_word_and_excel_files_are_metadata() {
    let word = (
        "word/document.xml",
        "<w:document><w:body><w:p><w:r><w:t>Hi</w:t></w:r></w:p></w:body></w:document>",
    );
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let sheet = "<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>";
    let excel = [
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    let usual = ("docProps/custom.xml", CUSTOM);
    let root = "<Relationships><Relationship Id='a' Target='props.xml' \
        Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties'/></Relationships>";
    let elsewhere = [("_rels/.rels", root), ("props.xml", CUSTOM)];
    for parts in [&[word, usual][..], &[word, elsewhere[0], elsewhere[1]]] {
        let metadata = metadata(parts, "a.docx");
        check(&metadata);
        assert_eq!(metadata.extra["Tags"], "a, b");
    }
    for parts in [
        &[excel[0], excel[1], usual][..],
        &[excel[0], excel[1], elsewhere[0], elsewhere[1]],
    ] {
        check(&metadata(parts, "a.xlsx"));
    }
    let damaged = [word, ("docProps/custom.xml", "<Properties></a>")];
    let extra = metadata(&damaged, "a.docx").extra;
    assert_eq!(extra["damaged_parts"], json!(["docProps/custom.xml"]));
}

#[test]
fn properties_that_users_define_in_open_document_files_are_metadata() {
    let property = |name: &str, kind: &str, value: &str| {
        format!("<meta:user-defined meta:name='{name}'{kind}>{value}</meta:user-defined>")
    };
    let meta = [
        "<office:document-meta><office:meta>".to_owned(),
        property("Team", "", "Docs &amp;\n Tools"),
        property("Approved", " meta:value-type='boolean'", "true"),
        property("Revision", " meta:value-type='float'", "12"),
        property("Due", " meta:value-type='date'", "2024-02-29T12:00:00Z"),
        property("Empty", "", ""),
        property("title", "", "Another"),
        property("cut_off", "", "no"),
        "<meta:keyword>one</meta:keyword></office:meta></office:document-meta>".to_owned(),
    ]
    .concat();
    let content = "<office:document-content><office:body><office:text><text:p>Hi</text:p></office:text></office:body>\
        </office:document-content>";
    let parts = [
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", content),
        ("meta.xml", &meta),
    ];
    let metadata = metadata(&parts, "a.odt");
    check(&metadata);
    assert_eq!(metadata.extra["keywords"], "one");
}

#[test]
fn properties_that_users_define_in_rich_text_are_metadata() {
    let rtf = "{\\rtf1\\ansi{\\info{\\subject Plans}}{\\*\\userprops {\\propname Team}\\proptype30{\\staticval Docs}\
        {\\propname subject}\\proptype30{\\staticval Other}{\\propname Empty}\\proptype30{\\staticval }}Hi\\par}";
    let document = load_bytes(rtf.as_bytes(), Path::new("a.rtf")).unwrap();
    assert_eq!(document.text, "Hi\n");
    let extra = serde_json::to_value(&document.metadata.extra).unwrap();
    let expected = json!({"subject": "Plans", "Team": "Docs", "property_subject": "Other"});
    assert_eq!(extra, expected);
}
