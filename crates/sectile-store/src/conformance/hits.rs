//! Cases about hits: how they are grouped and ordered, and what they say.

use sectile_core::{Format, Pages};

use super::{COLLECTION, chunk, document, found, put_texts, search, uris};
use crate::{GroupBy, Note, Scope, SearchRequest, Store};

pub async fn the_best_chunk_ranks_its_section(store: &dyn Store) {
    let mut made = document(
        "d",
        &[
            (1, "Long", "filler\napple apple"),
            (1, "Other", "apple filler"),
        ],
    );
    let long = &mut made.sections[0];
    long.chunks = [0..14, 14..26]
        .map(|span| chunk(&long.content, span.into()))
        .to_vec();
    store.put(vec![made]).await.unwrap();
    put_texts(store, &[("x", "x"), ("y", "y"), ("z", "z")]).await;
    let hits = search(store, "apple").await;
    assert_eq!(hits.len(), 2, "one hit a section: {hits:?}");
    assert_eq!(hits[0].heading_path, ["Long"]);
    assert_eq!((hits[0].lines.first, hits[0].lines.last), (3, 3));
    assert_eq!(hits[0].snippet.text, "apple apple");
}

pub async fn hits_can_be_grouped_by_document(store: &dyn Store) {
    let made = document(
        "d",
        &[(1, "A", "apple"), (1, "B", "apple apple"), (1, "C", "x")],
    );
    store
        .put(vec![made, document("e", &[(1, "E", "apple pie and more")])])
        .await
        .unwrap();
    let request = SearchRequest::new("apple").with_group_by(GroupBy::Document);
    let hits = store.search(&request).await.unwrap().hits;
    assert_eq!(uris(&hits), ["d", "e"]);
    assert_eq!(hits[0].heading_path, ["B"]);
}

pub async fn equal_scores_are_ordered_by_name(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("c", "apple north"),
            ("a", "apple south"),
            ("d", "apple east"),
            ("b", "apple west"),
        ],
    )
    .await;
    put_texts(
        store,
        &[
            ("x", "pear"),
            ("y", "pear"),
            ("z", "pear"),
            ("w", "pear"),
            ("v", "pear"),
        ],
    )
    .await;
    assert_eq!(found(store, "apple").await, ["a", "b", "c", "d"]);
    let two = store
        .search(&SearchRequest::new("apple").with_limit(2))
        .await
        .unwrap()
        .hits;
    assert_eq!(uris(&two), ["a", "b"]);
    let ranks: Vec<_> = two.iter().map(|hit| hit.legs[0].rank).collect();
    assert_eq!(ranks, [1, 2]);
}

pub async fn many_equal_scores_are_ordered_by_name(store: &dyn Store) {
    let uri = |number: usize| format!("d{number:03}");
    for part in [0..100, 100..200] {
        let texts = part.rev().map(|number| {
            let sections = [
                (1, "A", format!("apple first{number}")),
                (1, "B", format!("apple second{number}")),
            ];
            let sections = sections.each_ref().map(|of| (of.0, of.1, of.2.as_str()));
            document(&uri(number), &sections)
        });
        store.put(texts.collect()).await.unwrap();
    }
    for (limit, group_by, each) in [
        (5, GroupBy::Document, 1),
        (150, GroupBy::Document, 1),
        (7, GroupBy::Section, 2),
        (301, GroupBy::Section, 2),
    ] {
        let request = SearchRequest::new("apple").with_limit(limit);
        let found = store.search(&request.with_group_by(group_by)).await;
        let expected: Vec<String> = (0..limit).map(|at| uri(at / each)).collect();
        let hits = found.unwrap().hits;
        assert_eq!(uris(&hits), expected);
        let headings = hits.iter().map(|hit| hit.heading_path.join(" "));
        let expected = (0..limit).map(|at| if at % each == 0 { "A" } else { "B" });
        assert!(headings.eq(expected));
    }
}

pub async fn notes_come_with_the_hits_that_they_are_about(store: &dyn Store) {
    let texts = [
        ("docs/a", "apple"),
        ("docs/old/b", "pear"),
        ("docs2/c", "plum"),
    ];
    put_texts(store, &texts).await;
    let note = |prefix: &str, text: &str| Note::new(COLLECTION, prefix, text);
    let put = [
        note("docs/old/", "replaced"),
        note("docs/", "first"),
        note("docs/", "guides"),
        note("docs/a", "of apples"),
        Note::new("another", "", "unrelated"),
    ];
    for note in &put {
        store.put_note(note).await.unwrap();
    }
    let about = async |query: &str| -> Vec<String> {
        let answer = store.search(&SearchRequest::new(query)).await.unwrap();
        answer.about.into_iter().map(|note| note.text).collect()
    };
    assert_eq!(about("apple").await, ["guides", "of apples"]);
    assert_eq!(about("pear").await, ["guides", "replaced"]);
    assert_eq!(about("plum").await, Vec::<String>::new());
    assert_eq!(about("cherry").await, Vec::<String>::new());
    store.put_note(&note("docs/", "")).await.unwrap();
    store.put_note(&note("", "everything")).await.unwrap();
    store.put_note(&note("never", "")).await.unwrap();
    assert_eq!(about("pear plum").await, ["everything", "replaced"]);
    let all: Vec<_> = store.notes().await.unwrap();
    let all: Vec<_> = all.iter().map(|note| &*note.prefix).collect();
    assert_eq!(all, ["", "", "docs/a", "docs/old/"]);
}

pub async fn a_search_stays_in_its_scope(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("docs/a", "apple north"),
            ("docs/b", "apple south"),
            ("notes/a", "apple apple"),
        ],
    )
    .await;
    let within = async |scope: Scope| {
        let request = SearchRequest::new("apple").with_scope(scope).with_limit(2);
        uris(&store.search(&request).await.unwrap().hits)
    };
    assert_eq!(
        within(Scope::all().with_prefix("docs/")).await,
        ["docs/a", "docs/b"]
    );
    assert_eq!(within(Scope::all().with_uri("docs/b")).await, ["docs/b"]);
    assert_eq!(
        within(Scope::collection("none")).await,
        Vec::<String>::new()
    );
}

pub async fn a_hit_says_where_it_stands(store: &dyn Store) {
    let mut made = document(
        "d",
        &[
            (1, "Guide", "intro"),
            (2, "Install", "run\ncargo install it"),
        ],
    );
    made.metadata.title = Some("The guide".into());
    let section = made.sections[1].section.id;
    store.put(vec![made]).await.unwrap();
    let hit = search(store, "cargo").await.remove(0);
    assert_eq!(hit.section, section);
    assert_eq!(hit.heading_path, ["Guide", "Install"]);
    assert_eq!((hit.lines.first, hit.lines.last), (3, 5));
    assert_eq!(hit.document.title.as_deref(), Some("The guide"));
    assert_eq!(hit.document.collection, COLLECTION);
    assert_eq!(hit.document.format, Format::Markdown);
    assert_eq!(hit.snippet.marked("[", "]"), "run [cargo] install it");
}

pub async fn a_hit_is_on_the_page_that_its_section_moved_to(store: &dyn Store) {
    for page in [3, 4] {
        let mut moved = document("d", &[(1, "A", "apple")]);
        let pages = Some(Pages {
            first: page,
            last: page,
        });
        moved.sections[0].pages = pages;
        moved.sections[0].chunks[0].pages = pages;
        store.put(vec![moved]).await.unwrap();
        let hits = search(store, "apple").await;
        assert_eq!(hits[0].pages, pages);
    }
}
