//! Damage in made PDF files, and what is read over it.

use std::fmt::Write as _;

use sectile_load::omissions;

use crate::made_pdf::{Made, at, load};

/// Returns the words of a file, with a space between each two.
fn words(made: &Made) -> String {
    let text = made.load().text;
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_page_is_read_over_a_damaged_instruction() {
    let before = at(72.0, 700.0, "Before the damage");
    let after = at(72.0, 500.0, "Behind it");
    for (damaged, text) in [
        ("[(Dam)-20(aged))-20( line)]TJ", "Damaged line"),
        ("[(Damaged)>-20( line)]TJ", "Damaged line"),
        ("[<44G616D61676564>-20( line)]TJ", "Damaged line"),
        ("[(Damaged)-20Td( line)]TJ", "Damaged line"),
        ("[(Damaged)-20{( line)]TJ }", "Damaged line"),
        ("[(Damaged)[(\\040)-20(line)]TJ", "Damaged line"),
        ("[(Damaged line)-20", "Damaged line"),
        ("(Damaged)-20( line)]TJ", "Damaged line"),
    ] {
        let content = format!("{before}BT /F1 11 Tf 72 600 Td {damaged} ET\n{after}");
        let made = Made::new(&content);
        let expected = format!("Before the damage {text} Behind it");
        assert_eq!(words(&made), expected, "{damaged}");
        assert_eq!(
            omissions(&made.load().metadata),
            ["page 1 has damaged content, of which parts may be missing"]
        );
    }
    let whole = Made::new(&(before + &after)).load();
    assert!(omissions(&whole.metadata).is_empty());
}

#[test]
fn a_page_is_read_over_many_texts_that_nothing_closes() {
    let before = at(72.0, 700.0, "Before the damage");
    let after = at(72.0, 500.0, "Behind it");
    let unclosed = "(".repeat(2_000);
    let made = Made::new(&format!("{before}BT /F1 11 Tf {unclosed} ET\n{after}"));
    assert_eq!(words(&made), "Before the damage Behind it");
}

#[test]
fn widths_are_read_that_a_font_does_not_say_as_it_should() {
    let text = "Have the following";
    let widths = |code: u8| {
        if code == b'l' {
            300
        } else {
            500 + 5 * u32::from(code % 16)
        }
    };
    // Each letter is put where the one before ends.
    let mut content = String::from("BT /F9 10 Tf 72 700 Td");
    for letter in text.bytes() {
        let width = f64::from(widths(letter)) / 100.0;
        let _ = write!(content, " <{letter:02x}> Tj {width} 0 Td");
    }
    content += " ET";
    let read = |says: &str, null: Option<u8>| {
        let listed = (32..=126).map(|code| match null {
            Some(null) if null == code => "null".to_owned(),
            _ => widths(code).to_string(),
        });
        let font = format!(
            "<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+X{says}/Widths[{}]/Encoding/WinAnsiEncoding>>",
            listed.collect::<Vec<_>>().join(" ")
        );
        let made = Made {
            others: vec![font],
            ..Made::new(&content)
        };
        let bytes = String::from_utf8(made.bytes()).unwrap();
        load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes())
            .unwrap()
            .text
    };
    let expected = format!("{text}\n");
    assert_eq!(read("/FirstChar 32/LastChar 126", None), expected);
    assert_eq!(read("/LastChar 126", None), expected);
    assert_eq!(read("/FirstChar 32", None), expected);
    assert_eq!(read("/FirstChar 32/LastChar 126", Some(b'w')), expected);
}

#[test]
fn pages_are_read_whose_box_is_damaged() {
    let made = Made {
        contents: vec![at(72.0, 700.0, "First"), at(72.0, 700.0, "Second")],
        ..Made::new("")
    };
    let damaged = |first: &str| {
        let bytes = String::from_utf8(made.bytes()).unwrap();
        bytes.replacen("/MediaBox[0 0 612 792]", first, 1)
    };
    for first in ["/MediaBox[0 0?612 792]", "/MediaBox[0 0 6?2 7f2]"] {
        let document = load(damaged(first).as_bytes()).unwrap();
        assert_eq!(document.text, "First\nSecond\n", "{first}");
        assert!(omissions(&document.metadata).is_empty());
    }
    let lost = load(damaged("/MediaBox[0 0 612 792)").as_bytes()).unwrap();
    assert_eq!(lost.text, "Second\n");
    assert_eq!(
        omissions(&lost.metadata),
        ["1 page that the file lists cannot be found"]
    );
    let single = Made::new(&at(72.0, 700.0, "Only"));
    let bytes = String::from_utf8(single.bytes()).unwrap();
    let bytes = bytes.replace("0 0 612 792", "0 0?612 792");
    assert_eq!(load(bytes.as_bytes()).unwrap().text, "Only\n");
}

#[test]
fn a_path_with_too_few_numbers_ends_no_page() {
    let content = at(72.0, 700.0, "Before") + "10 20 30 re f\n" + &at(72.0, 600.0, "Behind");
    assert_eq!(words(&Made::new(&content)), "Before Behind");
}

#[test]
fn damage_may_be_all_over_a_page() {
    let content = "[ (((( Td ) > ".repeat(300) + &at(72.0, 700.0, "Behind");
    assert_eq!(words(&Made::new(&content)), "Behind");
}

#[test]
fn streams_of_pages_may_have_no_end() {
    let page = |text: &str| at(72.0, 700.0, text);
    let made = Made {
        contents: vec![page("First"), page("Second"), page("Third")],
        ..Made::new("")
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    let arrays = ["11", "13", "15"]
        .iter()
        .fold(bytes.clone(), |all, number| {
            all.replace(
                &format!("/Contents {number} 0 R"),
                &format!("/Contents[{number} 0 R]"),
            )
        });
    for file in [&bytes, &arrays] {
        let ends: Vec<usize> = file
            .match_indices("\nendstream")
            .map(|(at, _)| at)
            .collect();
        let without =
            |range: std::ops::Range<usize>| [&file[..range.start], &file[range.end..]].concat();
        for at in &ends {
            let damaged = without(*at..at + "\nendstream".len());
            let text = load(damaged.as_bytes()).unwrap().text;
            assert_eq!(text, "First\nSecond\nThird\n", "{damaged}");
        }
        let all = file.replace("\nendstream", "");
        assert_eq!(load(all.as_bytes()).unwrap().text, "First\nSecond\nThird\n");
        let cut = without(ends[2]..file.len());
        assert_eq!(load(cut.as_bytes()).unwrap().text, "First\nSecond\nThird\n");
    }
}

#[test]
fn a_file_may_have_no_header() {
    let bytes = String::from_utf8(Made::new(&at(72.0, 700.0, "Only")).bytes()).unwrap();
    for header in ["%1.7\n", "%PDF\n"] {
        let file = bytes.replace("%PDF-1.7\n", header);
        assert_eq!(load(file.as_bytes()).unwrap().text, "Only\n", "{header}");
    }
}

#[test]
fn a_type_size_that_no_page_has_room_for_is_passed_over() {
    let content = "BT /F1 11 Tf 72 700 Td /F1 36999999. Tf (Damaged size) Tj ET";
    assert_eq!(words(&Made::new(content)), "Damaged size");
}

#[test]
fn a_font_of_a_kind_that_does_not_exist_has_the_letters_of_ascii() {
    let read = |font: &str| {
        let made = Made {
            others: vec![format!("<</Type/Font/BaseFont/Times-Italic{font}>>")],
            ..Made::new("BT /F9 11 Tf 72 700 Td (Hello \\351) Tj ET")
        };
        let bytes = String::from_utf8(made.bytes()).unwrap();
        load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes())
    };
    for kind in ["/Subtype/Type7", ""] {
        let document = read(kind).unwrap();
        assert_eq!(document.text, "Hello\n", "{kind}");
        assert_eq!(document.metadata.extra["unmapped_letters"]["1"], 1);
    }
    assert!(read("/Subtype/Type7/Encoding<</Differences[72/J]>>").is_err());
}
