//! Workbooks of before 2007 whose cells stand far apart, or that claim more than they have.

use super::*;

/// None of these may reach the parser, which would take gigabytes, or end the process.
#[test]
fn a_workbook_that_claims_more_than_it_has_is_read_as_far_as_it_has_cells() {
    bounded(
        "sheets::old::apart::a_workbook_that_claims_more_than_it_has_is_read_as_far_as_it_has_cells",
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
        "sheets::old::apart::cells_of_a_workbook_of_before_2007_that_stand_far_apart_are_read",
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
