//! What is raised or lowered beside a line.

use super::*;

#[test]
fn raised_digits_are_no_part_of_the_number_before() {
    let raised = |text: &str| format!("/F1 7 Tf 4 Ts ({text}) Tj 0 Ts /F1 11 Tf");
    let line = format!(
        "BT /F1 11 Tf 72 700 Td (Sales of 4,512) Tj {} ( million, 10) Tj {} ( items, 1) Tj {} ( of May) Tj ET",
        raised("1"),
        raised("-6"),
        raised("st"),
    );
    check(&line, "Sales of 4,512¹ million, 10⁻⁶ items, 1st of May");
}

/// Draws a text in smaller type, raised or lowered by some points, within a text of 10 points.
fn off_line(rise: i32, size: u32, text: &str) -> String {
    format!(" /F1 {size} Tf {rise} Ts ({text}) Tj 0 Ts /F1 10 Tf ")
}

#[test]
fn what_is_raised_or_lowered_within_a_line_is_part_of_it() {
    for (rise, size) in (2..=7).flat_map(|rise| [(rise, 7), (rise, 8)]) {
        let line = [
            "(An area of 25 m) Tj",
            &off_line(rise, size, "2"),
            "( with water H) Tj",
            &off_line(-rise, size, "2"),
            "(O and SO) Tj",
            &off_line(-rise, size, "4"),
            &off_line(rise, size, "2-"),
            "( has 10) Tj",
            &off_line(rise, size, "6"),
        ]
        .concat();
        let text = "An area of 25 m² with water H2O and SO4²⁻ has 10⁶";
        for leading in [10, 12] {
            let content =
                format!("BT /F1 10 Tf {leading} TL 72 700 Td {line} T* {line} T* (It ends.) Tj ET");
            let read = Made::new(&content).load().text;
            let words: Vec<&str> = read.split_whitespace().collect();
            assert_eq!(words.join(" "), format!("{text} {text} It ends."));
        }
    }
}

#[test]
fn raised_and_lowered_digits_leave_the_number_beside_them_as_it_is() {
    let line = |words: &str| format!("BT /F1 10 Tf 72 700 Td {words} ET");
    let raised = |size: u32, text: &str| off_line(4, size, text);
    // No smaller than the line, or hardly.
    for size in [9, 10] {
        let words = format!("(It has 10) Tj {} ( m) Tj", raised(size, "2"));
        check(&line(&words), "It has 10² m");
    }
    // Most letters of the line are raised.
    check(&line(&format!("(5) Tj {}", raised(7, "123"))), "5¹²³");
    // The number itself is smaller than most of the line.
    let words = format!(
        "/F1 18 Tf (It has an area of) Tj /F1 10 Tf ( 1,234) Tj {}",
        off_line(2, 6, "3")
    );
    check(&line(&words), "It has an area of 1,234³");
    // Letters that have no superscript.
    let words = format!("(It is 10) Tj {} ( high) Tj", raised(7, "2x"));
    check(&line(&words), "It is 10^2x high");
    let words = format!("(It is log) Tj {} (8 or so) Tj", off_line(-2, 7, "2"));
    check(&line(&words), "It is log₂8 or so");
}

#[test]
fn marks_of_notes_stand_before_their_notes() {
    let note = |mark: &str, text: &str| {
        format!("/F1 5 Tf 4.5 Ts ({mark}) Tj 0 Ts /F1 8 Tf ( {text}) Tj T* ")
    };
    let notes = note("1", "The first of the notes") + &note("2", "The second of the notes");
    let text = [
        "A line of text in type that is larger than that of its notes",
        "and another one that is set as tightly as lines can be set",
        "It",
    ];
    let lines = text.map(|line| format!("({line}) Tj T* ")).concat();
    let content = format!("BT /F1 10 Tf 10 TL 72 700 Td {lines} 8 TL {notes} ET");
    let text = Made::new(&content).load().text;
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let [text, notes @ ..] = &*lines else {
        panic!("there is no text");
    };
    assert!(text.ends_with("as lines can be set It"), "{text}");
    let expected = ["¹ The first of the notes", "² The second of the notes"];
    assert_eq!(notes, expected);
}

#[test]
fn what_stands_above_each_other_beside_a_line_is_no_part_of_it() {
    let small = |x: f64, y: f64, text: &str| format!("BT /F1 7 Tf {x} {y} Td ({text}) Tj ET\n");
    let content = at(72.0, 700.0, "Half")
        + &small(95.0, 705.5, "1")
        + &small(95.0, 694.5, "2")
        + &at(100.0, 700.0, "of it");
    let text = Made::new(&content).load().text;
    assert!(!text.contains('¹') && !text.contains("2 of it"), "{text}");
    // Far from the line.
    let content = at(72.0, 700.0, "Half") + &small(110.0, 705.5, "of it");
    assert!(!Made::new(&content).load().text.contains("Half of it"));
}

#[test]
fn signs_that_hang_from_above_their_line_are_part_of_it() {
    let read = |parts: &[(f64, &str)]| {
        let parts = parts.iter().map(|&(rise, part)| {
            if rise > 0.0 {
                format!("/F9 11 Tf {rise} Ts <{part}> Tj ")
            } else {
                format!("/F1 11 Tf 0 Ts ({part}) Tj ")
            }
        });
        let line = parts.collect::<String>();
        let made = Made {
            others: vec!["<</Type/Font/Subtype/Type1/BaseFont/Symbol>>".into()],
            ..Made::new(&format!(
                "BT 72 700 Td {line}ET\n{}",
                at(72.0, 686.0, "where n is the number of nodes in the system.")
            ))
        };
        let bytes = String::from_utf8(made.bytes()).unwrap();
        let bytes = bytes.replace("/F3 5 0 R", "/F9 10 0 R");
        load(bytes.as_bytes()).unwrap().text
    };
    let cases: [(&[(f64, &str)], &str); 4] = [
        (
            &[
                (0.0, "Uses O\\("),
                (7.8, "d6"),
                (0.0, "n\\) space, and more"),
            ],
            "Uses O(√n) space, and more",
        ),
        (
            &[
                (0.0, "The sum "),
                (8.2, "e5"),
                (0.0, "x and the integral "),
                (8.8, "f2"),
                (0.0, "y are small"),
            ],
            "The sum ∑x and the integral ∫y are small",
        ),
        (
            &[
                (0.0, "The term f"),
                (9.4, "28"),
                (0.0, "x + y"),
                (9.4, "29"),
                (0.0, " is small"),
            ],
            "The term f(x + y) is small",
        ),
        (
            &[(8.2, "e5"), (7.8, "d6"), (0.0, "x is small")],
            "∑√x is small",
        ),
    ];
    for (parts, expected) in cases {
        let text = read(parts);
        assert!(text.starts_with(expected), "{text}");
    }
    // What is put higher as a whole stays higher.
    let text = read(&[(0.0, "The term "), (7.8, "283129"), (0.0, "stays")]);
    assert!(text.contains("(1"), "{text}");
    assert!(!text.contains("The term ("), "{text}");
    // A bracket alone on a line of code is no part of the next.
    let code = at(72.0, 700.0, "{") + &at(76.0, 688.0, "name: 1, pages: 2");
    assert!(Made::new(&code).load().text.starts_with("{\n"));
}
