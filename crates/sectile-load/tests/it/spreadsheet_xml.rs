//! Workbooks in the XML of Excel 2003.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{Error, FileLoader, Limits, LoadOptions, Loader as _, XlsxLoader, load_bytes};

use crate::support::load_error;

/// Makes a workbook of what stands in it.
fn workbook(inner: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<?mso-application progid=\"Excel.Sheet\"?>\n\
         <Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\" \
         xmlns:o=\"urn:schemas-microsoft-com:office:office\" xmlns:x=\"urn:schemas-microsoft-com:office:excel\" \
         xmlns:ss=\"urn:schemas-microsoft-com:office:spreadsheet\" xmlns:html=\"http://www.w3.org/TR/REC-html40\">\n\
         {inner}</Workbook>\n"
    )
}

/// Makes a sheet of its rows.
fn sheet(rows: &str) -> String {
    format!("<Worksheet ss:Name=\"One\"><Table>{rows}</Table></Worksheet>")
}

fn load(inner: &str) -> Document {
    load_bytes(workbook(inner).as_bytes(), Path::new("a.xml")).unwrap()
}

/// Checks the text of a sheet of these rows below its name.
fn check(rows: &str, expected: &str) {
    let text = load(&sheet(rows)).text;
    assert_eq!(text, format!("# One\n\n{expected}"), "{rows}");
}

/// A workbook of two sheets, as Excel writes it.
pub(crate) fn sales() -> String {
    workbook(
        "<DocumentProperties xmlns=\"urn:schemas-microsoft-com:office:office\">\n  <Title>Sales</Title>\n  \
         <Author>Ada Example</Author>\n  <Created>2004-03-01T10:00:00Z</Created>\n </DocumentProperties>\n \
         <Styles>\n  <Style ss:ID=\"Default\" ss:Name=\"Normal\"><NumberFormat/></Style>\n  \
         <Style ss:ID=\"s21\"><NumberFormat ss:Format=\"Short Date\"/></Style>\n  \
         <Style ss:ID=\"s22\"><NumberFormat ss:Format=\"0.0%\"/></Style>\n  \
         <Style ss:ID=\"s23\" ss:Parent=\"s22\"><Font ss:Bold=\"1\"/></Style>\n </Styles>\n \
         <Worksheet ss:Name=\"North &amp; South\">\n  <Table ss:ExpandedColumnCount=\"4\">\n   \
         <Column ss:Index=\"2\" ss:StyleID=\"s21\"/>\n   <Column ss:StyleID=\"s22\" ss:Span=\"1\"/>\n   \
         <Row><Cell ss:MergeAcross=\"2\"><Data ss:Type=\"String\">Sales of 2004</Data></Cell></Row>\n   \
         <Row ss:Index=\"3\"><Cell><Data ss:Type=\"String\">Region</Data></Cell>\
         <Cell><Data ss:Type=\"String\">Date</Data></Cell><Cell><Data ss:Type=\"String\">Share</Data></Cell>\
         <Cell><Data ss:Type=\"String\">Area</Data></Cell></Row>\n   \
         <Row><Cell><Data ss:Type=\"String\">North</Data></Cell>\
         <Cell><Data ss:Type=\"DateTime\">2004-02-29T00:00:00.000</Data></Cell>\
         <Cell><Data ss:Type=\"Number\">0.125</Data></Cell>\
         <Cell ss:StyleID=\"Default\"><ss:Data ss:Type=\"String\" xmlns=\"http://www.w3.org/TR/REC-html40\">12 \
         <B>km</B><Sup><Font html:Size=\"8\">2</Font></Sup></ss:Data></Cell></Row>\n   \
         <Row><Cell><Data ss:Type=\"String\">Sum</Data><Comment ss:Author=\"Ben\"><ss:Data \
         xmlns=\"http://www.w3.org/TR/REC-html40\"><B>Ben:</B>&#10;Check this</ss:Data></Comment></Cell>\
         <Cell ss:Index=\"3\" ss:StyleID=\"s23\" ss:Formula=\"=R[-1]C*2\"><Data ss:Type=\"Number\">0.25</Data></Cell>\
         <Cell ss:Formula=\"=SUM(R[-1]C)\"/></Row>\n  </Table>\n </Worksheet>\n \
         <Worksheet ss:Name=\"Notes\"><Table><Row><Cell><Data ss:Type=\"String\">secret</Data></Cell></Row></Table>\
         <WorksheetOptions xmlns=\"urn:schemas-microsoft-com:office:excel\"><Visible>SheetHidden</Visible>\
         </WorksheetOptions></Worksheet>\n",
    )
}

#[test]
fn cells_keep_the_addresses_that_they_lead_to() {
    let cell = |target: &str, text: &str| {
        format!("<Cell ss:HRef=\"{target}\"><Data ss:Type=\"String\">{text}</Data></Cell>")
    };
    let cells = [cell("https://a.example", "Port"), cell("#Two!A1", "below")];
    check(
        &format!("<Row>{}</Row>", cells.concat()),
        "| [Port](https://a.example) | below |\n| --- | --- |\n",
    );
}

#[test]
fn sheets_are_sections_with_tables() {
    let document = load_bytes(sales().as_bytes(), Path::new("a.xls")).unwrap();
    let expected = "# North & South\n\nSales of 2004\n\n\
        | Region | Date | Share | Area |\n| --- | --- | --- | --- |\n\
        | North | 2004-02-29 | 12.5% | 12 km² |\n| Sum |  | 25.0% | =SUM(R[-1]C) |\n\n\
        Comment on A5 by Ben: Check this\n\n# Notes\n\n| secret |\n| --- |\n";
    assert_eq!(document.text, expected);
    assert_eq!(document.format, Format::Xlsx);
    let metadata = &document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("Sales"));
    assert_eq!(metadata.author.as_deref(), Some("Ada Example"));
    assert_eq!(metadata.created.as_deref(), Some("2004-03-01T10:00:00Z"));
    assert_eq!(metadata.extra["hidden_sheets"][0], "Notes");
    assert_eq!(metadata.extra["formulas_without_value"], 1);
}

#[test]
fn rows_and_cells_stand_where_they_say() {
    let cell = |attributes: &str, text: &str| {
        format!("<Cell{attributes}><Data ss:Type=\"String\">{text}</Data></Cell>")
    };
    let first = [
        cell(" ss:MergeAcross=\"1\" ss:MergeDown=\"1\"", "a"),
        cell("", "b"),
    ]
    .concat();
    let second = [cell(" ss:Index=\"3\"", "c"), cell("", "d")].concat();
    check(
        &format!("<Row>{first}</Row><Row>{second}</Row>"),
        "| a | b |  |\n| --- | --- | --- |\n|  | c | d |\n",
    );
    // An index that no sheet has is not followed.
    check(
        &format!(
            "<Row ss:Index=\"0\">{}{}</Row>",
            cell(" ss:Index=\"99999999\"", "a"),
            cell(" ss:Index=\"x\"", "b")
        ),
        "| a | b |\n| --- | --- |\n",
    );
}

#[test]
fn days_may_count_from_1904() {
    let text = load(&format!(
        "<ExcelWorkbook xmlns=\"urn:schemas-microsoft-com:office:excel\"><Date1904/></ExcelWorkbook>\
         <Styles><Style ss:ID=\"d\"><NumberFormat ss:Format=\"yyyy\\-mm\\-dd\"/></Style></Styles>{}",
        sheet(
            "<Row ss:StyleID=\"d\"><Cell><Data ss:Type=\"DateTime\">2024-02-29T00:00:00.000</Data></Cell>\
             <Cell><Data ss:Type=\"Number\">1</Data></Cell></Row>"
        )
    ))
    .text;
    assert_eq!(
        text,
        "# One\n\n| 2024-02-29 | 1904-01-02 |\n| --- | --- |\n"
    );
}

#[test]
fn a_workbook_may_be_in_another_encoding() {
    let xml = workbook(&sheet(
        "<Row><Cell><Data ss:Type=\"String\">Caf\u{e9}</Data></Cell></Row>",
    ));
    let xml = xml.replacen("\"1.0\"", "\"1.0\" encoding=\"windows-1252\"", 1);
    let bytes: Vec<u8> = xml.chars().map(|letter| letter as u8).collect();
    let text = load_bytes(&bytes, Path::new("a.xml")).unwrap().text;
    assert_eq!(text, "# One\n\n| Café |\n| --- |\n");
}

#[test]
fn hostile_workbooks_end_with_text_or_an_error() {
    let far = "<Cell ss:Index=\"16384\"><Data ss:Type=\"Number\">1</Data></Cell>";
    let rows = format!(
        "<Column ss:Span=\"4294967295\" ss:StyleID=\"a\"/><Column/><Row ss:Span=\"4294967295\">{far}{far}</Row>\
         <Row>{far}</Row><Row ss:Index=\"1048576\"><Cell ss:MergeAcross=\"4294967295\"/><Cell/>{far}</Row>"
    );
    assert!(load(&sheet(&rows)).text.len() < 1_000);
    let cut = sales();
    let error = load_error(&cut.as_bytes()[..cut.len() / 2], "a.xml");
    assert!(matches!(error, Error::Parse { .. }), "{error}");
    let deep = sheet(&"<Row>".repeat(5_000));
    let error = load_error(workbook(&deep).as_bytes(), "a.xml");
    assert!(matches!(error, Error::LimitExceeded { .. }), "{error}");
    let entities = workbook(&sheet("&a;")).replacen(
        "<Workbook",
        "<!DOCTYPE a [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><Workbook",
        1,
    );
    let read = XlsxLoader::default().load(entities.as_bytes(), Path::new("a.xml"));
    assert!(matches!(read, Err(Error::Parse { .. })));
}

#[test]
fn a_text_above_the_limit_is_refused() {
    let rows = "<Row><Cell><Data ss:Type=\"String\">long text</Data></Cell></Row>".repeat(1_000);
    let limits = Limits {
        inflated_bytes: 4_096,
        ..Limits::default()
    };
    let loader = FileLoader::new(LoadOptions {
        limits,
        ..LoadOptions::default()
    });
    let xml = workbook(&sheet(&rows));
    let error = loader.load_bytes(xml.as_bytes(), Path::new("a.xml"));
    assert!(matches!(error, Err(Error::LimitExceeded { .. })));
}

#[test]
fn hidden_rows_and_columns_are_counted_and_rules_say_their_messages() {
    let rule = |hides: &str| {
        format!(
            "<DataValidation xmlns=\"urn:schemas-microsoft-com:office:excel\"><Range>R2C1:R9C1,R3C4</Range>\
             <Type>Whole</Type><InputTitle>Amount</InputTitle><InputMessage>In&#10;EUR</InputMessage>\
             <ErrorMessage>Whole numbers only</ErrorMessage>{hides}</DataValidation>"
        )
    };
    let cells =
        |text: &str| format!("<Cell><Data ss:Type=\"String\">{text}</Data></Cell>").repeat(2);
    let table = format!(
        "<Column ss:Index=\"2\" ss:Hidden=\"1\"/><Row>{}</Row><Row ss:Hidden=\"1\" ss:Span=\"1\">{}</Row><Row>{}</Row>",
        cells("a"),
        cells("b"),
        cells("c")
    );
    let sheet = |inner: &str, rules: &str| {
        format!("<Worksheet ss:Name=\"One\"><Table>{inner}</Table>{rules}</Worksheet>")
    };
    let document = load(&sheet(&table, &rule("")));
    let expected = "# One\n\n| a | a |\n| --- | --- |\n| b | b |\n| c | c |\n\n\
                    Prompt of A2:A9 and other cells: Amount: In EUR\n\n\
                    Error message of A2:A9 and other cells: Whole numbers only\n";
    assert_eq!(document.text, expected);
    let extra = document.metadata.extra;
    assert_eq!(extra["hidden_rows"], serde_json::json!({"One": 1}));
    assert_eq!(extra["hidden_columns"], serde_json::json!({"One": 1}));
    let document = load(&sheet(&cells("a"), &rule("<InputHide/><ErrorHide/>")));
    assert!(!document.text.contains("of A2"), "{}", document.text);
}
