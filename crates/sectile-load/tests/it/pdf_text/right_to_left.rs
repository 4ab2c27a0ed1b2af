//! Text from right to left.

use super::*;

/// Draws a text letter by letter from its end on, each to the left of the one before, and its spaces not at all.
fn leftward(text: &str) -> String {
    let width = |letter: char| match letter {
        'D' | 'w' => 722,
        'S' => 667,
        'f' | 't' | ' ' => 278,
        'l' => 222,
        'r' => 333,
        _ => 556,
    };
    let mut content = String::from("BT /F1 10 Tf 400 700 Td\n");
    let mut step = 0_i32;
    for letter in text.chars().rev() {
        step += width(letter);
        if letter != ' ' {
            let _ = writeln!(content, "-{} 0 Td ({letter}) Tj", f64::from(step) / 100.0);
            step = 0;
        }
    }
    content + "ET\n"
}

#[test]
fn text_that_is_drawn_from_its_end_is_read_from_its_beginning() {
    let text = "due to the State of Delaware";
    check(&leftward(text), text);
}

/// Loads a page with content in a font, `F9`, in which the codes 1 to 4 are alef to dalet.
fn hebrew(content: &str) -> String {
    from_the_right("05D0", content)
}

/// Loads a page with content in a font, `F9`, in which the codes 1 to 4 are these letters and those after it.
fn from_the_right(first: &str, content: &str) -> String {
    let map = format!(
        "1 beginbfrange <01> <04> <{first}> endbfrange 1 beginbfrange <20> <39> <0020> endbfrange"
    );
    let made = Made {
        others: vec![
            format!("<</Length {}>>stream\n{map}\nendstream", map.len()),
            format!(
                "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 10 0 R/FirstChar 1/LastChar 57/Widths[{}]>>",
                "500 ".repeat(57)
            ),
        ],
        ..Made::new(content)
    };
    let bytes = String::from_utf8(made.bytes())
        .unwrap()
        .replace("/F3 5 0 R", "/F9 11 0 R");
    load(bytes.as_bytes()).unwrap().text
}

#[test]
fn forms_of_letters_and_numbers_of_letters_are_letters() {
    let map = "8 beginbfchar <41> <F761> <42> <F733> <43> <1F600> <44> <0001> <45> <0092> <46> <F8EB> <47> <F6F2> <48> <01F4D6> endbfchar";
    let made = Made {
        others: vec![
            format!("<</Length {}>>stream\n{map}\nendstream", map.len()),
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 10 0 R>>".into(),
            "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding<</Differences[65/Asmall/eightoldstyle/ssuperior]>>>>".into(),
        ],
        ..Made::new("BT /F9 11 Tf 72 700 Td (ABCEFGHD) Tj ET BT /F8 11 Tf 72 600 Td (ABC) Tj ET")
    };
    let bytes = String::from_utf8(made.bytes())
        .unwrap()
        .replace("/F3 5 0 R", "/F9 11 0 R/F8 12 0 R");
    let document = load(bytes.as_bytes()).unwrap();
    let words: Vec<&str> = document.text.split_whitespace().collect();
    assert_eq!(words, ["a3😀’⎛s📖", "a8s"]);
    // What stands for a control character is not read.
    assert_eq!(document.metadata.extra["unmapped_letters"]["1"], 1);
}

/// Draws text in that font.
fn hebrew_at(x: f64, y: f64, text: &str) -> String {
    format!("BT /F9 11 Tf {x} {y} Td ({text}) Tj ET\n")
}

/// Alef to dalet, drawn from left to right.
const WORD: &str = r"\004\003\002\001";

#[test]
fn hebrew_is_read_from_the_right() {
    let text = hebrew(&hebrew_at(72.0, 700.0, &format!("12 {WORD}")));
    assert_eq!(text.trim_end(), "אבגד 12");
    let text = hebrew(&hebrew_at(
        72.0,
        700.0,
        &format!("1.5%-{WORD} .\\(17%\\) {WORD}"),
    ));
    assert_eq!(text.trim_end(), "אבגד (17%). אבגד-1.5%");
}

#[test]
fn runs_that_are_drawn_each_to_the_left_of_the_one_before_are_one_line() {
    let line = |y: f64| {
        hebrew_at(200.0, y, WORD) + &hebrew_at(180.0, y, "12") + &hebrew_at(150.0, y, WORD)
    };
    assert_eq!(hebrew(&line(700.0)).trim_end(), "אבגד 12 אבגד");
    // The second line begins below the first, and the first has room for no other word.
    let text = hebrew(&(line(700.0) + &hebrew_at(200.0, 686.0, WORD)));
    assert_eq!(text.trim_end(), "אבגד 12 אבגד\nאבגד");
}

#[test]
fn a_space_that_is_drawn_to_the_right_of_a_number_is_read_behind_it() {
    // The number touches both words; the space behind it is drawn to its right, over the first word.
    let content = hebrew_at(111.0, 700.0, WORD) + &hebrew_at(100.0, 700.0, "12 ");
    let letters: String = [1, 2, 3, 4]
        .into_iter()
        .map(|at| hebrew_at(100.0 - 5.5 * f64::from(at), 700.0, &format!("\\00{at}")))
        .collect();
    assert_eq!(hebrew(&(content + &letters)).trim_end(), "אבגד12 אבגד");
}

#[test]
fn a_space_under_an_arabic_letter_keeps_it_from_being_joined() {
    // Drawn as typesetting programs draw a non-joiner: the space takes no room.
    let content = r"BT /F9 11 Tf 72 700 Td [(\003\002 ) 500 (\004\001 \001)] TJ ET";
    let text = from_the_right("0627", content);
    assert_eq!(text.trim_end(), "ا ات\u{200c}بة");
}

#[test]
fn the_first_column_of_a_hebrew_table_is_its_rightmost() {
    let row = |row: u32| {
        let y = 700.0 - 14.0 * f64::from(row);
        hebrew_at(300.0, y, WORD)
            + &hebrew_at(200.0, y, &(10 + row).to_string())
            + &hebrew_at(100.0, y, &(20 + row).to_string())
    };
    let text = hebrew(&(0..4).map(row).collect::<String>());
    assert!(text.contains("| אבגד | 11 | 21 |"), "{text}");
}

#[test]
fn the_numbers_of_a_hebrew_list_stand_to_the_right_of_its_items() {
    let item = |y: f64, number: u32| {
        hebrew_at(348.0, y, &format!(".{number}")) + &hebrew_at(290.0, y, WORD)
    };
    let text = hebrew(&(item(700.0, 1) + &item(686.0, 2)));
    assert_eq!(text.trim_end(), "1. אבגד\n2. אבגד");
}
