//! Cases about versions in questions, and other numbers of several components.

use super::questions::answer;
use super::{found, put_texts, uris};
use crate::Store;

pub async fn a_name_with_a_number_is_found_by_each(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("python", "It runs with Python3.8 alone"),
            ("windows", "It runs on Windows10 alone"),
            ("vue", "It is made with Vue3 alone"),
            ("log4j", "It writes with Log4j2 alone"),
            ("ios", "It runs on iOS15 alone"),
            ("tls", "It speaks TLSv1.3 alone"),
            ("ssl", "It spoke SSL 3 alone"),
            ("smb", "It speaks SMB4.1 alone"),
            ("chinese", "Ruby3.2安装教程"),
            ("hash", "It is b12, h2, x86 and deadbeef12 alone"),
        ],
    )
    .await;
    for (question, uri) in [
        ("python", "python"),
        ("python 3", "python"),
        ("python 3.8", "python"),
        ("Python3", "python"),
        ("windows", "windows"),
        ("windows 10", "windows"),
        ("vue", "vue"),
        ("Vue 3", "vue"),
        ("log4j", "log4j"),
        ("log4j 2", "log4j"),
        ("ios", "ios"),
        ("iOS 15", "ios"),
        ("tls", "tls"),
        ("TLS 1.3", "tls"),
        ("tls1.3", "tls"),
        ("SSLv3", "ssl"),
        ("SMBv4.1", "smb"),
        ("tlsv1.3", "tls"),
        ("sslv3", "ssl"),
        ("ruby", "chinese"),
        ("怎么安装Ruby", "chinese"),
    ] {
        let answer = answer(store, question).await;
        assert_eq!(uris(&answer.hits)[0], uri, "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
    for question in ["b", "h", "x", "12", "86"] {
        assert_eq!(found(store, question).await, [""; 0], "{question}");
    }
    let exact = [
        ("exact", "It runs with Python3.9 alone"),
        ("name", "It runs with Python alone, Python and Python"),
    ];
    put_texts(store, &exact).await;
    assert_eq!(found(store, "Python3.9").await, ["exact"]);
    assert_eq!(found(store, "python 3.9").await[0], "exact");
}

pub async fn a_version_is_found_with_its_mark_and_without(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("small", "It speaks tlsv1.2 alone"),
            ("mark", "The API v2 is new"),
            ("word", "See version 3 of the guide"),
            ("address", "It has an IP v6 address"),
        ],
    )
    .await;
    for (question, uri) in [
        ("TLS 1.2", "small"),
        ("TLSv1.2", "small"),
        ("API version 2", "mark"),
        ("APIv2", "mark"),
        ("v3", "word"),
        ("guide v3", "word"),
        ("IPv6", "address"),
    ] {
        let answer = answer(store, question).await;
        assert_eq!(uris(&answer.hits)[0], uri, "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
    assert_eq!(found(store, "see NOT v3").await, [""; 0]);
}

pub async fn a_version_that_no_document_has_is_named(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("version", "Release v3.3.1 is old"),
            ("short", "Release 1.2.3 is older"),
            ("address", "It listens at 192.168.0.1 alone"),
            ("name", "It was made with python-3.11.2 alone"),
        ],
    )
    .await;
    for (question, uri, beginning) in [
        ("v3.3.99", "version", "3.3"),
        ("1.2.4", "short", "1.2"),
        ("v1.2.9.1", "short", "1.2"),
        ("192.168.0.2", "address", "192.168.0"),
        ("192.168.7.2", "address", "192.168"),
    ] {
        let answer = answer(store, question).await;
        assert_eq!(uris(&answer.hits), [uri], "{question}");
        let note = format!("no `{question}`: searched for `{beginning}`");
        assert_eq!(answer.notes, [note], "{question}");
    }
    for question in [
        "v3.3.1",
        "3.3.1",
        "3.3",
        "1.2",
        "192.168.0",
        "python-3.11.2",
    ] {
        assert_eq!(answer(store, question).await.notes, [""; 0], "{question}");
    }
    let apart = answer(store, "python-3.11.9").await;
    assert_eq!(uris(&apart.hits), ["name"]);
    let note = "no `3.11.9`: searched for `3.11`".to_owned();
    assert!(apart.notes.contains(&note), "{:?}", apart.notes);
    // What is required or excluded is meant as it stands.
    assert_eq!(found(store, "release AND 1.2.4").await, [""; 0]);
    assert_eq!(found(store, "release NOT 1.2.4").await.len(), 2);
    assert_eq!(found(store, "release NOT 1.2.3").await, ["version"]);
    put_texts(store, &[("exact", "Release v3.3.2 is new, it is said")]).await;
    assert_eq!(found(store, "v3.3.2").await[0], "exact");
}
