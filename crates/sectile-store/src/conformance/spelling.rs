//! Cases about words that were mistyped.

use super::questions::answer;
use super::{found, put_texts, uris};
use crate::{Store, WordKind};

pub async fn a_word_that_no_document_has_is_corrected(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("install", "How to install the package and its dependencies"),
            ("instance", "An instance of something else"),
            ("other", "Nothing that is of any interest"),
        ],
    )
    .await;
    for (typed, right) in [
        ("isntall", "install"),
        ("pakcage", "package"),
        ("dependecies", "dependencies"),
    ] {
        let corrected = answer(store, typed).await;
        assert_eq!(uris(&corrected.hits), ["install"], "{typed}");
        let note = format!("no `{typed}`: searched for `{right}`");
        assert_eq!(corrected.notes, [note]);
        let exact = answer(store, right).await;
        assert!(exact.hits[0].score > corrected.hits[0].score, "{typed}");
    }
    let unknown = answer(store, "install xylophone").await;
    assert_eq!(uris(&unknown.hits), ["install"]);
    assert_eq!(unknown.reading.words[1].kind, WordKind::Unknown);
    assert_eq!(unknown.notes, ["no document has `xylophone`"]);
    for beyond in ["xn1", "ORA-00943", "isn"] {
        assert_eq!(answer(store, beyond).await.hits, [], "{beyond}");
    }
}

pub async fn a_misspelt_stop_word_is_left_out(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("wait", "wait until these are done"),
            ("until", "until then"),
        ],
    )
    .await;
    let corrected = answer(store, "wait utnil").await;
    assert_eq!(uris(&corrected.hits), ["wait"]);
    assert_eq!(corrected.notes, ["no `utnil`: left out as `until` is"]);
    // It is all that there is to look for.
    assert_eq!(found(store, "utnil").await.len(), 2);
}

pub async fn a_right_word_like_a_stop_word_is_not_left_out(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("miners", "having the rewards of miners until these are few"),
            ("rewards", "having rewards"),
        ],
    )
    .await;
    let unknown = answer(store, "halving rewards").await;
    assert_eq!(unknown.notes, ["no document has `halving`"]);
    assert_eq!(unknown.reading.words[0].kind, WordKind::Unknown);
    assert_eq!(found(store, "halving").await, [""; 0]);
    for slip in ["utnil", "unttil"] {
        let left_out = answer(store, &format!("{slip} rewards")).await;
        let note = format!("no `{slip}`: left out as `until` is");
        assert_eq!(left_out.notes, [note]);
    }
}

pub async fn typing_errors_in_compounds_are_corrected(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("conf", "Set max_connections and core.autocrlf there"),
            ("size", "max_wal_size is a size, and max a word"),
            ("git", "git-rebase moves what git commit --amend made"),
            ("core", "The core of it"),
        ],
    )
    .await;
    for (typed, right, uri) in [
        ("max_conections", "max_connections", "conf"),
        ("core.autocrfl", "core.autocrlf", "conf"),
        ("git-rebse", "git-rebase", "git"),
        ("--amnd", "--amend", "git"),
    ] {
        let corrected = answer(store, typed).await;
        assert_eq!(uris(&corrected.hits)[0], uri, "{typed}");
        let note = format!("no `{typed}`: searched for `{right}`");
        assert!(corrected.notes.contains(&note), "{:?}", corrected.notes);
    }
    // Of a name with capitals within it the whole is looked for before its parts.
    let tag = ("tag", "A jsx tag is no html");
    put_texts(
        store,
        &[
            tag,
            ("js", "A js file has scripts, and so has the js folder"),
        ],
    )
    .await;
    let corrected = answer(store, "JSXx").await;
    assert_eq!(uris(&corrected.hits), ["tag"]);
    assert_eq!(corrected.notes, ["no `JSXx`: searched for `jsx`"]);
    // What differs by its first letter is another name.
    assert_eq!(found(store, "sore").await, Vec::<String>::new());
}
