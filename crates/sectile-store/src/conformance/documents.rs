//! Cases about documents and their sections: what is written, listed, replaced and removed.

use sectile_core::{ContentHash, DocumentId, Span};

use super::{COLLECTION, chunk, document, found, only_document, put_texts, search, text};
use crate::{Error, FailedDocument, GIVEN, IndexedDocument, Language, Scope, Status, Store};

pub async fn sections_joined_are_the_text(store: &dyn Store) {
    let sections = [
        (1, "A", "one\r\n\ttwo"),
        (2, "B", "'; DROP TABLE x; --"),
        (1, "字", "é🚀\u{feff}"),
    ];
    store.put(vec![document("d", &sections)]).await.unwrap();
    let id = only_document(store).await.id;
    let expected = "# A\none\r\n\ttwo\n## B\n'; DROP TABLE x; --\n# 字\né🚀\u{feff}\n";
    assert_eq!(text(store, id).await, expected);
    assert_eq!(
        store.content(id, 1..2).await.unwrap(),
        ["## B\n'; DROP TABLE x; --\n"]
    );
}

pub async fn sections_keep_their_place_in_the_tree(store: &dyn Store) {
    let made = document(
        "d",
        &[
            (1, "A", ""),
            (2, "B", ""),
            (3, "C", ""),
            (2, "D", ""),
            (1, "E", ""),
        ],
    );
    let ids: Vec<_> = made
        .sections
        .iter()
        .map(|section| section.section.id)
        .collect();
    store.put(vec![made]).await.unwrap();
    let sections = store.sections(only_document(store).await.id).await.unwrap();
    let parents: Vec<_> = sections.iter().map(|section| section.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(0), None]);
    assert_eq!(sections[2].heading_path, ["A", "B", "C"]);
    assert_eq!(sections[2].level, 3);
    assert_eq!(
        sections
            .iter()
            .map(|section| section.id)
            .collect::<Vec<_>>(),
        ids
    );
    assert_eq!(
        sections
            .iter()
            .map(|section| section.position)
            .collect::<Vec<_>>(),
        [0, 1, 2, 3, 4]
    );
}

pub async fn documents_are_listed_by_collection_and_uri(store: &dyn Store) {
    let mut other = document("a", &[(1, "A", "x")]);
    other.collection = "another".into();
    let made = ["b", "B", "a/c", "ä"].map(|uri| document(uri, &[(1, "A", "x")]));
    store
        .put(made.into_iter().chain([other]).collect())
        .await
        .unwrap();
    let listed = store.documents(&Scope::all()).await.unwrap();
    let listed: Vec<_> = listed
        .iter()
        .map(|d| (d.collection.as_str(), d.uri.as_str()))
        .collect();
    let expected = [
        ("another", "a"),
        ("tests", "B"),
        ("tests", "a/c"),
        ("tests", "b"),
        ("tests", "ä"),
    ];
    assert_eq!(listed, expected);
}

pub async fn a_scope_narrows_to_collection_uri_and_prefix(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("docs/a", "x"),
            ("docs/b/c", "x"),
            ("docs%", "x"),
            ("docsx", "x"),
        ],
    )
    .await;
    let within = async |scope: Scope| {
        let documents = store.documents(&scope).await.unwrap();
        documents
            .into_iter()
            .map(|document| document.uri)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        within(Scope::all().with_prefix("docs/")).await,
        ["docs/a", "docs/b/c"]
    );
    assert_eq!(within(Scope::all().with_uri("docs%")).await, ["docs%"]);
    let two = Scope::all().with_uri("docsx").with_prefix("docs/b");
    assert_eq!(within(two).await, ["docs/b/c", "docsx"]);
    assert_eq!(
        within(Scope::collection("other")).await,
        Vec::<String>::new()
    );
    assert_eq!(
        within(Scope::collection(COLLECTION).with_uri("docs/a")).await,
        ["docs/a"]
    );
}

pub async fn a_new_version_takes_the_place_of_the_old_one(store: &dyn Store) {
    let old = [(1, "A", "apple"), (1, "B", "banana"), (1, "C", "cherry")];
    store.put(vec![document("d", &old)]).await.unwrap();
    let before = only_document(store).await;
    let mut new = document(
        "d",
        &[
            (1, "C", "cherry"),
            (1, "New", "nectarine"),
            (1, "A", "apricot"),
        ],
    );
    new.id = DocumentId::new(1, [9; 10]);
    new.now += 5;
    store.put(vec![new]).await.unwrap();
    let after = only_document(store).await;
    assert_eq!((after.id, after.created_at), (before.id, before.created_at));
    assert_eq!(after.updated_at, before.updated_at + 5);
    let expected = "# C\ncherry\n# New\nnectarine\n# A\napricot\n";
    assert_eq!(text(store, after.id).await, expected);
    assert_eq!(search(store, "banana apple").await, []);
    let hit = &search(store, "cherry").await[0];
    assert_eq!(
        hit.lines.first, 1,
        "a section that only moved has its new lines"
    );
    assert_eq!(search(store, "nectarine apricot").await.len(), 2);
}

pub async fn a_document_may_stand_in_two_collections(store: &dyn Store) {
    let one = document("d", &[(1, "A", "apple")]);
    let mut two = document("d", &[(1, "A", "apple pie")]);
    two.collection = "other".into();
    two.id = DocumentId::new(2, [7; 10]);
    store.put(vec![one, two]).await.unwrap();
    assert_eq!(store.documents(&Scope::all()).await.unwrap().len(), 2);
    assert_eq!(found(store, "pie").await, ["d"]);
    assert_eq!(search(store, "apple").await.len(), 2);
}

pub async fn a_document_without_sections_is_kept(store: &dyn Store) {
    store.put(vec![document("empty", &[])]).await.unwrap();
    let record = only_document(store).await;
    assert_eq!((record.sections, record.chunks, record.tokens), (0, 0, 0));
    assert_eq!(record.status, Status::Completed);
    assert_eq!(text(store, record.id).await, "");
}

pub async fn what_is_read_has_the_checksum_of_what_was_written(store: &dyn Store) {
    let check = async |written: &IndexedDocument| {
        let read = only_document(store).await;
        let sections = store.sections(read.id).await.unwrap();
        assert_eq!(read.checksum, Some(written.checksum().unwrap()));
        assert_eq!(read.checksum, Some(read.checksum_with(&sections).unwrap()));
    };
    let mut written = document("d", &[(1, "A", "one"), (2, "B", "two")]);
    written.metadata.title = Some("A title".into());
    let extra = &mut written.metadata.extra;
    extra.insert("price".to_owned(), 0.1_f64.into());
    extra.insert("size".to_owned(), "large".into());
    store.put(vec![written.clone()]).await.unwrap();
    check(&written).await;
    // A section that does not change keeps its row.
    let moved = document("d", &[(1, "0", "none"), (1, "A", "one"), (2, "B", "two")]);
    store.put(vec![moved.clone()]).await.unwrap();
    check(&moved).await;
    let found = store.found_documents().await.unwrap();
    assert!(found.len() == 1 && found[0].faults.first().is_none());
    let read = only_document(store).await;
    assert_eq!(found[0].record, read);
    let found = store.found_document(read.id).await.unwrap().unwrap();
    assert!(found.faults.first().is_none());
    assert_eq!(found.record, read);
    let nobody = DocumentId::new(0, [0; 10]);
    assert!(store.found_document(nobody).await.unwrap().is_none());
}

pub async fn a_failed_document_keeps_its_earlier_content(store: &dyn Store) {
    store
        .put(vec![document("good", &[(1, "A", "apple")])])
        .await
        .unwrap();
    let failure = |uri: &str, byte| FailedDocument {
        id: DocumentId::new(3, [byte; 10]),
        collection: COLLECTION.into(),
        uri: uri.into(),
        content_hash: ContentHash::of(b"broken"),
        index_version: "conformance".into(),
        error: "it is damaged".into(),
        now: 1_700_000_000_009,
    };
    store
        .put_failed(vec![failure("good", 1), failure("new", 2)])
        .await
        .unwrap();
    let records = store.documents(&Scope::all()).await.unwrap();
    assert!(records.iter().all(|record| record.status == Status::Failed));
    assert!(
        records
            .iter()
            .all(|record| record.error.as_deref() == Some("it is damaged"))
    );
    assert_eq!(records[0].content_hash, ContentHash::of(b"broken"));
    assert_eq!(found(store, "apple").await, ["good"]);
    assert_eq!(store.totals().await.unwrap().failed, 2);
    store
        .put(vec![document("good", &[(1, "A", "apple")])])
        .await
        .unwrap();
    let mended = store
        .documents(&Scope::all().with_uri("good"))
        .await
        .unwrap();
    assert_eq!(
        (mended[0].status, mended[0].error.clone()),
        (Status::Completed, None)
    );
}

pub async fn documents_of_another_version_are_counted(store: &dyn Store) {
    let of_version = |uri, version: &str, language: &str| IndexedDocument {
        index_version: version.into(),
        language: language.into(),
        ..document(uri, &[(1, "A", "apple")])
    };
    let documents = vec![of_version("a", "one", "de"), of_version("b", "two", "en")];
    store.put(documents).await.unwrap();
    assert_eq!(store.outdated("one").await.unwrap(), 1);
    assert_eq!(store.outdated("three").await.unwrap(), 2);
    let languages = async || {
        let records = store.documents(&Scope::all()).await.unwrap();
        records
            .into_iter()
            .map(|of| of.language)
            .collect::<Vec<_>>()
    };
    assert_eq!(languages().await, ["de", "en"]);
    store.put(vec![of_version("a", "two", "fr")]).await.unwrap();
    assert_eq!(store.outdated("two").await.unwrap(), 0);
    assert_eq!(languages().await, ["fr", "en"]);
    // What was given with its chunks is of the version that analyzed it.
    let given = |version: &str| format!("{version}{GIVEN}0123");
    let documents = vec![
        of_version("c", &given("two"), "en"),
        of_version("d", &given("twofold"), "en"),
    ];
    store.put(documents).await.unwrap();
    assert_eq!(store.outdated("two").await.unwrap(), 1);
    assert_eq!(store.outdated("twofold").await.unwrap(), 3);
}

pub async fn documents_in_another_language_than_that_of_their_collection_are_counted(
    store: &dyn Store,
) {
    let in_language = |collection: &str, uri, language: &str, version: &str| IndexedDocument {
        collection: collection.into(),
        index_version: version.into(),
        language: language.into(),
        ..document(uri, &[(1, "A", "apple")])
    };
    let given = format!("one{GIVEN}0123");
    let documents = vec![
        in_language("handbook", "a", "de", "one"),
        in_language("handbook", "b", "en", "one"),
        in_language("handbook", "c", "fr", &given),
        // These are counted as those of another version.
        in_language("handbook", "d", "fr", "two"),
        in_language("handbook", "e", "fr", &format!("onefold{GIVEN}0123")),
        in_language("minutes", "f", "en", "one"),
    ];
    store.put(documents).await.unwrap();
    let count = async |collection: &str, language: Language| {
        let count = store.in_other_language(collection, language, "one");
        count.await.unwrap()
    };
    assert_eq!(count("handbook", Language::German).await, 2);
    assert_eq!(count("handbook", Language::English).await, 2);
    assert_eq!(count("handbook", Language::Italian).await, 3);
    assert_eq!(count("minutes", Language::English).await, 0);
    assert_eq!(count("nothing", Language::German).await, 0);
    // What could not be read has no text in any language.
    let failure = FailedDocument {
        id: DocumentId::new(1, [7; 10]),
        collection: "minutes".into(),
        uri: "g".into(),
        content_hash: ContentHash::of(b"broken"),
        index_version: "one".into(),
        error: "it is damaged".into(),
        now: 1,
    };
    store.put_failed(vec![failure]).await.unwrap();
    assert_eq!(count("minutes", Language::English).await, 0);
}

pub async fn chunks_are_listed_in_the_order_of_the_text(store: &dyn Store) {
    let text = "apple banana";
    let mut made = document("a", &[(1, "A", text), (1, "B", "cherry")]);
    let content = made.sections[0].content.clone();
    let halves = [Span::new(0, 4), Span::new(2, content.len())];
    made.sections[0].chunks = halves.map(|span| chunk(&content, span)).into();
    let last = made.sections[1].chunks[0].span;
    store.put(vec![made]).await.unwrap();
    put_texts(store, &[("other", "damson")]).await;
    let record = store.documents(&Scope::all().with_uri("a")).await.unwrap();
    let chunks = store.chunks(record[0].id).await.unwrap();
    let places: Vec<_> = chunks.iter().map(|of| (of.section, of.span)).collect();
    assert_eq!(places, [(0, halves[0]), (0, halves[1]), (1, last)]);
    let numbers: Vec<_> = chunks.iter().map(|of| of.chunk.chunk).collect();
    assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
    assert_eq!(store.chunks(DocumentId::new(0, [0; 10])).await.unwrap(), []);
}

pub async fn removing_a_document_leaves_nothing_of_it(store: &dyn Store) {
    put_texts(store, &[("a", "apple"), ("b", "apple banana")]).await;
    let ids: Vec<_> = store
        .documents(&Scope::all())
        .await
        .unwrap()
        .iter()
        .map(|d| d.id)
        .collect();
    assert_eq!(store.remove(&ids[..1]).await.unwrap(), 1);
    assert_eq!(found(store, "apple").await, ["b"]);
    assert_eq!(store.remove(&ids).await.unwrap(), 1);
    assert_eq!(search(store, "apple banana").await, []);
    assert_eq!(store.sections(ids[1]).await.unwrap(), []);
    let totals = store.totals().await.unwrap();
    assert_eq!(
        (
            totals.documents,
            totals.sections,
            totals.chunks,
            totals.tokens
        ),
        (0, 0, 0, 0)
    );
}

pub async fn a_document_that_no_store_can_hold_is_refused_whole(store: &dyn Store) {
    let good = document("good", &[(1, "A", "apple")]);
    let bad = document("bad", &[(1, "A", "ap\0ple")]);
    let error = store.put(vec![good, bad]).await.unwrap_err();
    assert!(
        matches!(&error, Error::InvalidDocument { uri, .. } if uri == "bad"),
        "{error}"
    );
    assert_eq!(store.totals().await.unwrap().documents, 0);
}

pub async fn a_section_is_found_by_its_id(store: &dyn Store) {
    let made = document("d", &[(1, "A", ""), (1, "A", "again")]);
    let ids: Vec<_> = made
        .sections
        .iter()
        .map(|section| section.section.id)
        .collect();
    store.put(vec![made]).await.unwrap();
    assert_ne!(ids[0], ids[1], "headings that repeat have ids of their own");
    let places = store.find_section(ids[1], &Scope::all()).await.unwrap();
    assert_eq!(places.len(), 1);
    assert_eq!((places[0].0.uri.as_str(), places[0].1), ("d", 1));
    let other = Scope::collection("other");
    assert_eq!(store.find_section(ids[1], &other).await.unwrap(), []);
}
