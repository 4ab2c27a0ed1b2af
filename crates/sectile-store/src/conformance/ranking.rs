//! Cases about BM25 and its statistics.

use super::{COLLECTION, document, found, put_texts, search, uris};
use crate::{IndexedDocument, Scope, SearchRequest, Store};

pub async fn any_word_of_the_question_finds(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("a", "How to install the program."),
            ("b", "Something else."),
        ],
    )
    .await;
    assert_eq!(
        found(store, "what are the steps for installing it on windows?").await,
        ["a"]
    );
}

pub async fn more_and_rarer_words_come_first(store: &dyn Store) {
    let texts = [
        ("common", "state state state"),
        ("both", "state hooks"),
        ("rare", "hooks only"),
        ("x", "state x"),
        ("y", "state y"),
        ("z", "nothing"),
    ];
    put_texts(store, &texts).await;
    assert_eq!(found(store, "state hooks").await[..2], ["both", "rare"]);
}

pub async fn words_of_the_heading_path_count_more(store: &dyn Store) {
    let made = [
        document("body", &[(1, "Other", "suspense suspense and suspense")]),
        document(
            "heading",
            &[(1, "Suspense", "what it is"), (2, "Props", "children")],
        ),
        document("filler", &[(1, "Zzz", "nothing of interest here")]),
        document("filler2", &[(1, "Zzz", "nothing of interest there")]),
    ];
    store.put(made.to_vec()).await.unwrap();
    let hits = search(store, "suspense props").await;
    assert_eq!(hits[0].heading_path, ["Suspense", "Props"]);
    assert_eq!(uris(&hits), ["heading", "heading", "body"]);
}

/// Of sections below a heading with the word, those come first whose text has it: a law about consumers says in one
/// article who is one.
pub async fn a_word_of_the_title_is_looked_for_in_the_text(store: &dyn Store) {
    let definition = "Consumer is any natural or legal person who acquires or uses products or services as the final \
        recipient in a relation of purchase. Whoever stores products in order to integrate them into production \
        is not regarded as a consumer for the purposes of this act and of its regulations.";
    let names: Vec<String> = (1..31).map(|number| format!("Article {number}")).collect();
    let mut sections = vec![(1, "Consumer Protection Act", "")];
    sections.extend(names.iter().enumerate().map(|(at, name)| {
        let other = "The Directorate of Commerce may delegate this power.";
        (2, &**name, if at == 1 { definition } else { other })
    }));
    store.put(vec![document("act", &sections)]).await.unwrap();
    for question in ["What is a consumer?", "consumer"] {
        let hits = search(store, question).await;
        assert_eq!(
            hits[0].heading_path,
            ["Consumer Protection Act", "Article 2"]
        );
    }
}

/// BM25 with k1 = 1.2, inverse document frequency `ln(1 + (N - n + 0.5) / (n + 0.5))`, length in terms of text and path,
/// b = 0.75 for the text and 0.5 for the heading path, a term of which counts four times, or twice if the text does not
/// have it.
pub async fn scores_are_those_of_bm25(store: &dyn Store) {
    // Each text stands below the heading line "# Zzz" and so has one term more than it shows.
    put_texts(
        store,
        &[
            ("a", "apple"),
            ("b", "apple banana cherry"),
            ("c", "damson"),
            ("d", "elder"),
            ("e", "fig"),
        ],
    )
    .await;
    // One term of path, one of the heading line, and those of the text.
    let lengths = [3.0_f64, 5.0, 3.0, 3.0, 3.0];
    let average = lengths.iter().sum::<f64>() / 5.0;
    let idf = |held: f64| (1.0 + (5.0 - held + 0.5) / (held + 0.5)).ln();
    let expected = |length: f64| idf(2.0) * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * length / average));
    let hits = search(store, "apple").await;
    assert_eq!(uris(&hits), ["a", "b"]);
    assert!(
        (hits[0].score - expected(3.0)).abs() < 1e-6,
        "{} {}",
        hits[0].score,
        expected(3.0)
    );
    assert!(
        (hits[1].score - expected(5.0)).abs() < 1e-6,
        "{} {}",
        hits[1].score,
        expected(5.0)
    );
    // In every document. Five occurrences in effect: four by path, one in the text.
    let in_effect = 4.0 / (0.5 + 0.5 * 3.0 / average) + 1.0 / (0.25 + 0.75 * 3.0 / average);
    let least = idf(5.0) * in_effect * 2.2 / (in_effect + 1.2);
    let everywhere = search(store, "zzz").await;
    assert_eq!(everywhere.len(), 5);
    assert!(
        (everywhere[0].score - least).abs() < 1e-8,
        "{} {least}",
        everywhere[0].score
    );
}

pub async fn what_was_there_before_changes_no_score(store: &dyn Store) {
    let texts = [
        ("a", "apple"),
        ("b", "apple banana cherry"),
        ("c", "damson"),
    ];
    put_texts(store, &texts).await;
    let before = search(store, "apple cherry").await;
    for round in 0..3 {
        let long = "apple damson elder ".repeat(9 + round);
        put_texts(store, &[("a", &long), ("new", &long)]).await;
        let documents = store.documents(&Scope::all()).await.unwrap();
        let new = documents.iter().find(|document| document.uri == "new");
        store.remove(&[new.unwrap().id]).await.unwrap();
        put_texts(store, &texts).await;
        assert_eq!(search(store, "apple cherry").await, before);
    }
}

pub async fn other_collections_change_no_score(store: &dyn Store) {
    let in_tests = SearchRequest::new("apple \"banana cherry\"");
    let in_tests = in_tests.with_scope(Scope::collection(COLLECTION));
    put_texts(
        store,
        &[("a", "apple"), ("b", "apple banana cherry"), ("c", "fig")],
    )
    .await;
    let alone = store.search(&in_tests).await.unwrap().hits;
    assert_eq!(alone.len(), 2);
    for (collection, text) in [
        ("one", "apple apple"),
        ("two", "banana cherry banana cherry"),
        ("three", "a long text of words that are in no other one"),
    ] {
        let of = |uri| IndexedDocument {
            collection: collection.into(),
            ..document(&format!("{collection}/{uri}"), &[(1, "Apple", text)])
        };
        store.put(vec![of("a"), of("d"), of("e")]).await.unwrap();
        assert_eq!(store.search(&in_tests).await.unwrap().hits, alone);
    }
    store.optimize().await.unwrap();
    assert_eq!(store.search(&in_tests).await.unwrap().hits, alone);
}
