//! Cases about a store as a whole.

use sectile_core::DocumentId;

use super::{COLLECTION, document, put_texts, search};
use crate::{IndexedDocument, Scope, Store};

pub async fn an_empty_store_answers_with_nothing(store: &dyn Store) {
    let nobody = DocumentId::new(0, [0; 10]);
    assert_eq!(search(store, "anything").await, []);
    assert_eq!(store.documents(&Scope::all()).await.unwrap(), []);
    assert_eq!(store.sections(nobody).await.unwrap(), []);
    assert_eq!(
        store.content(nobody, 0..9).await.unwrap(),
        Vec::<String>::new()
    );
    assert_eq!(store.remove(&[nobody]).await.unwrap(), 0);
    assert_eq!(store.totals().await.unwrap().documents, 0);
}

pub async fn totals_count_what_is_there(store: &dyn Store) {
    store
        .put(vec![document(
            "d",
            &[(1, "A", "one two"), (2, "B", "three")],
        )])
        .await
        .unwrap();
    let totals = store.totals().await.unwrap();
    assert_eq!(totals.collections, [(COLLECTION.to_owned(), 1)].into());
    assert_eq!(
        (
            totals.documents,
            totals.sections,
            totals.chunks,
            totals.tokens
        ),
        (1, 2, 2, 7)
    );
    assert_eq!(totals.failed, 0);
    assert!(totals.bytes > 0);
}

pub async fn collections_are_named_in_order(store: &dyn Store) {
    assert_eq!(store.collections().await.unwrap(), [""; 0]);
    for (collection, uri) in [("b", "d"), ("ab", "e"), ("b", "f"), ("c", "g")] {
        let document = IndexedDocument {
            collection: collection.into(),
            ..document(uri, &[(1, "A", "one two")])
        };
        store.put(vec![document]).await.unwrap();
    }
    assert_eq!(store.collections().await.unwrap(), ["ab", "b", "c"]);
}

pub async fn a_store_knows_its_engine_and_that_it_is_whole(store: &dyn Store) {
    let health = store.health().await.unwrap();
    let (name, version) = health.engine.split_once(' ').unwrap();
    assert!(matches!(name, "SQLite" | "PostgreSQL"), "{name}");
    assert!(version.starts_with(|first: char| first.is_ascii_digit()));
    assert!(health.schema >= 1);
    assert_eq!(health.damage, [""; 0]);
}

pub async fn optimizing_changes_no_answer(store: &dyn Store) {
    for round in 0..5 {
        put_texts(
            store,
            &[("a", &format!("apple {round}")), ("b", "apple banana")],
        )
        .await;
    }
    let before = search(store, "apple banana 4").await;
    store.optimize().await.unwrap();
    assert_eq!(search(store, "apple banana 4").await, before);
}
