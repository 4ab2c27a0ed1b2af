//! Tables that go on over pages.

use super::*;

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
