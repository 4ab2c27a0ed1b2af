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

fn load_csv(bytes: &[u8]) -> Document {
    load_bytes(bytes, Path::new("a.csv")).unwrap()
}

fn check_csv(source: &str, expected: &str) {
    assert_eq!(load_csv(source.as_bytes()).text, expected, "{source:?}");
}

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
fn the_delimiter_is_found_by_the_rows() {
    check_csv(
        "a;b\n1,5;2\n2,5;3\n",
        "| a | b |\n| --- | --- |\n| 1,5 | 2 |\n| 2,5 | 3 |\n",
    );
    check_csv(
        "a\tb\nx, y\tz\n",
        "| a | b |\n| --- | --- |\n| x, y | z |\n",
    );
    check_csv("a|b\n1|2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    check_csv("sep=;\na;b,c,d\n", "| a | b,c,d |\n| --- | --- |\n");
    check_csv(
        "1,5;2,5;3,25\n2,5;3,5;4,75\n",
        "| 1,5 | 2,5 | 3,25 |\n| --- | --- | --- |\n| 2,5 | 3,5 | 4,75 |\n",
    );
    check_csv(
        "Ann,1;2\nBob,3;4\n",
        "| Ann | 1;2 |\n| --- | --- |\n| Bob | 3;4 |\n",
    );
    check_csv("one\ntwo\n", "| one |\n| --- |\n| two |\n");
    check_csv("", "");
}

#[test]
fn fields_are_quoted_and_rows_ragged() {
    check_csv(
        "a,b\n\"x, \"\"y\"\"\nz\",p|q\n1\n\n1,2,3,\n",
        "| a | b |  |\n| --- | --- | --- |\n| x, \"y\" z | p\\|q |\n| 1 |\n| 1 | 2 | 3 |\n",
    );
    check_csv(
        "a, b, c\n1, \"x, \"\"y\"\"\", 3\n\"2, 5\",  \"z\" , 4\n5, \"6\" inch, 7\n",
        "| a | b | c |\n| --- | --- | --- |\n| 1 | x, \"y\" | 3 |\n| 2, 5 | z | 4 |\n| 5 | \"6\" inch | 7 |\n",
    );
    check_csv(
        "Prices\n\na,b\n1,2\n",
        "Prices\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n",
    );
}

#[test]
fn values_are_decoded() {
    let wide: Vec<u8> = "a,b\n1,é\n"
        .chars()
        .map(u32::from)
        .flat_map(u32::to_be_bytes)
        .collect();
    let document = load_csv(&wide);
    assert_eq!(document.text, "| a | b |\n| --- | --- |\n| 1 | é |\n");
    let document = load_csv(b"\xFF\xFEn\0;\0\xE9\0\n\0");
    assert_eq!(document.text, "| n | é |\n| --- | --- |\n");
    assert_eq!(document.metadata.encoding.as_deref(), Some("UTF-16LE"));
    assert_eq!(document.metadata.extra["delimiter"], ";");
}

#[test]
fn quotes_in_fields_may_stand_behind_backslashes() {
    check_csv(
        "id,text,n\n1,\"He said \\\"yes, now\\\" loudly\",5\n2,\"plain, too\",6\n",
        "| id | text | n |\n| --- | --- | --- |\n| 1 | He said \"yes, now\" loudly | 5 |\n| 2 | plain, too | 6 |\n",
    );
    check_csv(
        "a;b\n\"x \\\"y\\\" z\";1\n",
        "| a | b |\n| --- | --- |\n| x \"y\" z | 1 |\n",
    );
    // A path that ends with a backslash.
    check_csv(
        "a,b\n\"C:\\x\\\",5\n\"D:\\y\\\",6\n",
        "| a | b |\n| --- | --- |\n| C:\\x\\ | 5 |\n| D:\\y\\ | 6 |\n",
    );
}

#[test]
fn fields_may_be_quoted_by_single_quotes() {
    check_csv(
        "id,note\n1,'a,b'\n2,'it''s,d'\n3,'e'\n",
        "| id | note |\n| --- | --- |\n| 1 | a,b |\n| 2 | it's,d |\n| 3 | e |\n",
    );
    // These are letters.
    check_csv(
        "year,song\n'68,'Tis\n'69,Don't\n",
        "| year | song |\n| --- | --- |\n| '68 | 'Tis |\n| '69 | Don't |\n",
    );
    // So they are where rows would be equally long without those between two of them.
    check_csv(
        "name,words\na,'tis b, c\nd,'twas e\nf,g\n",
        "| name | words |  |\n| --- | --- | --- |\n| a | 'tis b | c |\n| d | 'twas e |\n| f | g |\n",
    );
}

#[test]
fn a_single_quote_that_nothing_closes_is_a_letter_of_its_field() {
    let rows = 10_000;
    check_csv(
        &format!("id,note\n{}2,'90s\n3,'c,d'\n", "1,'a,b'\n".repeat(rows)),
        &format!(
            "| id | note |\n| --- | --- |\n{}| 2 | '90s |\n| 3 | c,d |\n",
            "| 1 | a,b |\n".repeat(rows)
        ),
    );
}

#[test]
fn values_between_pipes_are_a_table() {
    let document = load_bytes(b"a|b\n1|2\n", Path::new("a.psv")).unwrap();
    assert_eq!(document.format, Format::Csv);
    assert_eq!(document.text, "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
}

#[test]
fn comments_stand_above_the_table() {
    let table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n";
    check_csv(
        "# made, by hand\n# \"two\na,b\n1,2\n",
        &format!("# made, by hand\n\n# \"two\n\n{table}"),
    );
    check_csv(
        "## x\r\n#a,b\r\n1,2\r\n",
        &format!("## x\n\n{}", table.replace("| a", "| #a")),
    );
    check_csv("# a,b\n1,2\n", &table.replace("| a", "| # a"));
    check_csv("# a,b\n", "| # a | b |\n| --- | --- |\n");
}

#[test]
fn a_quote_that_nothing_closes_does_not_swallow_the_table() {
    let rows = (0..30_000).fold(String::from("size,name\n\"5 inch,a\n"), |mut rows, row| {
        let _ = writeln!(rows, "{row},name");
        rows
    });
    let text = load_csv(rows.as_bytes()).text;
    assert!(text.contains("\n| 29999 | name |\n"));
}

#[test]
fn quotes_that_are_letters_part_no_rows() {
    let tabs = "id\ttitle\tyear\n1\t\"Hello\t2001\n2\tPlain\t2002\n3\tsays \"hi\"\t2003\n4\t\"6\" nails\"\t2004\n";
    assert_eq!(
        load_bytes(tabs.as_bytes(), Path::new("a.tsv"))
            .unwrap()
            .text,
        "| id | title | year |\n| --- | --- | --- |\n| 1 | \"Hello | 2001 |\n| 2 | Plain | 2002 |\n\
         | 3 | says \"hi\" | 2003 |\n| 4 | \"6\" nails\" | 2004 |\n",
    );
    check_csv(
        "a,b\n\"x,1\ny,2\n\"z\" and more,3\n\"p,\nq\",4\n",
        "| a | b |\n| --- | --- |\n| \"x | 1 |\n| y | 2 |\n| \"z\" and more | 3 |\n| p, q | 4 |\n",
    );
}

#[test]
fn one_wide_row_among_many_costs_no_more_than_it_has() {
    let source = format!(
        "{}\n{}",
        "x,".repeat(200_000) + "x",
        "a,b\n".repeat(200_000)
    );
    assert!(load_csv(source.as_bytes()).text.len() < 5 * source.len());
}

#[test]
fn chunks_of_a_table_keep_rows_whole_and_repeat_the_head() {
    let rows = (0..500).fold(String::from("number,name\n"), |mut rows, row| {
        let _ = writeln!(rows, "{row},a name of some length");
        rows
    });
    let text = load_csv(rows.as_bytes()).text;
    let chunker = sectile_chunk::MarkdownChunker::default();
    let chunks = chunker.chunks(&text, &sectile_chunk::Heuristic);
    assert!(chunks.len() > 3);
    for chunk in &chunks {
        let text = &chunk.chunk.text;
        assert!(
            text.starts_with("| number | name |\n| --- | --- |\n"),
            "{text}"
        );
        assert!(
            text.lines()
                .all(|line| line.starts_with("| ") && line.ends_with(" |"))
        );
    }
}

/// Makes a record of a binary workbook.
pub(crate) fn record(kind: u16, content: &[u8]) -> Vec<u8> {
    let mut record = match kind {
        0..0x80 => vec![kind as u8],
        _ => vec![(kind & 0x7F) as u8 | 0x80, (kind >> 7) as u8],
    };
    record.push(content.len() as u8);
    record.extend(content);
    record
}

/// Makes a text of a binary workbook.
pub(crate) fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut bytes = (units.len() as u32).to_le_bytes().to_vec();
    bytes.extend(units.into_iter().flat_map(u16::to_le_bytes));
    bytes
}

/// Makes a sheet of a binary workbook that has a text in its first cell.
pub(crate) fn binary_sheet(text: &str) -> Vec<u8> {
    let cell = [&[0; 8], &wide(text)[..]].concat();
    let records = [
        record(0x81, &[]),
        record(0x94, &[0; 16]),
        record(0x91, &[]),
        record(0, &[0; 25]),
        record(6, &cell),
        record(0x92, &[]),
    ];
    records.concat()
}

/// Packs a binary workbook of these sheets, of which the first has a comment.
pub(crate) fn binary_workbook(sheets: &[Vec<u8>]) -> Vec<u8> {
    binary_workbook_with(sheets, &[])
}

/// Packs a binary workbook of these sheets, of which the first has a comment, with this part of styles.
fn binary_workbook_with(sheets: &[Vec<u8>], styles: &[u8]) -> Vec<u8> {
    let related = |id: usize, kind: &str, target: &str| {
        format!("<Relationship Id='r{id}' Type='{RELATIONSHIP}/{kind}' Target='{target}'/>")
    };
    let listed = |list: &str| format!("<Relationships>{list}</Relationships>").into_bytes();
    let (mut list, mut named, mut parts) = (String::new(), Vec::new(), Vec::new());
    for (index, sheet) in sheets.iter().enumerate() {
        let part = format!("worksheets/sheet{index}.bin");
        list.push_str(&related(index, "worksheet", &part));
        let name = [wide(&format!("r{index}")), wide(&format!("Sheet {index}"))].concat();
        named.extend(record(156, &[&[0; 8], &name[..]].concat()));
        parts.push((format!("xl/{part}"), sheet.clone()));
    }
    named.extend(record(0x90, &[]));
    named.extend(record(0x84, &[]));
    // The cell B3.
    let place = [0_u32, 2, 2, 1, 1].map(u32::to_le_bytes).concat();
    let comments = [
        record(632, &wide("Ada")),
        record(635, &[&place[..], &[0; 16]].concat()),
        record(637, &[&[0], &wide("Look here.")[..]].concat()),
    ];
    let mut all = vec![
        ("xl/workbook.bin".to_owned(), named),
        ("xl/_rels/workbook.bin.rels".to_owned(), listed(&list)),
        (
            "xl/worksheets/_rels/sheet0.bin.rels".to_owned(),
            listed(&format!(
                "{}{}",
                related(0, "comments", "../comments1.bin"),
                related(1, "hyperlink", "https://a.example/x")
            )),
        ),
        ("xl/comments1.bin".to_owned(), comments.concat()),
    ];
    if !styles.is_empty() {
        all.push(("xl/styles.bin".to_owned(), styles.to_vec()));
    }
    all.extend(parts);
    pack_bytes(&all)
}

/// Packs a binary workbook of two sheets with a cell each, and a comment.
pub(crate) fn hello() -> Vec<u8> {
    binary_workbook(&[binary_sheet("Hello"), binary_sheet("World")])
}

#[test]
fn a_binary_workbook_has_its_cells_and_comments() {
    let document = load_bytes(&hello(), Path::new("a.xlsb")).unwrap();
    let expected = "# Sheet 0\n\n| Hello |\n| --- |\n\nComment on B3 by Ada: Look here.\n\n# Sheet 1\n\n| World |\n| --- |\n";
    assert_eq!(document.text, expected);
    assert!(omissions(&document.metadata).is_empty());
}

#[test]
fn cells_of_a_binary_workbook_keep_where_they_lead_to() {
    let link = |place: [u32; 4], id: &str| {
        let place = place.map(u32::to_le_bytes).concat();
        record(
            494,
            &[&place[..], &wide(id), &wide("y"), &wide(""), &wide("")].concat(),
        )
    };
    let sheet = [
        binary_sheet("Hello"),
        link([0, 0, 0, 1], "r1"),
        link([0, u32::MAX, 9, 1], "r1"),
        link([0, 0, 0, 0], "r7"),
    ];
    let bytes = binary_workbook(&[sheet.concat()]);
    let text = load_bytes(&bytes, Path::new("a.xlsb")).unwrap().text;
    assert!(
        text.contains("| [Hello](https://a.example/x#y) |"),
        "{text}"
    );
}

#[test]
fn a_bad_sheet_of_a_binary_workbook_costs_only_itself() {
    let cut_off = binary_sheet("Lost")[..30].to_vec();
    // The shared text that it names is not there, of which the parser panics.
    let shared = record(7, &[0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0]);
    let without_text = [
        record(0x94, &[0; 16]),
        record(0x91, &[]),
        record(0, &[0; 25]),
        shared,
    ];
    let sheets = [
        binary_sheet("Hello"),
        cut_off,
        without_text.concat(),
        binary_sheet("World"),
    ];
    let document = load_bytes(&binary_workbook(&sheets), Path::new("a.xlsb")).unwrap();
    assert!(document.text.contains("Hello") && document.text.contains("World"));
    assert_eq!(
        omissions(&document.metadata),
        [
            "the parts xl/worksheets/sheet1.bin, xl/worksheets/sheet2.bin could not be read, or not to the end"
        ]
    );
}

#[test]
fn heads_and_feet_of_a_binary_workbook_are_named() {
    let none = vec![0xFF; 4];
    let lines = [
        &[0, 0][..],
        &wide("&LMill && Sons&RPage &P"),
        &none,
        &none,
        &none,
        &wide("&CDraft"),
        &wide("&P"),
    ]
    .concat();
    let cut = [&[0, 0][..], &wide("Cut")[..6]].concat();
    let sheets = [
        [binary_sheet("Hello"), record(479, &lines)].concat(),
        [binary_sheet("World"), record(479, &cut)].concat(),
    ];
    let document = load_bytes(&binary_workbook(&sheets), Path::new("a.xlsb")).unwrap();
    assert!(document.text.contains("| World |"), "{}", document.text);
    assert_eq!(
        document.metadata.extra["running_lines"],
        serde_json::json!(["Mill & Sons Page", "Draft"])
    );
}

#[test]
fn heads_and_feet_of_a_spreadsheet_are_named() {
    let field = |name: &str| format!("<text:{name}>??? 1</text:{name}>");
    let (sheet, page) = (field("sheet-name"), field("page-number"));
    let styles = format!(
        "<style:header-style/><style:master-page><style:header><style:region-left><text:p>Mill<text:s/>Ltd</text:p>\
         </style:region-left><style:region-right><text:p>Draft</text:p></style:region-right></style:header>\
         <style:header-left style:display='false'><text:p>hidden</text:p></style:header-left>\
         <style:footer><text:p>Page {page}</text:p></style:footer></style:master-page>\
         <style:master-page><style:header><text:p>{sheet}</text:p></style:header>\
         <style:footer><text:p>({page}/{page})</text:p></style:footer></style:master-page>"
    );
    let body = "<office:body><office:spreadsheet><table:table table:name='a'><table:table-row><table:table-cell>\
        <text:p>Hi</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>";
    let content = format!("<office:document-content>{body}</office:document-content>");
    let own = format!("<office:document-styles>{styles}</office:document-styles>");
    let mimetype = "application/vnd.oasis.opendocument.spreadsheet";
    let packed = pack(&[
        ("mimetype", mimetype),
        ("content.xml", &content),
        ("styles.xml", &own),
    ]);
    let flat =
        format!("<office:document office:mimetype='{mimetype}'>{styles}{body}</office:document>");
    for (bytes, name) in [(&packed[..], "a.ods"), (flat.as_bytes(), "a.fods")] {
        let document = load_bytes(bytes, Path::new(name)).unwrap();
        assert_eq!(document.text, "# a\n\n| Hi |\n| --- |\n", "{name}");
        assert_eq!(
            document.metadata.extra["running_lines"],
            serde_json::json!(["Mill Ltd Draft", "Page"]),
            "{name}"
        );
    }
    let damaged = pack(&[
        ("mimetype", mimetype),
        ("content.xml", &content),
        ("styles.xml", "<a></b>"),
    ]);
    let document = load_bytes(&damaged, Path::new("a.ods")).unwrap();
    assert_eq!(document.text, "# a\n\n| Hi |\n| --- |\n");
}

/// Packs a binary workbook whose list has these bytes before the names of its sheets: `One`, with its part at
/// `target`, and the others, an empty id being none.
fn binary_workbook_of_list(before: &[u8], target: &str, others: &[(&str, &str)]) -> Vec<u8> {
    let listed = |id: &str, name: &str| {
        let id = if id.is_empty() {
            vec![0xFF; 4]
        } else {
            wide(id)
        };
        record(156, &[before, &id, &wide(name)].concat())
    };
    let mut main = listed("r0", "One");
    main.extend(others.iter().flat_map(|(id, name)| listed(id, name)));
    main.extend(record(0x90, &[]));
    main.extend(record(0x84, &[]));
    let list = format!(
        "<Relationships><Relationship Id='r0' Type='{RELATIONSHIP}/worksheet' Target='{target}'/></Relationships>"
    );
    let part = target
        .strip_prefix('/')
        .map_or(format!("xl/{target}"), str::to_owned);
    pack_bytes(&[
        ("xl/workbook.bin".to_owned(), main),
        ("xl/_rels/workbook.bin.rels".to_owned(), list.into_bytes()),
        (part, binary_sheet("Hello")),
    ])
}

#[test]
fn a_list_of_sheets_that_the_parser_does_not_know_is_read() {
    // Excel 2007 before its release wrote four bytes more.
    for (before, target) in [
        (&[0; 12][..], "worksheets/sheet1.bin"),
        (&[0; 8][..], "/xl/worksheets/sheet1.bin"),
        (&[0; 8][..], "macrosheets/sheet1.bin"),
        (&[0; 8][..], "worksheets/sheet1.bin"),
    ] {
        let bytes = binary_workbook_of_list(before, target, &[]);
        let document = load_bytes(&bytes, Path::new("a.xlsb")).unwrap();
        assert_eq!(document.text, "# One\n\n| Hello |\n| --- |\n", "{target}");
        assert!(omissions(&document.metadata).is_empty(), "{target}");
    }
}

#[test]
fn a_sheet_of_a_binary_workbook_without_a_part_costs_only_itself() {
    let others = [("r9", "Two"), ("", "Three")];
    let bytes = binary_workbook_of_list(&[0; 8][..], "worksheets/sheet1.bin", &others);
    let document = load_bytes(&bytes, Path::new("a.xlsb")).unwrap();
    assert_eq!(document.text, "# One\n\n| Hello |\n| --- |\n");
    assert_eq!(
        omissions(&document.metadata),
        ["the file holds nothing of the sheets Two, Three"]
    );
}

/// Makes a record of a workbook of before 2007.
pub(crate) fn old_record(kind: u16, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u16).to_le_bytes();
    [&kind.to_le_bytes()[..], &length, content].concat()
}

pub(crate) fn numbers(numbers: &[u16]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// Makes a stream of one sheet with these records.
fn old_sheet(records: &[u8]) -> Vec<u8> {
    let begin = |kind| old_record(0x0809, &numbers(&[0x0600, kind, 0, 0, 0, 0, 0, 0]));
    let end = old_record(0x000A, &[]);
    let start = begin(5).len() + 4 + 12 + end.len();
    let named = [&(start as u32).to_le_bytes()[..], &[0, 0, 4, 0], b"Data"].concat();
    let sheet = old_record(0x0085, &named);
    [&begin(5)[..], &sheet, &end, &begin(0x10), records, &end].concat()
}

/// Makes a compound file of a stream. `follow` may change which sector follows which.
fn compound(stream: &[u8], follow: impl FnOnce(&mut Vec<u32>)) -> Vec<u8> {
    const END: u32 = 0xFFFF_FFFE;
    let mut stream = stream.to_vec();
    stream.resize(stream.len().next_multiple_of(512).max(4096), 0);
    let mut head = vec![0; 76];
    head[..8].copy_from_slice(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
    head[26..34].copy_from_slice(&numbers(&[3, 0xFFFE, 9, 6]));
    for (at, number) in [(44, 1_u32), (48, 1), (60, END), (68, END)] {
        head[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    head.resize(512, 0xFF);
    head[76..80].fill(0);
    let last = 1 + stream.len() as u32 / 512;
    let mut next: Vec<u32> = vec![0xFFFF_FFFD, END];
    next.extend((2..=last).map(|at| if at == last { END } else { at + 1 }));
    follow(&mut next);
    next.resize(128, u32::MAX);
    let entry = |name: &str, kind: u8, start: u32, length: usize| {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        entry.resize(128, 0);
        (entry[64], entry[66]) = (2 * name.len() as u8 + 2, kind);
        entry[116..120].copy_from_slice(&start.to_le_bytes());
        entry[120..124].copy_from_slice(&(length as u32).to_le_bytes());
        entry
    };
    let mut directory = entry("Root Entry", 5, END, 0);
    directory.extend(entry("Workbook", 2, 2, stream.len()));
    directory.resize(512, 0);
    let next: Vec<u8> = next.into_iter().flat_map(u32::to_le_bytes).collect();
    [head, next, directory, stream].concat()
}

/// Puts another stream into a compound file of [`compound`].
fn with_stream(mut file: Vec<u8>, name: &str, stream: &[u8]) -> Vec<u8> {
    let first = file.len() / 512 - 1;
    let mut stream = stream.to_vec();
    stream.resize(stream.len().next_multiple_of(512).max(4096), 0);
    let end = first + stream.len() / 512;
    for at in first..end {
        let next = if at + 1 == end {
            0xFFFF_FFFE
        } else {
            at as u32 + 1
        };
        file[512 + 4 * at..516 + 4 * at].copy_from_slice(&next.to_le_bytes());
    }
    let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    entry.resize(128, 0);
    (entry[64], entry[66]) = (2 * name.len() as u8 + 2, 2);
    entry[116..120].copy_from_slice(&(first as u32).to_le_bytes());
    entry[120..124].copy_from_slice(&(stream.len() as u32).to_le_bytes());
    // The third entry of the directory, which is the second sector.
    file[1024 + 256..1024 + 384].copy_from_slice(&entry);
    [file, stream].concat()
}

/// Makes a property set of numbers and values with their types.
fn property_set(properties: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let mut list = Vec::new();
    let mut values: Vec<u8> = Vec::new();
    for (number, value) in properties {
        let offset = 8 + 8 * properties.len() + values.len();
        list.extend(number.to_le_bytes());
        list.extend((offset as u32).to_le_bytes());
        values.extend(value);
    }
    let mut stream = vec![0; 48];
    stream[44] = 48;
    stream.extend(0_u32.to_le_bytes());
    stream.extend((properties.len() as u32).to_le_bytes());
    [stream, list, values].concat()
}

#[test]
fn heads_and_feet_of_a_workbook_of_before_2007_are_named() {
    let narrow = |text: &[u8]| [&[text.len() as u8, 0, 0], text].concat();
    let letters: Vec<u8> = "&CPłan".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = [&[6, 0, 1], &letters[..]].concat();
    let records = [
        old_record(0x0014, &narrow(b"&LMill && Sons&RPage &P")),
        old_record(0x0015, &wide),
        old_record(0x0015, &[]),
        old_record(0x0014, &[0xFF, 0xFF, 0, b'a']),
        label(0, 0, "Hello"),
    ];
    let document = load_bytes(&old_workbook(&records.concat()), Path::new("a.xls")).unwrap();
    assert_eq!(document.text, "# Data\n\n| Hello |\n| --- |\n");
    assert_eq!(
        document.metadata.extra["running_lines"],
        serde_json::json!(["Mill & Sons Page", "Płan"])
    );
}

#[test]
fn the_properties_of_a_workbook_of_before_2007_are_metadata() {
    let text = |text: &[u8]| [&[0x1E, 0, 0, 0, text.len() as u8, 0, 0, 0], text].concat();
    // 2024-02-29 12:00:00, by Python: (datetime - datetime(1601, 1, 1)) in tenths of microseconds.
    let time = [
        &[0x40, 0, 0, 0][..],
        &133_536_816_000_000_000_u64.to_le_bytes(),
    ]
    .concat();
    let wide: Vec<u8> = "Größe".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let properties = property_set(&[
        (1, vec![2, 0, 0, 0, 0xE3, 4, 0, 0]),
        (2, text(b"\xCF\xEB\xE0\xED\0\0")),
        (3, text(b"\0")),
        (4, [&[0x1F, 0, 0, 0, 5, 0, 0, 0][..], &wide].concat()),
        (12, time),
        (13, [&[0x40, 0, 0, 0][..], &[0; 8]].concat()),
        (5, vec![0x1E, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]),
    ]);
    let file = old_workbook(&label(0, 0, "Hello"));
    let file = with_stream(file, "\u{5}SummaryInformation", &properties);
    let metadata = load_bytes(&file, Path::new("a.xls")).unwrap().metadata;
    assert_eq!(metadata.title.as_deref(), Some("План"));
    assert_eq!(metadata.author.as_deref(), Some("Größe"));
    assert_eq!(metadata.created.as_deref(), Some("2024-02-29T12:00:00Z"));
    assert_eq!(metadata.modified, None);
    assert!(!metadata.extra.contains_key("subject"));

    let properties = property_set(&[(2, text(b"Plans\0")), (15, text(b"Mill & Sons\0"))]);
    let file = old_workbook(&label(0, 0, "Hello"));
    let file = with_stream(file, "\u{5}DocumentSummaryInformation", &properties);
    let extra = load_bytes(&file, Path::new("a.xls"))
        .unwrap()
        .metadata
        .extra;
    assert_eq!(extra["category"], "Plans");
    assert_eq!(extra["company"], "Mill & Sons");
}

#[test]
fn the_properties_that_an_organization_adds_to_a_workbook_of_before_2007_are_metadata() {
    let text = |text: &[u8]| [&[0x1E, 0, 0, 0, text.len() as u8, 0, 0, 0], text].concat();
    let page = |number: u16| {
        (
            1,
            [&[2, 0, 0, 0][..], &number.to_le_bytes(), &[0, 0]].concat(),
        )
    };
    let values = |page: (u32, Vec<u8>), names: Vec<u8>| {
        property_set(&[
            (0, names),
            page,
            (2, text(b"Docs\0")),
            (3, vec![0x0B, 0, 0, 0, 0xFF, 0xFF, 0, 0]),
            (4, vec![3, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF]),
            (5, vec![0x1E, 0, 0, 0, 0, 0, 1, 0]),
        ])
    };
    let named = |number: u32, length: usize, letters: &[u8]| {
        [
            &number.to_le_bytes()[..],
            &(length as u32).to_le_bytes(),
            letters,
        ]
        .concat()
    };
    let narrow = [
        4_u32.to_le_bytes().to_vec(),
        named(2, 5, b"\xCF\xEB\xE0\xED\0"),
        named(3, 3, b"On\0"),
        named(4, 6, b"title\0"),
        named(5, 5, b"Long\0"),
    ]
    .concat();
    let wide = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().chain([0]);
        let mut bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    };
    let wide = [
        // One more than there are.
        5_u32.to_le_bytes().to_vec(),
        named(2, 5, &wide("План")),
        named(3, 3, &wide("On")),
        named(4, 6, &wide("title")),
        named(5, 5, &wide("Long")),
    ]
    .concat();
    for (number, names) in [(1251, narrow), (1200, wide)] {
        let first = property_set(&[(15, text(b"Mill\0"))]);
        let second = values(page(number), names);
        // The first set moves behind the list of both.
        let mut stream = [&first[..48], &[0; 20], &first[48..], &second[48..]].concat();
        let starts = [68, 68 + first.len() as u32 - 48];
        stream[24] = 2;
        stream[44..48].copy_from_slice(&starts[0].to_le_bytes());
        stream[64..68].copy_from_slice(&starts[1].to_le_bytes());
        let file = old_workbook(&label(0, 0, "Hello"));
        let file = with_stream(file, "\u{5}DocumentSummaryInformation", &stream);
        let metadata = load_bytes(&file, Path::new("a.xls")).unwrap().metadata;
        let extra = metadata.extra;
        assert_eq!(extra["company"], "Mill", "{number}");
        assert_eq!(extra["On"], true, "{number}");
        assert_eq!(extra["property_title"], -2, "{number}");
        assert_eq!(extra["properties_left_out"], 1, "{number}");
        if number == 1251 {
            assert_eq!(extra["План"], "Docs");
        }
    }
}

pub(crate) fn old_workbook(records: &[u8]) -> Vec<u8> {
    compound(&old_sheet(records), |_| {})
}

/// Makes a workbook with a record before those of its sheet.
fn old_sheet_behind(record: &[u8], cells: &[u8]) -> Vec<u8> {
    let stream = old_sheet(cells);
    let (begin, rest) = stream.split_at(20);
    let mut stream = [begin, record, rest].concat();
    // The sheet begins that much later.
    stream[20 + record.len() + 4] += record.len() as u8;
    stream
}

/// Makes a cell of a text.
pub(crate) fn label(row: u16, column: u16, text: &str) -> Vec<u8> {
    let place = numbers(&[row, column, 0, text.len() as u16]);
    old_record(0x0204, &[&place[..], &[0], text.as_bytes()].concat())
}

/// Makes an object of a sheet with a text.
fn boxed(kind: u16, id: u16, text: &str) -> Vec<u8> {
    let letters: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let length = text.encode_utf16().count() as u16;
    let records = [
        old_record(
            0x005D,
            &numbers(&[0x15, 0x12, kind, id, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ),
        old_record(0x01B6, &numbers(&[0, 0, 0, 0, 0, length, 16, 0, 0])),
        old_record(0x003C, &[&[1], &letters[..]].concat()),
        old_record(0x003C, &[0; 16]),
    ];
    records.concat()
}

#[test]
fn comments_and_text_boxes_of_a_workbook_of_before_2007_are_read() {
    let note = [&numbers(&[2, 1, 0, 7, 3])[..], b"\0Ada"].concat();
    let chart = numbers(&[0x0600, 0x20, 0, 0, 0, 0, 0, 0]);
    let records = [
        label(0, 0, "Hello"),
        boxed(0x19, 7, "Look h\u{e9}re."),
        boxed(6, 8, "A box"),
        old_record(0x001C, &note),
        old_record(0x0809, &chart),
        label(9, 9, "of the chart"),
        old_record(0x000A, &[]),
    ];
    let document = load_bytes(&old_workbook(&records.concat()), Path::new("a.xls")).unwrap();
    let expected =
        "# Data\n\n| Hello |\n| --- |\n\nA box\n\nComment on B3 by Ada: Look h\u{e9}re.\n";
    assert_eq!(document.text, expected);
    assert_eq!(omissions(&document.metadata), ["1 chart is left out"]);
}

#[test]
fn cells_of_a_workbook_of_before_2007_keep_where_they_lead_to() {
    const OF_WEB: [u8; 16] = [
        0xE0, 0xC9, 0xEA, 0x79, 0xF9, 0xBA, 0xCE, 0x11, 0x8C, 0x82, 0, 0xAA, 0, 0x4B, 0xA9, 0x0B,
    ];
    let letters = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().chain([0]);
        units.flat_map(u16::to_le_bytes).collect()
    };
    let counted = |count: usize, bytes: &[u8]| [&(count as u32).to_le_bytes()[..], bytes].concat();
    let text = |text: &str| counted(text.len() + 1, &letters(text));
    let address = letters("https://a.example/x");
    let address = counted(address.len(), &address);
    let link = |column: u16, flags: u32, rest: &[u8]| {
        let cells = numbers(&[0, 0, column, column]);
        let head = [2, flags].map(u32::to_le_bytes).concat();
        old_record(0x01B8, &[&cells[..], &[0; 16], &head, rest].concat())
    };
    let records = [
        label(0, 0, "Hello"),
        label(0, 1, "World"),
        label(0, 2, "Below"),
        label(0, 3, "Cut"),
        link(
            0,
            0x1B,
            &[&text("Words")[..], &OF_WEB, &address, &text("y")].concat(),
        ),
        link(1, 0x101, &text("https://b.example")),
        link(2, 8, &text("Sheet2!A1")),
        link(3, 3, &OF_WEB),
    ];
    let bytes = old_workbook(&records.concat());
    let text = load_bytes(&bytes, Path::new("a.xls")).unwrap().text;
    assert!(
        text.contains(
            "| [Hello](https://a.example/x#y) | [World](https://b.example) | Below | Cut |"
        ),
        "{text}"
    );
}

#[test]
fn formulas_of_a_workbook_of_before_2007_that_nobody_has_calculated_are_counted() {
    let formula = |row: u16, value: [u8; 8]| {
        let sum = [0x1E, 1, 0, 0x1E, 2, 0, 3];
        let content = [
            &numbers(&[row, 0, 0])[..],
            &value,
            &numbers(&[0, 0, 0, 7]),
            &sum,
        ]
        .concat();
        old_record(0x0006, &content)
    };
    let empty = [3, 0, 0, 0, 0, 0, 0xFF, 0xFF];
    let load = |cells: &[Vec<u8>]| {
        let bytes = old_workbook(&cells.concat());
        load_bytes(&bytes, Path::new("a.xls")).unwrap()
    };
    let document = load(&[label(0, 0, "Sum"), formula(1, empty)]);
    assert_eq!(document.text, "# Data\n\n| Sum |\n| --- |\n");
    assert_eq!(document.metadata.extra["formulas_left_out"], 1);
    let said = omissions(&document.metadata);
    assert!(said[0].starts_with("1 formula is left out"), "{said:?}");
    // Where others have a value, an empty text is one.
    let document = load(&[formula(0, 3_f64.to_le_bytes()), formula(1, empty)]);
    assert_eq!(document.text, "# Data\n\n| 3 |\n| --- |\n");
    assert!(omissions(&document.metadata).is_empty());
}

#[test]
fn the_code_page_of_a_workbook_of_excel_97_says_nothing_of_its_text() {
    let code_page = old_record(0x0042, &numbers(&[1252]));
    let wide = [&numbers(&[0, 1, 0, 2])[..], &[1, 0xAC, 0x20, 0x16, 0x04]].concat();
    let cells = [label(0, 0, "Titel"), old_record(0x0204, &wide)].concat();
    let stream = old_sheet_behind(&code_page, &cells);
    let text = load_bytes(&compound(&stream, |_| {}), Path::new("a.xls"))
        .unwrap()
        .text;
    assert_eq!(
        text,
        "# Data\n\n| Titel | \u{20AC}\u{416} |\n| --- | --- |\n"
    );
}

/// Makes a workbook of Excel 5 in this code page, with these records before its sheet, whose name is a text, and with
/// these cells.
fn workbook_of_excel_5(code_page: u16, before: &[u8], name: &[u8], cells: &[u8]) -> Vec<u8> {
    let begin = |kind| old_record(0x0809, &numbers(&[0x0500, kind, 0, 0]));
    let end = old_record(0x000A, &[]);
    let globals = [&old_record(0x0042, &numbers(&[code_page]))[..], before].concat();
    let start = begin(5).len() + globals.len() + 4 + 7 + name.len() + end.len();
    let length = [name.len() as u8];
    let named = [&(start as u32).to_le_bytes()[..], &[0, 0], &length, name].concat();
    let sheet = old_record(0x0085, &named);
    let stream = [
        &begin(5)[..],
        &globals,
        &sheet,
        &end,
        &begin(0x10),
        cells,
        &end,
    ]
    .concat();
    compound(&stream, |_| {})
}

/// Makes a cell of a text in a code page.
fn label_of_excel_5(text: &[u8]) -> Vec<u8> {
    let place = numbers(&[0, 0, 0, text.len() as u16]);
    old_record(0x0204, &[&place[..], text].concat())
}

#[test]
fn formats_of_a_workbook_of_excel_5_are_read_in_its_code_page() {
    let code = b"0\"\xF0\xF3\xE1\"";
    let format = [&numbers(&[164])[..], &[code.len() as u8], code].concat();
    let of_cell = numbers(&[0, 164, 0, 0, 0, 0, 0, 0]);
    let before = [old_record(0x041E, &format), old_record(0x00E0, &of_cell)].concat();
    let number = [&numbers(&[0, 0, 0])[..], &7.0_f64.to_le_bytes()].concat();
    let bytes = workbook_of_excel_5(1251, &before, b"A", &old_record(0x0203, &number));
    let text = load_bytes(&bytes, Path::new("a.xls")).unwrap().text;
    assert_eq!(text, "# A\n\n| 7руб |\n| --- |\n");
}

#[test]
fn a_workbook_of_excel_5_is_read_in_its_code_page() {
    for (code_page, text, expected) in [
        (10_029, &b"\x8Be\xE1t\x81"[..], "čeŠtĀ"),
        (10_081, &b"\xDDz\xDF"[..], "ızş"),
        (10_007, &b"\x8F\xF0"[..], "Пр"),
        (437, &b"K\x94ln"[..], "Köln"),
        (1251, &b"\xCF\xF0"[..], "Пр"),
        (32_769, &b"caf\xE9"[..], "café"),
    ] {
        let bytes = workbook_of_excel_5(code_page, &[], text, &label_of_excel_5(text));
        let document = load_bytes(&bytes, Path::new("a.xls")).unwrap();
        let whole = format!("# {expected}\n\n| {expected} |\n| --- |\n");
        assert_eq!(document.text, whole, "{code_page}");
    }
    let unknown = workbook_of_excel_5(720, &[], b"a", &label_of_excel_5(b"a"));
    let error = load_bytes(&unknown, Path::new("a.xls")).unwrap_err();
    let said =
        "cannot load a.xls: its texts are in code page 720, which cannot be read; save it as .xlsx";
    assert_eq!(error.to_string(), said);
}

#[test]
fn a_workbook_that_is_obfuscated_is_encrypted() {
    let password = old_record(0x002F, &numbers(&[0, 0x1234, 0x5678]));
    let stream = old_sheet_behind(&password, &label(0, 0, "secret"));
    let error = load_bytes(&compound(&stream, |_| {}), Path::new("a.xls")).unwrap_err();
    assert!(matches!(error, Error::Encrypted { .. }), "{error}");
}

/// None of these may reach the parser, which would take gigabytes, or end the process.
#[test]
fn a_workbook_that_claims_more_than_it_has_is_read_as_far_as_it_has_cells() {
    bounded(
        "sheets::a_workbook_that_claims_more_than_it_has_is_read_as_far_as_it_has_cells",
        || {
            let claim = |first: u32, last: u32| {
                let rows = [first.to_le_bytes(), last.to_le_bytes()].concat();
                old_record(0x0200, &[&rows[..], &numbers(&[0, 256, 0])].concat())
            };
            for claim in [claim(0, u32::MAX), claim(9, 5)] {
                let bytes = old_workbook(&[claim, label(0, 0, "a")].concat());
                let document = load_bytes(&bytes, Path::new("a.xls")).unwrap();
                assert_eq!(document.text, "# Data\n\n| a |\n| --- |\n");
            }
        },
    );
}

#[test]
fn cells_of_a_workbook_of_before_2007_that_stand_far_apart_are_read() {
    bounded(
        "sheets::cells_of_a_workbook_of_before_2007_that_stand_far_apart_are_read",
        || {
            let value = |kind: u16, row: u16, value: &[u8]| {
                old_record(kind, &[&numbers(&[row, 0, 0])[..], value].concat())
            };
            let formula = |row: u16, result: [u8; 8]| {
                let rest = numbers(&[0, 0, 0, 0]);
                value(0x0006, row, &[&result[..], &rest].concat())
            };
            let packed = |number: u32| number.to_le_bytes();
            let records = [
                label(u16::MAX, 255, "z"),
                label(0, 0, "first"),
                label(0, 0, "a"),
                label(0, 1, "b"),
                value(0x0203, 1, &1.5_f64.to_le_bytes()),
                // Whole, in hundredths, negative, and the upper bits of 2.5.
                value(0x027E, 2, &packed((7 << 2) | 2)),
                value(0x027E, 3, &packed((1234 << 2) | 3)),
                value(0x027E, 4, &packed(((-5_i32).cast_unsigned() << 2) | 2)),
                value(0x027E, 5, &packed((2.5_f64.to_bits() >> 32) as u32)),
                old_record(
                    0x00BD,
                    &[
                        &numbers(&[6, 1, 0])[..],
                        &packed(2 | 4),
                        &[0, 0],
                        &packed(2 | 8),
                        &[2, 0],
                    ]
                    .concat(),
                ),
                value(0x0205, 7, &[1, 0]),
                value(0x0205, 8, &[0x2A, 1]),
                formula(9, 3.0_f64.to_le_bytes()),
                formula(10, [0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
                old_record(0x0207, &[&[4, 0, 0][..], b"te"].concat()),
                old_record(0x003C, &[1, b'x', 0, b't', 0]),
                formula(11, [1, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
                formula(12, [2, 0, 7, 0, 0, 0, 0xFF, 0xFF]),
                formula(13, [3, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
            ];
            let bytes = old_workbook(&records.concat());
            let document = load_bytes(&bytes, Path::new("a.xls")).unwrap();
            let rows = [
                "| 1.5 |",
                "| 7 |",
                "| 12.34 |",
                "| -5 |",
                "| 2.5 |",
                "|  | 1 | 2 |",
                "| TRUE |",
                "| #N/A |",
                "| 3 |",
                "| text |",
                "| FALSE |",
                "| #DIV/0! |",
            ];
            for row in rows {
                assert!(
                    document.text.contains(&format!("\n{row}")),
                    "{row}: {}",
                    document.text
                );
            }
            assert!(
                document.text.starts_with("# Data\n\n| a | b |"),
                "{}",
                document.text
            );
            assert!(!document.text.contains("first"));
            assert!(
                document.text.trim_end().ends_with(" z |"),
                "{}",
                document.text
            );
        },
    );
}

#[test]
fn shared_texts_of_a_workbook_whose_cells_stand_far_apart_are_read() {
    // Two strings, of which the second goes on in another record, there with letters of two bytes.
    let shared = [&[0; 8][..], &[2, 0, 0], b"Hi", &[4, 0, 0], b"St"].concat();
    let more = [&[1_u8][..], &[0x42, 1, b'd', 0]].concat();
    let shared = [old_record(0x00FC, &shared), old_record(0x003C, &more)].concat();
    let cell =
        |row: u16, column: u16, text: u16| old_record(0x00FD, &numbers(&[row, column, 0, text, 0]));
    let cells = [
        cell(0, 0, 0),
        cell(u16::MAX, 255, 1),
        cell(u16::MAX, 255, 9),
    ]
    .concat();
    let stream = old_sheet_behind(&shared, &cells);
    let document = load_bytes(&compound(&stream, |_| {}), Path::new("a.xls")).unwrap();
    assert!(
        document.text.starts_with("# Data\n\n| Hi |"),
        "{}",
        document.text
    );
    assert!(document.text.contains(" Stłd |"), "{}", document.text);
}

#[test]
fn a_workbook_whose_sectors_go_on_with_themselves_is_damaged() {
    let refusal = |bytes: &[u8]| load_bytes(bytes, Path::new("a.xls")).unwrap_err();
    let sheet = old_sheet(&label(0, 0, "a"));
    for follow in [
        // The directory, and the stream, go on with themselves.
        (|next: &mut Vec<u32>| next[1] = 1) as fn(&mut Vec<u32>),
        |next| next[3] = 2,
    ] {
        let mut bytes = compound(&sheet, follow);
        // The stream says that it has so many bytes.
        bytes[1024 + 128 + 120..][..4].copy_from_slice(&(1_u32 << 30).to_le_bytes());
        let error = refusal(&bytes);
        assert!(matches!(error, Error::Parse { .. }), "{error}");
    }
}

#[test]
fn a_shared_text_of_a_workbook_of_before_2007_counts_as_often_as_it_is_named() {
    let mut shared = [&[0; 8][..], &numbers(&[2 << 10]), &[0]].concat();
    shared.resize(shared.len() + (2 << 10), b'x');
    let stream = old_sheet(&[]);
    let (globals, _) = stream.split_at(20 + 16);
    let cell = |row: u16| old_record(0x00FD, &numbers(&[row, 0, 0, 0, 0]));
    let cells: Vec<u8> = (0..2000).flat_map(cell).collect();
    let mut stream = [
        globals,
        &old_record(0x00FC, &shared),
        &stream[36..60],
        &cells,
    ]
    .concat();
    let start = (36 + shared.len() + 4 + 4) as u32;
    stream[24..28].copy_from_slice(&start.to_le_bytes());
    stream.extend(old_record(0x000A, &[]));
    let bytes = compound(&stream, |_| {});
    assert!(load_bytes(&bytes, Path::new("a.xls")).is_ok());
    check_too_large(&bytes, "a.xls");
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
fn numbers_of_a_workbook_of_before_2007_are_as_shown() {
    let format = |code: &str| {
        let head = numbers(&[200, code.len() as u16]);
        old_record(0x041E, &[&head[..], &[0], code.as_bytes()].concat())
    };
    let style = |id: u16| old_record(0x00E0, &numbers(&[0, id, 0, 0, 0, 0, 0, 0, 0, 0]));
    let number = |column: u16, style: u16, value: f64| {
        let place = numbers(&[1, column, style]);
        old_record(0x0203, &[&place[..], &value.to_le_bytes()].concat())
    };
    let many = old_record(
        0x00BD,
        &[
            &numbers(&[1, 3])[..],
            &numbers(&[1, 0x0002 | (50 << 2), 0, 0, 0x0002 | (7 << 2), 0, 4]),
        ]
        .concat(),
    );
    let cells = [
        label(0, 0, "a"),
        label(0, 1, "b"),
        number(0, 1, 0.125),
        number(1, 2, 12_345_678.0),
        number(2, 0, 0.125),
        number(7, 3, 33_966.25),
        many,
    ];
    let begin = |kind| old_record(0x0809, &numbers(&[0x0600, kind, 0, 0, 0, 0, 0, 0]));
    let end = old_record(0x000A, &[]);
    let styles = [
        format("0.0,,\"M\""),
        style(0),
        style(10),
        style(200),
        style(20),
    ]
    .concat();
    let start = begin(5).len() + styles.len() + 4 + 12 + end.len();
    let named = [&(start as u32).to_le_bytes()[..], &[0, 0, 4, 0], b"Data"].concat();
    let sheet = old_record(0x0085, &named);
    let stream = [
        &begin(5)[..],
        &styles,
        &sheet,
        &end,
        &begin(0x10),
        &cells.concat(),
        &end,
    ]
    .concat();
    let text = load_bytes(&compound(&stream, |_| {}), Path::new("a.xls"))
        .unwrap()
        .text;
    assert!(
        text.contains("| 12.50% | 12.3M | 0.125 | 5000.00% | 7 | 06:00:00 |"),
        "{text}"
    );
}

#[test]
fn numbers_of_a_binary_workbook_are_as_shown() {
    let cell = |column: u32, style: u32, value: f64| {
        let place = [column, style].map(u32::to_le_bytes).concat();
        record(5, &[&place[..], &value.to_le_bytes()].concat())
    };
    let sheet = [
        record(0x81, &[]),
        record(0x94, &[0; 16]),
        record(0x91, &[]),
        record(0, &[0; 25]),
        cell(0, 1, 0.125),
        cell(1, 2, 12_345_678.0),
        cell(2, 0, 0.5),
        cell(3, 0, 4_111_111_111_111_111.0),
        record(0x92, &[]),
    ];
    let style = |id: u16| record(47, &numbers(&[0, id, 0, 0, 0, 0, 0, 0]));
    let styles = [
        record(615, &1_u32.to_le_bytes()),
        record(44, &[&numbers(&[200])[..], &wide("0.0,,\"M\"")].concat()),
        record(616, &[]),
        record(617, &3_u32.to_le_bytes()),
        style(0),
        style(10),
        style(200),
        record(618, &[]),
    ];
    let bytes = binary_workbook_with(&[sheet.concat()], &styles.concat());
    let text = load_bytes(&bytes, Path::new("a.xlsb")).unwrap().text;
    assert!(
        text.contains("| 12.50% | 12.3M | 0.5 | 4111111111111111 |"),
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
