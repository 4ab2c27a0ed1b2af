//! How pages are put together, and their headings.

use super::*;

fn page(number: u32, blocks: &[(&str, Option<u8>)]) -> PageBlocks {
    let block = |&(text, level): &(&str, Option<u8>)| TextBlock {
        text: text.into(),
        level,
        ..TextBlock::default()
    };
    PageBlocks {
        number,
        blocks: blocks.iter().map(block).collect(),
        ..PageBlocks::default()
    }
}

#[test]
fn pages_cover_the_text_without_gaps() {
    let pages = [
        page(3, &[("one", None)]),
        page(4, &[]),
        page(9, &[("two", None), ("three", None)]),
    ];
    let labels = BTreeMap::from([(3, "iv".to_owned())]);
    let (document, _) = assemble(&pages, &labels);
    assert_eq!(document.text, "one\n\ntwo\n\nthree\n");
    let spans: Vec<Span> = document.pages.iter().map(|page| page.span).collect();
    assert_eq!(spans, [Span::new(0, 4), Span::new(4, 5), Span::new(5, 16)]);
    let labels: Vec<_> = document
        .pages
        .iter()
        .map(|page| page.label.as_deref())
        .collect();
    assert_eq!(labels, [None, Some("iv"), None]);
}

#[test]
fn guessed_headings_point_at_their_lines() {
    let pages = [
        page(1, &[("Some text.", None), ("A  title", Some(2))]),
        page(2, &[]),
        page(3, &[("Last", Some(9)), ("end", None)]),
    ];
    let (document, headings) = assemble(&pages, &BTreeMap::new());
    let found = headings.into_iter().map(|heading| {
        let text = heading.span.of(&document.text).to_owned();
        (heading.level, heading.title, text)
    });
    let found: Vec<_> = found.collect();
    let heading = |level, title: &str, text: &str| (level, title.to_owned(), text.to_owned());
    assert_eq!(
        found,
        [
            heading(2, "A title", "A  title\n"),
            heading(6, "Last", "Last\n")
        ]
    );
}

#[test]
fn parts_of_a_drawing_are_no_headings() {
    let (document, guessed) = assemble(&[page(1, &[("Plan", Some(1))])], &BTreeMap::new());
    let outline = |count: usize| {
        let mark = |number: usize| Bookmark {
            title: format!("N00{number}"),
            depth: 2,
            page: Some(0),
        };
        let marks: Vec<Bookmark> = (0..count).map(mark).collect();
        outline(&document, guessed.clone(), &marks, &PdfOptions::default())
    };
    assert_eq!(outline(200), guessed);
    assert_eq!(outline(20).len(), 20);
}

#[test]
fn guessed_headings_stand_below_few_bookmarks() {
    let heading = |level: u8, title: &str, start: usize| Heading {
        level,
        title: title.into(),
        span: Span::new(start, start + title.len()),
    };
    let marked = vec![heading(1, "Contract", 0), heading(1, "Annex", 90)];
    let guessed = vec![
        heading(1, "Contract", 0),
        heading(2, "Delivery", 20),
        heading(2, "Payment", 50),
        heading(1, "Annex", 90),
        heading(2, "Prices", 120),
    ];
    let outline = below(marked, guessed);
    let outline: Vec<(u8, &str)> = outline
        .iter()
        .map(|heading| (heading.level, &*heading.title))
        .collect();
    assert_eq!(
        outline,
        [
            (1, "Contract"),
            (2, "Delivery"),
            (2, "Payment"),
            (1, "Annex"),
            (2, "Prices")
        ]
    );
}
