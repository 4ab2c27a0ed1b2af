//! Cases about German compounds, and about nouns that are told by their capitals.

use super::languages::in_language;
use super::{found, put_texts, uris};
use crate::{Language, SearchRequest, Store};

async fn put_german(store: &dyn Store, documents: &[(&str, &str)]) {
    let made = documents.iter();
    let made = made.map(|(uri, text)| in_language(uri, Language::German, text));
    store.put(made.collect()).await.unwrap();
}

pub async fn a_compound_is_found_by_its_parts(store: &dyn Store) {
    let documents = [
        ("apart", "Die Rechte einer Datei setzt chmod"),
        ("file", "Eine Datei ist eine Datei und bleibt eine Datei"),
        ("rights", "Rechte und nochmals Rechte"),
        ("whole", "Dateirechte stehen im Inode"),
    ];
    put_german(store, &documents).await;
    let found = found(store, "Dateirechte").await;
    assert_eq!(found[..2], ["whole", "apart"]);
    assert_eq!(found.len(), 4);
}

pub async fn a_compound_that_is_nowhere_is_found_by_its_halves(store: &dyn Store) {
    let documents = [
        ("waste", "Die Entsorgung von Abfall übernimmt die Stadt"),
        (
            "contract",
            "Die Kündigung eines Vertrages erfolgt schriftlich",
        ),
        ("oil", "Altöl wird vom Händler entsorgt"),
        ("other", "Die Stadt übernimmt nichts"),
    ];
    put_german(store, &documents).await;
    put_texts(store, &[("en", "The folder of a tree")]).await;
    for (question, uri, halves) in [
        ("Abfallentsorgung", "waste", "`abfall` and `entsorgung`"),
        (
            "Vertragskündigung",
            "contract",
            "`vertrags` and `kündigung`",
        ),
        ("Altölentsorgung", "oil", "`altöl` and `entsorgung`"),
    ] {
        let request = SearchRequest::new(question);
        let answer = store.search(&request).await.unwrap();
        assert_eq!(uris(&answer.hits)[0], uri, "{question}");
        let note = format!("no `{question}`: searched for {halves}");
        assert_eq!(answer.notes, [note]);
    }
    assert_eq!(found(store, "Unterwasser").await, Vec::<String>::new());
}

pub async fn the_halves_of_a_compound_are_found_beside_those_in_a_row(store: &dyn Store) {
    let documents = [
        ("row", "Die Gebühr betrifft Abfall, Entsorgung und Wasser"),
        ("apart", "Entsorgung von Abfall"),
        ("costs", "Veränderungen von Betriebskosten"),
        ("other", "Die Stadt und das Wasser"),
    ];
    put_german(store, &documents).await;
    assert_eq!(found(store, "Abfallentsorgung").await, ["row", "apart"]);
    let request = SearchRequest::new("Betriebskostenveränderung");
    let answer = store.search(&request).await.unwrap();
    assert_eq!(uris(&answer.hits), ["costs"]);
    let note = "no `Betriebskostenveränderung`: searched for `betriebskosten` and `veränderung`";
    assert_eq!(answer.notes, [note]);
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
