//! Workbooks, spreadsheets and tables of values.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{Error, FileLoader, Limits, LoadOptions, load_bytes, omissions};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::memory::bounded;
use crate::support::{load, outline, pack_bytes};

#[path = "sheets_binary.rs"]
mod binary;
#[path = "sheets_csv.rs"]
mod csv;
#[path = "sheets_made.rs"]
mod made;
#[path = "sheets_old.rs"]
mod old;

pub(crate) use made::*;

/// Loads a file whose text may have 4 MB, and expects that it has more.
fn check_too_large(bytes: &[u8], name: &str) {
    let limits = Limits {
        inflated_bytes: 4 << 20,
        ..Limits::default()
    };
    let loader = FileLoader::new(LoadOptions {
        limits,
        ..LoadOptions::default()
    });
    let error = loader.load_bytes(bytes, Path::new(name)).unwrap_err();
    assert!(matches!(error, Error::LimitExceeded { .. }), "{error}");
}

fn pack(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        let options = SimpleFileOptions::default();
        archive.start_file(*name, options).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// What the roles of parts begin with.
const RELATIONSHIP: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Makes a workbook of one sheet with these rows and these shared strings.
fn workbook(rows: &str, strings: &str) -> Vec<u8> {
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let strings = format!("<sst>{strings}</sst>");
    pack(&[
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", &sheet),
        ("xl/sharedStrings.xml", &strings),
    ])
}

#[test]
fn prompts_of_cells_are_read_and_heads_of_pages_named() {
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let sheet = "<worksheet><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>Amount</t></is></c></row></sheetData>\
        <dataValidations count='2'><dataValidation showInputMessage='1' sqref='B1:B9 D1' promptTitle='Amount' \
        prompt='In EUR,_x000a_without VAT'><formula1>0</formula1></dataValidation>\
        <dataValidation sqref='C1' prompt='not shown'/></dataValidations>\
        <headerFooter><oddHeader>&amp;L&amp;&quot;Arial,Bold&quot;Mill &amp;&amp; Sons&amp;RConfidential</oddHeader>\
        <oddFooter>&amp;C&amp;P</oddFooter></headerFooter></worksheet>";
    let packed = pack(&[
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", sheet),
    ]);
    let document = load_bytes(&packed, Path::new("a.xlsx")).unwrap();
    assert_eq!(
        document.text,
        "# One\n\n| Amount |\n| --- |\n\nPrompt of B1:B9 and other cells: Amount: In EUR, without VAT\n"
    );
    assert_eq!(
        document.metadata.extra["running_lines"],
        serde_json::json!(["Mill & Sons Confidential"])
    );
}

#[test]
fn objects_of_other_programs_on_a_sheet_are_named() {
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let sheet = "<worksheet><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>Hi</t></is></c></row></sheetData></worksheet>";
    let objects = format!(
        "<Relationships><Relationship Id='o' Type='{RELATIONSHIP}/package' Target='../embeddings/o.docx'/></Relationships>"
    );
    let packed = pack(&[
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", sheet),
        ("xl/worksheets/_rels/sheet1.xml.rels", &objects),
        ("xl/embeddings/o.docx", "?"),
    ]);
    let document = load_bytes(&packed, Path::new("a.xlsx")).unwrap();
    let said = omissions(&document.metadata);
    assert_eq!(
        said,
        ["the part xl/embeddings/o.docx cannot be read within the file"]
    );
}

#[test]
fn parts_of_a_workbook_may_stand_elsewhere_and_have_backslashes_in_their_names() {
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let sheet = "<worksheet><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>Hi</t></is></c></row></sheetData></worksheet>";
    let expected = "# One\n\n| Hi |\n| --- |\n";
    let packed = pack(&[
        ("xl\\workbook.xml", list),
        ("XL\\Worksheets\\sheet1.xml", sheet),
    ]);
    let document = load_bytes(&packed, Path::new("a.xlsx")).unwrap();
    assert_eq!(document.text, expected);
    let types = "<Types><Override PartName='/workbook.xml' \
        ContentType='application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'/></Types>";
    let root = format!(
        "<Relationships><Relationship Id='a' Type='{RELATIONSHIP}/officeDocument' Target='workbook.xml'/></Relationships>"
    );
    let sheets = format!(
        "<Relationships><Relationship Id='rId1' Type='{RELATIONSHIP}/worksheet' Target='sheet1.xml'/></Relationships>"
    );
    let packed = pack(&[
        ("[Content_Types].xml", types),
        ("_rels/.rels", &root),
        ("workbook.xml", list),
        ("_rels/workbook.xml.rels", &sheets),
        ("sheet1.xml", sheet),
    ]);
    let document = load_bytes(&packed, Path::new("a.bin")).unwrap();
    assert_eq!(document.text, expected);
}

#[test]
fn a_workbook_has_a_section_and_a_table_for_each_sheet() {
    let document = load("openpyxl.xlsx");
    let expected = "# Sales\n\nSales of 2024\n\n\
        | Region | Date | Amount | Share | Paid |\n| --- | --- | --- | --- | --- |\n\
        | North | 2024-02-29 | 1,234.50 € | 12.5% | TRUE |\n\
        | South \\| West | 2024-03-01 12:30:00 | 0.30 € | 50.0% | FALSE |\n\
        |  |  |  |  | =SUM(C4:C5) |\n| merged |\n\nComment on A4 by Ada: Check this\n\n\
        # Secret\n\n| line one line two |  |\n| --- | --- |\n|  | corner |\n";
    assert_eq!(document.text, expected);
    assert_eq!(document.format, Format::Xlsx);
    let titles: Vec<_> = outline(&document)
        .iter()
        .map(|one| (one.0, one.1))
        .collect();
    assert_eq!(titles, [(1, "Sales"), (1, "Secret")]);
    let metadata = &document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("Workbook"));
    assert_eq!(metadata.author.as_deref(), Some("Ada Example"));
    assert_eq!(metadata.extra["hidden_sheets"][0], "Secret");
    assert_eq!(metadata.extra["formulas_without_value"], 1);
}

#[test]
fn text_boxes_charts_and_comments_stand_below_the_cells() {
    let text = load("xlsxwriter.xlsx").text;
    let expected = "# Data\n\n| Month | Sold |\n| --- | --- |\n| Jan | 1 |\n| Feb | 11 |\n| Mar | 21 |\n|  | 33 |\n\n\
        A text box\n\nChart: Sold by month\n\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(
        text.ends_with("Comment on A1 by Ben: Month of sale\n"),
        "{text}"
    );
}

#[test]
fn a_workbook_of_before_2007_is_read() {
    let document = load("xlwt.xls");
    let expected = "# Old\n\n| Name | When |\n| --- | --- |\n| Größe | 2024-02-29 |\n| 2.5 |\n\n\
        # Hid\n\n| secret |\n| --- |\n";
    assert_eq!(document.text, expected);
    assert_eq!(document.format, Format::Xls);
    assert_eq!(document.metadata.extra["hidden_sheets"][0], "Hid");
}

#[test]
fn a_spreadsheet_is_read_without_its_million_empty_rows() {
    let document = load("odfpy.ods");
    let expected =
        "# Leaves\n\n| Tree | Share | Seen |\n| --- | --- | --- |\n| Oak | 12.5% | 2024-02-29 |\n";
    assert_eq!(document.text, expected);
    assert_eq!(document.format, Format::Ods);
}

#[test]
fn two_cells_in_opposite_corners_take_no_memory() {
    let rows = "<row r='1'><c r='A1'><v>1</v></c></row>\
        <row r='1048576'><c r='XFD1048576'><v>2</v></c></row>";
    let text = load_bytes(&workbook(rows, ""), Path::new("a.xlsx"))
        .unwrap()
        .text;
    assert_eq!(text, "# One\n\n| 1 |  |\n| --- | --- |\n|  | 2 |\n");
}

#[test]
fn a_string_that_is_shared_too_often_is_refused() {
    let string = format!("<si><t>{}</t></si>", "x".repeat(1 << 16));
    let rows = (0..1_000).fold(String::new(), |mut rows, _| {
        let _ = write!(rows, "<row><c t='s'><v>0</v></c></row>");
        rows
    });
    check_too_large(&workbook(&rows, &string), "a.xlsx");
}

#[test]
fn cells_that_repeat_too_often_are_refused() {
    let cell = "<table:table-cell table:number-columns-repeated='16384'><text:p>long text</text:p></table:table-cell>";
    let content = format!(
        "<office:document-content><table:table table:name='a'><table:table-row \
         table:number-rows-repeated='1048576'>{cell}</table:table-row></table:table></office:document-content>"
    );
    let mimetype = "application/vnd.oasis.opendocument.spreadsheet";
    let bytes = pack(&[("mimetype", mimetype), ("content.xml", &content)]);
    check_too_large(&bytes, "a.ods");
}

#[test]
fn a_short_text_that_repeats_beyond_the_limit_takes_no_memory() {
    bounded(
        "sheets::a_short_text_that_repeats_beyond_the_limit_takes_no_memory",
        || {
            let cell = "<table:table-cell table:number-columns-repeated='999999999'><text:p>X</text:p></table:table-cell>";
            let content = format!(
                "<office:document-content><table:table table:name='a'><table:table-row \
                 table:number-rows-repeated='999999999'>{cell}</table:table-row></table:table></office:document-content>"
            );
            let mimetype = "application/vnd.oasis.opendocument.spreadsheet";
            let bytes = pack(&[("mimetype", mimetype), ("content.xml", &content)]);
            let error = load_bytes(&bytes, Path::new("a.ods")).unwrap_err();
            assert!(matches!(error, Error::LimitExceeded { .. }), "{error}");
        },
    );
}

#[test]
fn a_damaged_sheet_keeps_the_rows_before_and_the_other_parts() {
    let rows = "<row><c t='s'><v>0</v></c><c><v>0.30000000000000004</v></c></row><row></c>";
    let strings = "<si><t>a_x000D_b</t><rPh><t>sound</t></rPh></si>";
    let document = load_bytes(&workbook(rows, strings), Path::new("a.xlsx")).unwrap();
    assert_eq!(document.text, "# One\n\n| a b | 0.3 |\n| --- | --- |\n");
    assert_eq!(
        document.metadata.extra["damaged_parts"][0],
        "xl/worksheets/sheet1.xml"
    );
}

#[test]
fn cells_that_lead_to_an_address_are_links() {
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let cell =
        |name: &str, text: &str| format!("<c r='{name}' t='inlineStr'><is><t>{text}</t></is></c>");
    let rows = [
        cell("A1", "Port"),
        cell("B1", "a.example/b"),
        cell("C1", "below"),
        "<c r='D1' t='str'><f>HYPERLINK(\"https://a.example/d\",\"D\")</f><v>D</v></c>".into(),
        cell("E1", "Old"),
    ];
    let sheet = format!(
        "<worksheet><sheetData><row r='1'>{}</row></sheetData><hyperlinks><hyperlink ref='A1:A2' r:id='r1' location='x'/>\
         <hyperlink ref='B1' r:id='r2'/><hyperlink ref='C1' location='One!A1'/><hyperlink ref='E1' r:id='r3'/>\
         </hyperlinks><pageMargins/></worksheet>",
        rows.concat()
    );
    let link = |id: &str, target: &str| {
        format!(
            "<Relationship Id='{id}' Type='{RELATIONSHIP}/hyperlink' Target='{target}' TargetMode='External'/>"
        )
    };
    let relationships = format!(
        "<Relationships>{}{}{}</Relationships>",
        link("r1", "https://a.example/p"),
        link("r2", "https://a.example/b"),
        link("r3", "https://a.example/e_(f)")
    );
    let packed = pack(&[
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", &sheet),
        ("xl/worksheets/_rels/sheet1.xml.rels", &relationships),
    ]);
    let text = load_bytes(&packed, Path::new("a.xlsx")).unwrap().text;
    let row = "| [Port](https://a.example/p#x) | a.example/b | below | [D](https://a.example/d) \
        | [Old](<https://a.example/e_(f)>) |\n";
    assert!(text.starts_with(&format!("# One\n\n{row}")), "{text}");
}

#[test]
fn cells_of_a_spreadsheet_keep_the_addresses_of_their_links() {
    let cell = |kind: &str, text: &str| {
        format!(
            "<table:table-cell office:value-type='{kind}'><text:p>{text}</text:p></table:table-cell>"
        )
    };
    let cells = [
        cell(
            "string",
            "see <text:a xlink:href='https://a.example'>the port</text:a>.",
        ),
        cell("string", "<text:a xlink:href='#Sheet2'>below</text:a>"),
    ];
    let content = format!(
        "<office:document-content><table:table table:name='a'><table:table-row>{}</table:table-row></table:table>\
         </office:document-content>",
        cells.concat()
    );
    let mimetype = "application/vnd.oasis.opendocument.spreadsheet";
    let bytes = pack(&[("mimetype", mimetype), ("content.xml", &content)]);
    let text = load_bytes(&bytes, Path::new("a.ods")).unwrap().text;
    let expected = "# a\n\n| see [the port](https://a.example). | below |\n| --- | --- |\n";
    assert_eq!(text, expected);
}

#[test]
fn sheets_without_a_part_are_named_with_what_they_are() {
    let list = "<workbook><sheets><sheet name='Code' sheetId='1' state='veryHidden' r:id=''/>\
        <sheet name='One' sheetId='2' r:id='r1'/><sheet name='Macro1' sheetId='3' r:id='r2'/>\
        <sheet name='Gone' sheetId='4' r:id='r3'/></sheets></workbook>";
    let sheet = "<worksheet><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>";
    let relationship = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id='{id}' Type='{RELATIONSHIP}/{kind}' Target='{target}'/>")
    };
    let relationships = [
        "<Relationships>".to_owned(),
        relationship("r1", "worksheet", "worksheets/sheet1.xml"),
        relationship("r2", "xlMacrosheet", "macrosheets/sheet1.xml"),
        relationship("r3", "worksheet", "worksheets/sheet9.xml"),
        "</Relationships>".to_owned(),
    ];
    let bytes = pack(&[
        ("xl/workbook.xml", list),
        ("xl/_rels/workbook.xml.rels", &relationships.concat()),
        ("xl/worksheets/sheet1.xml", sheet),
    ]);
    let document = load_bytes(&bytes, Path::new("a.xlsx")).unwrap();
    // The cells of one sheet are not those of another that has none.
    let expected = "# Code\n\n# One\n\n| 7 |\n| --- |\n\n# Macro1\n\n# Gone\n";
    assert_eq!(document.text, expected);
    assert_eq!(
        omissions(&document.metadata),
        [
            "the file holds nothing of the sheets Code (a module of macros), Macro1 (a macro sheet), Gone"
        ]
    );
}

#[test]
fn raised_digits_of_rich_texts_are_superscript_characters() {
    let raised = "<r><rPr><vertAlign val='superscript'/></rPr><t>";
    let strings = format!(
        "<si><r><t>10</t></r>{raised}-6</t></r><r><t xml:space='preserve'> m</t></r>{raised}2</t></r></si>"
    );
    let rows = format!(
        "<row><c t='s'><v>0</v></c><c t='inlineStr'><is><r><t>1</t></r>{raised}st</t></r></is></c>\
         <c t='inlineStr'><is><r><t>x</t></r>{raised}2</t></r></is></c></row>"
    );
    let text = load_bytes(&workbook(&rows, &strings), Path::new("a.xlsx"))
        .unwrap()
        .text;
    assert!(text.contains("| 10⁻⁶ m² | 1st | x² |"), "{text}");
}

/// Makes a workbook whose sheet has these comments, and these parts beside.
fn commented(comments: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relationships = format!(
        "<Relationships><Relationship Id='rId1' Type='{kind}/comments' Target='../comments1.xml'/>\
         <Relationship Id='rId2' Type='http://schemas.microsoft.com/office/2017/10/relationships/threadedComment' \
         Target='../threadedComments/threadedComment1.xml'/></Relationships>"
    );
    let comments = format!(
        "<comments><authors><author>tc={{1}}</author><author>Ben</author></authors>\
         <commentList>{comments}</commentList></comments>"
    );
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let sheet = "<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>";
    let mut all = vec![
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", sheet),
        (
            "xl/worksheets/_rels/sheet1.xml.rels",
            relationships.as_str(),
        ),
        ("xl/comments1.xml", comments.as_str()),
    ];
    all.extend_from_slice(parts);
    pack(&all)
}

/// Comments of the old kind, of which the first is the copy of a thread.
const COPIES: &str = "<comment ref='A1' authorId='0'><text><t>[Threaded comment]\n\nYour version of Excel \
    allows you to read this. Learn more: https://go.microsoft.com/fwlink/?linkid=870924\n\n\
    Comment:\n    Too few\nReply:\n    No</t></text></comment>\
    <comment ref='B2' authorId='1'><text><t>Old</t></text></comment>";

#[test]
fn threads_of_comments_stand_in_place_of_their_copies() {
    let threads = "<ThreadedComments><threadedComment ref='A1' personId='{7}' id='{1}'><text>Too few</text>\
        </threadedComment><threadedComment ref='A1' personId='{8}' id='{2}' parentId='{1}'><text>No</text>\
        </threadedComment></ThreadedComments>";
    let persons = "<personList><person displayName='Ada' id='{7}'/><person displayName='Cy' id='{8}'/></personList>";
    let bytes = commented(
        COPIES,
        &[
            ("xl/threadedComments/threadedComment1.xml", threads),
            ("xl/persons/person.xml", persons),
        ],
    );
    let text = load_bytes(&bytes, Path::new("a.xlsx")).unwrap().text;
    let expected =
        "Comment on B2 by Ben: Old\n\nComment on A1 by Ada: Too few\n\nComment on A1 by Cy: No\n";
    assert!(text.ends_with(expected), "{text}");
    assert!(!text.contains("Your version"), "{text}");
}

#[test]
fn the_copy_of_a_thread_that_is_not_there_has_no_note_to_programs() {
    let text = load_bytes(&commented(COPIES, &[]), Path::new("a.xlsx"))
        .unwrap()
        .text;
    assert!(
        text.ends_with("Comment on A1: Comment: Too few Reply: No\n"),
        "{text}"
    );
}

#[test]
fn whole_numbers_have_all_their_digits() {
    let rows = "<row><c><v>1234567890123456789</v></c><c><v>4111111111111111</v></c>\
        <c><v>0.30000000000000004</v></c></row>";
    let text = load_bytes(&workbook(rows, ""), Path::new("a.xlsx"))
        .unwrap()
        .text;
    let expected = "| 1234567890123456789 | 4111111111111111 | 0.3 |";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn cells_with_rich_values_show_what_a_reader_sees() {
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let cell =
        |name: &str, number: u32| format!("<c r='{name}' t='e' vm='{number}'><v>#VALUE!</v></c>");
    let sheet = format!(
        "<worksheet><sheetData><row r='1'>{}{}{}</row><row r='2'>{}{}<c r='C2' t='e'><v>#N/A</v></c></row>\
         </sheetData></worksheet>",
        cell("A1", 1),
        cell("B1", 2),
        cell("C1", 3),
        cell("A2", 4),
        cell("B2", 9)
    );
    let metadata = "<metadata><metadataTypes><metadataType name='XLDAPR'/><metadataType name='XLRICHVALUE'/></metadataTypes>\
        <futureMetadata name='XLDAPR'><bk/></futureMetadata><futureMetadata name='XLRICHVALUE'>\
        <bk><extLst><ext><xlrd:rvb i='1'/></ext></extLst></bk><bk><extLst><ext><xlrd:rvb i='0'/></ext></extLst></bk>\
        <bk><extLst><ext><xlrd:rvb i='2'/></ext></extLst></bk><bk><extLst><ext><xlrd:rvb i='3'/></ext></extLst></bk>\
        </futureMetadata><cellMetadata><bk><rc t='1' v='0'/></bk></cellMetadata><valueMetadata><bk><rc t='2' v='0'/></bk>\
        <bk><rc t='2' v='1'/></bk><bk><rc t='2' v='2'/></bk><bk><rc t='2' v='3'/></bk></valueMetadata></metadata>";
    let values = "<rvData><rv s='0'><v>0</v><v>5</v><v>The mill</v></rv><rv s='1'><v>7</v><v>Example Ltd &amp; Co</v></rv>\
        <rv s='0'><v>1</v><v>5</v><v></v></rv><rv s='2'><v>3</v></rv></rvData>";
    let structures = "<rvStructures><s t='_localImage'><k n='_rvRel:LocalImageIdentifier' t='i'/><k n='CalcOrigin' t='i'/>\
        <k n='Text' t='s'/></s><s t='_linkedentity2'><k n='%EntityId'/><k n='_DisplayString' t='s'/></s>\
        <s t='_error'><k n='errorType' t='i'/></s></rvStructures>";
    let packed = pack(&[
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", &sheet),
        ("xl/metadata.xml", metadata),
        ("xl/richData/rdrichvalue.xml", values),
        ("xl/richData/rdrichvaluestructure.xml", structures),
    ]);
    let document = load_bytes(&packed, Path::new("a.xlsx")).unwrap();
    assert_eq!(
        document.text,
        "# One\n\n| Example Ltd & Co | ![The mill]() |  |\n| --- | --- | --- |\n| #VALUE! | #VALUE! | #N/A |\n"
    );
    assert!(omissions(&document.metadata).is_empty());
}
