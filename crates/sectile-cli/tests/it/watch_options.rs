//! How `sectile watch` reads files.

use super::watch::Watching;
use super::workplace::Workplace;

#[test]
fn a_page_that_was_ingested_whole_stays_whole() {
    let place = Workplace::new();
    let text = "The article of this page, in a sentence that is long enough. ".repeat(4);
    let page = |word: &str| {
        format!("<nav>Contents</nav><article><p>{text}</article><div id=comments><p>{word}.</div>")
    };
    place.write("docs/old.html", page("Remarkable"));
    place.stdout(&["ingest", "docs", "--whole-page"]);
    let watching = Watching::start(&place, &["docs"]);
    place.write("docs/old.html", page("Extraordinary"));
    watching.until("updated");
    drop(watching);
    let found = |word: &str| place.run(&["search", word]).status.code();
    assert_eq!(found("extraordinary"), Some(0));
    let watching = Watching::start(&place, &["docs", "--whole-page"]);
    place.write("docs/new.html", page("Astonishing"));
    watching.until("updated");
    assert_eq!(found("astonishing"), Some(0));
}

#[test]
fn watched_documents_have_the_language_that_is_set() {
    let place = Workplace::new();
    place.stdout(&["config", "set", "language", "default=de"]);
    let languages = || {
        let rows = place.json(&["list", "--json"]);
        let rows = rows.as_array().unwrap().iter();
        let languages: Vec<&str> = rows.map(|row| row["language"].as_str().unwrap()).collect();
        languages.join(" ")
    };
    let watching = Watching::start(&place, &["docs"]);
    assert_eq!(languages(), "de de");
    place.write("docs/new.md", "# New\n\nA quince.\n");
    watching.until("updated");
    assert_eq!(languages(), "de de de");
    drop(watching);
    let watching = Watching::start(&place, &["docs", "--language", "fr"]);
    assert_eq!(languages(), "fr fr fr");
    place.write("docs/new.md", "# New\n\nA medlar.\n");
    watching.until("updated");
    assert_eq!(languages(), "fr fr fr");
}

#[test]
fn watched_files_may_not_be_larger_than_is_said() {
    let place = Workplace::new();
    let watching = Watching::start(&place, &["docs", "--max-file-size", "200B"]);
    place.write("docs/large.txt", "A quince. ".repeat(100));
    watching.until("updated");
    let status = place.json(&["status", "--json"]);
    assert_eq!(status["documents"], 2, "{status}");
}
