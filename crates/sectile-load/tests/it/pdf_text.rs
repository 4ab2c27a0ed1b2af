//! What is drawn on the pages of made PDF files, and what is read of them.

use std::fmt::Write as _;
use std::path::Path;

use sectile_core::Document;
use sectile_load::{Error, LoadOptions, Loader as _, PdfLoader, PdfOptions, omissions};

/// Makes a file with a page for each content, of 612 by 792 points, with Helvetica as F1 and Courier as F2.
struct Made {
    contents: Vec<String>,
    /// What is added to the catalog, to each page, and to its resources.
    catalog: String,
    page: String,
    resources: String,
    /// Objects from number 10 on.
    others: Vec<String>,
}

impl Made {
    fn new(content: &str) -> Self {
        Self {
            contents: vec![content.to_owned()],
            catalog: String::new(),
            page: String::new(),
            resources: String::new(),
            others: Vec::new(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let first = 10 + self.others.len();
        let kids = (0..self.contents.len()).map(|page| format!("{} 0 R ", first + 2 * page));
        let kids = kids.collect::<Vec<_>>().concat();
        let font = |name: &str| {
            format!("<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>")
        };
        let mut objects = vec![
            format!("<</Type/Catalog/Pages 2 0 R{}>>", self.catalog),
            format!("<</Type/Pages/Count {}/Kids[{kids}]>>", self.contents.len()),
            font("Helvetica"),
            font("Courier"),
            font("Helvetica-Bold"),
        ];
        objects.resize(9, "null".to_owned());
        objects.extend(self.others.iter().cloned());
        for (page, content) in self.contents.iter().enumerate() {
            objects.push(format!(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>{}>>\
                 /Contents {} 0 R{}>>",
                self.resources,
                first + 2 * page + 1,
                self.page
            ));
            objects.push(format!(
                "<</Length {}>>stream\n{content}\nendstream",
                content.len()
            ));
        }
        crate::hostile_files::pdf(&objects, "")
    }

    fn load(&self) -> Document {
        load(&self.bytes()).unwrap()
    }
}

fn load(bytes: &[u8]) -> Result<Document, Error> {
    PdfLoader::default().load(bytes, Path::new("made.pdf"))
}

/// Draws a text at a place.
fn at(x: f64, y: f64, text: &str) -> String {
    format!("BT /F1 11 Tf {x} {y} Td ({text}) Tj ET\n")
}

fn check(content: &str, expected: &str) {
    assert_eq!(Made::new(content).load().text.trim_end(), expected);
}

#[test]
fn numbers_at_the_edges_of_a_page_stay() {
    let content = at(72.0, 400.0, "Body text of the invoice.")
        + &at(72.0, 30.0, "Total due")
        + &at(200.0, 30.0, "1250")
        + &at(260.0, 30.0, "EUR until")
        + &at(330.0, 30.0, "2026")
        + &at(400.0, 770.0, "Order")
        + &at(440.0, 770.0, "48151623");
    for drop_running_lines in [true, false] {
        let options = LoadOptions {
            pdf: PdfOptions {
                drop_running_lines,
                ..PdfOptions::default()
            },
            ..LoadOptions::default()
        };
        let loader = PdfLoader::new(options);
        let bytes = Made::new(&content).bytes();
        let document = loader.load(&bytes, Path::new("made.pdf")).unwrap();
        let words: Vec<&str> = document.text.split_whitespace().collect();
        let line = ["Total", "due", "1250", "EUR", "until", "2026"];
        assert!(words.windows(6).any(|words| words == line), "{words:?}");
        assert!(words.contains(&"48151623"), "{words:?}");
    }
}

#[test]
fn words_are_told_by_the_gaps_between_their_letters() {
    let mut typed = String::new();
    for (index, letter) in "June 30, 2022 and after".chars().enumerate() {
        typed += &at(72.0 + 6.2 * index as f64, 700.0, &letter.to_string());
    }
    check(&typed, "June 30, 2022 and after");
    let tracked = "BT /F1 11 Tf 1.5 Tc 72 700 Td (Set apart on purpose) Tj ET";
    check(tracked, "Set apart on purpose");
    let kerned = "BT /F1 11 Tf 72 700 Td [(Hello)-300(World)-50(ing)-300(T)80(est)] TJ ET";
    check(kerned, "Hello Worlding Test");
    let ticks: String = (1..=12).fold(String::new(), |mut all, tick: i32| {
        let _ = write!(
            all,
            "{}",
            at(72.0 + 14.1 * f64::from(tick), 700.0, &tick.to_string())
        );
        all
    });
    let found = Made::new(&ticks).load().text;
    assert_eq!(found.split_whitespace().count(), 12, "{found}");
}

#[test]
fn what_is_printed_again_for_weight_is_read_once() {
    let bold: String = [0.0, 0.3, 0.6]
        .map(|by| at(72.0 + by, 700.0, "Bold Heading of a book"))
        .concat();
    check(&bold, "Bold Heading of a book");
    // Letters that are really there twice.
    check(&at(72.0, 700.0, "illness of a well"), "illness of a well");
}

#[test]
fn hyphens_of_words_stay_and_those_of_lines_go() {
    let lines = [
        "This is a docu-",
        "ment about well-",
        "known things and e-",
        "mail of Kubern-",
        "etes.",
    ];
    let mut content = String::new();
    for (number, line) in lines.iter().enumerate() {
        content += &at(72.0, 700.0 - 14.0 * number as f64, line);
    }
    let text = Made::new(&content).load().text;
    let words: Vec<&str> = text.split_whitespace().collect();
    let expected = "This is a document about well-known things and e-mail of Kubernetes.";
    assert_eq!(words.join(" "), expected);
}

#[test]
fn lines_that_their_writer_ended_are_lines() {
    let lines = ["Ada Example", "12 Long Street", "Townsville 4811"];
    let mut content = String::new();
    for (number, line) in lines.iter().enumerate() {
        content += &at(72.0, 700.0 - 13.0 * number as f64, line);
    }
    check(&content, &lines.join("\n"));
}

#[test]
fn columns_drawn_row_by_row_are_read_as_columns() {
    let mut content = String::new();
    for row in 0..5 {
        let y = 700.0 - 14.0 * f64::from(row);
        content += &at(72.0, y, &format!("left text of row {row} goes on and"));
        content += &at(320.0, y, &format!("right text of row {row} is apart from"));
    }
    let text = Made::new(&content).load().text;
    let place = |part: &str| text.find(part).unwrap();
    assert!(
        place("left text of row 4") < place("right text of row 0"),
        "{text}"
    );
}

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
fn values_of_forms_and_typed_notes_are_read_at_their_places() {
    let looks = "BT /F1 11 Tf 2 8 Td (Marsupial Quokka) Tj ET";
    let made = Made {
        catalog: "/AcroForm<</Fields[10 0 R]>>".into(),
        page: "/Annots[10 0 R 12 0 R 13 0 R 14 0 R]".into(),
        others: vec![
            "<</Subtype/Widget/FT/Tx/V(Marsupial Quokka)/Rect[200 690 400 715]/AP<</N 11 0 R>>>>"
                .into(),
            format!(
                "<</Subtype/Form/BBox[0 0 200 25]/Resources<</Font<</F1 3 0 R>>>>/Length {}>>stream\n{looks}\nendstream",
                looks.len()
            ),
            "<</Subtype/FreeText/Contents(A typed remark)/Rect[72 500 300 530]>>".into(),
            "<</Subtype/Widget/FT/Tx/Ff 8192/V(secret word)/Rect[72 400 300 430]>>".into(),
            "<</Subtype/FreeText/F 2/Contents(a hidden one)/Rect[72 300 300 330]>>".into(),
        ],
        ..Made::new(&(at(72.0, 700.0, "Name of applicant:") + &at(72.0, 200.0, "The last line.")))
    };
    let text = made.load().text;
    let words: Vec<&str> = text.split_whitespace().collect();
    let expected = "Name of applicant: Marsupial Quokka A typed remark The last line.";
    assert_eq!(words.join(" "), expected);
    let form = Made {
        page: "/Annots[10 0 R]".into(),
        others: vec!["<</Subtype/Widget/FT/Tx/V(Marsupial Quokka)/Rect[200 690 400 715]>>".into()],
        ..Made::new("")
    };
    assert_eq!(form.load().text, "Marsupial Quokka\n");
}

#[test]
fn hidden_layers_are_not_read() {
    let content = at(72.0, 700.0, "visible words")
        + "/OC /L BDC\n"
        + &at(72.0, 650.0, "hidden words")
        + "EMC\n";
    let made = |shown: &str| Made {
        catalog: format!("/OCProperties<</OCGs[10 0 R]/D<<{shown}>>>>"),
        resources: "/Properties<</L 10 0 R>>".into(),
        others: vec!["<</Type/OCG/Name(Layer)>>".into()],
        ..Made::new(&content)
    };
    assert_eq!(made("/OFF[10 0 R]").load().text, "visible words\n");
    assert_eq!(made("/BaseState/OFF").load().text, "visible words\n");
    assert!(made("/ON[10 0 R]").load().text.contains("hidden words"));
}

#[test]
fn what_a_text_stands_for_takes_its_place() {
    let actual = |text: &str| {
        format!(
            "/Span<</ActualText({text})>>BDC\n{}EMC\n",
            at(72.0, 700.0, "R l W d")
        )
    };
    check(&actual("Real Words"), "Real Words");
    check(&(actual("") + &at(72.0, 650.0, "then")), "then");
}

#[test]
fn turned_pages_and_turned_text_are_read() {
    let turned = Made {
        page: "/Rotate 90".into(),
        ..Made::new(&(at(72.0, 700.0, "First line") + &at(72.0, 680.0, "Second line")))
    };
    assert_eq!(turned.load().text, "First line\nSecond line\n");
    let mut content = String::new();
    for line in 0..3 {
        let _ = writeln!(
            content,
            "BT /F1 11 Tf 0 1 -1 0 {} 100 Tm (Turned line {line}) Tj ET",
            72 + 14 * line
        );
    }
    check(&content, "Turned line 0\nTurned line 1\nTurned line 2");
}

#[test]
fn what_lies_beside_the_page_is_not_read() {
    check(
        &(at(72.0, 700.0, "inside") + &at(72.0, -50.0, "below") + &at(700.0, 300.0, "beside")),
        "inside",
    );
}

#[test]
fn what_stands_before_the_header_does_no_harm() {
    let mut bytes = b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n".to_vec();
    bytes.extend(Made::new(&at(72.0, 700.0, "Plain words")).bytes());
    assert_eq!(load(&bytes).unwrap().text, "Plain words\n");
}

#[test]
fn hebrew_is_read_from_the_right() {
    // Alef to dalet as codes 1 to 4, drawn from left to right, then a number.
    let map = "1 beginbfrange <01> <04> <05D0> endbfrange 1 beginbfrange <30> <39> <0030> endbfrange \
               1 beginbfchar <20> <0020> endbfchar";
    let made = Made {
        others: vec![
            format!("<</Length {}>>stream\n{map}\nendstream", map.len()),
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 10 0 R/FirstChar 1/Widths[500 500 500 500]>>".into(),
        ],
        ..Made::new("BT /F9 11 Tf 72 700 Td (12 \\004\\003\\002\\001) Tj ET")
    };
    let bytes = String::from_utf8(made.bytes())
        .unwrap()
        .replace("/F3 5 0 R", "/F9 11 0 R");
    let text = load(bytes.as_bytes()).unwrap().text;
    assert_eq!(text.trim_end(), "אבגד 12");
}

#[test]
fn pages_and_letters_that_cannot_be_read_are_said() {
    let nowhere = Made {
        contents: vec![
            "BT /F9 11 Tf 72 700 Td <00410042> Tj /F1 11 Tf 0 -20 Td (known words) Tj ET".into(),
            "0 0 612 792 re f".into(),
        ],
        others: vec![
            "<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/DescendantFonts[11 0 R]>>".into(),
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/Odd/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)>>>>".into(),
        ],
        ..Made::new("")
    };
    let bytes = String::from_utf8(nowhere.bytes())
        .unwrap()
        .replace("/F3 5 0 R", "/F9 10 0 R");
    let document = load(bytes.as_bytes()).unwrap();
    assert_eq!(
        omissions(&document.metadata),
        [
            "page 2 holds pictures and no text, as scanned pages do",
            "2 letters on page 1 cannot be read, as their fonts do not say what they mean",
        ]
    );
}
