//! Cases about words that have marks in them.

use super::questions::answer;
use super::{found, put_texts, uris};
use crate::Store;

pub async fn words_are_found_without_their_marks(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("emphasis", "an un*believ*able story"),
            ("subscript", "how CO<sub>2</sub> is measured"),
            ("entity", "by Herr M&uuml;ller"),
            ("latex", r#"a proof of G\"odel"#),
            ("hyphen", "one re-\nquest handler of the back-\nend server"),
            ("one", "The frontend server of a page"),
            ("product", "width*height*depth"),
        ],
    )
    .await;
    for (query, uri) in [
        ("unbelievable", "emphasis"),
        ("\"CO2 is measured\"", "subscript"),
        ("Müller", "entity"),
        ("Gödel", "latex"),
        ("requests", "hyphen"),
        ("\"one request handler\"", "hyphen"),
        ("\"handler of the backend server\"", "hyphen"),
        ("\"the back-end server\"", "hyphen"),
        ("\"front-end server\"", "one"),
        ("\"height depth\"", "product"),
        // A typing error is corrected to a word without its marks.
        ("unbeleivable", "emphasis"),
    ] {
        assert_eq!(found(store, query).await, [uri], "{query}");
    }
}

pub async fn words_behind_escapes_are_found(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("yaml", r##"user_data: "#cloud-config\nruncmd:\n""##),
            ("json", r#"{"text": "first line\n\tsecond one caf\u00e9"}"#),
            ("path", r"C:\new\table\readme"),
        ],
    )
    .await;
    for (query, uri) in [
        ("runcmd", "yaml"),
        ("\"line second\"", "json"),
        ("café", "json"),
        ("\"new table readme\"", "path"),
    ] {
        assert_eq!(found(store, query).await, [uri], "{query}");
    }
}

pub async fn phrases_go_on_behind_readings(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("plain", "この｜漢字《かんじ》の読み方を調べる。"),
            ("page", "今日(きょう)は晴れだ。"),
            ("title", "小说《红楼梦》中的人物"),
        ],
    )
    .await;
    for (query, uri) in [
        ("\"この漢字の読み方\"", "plain"),
        ("\"今日は晴れ\"", "page"),
        ("きょう", "page"),
        ("\"红楼梦\"", "title"),
    ] {
        let answer = answer(store, query).await;
        assert_eq!(uris(&answer.hits), [uri], "{query}");
        assert!(!answer.notes.concat().contains("not found"), "{query}");
    }
}
