//! Cases about indexes that are dropped and written again.

use super::{COLLECTION, document, found, put_texts, search};
use crate::{IndexedDocument, REPAIRING, Scope, Store};

const TEXTS: [(&str, &str); 2] = [("a", "apple banana"), ("b", "apple cherry @media @it")];

pub async fn an_index_that_was_dropped_is_written_again(store: &dyn Store) {
    put_texts(store, &TEXTS).await;
    let other = IndexedDocument {
        collection: "other".into(),
        ..document("c", &[(1, "Zzz", "apple damson")])
    };
    store.put(vec![other]).await.unwrap();
    let hits = search(store, "apple").await;
    let whole = store.index_checksums(COLLECTION).await.unwrap();
    assert_eq!(whole.len(), TEXTS.len());
    assert!(whole.values().flatten().all(Option::is_some));

    store.drop_index(COLLECTION).await.unwrap();
    let dropped = store.index_checksums(COLLECTION).await.unwrap();
    assert!(dropped.values().flatten().all(Option::is_none));
    assert_eq!(found(store, "apple").await, ["c"]);
    let scope = Scope::collection(COLLECTION);
    let documents = store.documents(&scope).await.unwrap();
    let mut versions = documents.iter().map(|of| &of.index_version);
    assert!(versions.all(|version| version.starts_with(REPAIRING)));

    put_texts(store, &TEXTS).await;
    let again = store.index_checksums(COLLECTION).await.unwrap();
    assert_eq!(again, whole);
    assert_eq!(search(store, "apple").await, hits);
}

pub async fn what_a_dropped_index_had_can_be_replaced_and_removed(store: &dyn Store) {
    put_texts(store, &TEXTS).await;
    let hits = search(store, "apple").await;
    put_texts(store, &[("c", "apple"), ("d", "apple apple")]).await;
    store.drop_index(COLLECTION).await.unwrap();
    put_texts(store, &TEXTS).await;
    put_texts(store, &[("c", "damson")]).await;
    let documents = store.documents(&Scope::all()).await.unwrap();
    let others = documents.iter().filter(|of| ["c", "d"].contains(&&*of.uri));
    let others: Vec<_> = others.map(|of| of.id).collect();
    assert_eq!(store.remove(&others).await.unwrap(), 2);
    assert_eq!(search(store, "apple").await, hits);
}
