//! Cases about words that have marks in them.

use super::{found, put_texts};
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
