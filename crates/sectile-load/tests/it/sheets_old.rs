//! Workbooks of before 2007.

use super::*;

#[path = "sheets_apart.rs"]
mod apart;

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

/// Makes a workbook with a record before those of its sheet.
fn old_sheet_behind(record: &[u8], cells: &[u8]) -> Vec<u8> {
    let stream = old_sheet(cells);
    let (begin, rest) = stream.split_at(20);
    let mut stream = [begin, record, rest].concat();
    // The sheet begins that much later.
    stream[20 + record.len() + 4] += record.len() as u8;
    stream
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
