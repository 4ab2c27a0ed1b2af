//! The order in which what is drawn is read.

use super::*;

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
fn a_line_that_goes_over_its_column_moves_no_other_column() {
    let left = (0..6).map(|line| {
        let y = 500.0 - 14.0 * f64::from(line);
        let more = if line == 2 {
            " which goes on into the next column"
        } else {
            ""
        };
        at(72.0, y, &format!("Line {line} of the left column{more}"))
    });
    let right = at(330.0, 700.0, "The right column begins above the left one,")
        + &at(330.0, 686.0, "as a picture stands over that.");
    check_order(
        &(left.collect::<String>() + &right),
        &["Line 0", "Line 2", "Line 5", "right column"],
    );
}

#[test]
fn a_table_beside_a_column_parts_no_lines_of_it() {
    let left = (0..12).map(|line| {
        let y = 700.0 - 14.0 * f64::from(line);
        at(
            60.0,
            y,
            &format!("Line {line} of the left column tells what it is and does."),
        )
    });
    let rows = [
        ["Top", "37 mm \\(1.46 in\\)", "0.75 in \\(19 mm\\)"],
        ["Foot", "19 mm \\(0.75 in\\)", "0.75 in \\(19 mm\\)"],
        ["Left", "20 mm \\(0.79 in\\)", "0.79 in \\(20 mm\\)"],
        ["Right", "20 mm \\(0.79 in\\)", "1.02 in \\(26 mm\\)"],
    ];
    let mut content = left.collect::<String>() + &at(360.0, 700.0, "Table 1: Margins");
    for (row, cells) in rows.iter().enumerate() {
        for (x, cell) in [330.0, 390.0, 490.0].into_iter().zip(cells) {
            content += &at(x, 658.0 - 14.0 * row as f64, cell);
        }
    }
    content += &at(
        330.0,
        580.0,
        "The text below the table goes over all of it.",
    );
    check_order(
        &content,
        &[
            "Line 8",
            "Line 9",
            "Line 11",
            "Table 1",
            "Top",
            "Right",
            "below the table",
        ],
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
