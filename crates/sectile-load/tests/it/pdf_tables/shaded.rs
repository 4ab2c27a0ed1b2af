//! Cells that are filled with a colour.

use super::*;

/// The rows of a table of three columns.
const YIELDS: [&[&str]; 6] = [
    &["Company", "Product", "Yield"],
    &["Kruger", "K2-1901", "56.4"],
    &["Stine", "19RA02", "55.3"],
    &["Wensman", "W 3190NR2", "54.5"],
    &["Hefty", "H17Y12", "53.7"],
    &["Prairie", "PB-1566R2", "52.8"],
];

const YIELDS_READ: &str = "| Company | Product | Yield |\n|---|---|---|\n\
    | Kruger | K2-1901 | 56.4 |\n| Stine | 19RA02 | 55.3 |\n| Wensman | W 3190NR2 | 54.5 |\n\
    | Hefty | H17Y12 | 53.7 |\n| Prairie | PB-1566R2 | 52.8 |";

/// Fills an area in each of the rows from one number to another of those of [`YIELDS`], as far across as is said.
fn shaded(numbers: std::ops::Range<i32>, across: &[(f64, f64)]) -> String {
    let mut content = String::new();
    for row in numbers {
        let y = 697.0 - 14.0 * f64::from(row);
        for (left, width) in across {
            let _ = writeln!(content, ".8 g {left} {y} {width} 14 re f 0 g");
        }
    }
    content
}

#[test]
fn shaded_cells_stay_in_their_rows() {
    let table = || rows(700.0, &YIELDS);
    for across in [
        &[(70.0, 100.0)][..],
        &[(220.0, 120.0)],
        &[(370.0, 60.0)],
        &[(220.0, 148.0), (368.0, 60.0)],
    ] {
        check(&(shaded(1..6, across) + &table()), YIELDS_READ);
    }
    let head = shaded(0..1, &[(70.0, 150.0), (220.0, 150.0), (370.0, 100.0)]);
    check(
        &(head + &shaded(2..3, &[(70.0, 400.0)]) + &table()),
        YIELDS_READ,
    );
}

#[test]
fn heads_stand_above_rows_that_are_filled() {
    let content = shaded(1..6, &[(70.0, 400.0)]) + &rows(700.0, &YIELDS);
    check(&content, YIELDS_READ);
}

#[test]
fn cells_that_are_all_filled_are_a_table_beside_text() {
    let cells = [(70.0, 150.0), (220.0, 150.0), (370.0, 60.0)];
    let beside = at(450.0, 672.0, "A note stands here");
    let text = Made::new(&(shaded(0..6, &cells) + &rows(700.0, &YIELDS) + &beside))
        .load()
        .text;
    assert!(text.contains(YIELDS_READ), "{text}");
}
