//! Tables with ruling lines.

use super::*;

#[test]
fn ruled_tables_are_markdown_tables() {
    let mut content = at(72.0, 750.0, "A report");
    let rows = [
        ["Region", "Q1", "Q2"],
        ["North", "10", "12"],
        ["South | West", "8", "9"],
        ["East", "11", ""],
    ];
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            content += &at(
                75.0 + 150.0 * column as f64,
                700.0 - 20.0 * row as f64,
                cell,
            );
        }
    }
    for y in [715, 695, 675, 655, 635] {
        let _ = writeln!(content, "70 {y} m 520 {y} l S");
    }
    for x in [70, 220, 370, 520] {
        let _ = writeln!(content, "{x} 635 m {x} 715 l S");
    }
    content += &at(72.0, 600.0, "After the table.");
    check(
        &content,
        "A report\n\n\
         | Region | Q1 | Q2 |\n|---|---|---|\n| North | 10 | 12 |\n| South \\| West | 8 | 9 |\n| East | 11 |  |\n\n\
         After the table.",
    );
}

#[test]
fn a_row_that_is_a_caption_stands_above_the_table() {
    let mut content = at(72.0, 750.0, "A report") + &at(75.0, 700.0, "Sales");
    let rows = [
        ["Region", "Q1", "Q2"],
        ["North", "10", "12"],
        ["South", "8", "9"],
    ];
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (x, y) = (75.0 + 150.0 * column as f64, 680.0 - 20.0 * row as f64);
            content += &at(x, y, cell);
        }
    }
    for y in [715, 695, 675, 655, 635] {
        let _ = writeln!(content, "70 {y} m 520 {y} l S");
    }
    for x in [70, 220, 370, 520] {
        let _ = writeln!(content, "{x} 635 m {x} 715 l S");
    }
    check(
        &content,
        "A report\n\nSales\n\n\
         | Region | Q1 | Q2 |\n|---|---|---|\n| North | 10 | 12 |\n| South | 8 | 9 |",
    );
}

#[test]
fn rows_of_a_form_are_told_where_no_line_parts_them() {
    // Names and values in one box each, and a name whose box ends before that of its value.
    let mut content = lines(&[
        [60.0, 720.0, 520.0, 720.0],
        [60.0, 620.0, 520.0, 620.0],
        [60.0, 600.0, 520.0, 600.0],
        [60.0, 600.0, 60.0, 720.0],
        [210.0, 600.0, 210.0, 720.0],
        [520.0, 600.0, 520.0, 720.0],
    ]);
    let cells = ["Insured", "Claim", "Policy", "Phone", "E-mail"];
    let values = [
        "Gabriel",
        "SF-1008",
        "POL-22",
        "(425) 111",
        "Gab@example.org",
    ];
    for (row, (name, value)) in cells.iter().zip(values).enumerate() {
        let y = 705.0 - 15.0 * row as f64;
        content += &at(72.0, y, name);
        content += &at(222.0, y, value);
    }
    content += &(at(72.0, 606.0, "Order") + &at(222.0, 606.0, "RO-2022"));
    check(
        &content,
        "| Insured | Gabriel |\n|---|---|\n| Claim | SF-1008 |\n| Policy | POL-22 |\n| Phone | (425) 111 |\n\
         | E-mail | Gab@example.org |\n| Order | RO-2022 |",
    );
}

#[test]
fn cells_are_read_in_the_order_of_their_lines_whatever_was_drawn_first() {
    let mut content = lines(&[
        [60.0, 720.0, 520.0, 720.0],
        [60.0, 680.0, 520.0, 680.0],
        [60.0, 640.0, 520.0, 640.0],
        [60.0, 640.0, 60.0, 720.0],
        [290.0, 640.0, 290.0, 720.0],
        [520.0, 640.0, 520.0, 720.0],
    ]);
    // Values are drawn before their labels, which stand to the left of them or above.
    content += &(at(140.0, 705.0, "OD304") + &at(72.0, 705.0, "Order ID:"));
    content += &(at(140.0, 690.0, "15-10-2015") + &at(72.0, 690.0, "Order Date:"));
    content += &(at(300.0, 690.0, "Ann Berg") + &at(300.0, 705.0, "Shipper"));
    content += &(at(72.0, 655.0, "Total") + &at(300.0, 655.0, "319.00"));
    check(
        &content,
        "| Order ID: OD304 Order Date: 15-10-2015 | Shipper Ann Berg |\n|---|---|\n| Total | 319.00 |",
    );
}

#[test]
fn a_ruled_head_spans_the_columns_and_the_rows_that_its_walls_leave_out() {
    let mut content = lines(&[
        [70.0, 720.0, 520.0, 720.0],
        [220.0, 700.0, 520.0, 700.0],
        [70.0, 680.0, 520.0, 680.0],
        [70.0, 660.0, 520.0, 660.0],
        [70.0, 640.0, 520.0, 640.0],
        [70.0, 640.0, 70.0, 720.0],
        [220.0, 640.0, 220.0, 720.0],
        [370.0, 640.0, 370.0, 700.0],
        [520.0, 640.0, 520.0, 720.0],
    ]);
    content += &(at(75.0, 695.0, "Region") + &at(355.0, 705.0, "Sales"));
    content += &(at(225.0, 685.0, "2023") + &at(375.0, 685.0, "2024"));
    for (row, cells) in [["North", "10", "12"], ["South", "8", "9"]]
        .iter()
        .enumerate()
    {
        for (column, cell) in cells.iter().enumerate() {
            let (x, y) = (75.0 + 150.0 * column as f64, 665.0 - 20.0 * row as f64);
            content += &at(x, y, cell);
        }
    }
    check(
        &content,
        "| Region | Sales |  |\n|---|---|---|\n|  | 2023 | 2024 |\n| North | 10 | 12 |\n| South | 8 | 9 |",
    );
}

#[test]
fn names_broken_at_the_walls_of_their_cells_are_whole() {
    let mut content = String::new();
    let cells = [
        [["Parameter", ""], ["Type", ""]],
        [["response_cost_failu", "re_debug_info"], ["Gross", "total"]],
        [["duration", ""], ["Gross", "words"]],
    ];
    for (row, cells) in cells.iter().enumerate() {
        let top = 700.0 - 40.0 * row as f64;
        content += &lines(&[
            [70.0, top, 300.0, top],
            [70.0, top - 40.0, 300.0, top - 40.0],
        ]);
        for (column, texts) in cells.iter().enumerate() {
            let x = 72.0 + 105.0 * column as f64;
            content += &lines(&[[x - 2.0, top, x - 2.0, top - 40.0]]);
            content += &at(x, top - 12.0, texts[0]);
            if !texts[1].is_empty() {
                content += &at(x, top - 26.0, texts[1]);
            }
        }
    }
    content += &lines(&[[300.0, 580.0, 300.0, 700.0]]);
    check(
        &content,
        "| Parameter | Type |\n|---|---|\n| response_cost_failure_debug_info | Gross total |\n\
         | duration | Gross words |",
    );
}

#[test]
fn a_head_above_the_grid_is_that_of_the_table() {
    let grid = |left: f64| {
        let walls = [left, 200.0, 300.0, 420.0].map(|x| [x, 653.0, x, 695.0]);
        let rules = [695.0, 681.0, 667.0, 653.0].map(|y| [left, y, 420.0, y]);
        lines(&walls) + &lines(&rules)
    };
    let cells = columns(&[
        (72.0, &["Harbour", "Bergen", "Oslo", "Moss"]),
        (210.0, &["Ships", "12", "9", "3"]),
        (310.0, &["Tons", "1,200", "850", "40"]),
    ]);
    let title = at(
        60.0,
        722.0,
        "Ships that were counted in the harbours of the east and west",
    );
    let expected = "Ships that were counted in the harbours of the east and west\n\n\
                    | Harbour | Ships | Tons |\n|---|---|---|\n| Bergen | 12 | 1,200 |\n\
                    | Oslo | 9 | 850 |\n| Moss | 3 | 40 |";
    check(&(grid(60.0) + &title + &cells), expected);
}

#[test]
fn a_line_above_a_grid_that_crosses_its_walls_or_is_a_table_is_no_head() {
    let grid = |top: f64, right: f64| {
        let down = [60.0, 200.0, right].map(|x| [x, top - 28.0, x, top]);
        let across = [0.0, 14.0, 28.0].map(|y| [60.0, top - y, right, top - y]);
        lines(&down) + &lines(&across)
    };
    let row = |y: f64, one: &str, other: &str| at(72.0, y, one) + &at(210.0, y, other);
    let two = grid(711.0, 420.0) + &grid(679.0, 440.0);
    let cells = row(700.0, "Port", "Ships") + &row(686.0, "Bergen", "12");
    let others = row(668.0, "Town", "Houses") + &row(654.0, "Moss", "30");
    check(
        &(two + &cells + &others),
        "| Port | Ships |\n|---|---|\n| Bergen | 12 |\n\n| Town | Houses |\n|---|---|\n| Moss | 30 |",
    );
    let line = at(72.0, 717.0, "Ports of the north and what was") + &at(300.0, 717.0, "counted");
    check(
        &(grid(711.0, 420.0) + &line + &cells),
        "Ports of the north and what was  counted\n\n\
         | Port | Ships |\n|---|---|\n| Bergen | 12 |",
    );
}

#[test]
fn a_blank_grid_takes_no_text_above_it_as_its_head() {
    let mut content = String::new();
    for y in [600, 620, 640, 660] {
        let _ = writeln!(content, "72 {y} m 456 {y} l S");
    }
    for x in [72, 200, 328, 456] {
        let _ = writeln!(content, "{x} 600 m {x} 660 l S");
    }
    let questions = at(76.0, 682.0, "Discuss the rise")
        + &at(210.0, 682.0, "Relate it to the")
        + &at(76.0, 668.0, "of the house.")
        + &at(210.0, 668.0, "house next door.");
    let drawn = content.clone() + &questions + &at(400.0, 604.0, "5/10");
    let text = Made::new(&drawn).load().text;
    assert!(!text.contains('|'), "{text}");
    // One that is filled in has them.
    let cells = at(76.0, 644.0, "1750") + &at(210.0, 644.0, "1760") + &at(76.0, 624.0, "1800");
    let text = Made::new(&(content + &questions + &cells)).load().text;
    assert!(
        text.starts_with("| Discuss the rise of the house. |"),
        "{text}"
    );
}
