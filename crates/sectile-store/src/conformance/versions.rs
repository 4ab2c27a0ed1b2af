//! Cases about versions in questions, and other numbers of several components.

use super::questions::answer;
use super::{document, found, put_texts, uris};
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

pub async fn a_number_in_full_comes_before_longer_ones_that_begin_with_it(store: &dyn Store) {
    let long = "and it goes on for long about what is new in it, what is gone, and who made it all in the end";
    let whole = format!("The notes of version 2.39 {long}");
    let other = format!("The notes of version 2.40.1 {long}");
    put_texts(
        store,
        &[
            ("whole", &*whole),
            (
                "first",
                "Notes of version 2.39.1: since 2.39.0, 2.39.1 is new",
            ),
            ("second", "Notes of version v2.39.2: since 2.39.1, 2.39.2"),
            ("third", "Notes of version 2.39.3: since 2.39.2, 2.39.3"),
            ("other", &*other),
        ],
    )
    .await;
    for question in [
        "2.39",
        "v2.39",
        "notes of version 2.39",
        "version 2.39",
        "\"version 2.39\" notes",
    ] {
        let answer = answer(store, question).await;
        assert_eq!(uris(&answer.hits)[0], "whole", "{question}");
        assert!(answer.hits.len() > 3, "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
    assert_eq!(found(store, "notes AND 2.39").await.len(), 4);
    assert_eq!(found(store, "\"version 2.39\"").await.len(), 4);
    // Where no document has it in full, longer ones count as it would.
    let longer = answer(store, "2.40").await;
    assert_eq!(uris(&longer.hits), ["other"]);
    assert_eq!(longer.notes, [""; 0]);
    let full = answer(store, "2.40.1").await.hits[0].score;
    assert!((longer.hits[0].score - full).abs() < 1e-6);
    // What is less than was typed is still found, in full or as the beginning of another number.
    assert_eq!(found(store, "2.39.9").await.len(), 4);
    let sections = [
        (1, "Policy", "All that is to be done"),
        (
            2,
            "3.2 Versions",
            "What is said of versions goes on for long, as it has to",
        ),
        (2, "3.2.3 Dates", "As 3.2.1 and 3.2.2 have it, 3.2.3"),
        (2, "3.2.1 Digits", "As 3.2.2 has it"),
    ];
    store
        .put(vec![document("policy", &sections)])
        .await
        .unwrap();
    for question in ["3.2", "policy 3.2"] {
        let first = answer(store, question).await.hits.swap_remove(0);
        assert_eq!(first.heading_path[1], "3.2 Versions", "{question}");
    }
}
