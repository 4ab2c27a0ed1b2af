//! Workbooks that are made for the tests.

use super::*;

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
pub(super) fn binary_workbook_with(sheets: &[Vec<u8>], styles: &[u8]) -> Vec<u8> {
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
pub(super) fn old_sheet(records: &[u8]) -> Vec<u8> {
    let begin = |kind| old_record(0x0809, &numbers(&[0x0600, kind, 0, 0, 0, 0, 0, 0]));
    let end = old_record(0x000A, &[]);
    let start = begin(5).len() + 4 + 12 + end.len();
    let named = [&(start as u32).to_le_bytes()[..], &[0, 0, 4, 0], b"Data"].concat();
    let sheet = old_record(0x0085, &named);
    [&begin(5)[..], &sheet, &end, &begin(0x10), records, &end].concat()
}

/// Makes a compound file of a stream. `follow` may change which sector follows which.
pub(super) fn compound(stream: &[u8], follow: impl FnOnce(&mut Vec<u32>)) -> Vec<u8> {
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

pub(crate) fn old_workbook(records: &[u8]) -> Vec<u8> {
    compound(&old_sheet(records), |_| {})
}

/// Makes a cell of a text.
pub(crate) fn label(row: u16, column: u16, text: &str) -> Vec<u8> {
    let place = numbers(&[row, column, 0, text.len() as u16]);
    old_record(0x0204, &[&place[..], &[0], text.as_bytes()].concat())
}
