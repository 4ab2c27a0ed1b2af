//! What sheets hide, and what they say beside their cells: messages and forms.

use std::path::Path;

use sectile_core::Document;
use sectile_load::{is_notice, load_bytes, omissions};
use serde_json::json;

use crate::sheets::{
    binary_sheet, binary_workbook, label, numbers, old_record, old_workbook, record, wide,
};
use crate::support::pack;

fn load(bytes: &[u8], name: &str) -> Document {
    load_bytes(bytes, Path::new(name)).unwrap()
}

/// Makes an Excel workbook of a sheet with this in it.
fn workbook(sheet: &str) -> Vec<u8> {
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let sheet = format!("<worksheet>{sheet}</worksheet>");
    pack(&[
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

/// Makes an OpenDocument spreadsheet of what stands in its body.
fn spreadsheet(body: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet>{body}</office:spreadsheet></office:body>\
         </office:document-content>"
    );
    let mimetype = "application/vnd.oasis.opendocument.spreadsheet";
    pack(&[("mimetype", mimetype), ("content.xml", &content)])
}

/// Expects so many rows and columns with text to be hidden, and nothing to be missing.
fn check_hidden(document: &Document, sheet: &str, rows: u64, columns: u64) {
    let extra = &document.metadata.extra;
    assert_eq!(extra["hidden_rows"], json!({ sheet: rows }), "{document:?}");
    assert_eq!(extra["hidden_columns"], json!({ sheet: columns }));
    assert!(is_notice("hidden_rows") && is_notice("hidden_columns"));
    assert!(omissions(&document.metadata).is_empty());
}

#[test]
fn rules_that_refer_to_other_sheets_say_their_messages_too() {
    let sheet = "<sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>Hi</t></is></c></row></sheetData>\
        <dataValidations><dataValidation showErrorMessage='1' errorTitle='Stop' error='Whole numbers only' sqref='C1'/>\
        </dataValidations><extLst><ext uri='rules'><x14:dataValidations>\
        <x14:dataValidation type='list' showInputMessage='1' showErrorMessage='1' promptTitle='Region' \
        prompt='Pick_x000a_one' error='Not a region'><x14:formula1><xm:f>Other!A1:A3</xm:f></x14:formula1>\
        <xm:sqref>B2:B9 D2</xm:sqref></x14:dataValidation>\
        <x14:dataValidation prompt='not shown'><xm:sqref>E1</xm:sqref></x14:dataValidation></x14:dataValidations></ext>\
        <ext uri='lines'><x14:sparkline><xm:f>One!A1</xm:f><xm:sqref>F1</xm:sqref></x14:sparkline></ext></extLst>";
    assert_eq!(
        load(&workbook(sheet), "a.xlsx").text,
        "# One\n\n| Hi |\n| --- |\n\nError message of C1: Stop: Whole numbers only\n\n\
         Prompt of B2:B9 and other cells: Region: Pick one\n\n\
         Error message of B2:B9 and other cells: Not a region\n"
    );
}

#[test]
fn rules_of_a_binary_workbook_say_their_messages() {
    let sheet = |rules: &[u8]| [&binary_sheet("Hi")[..], rules].concat();
    let rule = |flags: u32, range: [u32; 4], texts: [&str; 4]| {
        let range = range.map(u32::to_le_bytes).concat();
        let texts = texts.map(wide).concat();
        let head = [flags, 1].map(u32::to_le_bytes).concat();
        record(64, &[head, range, texts].concat())
    };
    let rules = [
        rule(1 << 18, [1, 8, 1, 1], ["", "no", "Sum", "In EUR"]),
        rule(1 << 19, [0, 0, 2, 2], ["Stop", "No.", "", "no"]),
        record(64, &[0, 0, 8, 0, 9]),
    ];
    let text = load(&binary_workbook(&[sheet(&rules.concat())]), "a.xlsb").text;
    assert_eq!(
        text,
        "# Sheet 0\n\n| Hi |\n| --- |\n\nPrompt of B2:B9: Sum: In EUR\n\nError message of C1: Stop: No.\n\n\
         Comment on B3 by Ada: Look here.\n"
    );
}

#[test]
fn rules_of_a_workbook_of_before_2007_say_their_messages() {
    let text = |text: &str| {
        let letters: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let length = (letters.len() / 2) as u16;
        [&length.to_le_bytes()[..], &[1], &letters].concat()
    };
    let none = [&numbers(&[1])[..], &[0, 0]].concat();
    let rule = |flags: u32, title: &str, prompt: &str, error: &str| {
        // A formula of three bytes, and none; then two ranges.
        let formulas = [&numbers(&[3, 0])[..], &[0x1E, 1, 0], &numbers(&[0, 0])].concat();
        let ranges = numbers(&[2, 1, 8, 1, 1, 9, 9, 0, 0]);
        let texts = [text(title), none.clone(), text(prompt), text(error)].concat();
        old_record(
            0x01BE,
            &[flags.to_le_bytes().to_vec(), texts, formulas, ranges].concat(),
        )
    };
    let records = [
        label(0, 0, "Hi"),
        rule(3 << 18, "Größe", "In €", "Whole numbers only"),
        rule(0, "no", "no", "no"),
        old_record(0x01BE, &[0; 9]),
    ];
    assert_eq!(
        load(&old_workbook(&records.concat()), "a.xls").text,
        "# Data\n\n| Hi |\n| --- |\n\nPrompt of B2:B9 and other cells: Größe: In €\n\n\
         Error message of B2:B9 and other cells: Whole numbers only\n"
    );
}

#[test]
fn rules_of_a_spreadsheet_say_their_messages_on_each_sheet_that_has_them() {
    let message = |kind: &str, title: &str, shows: &str, text: &str| {
        format!(
            "<table:{kind} table:title='{title}' table:display='{shows}'><text:p>{text}</text:p></table:{kind}>"
        )
    };
    let rule = |name: &str, messages: &str| {
        format!(
            "<table:content-validation table:name='{name}'>{messages}</table:content-validation>"
        )
    };
    let shown = [
        message("help-message", "Region", "true", "Pick</text:p><text:p>one"),
        message("error-message", "Stop", "true", "Not<text:s/>a region"),
    ];
    let rules = [
        rule("v1", &shown.concat()),
        rule("v2", &message("help-message", "no", "false", "no")),
        rule("v3", &message("help-message", "no", "true", "no")),
    ];
    let cell = |rule: &str, repeated: u32, text: &str| {
        format!(
            "<table:table-cell table:content-validation-name='{rule}' table:number-columns-repeated='{repeated}' \
             office:value-type='string'><text:p>{text}</text:p></table:table-cell>"
        )
    };
    let sheet = |name: &str, cells: &str| {
        format!(
            "<table:table table:name='{name}'><table:table-row>{cells}</table:table-row></table:table>"
        )
    };
    let body = [
        format!(
            "<table:content-validations>{}</table:content-validations>",
            rules.concat()
        ),
        sheet("a", &[cell("v2", 1, "Hi"), cell("v1", 2, "")].concat()),
        sheet("b", &cell("v1", 1, "Ho")),
    ];
    assert_eq!(
        load(&spreadsheet(&body.concat()), "a.ods").text,
        "# a\n\n| Hi |\n| --- |\n\nPrompt of B1 and other cells: Region: Pick one\n\n\
         Error message of B1 and other cells: Stop: Not a region\n\n\
         # b\n\n| Ho |\n| --- |\n\nPrompt of A1: Region: Pick one\n\nError message of A1: Stop: Not a region\n"
    );
}

#[test]
fn hidden_rows_and_columns_with_text_are_counted() {
    let cell = |name: &str| format!("<c r='{name}' t='inlineStr'><is><t>{name}</t></is></c>");
    let sheet = format!(
        "<cols><col min='1' max='1' width='9'/><col min='2' max='16384' hidden='1'/></cols><sheetData>\
         <row r='1'>{}{}</row><row r='2' hidden='1'>{}</row><row hidden='true'></row><row r='7' hidden='1'>{}</row>\
         <row r='8' hidden='0'>{}</row></sheetData>",
        cell("A1"),
        cell("B1"),
        cell("A2"),
        cell("B7"),
        cell("A8")
    );
    let document = load(&workbook(&sheet), "a.xlsx");
    check_hidden(&document, "One", 2, 1);
    assert!(document.text.contains("| A2 |"), "{}", document.text);
}

#[test]
fn hidden_rows_and_columns_of_binary_workbooks_are_counted() {
    let cell = [&[0; 8], &wide("Hi")[..]].concat();
    let columns = [[0_u32, 1, 0, 0].map(u32::to_le_bytes).concat(), vec![1, 0]].concat();
    let mut row = vec![0_u8; 25];
    row[11] = 0x10;
    let records = [
        record(0x81, &[]),
        record(0x94, &[0; 16]),
        record(390, &[]),
        record(60, &columns),
        record(391, &[]),
        record(0x91, &[]),
        record(0, &row),
        record(6, &cell),
        record(0x92, &[]),
    ];
    let document = load(&binary_workbook(&[records.concat()]), "a.xlsb");
    check_hidden(&document, "Sheet 0", 1, 1);

    let row = |number: u16, flags: u16| {
        old_record(0x0208, &numbers(&[number, 0, 2, 255, 0, 0, flags, 15]))
    };
    let records = [
        old_record(0x007D, &numbers(&[1, 255, 2_000, 15, 1, 0])),
        old_record(0x007D, &numbers(&[0, 0, 2_000, 15, 0, 0])),
        row(0, 0x0100),
        row(1, 0x0120),
        row(2, 0x0120),
        label(0, 0, "a"),
        label(0, 1, "b"),
        label(1, 0, "c"),
    ];
    check_hidden(
        &load(&old_workbook(&records.concat()), "a.xls"),
        "Data",
        1,
        1,
    );
}

#[test]
fn hidden_rows_and_columns_of_spreadsheets_are_counted() {
    let row = |attributes: &str, text: &str| {
        format!(
            "<table:table-row {attributes}><table:table-cell office:value-type='string' \
             table:number-columns-repeated='3'><text:p>{text}</text:p></table:table-cell></table:table-row>"
        )
    };
    let body = [
        "<table:table table:name='One'><table:table-column/>\
         <table:table-column table:visibility='collapse' table:number-columns-repeated='2'/>"
            .to_owned(),
        row("", "a"),
        row(
            "table:visibility='filter' table:number-rows-repeated='2'",
            "b",
        ),
        row("table:visibility='collapse'", ""),
        format!(
            "<table:table-row-group table:display='false'>{}</table:table-row-group>",
            row("", "c")
        ),
        row("table:visibility='visible'", "d"),
        "</table:table>".to_owned(),
    ];
    let document = load(&spreadsheet(&body.concat()), "a.ods");
    check_hidden(&document, "One", 3, 2);
    assert!(document.text.contains("| c | c | c |"), "{}", document.text);
}

#[test]
fn controls_of_forms_on_a_sheet_show_their_values() {
    let body = "<table:table table:name='a'><office:forms><form:form><form:checkbox form:id='c' form:label='I agree'/>\
        <form:textarea form:id='t'><text:p>Two</text:p></form:textarea></form:form></office:forms>\
        <table:shapes><draw:control draw:control='c'><svg:title>no</svg:title></draw:control></table:shapes>\
        <table:table-row><table:table-cell office:value-type='string'><text:p>Hi</text:p>\
        <draw:control draw:control='t'><svg:desc>no</svg:desc></draw:control></table:table-cell></table:table-row></table:table>";
    assert_eq!(
        load(&spreadsheet(body), "a.ods").text,
        "# a\n\n| Hi |\n| --- |\n\n\u{2610} I agree\n\nTwo\n"
    );
}

#[test]
fn controls_of_old_programs_show_their_labels_once() {
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let sheet = "<worksheet><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>Hi</t></is></c></row></sheetData>\
        <drawing r:id='d'/><legacyDrawing r:id='v'/></worksheet>";
    let kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let related = format!(
        "<Relationships><Relationship Id='d' Type='{kinds}/drawing' Target='../drawings/drawing1.xml'/>\
         <Relationship Id='v' Type='{kinds}/vmlDrawing' Target='../drawings/vmlDrawing1.vml'/></Relationships>"
    );
    let drawing = "<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>Send</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>";
    let shape = |label: &str| {
        format!(
            "<v:shape><v:textbox><div><font>{label}</font></div></v:textbox><x:ClientData ObjectType='Button'/></v:shape>"
        )
    };
    let shapes = ["Send", "Yes", "Clear all", "Yes"].map(shape);
    let graphics = format!("<xml>{}</xml>", shapes.concat());
    let packed = pack(&[
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", sheet),
        ("xl/worksheets/_rels/sheet1.xml.rels", &related),
        ("xl/drawings/drawing1.xml", drawing),
        ("xl/drawings/vmlDrawing1.vml", &graphics),
    ]);
    assert_eq!(
        load(&packed, "a.xlsx").text,
        "# One\n\n| Hi |\n| --- |\n\nSend\n\nYes\n\nClear all\n\nYes\n"
    );
}
