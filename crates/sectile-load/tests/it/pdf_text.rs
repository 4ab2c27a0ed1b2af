//! What is drawn on the pages of made PDF files, and what is read of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sectile_core::Document;
use sectile_load::{Error, LoadOptions, Loader as _, PdfLoader, PdfOptions, omissions};

use crate::made_pdf::{Made, at, check, load};
use crate::support::fixture;

#[test]
fn numbers_at_the_edges_of_a_page_stay() {
    let content = at(72.0, 400.0, "Body text of the invoice.")
        + &at(72.0, 30.0, "Total due")
        + &at(200.0, 30.0, "1250")
        + &at(260.0, 30.0, "EUR until")
        + &at(330.0, 30.0, "2026")
        + &at(400.0, 770.0, "Order")
        + &at(440.0, 770.0, "48151623");
    for drop_running_lines in [true, false] {
        let options = LoadOptions {
            pdf: PdfOptions {
                drop_running_lines,
                ..PdfOptions::default()
            },
            ..LoadOptions::default()
        };
        let loader = PdfLoader::new(options);
        let bytes = Made::new(&content).bytes();
        let document = loader.load(&bytes, Path::new("made.pdf")).unwrap();
        let words: Vec<&str> = document.text.split_whitespace().collect();
        let line = ["Total", "due", "1250", "EUR", "until", "2026"];
        assert!(words.windows(6).any(|words| words == line), "{words:?}");
        assert!(words.contains(&"48151623"), "{words:?}");
    }
}

#[test]
fn a_bold_running_head_is_no_heading_of_each_page() {
    let page = |number: u32| {
        let head = "BT /F3 12 Tf 72 750 Td (PROJECT DESCRIPTION) Tj ET\n";
        head.to_owned()
            + &format!("BT /F3 14 Tf 72 700 Td (Part {number} of the work) Tj ET\n")
            + &at(
                72.0,
                650.0,
                &format!("Line {number} tells what the group did and why."),
            )
            + &at(
                72.0,
                636.0,
                "The group met again in the week after this one.",
            )
    };
    let document = Made {
        contents: (1..=5).map(page).collect(),
        ..Made::new("")
    }
    .load();
    let titles: Vec<&str> = document
        .outline
        .iter()
        .map(|heading| &*heading.title)
        .collect();
    let parts: Vec<String> = (1..=5)
        .map(|number| format!("Part {number} of the work"))
        .collect();
    assert_eq!(titles, parts);
    assert_eq!(
        document.metadata.extra["running_lines"],
        serde_json::json!(["PROJECT DESCRIPTION"])
    );
}

#[test]
fn lines_that_differ_in_amounts_are_not_left_out() {
    let slip = |number: u32, pay: &str| {
        at(72.0, 750.0, "Payslips of May")
            + &at(72.0, 600.0, "Worked in the warehouse.")
            + &at(72.0, 60.0, &format!("Net pay {pay} EUR"))
            + &at(500.0, 30.0, &format!("Page {number} of 4"))
    };
    let pays = ["2,480.44", "2,296.08", "3,296.00", "3,192.60"];
    let file = Made {
        contents: (1..)
            .zip(pays)
            .map(|(number, pay)| slip(number, pay))
            .collect(),
        ..Made::new("")
    };
    let document = file.load();
    for pay in pays {
        assert!(
            document.text.contains(&format!("Net pay {pay} EUR")),
            "{pay}"
        );
    }
    assert_eq!(
        document.metadata.extra["running_lines"],
        serde_json::json!(["Payslips of May", "Page 1 of 4"])
    );
}

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

#[test]
fn a_table_of_contents_stays_in_lines() {
    let dots = " .".repeat(40);
    let lines = [
        ("1", "Scope", "1"),
        ("1.1", "General", "2"),
        ("1.2", "Terms", "4"),
        ("2", "Delivery", "9"),
    ];
    let content: String = (0..).zip(lines).fold(String::new(), |all, (row, (number, title, page))| {
        let y = 700.0 - 14.0 * f64::from(row);
        let line = format!(
            "BT /F1 11 Tf 72 {y} Td ({number}) Tj 40 0 Td ({title}{dots}) Tj 400 0 Td ({page}) Tj ET\n"
        );
        all + &line
    });
    let text = Made::new(&content).load().text;
    let found: Vec<String> = text
        .lines()
        .map(|line| {
            line.replace('.', " ")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(
        found,
        ["1 Scope 1", "1 1 General 2", "1 2 Terms 4", "2 Delivery 9"]
    );
}

#[test]
fn words_are_told_by_the_gaps_between_their_letters() {
    let mut typed = String::new();
    for (index, letter) in "June 30, 2022 and after".chars().enumerate() {
        typed += &at(72.0 + 6.2 * index as f64, 700.0, &letter.to_string());
    }
    check(&typed, "June 30, 2022 and after");
    let tracked = "BT /F1 11 Tf 1.5 Tc 72 700 Td (Set apart on purpose) Tj ET";
    check(tracked, "Set apart on purpose");
    let kerned = "BT /F1 11 Tf 72 700 Td [(Hello)-300(World)-50(ing)-300(T)80(est)] TJ ET";
    check(kerned, "Hello Worlding Test");
    let ticks: String = (1..=12).fold(String::new(), |mut all, tick: i32| {
        let _ = write!(
            all,
            "{}",
            at(72.0 + 14.1 * f64::from(tick), 700.0, &tick.to_string())
        );
        all
    });
    let found = Made::new(&ticks).load().text;
    assert_eq!(found.split_whitespace().count(), 12, "{found}");
}

#[test]
fn words_beside_type_of_a_fixed_pitch_are_told_by_their_own_gaps() {
    let typed = "[(licencetext) -600 (basetext) -600 (lppltexts) -600 (macros)]";
    check(
        &format!("BT /F2 11 Tf 72 700 Td {typed} TJ /F1 11 Tf [-278 (for) -278 (details)] TJ ET"),
        "licencetext basetext lppltexts macros for details",
    );
    // Words of such type in other text have its spaces.
    check(
        "BT /F2 11 Tf 72 700 Td [(Yetsome) -230 (whenever) -230 (anyone)] TJ /F1 11 Tf [-230 (do)] TJ ET",
        "Yetsome whenever anyone do",
    );
    // Digits are as wide as each other; signs beside them may be wider.
    check(
        "BT /F1 11 Tf 72 700 Td [(30000) -400 (110000) -400 (41%4000) -400 (12000) -400 (30%5000)] TJ ET",
        "30000 110000 41%4000 12000 30%5000",
    );
}

#[test]
fn what_is_printed_again_for_weight_is_read_once() {
    let bold: String = [0.0, 0.3, 0.6]
        .map(|by| at(72.0 + by, 700.0, "Bold Heading of a book"))
        .concat();
    check(&bold, "Bold Heading of a book");
    // Letters that are really there twice.
    check(&at(72.0, 700.0, "illness of a well"), "illness of a well");
}

#[test]
fn hyphens_of_words_stay_and_those_of_lines_go() {
    let lines = [
        "This is a docu-",
        "ment about well-",
        "known things and e-",
        "mail in UTF-",
        "8 of Kuber-",
        "netes.",
    ];
    let mut content = String::new();
    for (number, line) in lines.iter().enumerate() {
        content += &at(72.0, 700.0 - 14.0 * number as f64, line);
    }
    let text = Made::new(&content).load().text;
    let words: Vec<&str> = text.split_whitespace().collect();
    let expected = "This is a document about well-known things and e-mail in UTF-8 of Kubernetes.";
    assert_eq!(words.join(" "), expected);
}

#[test]
fn lines_that_their_writer_ended_are_lines() {
    let lines = ["Ada Example", "12 Long Street", "Townsville 4811"];
    let mut content = String::new();
    for (number, line) in lines.iter().enumerate() {
        content += &at(72.0, 700.0 - 13.0 * number as f64, line);
    }
    check(&content, &lines.join("\n"));
}

#[test]
fn lines_that_are_drawn_from_below_are_read_from_above() {
    let lines = [
        "Alexis de Lattre",
        "35 rue du Logiciel",
        "Villeurbanne, France",
    ];
    let upward = lines.iter().enumerate().rev();
    let content: String = upward
        .map(|(row, line)| at(72.0, 700.0 - 14.0 * row as f64, line))
        .collect();
    check(&content, &lines.join("\n"));
    // A value may be drawn before what it is called.
    let content = at(132.0, 700.0, "19 April 2014")
        + &at(72.0, 700.0, "Order date:")
        + &at(132.0, 686.0, "12572103")
        + &at(72.0, 686.0, "Order no.:");
    check(&content, "Order date:  19 April 2014\nOrder no.:  12572103");
    // The labels of an axis stay as they are drawn.
    let content: String = (0..4)
        .map(|row| {
            at(
                72.0,
                600.0 + 14.0 * f64::from(row),
                &format!("{}", row * 50),
            )
        })
        .collect();
    let text = Made::new(&content).load().text;
    assert!(
        text.split_whitespace().eq(["0", "50", "100", "150"]),
        "{text}"
    );
}

/// Checks that texts of a page follow each other.
fn check_order(content: &str, texts: &[&str]) {
    let text = Made::new(content).load().text;
    let places: Vec<usize> = texts
        .iter()
        .map(|part| text.find(part).unwrap_or_else(|| panic!("{part}: {text}")))
        .collect();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn what_is_drawn_after_what_stands_below_it_is_read_before() {
    let foot = at(72.0, 60.0, "This is no invoice of a tax.");
    let body = at(72.0, 700.0, "Invoice of services") + &at(72.0, 640.0, "It is for all of July.");
    let expected = "Invoice of services\n\nIt is for all of July.\n\nThis is no invoice of a tax.";
    check(&(foot.clone() + &body), expected);
    check(&(body + &foot), expected);
    let code = |y: f64, text: &str| format!("BT /F2 10 Tf 76 {y} Td ({text}) Tj ET\n");
    let prose = at(72.0, 700.0, "This query counts the customers of a state:")
        + &at(72.0, 620.0, "An index answers a query faster.")
        + &at(72.0, 606.0, "The statement is this one:")
        + &at(72.0, 520.0, "Now drop the index, and compare the times.");
    let boxes =
        code(660.0, "SELECT state FROM customer") + &code(570.0, "CREATE INDEX of_customer");
    let texts = ["counts", "SELECT", "faster", "statement", "CREATE", "drop"];
    check_order(&(prose.clone() + &boxes), &texts);
    check_order(&(boxes + &prose), &texts);
}

#[test]
fn heads_of_tables_and_columns_are_read_before_them() {
    let row = |y: f64, cells: [&str; 4]| {
        let cells = [72.0, 130.0, 330.0, 430.0].into_iter().zip(cells);
        cells.map(|(x, cell)| at(x, y, cell)).collect::<String>()
    };
    let rows = row(592.0, ["1", "Exchange box of Miller", "3,89", "3,89"])
        + &row(578.0, ["2", "Exchange box of Moser", "5,39", "5,39"])
        + &row(564.0, ["3", "Exchange box of Huber", "5,39", "5,39"]);
    let content = at(72.0, 720.0, "Invoice 2014-30")
        + &rows
        + &at(72.0, 60.0, "Total due in fourteen days.")
        + &row(640.0, ["Pos.", "Description", "Price", "Amount"]);
    check_order(
        &content,
        &["2014-30", "Description", "Miller", "Huber", "Total"],
    );
    let column = |x: f64, name: &str| {
        let lines = (0..5).map(|line| {
            let y = 600.0 - 14.0 * f64::from(line);
            at(x, y, &format!("{name} {line} tells what it does."))
        });
        lines.collect::<String>()
    };
    let columns = column(60.0, "Left") + &column(240.0, "Middle") + &column(420.0, "Right");
    let title = at(
        60.0,
        700.0,
        "There are three projects of which each is one column:",
    );
    let texts = [
        "three projects",
        "Left 0",
        "Left 4",
        "Middle 0",
        "Middle 4",
        "Right 0",
        "Right 4",
    ];
    check_order(&(columns + &title), &texts);
}

#[test]
fn blocks_stay_behind_columns_that_are_drawn_before_them() {
    let below = at(72.0, 500.0, "The lower part of the left column.");
    let above = at(72.0, 700.0, "The upper part of the left column.");
    let beside = at(350.0, 700.0, "The right column begins here,")
        + &at(350.0, 686.0, "and ends after it has begun.");
    // What stands beside it on the right is read behind it, and what stands on the left is not.
    let content = below.clone() + &beside + &above;
    check_order(&content, &["upper part", "lower part", "right column"]);
    let right = at(350.0, 500.0, "The lower part of the right column.")
        + &at(72.0, 700.0, "The left column begins here,")
        + &at(72.0, 686.0, "and ends after it has begun.")
        + &at(350.0, 700.0, "The upper part of the right column.");
    check_order(&right, &["lower part", "left column", "upper part"]);
    check_order(
        &(beside + &below + &above),
        &["right column", "upper part", "lower part"],
    );
    let labels = ["North", "South", "East", "West"].into_iter().zip(1..);
    let labels = labels.map(|(label, place)| at(72.0, 100.0 * f64::from(place), label));
    check_order(
        &labels.collect::<String>(),
        &["North", "South", "East", "West"],
    );
}

#[test]
fn the_foot_of_a_page_that_is_drawn_first_parts_no_text() {
    let wide = |y: f64, place: u32| {
        at(
            72.0,
            y,
            &format!("Question {place} of the annex, which is long"),
        )
    };
    let foot = at(200.0, 60.0, "A study of aid");
    let texts = ["Question 0", "at home", "Question 2", "A study of aid"];
    check_order(
        &(wide(700.0, 0) + &foot + &at(72.0, 600.0, "at home") + &wide(500.0, 2)),
        &texts,
    );
    // The last lines of a column are no foot.
    let left = wide(700.0, 0) + &wide(120.0, 1) + &at(72.0, 104.0, "The left column ends here.");
    let right = at(350.0, 700.0, "The right column is short.");
    check_order(
        &(left + &right),
        &["Question 0", "Question 1", "left column", "right column"],
    );
    let left = wide(700.0, 0)
        + &at(72.0, 130.0, "The left column goes on.")
        + &at(72.0, 102.0, "Its last paragraph is short.");
    check_order(
        &(left + &right),
        &["Question 0", "goes on", "last paragraph", "right column"],
    );
}

#[test]
fn a_title_that_is_drawn_last_is_read_first() {
    let large = |x: f64, y: f64, text: &str| format!("BT /F1 20 Tf {x} {y} Td ({text}) Tj ET\n");
    let body = at(72.0, 600.0, "12 ships")
        + &at(72.0, 560.0, "Two harbours of the north")
        + &at(300.0, 560.0, "Three harbours of the south");
    let title = large(72.0, 700.0, "Ships");
    check_order(&(body.clone() + &title), &["Ships", "12 ships", "Three"]);
    // One beside the text, or in the type of the text, is none.
    let beside = large(400.0, 596.0, "Boats");
    check_order(&(body.clone() + &beside), &["Three", "Boats"]);
    let small = at(450.0, 700.0, "1 of 3");
    check_order(&(body + &small), &["Three", "1 of 3"]);
}

#[test]
fn a_heading_of_one_word_that_is_drawn_last_is_read_before_its_text() {
    let body = at(72.0, 660.0, "We ask all of the guests at home.")
        + &at(72.0, 500.0, "Most of the guests answer us.");
    let heading = at(72.0, 520.0, "Results");
    check_order(
        &(body.clone() + &heading),
        &["We ask", "Results", "Most of"],
    );
    // A word over the midst of a text is no heading of it.
    let word = at(120.0, 520.0, "Notes");
    check_order(&(body + &word), &["We ask", "Most of", "Notes"]);
}

#[test]
fn values_that_are_drawn_behind_all_labels_stand_behind_theirs() {
    let labels = at(72.0, 700.0, "Number:")
        + &at(72.0, 660.0, "Date:")
        + &at(72.0, 600.0, "The seller of the goods:")
        + &at(72.0, 500.0, "Goods remain ours until they are paid.");
    let values =
        at(150.0, 700.0, "F-2027") + &at(150.0, 660.0, "3 May") + &at(250.0, 600.0, "Orange Ltd.");
    let texts = [
        "Number:", "F-2027", "Date:", "3 May", "seller", "Orange", "remain",
    ];
    check_order(&(labels.clone() + &values), &texts);
    let amounts = at(150.0, 700.0, "12") + &at(300.0, 660.0, "18") + &at(250.0, 700.0, "14");
    check_order(
        &(labels + &amounts),
        &["Number:", "12", "14", "Date:", "18", "seller"],
    );
    // A heading that ends with one is none either, where its text stands below.
    let column =
        at(72.0, 700.0, "Methods:") + &at(72.0, 670.0, "We ask all of the guests at home.");
    let next = at(300.0, 700.0, "Results") + &at(300.0, 640.0, "Most of the guests answer.");
    check_order(
        &(column + &next),
        &["Methods", "We ask", "Results", "Most of"],
    );
    // A sentence that ends with a colon is no label.
    let sentence = at(72.0, 700.0, "All of the left column")
        + &at(72.0, 686.0, "is in this list:")
        + &at(72.0, 600.0, "the end of the column")
        + &at(200.0, 686.0, "Another matter");
    check_order(
        &sentence,
        &["in this list", "end of the column", "Another matter"],
    );
}

#[test]
fn columns_drawn_row_by_row_are_read_as_columns() {
    let mut content = String::new();
    for row in 0..5 {
        let y = 700.0 - 14.0 * f64::from(row);
        content += &at(72.0, y, &format!("left text of row {row} goes on and"));
        content += &at(320.0, y, &format!("right text of row {row} is apart from"));
    }
    let text = Made::new(&content).load().text;
    let place = |part: &str| text.find(part).unwrap();
    assert!(
        place("left text of row 4") < place("right text of row 0"),
        "{text}"
    );
}

#[test]
fn columns_drawn_row_by_row_are_told_by_the_white_between_them() {
    let columns = [
        [
            "One begins the first column",
            "and goes on below it for a",
            "line.",
            "Two is indented and tells",
            "more of what was said up",
            "here, until its very end.",
        ],
        [
            "Three stands to its right,",
            "a little lower, so that no",
            "baseline is the same there",
            "as any to the left of it",
            "but the last one.",
            "Four is a second paragraph.",
        ],
        [
            "Five is another column of",
            "the text, which is a short",
            "one.",
            "Six is the last one, as all",
            "the other columns end where",
            "this one does.",
        ],
    ];
    let mut content = at(
        50.0,
        740.0,
        "A title that goes over all of the columns of this page, so to say",
    );
    for row in 0..6 {
        for (column, lines) in columns.iter().enumerate() {
            let indent = if lines[row].starts_with("Two") {
                12.0
            } else {
                0.0
            };
            let (x, y) = (50.0 + 175.0 * column as f64, 700.0 - 14.0 * row as f64);
            content += &at(
                x + indent,
                if column == 1 { y - 6.0 } else { y },
                lines[row],
            );
        }
    }
    let text = Made::new(&content).load().text;
    let words: Vec<&str> = text
        .split_whitespace()
        .skip_while(|word| *word != "One")
        .collect();
    assert_eq!(words.join(" "), columns.concat().join(" "), "{text}");
}

#[test]
fn columns_drawn_row_by_row_are_told_by_their_sentences() {
    let columns = [
        [
            "Automation of data",
            "Reduces the burden on hospitals,",
            "their labs, and care facilities to",
            "ensure timely reporting of data to",
            "the health offices and partners.",
            "Creates new connections and",
            "streamlines existing data flows",
            "from hospitals and outside",
            "laboratories through reports.",
        ],
        [
            "Reports of tests",
            "Improves reporting from settings",
            "where rapid testing is carried out,",
            "with a focus on sites that have not",
            "reported to an office in the past.",
            "A free app that remembers what",
            "a patient has said, guides through",
            "the test, records the results, and",
            "routes the data to the office.",
        ],
        [
            "Streams of reports",
            "Provides a modern routing and",
            "cleaning of data for the offices to",
            "receive, process, and share data",
            "across all of the jurisdictions.",
            "Receives data from senders, and",
            "also from apps, devices, labs and",
            "hospitals in an open approach",
            "that makes reports fast.",
        ],
    ];
    let mut content = String::new();
    // White parts the heads, and the paragraphs, of all columns.
    let heights = [728, 700, 686, 672, 658, 632, 618, 604, 590];
    for (row, y) in heights.into_iter().enumerate() {
        for (column, lines) in columns.iter().enumerate() {
            content += &at(30.0 + 190.0 * column as f64, f64::from(y), lines[row]);
        }
    }
    let text = Made::new(&content).load().text;
    let words: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(words.join(" "), columns.concat().join(" "), "{text}");
}

#[test]
fn rows_of_sentences_stay_rows() {
    let rows = [
        [
            "Did you eat anything at all before you went to bed?",
            "yes, a bowl of soup",
        ],
        [
            "Was it cold in there?",
            "no, it was warm in there and outside too",
        ],
        [
            "How long did you sleep that night?",
            "until six in the morning",
        ],
        ["Who woke you up?", "nobody did, I woke up"],
        [
            "Do you remember anything of what you dreamt?",
            "it was of a house",
        ],
    ];
    let mut content = String::new();
    for (row, [question, answer]) in rows.iter().enumerate() {
        let y = 700.0 - 14.0 * row as f64;
        content += &(at(72.0, y, question) + &at(360.0, y, answer));
    }
    let text = Made::new(&content).load().text;
    let places: Vec<usize> = rows
        .concat()
        .iter()
        .map(|part| text.find(part).unwrap())
        .collect();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn code_is_fenced_and_its_comments_are_no_headings() {
    let prose =
        "Some words of prose stand before the code, and they are more than a few. ".repeat(2);
    let mut content = at(72.0, 750.0, &prose[..70]) + &at(72.0, 737.0, &prose[70..140]);
    for (row, line) in ["# Set the key", "if ready:", "    go(1)"]
        .iter()
        .enumerate()
    {
        let _ = writeln!(
            content,
            "BT /F2 10 Tf 72 {} Td ({line}) Tj ET",
            700 - 12 * row
        );
    }
    let document = Made::new(&content).load();
    assert!(
        document
            .text
            .contains("```\n# Set the key\nif ready:\n    go(1)\n```"),
        "{}",
        document.text
    );
    assert!(document.outline.is_empty(), "{:?}", document.outline);
}

#[test]
fn headings_are_ranked_by_their_styles() {
    let mut content = String::new();
    let mut y = 780.0;
    let mut add = |font: &str, size: f64, text: &str| {
        y -= 24.0;
        let _ = writeln!(content, "BT /{font} {size} Tf 72 {y} Td ({text}) Tj ET");
    };
    for chapter in 1..=2 {
        add("F3", 15.0, &format!("Chapter {chapter}"));
        for part in 1..=2 {
            add("F3", 12.5, &format!("Part {chapter}.{part}"));
            add("F3", 11.0, &format!("Point {chapter}.{part}"));
            add(
                "F1",
                11.0,
                "This is what is said about it, in a line of words that is long enough.",
            );
        }
    }
    let outline = Made::new(&content).load().outline;
    let found: Vec<(u8, &str)> = outline
        .iter()
        .map(|heading| (heading.level, &*heading.title))
        .collect();
    let expected = [
        (1, "Chapter 1"),
        (2, "Part 1.1"),
        (3, "Point 1.1"),
        (2, "Part 1.2"),
        (3, "Point 1.2"),
    ];
    assert_eq!(found[..5], expected);
    assert_eq!(found.len(), 10);
}

#[test]
fn items_of_lists_begin_with_a_dash() {
    let mut content = String::new();
    for (row, item) in ["the first item of all", "the second of them", "a third"]
        .iter()
        .enumerate()
    {
        let y = 700.0 - 14.0 * row as f64;
        // A small square, as browsers draw bullets.
        let _ = writeln!(content, "72 {} 3 3 re f", y + 2.0);
        content += &at(85.0, y, item);
    }
    check(
        &content,
        "- the first item of all\n- the second of them\n- a third",
    );
    let glyphs = at(72.0, 700.0, "\\225") + &at(85.0, 700.0, "one") + &at(72.0, 686.0, "\\225 two");
    check(&glyphs, "- one\n- two");
}

#[test]
fn accents_that_are_drawn_apart_belong_to_their_letters() {
    // Helvetica at 11 points: an accent is 3.66 wide, `u` and `e` 6.12, `M` 9.16, `Lyc` 17.1.
    let before = at(72.0, 700.0, "M") + &at(82.4, 700.0, "\\250") + &at(81.2, 700.0, "uhlenberg");
    check(&before, "Mühlenberg");
    let behind =
        at(72.0, 700.0, "Lyce") + &at(90.3, 700.0, "\\264") + &at(95.2, 700.0, "e de Paris");
    check(&behind, "Lycée de Paris");
    // By itself it is a letter as others.
    check(
        &at(72.0, 700.0, "rock \\264n\\264 roll \\250"),
        "rock ´n´ roll ¨",
    );
}

#[test]
fn ticks_and_boxes_stay_in_the_text() {
    let shown = |code: &str, x: f64, y: f64| {
        format!(
            "/Span<</ActualText<FEFF{code}>>>BDC\n{}EMC\n",
            at(x, y, "x")
        )
    };
    let form = shown("2714", 72.0, 700.0)
        + &at(85.0, 700.0, "Yes, at once")
        + &shown("25A1", 72.0, 686.0)
        + &at(85.0, 686.0, "No, never")
        + &shown("25A0", 72.0, 672.0)
        + &at(85.0, 672.0, "Perhaps, later");
    check(&form, "- ✔ Yes, at once\n- □ No, never\n- ■ Perhaps, later");
    let list = |second: f64| {
        shown("25CF", 72.0, 700.0)
            + &at(85.0, 700.0, "the first")
            + &shown("25CB", second, 686.0)
            + &at(second + 13.0, 686.0, "the second")
    };
    check(&list(72.0), "- ● the first\n- ○ the second");
    check(&list(90.0), "- the first\n  - the second");
}

#[test]
fn values_of_forms_and_typed_notes_are_read_at_their_places() {
    let looks = "BT /F1 11 Tf 2 8 Td (Marsupial Quokka) Tj ET";
    let made = Made {
        catalog: "/AcroForm<</Fields[10 0 R]>>".into(),
        page: "/Annots[10 0 R 12 0 R 13 0 R 14 0 R]".into(),
        others: vec![
            "<</Subtype/Widget/FT/Tx/V(Marsupial Quokka)/Rect[200 690 400 715]/AP<</N 11 0 R>>>>"
                .into(),
            format!(
                "<</Subtype/Form/BBox[0 0 200 25]/Resources<</Font<</F1 3 0 R>>>>/Length {}>>stream\n{looks}\nendstream",
                looks.len()
            ),
            "<</Subtype/FreeText/Contents(A typed remark)/Rect[72 500 300 530]>>".into(),
            "<</Subtype/Widget/FT/Tx/Ff 8192/V(secret word)/Rect[72 400 300 430]>>".into(),
            "<</Subtype/FreeText/F 2/Contents(a hidden one)/Rect[72 300 300 330]>>".into(),
        ],
        ..Made::new(&(at(72.0, 700.0, "Name of applicant:") + &at(72.0, 200.0, "The last line.")))
    };
    let text = made.load().text;
    let words: Vec<&str> = text.split_whitespace().collect();
    let expected = "Name of applicant: Marsupial Quokka A typed remark The last line.";
    assert_eq!(words.join(" "), expected);
    let form = Made {
        page: "/Annots[10 0 R]".into(),
        others: vec!["<</Subtype/Widget/FT/Tx/V(Marsupial Quokka)/Rect[200 690 400 715]>>".into()],
        ..Made::new("")
    };
    assert_eq!(form.load().text, "Marsupial Quokka\n");
}

#[test]
fn values_of_fields_are_those_that_a_reader_shows() {
    let looks = "BT /F1 11 Tf 2 8 Td (Old value) Tj ET";
    let text = |form: &str, note: &str| {
        let made = Made {
            catalog: format!("/AcroForm<</Fields[10 0 R]{form}>>"),
            page: "/Annots[10 0 R]".into(),
            others: vec![
                format!("<</Subtype/Widget{note}/Rect[72 600 300 620]/AP<</N 11 0 R>>>>"),
                format!(
                    "<</Subtype/Form/BBox[0 0 200 25]/Resources<</Font<</F1 3 0 R>>>>/Length {}>>stream\n{looks}\nendstream",
                    looks.len()
                ),
            ],
            ..Made::new("")
        };
        made.load().text
    };
    assert_eq!(text("", "/FT/Tx/V(New value)"), "Old value\n");
    // The file says that its fields are to be drawn anew.
    let anew = "/NeedAppearances true";
    assert_eq!(text(anew, "/FT/Tx/V(New value)"), "New value\n");
    assert_eq!(text(anew, "/FT/Btn"), "Old value\n");
    let choice = "/FT/Ch/V(DE)/Opt[[(FR)(France)][(DE)(Germany)]]";
    assert_eq!(text(anew, choice), "Germany\n");
    let several = "/FT/Ch/V[(DE)(Other)(IT)]/Opt[[(DE)(Germany)][(DE)(Second)][(IT)(Italy)]]";
    let shown = text(anew, several);
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert_eq!(words, ["Germany", "Other", "Italy"]);
}

#[test]
fn hidden_layers_are_not_read() {
    let content = at(72.0, 700.0, "visible words")
        + "/OC /L BDC\n"
        + &at(72.0, 650.0, "hidden words")
        + "EMC\n";
    let made = |shown: &str| Made {
        catalog: format!("/OCProperties<</OCGs[10 0 R]/D<<{shown}>>>>"),
        resources: "/Properties<</L 10 0 R>>".into(),
        others: vec!["<</Type/OCG/Name(Layer)>>".into()],
        ..Made::new(&content)
    };
    assert_eq!(made("/OFF[10 0 R]").load().text, "visible words\n");
    assert_eq!(made("/BaseState/OFF").load().text, "visible words\n");
    assert!(made("/ON[10 0 R]").load().text.contains("hidden words"));
}

#[test]
fn what_a_text_stands_for_takes_its_place() {
    let actual = |text: &str| {
        format!(
            "/Span<</ActualText({text})>>BDC\n{}EMC\n",
            at(72.0, 700.0, "R l W d")
        )
    };
    check(&actual("Real Words"), "Real Words");
    check(&(actual("") + &at(72.0, 650.0, "then")), "then");
}

#[test]
fn turned_pages_and_turned_text_are_read() {
    let turned = Made {
        page: "/Rotate 90".into(),
        ..Made::new(&(at(72.0, 700.0, "First line") + &at(72.0, 680.0, "Second line")))
    };
    assert_eq!(turned.load().text, "First line\nSecond line\n");
    let mut content = String::new();
    for line in 0..3 {
        let _ = writeln!(
            content,
            "BT /F1 11 Tf 0 1 -1 0 {} 100 Tm (Turned line {line}) Tj ET",
            72 + 14 * line
        );
    }
    check(&content, "Turned line 0\nTurned line 1\nTurned line 2");
}

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

#[test]
fn what_lies_beside_the_page_is_not_read() {
    check(
        &(at(72.0, 700.0, "inside") + &at(72.0, -50.0, "below") + &at(700.0, 300.0, "beside")),
        "inside",
    );
}

#[test]
fn what_stands_before_the_header_does_no_harm() {
    let mut bytes = b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n".to_vec();
    bytes.extend(Made::new(&at(72.0, 700.0, "Plain words")).bytes());
    assert_eq!(load(&bytes).unwrap().text, "Plain words\n");
}

/// Loads a page with content in a font, `F9`, in which the codes 1 to 4 are alef to dalet.
fn hebrew(content: &str) -> String {
    let map =
        "1 beginbfrange <01> <04> <05D0> endbfrange 1 beginbfrange <20> <39> <0020> endbfrange";
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

#[test]
fn letters_of_fonts_of_symbols_are_what_these_show() {
    let map = "5 beginbfchar <01> <F0CE> <02> <F0E5> <03> <F0A3> <04> <F0B7> <05> <F01F> endbfchar";
    let read = |name: &str, text: &str| {
        let others = vec![
            format!("<</Type/Font/Subtype/TrueType/BaseFont/{name}/ToUnicode 11 0 R>>"),
            format!("<</Length {}>>stream\n{map}\nendstream", map.len()),
        ];
        let document = in_font(text, others);
        let unknown = document.metadata.extra.get("unmapped_letters");
        let unknown = unknown.map(|unknown| unknown["1"].clone());
        (document.text, unknown)
    };
    for name in ["ABCDEF+SymbolMT", "Symbol", "SymbolMT,Bold"] {
        assert_eq!(read(name, "010203"), ("∈∑≤\n".to_owned(), None), "{name}");
    }
    let (text, unknown) = read("ABCDEF+Symbol", "0105");
    assert_eq!((&*text, unknown), ("∈\u{f01f}\n", Some(1.into())));
    // Which letters those of other fonts are is not known, but that of a bullet.
    let (text, unknown) = read("ABCDEF+Runes", "010204");
    assert_eq!(
        (&*text, unknown),
        ("\u{f0ce}\u{f0e5}\u{f0b7}\n", Some(2.into()))
    );
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

/// Makes a page with a text in a font, `10 0 R`, and loads it.
fn in_font(text: &str, others: Vec<String>) -> Document {
    let made = Made {
        others,
        ..Made::new(&format!("BT /F9 11 Tf 72 700 Td <{text}> Tj ET"))
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes()).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[test]
fn simple_fonts_have_letters_of_two_bytes_where_names_and_bytes_say_so() {
    let font = |name: &str| {
        format!(
            "<</Type/Font/Subtype/TrueType/BaseFont/{name}/Encoding/WinAnsiEncoding/FirstChar 0/Widths[{}]>>",
            "500 ".repeat(256)
        )
    };
    let read = |name: &str, text: &[u8]| in_font(&hex(text), vec![font(name)]).text;
    let (chinese, ..) = encoding_rs::GBK.encode("关于印发《办法》的通知 2022");
    for name in ["FZXiaoBiaoSong-B05", "#CB#CE#CC#E5"] {
        assert_eq!(
            read(name, &chinese),
            "关于印发《办法》的通知 2022\n",
            "{name}"
        );
    }
    assert_eq!(
        read(
            "MS-Mincho",
            &encoding_rs::SHIFT_JIS.encode("カタカナと漢字").0
        ),
        "カタカナと漢字\n"
    );
    // Neither the name alone says it, nor the bytes.
    let latin = b"It\x92s a \x93word\x94 \x96 d\xe9j\xe0 vu";
    assert_eq!(read("MS-Mincho", latin), "It’s a “word” – déjà vu\n");
    assert_ne!(read("Helvetica", &chinese), read("SimSun", &chinese));
}

/// Makes a composite font of the fixture's program.
fn composite(encoding: &str, collection: &str, map: &str) -> Vec<String> {
    let program = hex(&fs::read(fixture("three-letters.ttf")).unwrap());
    vec![
        format!(
            "<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/{encoding}/DescendantFonts[11 0 R]>>"
        ),
        format!(
            "<</Subtype/CIDFontType2/BaseFont/Own/CIDSystemInfo<</Registry(Adobe)/Ordering({collection})>>\
             /FontDescriptor 12 0 R/DW 600/CIDToGIDMap {map}>>"
        ),
        "<</Type/FontDescriptor/FontName/Own/Flags 4/FontFile2 13 0 R>>".into(),
        format!(
            "<</Filter/ASCIIHexDecode/Length {}>>stream\n{program}>\nendstream",
            program.len() + 1
        ),
        "<</Length 12>>stream\n\0\0\0\u{3}\0\0\0\0\0\u{1}\0\u{2}\nendstream".into(),
    ]
}

#[test]
fn fonts_that_do_not_say_their_letters_are_read_by_their_programs() {
    let identity = composite("Identity-H", "Identity", "/Identity");
    assert_eq!(in_font("000100020003", identity).text, "AΩ中\n");
    let mapped = composite("Identity-H", "Identity", "14 0 R");
    assert_eq!(in_font("000400050001", mapped).text, "AΩ中\n");
    let unknown = in_font("00010009", composite("Identity-H", "Identity", "/Identity"));
    assert_eq!(unknown.metadata.extra["unmapped_letters"]["1"], 1);
}

#[test]
fn codes_are_unicode_where_the_file_names_the_map_that_changes_nothing() {
    for name in ["Identity-H", "Identity-V"] {
        let named = |map: &str| {
            let mut font = composite("Identity-H", "Identity", map);
            font[0] = font[0].replace("/Encoding", &format!("/ToUnicode/{name}/Encoding"));
            font
        };
        let mut other = named("/Identity");
        other[1] = other[1].replace("/FontDescriptor 12 0 R", "");
        let text = in_font("0047007200f600df0065002000310032", other).text;
        assert_eq!(text, "Größe 12\n", "{name}");
        // The font program knows better, and what it does not know is said.
        let own = in_font("000100020003", named("/Identity")).text;
        assert_eq!(own, "AΩ中\n", "{name}");
        let mapped = in_font("0004000500010042", named("14 0 R")).text;
        assert_eq!(mapped, "AΩ中B\n", "{name}");
        // Numbers of glyphs are no letters.
        let unknown = in_font("00010042", named("/Identity"));
        assert!(!unknown.text.contains('B'), "{name}: {}", unknown.text);
        assert_eq!(unknown.metadata.extra["unmapped_letters"]["1"], 1, "{name}");
    }
}

#[test]
fn fonts_that_do_not_say_their_letters_are_read_by_their_collections() {
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let (gbk, ..) = encoding_rs::GBK.encode("中文 2022");
    let (japanese, ..) = encoding_rs::SHIFT_JIS.encode("日本語テスト");
    let (korean, ..) = encoding_rs::EUC_KR.encode("한국어 똠방");
    let (big5, ..) = encoding_rs::BIG5.encode("中文測試");
    for (encoding, collection, bytes, expected) in [
        ("UniGB-UCS2-H", "GB1", &*utf16("中文"), "中文"),
        ("GBK-EUC-H", "GB1", &gbk, "中文 2022"),
        ("UniJIS-UTF16-H", "Japan1", &utf16("日本語"), "日本語"),
        ("90ms-RKSJ-H", "Japan1", &japanese, "日本語テスト"),
        ("KSCms-UHC-H", "Korea1", &korean, "한국어 똠방"),
        ("ETen-B5-H", "CNS1", &big5, "中文測試"),
        // The number of the glyph itself, in the collection.
        ("Identity-H", "Japan1", &[0x04, 0x65], "亜"),
    ] {
        let mut font = composite(encoding, collection, "/Identity");
        let embedded = in_font(&hex(bytes), font.clone()).text;
        assert_eq!(embedded.trim_end(), expected, "{encoding}");
        font[1] = font[1].replace("/FontDescriptor 12 0 R", "");
        let other = in_font(&hex(bytes), font).text;
        assert_eq!(other.trim_end(), expected, "{encoding}, not embedded");
    }
}

/// Draws words in a font of bitmaps at 300 dots an inch, whose glyphs have such codes and names.
fn in_bitmaps(text: &str, code: impl Fn(u8) -> u8, name: impl Fn(u8) -> String) -> Vec<u8> {
    let used: BTreeSet<u8> = text.bytes().filter(|&letter| letter != b' ').collect();
    let mut names = String::new();
    let mut widths = [0; 128];
    for &letter in &used {
        let code = code(letter);
        let _ = write!(names, "{code}/{} ", name(letter));
        widths[usize::from(code)] = match letter {
            b'i' | b'j' | b'l' | b'.' => 12,
            b'm' | b'w' => 32,
            _ => 22,
        };
    }
    let procedures = used.iter().fold(String::new(), |mut all, &letter| {
        let _ = write!(all, "/{} 11 0 R", name(letter));
        all
    });
    let widths = widths.map(|width: u32| width.to_string()).join(" ");
    let font = format!(
        "<</Type/Font/Subtype/Type3/FontBBox[0 -10 40 40]/FontMatrix[1 0 0 1 0 0]/FirstChar 0/LastChar 127\
         /Widths[{widths}]/Encoding<</Differences[{names}]>>/CharProcs<<{procedures}>>>>"
    );
    let codes = |word: &str| hex(&word.bytes().map(&code).collect::<Vec<u8>>());
    let words: Vec<String> = text.split(' ').map(codes).collect();
    let made = Made {
        others: vec![font, "<</Length 9>>stream\n22 0 d0  \nendstream".into()],
        ..Made::new(&format!(
            "BT /F9 0.24 Tf 72 700 Td [<{}>] TJ ET",
            words.join("> -14000 <")
        ))
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    bytes.replace("/F3 5 0 R", "/F9 10 0 R").into_bytes()
}

#[test]
fn bitmaps_whose_names_say_nothing_are_read_where_their_widths_are_those_of_the_letters() {
    let text = "the \u{c}gure of a quiet island made him wonder.";
    let expected = "the figure of a quiet island made him wonder.\n";
    let named = in_bitmaps(text, |letter| letter, |letter| format!("a{letter}"));
    assert_eq!(load(&named).unwrap().text, expected);
    let renumbered = |letter: u8| letter.wrapping_mul(77) % 128;
    let numbered = in_bitmaps(text, renumbered, |letter| letter.to_string());
    assert_eq!(load(&numbered).unwrap().text, expected);
    // Nobody can know letters whose numbers are new and their only names.
    let unknown = in_bitmaps(text, renumbered, |letter| {
        format!("a{}", renumbered(letter))
    });
    let error = load(&unknown).unwrap_err();
    assert!(
        matches!(error, sectile_load::Error::UnmappedText { .. }),
        "{error}"
    );
}

/// Makes a font of bitmaps for the codes of a text, named as TeX does, with the widths of narrow, usual and wide letters.
fn bitmaps_of_tex(text: &[u8], [narrow, usual, wide]: [u32; 3]) -> String {
    let codes: BTreeSet<u8> = text.iter().copied().filter(|code| *code != b' ').collect();
    let names = codes.iter().map(|code| format!("{code}/a{code} "));
    let procedures = codes.iter().map(|code| format!("/a{code} 11 0 R"));
    let widths = (0..=u8::MAX).map(|code| {
        let width = match code {
            b'i' | b'j' | b'l' | b'.' | b',' => narrow,
            b'm' | b'w' => wide,
            _ => usual,
        };
        format!("{width} ")
    });
    format!(
        "<</Type/Font/Subtype/Type3/FontBBox[0 -10 40 40]/FontMatrix[1 0 0 1 0 0]/FirstChar 0/LastChar 255\
         /Widths[{}]/Encoding<</Differences[{}]>>/CharProcs<<{}>>>>",
        widths.collect::<String>(),
        names.collect::<String>(),
        procedures.collect::<String>()
    )
}

#[test]
fn bitmaps_of_tex_have_letters_with_accents_and_headings_follow_the_text() {
    let heading = b"modele du monde";
    let text =
        b"les habitants de la ville maritime observent le port, d\xe9j\xe0 au c\xf7ur du monde.";
    let words = |text: &[u8]| {
        let words: Vec<String> = text.split(|code| *code == b' ').map(hex).collect();
        words.join("> -14000 <")
    };
    let read = |widths: [u32; 3]| {
        let made = Made {
            others: vec![
                bitmaps_of_tex(text, [12, 22, 32]),
                "<</Length 9>>stream\n22 0 d0  \nendstream".into(),
                bitmaps_of_tex(heading, widths),
            ],
            ..Made::new(&format!(
                "BT /F8 0.24 Tf 72 700 Td [<{}>] TJ ET BT /F9 0.24 Tf 72 650 Td [<{}>] TJ ET",
                words(heading),
                words(text)
            ))
        };
        let bytes = String::from_utf8(made.bytes()).unwrap();
        load(
            bytes
                .replace("/F3 5 0 R", "/F9 10 0 R/F8 12 0 R")
                .as_bytes(),
        )
        .unwrap()
    };
    let expected = "les habitants de la ville maritime observent le port, déjà au cœur du monde.\n";
    let document = read([14, 25, 37]);
    assert_eq!(document.text, format!("modele du monde\n\n{expected}"));
    // Letters that are all as wide may be any.
    let document = read([22; 3]);
    assert_eq!(document.text, expected);
}

#[test]
fn bitmaps_of_digits_are_read_where_other_fonts_are_known() {
    let text = b"les habitants de la ville maritime observent le port, au monde.";
    let read = |digits: &[u8], widths: [u32; 3]| {
        let words: Vec<String> = text.split(|code| *code == b' ').map(hex).collect();
        let made = Made {
            others: vec![
                bitmaps_of_tex(text, [12, 22, 32]),
                "<</Length 9>>stream\n22 0 d0  \nendstream".into(),
                bitmaps_of_tex(digits, widths),
            ],
            ..Made::new(&format!(
                "BT /F8 0.24 Tf 72 700 Td <{}> Tj ET BT /F9 0.24 Tf 72 650 Td [<{}>] TJ ET",
                hex(digits),
                words.join("> -14000 <")
            ))
        };
        let bytes = String::from_utf8(made.bytes()).unwrap();
        let bytes = bytes.replace("/F3 5 0 R", "/F9 10 0 R/F8 12 0 R");
        load(bytes.as_bytes()).unwrap().text
    };
    let prose = "les habitants de la ville maritime observent le port, au monde.\n";
    assert_eq!(read(b"10-25", [22; 3]), format!("10-25\n\n{prose}"));
    // Pieces of brackets have such codes, letters are other signs, and digits are all as wide.
    for other in [&b"23245"[..], b"10a25", b"11", b"1m0i2"] {
        assert_eq!(read(other, [12, 22, 32]), prose, "{other:?}");
    }
}

#[test]
fn glyphs_whose_names_are_their_codes_are_letters() {
    let text = "società e attività, più";
    let windows = encoding_rs::WINDOWS_1252.encode(text).0;
    let mut codes = windows.to_vec();
    codes.sort_unstable();
    codes.dedup();
    let read = |prefix: &str| {
        let names = codes.iter().map(|code| format!("{code}/{prefix}{code} "));
        let procedures = codes.iter().map(|code| format!("/{prefix}{code} 11 0 R"));
        let font = format!(
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 500 700]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 0/LastChar 255\
             /Widths[{}]/Encoding<</Differences[{}]>>/CharProcs<<{}>>>>",
            "500 ".repeat(256),
            names.collect::<String>(),
            procedures.collect::<String>()
        );
        let made = Made {
            others: vec![font, "<</Length 9>>stream\n22 0 d0  \nendstream".into()],
            ..Made::new(&format!("BT /F9 12 Tf 72 700 Td <{}> Tj ET", hex(&windows)))
        };
        let bytes = String::from_utf8(made.bytes()).unwrap();
        load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes())
    };
    for prefix in ["", "a"] {
        assert_eq!(read(prefix).unwrap().text, format!("{text}\n"));
    }
}

#[test]
fn letters_that_cannot_be_read_take_their_room() {
    let font =
        "<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/DescendantFonts[11 0 R]>>";
    let part = "<</Type/Font/Subtype/CIDFontType2/BaseFont/Odd/DW 900/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)>>>>";
    let line = |before: &str, unknown: &str, after: &str| {
        format!(
            "/F1 11 Tf ({before} ) Tj /F9 11 Tf <{unknown}> Tj /F1 11 Tf ( {after}) Tj 0 -13 TD\n"
        )
    };
    let lines = [
        line(
            "a machine has a",
            "0041004200430044",
            "chance of being the one",
        ),
        line("with probability", "00410042", "it is the one that is"),
        line("the item is assigned in the view", "00410042", "which"),
        line("is seldom larger than", "004100420043", "of the items"),
    ];
    let made = Made {
        others: vec![font.into(), part.into()],
        ..Made::new(&format!("BT 72 700 Td {} ET", lines.concat()))
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    let document = load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes()).unwrap();
    assert_eq!(
        document.text,
        "a machine has a chance of being the one with probability it is the one that is\n\
         the item is assigned in the view which\n\
         is seldom larger than of the items\n"
    );
}

#[test]
fn letters_of_a_font_that_cannot_be_read_are_counted() {
    let font = "<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/No-Such-H>>";
    let made = Made {
        others: vec![font.into()],
        ..Made::new("BT /F1 11 Tf 72 700 Td (known) Tj /F9 11 Tf <00410042> Tj ET")
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    let bytes = bytes.replace("/F3 5 0 R", "/F9 10 0 R");
    let document = load(bytes.as_bytes()).unwrap();
    assert_eq!(document.metadata.extra["unmapped_letters"]["1"], 4);
    // Without the other word there is nothing to read, and it is no scan.
    let error = load(bytes.replace("(known) Tj", "           ").as_bytes()).unwrap_err();
    assert!(
        matches!(error, sectile_load::Error::UnmappedText { .. }),
        "{error}"
    );
}

#[test]
fn a_text_that_stands_for_letters_that_cannot_be_read_is_read() {
    let font =
        "<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/DescendantFonts[11 0 R]>>";
    let part = "<</Type/Font/Subtype/CIDFontType2/BaseFont/Odd/DW 500/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)>>>>";
    let digit = |digit: char| format!("/Span<</ActualText({digit})>>BDC <0041> Tj EMC ");
    let digits: String = "1234".chars().map(digit).collect();
    let made = Made {
        others: vec![font.into(), part.into()],
        ..Made::new(&format!(
            "BT /F1 11 Tf 72 700 Td (Total ) Tj /F9 11 Tf {digits} ET"
        ))
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    let document = load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes()).unwrap();
    assert_eq!(document.text, "Total 1234\n");
    assert!(omissions(&document.metadata).is_empty());
}

#[test]
fn pages_and_letters_that_cannot_be_read_are_said() {
    let nowhere = Made {
        contents: vec![
            "BT /F9 11 Tf 72 700 Td <00410042> Tj /F1 11 Tf 0 -20 Td (known words) Tj ET".into(),
            "0 0 612 792 re f".into(),
        ],
        others: vec![
            "<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/DescendantFonts[11 0 R]>>".into(),
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/Odd/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)>>>>".into(),
        ],
        ..Made::new("")
    };
    let bytes = String::from_utf8(nowhere.bytes())
        .unwrap()
        .replace("/F3 5 0 R", "/F9 10 0 R");
    let document = load(bytes.as_bytes()).unwrap();
    assert_eq!(
        omissions(&document.metadata),
        [
            "page 2 holds pictures and no text, as scanned pages do; `ocr` recognizes it",
            "2 letters on page 1 cannot be read, as their fonts do not say what they mean",
        ]
    );
}

#[test]
fn a_blank_page_is_no_scan() {
    for blank in ["", "1 g 0 0 612 792 re f"] {
        let error = load(&Made::new(blank).bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "made.pdf has neither text nor pictures, as blank pages do"
        );
        let mut file = Made::new(&at(72.0, 700.0, "Only the first page has text."));
        file.contents.push(blank.into());
        assert!(omissions(&file.load().metadata).is_empty(), "{blank}");
    }
    for drawn in ["0 0 612 792 re f", "100 100 m 300 700 l S"] {
        let error = load(&Made::new(drawn).bytes()).unwrap_err();
        assert!(error.to_string().contains("recognize it"), "{error}");
    }
}

/// Makes a file with the picture Im.
fn with_picture(contents: Vec<String>) -> Made {
    let picture = "<</Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>stream\nx\nendstream";
    Made {
        contents,
        resources: "/XObject<</Im 10 0 R>>".into(),
        others: vec![picture.into()],
        ..Made::new("")
    }
}

#[test]
fn pictures_count_as_far_as_they_are_seen() {
    let strip = |number: u32| format!("q 612 0 0 33 0 {} cm /Im Do Q\n", 33 * number);
    let file = with_picture(vec![
        "q 612 0 0 300 0 50 cm /Im Do Q\n".repeat(3) + &at(72.0, 400.0, "A bridge by night"),
        "q 100 100 200 200 re W n 612 0 0 792 0 0 cm /Im Do Q\n".to_owned()
            + &at(72.0, 500.0, "The harbour"),
        (0..24).map(strip).collect::<String>() + &at(72.0, 600.0, "A receipt"),
        "q 0 0 612 792 re W* n 612 0 0 792 0 0 cm /Im Do Q\n".to_owned()
            + &at(72.0, 700.0, "Another one"),
    ]);
    assert_eq!(
        omissions(&file.load().metadata),
        [
            "pages 3, 4 are mostly pictures with little text beside, as scanned pages are; `ocr` recognizes it"
        ]
    );
}

#[test]
fn a_scan_with_a_line_of_text_is_named() {
    let image = "q 612 0 0 700 0 50 cm /Im Do Q\n";
    let line = |number: i32| at(72.0, f64::from(720 - 20 * number), "a whole line of text");
    let file = with_picture(vec![
        image.to_owned() + &at(400.0, 20.0, "Scanned with CamScanner"),
        format!(
            "{image}3 Tr {}",
            at(90.0, 600.0, "A title that was recognized")
        ),
        image.to_owned() + &(0..9).map(line).collect::<String>(),
        image.replace("700", "300") + &at(72.0, 400.0, "A bridge"),
        format!(
            "{image}{}3 Tr {}",
            at(400.0, 20.0, "Draft"),
            at(90.0, 600.0, "                    x")
        ),
    ]);
    let document = file.load();
    assert!(document.text.starts_with("Scanned with CamScanner\n"));
    assert_eq!(
        omissions(&document.metadata),
        [
            "pages 1, 5 are mostly pictures with little text beside, as scanned pages are; `ocr` recognizes it"
        ]
    );
}

#[test]
fn a_file_with_encrypted_attachments_alone_is_read() {
    let key = |length: usize| "x".repeat(length);
    let encryption = |filter: &str| {
        format!(
            "<</Filter/Standard/V 5/R 6/Length 256/P -1028/CF<</StdCF<</CFM/AESV3/Length 32>>>>/EFF/StdCF{filter}\
             /O({long})/U({long})/OE({short})/UE({short})/Perms({})>>",
            key(16),
            long = key(48),
            short = key(32),
        )
    };
    let read = |filter: &str| {
        let file = Made {
            others: vec![encryption(filter)],
            ..Made::new(&at(72.0, 700.0, "Anyone may read this."))
        };
        let bytes = String::from_utf8(file.bytes()).unwrap();
        let trailer = "trailer<</Encrypt 10 0 R/ID[<00><00>]";
        load(bytes.replace("trailer<<", trailer).as_bytes())
    };
    let document = read("/StmF/Identity/StrF/Identity").unwrap();
    assert_eq!(document.text, "Anyone may read this.\n");
    for filters in ["/StmF/StdCF/StrF/StdCF", "/StmF/StdCF/StrF/Identity"] {
        let error = read(filters).unwrap_err();
        assert!(matches!(error, Error::Encrypted { .. }), "{error:?}");
    }
}

#[test]
fn a_page_with_more_than_is_read_is_named() {
    let form = |of: &str| {
        format!(
            "<</Subtype/Form/BBox[0 0 9 9]/Length {}>>stream\n{of}\nendstream",
            of.len()
        )
    };
    let file = |count: usize| Made {
        contents: vec![at(72.0, 700.0, "A plan") + &"/Fm Do\n".repeat(count)],
        resources: "/XObject<</Fm 10 0 R>>".into(),
        others: vec![form("n")],
        ..Made::new("")
    };
    assert!(omissions(&file(20_000).load().metadata).is_empty());
    let metadata = file(20_001).load().metadata;
    assert_eq!(
        omissions(&metadata),
        ["page 1 was read in part: it exceeds a page's limits"]
    );
    assert_eq!(metadata.extra["cut_off_pages"], serde_json::json!([1]));
    // It is drawn within itself.
    let nested = Made {
        others: vec![form("/Fm Do")],
        ..file(1)
    };
    let metadata = nested.load().metadata;
    assert_eq!(metadata.extra["cut_off_pages"], serde_json::json!([1]));
}

#[test]
fn a_file_whose_content_is_damaged_is_no_scan() {
    let bytes = String::from_utf8(Made::new(&at(72.0, 700.0, "words")).bytes()).unwrap();
    // Its only stream is none.
    let damaged = bytes.replace("stream\n", "strain\n");
    let error = load(damaged.as_bytes()).unwrap_err();
    assert!(matches!(error, Error::Parse { .. }), "{error:?}");
}

#[test]
fn a_stream_ends_where_the_next_object_begins() {
    let bytes = String::from_utf8(Made::new(&at(72.0, 700.0, "words")).bytes()).unwrap();
    let open = bytes
        .replace("endstream\nendobj\n", "99 0 obj\nnull\nendobj\n")
        .replace("/Length 3", "/Length 9");
    assert_eq!(load(open.as_bytes()).unwrap().text, "words\n");
}

#[test]
fn comments_are_counted_or_loaded() {
    let made = |content: &str| Made {
        page: "/Annots[10 0 R]".into(),
        others: vec!["<</Subtype/Text/Contents(Check this)/Rect[300 690 320 710]>>".into()],
        ..Made::new(content)
    };
    let with = made(&at(72.0, 700.0, "A claim."));
    let document = with.load();
    assert_eq!(document.text, "A claim.\n");
    assert_eq!(document.metadata.extra["comments_left_out"], 1);
    assert_eq!(
        omissions(&document.metadata),
        ["1 comment is left out; `comments` includes them"]
    );
    let options = LoadOptions {
        pdf: PdfOptions {
            comments: true,
            ..PdfOptions::default()
        },
        ..LoadOptions::default()
    };
    let loader = PdfLoader::new(options);
    let document = loader.load(&with.bytes(), Path::new("made.pdf")).unwrap();
    assert!(document.text.contains("Check this"), "{}", document.text);
    assert!(!document.metadata.extra.contains_key("comments_left_out"));
    // A file of comments alone is no scan.
    assert_eq!(made("").load().text, "Check this\n");
    for kind in ["Highlight", "StrikeOut", "Caret", "Ink"] {
        let note = format!("<</Subtype/{kind}/Contents(Check this)/Rect[72 690 120 710]>>");
        let marked = Made {
            page: "/Annots[10 0 R]".into(),
            others: vec![note],
            ..Made::new(&at(72.0, 700.0, "A claim."))
        };
        let metadata = marked.load().metadata;
        assert_eq!(metadata.extra["comments_left_out"], 1, "{kind}");
    }
}

#[test]
fn files_within_a_file_are_named() {
    let made = Made {
        catalog: "/Names<</EmbeddedFiles<</Names[(1)10 0 R]>>>>".into(),
        page: "/Annots[<</Subtype/FileAttachment/Rect[0 0 9 9]/FS<</F(plan.txt)>>>>]".into(),
        others: vec!["<</Type/Filespec/F(old.csv)/UF(sales.csv)>>".into()],
        ..Made::new(&at(72.0, 700.0, "See the files."))
    };
    let document = made.load();
    assert_eq!(document.text, "See the files.\n");
    let names = document.metadata.extra["attachments_not_read"].as_array();
    let names = names.unwrap().iter().map(|file| &file["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["sales.csv", "plan.txt"]);
    let said = omissions(&document.metadata);
    assert!(
        said[0].starts_with("the attachment sales.csv was not loaded"),
        "{said:?}"
    );
}

#[test]
fn a_refused_file_without_text_names_the_files_that_it_holds() {
    let check = |names: &str, expected: &str| {
        let made = Made {
            catalog: format!("/Names<</EmbeddedFiles<</Names[{names}]>>>>"),
            ..Made::new("")
        };
        let error = load(&made.bytes()).unwrap_err();
        assert!(matches!(error, Error::NoText { .. }), "{error:?}");
        let expected =
            format!("made.pdf has neither text nor pictures, as blank pages do{expected}");
        assert_eq!(error.to_string(), expected);
    };
    check("", "");
    let one = "(1)<</Type/Filespec/F(sales.csv)>>";
    check(
        one,
        "; it holds the file sales.csv, which is not read: save it as a file of its own",
    );
    check(
        &format!("{one}(2)<</Type/Filespec/F(plan.pdf)>>"),
        "; it holds the files sales.csv, plan.pdf, which are not read: save them as files of their own",
    );
}

#[test]
fn a_form_that_a_viewer_makes_is_named() {
    let check = |catalog: &str, expected: &[&str]| {
        let made = Made {
            catalog: catalog.into(),
            ..Made::new(&at(72.0, 700.0, "Please wait..."))
        };
        assert_eq!(omissions(&made.load().metadata), expected, "{catalog}");
    };
    check(
        "/NeedsRendering true/AcroForm<</XFA[]/Fields[]>>",
        &["the part XFA form cannot be read within the file"],
    );
    // The pages of such a form show its fields.
    check("/AcroForm<</XFA[]/Fields[]>>", &[]);
    check("/NeedsRendering true", &[]);
}

#[test]
fn a_bullet_that_is_announced_and_drawn_is_one() {
    let content = format!(
        "/Span<</ActualText(y)>>BDC\n{}EMC\n{}{}",
        at(78.0, 700.0, " "),
        at(72.0, 700.0, "y"),
        at(90.0, 700.0, "Persons")
    );
    check(&content, "y  Persons");
}

#[test]
fn numbers_of_lines_in_the_margin_stand_before_their_lines() {
    let lines = [
        "circumstances may include, but it is not limited to, a change in the job,",
        "the power to earn, or income or receipt of an ongoing source of income from",
        "a pension, a gift, or what is won at a game or a race. An order may then be",
        "seen once more after one year if the office finds that it was not sent to a",
    ];
    let mut content = String::new();
    let mut expected = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let (y, number) = (700 - 22 * index, (index + 1).to_string());
        for (x, text) in [(99, *line), (75, &*number)] {
            let _ = writeln!(content, "BT /F2 10 Tf {x} {y} Td ({text}) Tj ET");
        }
        expected.push(number);
        expected.extend(line.split(' ').map(str::to_owned));
    }
    let text = Made::new(&content).load().text;
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), expected);
}

#[test]
fn typewritten_words_left_of_what_is_drawn_before_them_are_apart() {
    let content = "BT /F2 10 Tf 199 700 Td (income) Tj ET BT /F2 10 Tf 75 700 Td (2) Tj ET";
    let text = Made::new(content).load().text;
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["income", "2"]);
}

#[test]
fn code_over_the_end_of_a_page_keeps_its_fence_and_indentation() {
    let code = |x: f64, y: f64, text: &str| format!("BT /F2 10 Tf {x} {y} Td ({text}) Tj ET\n");
    let before = "The settings of the program stand in a file that is read when it begins.";
    let after = "They hold until the program ends, and then they are read from the file again.";
    let first =
        at(72.0, 700.0, before) + &code(72.0, 100.0, "views:") + &code(84.0, 88.0, "- name: a");
    let second = code(96.0, 700.0, "- f1") + &code(96.0, 688.0, "- f2") + &at(72.0, 640.0, after);
    let made = Made {
        contents: vec![first, second],
        ..Made::new("")
    };
    let document = made.load();
    let code = "```\nviews:\n  - name: a\n    - f1\n    - f2\n```";
    assert_eq!(document.text, format!("{before}\n\n{code}\n\n{after}\n"));
    assert_eq!(document.pages.len(), 2);
}

#[test]
fn code_that_ends_before_its_page_or_begins_below_the_top_stays_apart() {
    let code = |y: f64, text: &str| format!("BT /F2 10 Tf 72 {y} Td ({text}) Tj ET\n");
    let before = "The settings of the program stand in a file that is read when it begins.";
    let after = "They hold until the program ends, and then they are read from the file again.";
    let others = [
        "Nothing else is kept of what was set by hand.",
        "It is lost with the end of it.",
    ];
    for (end, start, is_one) in [
        (100.0, 700.0, true),
        (400.0, 700.0, false),
        (100.0, 688.0, false),
    ] {
        let made = Made {
            contents: vec![
                at(72.0, 700.0, before) + &code(end, "a = 1"),
                code(start, "b = 2") + &at(72.0, 600.0, after),
                at(72.0, 700.0, others[0]) + &at(72.0, 100.0, others[1]),
            ],
            ..Made::new("")
        };
        let found = made.load().text;
        let fences = found.matches("```").count();
        assert_eq!(fences, if is_one { 2 } else { 4 }, "{found}");
    }
}

#[test]
fn items_that_stand_in_others_are_indented() {
    let item = |x: f64, y: f64, mark: &str, text: &str| at(x, y, mark) + &at(x + 13.0, y, text);
    let numbers = item(72.0, 700.0, "1.", "one")
        + &item(85.0, 686.0, "1.", "a nested one")
        + &item(85.0, 672.0, "2.", "b nested one")
        + &item(72.0, 658.0, "2.", "two");
    check(
        &numbers,
        "1. one\n   1. a nested one\n   2. b nested one\n2. two",
    );
    // A circle, as browsers draw the bullets of the second level.
    let circle = "100 690.5 m 100 692 100.5 692.5 102 692.5 c 103.5 692.5 104 692 104 690.5 c \
                  104 689 103.5 688.5 102 688.5 c 100.5 688.5 100 689 100 690.5 c h S\n";
    let square = |y: f64| format!("72 {y} 3 3 re f\n");
    let bullets = square(704.0)
        + &at(85.0, 702.0, "first")
        + circle
        + &at(112.0, 688.0, "within")
        + &square(676.0)
        + &at(85.0, 674.0, "second");
    check(&bullets, "- first\n  - within\n- second");
    // It is the mark of a chart before a number, and a button of a form where others stand in the line.
    check(&(circle.to_owned() + &at(112.0, 688.0, "40 %")), "40 %");
    let other = circle.replace("10", "16");
    let form = circle.to_owned() + &at(112.0, 688.0, "Yes") + &other + &at(172.0, 688.0, "No");
    let text = Made::new(&form).load().text;
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["Yes", "No"]);
    let list = circle.to_owned() + &at(112.0, 688.0, "40 men");
    check(&list, "- 40 men");
    // Far apart, and behind a paragraph at the margin.
    let loose = item(72.0, 700.0, "\\225", "first")
        + &item(90.0, 670.0, "\\225", "within")
        + &at(
            72.0,
            640.0,
            "A paragraph that stands at the margin of the page.",
        )
        + &item(90.0, 610.0, "\\225", "other");
    check(
        &loose,
        "- first\n\n  - within\n\nA paragraph that stands at the margin of the page.\n\n- other",
    );
    // What is written at the margin, here a paragraph of the item and code, ends the items.
    let paragraph = at(90.0, 640.0, "A paragraph that belongs to the item within.");
    let code = "BT /F2 10 Tf 90 640 Td (a = 1) Tj ET\n".to_owned();
    for (between, written) in [
        (paragraph, "A paragraph that belongs to the item within."),
        (code, "```\na = 1\n```"),
    ] {
        let list = item(72.0, 700.0, "1.", "first")
            + &item(90.0, 670.0, "\\225", "within")
            + &between
            + &item(108.0, 610.0, "\\225", "deep")
            + &item(126.0, 580.0, "\\225", "deeper");
        check(
            &list,
            &format!("1. first\n\n   - within\n\n{written}\n\n- deep\n\n  - deeper"),
        );
    }
    // What begins where the line before it ends stands beside it.
    let beside = item(72.0, 300.0, "\\225", "the last one of a column of the page")
        + &item(320.0, 286.0, "\\225", "the first one of the next column");
    let text = Made::new(&beside).load().text;
    assert!(text.contains("\n- the first one of the next"), "{text}");
    // Nor does a list stand in the heading above it.
    let heading = at(72.0, 700.0, "1. The scope of it").replace("/F1 11", "/F1 16")
        + &item(90.0, 680.0, "\\225", "first");
    let text = Made::new(&heading).load().text;
    assert!(text.ends_with("\n- first\n"), "{text}");
}
