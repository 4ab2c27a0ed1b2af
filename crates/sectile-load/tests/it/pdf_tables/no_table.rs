//! What stands in columns and is no table.

use super::*;

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
