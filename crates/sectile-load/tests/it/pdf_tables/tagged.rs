//! Tables that tags tell.

use super::*;

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
fn tags_that_go_in_a_circle_end() {
    let content = part(0, 72.0, 700.0, "words");
    assert_eq!(tagged(vec![content], "10 0 R", &[]).load().text, "words\n");
}
