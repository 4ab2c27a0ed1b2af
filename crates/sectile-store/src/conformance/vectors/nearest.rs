//! What searches by vectors find.

use super::{each_chunk, embed, lines, put_embedded, request, search, set_model, vector};
use crate::conformance::{COLLECTION, uris};
use crate::{Scope, SearchMode, SearchRequest, Store, dot, normalized};

pub async fn vectors_find_what_is_nearest(store: &dyn Store) {
    let texts = [
        ("a", "north north east"),
        ("b", "east"),
        ("c", "north"),
        ("d", "sky east"),
    ];
    put_embedded(store, &texts).await;
    let hits = search(store, "north", SearchMode::Vector).await;
    assert_eq!(uris(&hits), ["c", "a", "d", "b"]);
    let question = normalized(&vector("north")).unwrap();
    for (hit, (_, text)) in hits.iter().zip([texts[2], texts[0], texts[3], texts[1]]) {
        let cosine = dot(&question, &normalized(&vector(text)).unwrap());
        assert!((hit.score - f64::from(cosine)).abs() < 1e-6, "{hit:?}");
        assert_eq!((hit.legs.len(), &*hit.legs[0].name), (1, "vector"));
    }
    let ranks: Vec<_> = hits.iter().map(|hit| hit.legs[0].rank).collect();
    assert_eq!(ranks, [1, 2, 3, 4]);
    let first = request("north", SearchMode::Vector).with_limit(1);
    assert_eq!(uris(&store.search(&first).await.unwrap().hits), ["c"]);
    // No word is needed to compare vectors.
    assert_eq!(search(store, "?!", SearchMode::Vector).await.len(), 4);
}

pub async fn vectors_that_tie_are_ordered_by_name(store: &dyn Store) {
    let names: Vec<String> = (0..30).map(|number| format!("{number:02}")).collect();
    let texts: Vec<_> = names.iter().rev().map(|name| (&**name, "east")).collect();
    put_embedded(store, &texts).await;
    assert_eq!(uris(&each_chunk(store, "east").await), names[..10]);
}

pub async fn conditions_of_a_question_hold_for_vectors(store: &dyn Store) {
    let texts = [
        ("a", "north wind"),
        ("b", "north north east"),
        ("c", "north sky"),
        ("d", "east wind"),
        ("e", "sky"),
    ];
    put_embedded(store, &texts).await;
    for mode in [SearchMode::Vector, SearchMode::Hybrid, SearchMode::Value] {
        let excluded = search(store, "north NOT wind NOT \"north sky\"", mode).await;
        assert_eq!(uris(&excluded)[0], "b", "{mode}");
        let none = uris(&excluded);
        assert!(
            none.iter().all(|uri| ["b", "e"].contains(&uri.as_str())),
            "{none:?}"
        );
        assert_eq!(uris(&search(store, "wind AND east", mode).await), ["d"]);
    }
    // More are looked at where the nearest ones do not meet a condition.
    let first = request("north NOT wind", SearchMode::Vector).with_limit(3);
    let found = store.search(&first).await.unwrap();
    assert_eq!(uris(&found.hits), ["b", "c", "e"]);
    assert!(found.notes.iter().any(|note| note.contains("wind")));
    // Words in quotes that no document has are let go, as they are by text.
    let quoted = request("\"east north\"", SearchMode::Vector);
    let found = store.search(&quoted).await.unwrap();
    assert_eq!((found.hits.len(), found.reading.let_go.len()), (5, 1));
}

pub async fn a_fusion_says_what_each_leg_found(store: &dyn Store) {
    let texts = [
        ("both", "north apple"),
        ("text", "apple apple"),
        ("vector", "north"),
        ("none", "sky"),
    ];
    put_embedded(store, &texts).await;
    let hits = search(store, "north apple", SearchMode::Hybrid).await;
    let first = &hits[0];
    assert_eq!(first.document.uri, "both");
    let legs: Vec<_> = first
        .legs
        .iter()
        .map(|leg| (&*leg.name, leg.rank))
        .collect();
    assert_eq!(legs[0], ("text", 1));
    assert_eq!(legs[1].0, "vector");
    let expected = 2.0 / 61.0 + 1.0 / (60.0 + legs[1].1 as f64);
    assert!((first.score - expected).abs() < 1e-12, "{first:?}");
    let none = hits.iter().find(|hit| hit.document.uri == "none").unwrap();
    assert_eq!((none.legs.len(), &*none.legs[0].name), (1, "vector"));
    let text = hits.iter().position(|hit| hit.document.uri == "text");
    let vector = hits.iter().position(|hit| hit.document.uri == "vector");
    assert!(text.is_some() && vector.is_some());
}

pub async fn values_add_up_what_was_retrieved(store: &dyn Store) {
    set_model(store).await;
    let documents = vec![
        lines("many", "Zzz", "north east\nnorth east\nnorth east\n"),
        lines("one", "Zzz", "north\n"),
    ];
    store.put(documents).await.unwrap();
    embed(store).await;
    let best = search(store, "north", SearchMode::Vector).await;
    assert_eq!(best[0].document.uri, "one");
    let hits = search(store, "north", SearchMode::Value).await;
    assert_eq!(uris(&hits), ["many", "one"]);
    let cosine = |text: &str| {
        let of = |text: &str| normalized(&vector(text)).unwrap();
        f64::from(dot(&of("north"), &of(text)))
    };
    // Each section has a chunk for its heading and one for an empty line, too.
    let many = (3.0 * cosine("north east") + 2.0 * cosine("")) / 6f64.sqrt();
    let one = (cosine("north") + 2.0 * cosine("")) / 4f64.sqrt();
    for (hit, expected) in hits.iter().zip([many, one]) {
        assert!(
            (hit.score - expected).abs() < 1e-6,
            "{} {expected}",
            hit.score
        );
    }
    let by_text = SearchRequest::new("north").with_mode(SearchMode::Value);
    let hits = store.search(&by_text).await.unwrap().hits;
    assert_eq!((hits.len(), &*hits[0].legs[0].name), (2, "text"));
}

pub async fn vectors_outside_the_scope_are_not_compared(store: &dyn Store) {
    let near: Vec<String> = (0..60).map(|number| format!("near/{number}")).collect();
    let mut texts: Vec<_> = near.iter().map(|uri| (&**uri, "north")).collect();
    texts.push(("far/1", "east"));
    put_embedded(store, &texts).await;
    let scopes = [
        Scope::all().with_prefix("far/"),
        Scope::all().with_path("far/*").unwrap(),
        Scope::collection(COLLECTION).with_uri("far/1"),
        Scope::all().with_uri("far/1").with_heading("zzz"),
    ];
    for scope in scopes {
        for mode in [SearchMode::Vector, SearchMode::Hybrid, SearchMode::Value] {
            let request = request("north", mode).with_scope(scope.clone());
            let hits = store.search(&request).await.unwrap().hits;
            assert_eq!(uris(&hits), ["far/1"], "{mode}");
        }
    }
}
