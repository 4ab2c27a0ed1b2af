//! Tables that are turned to the side.

use super::*;

/// Draws a text that is turned to the left, upward from a place.
fn upward(x: f64, y: f64, text: &str) -> String {
    format!("BT /F1 11 Tf 0 1 -1 0 {x} {y} Tm ({text}) Tj ET\n")
}

#[test]
fn tables_that_are_turned_to_the_side_are_tables() {
    let rows = [
        ["State", "Men", "Women"],
        ["Kerala", "1645", "2391"],
        ["Orissa", "1093", "1628"],
        ["Assam", "", "1366"],
    ];
    let mut cells = upward(90.0, 75.0, "Table 1: Coverage");
    for (row, texts) in rows.iter().enumerate() {
        for (column, text) in texts
            .iter()
            .enumerate()
            .filter(|(_, text)| !text.is_empty())
        {
            cells += &upward(
                115.0 + 20.0 * row as f64,
                75.0 + 150.0 * column as f64,
                text,
            );
        }
    }
    let expected = "Table 1: Coverage\n\n| State | Men | Women |\n|---|---|---|\n| Kerala | 1645 | 2391 |\n\
                    | Orissa | 1093 | 1628 |\n| Assam |  | 1366 |";
    check(&cells, expected);
    let mut walls: Vec<[f64; 4]> = Vec::new();
    walls.extend([100.0, 120.0, 140.0, 160.0, 180.0].map(|x| [x, 70.0, x, 520.0]));
    walls.extend([70.0, 220.0, 370.0, 520.0].map(|y| [100.0, y, 180.0, y]));
    check(&(cells + &lines(&walls)), expected);
}

#[test]
fn heads_that_are_turned_to_the_side_are_part_of_their_table() {
    let mut content = lines(&[
        [60.0, 720.0, 360.0, 720.0],
        [60.0, 640.0, 360.0, 640.0],
        [60.0, 620.0, 360.0, 620.0],
        [60.0, 600.0, 360.0, 600.0],
        [60.0, 600.0, 60.0, 720.0],
        [160.0, 600.0, 160.0, 720.0],
        [260.0, 600.0, 260.0, 720.0],
        [360.0, 600.0, 360.0, 720.0],
    ]);
    content += &at(70.0, 680.0, "District");
    content += &(upward(200.0, 645.0, "Population") + &upward(214.0, 645.0, "in lakhs"));
    content += &upward(310.0, 645.0, "Surplus");
    for (row, cells) in [["Balasore", "23.65", "0.17"], ["Cuttack", "26.63", "-0.10"]]
        .iter()
        .enumerate()
    {
        for (column, cell) in cells.iter().enumerate() {
            content += &at(
                70.0 + 100.0 * column as f64,
                626.0 - 20.0 * row as f64,
                cell,
            );
        }
    }
    check(
        &content,
        "| District | Population in lakhs | Surplus |\n|---|---|---|\n| Balasore | 23.65 | 0.17 |\n\
         | Cuttack | 26.63 | -0.10 |",
    );
}
