//! Cases about words that documents have only with other endings.

use super::questions::answer;
use super::{found, put_texts, uris};
use crate::Store;

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
