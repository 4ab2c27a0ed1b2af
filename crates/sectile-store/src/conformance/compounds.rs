//! Cases about German compounds, and about nouns that are told by their capitals.

use super::languages::in_language;
use super::{found, uris};
use crate::{Language, SearchRequest, Store};

async fn put_german(store: &dyn Store, documents: &[(&str, &str)]) {
    let made = documents.iter();
    let made = made.map(|(uri, text)| in_language(uri, Language::German, text));
    store.put(made.collect()).await.unwrap();
}

pub async fn words_that_are_no_compounds_are_not_found_by_their_ends(store: &dyn Store) {
    let documents = [
        (
            "duty",
            "Der Käufer ist verpflichtet, und zwar spätestens bald",
        ),
        (
            "out",
            "Ausgeschlossen sind die geltenden Fristen, wie zu erwarten",
        ),
        ("lamp", "Das Lampenlicht und ein Lasttest im Wasserschloss"),
    ];
    put_german(store, &documents).await;
    for question in ["Licht", "Test", "Schloss"] {
        assert_eq!(found(store, question).await, ["lamp"], "{question}");
    }
    for question in ["Ende", "Art"] {
        assert_eq!(found(store, question).await, [""; 0], "{question}");
    }
}

pub async fn a_german_word_comes_before_compounds_of_it(store: &dyn Store) {
    let documents = [
        (
            "compound",
            "Das Wohnungseigentum in der Stadt ist geregelt, und so bleibt es",
        ),
        (
            "word",
            "Das Eigentum ist geschützt, und so soll es auch bleiben",
        ),
        ("other", "Die Stadt und das Wasser"),
    ];
    put_german(store, &documents).await;
    for question in ["Eigentum", "Schutz von Eigentum"] {
        let found = found(store, question).await;
        assert_eq!(found, ["word", "compound"], "{question}");
    }
    assert_eq!(found(store, "Stadt NOT Eigentum").await, ["other"]);
    assert_eq!(found(store, "Stadt AND Eigentum").await, ["compound"]);
}

pub async fn what_is_in_quotes_is_no_part_of_a_compound(store: &dyn Store) {
    let documents = [
        (
            "flats",
            "Jedes Wohnungseigentum verpflichtet, Wohnungseigentum verpflichtet",
        ),
        (
            "law",
            "Eigentum verpflichtet, und sein Gebrauch soll allen dienen",
        ),
    ];
    put_german(store, &documents).await;
    for (question, expected) in [
        ("\"Eigentum verpflichtet\"", &["law"][..]),
        ("\"Eigentum\"", &["law"]),
        ("\"Wohnungseigentum verpflichtet\"", &["flats"]),
        ("Eigentum verpflichtet", &["law", "flats"]),
    ] {
        assert_eq!(found(store, question).await, expected, "{question}");
    }
}

pub async fn a_compound_of_which_only_parts_are_found_is_named(store: &dyn Store) {
    let documents = [
        (
            "pain",
            "Wer einem Tier Schmerzen zufügt, zahlt eine Geldstrafe",
        ),
        ("other", "Die Stadt und das Wasser"),
    ];
    put_german(store, &documents).await;
    let note = "no `Schmerzensgeld`: searched for `schmerzens` and `geld`";
    for (question, notes) in [("Schmerzensgeld", &[note][..]), ("Geldstrafe", &[])] {
        let answer = store.search(&SearchRequest::new(question)).await.unwrap();
        assert_eq!(uris(&answer.hits), ["pain"], "{question}");
        assert_eq!(answer.notes, notes, "{question}");
    }
}

pub async fn a_german_noun_is_found_though_it_is_written_as_a_stop_word(store: &dyn Store) {
    let documents = [
        (
            "people",
            "Die Rechte des Menschen, und noch einmal des Menschen",
        ),
        (
            "dignity",
            "Die Würde des Menschen ist unantastbar, und sie zu achten ist Pflicht",
        ),
        ("goods", "Er verliert sein Hab und Gut"),
    ];
    put_german(store, &documents).await;
    for (question, uri) in [
        ("Würde des Menschen", "dignity"),
        ("Schutz der Würde", "dignity"),
        ("Hab und Gut", "goods"),
    ] {
        let answer = store.search(&SearchRequest::new(question)).await.unwrap();
        assert_eq!(uris(&answer.hits)[0], uri, "{question}");
        assert_eq!(answer.reading.left_out.len(), 1, "{question}");
    }
}
