//! Cases about words that documents have with other endings.

use super::languages::in_language;
use super::questions::answer;
use super::{found, put_texts, uris};
use crate::{Demotion, GroupBy, Language, SearchRequest, Store};

pub async fn a_word_that_no_document_has_is_found_by_its_beginning(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("birds", "migratory birds fly to the south"),
            ("login", "authentication is by a password"),
            ("servers", "misconfigured servers are refused"),
            ("other", "an apple and a lemon"),
        ],
    )
    .await;
    for (typed, right, uri) in [
        ("migrations", "migratory", "birds"),
        ("auth", "authentication", "login"),
    ] {
        let related = answer(store, typed).await;
        assert_eq!(uris(&related.hits), [uri], "{typed}");
        let note = format!("no `{typed}`: searched for `{right}`");
        assert_eq!(related.notes, [note]);
        let exact = answer(store, right).await;
        assert!(exact.hits[0].score > related.hits[0].score, "{typed}");
    }
    assert_eq!(found(store, "misconfiguration").await, ["servers"]);
    assert_eq!(found(store, "auth birds").await, ["birds", "login"]);
    // What has only the beginning of a stem is another word.
    assert_eq!(found(store, "migraine").await, [""; 0]);
}

pub async fn words_as_they_were_typed_come_before_other_forms(store: &dyn Store) {
    let long = format!("joy {}", "and so on ".repeat(20));
    put_texts(
        store,
        &[
            ("adverb", "Joyfully sung by them all"),
            ("long", &*long),
            ("noun", "what brings joy to them all here"),
            ("other", "an apple and a lemon"),
        ],
    )
    .await;
    let noun = answer(store, "Joy").await;
    assert_eq!(uris(&noun.hits), ["noun", "adverb", "long"]);
    assert!(noun.hits[0].score < noun.hits[1].score);
    let demotions: Vec<_> = noun.hits.iter().map(|hit| hit.demotion).collect();
    assert_eq!(demotions, [None, Some(Demotion::OtherForm), None]);
    let explained = noun.explained(1).join(" ");
    assert!(
        explained.contains("lacks a word as typed, or has another form of it"),
        "{explained}"
    );
    // Other chunks of a document may have the word as it was typed.
    let documents = SearchRequest::new("Joy").with_group_by(GroupBy::Document);
    let documents = store.search(&documents).await.unwrap();
    assert_eq!(uris(&documents.hits), ["adverb", "noun", "long"]);
    let adverb = answer(store, "joyfully").await;
    assert_eq!(uris(&adverb.hits), ["adverb", "noun", "long"]);
    assert!(adverb.hits.iter().all(|hit| hit.demotion.is_none()));
}

pub async fn a_hit_that_lacks_a_word_is_not_said_to_have_another_form(store: &dyn Store) {
    let servers: Vec<(String, String)> = (0..6)
        .map(|n| {
            let text = format!("the server server number {n} has a name");
            (format!("server{n}"), text)
        })
        .collect();
    let mut texts: Vec<(&str, &str)> = servers.iter().map(|(uri, of)| (&**uri, &**of)).collect();
    texts.push(("only", "vpn vpn vpn"));
    texts.push(("both", "a vpn and a server and so on"));
    put_texts(store, &texts).await;
    let answer = answer(store, "vpn server").await;
    assert_eq!(uris(&answer.hits)[..2], ["both", "only"]);
    assert!(answer.hits[0].score < answer.hits[1].score);
    let explained = answer.explained(1).join(" ");
    assert!(explained.contains("lacks a word as typed"), "{explained}");
}

pub async fn forms_of_german_verbs_find_each_other(store: &dyn Store) {
    let made = [
        ("infinitive", "Man kann hier jede Seite aufrufen"),
        ("participle", "Hier wird jede Seite sofort aufgerufen"),
        ("other", "Ein Apfel und eine Zitrone"),
    ];
    let made = made.map(|(uri, text)| in_language(uri, Language::German, text));
    store.put(made.into()).await.unwrap();
    for (question, expected) in [
        ("aufrufen", ["infinitive", "participle"]),
        ("aufgerufen", ["participle", "infinitive"]),
    ] {
        let answer = answer(store, question).await;
        assert_eq!(uris(&answer.hits), expected, "{question}");
        assert!(answer.hits[0].score > answer.hits[1].score, "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
    // What is required is the word itself, and what no document has is looked for by its other forms.
    assert_eq!(found(store, "aufgerufen AND Seite").await, ["participle"]);
    let mut both = found(store, "aufzurufen").await;
    both.sort_unstable();
    assert_eq!(both, ["infinitive", "participle"]);
}

pub async fn forms_of_irregular_verbs_find_each_other(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("verb", "what to do if you lose a card"),
            ("other", "an apple and a lemon"),
        ],
    )
    .await;
    let lost = answer(store, "I lost my card").await;
    assert_eq!(uris(&lost.hits), ["verb"]);
    assert_eq!(lost.notes, ["no `lost`: searched for `lose`"]);
    // A form that documents have counts more than another one.
    put_texts(store, &[("form", "a card that was lost in the street")]).await;
    let both = answer(store, "lost card").await;
    assert_eq!(uris(&both.hits), ["form", "verb"]);
    assert_eq!(both.notes, [""; 0]);
    assert_eq!(found(store, "lost AND card").await, ["form"]);
    let texts = [
        (
            Language::French,
            "fr",
            "Que faire si on veut vendre sa voiture",
            "vendue",
        ),
        (
            Language::Spanish,
            "es",
            "Qué pasa cuando la empresa quiere despedir",
            "despidieron",
        ),
        (
            Language::Italian,
            "it",
            "Come si può chiudere questo conto della banca",
            "chiuso",
        ),
        (
            Language::Portuguese,
            "pt",
            "Quem quiser pode abrir aqui uma conta",
            "aberta",
        ),
        (
            Language::Polish,
            "pl",
            "Tutaj można także usunąć konto, jeśli trzeba",
            "usunąłem",
        ),
        (
            Language::Czech,
            "cs",
            "Zde můžete také zaplatit, pokud je to možné",
            "zaplatil",
        ),
    ];
    let records = texts.map(|(language, uri, text, _)| in_language(uri, language, text));
    store.put(records.into()).await.unwrap();
    for (_, uri, _, form) in texts {
        assert_eq!(found(store, form).await, [uri], "{form}");
    }
}

pub async fn verbs_and_their_nouns_find_each_other(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("noun", "this page is an explanation of closures"),
            ("verb", "this page is there to explain closures"),
            ("mail", "all servers receive mail"),
            ("licence", "the licence of the mit"),
            ("other", "an apple and a lemon"),
        ],
    )
    .await;
    for (question, expected) in [
        ("explanation of closures", ["noun", "verb"]),
        ("how are closures explained", ["verb", "noun"]),
        ("explanations", ["noun", "verb"]),
    ] {
        let answer = answer(store, question).await;
        assert_eq!(uris(&answer.hits), expected, "{question}");
        assert!(answer.hits[0].score > answer.hits[1].score, "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
    // What is required is the word itself.
    assert_eq!(found(store, "explanation AND closures").await, ["noun"]);
    assert_eq!(found(store, "\"explanation\"").await, ["noun"]);
    assert_eq!(found(store, "reception AND mail").await, [""; 0]);
    assert_eq!(found(store, "\"reception\"").await, [""; 0]);
    let alone = answer(store, "reception").await;
    assert_eq!(uris(&alone.hits), ["mail"]);
    assert_eq!(alone.notes, ["no `reception`: searched for `receive`"]);
    let exact = answer(store, "receive").await;
    assert!(exact.hits[0].score > alone.hits[0].score);
    assert_eq!(found(store, "mission").await, [""; 0]);
}
