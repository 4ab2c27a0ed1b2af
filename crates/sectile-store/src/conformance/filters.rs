//! What every store does with metadata, keys and summaries.

use sectile_core::DocumentId;
use serde_json::json;

use super::{COLLECTION, document, search as found_by, uris};
use crate::{Error, IndexedDocument, Scope, SearchRequest, Store, Summary};

fn with_metadata(mut document: IndexedDocument, metadata: serde_json::Value) -> IndexedDocument {
    document.metadata = serde_json::from_value(metadata).unwrap();
    document
}

async fn put_library(store: &dyn Store) {
    let documents = vec![
        with_metadata(
            document(
                "file:///docs/a.md",
                &[(1, "Methods", "apple"), (2, "Sub METHODS", "apple")],
            ),
            json!({"team": "red", "modified": "2024-05-01T10:00:00Z", "year": 2023}),
        ),
        with_metadata(
            document(
                "file:///docs/deep/b.txt",
                &[(1, "Results", "apple"), (2, "Data", "apple")],
            ),
            json!({"team": ["red", "blue"], "created": "2025-01-31"}),
        ),
        document("file:///other/c.md", &[(1, "Plain", "apple")]),
    ];
    store.put(documents).await.unwrap();
}

pub async fn a_filter_narrows_every_call(store: &dyn Store) {
    put_library(store).await;
    let all = Scope::all;
    let cases = [
        (all().with_field("team", json!("red")), vec!["a", "b"]),
        (all().with_field("team", json!("blue")), vec!["b"]),
        (all().with_field("year", json!("2023")), vec!["a"]),
        (all().with_path("docs/*.md").unwrap(), vec!["a"]),
        (all().with_path("/docs/**").unwrap(), vec!["a", "b"]),
        (all().with_since("2025").unwrap(), vec!["b"]),
        (all().with_until("2024-05").unwrap(), vec!["a"]),
        (all().with_field("team", json!("green")), vec![]),
        (all().with_no_document(), vec![]),
        (
            all().with_no_document().with_uri("file:///docs/a.md"),
            vec!["a"],
        ),
        (
            Scope::collection("elsewhere").with_field("team", json!("red")),
            vec![],
        ),
    ];
    let name = |uri: &str| uri.rsplit('/').next().unwrap()[..1].to_owned();
    for (scope, expected) in cases {
        let documents = store.documents(&scope).await.unwrap();
        let listed: Vec<_> = documents
            .iter()
            .map(|document| name(&document.uri))
            .collect();
        assert_eq!(listed, expected, "{scope:?}");
        let request = SearchRequest::new("apple").with_scope(scope);
        let hits = store.search(&request).await.unwrap().hits;
        let mut found: Vec<_> = uris(&hits).iter().map(|uri| name(uri)).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, expected, "{request:?}");
    }
}

pub async fn sections_are_found_by_heading_and_level(store: &dyn Store) {
    put_library(store).await;
    let sections = async |scope: &Scope| {
        let found = store.sections_in(scope).await.unwrap();
        let headings = found
            .iter()
            .map(|(_, section)| section.heading_path.last().cloned());
        headings.map(Option::unwrap_or_default).collect::<Vec<_>>()
    };
    let methods = Scope::all().with_heading("methods");
    assert_eq!(sections(&methods).await, ["Methods", "Sub METHODS"]);
    let deep = Scope::all().with_levels(2..=6);
    assert_eq!(sections(&deep).await, ["Sub METHODS", "Data"]);
    assert_eq!(
        sections(&deep.clone().with_heading("sub-METHODS")).await,
        ["Sub METHODS"]
    );
    assert_eq!(
        sections(&Scope::all().with_heading("nothing")).await,
        [""; 0]
    );
    let request = SearchRequest::new("apple").with_scope(deep);
    let hits = store.search(&request).await.unwrap().hits;
    let headings: Vec<_> = hits
        .iter()
        .map(|hit| hit.heading_path.last().unwrap())
        .collect();
    assert_eq!(headings, ["Data", "Sub METHODS"]);
}

pub async fn a_document_without_headings_is_outside_of_a_heading(store: &dyn Store) {
    let mut plain = document("plain", &[(1, "", "apple")]);
    let section = &mut plain.sections[0];
    section.section.level = 0;
    section.section.heading = None;
    section.heading_path.clear();
    store.put(vec![plain]).await.unwrap();
    assert_eq!(uris(&found_by(store, "apple").await), ["plain"]);
    for scope in [
        Scope::all().with_heading(""),
        Scope::all().with_levels(1..=6),
    ] {
        assert_eq!(store.sections_in(&scope).await.unwrap(), []);
        let request = SearchRequest::new("apple").with_scope(scope);
        assert_eq!(store.search(&request).await.unwrap().hits, []);
    }
    let level = Scope::all().with_levels(0..=0);
    assert_eq!(store.sections_in(&level).await.unwrap().len(), 1);
}

fn filing(uri: &str, year: u32, form: &str) -> IndexedDocument {
    let metadata = json!({"ticker": "AAPL", "fiscal_year": year, "doc_type": form});
    with_metadata(document(uri, &[(1, "Cover", "apple")]), metadata)
}

fn key() -> [String; 3] {
    ["ticker", "fiscal_year", "doc_type"].map(str::to_owned)
}

pub async fn a_natural_key_is_unique_in_its_collection(store: &dyn Store) {
    assert_eq!(store.key_fields(COLLECTION).await.unwrap(), [""; 0]);
    store.declare_key(COLLECTION, &key()).await.unwrap();
    assert_eq!(store.key_fields(COLLECTION).await.unwrap(), key());
    store.put(vec![filing("one", 2023, "10-K")]).await.unwrap();
    let twin = store.put(vec![
        filing("free", 2024, "10-K"),
        filing("twin", 2023, "10-K"),
    ]);
    let refused = twin.await.unwrap_err();
    let Error::DuplicateKey { uri, other, .. } = &refused else {
        panic!("{refused}");
    };
    assert_eq!((&**uri, &**other), ("twin", "one"));
    assert!(refused.to_string().contains("2023"), "{refused}");
    assert_eq!(store.totals().await.unwrap().documents, 1);
    let lacking = store.put(vec![document("bare", &[])]).await.unwrap_err();
    assert!(lacking.to_string().contains("ticker"), "{lacking}");
    // The same document again, one that differs, another collection, and a key that became free.
    let mut elsewhere = filing("twin", 2023, "10-K");
    elsewhere.collection = "elsewhere".into();
    elsewhere.id = DocumentId::new(1, [1; 10]);
    let fine = vec![
        filing("one", 2023, "10-K"),
        filing("two", 2023, "20-F"),
        elsewhere,
    ];
    store.put(fine).await.unwrap();
    store.put(vec![filing("one", 2022, "10-K")]).await.unwrap();
    store.put(vec![filing("twin", 2023, "10-K")]).await.unwrap();
    store.declare_key(COLLECTION, &[]).await.unwrap();
    store
        .put(vec![filing("three", 2023, "10-K")])
        .await
        .unwrap();
}

pub async fn documents_that_are_written_together_may_exchange_keys(store: &dyn Store) {
    store.declare_key(COLLECTION, &key()).await.unwrap();
    let put = async |years: [u32; 3]| {
        let named = ["one", "three", "two"].into_iter().zip(years);
        let filings = named.map(|(uri, year)| filing(uri, year, "10-K"));
        store.put(filings.collect()).await
    };
    put([2021, 2022, 2023]).await.unwrap();
    // Two of them, all, and one that takes the key of one that takes a free one.
    for years in [[2022, 2021, 2023], [2021, 2023, 2022], [2023, 2022, 2024]] {
        put(years).await.unwrap();
    }
    // One that keeps its key gives up nothing, and then nothing is written.
    let refused = put([2022, 2022, 2025]).await;
    assert!(
        matches!(refused, Err(Error::DuplicateKey { .. })),
        "{refused:?}"
    );
    for (year, owner) in [(2023, "one"), (2022, "three"), (2024, "two")] {
        let twin = store.put(vec![filing("twin", year, "10-K")]).await;
        let Err(Error::DuplicateKey { other, .. }) = &twin else {
            panic!("{twin:?}");
        };
        assert_eq!(other, owner);
    }
    store.put(vec![filing("four", 2021, "10-K")]).await.unwrap();
}

pub async fn a_key_is_declared_only_if_all_documents_fit(store: &dyn Store) {
    let filings = vec![filing("a", 2023, "10-K"), filing("b", 2023, "20-F")];
    store.put(filings).await.unwrap();
    let short = store.declare_key(COLLECTION, &key()[..2]).await;
    assert!(
        matches!(short, Err(Error::DuplicateKey { .. })),
        "{short:?}"
    );
    let missing = store.declare_key(COLLECTION, &["company".to_owned()]).await;
    assert!(
        matches!(missing, Err(Error::InvalidDocument { .. })),
        "{missing:?}"
    );
    store.put(vec![document("free", &[])]).await.unwrap();
    let free = store
        .documents(&Scope::all().with_uri("free"))
        .await
        .unwrap();
    store.remove(&[free[0].id]).await.unwrap();
    store.declare_key(COLLECTION, &key()).await.unwrap();
    let twin = store.put(vec![filing("c", 2023, "20-F")]).await;
    assert!(matches!(twin, Err(Error::DuplicateKey { .. })), "{twin:?}");
}

pub async fn a_summary_stays_with_its_section(store: &dyn Store) {
    let versions = |second: &str| document("d", &[(1, "A", "one"), (1, "B", second)]);
    store.put(vec![versions("two")]).await.unwrap();
    let record = store.documents(&Scope::all()).await.unwrap().remove(0);
    let sections = store.sections(record.id).await.unwrap();
    assert!(sections.iter().all(|section| section.summary.is_none()));
    let summaries = sections.iter().map(|section| Summary {
        section: section.id,
        content_hash: section.content_hash,
        text: format!("about {}", section.heading_path[0]),
    });
    let summaries: Vec<_> = summaries.collect();
    store
        .put_summaries(record.id, summaries.clone())
        .await
        .unwrap();
    let kept = async || {
        let sections = store.sections(record.id).await.unwrap();
        sections
            .into_iter()
            .map(|section| section.summary)
            .collect::<Vec<_>>()
    };
    let about = |name: &str| Some(format!("about {name}"));
    assert_eq!(kept().await, [about("A"), about("B")]);
    store.put(vec![versions("changed")]).await.unwrap();
    assert_eq!(kept().await, [about("A"), None]);
    // What was written about the earlier version does not fit any more.
    store.put_summaries(record.id, summaries).await.unwrap();
    assert_eq!(kept().await, [about("A"), None]);
}
