//! Which lines run over the pages.

use super::super::page::Style;
use super::*;

fn page(blocks: &[&str]) -> PageBlocks {
    let last = blocks.len() - 1;
    let block = |(place, text): (usize, &&str)| TextBlock {
        text: text.trim_start_matches("# ").into(),
        level: text.starts_with("# ").then_some(1),
        height: match place {
            0 => 0.05,
            _ if place == last => 0.95,
            _ => 0.5,
        },
        ..TextBlock::default()
    };
    PageBlocks {
        blocks: blocks.iter().enumerate().map(block).collect(),
        ..PageBlocks::default()
    }
}

fn check(pages: &[&[&str]], taken: &[&str], left: &[&[&str]]) {
    let mut pages: Vec<PageBlocks> = pages.iter().map(|blocks| page(blocks)).collect();
    for (page, number) in pages.iter_mut().zip(1..) {
        page.number = number;
    }
    assert_eq!(take(&mut pages), taken);
    let texts = |page: &PageBlocks| -> Vec<String> {
        page.blocks.iter().map(|block| block.text.clone()).collect()
    };
    let found: Vec<Vec<String>> = pages.iter().map(texts).collect();
    assert_eq!(found, left);
}

#[test]
fn heads_and_feet_are_taken() {
    check(
        &[
            &["The Book", "one", "two", "three", "Page 9 of 11"],
            &["The Book", "four", "five", "six", "Page 10 of 11"],
            &["The Book", "seven", "eight", "nine", "Page 11 of 11"],
        ],
        &["The Book", "Page 9 of 11"],
        &[
            &["one", "two", "three"],
            &["four", "five", "six"],
            &["seven", "eight", "nine"],
        ],
    );
}

#[test]
fn left_and_right_pages_have_their_own() {
    let pages: Vec<[&str; 2]> = vec![
        ["L  2", "a"],
        ["3  R", "b"],
        ["L  4", "c"],
        ["5  R", "d"],
        ["L  6", "e"],
        ["7  R", "f"],
    ];
    let pages: Vec<&[&str]> = pages.iter().map(|page| &page[..]).collect();
    check(
        &pages,
        &["L  2", "3  R"],
        &[&["a"], &["b"], &["c"], &["d"], &["e"], &["f"]],
    );
}

#[test]
fn headings_on_nearly_all_pages_are_taken() {
    check(
        &[
            &["# Report", "# One", "a"],
            &["# Report", "b"],
            &["# Report", "# Two", "c"],
            &["Report  4", "d"],
            &["# Report", "e"],
        ],
        &["Report"],
        &[&["One", "a"], &["b"], &["Two", "c"], &["d"], &["e"]],
    );
    // The headings of two chapters.
    let chapters: &[&[&str]] = &[
        &["# One", "a"],
        &["# One", "b"],
        &["# One", "c"],
        &["# One", "d"],
        &["# Two", "e"],
        &["# Two", "f"],
        &["# Two", "g"],
        &["# Two", "h"],
    ];
    let left: Vec<Vec<&str>> = chapters
        .iter()
        .map(|page| {
            page.iter()
                .map(|text| text.trim_start_matches("# "))
                .collect()
        })
        .collect();
    let left: Vec<&[&str]> = left.iter().map(Vec::as_slice).collect();
    check(chapters, &[], &left);
}

#[test]
fn what_is_larger_than_on_all_other_pages_is_a_title() {
    let block = |size: f64| TextBlock {
        text: "Report".into(),
        level: Some(1),
        height: 0.08,
        style: Style::new(size, true),
        ..TextBlock::default()
    };
    let page = |(number, size): (u32, f64)| PageBlocks {
        number,
        blocks: vec![
            block(size),
            TextBlock {
                text: number.to_string(),
                height: 0.5,
                ..TextBlock::default()
            },
        ],
        ..PageBlocks::default()
    };
    let mut pages: Vec<PageBlocks> = (1..)
        .zip([20.0, 11.0, 11.0, 11.0, 11.0])
        .map(page)
        .collect();
    assert_eq!(take(&mut pages), ["Report"]);
    assert_eq!(pages[0].blocks.len(), 2);
    assert!(pages[1..].iter().all(|page| page.blocks.len() == 1));
}

#[test]
fn headings_and_rare_lines_stay() {
    let heading: &[&[&str]] = &[
        &["# Example", "a"],
        &["# Example", "b"],
        &["# Example", "c"],
    ];
    check(
        heading,
        &[],
        &[&["Example", "a"], &["Example", "b"], &["Example", "c"]],
    );
    let twice: &[&[&str]] = &[&["Note", "a"], &["Note", "b"], &["c"]];
    check(twice, &[], twice);
    let alike: &[&[&str]] = &[&["Hello"], &["Hello"], &["Hello"]];
    check(alike, &[], alike);
    let rare: &[&[&str]] = &[
        &["Note"],
        &["a"],
        &["b"],
        &["Note"],
        &["c"],
        &["d"],
        &["Note"],
    ];
    check(rare, &[], rare);
}

#[test]
fn numbers_that_do_not_count_pages_are_text() {
    let slips: &[&[&str]] = &[
        &["Payslip of May", "Gross 3,100.55", "a", "Net pay 2,011.30"],
        &["Payslip of May", "Gross 2,950.00", "b", "Net pay 1,944.12"],
        &["Payslip of May", "Gross 4,020.10", "c", "Net pay 2,598.77"],
    ];
    let left: Vec<&[&str]> = slips.iter().map(|page| &page[1..]).collect();
    check(slips, &["Payslip of May"], &left);
    let questions: &[&[&str]] = &[
        &["Question 1", "a", "Invoice No. 1040"],
        &["Question 2", "b", "Invoice No. 1041"],
        &["Question 3", "c", "Invoice No. 1042"],
    ];
    check(questions, &[], questions);
    let invoices: &[&[&str]] = &[
        &["Invoice 11, page 1", "a", "b"],
        &["Invoice 11, page 2", "c", "d"],
        &["Invoice 11, page 3", "e", "f"],
        &["Invoice 12, page 4", "g", "h"],
    ];
    let left: &[&[&str]] = &[&["a", "b"], &["c", "d"], &["e", "f"], invoices[3]];
    check(invoices, &["Invoice 11, page 1"], left);
}

#[test]
fn lines_beyond_the_margin_and_at_other_heights_stay() {
    let pages = |heights: [f64; 3]| {
        let page = |height| PageBlocks {
            blocks: vec![
                TextBlock {
                    text: "Dear reader".into(),
                    height,
                    ..TextBlock::default()
                },
                TextBlock {
                    text: "text".into(),
                    height: 0.5,
                    ..TextBlock::default()
                },
            ],
            ..PageBlocks::default()
        };
        heights.map(page)
    };
    assert_eq!(take(&mut pages([0.05; 3])), ["Dear reader"]);
    assert!(take(&mut pages([0.25; 3])).is_empty());
    assert!(take(&mut pages([0.05, 0.08, 0.12])).is_empty());
}
