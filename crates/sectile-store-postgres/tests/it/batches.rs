//! What a batch of documents leaves in the tables, beside what it leaves in SQLite.

use sectile_core::Pages;
use sectile_store::{IndexedDocument, SearchRequest, SectionRecord, Store};

use crate::parity::{Stores, document};

/// More than is sent to the server at a time.
const LONG: usize = 3 << 20;

/// More sections than are gathered before they are written: each has a text of half a megabyte.
const SECTIONS: usize = 40;

/// A document by its collection and URI, with the number of its chunks, and its sections and their texts.
pub(crate) type Stored = (String, usize, Vec<SectionRecord>, Vec<String>);

fn section(heading: &str, text: impl Into<String>) -> (String, String) {
    (heading.into(), text.into())
}

pub(crate) fn batch() -> Vec<IndexedDocument> {
    let odd = section(
        "Größe \\N \"x\"",
        "tab\tline\nback\\slash \u{1f980} \\. \\N end",
    );
    let long = section("long", "=".repeat(LONG));
    let sections = (0..SECTIONS).map(|at| {
        section(
            &format!("part {at}"),
            format!("p{at} {}", "=".repeat(LONG / 6)),
        )
    });
    let sections: Vec<_> = sections.collect();
    let mut with_pages = document("c", "pages.pdf", &[odd.clone(), section("", "")]);
    with_pages.sections[0].pages = Some(Pages { first: 3, last: 4 });
    with_pages.sections[0].chunks[0].pages = Some(Pages { first: 3, last: 3 });
    vec![
        document(
            "c",
            "twice.md",
            &[section("one", "an earlier version"), odd.clone()],
        ),
        document("c", "twice.md", &[odd, section("two", "a later version")]),
        with_pages,
        document("c", "empty.md", &[]),
        document("c", "long.md", &[long]),
        document("d", "many.md", &sections),
        document("d", "twice.md", &[section("one", "of another collection")]),
    ]
}

/// Returns later versions of some documents of the batch, with some of the same sections.
pub(crate) fn changed() -> Vec<IndexedDocument> {
    let short = section("short", "of few words");
    let one = section("one", "of another collection");
    let first = section("part 0", format!("p0 {}", "=".repeat(LONG / 6)));
    vec![
        document("d", "twice.md", &[short.clone(), one.clone()]),
        document("d", "many.md", &[first]),
        document("c", "pages.pdf", &[section("", ""), short.clone()]),
        document("c", "twice.md", &[one]),
        document("c", "empty.md", &[short]),
        document("c", "long.md", &[]),
    ]
}

/// Returns all that a store has of its documents, but what it numbers for itself.
pub(crate) async fn state(store: &dyn Store) -> Vec<Stored> {
    let mut state = Vec::new();
    for record in store.documents(&sectile_store::Scope::all()).await.unwrap() {
        let sections = store.sections(record.id).await.unwrap();
        let content = store.content(record.id, 0..sections.len()).await.unwrap();
        let name = format!("{} {}", record.collection, record.uri);
        state.push((name, record.chunks, sections, content));
    }
    state
}

#[tokio::test]
async fn a_batch_leaves_the_same_rows() {
    let stores = Stores::fresh().await;
    let batch = batch();
    // The second time all is there already.
    for _ in 0..2 {
        stores.put(&batch).await;
        let found = state(&stores.postgres).await;
        assert_eq!(found.len(), 6);
        let expected = state(&stores.sqlite).await;
        for (found, expected) in found.iter().zip(&expected) {
            // Not printed: some are megabytes long.
            assert!(found == expected, "{}", expected.0);
        }
        assert_eq!(found.len(), expected.len());
    }
    let content = |state: &[Stored]| {
        let twice = state.iter().find(|document| document.0 == "c twice.md");
        twice.unwrap().3.concat()
    };
    let twice = content(&state(&stores.postgres).await);
    assert!(
        twice.contains("a later version") && !twice.contains("earlier"),
        "{twice}"
    );
    let pages = pages(&stores.postgres).await;
    assert_eq!(pages, [Some(Pages { first: 3, last: 4 }), None]);
}

#[tokio::test]
async fn later_versions_in_a_batch_leave_the_same_rows() {
    let stores = Stores::fresh().await;
    for documents in [batch(), changed(), batch()] {
        stores.put(&documents).await;
        let found = state(&stores.postgres).await;
        let expected = state(&stores.sqlite).await;
        assert_eq!(found.len(), 6);
        // Not printed: some are megabytes long.
        assert!(found == expected);
        let request = SearchRequest::new("a collection of few versions").with_limit(20);
        assert!(stores.compare(&request).await > 0);
    }
}

async fn pages(store: &dyn Store) -> Vec<Option<Pages>> {
    let records = store.documents(&sectile_store::Scope::all()).await.unwrap();
    let record = records.iter().find(|record| record.uri == "pages.pdf");
    let sections = store.sections(record.unwrap().id).await.unwrap();
    sections.iter().map(|section| section.pages).collect()
}
