//! Running heads, page numbers and what only looks like them.

use super::*;

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
fn a_bold_running_head_is_no_heading_of_each_page() {
    let page = |number: u32| {
        let head = "BT /F3 12 Tf 72 750 Td (PROJECT DESCRIPTION) Tj ET\n";
        head.to_owned()
            + &format!("BT /F3 14 Tf 72 700 Td (Part {number} of the work) Tj ET\n")
            + &at(
                72.0,
                650.0,
                &format!("Line {number} tells what the group did and why."),
            )
            + &at(
                72.0,
                636.0,
                "The group met again in the week after this one.",
            )
    };
    let document = Made {
        contents: (1..=5).map(page).collect(),
        ..Made::new("")
    }
    .load();
    let titles: Vec<&str> = document
        .outline
        .iter()
        .map(|heading| &*heading.title)
        .collect();
    let parts: Vec<String> = (1..=5)
        .map(|number| format!("Part {number} of the work"))
        .collect();
    assert_eq!(titles, parts);
    assert_eq!(
        document.metadata.extra["running_lines"],
        serde_json::json!(["PROJECT DESCRIPTION"])
    );
}

#[test]
fn lines_that_differ_in_amounts_are_not_left_out() {
    let slip = |number: u32, pay: &str| {
        at(72.0, 750.0, "Payslips of May")
            + &at(72.0, 600.0, "Worked in the warehouse.")
            + &at(72.0, 60.0, &format!("Net pay {pay} EUR"))
            + &at(500.0, 30.0, &format!("Page {number} of 4"))
    };
    let pays = ["2,480.44", "2,296.08", "3,296.00", "3,192.60"];
    let file = Made {
        contents: (1..)
            .zip(pays)
            .map(|(number, pay)| slip(number, pay))
            .collect(),
        ..Made::new("")
    };
    let document = file.load();
    for pay in pays {
        assert!(
            document.text.contains(&format!("Net pay {pay} EUR")),
            "{pay}"
        );
    }
    assert_eq!(
        document.metadata.extra["running_lines"],
        serde_json::json!(["Payslips of May", "Page 1 of 4"])
    );
}
