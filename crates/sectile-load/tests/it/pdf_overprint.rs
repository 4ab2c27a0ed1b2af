//! What is drawn over other text.

use crate::made_pdf::{Made, at, check};

/// Draws a text at a place in 10 points.
fn small(x: f64, y: f64, text: &str) -> String {
    format!("BT /F1 10 Tf {x} {y} Td ({text}) Tj ET\n")
}

/// Checks which words are read of a page.
fn check_words(content: &str, expected: &[&str]) {
    let text = Made::new(content).load().text;
    let words: Vec<&str> = text.split_whitespace().collect();
    for word in expected {
        assert!(words.contains(word), "{word} in {text}");
    }
}

#[test]
fn letters_of_different_texts_in_one_place_all_stay() {
    let covered = small(72.0, 700.0, "Total due:")
        + &small(130.0, 700.0, "1,250.00 EUR")
        + "q 1 g 128 696 80 14 re f Q\n"
        + &small(130.0, 700.0, "1,350.00 EUR");
    check_words(&covered, &["1,250.00", "1,350.00"]);
    let narration = "Chq. No. 085900 BILL NO.133,132,139,138,143,140,142,141,144,156,155";
    let clipped = small(72.0, 700.0, narration) + &small(347.19, 700.0, "26446576");
    check_words(&clipped, &["26446576"]);
    let watermark = "BT /F3 70 Tf 0.8 g 83.69 695 Td (2013) Tj ET 0 g\n".to_owned()
        + &small(72.0, 695.5, "enter $10,000 if single; $20,000 if married");
    check_words(&watermark, &["2013", "$10,000", "$20,000"]);
    let amount = "subtract line 61 from line 72. This is the amount you ";
    let over = small(72.0, 700.0, amount) + "BT /F3 10 Tf 290.27 700 Td (overpaid 73) Tj ET";
    check_words(&over, &["overpaid", "73"]);
}

#[test]
fn a_line_that_is_drawn_partly_and_then_in_full_is_read_once() {
    let parts = [
        (72.0, "S"),
        (100.91, "1"),
        (131.49, "1"),
        (139.83, "/"),
        (162.62, "O"),
        (180.96, "3"),
    ];
    let parts = parts.map(|(x, part)| small(x, 700.0, part)).concat();
    let line = "Stand 122,921 /A in Oct 3";
    let text = Made::new(&(parts + &small(72.0, 700.0, line))).load().text;
    let words: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(words.join(" "), line);
}

#[test]
fn text_is_read_once_however_it_is_printed_again() {
    // By letters, by words, a word alone, and a short word within its line.
    let mut letters = String::new();
    for (index, letter) in "Each letter".chars().enumerate() {
        for by in [0.0, 0.3, 0.6] {
            let x = 72.0 + 6.2 * index as f64 + by;
            letters += &at(x, 700.0, &letter.to_string());
        }
    }
    check(&letters, "Each letter");
    // By letters, of which each next one begins where the last print ends.
    let letters = [("N", 707), ("o", 541), ("t", 263), ("e", 541)];
    let letters = letters
        .map(|(letter, back)| format!("({letter}){back}").repeat(2) + &format!("({letter})"));
    check(
        &format!("BT /F1 10 Tf 72 700 Td [{}] TJ ET", letters.concat()),
        "Note",
    );
    let words = [(72.0, "Bold"), (100.0, "Heading")];
    let words = words.map(|(x, word)| [0.0, 0.4].map(|by| at(x + by, 700.0, word)).concat());
    check(&words.concat(), "Bold Heading");
    let line = small(72.0, 700.0, "to be or not") + &small(72.4, 700.0, "to");
    check(&line, "to be or not");
}
