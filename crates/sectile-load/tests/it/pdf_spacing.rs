//! Letters that are set apart in made PDF files, and the words that they are.

use std::fmt::Write as _;

use crate::made_pdf::{Made, at, check};

/// Draws letters of Helvetica one by one, each so far from the end of the one before. Spaces are left out.
fn apart(x: f64, text: &str, gap: f64) -> String {
    let (mut content, mut x) = (String::new(), x);
    for letter in text.chars() {
        let width = match letter {
            'A' | 'E' | 'P' => 667.0,
            'N' | 'R' | 'U' | 'C' => 722.0,
            'O' => 778.0,
            'T' => 611.0,
            'I' | ' ' => 278.0,
            _ => 556.0,
        };
        if letter != ' ' {
            content += &at(x, 700.0, &letter.to_string());
        }
        x += width * 11.0 / 1000.0 + gap;
    }
    content
}

#[test]
fn letters_that_character_spacing_sets_apart_are_words() {
    for (size, space) in [(12, 3), (12, 4), (12, 5), (18, 5), (20, 7), (10, 5)] {
        let text = "Annual Report of 2024";
        let content = format!("BT /F1 {size} Tf {space} Tc 72 700 Td ({text}) Tj ET");
        check(&content, text);
        let kerned =
            format!("BT /F1 {size} Tf {space} Tc 72 700 Td [(An)30(nual)-300(Re)-20(port)] TJ ET");
        check(&kerned, "Annual Report");
        let continued =
            format!("BT /F1 {size} Tf {space} Tc 72 700 Td (Annual ) Tj (Rep) Tj (ort) Tj ET");
        check(&continued, "Annual Report");
    }
}

#[test]
fn character_spacing_behind_a_single_letter_is_a_gap() {
    let content = "BT /F1 11 Tf 72 700 Td 4 Tc (a) Tj 0 Tc (report) Tj ET";
    check(content, "a report");
}

#[test]
fn character_spacing_that_is_undone_within_words_is_a_space() {
    for (spacing, undone) in [(4.4, 400), (2.2, 200), (8.8, 800)] {
        let text = format!(
            "(A){undone}(n){undone}(dt){undone}(h){undone}(e){undone}(na){undone}(t){undone}(e)\
             (w){undone}(i){undone}(t){undone}(h)(u){undone}(s)"
        );
        let content = format!("BT /F1 11 Tf {spacing} Tc 72 700 Td [{text}] TJ ET");
        check(&content, "And then ate with us");
        // Other letters of the line are hardly set apart.
        let content =
            format!("BT /F1 11 Tf .05 Tc 72 700 Td (simply ) Tj {spacing} Tc [{text}] TJ ET");
        check(&content, "simply And then ate with us");
    }
}

#[test]
fn letters_that_are_evenly_set_apart_by_their_places_are_words() {
    for gap in [2.5, 3.3, 5.0] {
        check(&apart(72.0, "ANNUAL REPORT", gap), "ANNUAL REPORT");
        check(&apart(72.0, "REPORT", gap), "REPORT");
    }
}

#[test]
fn digits_and_labels_that_are_set_apart_are_no_words() {
    for text in ["1 2 3 4 5 6", "9 0 2 4 1 7", "A C E N P R"] {
        let signs: String = text.split(' ').collect();
        check(&apart(72.0, &signs, 3.3), text);
    }
    // The gaps between the letters of cells differ as the letters do.
    let mut cells = String::new();
    for (column, letter) in ["P", "I", "A", "O", "T", "U"].iter().enumerate() {
        let _ = write!(cells, "{}", at(72.0 + 11.0 * column as f64, 700.0, letter));
    }
    let found = Made::new(&cells).load().text;
    assert_eq!(found.split_whitespace().count(), 6, "{found}");
}
