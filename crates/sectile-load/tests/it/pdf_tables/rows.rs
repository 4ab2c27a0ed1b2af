//! Rows of several lines, and what is none.

use super::*;

#[test]
fn a_larger_gap_below_the_head_makes_no_row_of_all_lines() {
    let content = rows(720.0, &[&["Name", "Office", "Room", "E-mail"]])
        + &rows(
            700.0,
            &[
                &["Ann Berg", "Leeds", "", "ann@a.example"],
                &["Bo Lind", "York", "Room 4", ""],
                &["Cai Moss", "", "Room 9", "cai@a.example"],
                &["Dee Nott", "Hull", "", "dee@a.example"],
            ],
        );
    check(
        &content,
        "| Name | Office | Room | E-mail |\n|---|---|---|---|\n\
         | Ann Berg | Leeds |  | ann@a.example |\n\
         | Bo Lind | York | Room 4 |  |\n\
         | Cai Moss |  | Room 9 | cai@a.example |\n\
         | Dee Nott | Hull |  | dee@a.example |",
    );
}

#[test]
fn a_larger_gap_before_the_last_row_makes_no_row_of_the_others() {
    let content = rows(
        700.0,
        &[
            &["Date", "Details", "Paid in"],
            &["3 Mar", "Salary", ""],
            &["4 Mar", "Card", ""],
            &["5 Mar", "Cash", "20.00"],
            &["6 Mar", "", "15.00"],
            &["7 Mar", "Fee", ""],
        ],
    ) + &rows(606.0, &[&["Total", "", "35.00"]]);
    check(
        &content,
        "| Date | Details | Paid in |\n|---|---|---|\n| 3 Mar | Salary |  |\n| 4 Mar | Card |  |\n\
         | 5 Mar | Cash | 20.00 |\n| 6 Mar |  | 15.00 |\n| 7 Mar | Fee |  |\n| Total |  | 35.00 |",
    );
}

/// A statement whose long label is drawn over three lines, with its numbers beside one of them, or between two.
fn statement(numbers: f64) -> String {
    let line = |y: f64, cells: &[&str]| {
        cells
            .iter()
            .zip([72.0, 320.0, 420.0])
            .fold(String::new(), |all, (cell, left)| all + &at(left, y, cell))
    };
    let mut content = line(700.0, &["Income", "2023", "2022"]);
    content += &line(682.0, &["Profit for the year", "112.5", "101.0"]);
    content += &at(72.0, 664.0, "Other comprehensive income of the");
    content += &at(72.0, 650.0, "group that may be reclassified to its");
    content += &at(72.0, 636.0, "profit or loss");
    content += &line(664.0 - 14.0 * numbers, &["", "12.5", "11.0"]);
    content += &line(618.0, &["Tax", "2.1", "1.9"]);
    content + &line(600.0, &["Total", "127.1", "113.9"])
}

#[test]
fn labels_over_several_lines_keep_their_numbers_wherever_they_stand() {
    for numbers in [0.0, 1.0, 1.5, 2.0] {
        check(
            &statement(numbers),
            "| Income | 2023 | 2022 |\n|---|---|---|\n| Profit for the year | 112.5 | 101.0 |\n\
             | Other comprehensive income of the group that may be reclassified to its profit or loss | 12.5 | 11.0 |\n\
             | Tax | 2.1 | 1.9 |\n| Total | 127.1 | 113.9 |",
        );
    }
}

#[test]
fn headings_between_the_rows_of_a_table_are_no_labels() {
    let content = rows(
        700.0,
        &[
            &["Twists and isogenies", "name"],
            &["quadratic twist of it", "twist"],
            &["isogenies of it", "isogeny"],
            &["Reduction, models"],
            &["minimal model over Q", "minimal"],
            &["conductor", "conductor"],
        ],
    );
    let text = Made::new(&content).load().text;
    assert!(
        text.contains("| minimal model over Q | minimal |"),
        "{text}"
    );
}

#[test]
fn cells_that_are_aligned_at_the_bottom_stay_in_their_rows() {
    let mut content = rows(700.0, &[&["ID", "Risk", "Owner"]]);
    for row in 0..4 {
        let top = 680.0 - 34.0 * f64::from(row);
        let id = format!("R{row}");
        content += &rows(
            top,
            &[
                &["", "Delay because of"],
                &[&id, "customs or strikes", "J. Doe"],
            ],
        );
    }
    let row = |id| format!("\n| R{id} | Delay because of customs or strikes | J. Doe |");
    let expected = (0..4).fold(
        "| ID | Risk | Owner |\n|---|---|---|".to_owned(),
        |all, id| all + &row(id),
    );
    check(&content, &expected);
}

#[test]
fn a_label_without_values_is_a_row_where_rows_are_as_far_apart() {
    let rows = [
        (700.0, "Fever", "1", "100%"),
        (676.0, "Conjuncti..", "1", "50%"),
        (652.0, "Eye pain", "", ""),
        (623.0, "Headache", "2", "90%"),
        (599.0, "Malaise", "3", "80%"),
    ];
    let row = |(y, label, count, part): (f64, &str, &str, &str)| {
        at(72.0, y, label) + &at(145.0, y, count) + &at(200.0, y, part)
    };
    check(
        &rows.map(row).concat(),
        "| Fever | 1 | 100% |\n|---|---|---|\n| Conjuncti.. | 1 | 50% |\n| Eye pain |  |  |\n\
         | Headache | 2 | 90% |\n| Malaise | 3 | 80% |",
    );
}

#[test]
fn rows_above_and_below_filled_ones_are_part_of_the_table() {
    let mut content = String::from("0.8 g\n");
    for y in [676, 640] {
        for x in [70, 220, 370] {
            let _ = writeln!(content, "{x} {y} 150 18 re f");
        }
    }
    content += "0 g\n";
    let cells = [
        ["Date", "Details", "Balance"],
        ["2 Mar", "Card", "5,216.26"],
        ["3 Mar", "Rent", "5,151.73"],
        ["4 Mar", "Salary", "5,511.20"],
        ["5 Mar", "Cash", "5,491.20"],
    ];
    for (row, cells) in cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let left = 75.0 + 150.0 * column as f64;
            content += &at(left, 699.0 - 18.0 * row as f64, cell);
        }
    }
    content += &at(72.0, 560.0, "After the table.");
    check(
        &content,
        "| Date | Details | Balance |\n|---|---|---|\n| 2 Mar | Card | 5,216.26 |\n| 3 Mar | Rent | 5,151.73 |\n\
         | 4 Mar | Salary | 5,511.20 |\n| 5 Mar | Cash | 5,491.20 |\n\nAfter the table.",
    );
}

#[test]
fn two_lines_of_numbers_between_lines_are_two_rows() {
    let mut content = String::new();
    let heads = ["Layers", "Language", "Simple", "Complex"];
    for (column, cell) in heads.iter().enumerate() {
        content += &at(75.0 + 110.0 * column as f64, 700.0, cell);
    }
    for (row, layers) in ["6", "4"].iter().enumerate() {
        let top = 680.0 - 30.0 * row as f64;
        content += &at(75.0, top - 6.0, layers);
        for (line, cells) in [["OTSL", "0.965", "0.934"], ["HTML", "0.969", "0.927"]]
            .iter()
            .enumerate()
        {
            for (column, cell) in cells.iter().enumerate() {
                content += &at(
                    185.0 + 110.0 * column as f64,
                    top - 12.0 * line as f64,
                    cell,
                );
            }
        }
    }
    for y in [715, 693, 663, 633] {
        let _ = writeln!(content, "70 {y} m 510 {y} l S");
    }
    for x in [70, 180, 290, 400, 510] {
        let _ = writeln!(content, "{x} 633 m {x} 715 l S");
    }
    let rows = |layers| format!("| {layers} | OTSL | 0.965 | 0.934 |\n|  | HTML | 0.969 | 0.927 |");
    let head = "| Layers | Language | Simple | Complex |\n|---|---|---|---|";
    check(&content, &format!("{head}\n{}\n{}", rows(6), rows(4)));
}

#[test]
fn a_row_of_a_table_may_be_drawn_after_the_text_below() {
    let cells: Vec<[String; 3]> = (1..=12)
        .map(|row| {
            [
                format!("item {row}"),
                format!("{}", 100 * row),
                format!("{row}"),
            ]
        })
        .collect();
    let row = |at_row: usize, cells: [&str; 3]| rows(700.0 - 14.0 * at_row as f64, &[&cells]);
    let mut content = row(0, ["Item", "Price", "Pieces"]);
    for (at_row, [item, price, pieces]) in (1..).zip(&cells) {
        content += &row(at_row, [item, price, pieces]);
    }
    for line in 0..24 {
        let y = 440.0 - 14.0 * f64::from(line);
        content += &at(72.0, y, &format!("Line {line} of the text below."));
    }
    content += &row(13, ["Total", "7800", "78"]);
    let text = Made::new(&content).load().text;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "| Item | Price | Pieces |", "{text}");
    assert_eq!(lines[13], "| item 12 | 1200 | 12 |");
    assert_eq!(lines[14], "| Total | 7800 | 78 |");
}
