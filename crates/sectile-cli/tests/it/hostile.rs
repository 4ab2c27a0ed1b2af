//! Texts that break other stores.

use std::fmt::Write as _;

use super::workplace::Workplace;

/// How many different words are more than a `tsvector` of Postgres holds.
const HASHES: u32 = 40_000;

/// A file with so many headings must not take time or room that grows with their square.
const HEADINGS: u32 = 20_000;

/// Fills a place with files that are hard to index.
fn fill(place: &Workplace) {
    let mut hashes = String::new();
    for number in 0..HASHES {
        let number = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let _ = write!(hashes, "{number:016x}{:016x} ", number.rotate_left(31));
    }
    place.write("docs/hashes.txt", hashes);
    let (long, longer) = ("x".repeat(3_000), "y".repeat(100_000));
    place.write(
        "docs/words.md",
        format!("# Words\n\n{long} apple {longer} cherry\n"),
    );
    let leaf = "Sentences about pears and plums. ".repeat(3_900);
    place.write(
        "docs/leaf.md",
        format!("# Leaf\n\n{leaf}The last is a quince.\n"),
    );
    let headings = (0..HEADINGS).map(|number| format!("# Heading {number}\n"));
    place.write("docs/headings.md", headings.collect::<String>());
    place.write("docs/nul.txt", "zero\0 in the middle of mangos\n");
    place.write("docs/binary.txt", "\0\u{1}\u{2}data".repeat(50));
}

/// Checks that all of it is found, and what cannot be kept is named.
fn check(place: &Workplace) {
    fill(place);
    let said = place.stderr(&["ingest", "docs"], 0);
    assert!(said.contains("binary.txt: it is binary data"), "{said}");
    let first = format!(
        "{:016x}{:016x}",
        0x9e37_79b9_7f4a_7c15_u64,
        0x9e37_79b9_7f4a_7c15_u64.rotate_left(31)
    );
    let long = "x".repeat(3_000);
    let last = format!("heading {}", HEADINGS - 1);
    let found = [
        (&*first, "hashes.txt"),
        ("apple", "words.md"),
        ("cherry", "words.md"),
        (&*long, "words.md"),
        ("quince", "leaf.md"),
        (&*last, "headings.md"),
        ("mangos", "nul.txt"),
    ];
    for (question, file) in found {
        let hits = place.json(&["search", question, "--limit", "1", "--json"]);
        let path = hits[0]["path"].as_str().unwrap();
        assert!(path.ends_with(file), "{file}: {path}");
        assert!(hits[0]["snippet"].as_str().unwrap().len() < 5_000);
    }
    let status = place.json(&["status", "--json"]);
    assert_eq!(status["failed"], 0);
    assert!(status["sections"].as_u64().unwrap() > u64::from(HEADINGS));
    let said = place.stderr(&["ingest", "docs/binary.txt"], 2);
    assert!(said.contains("binary.txt"), "{said}");
}

#[test]
fn hostile_texts_are_found_in_sqlite() {
    check(&Workplace::new());
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn hostile_texts_are_found_in_postgres() {
    let mut place = Workplace::new();
    place.store = sectile_test_postgres::database().await.unwrap();
    check(&place);
}
