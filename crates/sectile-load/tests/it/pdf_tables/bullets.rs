//! Bullets in the cells of tables.

use super::*;

/// Draws bullets where there is a star.
fn with_bullets(content: &str) -> String {
    content.replace("(*)", "(\\225)")
}

#[test]
fn bullets_in_cells_are_cells_whatever_is_drawn_first() {
    let cells: [(f64, &[&str]); 4] = [
        (75.0, &["Feature", "Search", "Export", "Support"]),
        (245.0, &["A", "*", "", "*"]),
        (275.0, &["B", "*", "*", ""]),
        (305.0, &["Note", "all plans", "later", "by mail"]),
    ];
    let drawn = columns(&cells) + &at(72.0, 600.0, "Below it.");
    let walls = [60.0, 230.0, 265.0, 298.0, 420.0].map(|x| [x, 652.0, x, 714.0]);
    let rules = [714.0, 695.0, 681.0, 667.0, 652.0].map(|y| [60.0, y, 420.0, y]);
    let expected = "| Feature | A | B | Note |\n|---|---|---|---|\n| Search | • | • | all plans |\n\
                    | Export |  | • | later |\n| Support | • |  | by mail |\n\nBelow it.";
    check(
        &(lines(&walls) + &lines(&rules) + &with_bullets(&drawn)),
        expected,
    );
}

#[test]
fn bullets_before_a_wall_are_cells() {
    let rows = [
        ["Done", "Task"],
        ["*", "Water the plants"],
        ["", "Feed the cat"],
        ["*", "Close it"],
    ];
    let mut drawn = String::new();
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty())
        {
            drawn += &at([75.0, 110.0][column], 700.0 - 14.0 * row as f64, cell);
        }
    }
    let walls = [60.0, 105.0, 420.0].map(|x| [x, 652.0, x, 714.0]);
    let rules = [714.0, 695.0, 681.0, 667.0, 652.0].map(|y| [60.0, y, 420.0, y]);
    check(
        &(lines(&walls) + &lines(&rules) + &with_bullets(&drawn)),
        "| Done | Task |\n|---|---|\n| • | Water the plants |\n|  | Feed the cat |\n| • | Close it |",
    );
}

#[test]
fn numbered_rows_of_bullets_are_no_list() {
    let mut drawn = at(72.0, 714.0, "No.") + &at(100.0, 714.0, "Feature");
    drawn += &(at(300.0, 714.0, "Free") + &at(340.0, 714.0, "Team") + &at(385.0, 714.0, "All"));
    let mut expected = "| No. | Feature | Free | Team | All |\n|---|---|---|---|---|".to_owned();
    for (row, name) in ["Search", "Export", "Mail", "Support"].iter().enumerate() {
        let y = 700.0 - 14.0 * row as f64;
        drawn += &(at(72.0, y, &format!("{}.", row + 1)) + &at(100.0, y, name));
        drawn += &(at(308.0, y, "*") + &at(350.0, y, "*") + &at(390.0, y, "*"));
        let _ = write!(expected, "\n| {}. | {name} | • | • | • |", row + 1);
    }
    check(&with_bullets(&drawn), &expected);
}
