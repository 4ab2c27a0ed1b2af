//! Binary workbooks.

use super::*;

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
