//! Cases about words that documents call otherwise, or write as one.

use super::questions::answer;
use super::{put_texts, uris};
use crate::Store;

pub async fn words_are_found_by_their_other_names(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("verb", "You log in with a password"),
            ("noun", "The login page of a site"),
            ("roman", "The end of World War II"),
            ("arabic", "Chapter 4 of the book"),
            ("phone", "Call 5551234567 today"),
            ("slash", "It waits for I/O alone"),
            ("protocol", "The TCPIP stack"),
            ("letter", "The β particle"),
            ("letter-name", "An alpha particle"),
            ("cpp", "Written in cpp alone"),
            ("hexadecimal", "It failed with 0x80070005"),
            ("morning", "We met at 9 a.m. sharp"),
            ("afternoon", "We met at 3pm sharp"),
            ("research", "The R&D department"),
            ("ray", "An X-ray image"),
            ("contraction", "One shouldn't wait for long"),
        ],
    )
    .await;
    for (question, expected) in [
        ("log in", &["noun", "verb"][..]),
        ("login", &["noun", "verb"]),
        ("World War 2", &["roman"]),
        ("chapter IV", &["arabic"]),
        ("555 123 4567", &["phone"]),
        ("555-123-4567", &["phone"]),
        ("IO", &["slash"]),
        ("i/o", &["slash"]),
        ("TCP/IP", &["protocol"]),
        ("beta", &["letter"]),
        ("α", &["letter-name"]),
        ("C++", &["cpp"]),
        ("80070005", &["hexadecimal"]),
        ("9am", &["morning"]),
        ("3 pm", &["afternoon"]),
        ("r&d", &["research"]),
        ("x ray", &["ray"]),
        ("shouldn", &["contraction"]),
        ("the ray shouldn", &["ray"]),
    ] {
        let answer = answer(store, question).await;
        let mut found = uris(&answer.hits);
        found.sort_unstable();
        assert_eq!(found, expected, "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
}

pub async fn a_name_of_several_parts_is_found_behind_a_full_stop(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("alone", "Call setCurrentIndex with a number"),
            ("behind", "self.combo.setCurrentIndex(3)"),
            ("snake", "np.random_sample(4)"),
            ("parts", "Set the current page, which has an index"),
        ],
    )
    .await;
    for (question, expected) in [
        ("setCurrentIndex", &["alone", "behind"][..]),
        ("setcurrentindex", &["alone", "behind"]),
        ("set_current_index", &["alone", "behind"]),
        ("random_sample", &["snake"]),
        ("randomsample", &["snake"]),
        ("np.random_sample", &["snake"]),
    ] {
        let answer = answer(store, question).await;
        let mut first = uris(&answer.hits);
        first.truncate(expected.len());
        first.sort_unstable();
        assert_eq!(first, expected, "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
}
