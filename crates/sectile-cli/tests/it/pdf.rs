//! PDF files as a user reads and searches them.

use super::workplace::{Workplace, fixture, stderr};

/// Makes a file with a page for each content, with Helvetica as F1.
fn pdf(contents: &[String]) -> String {
    let kids = (0..contents.len()).map(|page| format!("{} 0 R ", 4 + 2 * page));
    let kids: String = kids.collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Count {}/Kids[{kids}]>>", contents.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    for content in contents {
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents {} 0 R>>",
            objects.len() + 2
        ));
        objects.push(format!(
            "<</Length {}>>stream\n{content}\nendstream",
            content.len()
        ));
    }
    let numbered = objects.iter().enumerate();
    let objects =
        numbered.map(|(index, object)| format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    let objects: String = objects.collect();
    format!("%PDF-1.7\n{objects}trailer<</Root 1 0 R>>\n")
}

/// Draws a text of so many points at a place.
fn at(size: u32, x: u32, y: u32, text: &str) -> String {
    format!("BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET\n")
}

#[test]
fn a_hit_in_a_table_names_its_page() {
    let page = |title: &str, text: &str| at(18, 72, 730, title) + &at(11, 72, 700, text);
    let mut table = at(18, 72, 730, "Ships and cranes");
    let rows = [
        ["Port", "Ships", "Cranes"],
        ["Bremen", "812", "9"],
        ["Antwerp", "2740", "31"],
        ["Gdansk", "655", "12"],
    ];
    for (y, cells) in [700, 680, 660, 640].into_iter().zip(rows) {
        for (x, cell) in [72, 250, 400].into_iter().zip(cells) {
            table += &at(11, x, y, cell);
        }
    }
    let pages = [
        page("Harbours", "The first page tells of the harbours."),
        table,
        page("Weather", "The last page tells of the weather."),
    ];
    let place = Workplace::new();
    place.write("docs/ports.pdf", pdf(&pages));
    place.stdout(&["ingest", "docs"]);
    let found = place.stdout(&["search", "antwerp"]);
    let first = found.lines().next().unwrap();
    assert!(first.starts_with("docs/ports.pdf text lines "), "{found}");
    assert!(first.contains("  p. 2  Ships and cranes"), "{found}");
    assert!(found.contains("| Antwerp | 2740 | 31 |"), "{found}");
    let hits = place.json(&["search", "antwerp", "--json"]);
    assert_eq!(
        (&hits[0]["page_start"], &hits[0]["page_end"]),
        (&2.into(), &2.into())
    );
}

#[test]
fn text_recognition_without_tesseract_says_what_to_install() {
    let place = Workplace::new();
    let file = fixture("scanned.pdf");
    for command in ["extract", "chunk", "ingest"] {
        let mut run = place.command(&[command, &file, "--ocr"]);
        let output = run.env("PATH", "").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(output.stdout.is_empty(), "{command}");
        let said = stderr(&output);
        let expected = "--ocr needs tesseract, which is not installed; install it, for example with `apt install";
        assert!(said.contains(expected), "{command}: {said}");
    }
}
