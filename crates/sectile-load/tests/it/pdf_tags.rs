//! What the tags of PDF files say of letters and their places.

use crate::made_pdf::{load, part, tagged};

/// An element that says how far its letters are raised, in points.
fn shifted(points: f64, kids: &str) -> String {
    format!("<</S/Span/A[<</O/Layout/BaselineShift {points}>>]/K[{kids}]>>")
}

/// Draws texts one behind the other, each as a part of its own, in one size and on one baseline.
fn line(first: usize, y: f64, texts: &[&str]) -> String {
    let parts = texts.iter().enumerate().map(|(place, text)| {
        let number = first + place;
        format!("/Span<</MCID {number}>>BDC ({text}) Tj EMC ")
    });
    let parts = parts.collect::<Vec<_>>().concat();
    format!("BT /F1 11 Tf 72 {y} Td {parts}ET\n")
}

/// Loads a page with a line of texts, of which the elements `kids` say what they are.
fn text(texts: &[&str], kids: &str) -> String {
    let paragraph = format!("<</S/P/Pg 11 0 R/K[{kids}]>>");
    let made = tagged(vec![line(0, 700.0, texts)], &paragraph, &[]);
    made.load().text.trim_end().to_owned()
}

#[test]
fn digits_that_are_raised_by_their_tags_are_no_part_of_the_number_before() {
    let texts = [
        "It has 10",
        "6",
        " kg in 2019",
        "2",
        " and log",
        "2",
        "8 of 12",
        "2x",
    ];
    let kids = format!(
        "0 {} 2 {} 4 {} 6 {}",
        shifted(3.85, "1"),
        shifted(3.85, "<</S/Lbl/K 3>>"),
        shifted(-0.825, "5"),
        shifted(3.85, "7"),
    );
    let expected = "It has 10\u{2076} kg in 2019² and log\u{2082}8 of 12^2x";
    assert_eq!(text(&texts, &kids), expected);
    let position = |name: &str| format!("<</S/Span/A<</O/Layout/TextPosition/{name}>>/K 1>>");
    let of = |name: &str| {
        text(
            &["It has 10", "6", " kg"],
            &format!("0 {} 2", position(name)),
        )
    };
    assert_eq!(of("Sup"), "It has 10\u{2076} kg");
    assert_eq!(of("Sub"), "It has 10\u{2086} kg");
    assert_eq!(of("Normal"), "It has 106 kg");
}

#[test]
fn what_is_hardly_raised_and_words_and_lines_that_are_raised_as_a_whole_stay() {
    let hardly = format!("0 {}", shifted(1.0, "1"));
    assert_eq!(text(&["It has 10", "6"], &hardly), "It has 106");
    let whole = shifted(4.0, "0 1");
    assert_eq!(text(&["4,5", "12"], &whole), "4,512");
    let word = format!("0 {}", shifted(4.0, "1"));
    assert_eq!(text(&["In total ", "4512"], &word), "In total 4512");
    assert_eq!(text(&["In total ", "12"], &word), "In total 12");
}

#[test]
fn a_space_is_behind_the_mark_of_a_note() {
    let mark = shifted(3.3, "1");
    let kids = format!("0 <</S/Note/K[<</S/Lbl/K[{mark}]>> 2 <</S/Lbl/K 3>> 4]>>");
    let content =
        line(0, 700.0, &["The price is 25."]) + &line(1, 100.0, &["1", "Without tax", "a", "fter"]);
    let paragraph = format!("<</S/P/Pg 11 0 R/K[{kids}]>>");
    let text = tagged(vec![content], &paragraph, &[]).load().text;
    assert!(text.ends_with("\n\n¹ Without taxafter\n"), "{text}");
}

#[test]
fn raised_digits_in_cells_stay_raised() {
    let content = part(0, 72.0, 700.0, "Code")
        + &part(1, 132.0, 700.0, "Value")
        + &part(2, 72.0, 686.0, "x")
        + &line(3, 686.0, &["10", "4"]).replace("72 686", "132 686");
    let cell = |parts: &str| format!("<</S/TD/K[{parts}]>>");
    let value = cell(&format!("3 {}", shifted(3.85, "4")));
    let rows = format!(
        "<</S/TR/K[{}{}]>><</S/TR/K[{}{value}]>>",
        cell("0"),
        cell("1"),
        cell("2")
    );
    let table = format!("<</S/Table/Pg 11 0 R/K[{rows}]>>");
    let made = tagged(vec![content], &table, &[]);
    let expected = "| Code | Value |\n|---|---|\n| x | 10\u{2074} |\n";
    assert_eq!(made.load().text, expected);
}

#[test]
fn the_note_of_a_cell_stands_behind_its_table() {
    let content = part(0, 72.0, 700.0, "Code")
        + &part(1, 132.0, 700.0, "Value")
        + &part(2, 72.0, 686.0, "x")
        + &line(3, 686.0, &["10", "4"]).replace("72 686", "132 686")
        + &line(5, 100.0, &["4", "in kg"]);
    let cell = |parts: &str| format!("<</S/TD/K[{parts}]>>");
    let note = format!("<</S/Note/K[<</S/Lbl/K[{}]>> 6]>>", shifted(3.3, "5"));
    let value = cell(&format!("3 <</S/Lbl/K[{}]>> {note}", shifted(3.85, "4")));
    let rows = format!(
        "<</S/TR/K[{}{}]>><</S/TR/K[{}{value}]>>",
        cell("0"),
        cell("1"),
        cell("2")
    );
    let table = format!("<</S/Table/Pg 11 0 R/K[{rows}]>>");
    let text = tagged(vec![content], &table, &[]).load().text;
    let expected = "| Code | Value |\n|---|---|\n| x | 10\u{2074} |\n\n\u{2074} in kg\n";
    assert_eq!(text, expected);
}

#[test]
fn titles_that_are_drawn_last_come_first_on_slides_alone() {
    let title = "/Span<</MCID 1>>BDC\nBT /F1 20 Tf 72 500 Td (Ships) Tj ET\nEMC\n";
    let content = part(0, 72.0, 400.0, "Two harbours of the north") + title;
    let kids = "<</S/P/Pg 11 0 R/K 0>><</S/P/Pg 11 0 R/K 1>>";
    let page = String::from_utf8(tagged(vec![content], kids, &[]).bytes()).unwrap();
    let is_first = |page: &str| {
        let text = load(page.as_bytes()).unwrap().text;
        text.find("Ships").unwrap() < text.find("Two harbours").unwrap()
    };
    assert!(!is_first(&page));
    assert!(is_first(&page.replace("[0 0 612 792]", "[0 0 792 612]")));
}

#[test]
fn boxes_of_programs_for_slides_are_read_from_above_whatever_their_tags_say() {
    let content = part(0, 72.0, 400.0, "Two harbours of the north")
        + &part(1, 72.0, 600.0, "Ships of all the seas are counted");
    let kids = "<</S/P/Pg 12 0 R/K 0>><</S/P/Pg 12 0 R/K 1>>";
    let is_from_above = |creator: &str| {
        let info = format!("<</Creator({creator})>>");
        let made = tagged(vec![content.clone()], kids, &[&info]);
        let page = String::from_utf8(made.bytes()).unwrap();
        let page = page.replace("/Root 1 0 R", "/Root 1 0 R/Info 11 0 R");
        let text = load(page.as_bytes()).unwrap().text;
        text.find("Ships").unwrap() < text.find("Two harbours").unwrap()
    };
    assert!(is_from_above("Microsoft PowerPoint 2019"));
    assert!(!is_from_above("Microsoft Word 2019"));
}
