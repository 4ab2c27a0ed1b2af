//! Tables that only gaps show.

use super::*;

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
