//! Cases about words of all kinds: stop words, identifiers, text without spaces, and signs.

use super::{found, put_texts, uris};
use crate::{Error, SearchRequest, Store, WordKind};

pub async fn a_question_of_stop_words_is_answered(store: &dyn Store) {
    put_texts(store, &[("a", "to be or not to be"), ("b", "something")]).await;
    assert_eq!(found(store, "to be or not to be").await, ["a"]);
}

pub async fn every_form_of_an_identifier_finds(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("a", "call read_chunks"),
            ("b", "useState in v2.3.1"),
            ("c", "foo.bar"),
        ],
    )
    .await;
    for (query, uri) in [
        ("read_chunks", "a"),
        ("chunk", "a"),
        ("useState", "b"),
        ("usestate", "b"),
        ("state", "b"),
        ("v2.3.1", "b"),
        ("foo.bar", "c"),
        ("bar", "c"),
    ] {
        assert_eq!(found(store, query).await, [uri], "{query}");
    }
}

pub async fn text_without_spaces_is_found(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("zh", "本文介绍全文检索的方法"),
            ("ja", "検索エンジン"),
            ("ko", "검색 엔진"),
        ],
    )
    .await;
    assert_eq!(found(store, "全文检索").await, ["zh"]);
    assert_eq!(found(store, "検索").await, ["ja"]);
    assert_eq!(found(store, "엔진").await, ["ko"]);
}

/// Questions with signs, operators and other things that make a search fail elsewhere.
const AWKWARD: &[&str] = &[
    "what's new?",
    "foo-bar",
    "col:val",
    "\"x",
    "NEAR(",
    "')); drop",
    "🚀",
    "字",
    "the",
    "a OR b",
    "new*",
    "^new",
    "{new}",
    "new + val",
    "col.val",
    "AND new",
    "new AND",
    "NOT new",
    "\"\"new\"\"",
    "--new",
    "new\0val",
    "ﬁ\u{202e}",
    "'new'",
    "new;",
    "\\new",
    "%",
    "_ new",
];

pub async fn awkward_questions_are_answered_or_refused_by_name(store: &dyn Store) {
    put_texts(
        store,
        &[("a", "what is new: foo-bar, col val, near drop, 🚀 and 字")],
    )
    .await;
    let long = "word ".repeat(2_000);
    for query in AWKWARD.iter().copied().chain([&*long]) {
        let outcome = store.search(&SearchRequest::new(query)).await;
        let is_fine = matches!(outcome, Ok(_) | Err(Error::EmptyQuery { .. }));
        assert!(is_fine, "{query:?} gave {outcome:?}");
    }
    for query in ["", "*", "\"\"", "()", "\u{0}"] {
        let outcome = store.search(&SearchRequest::new(query)).await;
        assert!(
            matches!(outcome, Err(Error::EmptyQuery { .. })),
            "{query:?} gave {outcome:?}"
        );
    }
    for query in [
        "what's new?",
        "foo-bar",
        "col:val",
        "NEAR(",
        "')); drop",
        "🚀",
        "字",
    ] {
        assert_eq!(found(store, query).await, ["a"], "{query}");
    }
}

pub async fn very_long_words_are_answered(store: &dyn Store) {
    put_texts(store, &[("a", "long words"), ("b", "something else")]).await;
    let long = "long".repeat(1 << 16);
    let questions = [
        long.clone(),
        format!("{long}*"),
        format!("words NOT {long}"),
        "longWord".repeat(1 << 10),
        "long_word.".repeat(1 << 10),
        "long-word-".repeat(1 << 10),
    ];
    for question in questions {
        let outcome = store.search(&SearchRequest::new(&*question)).await;
        let is_fine = matches!(outcome, Ok(_) | Err(Error::EmptyQuery { .. }));
        assert!(is_fine, "{}… gave {outcome:?}", &question[..20]);
    }
}

pub async fn a_stop_word_between_two_words_does_not_outweigh_the_rare_one(store: &dyn Store) {
    let mut texts: Vec<(String, String)> = (0..12)
        .map(|n| {
            (
                format!("outlook{n}"),
                format!("The outlook for child {n} is good"),
            )
        })
        .collect();
    texts.push((
        "rare".to_owned(),
        "Schizencephaly is seen in a child before it is one year old".to_owned(),
    ));
    texts.push(("other".to_owned(), "An apple a day".to_owned()));
    let texts: Vec<(&str, &str)> = texts.iter().map(|(uri, of)| (&**uri, &**of)).collect();
    put_texts(store, &texts).await;
    let question = "What is the outlook for Schizencephaly ?";
    let answer = store.search(&SearchRequest::new(question)).await.unwrap();
    assert_eq!(uris(&answer.hits)[0], "rare");
    let mut words = answer.reading.words.iter();
    assert!(words.all(|of| of.kind != WordKind::Phrase));
}

pub async fn what_has_little_of_a_question_is_said(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("a", "The river floods the valley each spring"),
            ("b", "An apple a day"),
            ("c", "A pear a day"),
        ],
    )
    .await;
    let question =
        "Which river has dolphins, crocodiles, hippos, ferries, harbours and lighthouses?";
    let answer = store.search(&SearchRequest::new(question)).await.unwrap();
    assert_eq!(uris(&answer.hits), ["a"]);
    assert!(answer.reading.share.is_some_and(|share| share < 0.2));
    let is_said = |note: &String| note.starts_with("no text has most of the words");
    assert!(answer.notes.iter().any(is_said), "{:?}", answer.notes);
    let request = SearchRequest::new("Which river floods the valley?");
    let answer = store.search(&request).await.unwrap();
    assert!(answer.reading.share.is_some_and(|share| share > 0.99));
    assert_eq!(answer.notes, [""; 0]);
    let explained = store.search(&request.with_explain(true)).await.unwrap();
    assert_eq!(explained.reading.share, answer.reading.share);
    assert_ne!(explained.hits[0].words, []);
    // Pairs of characters across the ends of words are no words that a text lacks.
    put_texts(store, &[("zh", "劳动合同里写明工资的数额")]).await;
    let request = SearchRequest::new("没签劳动合同公司要赔双倍工资吗");
    let answer = store.search(&request).await.unwrap();
    assert_eq!(uris(&answer.hits), ["zh"]);
    assert!(answer.reading.share.is_some_and(|share| share > 0.9));
    // Two words tell too little.
    let answer = store.search(&SearchRequest::new("river dolphins")).await;
    assert_eq!(answer.unwrap().reading.share, None);
}
