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
            ("hyphen", "one re-\nquest"),
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
        ("\"height depth\"", "product"),
        // A typing error is corrected to a word without its marks.
        ("unbeleivable", "emphasis"),
    ] {
        assert_eq!(found(store, query).await, [uri], "{query}");
    }
}
