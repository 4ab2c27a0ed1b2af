//! Cases about what is typed as one token: what has it in full comes before what has its parts.

use super::languages::in_language;
use super::questions::answer;
use super::{found, put_texts, uris};
use crate::{Language, SearchRequest, Store, WordKind};

/// A text in which a word says little.
const LONG: &str = "in a long text about many things that nobody asks for, with more words in it than there are in \
                    the others, so that each of them says less of what it is about";

pub async fn an_identifier_outweighs_its_parts(store: &dyn Store) {
    // Endings differ: in some language `find` is all that is left of `find_iter`.
    let others = Language::all().map(|of| in_language(of.code(), of, "Nothing"));
    store.put(others.collect()).await.unwrap();
    let exact = ["find_iter", "object_in_use", "xDestructor"];
    let texts = exact.map(|name| (name, format!("There is {name} {LONG}")));
    let texts: Vec<(&str, &str)> = texts.iter().map(|(uri, text)| (*uri, &**text)).collect();
    put_texts(store, &texts).await;
    put_texts(
        store,
        &[
            ("find1", "find, find, find: find and find"),
            ("find2", "find an iter, an iter, an iter"),
            ("object1", "object, object, object: object and object"),
            ("object2", "in use, in use: in use"),
            ("destructor1", "destructor, destructor: destructor"),
            ("destructor2", "a destructor, its destructor"),
        ],
    )
    .await;
    for (name, part) in exact.into_iter().zip(["find1", "object1", "destructor1"]) {
        let all = found(store, name).await;
        assert_eq!(all[0], name);
        assert!(all.iter().any(|of| of == part), "{name}");
        let answer = answer(store, name).await;
        assert_eq!(answer.reading.words[0].chunks, 1, "{name}");
    }
}

pub async fn a_token_in_full_outweighs_its_parts(store: &dyn Store) {
    let tokens = [
        "--num-callers",
        "/usr/bin/test",
        "cross-indexing",
        "std::vector",
        "client/server",
    ];
    let texts = tokens.map(|token| (token, format!("There is {token} {LONG}")));
    let texts: Vec<(&str, &str)> = texts.iter().map(|(uri, text)| (*uri, &**text)).collect();
    put_texts(store, &texts).await;
    put_texts(
        store,
        &[
            ("flag", "numGroupsCallers, callers, numGroupsCallers"),
            ("path", "usr/bin/x, usr/bin/y: usr/bin/z, a test"),
            ("hyphen", "cross an index, cross an index"),
            ("colons", "a vector of std, a vector of std"),
            ("slash", "a server of a client, a server of a client"),
            (
                "row",
                "all num callers are counted in a text of some more words, too",
            ),
            ("other1", "apple"),
            ("other2", "an apple"),
        ],
    )
    .await;
    let parts = ["flag", "path", "hyphen", "colons", "slash"];
    for (token, part) in tokens.into_iter().zip(parts) {
        for question in [token.to_owned(), format!("what is {token}?")] {
            let answer = answer(store, &question).await;
            let found = uris(&answer.hits);
            assert_eq!(found[0], token, "{question}");
            assert!(found.iter().any(|of| of == part), "{question}");
            assert_eq!(answer.notes, [""; 0], "{question}");
            let mut words = answer.reading.words.iter();
            assert!(words.any(|of| of.kind == WordKind::Phrase), "{question}");
        }
    }
    // Beside other words a compound is prose, and a path is none: only the words of the path count as one together.
    for (question, rows) in [
        ("apple client/server", 0),
        ("apple cross-indexing", 1),
        ("apple /usr/bin/test", 1),
    ] {
        let words = answer(store, question).await.reading.words;
        let found = words.iter().filter(|of| of.kind == WordKind::Phrase);
        assert_eq!(found.count(), rows, "{question}");
    }
}

pub async fn a_compound_beside_other_words_outweighs_its_parts_apart(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("apart", "An index of apples, where some are cross"),
            ("whole", "Some apples are of a cross index, where"),
            ("other", "Something about pears"),
        ],
    )
    .await;
    for question in ["apples cross-indexing", "cross-indexing apples"] {
        let request = SearchRequest::new(question).with_explain(true);
        let answer = store.search(&request).await.unwrap();
        assert_eq!(uris(&answer.hits), ["whole", "apart"], "{question}");
        let words = answer.reading.words.iter();
        let row = words.filter(|of| of.kind == WordKind::Phrase);
        let row: Vec<(&str, u64)> = row.map(|of| (&*of.typed, of.chunks)).collect();
        assert_eq!(row, [("cross-indexing", 1)], "{question}");
        let brought = |hit: usize| answer.hits[hit].words.len();
        assert_eq!((brought(0), brought(1)), (4, 3), "{question}");
    }
}

pub async fn words_that_signs_of_code_part_stand_in_a_row(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("apart", "It says limit the depth and child of the node"),
            ("assigned", "It says depth = limit; and child of a node"),
            ("pointer", "It says limit the depth or then node->child"),
        ],
    )
    .await;
    for (question, uri) in [
        ("depth = limit;", "assigned"),
        ("depth limit", "assigned"),
        ("node->child", "pointer"),
        ("node child", "pointer"),
    ] {
        assert_eq!(found(store, question).await[0], uri, "{question}");
    }
}

pub async fn a_token_of_stop_words_does_not_outweigh_a_word(store: &dyn Store) {
    let documents = [
        ("raised", "Il est élevé par sa tante à la campagne"),
        ("asked", "Où est-il passé, et pourquoi est-il parti ?"),
        ("other", "Elle a vu la ville et la mer"),
    ];
    let made = documents.map(|(uri, text)| in_language(uri, Language::French, text));
    store.put(made.into()).await.unwrap();
    let answer = answer(store, "Par qui est-il élevé ?").await;
    assert_eq!(uris(&answer.hits), ["raised"]);
    assert_eq!(answer.reading.left_out, ["Par", "qui", "est-il"]);
}
