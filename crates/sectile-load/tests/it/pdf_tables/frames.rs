//! Lines that are seen or not, and frames that are no tables.

use super::*;

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
