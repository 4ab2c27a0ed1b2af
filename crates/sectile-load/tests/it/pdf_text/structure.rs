//! Headings, code and lists.

use super::*;

#[test]
fn code_is_fenced_and_its_comments_are_no_headings() {
    let prose =
        "Some words of prose stand before the code, and they are more than a few. ".repeat(2);
    let mut content = at(72.0, 750.0, &prose[..70]) + &at(72.0, 737.0, &prose[70..140]);
    for (row, line) in ["# Set the key", "if ready:", "    go(1)"]
        .iter()
        .enumerate()
    {
        let _ = writeln!(
            content,
            "BT /F2 10 Tf 72 {} Td ({line}) Tj ET",
            700 - 12 * row
        );
    }
    let document = Made::new(&content).load();
    assert!(
        document
            .text
            .contains("```\n# Set the key\nif ready:\n    go(1)\n```"),
        "{}",
        document.text
    );
    assert!(document.outline.is_empty(), "{:?}", document.outline);
}

#[test]
fn a_title_in_fixed_pitch_type_is_a_heading_and_a_line_of_dashes_no_code() {
    let prose = "Some words of prose stand below the title, and they are more than it has.";
    let typed =
        |size: u32, y: u32, text: &str| format!("BT /F2 {size} Tf 72 {y} Td ({text}) Tj ET\n");
    let content = typed(20, 740, "Request for membership")
        + &at(72.0, 700.0, prose)
        + &typed(10, 660, "____________________")
        + &at(72.0, 620.0, prose)
        + &typed(10, 580, "go 1")
        + &at(72.0, 540.0, prose);
    let document = Made::new(&content).load();
    let titles: Vec<&str> = document.outline.iter().map(|of| &*of.title).collect();
    assert_eq!(titles, ["Request for membership"]);
    let expected = format!(
        "Request for membership\n\n{prose}\n\n____________________\n\n{prose}\n\n```\ngo 1\n```\n\n{prose}\n"
    );
    assert_eq!(document.text, expected);
}

#[test]
fn headings_are_ranked_by_their_styles() {
    let mut content = String::new();
    let mut y = 780.0;
    let mut add = |font: &str, size: f64, text: &str| {
        y -= 24.0;
        let _ = writeln!(content, "BT /{font} {size} Tf 72 {y} Td ({text}) Tj ET");
    };
    for chapter in 1..=2 {
        add("F3", 15.0, &format!("Chapter {chapter}"));
        for part in 1..=2 {
            add("F3", 12.5, &format!("Part {chapter}.{part}"));
            add("F3", 11.0, &format!("Point {chapter}.{part}"));
            add(
                "F1",
                11.0,
                "This is what is said about it, in a line of words that is long enough.",
            );
        }
    }
    let outline = Made::new(&content).load().outline;
    let found: Vec<(u8, &str)> = outline
        .iter()
        .map(|heading| (heading.level, &*heading.title))
        .collect();
    let expected = [
        (1, "Chapter 1"),
        (2, "Part 1.1"),
        (3, "Point 1.1"),
        (2, "Part 1.2"),
        (3, "Point 1.2"),
    ];
    assert_eq!(found[..5], expected);
    assert_eq!(found.len(), 10);
}

#[test]
fn items_of_lists_begin_with_a_dash() {
    let mut content = String::new();
    for (row, item) in ["the first item of all", "the second of them", "a third"]
        .iter()
        .enumerate()
    {
        let y = 700.0 - 14.0 * row as f64;
        // A small square, as browsers draw bullets.
        let _ = writeln!(content, "72 {} 3 3 re f", y + 2.0);
        content += &at(85.0, y, item);
    }
    check(
        &content,
        "- the first item of all\n- the second of them\n- a third",
    );
    let glyphs = at(72.0, 700.0, "\\225") + &at(85.0, 700.0, "one") + &at(72.0, 686.0, "\\225 two");
    check(&glyphs, "- one\n- two");
}

#[test]
fn a_bullet_that_is_announced_and_drawn_is_one() {
    let content = format!(
        "/Span<</ActualText(y)>>BDC\n{}EMC\n{}{}",
        at(78.0, 700.0, " "),
        at(72.0, 700.0, "y"),
        at(90.0, 700.0, "Persons")
    );
    check(&content, "y  Persons");
}

#[test]
fn code_over_the_end_of_a_page_keeps_its_fence_and_indentation() {
    let code = |x: f64, y: f64, text: &str| format!("BT /F2 10 Tf {x} {y} Td ({text}) Tj ET\n");
    let before = "The settings of the program stand in a file that is read when it begins.";
    let after = "They hold until the program ends, and then they are read from the file again.";
    let first =
        at(72.0, 700.0, before) + &code(72.0, 100.0, "views:") + &code(84.0, 88.0, "- name: a");
    let second = code(96.0, 700.0, "- f1") + &code(96.0, 688.0, "- f2") + &at(72.0, 640.0, after);
    let made = Made {
        contents: vec![first, second],
        ..Made::new("")
    };
    let document = made.load();
    let code = "```\nviews:\n  - name: a\n    - f1\n    - f2\n```";
    assert_eq!(document.text, format!("{before}\n\n{code}\n\n{after}\n"));
    assert_eq!(document.pages.len(), 2);
}

#[test]
fn code_that_ends_before_its_page_or_begins_below_the_top_stays_apart() {
    let code = |y: f64, text: &str| format!("BT /F2 10 Tf 72 {y} Td ({text}) Tj ET\n");
    let before = "The settings of the program stand in a file that is read when it begins.";
    let after = "They hold until the program ends, and then they are read from the file again.";
    let others = [
        "Nothing else is kept of what was set by hand.",
        "It is lost with the end of it.",
    ];
    for (end, start, is_one) in [
        (100.0, 700.0, true),
        (400.0, 700.0, false),
        (100.0, 688.0, false),
    ] {
        let made = Made {
            contents: vec![
                at(72.0, 700.0, before) + &code(end, "a = 1"),
                code(start, "b = 2") + &at(72.0, 600.0, after),
                at(72.0, 700.0, others[0]) + &at(72.0, 100.0, others[1]),
            ],
            ..Made::new("")
        };
        let found = made.load().text;
        let fences = found.matches("```").count();
        assert_eq!(fences, if is_one { 2 } else { 4 }, "{found}");
    }
}

#[test]
fn items_that_stand_in_others_are_indented() {
    let item = |x: f64, y: f64, mark: &str, text: &str| at(x, y, mark) + &at(x + 13.0, y, text);
    let numbers = item(72.0, 700.0, "1.", "one")
        + &item(85.0, 686.0, "1.", "a nested one")
        + &item(85.0, 672.0, "2.", "b nested one")
        + &item(72.0, 658.0, "2.", "two");
    check(
        &numbers,
        "1. one\n   1. a nested one\n   2. b nested one\n2. two",
    );
    // A circle, as browsers draw the bullets of the second level.
    let circle = "100 690.5 m 100 692 100.5 692.5 102 692.5 c 103.5 692.5 104 692 104 690.5 c \
                  104 689 103.5 688.5 102 688.5 c 100.5 688.5 100 689 100 690.5 c h S\n";
    let square = |y: f64| format!("72 {y} 3 3 re f\n");
    let bullets = square(704.0)
        + &at(85.0, 702.0, "first")
        + circle
        + &at(112.0, 688.0, "within")
        + &square(676.0)
        + &at(85.0, 674.0, "second");
    check(&bullets, "- first\n  - within\n- second");
    // It is the mark of a chart before a number, and a button of a form where others stand in the line.
    check(&(circle.to_owned() + &at(112.0, 688.0, "40 %")), "40 %");
    let other = circle.replace("10", "16");
    let form = circle.to_owned() + &at(112.0, 688.0, "Yes") + &other + &at(172.0, 688.0, "No");
    let text = Made::new(&form).load().text;
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["Yes", "No"]);
    let list = circle.to_owned() + &at(112.0, 688.0, "40 men");
    check(&list, "- 40 men");
    // Far apart, and behind a paragraph at the margin.
    let loose = item(72.0, 700.0, "\\225", "first")
        + &item(90.0, 670.0, "\\225", "within")
        + &at(
            72.0,
            640.0,
            "A paragraph that stands at the margin of the page.",
        )
        + &item(90.0, 610.0, "\\225", "other");
    check(
        &loose,
        "- first\n\n  - within\n\nA paragraph that stands at the margin of the page.\n\n- other",
    );
    // What is written at the margin, here a paragraph of the item and code, ends the items.
    let paragraph = at(90.0, 640.0, "A paragraph that belongs to the item within.");
    let code = "BT /F2 10 Tf 90 640 Td (a = 1) Tj ET\n".to_owned();
    for (between, written) in [
        (paragraph, "A paragraph that belongs to the item within."),
        (code, "```\na = 1\n```"),
    ] {
        let list = item(72.0, 700.0, "1.", "first")
            + &item(90.0, 670.0, "\\225", "within")
            + &between
            + &item(108.0, 610.0, "\\225", "deep")
            + &item(126.0, 580.0, "\\225", "deeper");
        check(
            &list,
            &format!("1. first\n\n   - within\n\n{written}\n\n- deep\n\n  - deeper"),
        );
    }
    // What begins where the line before it ends stands beside it.
    let beside = item(72.0, 300.0, "\\225", "the last one of a column of the page")
        + &item(320.0, 286.0, "\\225", "the first one of the next column");
    let text = Made::new(&beside).load().text;
    assert!(text.contains("\n- the first one of the next"), "{text}");
    // Nor does a list stand in the heading above it.
    let heading = at(72.0, 700.0, "1. The scope of it").replace("/F1 11", "/F1 16")
        + &item(90.0, 680.0, "\\225", "first");
    let text = Made::new(&heading).load().text;
    assert!(text.ends_with("\n- first\n"), "{text}");
}
