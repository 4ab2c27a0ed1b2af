//! Tables on the pages of made PDF files.

use std::fmt::Write as _;
use std::path::Path;

use sectile_load::{LoadOptions, Loader as _, PdfLoader};
use serde_json::json;

use crate::made_pdf::{Made, at, check, part, tagged};

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
fn cells_in_columns_are_tables_without_lines() {
    let mut content =
        at(72.0, 700.0, "Item") + &at(250.0, 700.0, "Price") + &at(400.0, 700.0, "Pieces");
    for row in 0..30 {
        let y = 680.0 - 20.0 * f64::from(row);
        content += &at(72.0, y, &format!("item {row}"));
        content += &at(250.0, y, &format!("{}", 1000 + row));
        content += &at(400.0, y, &format!("{}", row * 7));
    }
    let text = Made::new(&content).load().text;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "| Item | Price | Pieces |",
            "|---|---|---|",
            "| item 0 | 1000 | 0 |"
        ]
    );
    assert_eq!(lines[31], "| item 29 | 1029 | 203 |");
    assert_eq!(lines.len(), 32);
}

/// Draws rows of cells from a height down, each cell a column of 150 points further right.
fn rows(top: f64, rows: &[&[&str]]) -> String {
    let mut content = String::new();
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty())
        {
            content += &at(72.0 + 150.0 * column as f64, top - 14.0 * row as f64, cell);
        }
    }
    content
}

#[test]
fn cells_of_several_lines_are_one() {
    let content = rows(
        700.0,
        &[
            &["Parameter", "Type", "Description"],
            &["name", "string", "The unique name of"],
            &["", "", "the tag, for example"],
            &["", "", "that of a team of 30"],
            &["models", "list", "Restricts the tag"],
        ],
    );
    check(
        &content,
        "| Parameter | Type | Description |\n|---|---|---|\n\
         | name | string | The unique name of the tag, for example that of a team of 30 |\n\
         | models | list | Restricts the tag |",
    );
}

#[test]
fn tables_with_the_same_head_are_several() {
    let head: &[&str] = &["Name", "Median", "Mean"];
    let content = rows(
        700.0,
        &[
            head,
            &["one", "200", "262"],
            &["two", "12", "14"],
            &["4 machines"],
            head,
            &["one", "100", "111"],
            &["two", "2", "3"],
        ],
    );
    let text = Made::new(&content).load().text;
    assert_eq!(
        text.matches("| Name | Median | Mean |\n|---|").count(),
        2,
        "{text}"
    );
    assert!(
        text.contains("| two | 12 | 14 |\n\n4 machines\n\n| Name |"),
        "{text}"
    );
}

#[test]
fn columns_of_text_are_no_table() {
    let column = |left: f64, word: &str| {
        (0..12).fold(String::new(), |all, row| {
            let line = format!("{word} line {row} of its");
            all + &at(left, 700.0 - 14.0 * f64::from(row), &line)
        })
    };
    let text = Made::new(&(column(72.0, "left") + &column(320.0, "right")))
        .load()
        .text;
    assert!(!text.contains('|'), "{text}");
    assert!(text.find("left line 11").unwrap() < text.find("right line 0").unwrap());
}

#[test]
fn a_table_over_two_pages_has_one_head() {
    let page = |from: i32| {
        let mut content =
            at(72.0, 700.0, "Year") + &at(250.0, 700.0, "Sum") + &at(400.0, 700.0, "Part");
        for row in 0..10 {
            let y = 680.0 - 20.0 * f64::from(row);
            content += &at(72.0, y, &format!("{}", 1900 + from + row));
            content += &at(250.0, y, &format!("{}", 7 * (from + row)));
            content += &at(400.0, y, &format!("{}", from + row));
        }
        content
    };
    let made = Made {
        contents: vec![page(0), page(10)],
        ..Made::new("")
    };
    let document = made.load();
    assert_eq!(
        document.text.matches("| Year |").count(),
        1,
        "{}",
        document.text
    );
    assert!(
        document
            .text
            .contains("| 1909 | 63 | 9 |\n| 1910 | 70 | 10 |\n"),
        "{}",
        document.text
    );
    let second = document.pages[1].span.of(&document.text);
    assert!(
        second.starts_with("| 1910 |") && second.contains("| 1919 |"),
        "{second}"
    );
}

/// Draws a table on two pages, the head on the first one.
fn on_two_pages(head: &[&str], first: &[&[&str]], second: &[&[&str]]) -> String {
    let first: Vec<&[&str]> = std::iter::once(head).chain(first.iter().copied()).collect();
    let made = Made {
        contents: vec![rows(700.0, &first), rows(700.0, second)],
        ..Made::new("")
    };
    made.load().text
}

#[test]
fn a_table_over_two_pages_may_have_no_second_head() {
    let bolts: [&[&str]; 3] = [
        &["Bolt", "12", "1.20"],
        &["Nut", "9", "0.80"],
        &["Pin", "7", "0.30"],
    ];
    let hook: &[&str] = &["Hook", "5", "2.10"];
    let screw: &[&str] = &["Screw", "31", "0.10"];
    let plate: &[&str] = &["Plate", "2", "4.70"];
    for head in [["Item", "Pieces", "Price"], ["Item", "2023", "2024"]] {
        let text = on_two_pages(&head, &bolts, &[hook, screw, plate]);
        let expected = format!(
            "| {} |\n|---|---|---|\n| Bolt | 12 | 1.20 |\n| Nut | 9 | 0.80 |\n| Pin | 7 | 0.30 |\n\
             | Hook | 5 | 2.10 |\n| Screw | 31 | 0.10 |\n| Plate | 2 | 4.70 |\n",
            head.join(" | ")
        );
        assert_eq!(text, expected);
    }
    // Another table has a head of its own, of names or years.
    for other in [["Port", "Ships", "Tons"], ["Port", "2023", "2024"]] {
        let text = on_two_pages(
            &["Item", "Pieces", "Price"],
            &bolts,
            &[&other, screw, plate],
        );
        let second = format!("\n\n| {} |\n|---|---|---|\n| Screw", other.join(" | "));
        assert!(text.contains(&second), "{text}");
    }
}

/// Draws lines from point to point.
fn lines(lines: &[[f64; 4]]) -> String {
    let line = |[x, y, to_x, to_y]: &[f64; 4]| format!("{x} {y} m {to_x} {to_y} l S\n");
    lines.iter().map(line).collect()
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
fn heads_without_lines_that_span_columns_join_none() {
    let mut content = at(230.0, 688.0, "Sales of goods") + &at(390.0, 688.0, "Costs of goods");
    let years = ["Item", "2023", "2024", "2023", "2024"];
    let rows = [
        years,
        ["Bolts", "10", "20", "30", "40"],
        ["Nuts", "11", "21", "31", "41"],
        ["Plates", "12", "22", "32", "42"],
    ];
    for (row, cells) in rows.iter().enumerate() {
        for (x, cell) in [72.0, 222.0, 302.0, 382.0, 462.0].iter().zip(cells) {
            content += &at(*x, 674.0 - 14.0 * row as f64, cell);
        }
    }
    check(
        &content,
        "|  | Sales of goods |  | Costs of goods |  |\n|---|---|---|---|---|\n| Item | 2023 | 2024 | 2023 | 2024 |\n\
         | Bolts | 10 | 20 | 30 | 40 |\n| Nuts | 11 | 21 | 31 | 41 |\n| Plates | 12 | 22 | 32 | 42 |",
    );
}

/// Draws two rows of cells of which each has two lines, so that only walls tell the rows.
fn walled(walls: &str) -> String {
    let mut content = walls.to_owned();
    for (row, cells) in [["Kind", "Share"], ["North", "12"]].iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (x, y) = (70.0 + 30.0 * column as f64, 708.0 - 14.0 * row as f64);
            content += &at(x, y, cell);
        }
    }
    content
}

const WALLS: [[f64; 4]; 6] = [
    [66.0, 720.0, 140.0, 720.0],
    [66.0, 704.0, 140.0, 704.0],
    [66.0, 690.0, 140.0, 690.0],
    [66.0, 690.0, 66.0, 720.0],
    [99.0, 690.0, 99.0, 720.0],
    [140.0, 690.0, 140.0, 720.0],
];

#[test]
fn lines_in_spot_colours_are_seen() {
    let walls = format!("/Cs1 CS 1 SCN {}", lines(&WALLS));
    let made = Made {
        resources: "/ColorSpace<</Cs1[/Separation/Black/DeviceCMYK\
                    <</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0 0 1]/N 1>>]>>"
            .into(),
        ..Made::new(&walled(&walls))
    };
    let expected = "| Kind | Share |\n|---|---|\n| North | 12 |\n";
    assert_eq!(made.load().text, expected);
    // No ink is paper.
    let bare = walled(&walls.replace("1 SCN", "0 SCN"));
    let text = Made {
        contents: vec![bare],
        ..made
    }
    .load()
    .text;
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn white_lines_on_shades_are_seen() {
    let walls = format!("0.7 g 66 690 74 30 re f 1 G {} 0 g 0 G\n", lines(&WALLS));
    check(
        &walled(&walls),
        "| Kind | Share |\n|---|---|\n| North | 12 |",
    );
    let text = Made::new(&walled(&walls.replace("0.7 g", "1 g")))
        .load()
        .text;
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn a_frame_around_text_is_no_table() {
    let mut content = lines(&[
        [60.0, 740.0, 540.0, 740.0],
        [60.0, 100.0, 540.0, 100.0],
        [60.0, 700.0, 540.0, 700.0],
        [60.0, 100.0, 60.0, 740.0],
        [300.0, 100.0, 300.0, 740.0],
        [540.0, 100.0, 540.0, 740.0],
    ]);
    content += &(at(72.0, 715.0, "Annex") + &at(312.0, 715.0, "Page 209"));
    for row in 0..20 {
        let y = 680.0 - 14.0 * f64::from(row);
        content += &at(72.0, y, &format!("left line number {row} of a page"));
    }
    let text = Made::new(&content).load().text;
    assert!(!text.contains('|'), "{text}");
    assert!(text.contains("left line number 19 of a page"), "{text}");
}

#[test]
fn numbers_along_the_lines_of_a_chart_are_no_table() {
    let mut content = String::new();
    for step in 0..5 {
        let x = 100.0 + 60.0 * f64::from(step);
        content += &lines(&[[x, 400.0, x, 640.0], [100.0, x + 300.0, 340.0, x + 300.0]]);
        content += &at(x + 20.0, 405.0, &format!("0.{step}"));
    }
    let text = Made::new(&content).load().text;
    assert!(!text.contains('|'), "{text}");
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
fn tags_tell_tables_and_headings() {
    // All in one size, and too near to each other for gaps to tell.
    let content = part(0, 72.0, 740.0, "The title")
        + &part(1, 72.0, 720.0, "A part")
        + &part(2, 72.0, 700.0, "Some words of text.")
        + &part(3, 72.0, 680.0, "name")
        + &part(4, 102.0, 680.0, "kind")
        + &part(5, 72.0, 666.0, "one")
        + &part(6, 102.0, 666.0, "a first")
        + &part(7, 102.0, 652.0, "and last");
    let cell = |kind: &str, parts: &str| format!("<</S/{kind}/K[{parts}]>>");
    let row = |cells: &[String]| format!("<</S/TR/K[{}]>>", cells.concat());
    let head = row(&[cell("TH", "3"), cell("TH", "4")]);
    let body = row(&[cell("Zelle", "5"), cell("TD", "6 7")]);
    let kids = format!(
        "<</S/H1/Pg 11 0 R/K 0>><</S/Kopf/Pg 11 0 R/K[1]>><</S/P/Pg 11 0 R/K 2>>\
         <</S/Table/Pg 11 0 R/K[<</S/THead/K[{head}]>><</S/TBody/K[{body}]>>]>>"
    );
    let document = tagged(vec![content], &kids, &[]).load();
    assert_eq!(
        document.text,
        "The title\n\nA part\n\nSome words of text.\n\n\
         | name | kind |\n|---|---|\n| one | a first and last |\n"
    );
    let outline: Vec<(u8, &str)> = document
        .outline
        .iter()
        .map(|heading| (heading.level, heading.title.as_str()))
        .collect();
    assert_eq!(outline, [(1, "The title"), (2, "A part")]);
}

#[test]
fn cells_that_no_tag_stands_for_shift_no_others() {
    let drawn = [
        (0, 72.0, 700.0, "Date"),
        (1, 130.0, 700.0, "Paid out"),
        (2, 200.0, 700.0, "Paid in"),
        (3, 270.0, 700.0, "Balance"),
        // Nothing was paid out.
        (4, 72.0, 680.0, "02 Mar"),
        (5, 205.0, 680.0, "216.26"),
        (6, 272.0, 680.0, "5,216.26"),
        (7, 72.0, 660.0, "03 Mar"),
        (8, 133.0, 660.0, "64.53"),
        (9, 272.0, 660.0, "5,151.73"),
        (10, 200.0, 640.0, "64.53"),
    ];
    let content: String = drawn
        .map(|(number, x, y, text)| part(number, x, y, text))
        .concat();
    let row = |parts: std::ops::Range<usize>| {
        let cells: Vec<String> = parts.map(|part| format!("<</S/TD/K {part}>>")).collect();
        format!("<</S/TR/Pg 11 0 R/K[{}]>>", cells.concat())
    };
    let rows = [row(0..4), row(4..7), row(7..10), row(10..11)].concat();
    let text = tagged(vec![content], &format!("<</S/Table/K[{rows}]>>"), &[])
        .load()
        .text;
    let table = "| Date | Paid out | Paid in | Balance |\n|---|---|---|---|\n\
                 | 02 Mar |  | 216.26 | 5,216.26 |\n| 03 Mar | 64.53 |  | 5,151.73 |\n\
                 |  |  | 64.53 |  |\n";
    assert_eq!(text, table);
}

#[test]
fn a_tagged_head_that_is_drawn_on_each_page_is_no_row() {
    let row = |page: usize, parts: [usize; 2]| {
        let cells = parts.map(|part| format!("<</S/TD/Pg {page} 0 R/K {part}>>"));
        format!("<</S/TR/K[{}]>>", cells.concat())
    };
    let cell = |part: usize| {
        let of = |page: usize| format!("<</Type/MCR/Pg {page} 0 R/MCID {part}>>");
        format!("<</S/TH/K[{}{}]>>", of(11), of(13))
    };
    let head = format!("<</S/TR/K[{}{}]>>", cell(0), cell(1));
    let kids = format!(
        "<</S/Table/K[{head}{}{}]>>",
        row(11, [2, 3]),
        row(13, [2, 3])
    );
    let page = |words: [&str; 2]| {
        let two = |from: usize, y: f64, words: [&str; 2]| {
            part(from, 72.0, y, words[0]) + &part(from + 1, 102.0, y, words[1])
        };
        two(0, 700.0, ["name", "kind"]) + &two(2, 680.0, words)
    };
    let contents = vec![page(["one", "first"]), page(["two", "last"])];
    let text = tagged(contents, &kids, &[]).load().text;
    let table = "| name | kind |\n|---|---|\n| one | first |\n| two | last |\n";
    assert_eq!(text, table);
}

#[test]
fn a_tagged_table_goes_on_over_pages() {
    let row = |page: usize, parts: [usize; 2]| {
        let cells = parts.map(|part| format!("<</S/TD/K {part}>>"));
        format!("<</S/TR/Pg {page} 0 R/K[{}]>>", cells.concat())
    };
    let kids = format!(
        "<</S/Table/K[{}{}{}]>>",
        row(11, [0, 1]),
        row(11, [2, 3]),
        row(13, [0, 1])
    );
    let two = |from: usize, y: f64, words: [&str; 2]| {
        part(from, 72.0, y, words[0]) + &part(from + 1, 102.0, y, words[1])
    };
    let first = two(0, 700.0, ["name", "kind"]) + &two(2, 680.0, ["one", "first"]);
    let second = two(0, 700.0, ["two", "last"]);
    let text = tagged(vec![first, second], &kids, &[]).load().text;
    let table = "| name | kind |\n|---|---|\n| one | first |\n| two | last |\n";
    assert_eq!(text, table);
}

#[test]
fn a_head_that_repeats_is_left_out_by_name_or_stays() {
    let table = |cells: &[&[&str]]| {
        let across = [715, 695, 681, 667].map(|y| format!("70 {y} m 370 {y} l S\n"));
        let down = [70, 220, 370].map(|x| format!("{x} 667 m {x} 715 l S\n"));
        rows(700.0, cells) + &across.concat() + &down.concat()
    };
    let first = table(&[&["name", "cost"], &["one", "10"], &["two", "20"]]);
    let second = table(&[&["name", "cost"], &["three", "30"], &["four", "40"]]);
    let third = table(&[&["name", "cost"], &["five", "50"], &["six", "60"]]);
    let file = Made {
        contents: vec![first, second, third],
        ..Made::new("")
    };
    let document = file.load();
    let rows = "| name | cost |\n|---|---|\n| one | 10 |\n| two | 20 |\n";
    let rest = "| three | 30 |\n| four | 40 |\n";
    let end = "| five | 50 |\n| six | 60 |\n";
    assert_eq!(document.text, format!("{rows}{rest}{end}"));
    assert_eq!(
        document.metadata.extra["running_lines"],
        json!(["| name | cost |"])
    );
    let mut options = LoadOptions::default();
    options.pdf.drop_running_lines = false;
    let kept = PdfLoader::new(options).load(&file.bytes(), Path::new("made.pdf"));
    let kept = kept.unwrap();
    let head = "| name | cost |\n";
    assert_eq!(kept.text, format!("{rows}{head}{rest}{head}{end}"));
    assert!(!kept.metadata.extra.contains_key("running_lines"));
}

#[test]
fn lists_of_prices_that_begin_alike_are_two() {
    let page = |second: &str| {
        let across = [715, 695, 681, 667].map(|y| format!("70 {y} m 370 {y} l S\n"));
        let down = [70, 220, 370].map(|x| format!("{x} 667 m {x} 715 l S\n"));
        let cells: [&[&str]; 3] = [&["Tea", "EUR 2.40"], &[second, "3.10"], &["Cake", "4.20"]];
        rows(700.0, &cells) + &across.concat() + &down.concat()
    };
    let file = Made {
        contents: vec![page("Coffee"), page("Water")],
        ..Made::new("")
    };
    let document = file.load();
    let head = "| Tea | EUR 2.40 |\n";
    assert_eq!(document.text.matches(head).count(), 2, "{}", document.text);
    assert!(!document.metadata.extra.contains_key("running_lines"));
}

#[test]
fn tags_that_go_in_a_circle_end() {
    let content = part(0, 72.0, 700.0, "words");
    assert_eq!(tagged(vec![content], "10 0 R", &[]).load().text, "words\n");
}

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

/// Draws rows of an invoice with narrow gaps; numbers end where their columns end.
fn invoice(rows: &[[&str; 4]]) -> String {
    let mut content = String::new();
    for (row, cells) in rows.iter().enumerate() {
        let y = 700.0 - 18.0 * row as f64;
        content += &at(72.0, y, cells[0]);
        for (cell, right) in cells[1..].iter().zip([237.0, 296.0, 352.0]) {
            let width = cell.chars().map(|c| match c {
                ',' | '.' => 0.278,
                '0'..='9' => 0.556,
                _ => 0.53,
            });
            content += &at(right - 11.0 * width.sum::<f64>(), y, cell);
        }
    }
    content
}

#[test]
fn cells_with_narrow_gaps_are_several() {
    let content = invoice(&[
        ["Service", "Units", "Rate", "Amount"],
        ["Consulting", "120", "95.00", "11,400.00"],
        ["Travel", "3", "1,210.55", "3,631.65"],
        ["Material for workshops", "14,200", "2.10", "29,820.00"],
        ["Licences", "25", "1,100.00", "27,500.00"],
    ]);
    check(
        &content,
        "| Service | Units | Rate | Amount |\n|---|---|---|---|\n\
         | Consulting | 120 | 95.00 | 11,400.00 |\n| Travel | 3 | 1,210.55 | 3,631.65 |\n\
         | Material for workshops | 14,200 | 2.10 | 29,820.00 |\n\
         | Licences | 25 | 1,100.00 | 27,500.00 |",
    );
}

/// Draws columns of lines, one after the other.
fn columns(columns: &[(f64, &[&str])]) -> String {
    let lines = columns.iter().flat_map(|(left, lines)| {
        let heights = (0..).map(|line| 700.0 - 14.0 * f64::from(line));
        lines
            .iter()
            .zip(heights)
            .map(move |(line, y)| at(*left, y, line))
    });
    lines.collect()
}

#[test]
fn rows_that_are_numbered_are_no_list() {
    let names = ["Agriculture", "Research", "Fisheries", "Energy", "Power"];
    let mut content =
        at(100.0, 720.0, "Demand") + &at(330.0, 720.0, "Plan") + &at(430.0, 720.0, "Total");
    let mut expected = "|  | Demand | Plan | Total |\n|---|---|---|---|".to_owned();
    for (row, name) in names.iter().enumerate() {
        let (y, plan, total) = (700.0 - 14.0 * row as f64, 100 + row, 900 - row);
        content += &(at(72.0, y, &format!("{}.", row + 1)) + &at(100.0, y, name));
        content += &(at(330.0, y, &format!("{plan}.40")) + &at(430.0, y, &format!("{total}.25")));
        let _ = write!(
            expected,
            "\n| {}. | {name} | {plan}.40 | {total}.25 |",
            row + 1
        );
    }
    check(&content, &expected);
}

#[test]
fn cells_of_dots_are_no_table_of_contents() {
    let head: &[&str] = &["Demand", "Plan", "Other", "Total"];
    let cells: &[&str] = &["Defence", "...", "...", "94587.95"];
    check(
        &rows(720.0, &[head, cells, cells, cells]),
        &("| Demand | Plan | Other | Total |\n|---|---|---|---|".to_owned()
            + &"\n| Defence | ... | ... | 94587.95 |".repeat(3)),
    );
}

#[test]
fn lists_beside_each_other_are_no_table() {
    let content = columns(&[
        (
            72.0,
            &[
                "Benefits",
                "\\225 Cheap",
                "\\225 Quick to learn",
                "\\225 Safe",
            ],
        ),
        (
            320.0,
            &[
                "Risks",
                "\\225 Slow start",
                "\\225 Few suppliers",
                "\\225 Training",
            ],
        ),
    ]);
    let text = Made::new(&content).load().text;
    assert!(!text.contains('|'), "{text}");
    assert!(text.contains("- Cheap\n- Quick to learn\n- Safe"), "{text}");
}

#[test]
fn short_paragraphs_beside_each_other_are_no_table() {
    let content = columns(&[
        (72.0, &["Define goals and", "budget for the", "whole year"]),
        (220.0, &["Work in short", "steps with the", "customer"]),
        (370.0, &["Monitor and", "improve every", "month"]),
    ]);
    let text = Made::new(&content).load().text;
    assert!(!text.contains('|'), "{text}");
    let rows = rows(
        700.0,
        &[
            &["name", "type", "required"],
            &["size", "string", "no"],
            &["style", "string", "no"],
            &["count", "integer", "yes"],
        ],
    );
    let text = Made::new(&rows).load().text;
    assert!(text.contains("| count | integer | yes |"), "{text}");
}

#[test]
fn columns_whose_cells_cannot_be_told_stay_in_the_order_in_which_they_are_drawn() {
    let column = |letters: &'static str| letters.split_terminator("").skip(1);
    let all = [72.0, 84.0, 96.0, 108.0, 240.0, 252.0]
        .into_iter()
        .zip(["abcdef", "ghijkl", "mnopqr", "stuvwx", "ABCDEF", "GHIJKL"]);
    let content = all.fold(String::new(), |content, (left, letters)| {
        let lines: Vec<&str> = column(letters).collect();
        content + &columns(&[(left, &lines)])
    });
    let text = Made::new(&content).load().text;
    assert!(!text.contains('|'), "{text}");
    assert!(text.starts_with("a\nb\nc\nd\ne\nf"), "{text}");
}

#[test]
fn words_that_are_set_to_fill_narrow_lines_are_no_cells() {
    let line = |y: f64, words: &[(f64, &str)]| {
        let word = |all: String, (left, word): &(f64, &str)| all + &at(*left, y, word);
        words.iter().fold(String::new(), word)
    };
    // Helvetica of 11 points: each line goes from 72 to 202 points.
    let content = line(
        700.0,
        &[
            (72.0, "ill"),
            (96.4, "ill"),
            (120.8, "ill"),
            (145.3, "ill"),
            (169.7, "ill"),
            (194.2, "ill"),
        ],
    ) + &line(
        686.0,
        &[
            (72.0, "lilt"),
            (109.9, "lilt"),
            (147.8, "lilt"),
            (185.6, "lilt"),
        ],
    ) + &line(
        672.0,
        &[
            (72.0, "till"),
            (101.5, "till"),
            (131.0, "till"),
            (160.5, "till"),
            (190.0, "till"),
        ],
    );
    let text = Made::new(&content).load().text;
    assert!(!text.contains('|'), "{text}");
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
fn a_running_head_above_a_table_joins_no_columns() {
    let row = |y: f64, cells: &[(f64, &str)]| {
        let cell = |all: String, (left, cell): &(f64, &str)| all + &at(*left, y, cell);
        cells.iter().fold(String::new(), cell)
    };
    let content = row(
        740.0,
        &[
            (72.0, "ACME plc"),
            (260.0, "Quarterly report of May"),
            (480.0, "2024"),
        ],
    ) + &row(
        700.0,
        &[
            (72.0, "3 Mar"),
            (150.0, "Rent"),
            (270.0, "64.53"),
            (480.0, "5,151.73"),
        ],
    ) + &row(
        686.0,
        &[
            (72.0, "4 Mar"),
            (150.0, "Salary"),
            (350.0, "359.47"),
            (480.0, "5,511.20"),
        ],
    ) + &row(
        672.0,
        &[
            (72.0, "5 Mar"),
            (150.0, "Cash"),
            (270.0, "20.00"),
            (480.0, "5,491.20"),
        ],
    ) + &row(
        658.0,
        &[
            (72.0, "6 Mar"),
            (150.0, "Card"),
            (270.0, "12.00"),
            (480.0, "5,479.20"),
        ],
    );
    check(
        &content,
        "ACME plc  Quarterly report of May  2024\n\n\
         | 3 Mar | Rent | 64.53 |  | 5,151.73 |\n|---|---|---|---|---|\n\
         | 4 Mar | Salary |  | 359.47 | 5,511.20 |\n| 5 Mar | Cash | 20.00 |  | 5,491.20 |\n\
         | 6 Mar | Card | 12.00 |  | 5,479.20 |",
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

/// Words that stand as far apart as cells, but in no columns.
const SCATTERED: [&str; 6] = [
    "sion is then assumed to be safe",
    "if the value that it has changes",
    "nowhere in the loop that it leaves",
    "Two examples of what can be moved",
    "have been given but in most cases",
    "a program has several of these",
];

fn scattered() -> String {
    let mut content = String::new();
    for (row, line) in SCATTERED.iter().enumerate() {
        let mut x = 90.0;
        for word in line.split(' ') {
            content += &at(x, 700.0 - 14.0 * row as f64, word);
            x += 7.5 * word.len() as f64 + 14.0;
        }
    }
    content
}

#[test]
fn words_far_apart_that_stand_in_no_columns_are_no_cells() {
    let text = Made::new(&scattered()).load().text;
    assert!(!text.contains('|'), "{text}");
    let words = SCATTERED.iter().flat_map(|line| line.split(' '));
    assert!(text.split_whitespace().eq(words), "{text}");
}

#[test]
fn numbered_lines_of_programs_are_no_rows() {
    let mut content = String::new();
    for (row, line) in [
        "payload set of A",
        "initial empty",
        "query lookup",
        "let b be it",
        "return",
    ]
    .iter()
    .enumerate()
    {
        let y = 700.0 - 14.0 * row as f64;
        content += &at(72.0, y, &format!("{}:", row + 1));
        content += &at(100.0 + 10.0 * f64::from(row > 0), y, line);
        if row == 0 {
            content += &at(320.0, y, "A has pairs");
        }
    }
    check(
        &content,
        "1:  payload set of A  A has pairs\n2:  initial empty\n3:  query lookup\n4:  let b be it\n5:  return",
    );
}

#[test]
fn a_table_below_words_that_stand_in_no_columns_begins_with_its_head() {
    let heads = [
        "No.", "Product", "Title", "Price", "Tax", "Total", "Date", "Paid",
    ];
    let cells = [
        "2", "Card", "Adapter", "278.61", "40.39", "319.00", "May", "yes",
    ];
    let mut content = scattered();
    for (row, cells) in [heads, cells, cells].iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            content += &at(72.0 + 60.0 * column as f64, 610.0 - 14.0 * row as f64, cell);
        }
    }
    let text = Made::new(&content).load().text;
    let row = |cells: [&str; 8]| format!("| {} |\n", cells.join(" | "));
    let table = row(heads) + "|---|---|---|---|---|---|---|---|\n" + &row(cells).repeat(2);
    assert!(text.contains(&table), "{text}");
}

/// Draws pieces of lines where they stand.
fn pieces(lines: &[&[(f64, &str)]]) -> String {
    let mut content = String::new();
    for (row, pieces) in lines.iter().enumerate() {
        for (x, piece) in *pieces {
            let piece = piece.replace('(', "\\(").replace(')', "\\)");
            content += &at(*x, 700.0 - 12.0 * row as f64, &piece);
        }
    }
    content
}

#[test]
fn formulas_over_several_lines_are_no_table() {
    let content = pieces(&[
        &[(150.0, "("), (270.0, ")")],
        &[(220.0, "v")],
        &[(72.0, "x = c t or x = a c t"), (300.0, ".")],
    ]);
    let text = Made::new(&content).load().text;
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn three_lines_of_words_far_apart_are_no_rows() {
    let words = [
        "shall", "words", "where", "there", "those", "which", "these", "their", "other",
    ];
    let line = |by: f64| -> Vec<(f64, &str)> {
        let after = (1..).zip(&words[1..]);
        let after = after.map(|(at, word)| (72.0 + 55.0 * f64::from(at) + by, *word));
        [(72.0, words[0])].into_iter().chain(after).collect()
    };
    let content = pieces(&[&line(0.0), &line(15.0), &[(72.0, "again")]]);
    let text = Made::new(&content).load().text;
    assert!(!text.contains('|'), "{text}");
}

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
fn what_stands_in_columns_by_chance_is_no_table() {
    let labels = [
        (72.0, 500.0, "Reduced membership"),
        (350.0, 500.0, "Number"),
        (350.0, 486.0, "Date of entry"),
        (72.0, 472.0, "Surname"),
        (350.0, 472.0, "Country"),
    ];
    let fields = (0..12).map(|field| {
        let (x, y) = [(72.0, 300.0), (72.0, 700.0)][field % 2];
        at(x, y - 40.0 * (field / 2) as f64, &format!("Field {field}"))
    });
    let fields: Vec<String> = fields.collect();
    let drawn = labels.iter().zip(fields.chunks(2)).map(|(label, fields)| {
        let (x, y, text) = *label;
        fields.concat() + &at(x, y, text)
    });
    let text = Made::new(&drawn.collect::<String>()).load().text;
    assert!(!text.contains('|'), "{text}");
    // The same labels, drawn one after the other, are cells.
    let drawn = labels.iter().map(|(x, y, text)| at(*x, *y, text));
    let text = Made::new(&drawn.collect::<String>()).load().text;
    assert_eq!(
        text.lines().next(),
        Some("| Reduced membership | Number Date of entry |")
    );
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

#[test]
fn addresses_beside_each_other_are_no_table() {
    let block = |x: f64, y: f64, pitch: f64, lines: &[&str]| -> String {
        let heights = (0..).map(|line| y - pitch * f64::from(line));
        let lines = heights.zip(lines);
        lines.map(|(y, line)| at(x, y, line)).collect()
    };
    let sender = ["Orange Ltd.", "23 Main Street", "Oaktown", "Norway"];
    let invoice = ["Invoice 46", "June 3", "Tax 1234"];
    let drawn = block(72.0, 700.0, 13.0, &invoice) + &block(300.0, 703.0, 12.0, &sender);
    check(&drawn, &(invoice.join("\n") + "\n\n" + &sender.join("\n")));
    // Columns of cells may be drawn one after the other.
    let cells = columns(&[
        (72.0, &["Port", "Oslo", "Moss"]),
        (300.0, &["Ships", "12", "9"]),
    ]);
    check(
        &cells,
        "| Port | Ships |\n|---|---|\n| Oslo | 12 |\n| Moss | 9 |",
    );
}

#[test]
fn the_head_of_a_page_is_no_row_of_the_table_below() {
    let head = at(72.0, 700.0, "Orange Ltd.") + &at(450.0, 700.0, "Page 2");
    let foot = at(72.0, 60.0, "Registered in Norway") + &at(72.0, 48.0, "Bank 1234");
    let rows = [
        ["Port", "Ships"],
        ["Oslo", "12"],
        ["Moss", "9"],
        ["Bergen", "3"],
    ];
    let rows = rows.iter().zip(0..).map(|(row, line)| {
        let y = 686.0 - 14.0 * f64::from(line);
        at(72.0, y, row[0]) + &at(450.0, y, row[1])
    });
    let table = "| Port | Ships |\n|---|---|\n| Oslo | 12 |\n| Moss | 9 |\n| Bergen | 3 |";
    let text = Made::new(&(head + &foot + &rows.collect::<String>()))
        .load()
        .text;
    assert!(text.contains(table), "{text}");
    assert!(!text.contains("| Page 2"), "{text}");
}

#[test]
fn boxes_that_are_not_seen_are_no_grid() {
    let read = |state: &str, paint: &str| {
        let cells = [(72, 600), (272, 600), (72, 620), (272, 620)];
        let boxes = cells.map(|(x, y)| format!("{x} {y} 200 20 re {paint}\n"));
        let words = at(80.0, 626.0, "Small boats")
            + &at(280.0, 626.0, "lie in the harbour")
            + &at(80.0, 606.0, "Large ships")
            + &at(280.0, 606.0, "wait outside of it");
        Made {
            resources: "/ExtGState<</Clear<</ca 0/CA 0>>/Full<</ca 1/CA 1>>>>".into(),
            ..Made::new(&format!("q {state}\n{}Q\n{words}", boxes.concat()))
        }
        .load()
        .text
    };
    let table =
        "| Small boats | lie in the harbour |\n|---|---|\n| Large ships | wait outside of it |\n";
    let words = "Small boats  lie in the harbour\nLarge ships  wait outside of it\n";
    for (state, paint) in [
        ("", "f"),
        ("", "S"),
        ("/Clear gs /Full gs", "B"),
        ("0 500 500 200 re W n", "S"),
    ] {
        assert_eq!(read(state, paint), table, "{state} {paint}");
    }
    for (state, paint) in [
        ("/Clear gs", "f"),
        ("/Clear gs", "S"),
        ("/Clear gs", "B"),
        ("/Clear gs 0.5 g /DeviceGray cs 0.5 sc", "f"),
        ("1 g", "f"),
        ("0 0 20 20 re W n", "f"),
        ("0 0 20 20 re W n", "S"),
        ("1 0 0 1 0 -700 cm", "S"),
    ] {
        assert_eq!(read(state, paint), words, "{state} {paint}");
    }
}

#[test]
fn lists_in_columns_beside_each_other_are_tables_of_their_own() {
    let words = [
        "bread", "cheese", "coffee", "cream", "fish", "fruit", "honey", "juice", "milk", "salad",
    ];
    let column = |x: f64| {
        let rows = words.iter().zip(0..).map(|(word, row)| {
            let y = 700.0 - 14.0 * f64::from(row);
            at(x, y, &format!("of {word}")) + &at(x + 90.0, y, &format!("as {word}"))
        });
        rows.collect::<String>()
    };
    let head = at(
        72.0,
        740.0,
        "What is eaten and what is drunk, in the words of the guests of all our houses",
    );
    let content = head + &column(72.0) + &column(320.0);
    let text = Made::new(&content).load().text;
    assert_eq!(
        text.matches("| of bread | as bread |\n").count(),
        2,
        "{text}"
    );
    assert!(
        text.contains("| of salad | as salad |\n\n| of bread"),
        "{text}"
    );
}

#[test]
fn a_word_is_in_one_of_two_nets_that_lie_over_each_other() {
    let lines = [
        "72 700 m 400 700 l S 72 660 m 150 660 l S 72 620 m 150 620 l S 72 580 m 400 580 l S",
        "72 580 m 72 700 l S 150 580 m 150 700 l S",
        "200 680 m 450 680 l S 200 640 m 450 640 l S 200 600 m 450 600 l S",
        "200 600 m 200 680 l S 325 600 m 325 680 l S 450 600 m 450 680 l S",
    ];
    let words = [
        (80.0, 676.0, "Client"),
        (80.0, 636.0, "Server"),
        (80.0, 596.0, "Store"),
        (210.0, 656.0, "asks"),
        (335.0, 656.0, "answers"),
        (210.0, 616.0, "writes"),
        (335.0, 616.0, "reads"),
    ];
    let drawn = words.map(|(x, y, word)| at(x, y, word)).concat();
    let text = Made::new(&(lines.join("\n") + "\n" + &drawn)).load().text;
    for (_, _, word) in words {
        assert_eq!(text.matches(word).count(), 1, "{word}: {text}");
    }
}

#[test]
fn boxes_around_parts_of_a_text_are_no_table() {
    let code = |x: u32, y: u32, text: &str| format!("BT /F2 10 Tf {x} {y} Td ({text}) Tj ET\n");
    let marked = |x: u32, y: u32, width: u32| format!("{x} {} {width} 14 re S\n", y - 4);
    let boxes = marked(132, 716, 42)
        + &marked(222, 700, 78)
        + &marked(228, 684, 150)
        + &marked(168, 668, 156);
    let lines = code(72, 716, "Abstract* factory =")
        + &code(90, 700, "Maker::getInstance\\(\\)->getFactory\\(\\);")
        + &code(
            72,
            684,
            "shared<Subject> subject = factory->createSubject\\(\\);",
        )
        + &code(
            72,
            668,
            "subject->attach\\(factory->createObserver\\(\\)\\);",
        );
    check(
        &(boxes + &lines),
        "Abstract* factory =\n   Maker::getInstance()->getFactory();\n\
         shared<Subject> subject = factory->createSubject();\n\
         subject->attach(factory->createObserver());",
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

#[test]
fn rows_of_which_one_is_filled_cell_by_cell_are_read_by_their_gaps() {
    let edges = [72, 175, 180, 220, 265, 270, 310, 355, 360, 400, 450];
    let mut content = String::from("0.9 g\n");
    for pair in edges.windows(2) {
        let _ = writeln!(content, "{} 639 {} 17 re f", pair[0], pair[1] - pair[0]);
    }
    for y in [605, 622, 656, 673] {
        let _ = writeln!(content, "360 {y} 40 17 re f 400 {y} 50 17 re f");
    }
    content += "0 g 72 690 m 450 690 l S\n";
    for (left, right) in [(72, 175), (180, 265), (270, 355), (360, 450)] {
        let _ = writeln!(content, "{left} 673 m {right} 673 l S");
        let _ = writeln!(content, "{left} 639 m {right} 639 l S");
    }
    let heads = [76.0, 185.0, 275.0, 420.0].into_iter();
    for (x, head) in heads.zip(["Choice", "Sent by mail", "On the day", "Total"]) {
        content += &at(x, 678.0, head);
    }
    let rows = [
        ["Yes", "12", "80%", "7", "47%", "19", "63%"],
        ["No", "3", "20%", "8", "53%", "11", "37%"],
        ["Votes cast", "15", "100%", "15", "100%", "30", "100%"],
    ];
    for (row, y) in rows.iter().zip([661.0, 644.0, 627.0]) {
        let places = [76.0, 205.0, 235.0, 295.0, 325.0, 385.0, 415.0].into_iter();
        for (x, cell) in places.zip(row) {
            content += &at(x, y, cell);
        }
    }
    let text = Made::new(&content).load().text;
    for row in rows {
        let row = format!("| {} |", row.join(" | "));
        assert!(text.contains(&row), "{row}\n{text}");
    }
}
