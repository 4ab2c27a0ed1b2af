//! What only a store in a file can get wrong.

use std::path::Path;

use sectile_core::{
    ContentHash, DocumentId, EmbeddingModel, Format, Lines, Metadata, Section, SectionId, Span,
};
use sectile_sqlite::rusqlite::Connection;
use sectile_sqlite::rusqlite::types::FromSql;
use sectile_store::{
    Analyzer, ChunkVector, Error, IndexedChunk, IndexedDocument, IndexedSection, Scope,
    SearchRequest, Store, VectorEncoding, WordCounts,
};
use sectile_store_sqlite::SqliteStore;

/// Makes a document of one section for each heading and text.
pub(crate) fn document(uri: &str, sections: &[(&str, &str)]) -> IndexedDocument {
    let section = |(at, &(heading, text)): (usize, &(&str, &str))| {
        let content = format!("# {heading}\n{text}\n");
        IndexedSection {
            section: Section {
                id: SectionId::derive(uri, &[heading], 0),
                parent: None,
                heading: Some(heading.into()),
                level: 1,
                span: Span::new(0, content.len()),
                lines: Lines {
                    first: 2 * at + 1,
                    last: 2 * at + 2,
                },
            },
            heading_path: vec![heading.into()],
            pages: None,
            tokens: 1,
            path_terms: Analyzer::english().terms(heading),
            chunks: vec![IndexedChunk {
                span: Span::new(0, content.len()),
                table_head: None,
                pages: None,
                tokens: 1,
                terms: Analyzer::english().terms(&content),
                text_hash: ContentHash::of(content.as_bytes()),
            }],
            content,
        }
    };
    IndexedDocument {
        id: DocumentId::new(
            1,
            ContentHash::of(uri.as_bytes()).as_bytes()[..10]
                .try_into()
                .unwrap(),
        ),
        collection: "tests".into(),
        uri: uri.into(),
        format: Format::Markdown,
        content_hash: ContentHash::of(b""),
        index_version: "test".into(),
        metadata: Metadata::default(),
        sections: sections.iter().enumerate().map(section).collect(),
        words: WordCounts::default(),
        language: "en".into(),
        now: 1,
    }
}

pub(crate) fn query<T: FromSql>(path: &Path, sql: &'static str) -> Vec<T> {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[tokio::test]
async fn the_bundled_sqlite_has_the_write_ahead_log_mended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    SqliteStore::open(&path).await.unwrap();
    let version: Vec<String> = query(&path, "SELECT sqlite_version()");
    let numbers: Vec<u32> = version[0]
        .split('.')
        .map(|part| part.parse().unwrap())
        .collect();
    assert!(
        numbers >= vec![3, 51, 3],
        "SQLite {} may corrupt a file in WAL mode",
        version[0]
    );
}

#[tokio::test]
async fn unchanged_sections_keep_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open(&path).await.unwrap();
    store
        .put(vec![document("d", &[("A", "a"), ("B", "b"), ("C", "c")])])
        .await
        .unwrap();
    let rows =
        "SELECT heading_path || chunks.id FROM sections JOIN chunks ON section_id = sections.id
        ORDER BY heading_path";
    let before: Vec<String> = query(&path, rows);
    store
        .put(vec![document("d", &[("C", "c"), ("B", "new"), ("A", "a")])])
        .await
        .unwrap();
    let after: Vec<String> = query(&path, rows);
    assert_eq!((&before[0], &before[2]), (&after[0], &after[2]));
    assert_ne!(before[1], after[1]);
}

#[tokio::test]
async fn nothing_is_left_of_what_was_replaced_or_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open(&path).await.unwrap();
    for round in ["one", "two", "three"] {
        store
            .put(vec![document("d", &[("A", round), (round, "b")])])
            .await
            .unwrap();
    }
    let counts = "SELECT (SELECT count(*) FROM sections) || ' ' || (SELECT count(*) FROM chunks)
        || ' ' || ((SELECT sum(chunks) FROM segments) - (SELECT count(*) FROM dead_chunks))";
    assert_eq!(query::<String>(&path, counts), ["2 2 2"]);
    let model = EmbeddingModel {
        name: "one".into(),
        dimensions: 1,
        is_normalized: true,
    };
    let encoding = VectorEncoding::Int8;
    store.set_model("tests", &model, encoding).await.unwrap();
    let vectors = store.pending("tests", None, 9).await.unwrap();
    let vectors = vectors.into_iter().map(|pending| ChunkVector {
        chunk: pending.chunk,
        vector: vec![1.0],
    });
    let vectors = vectors.collect();
    store.put_vectors("tests", &model, vectors).await.unwrap();
    assert_eq!(query::<i64>(&path, "SELECT count(*) FROM vectors"), [2]);
    let id = store.documents(&Scope::all()).await.unwrap()[0].id;
    store.remove(&[id]).await.unwrap();
    let tables = [
        "documents",
        "sections",
        "chunks",
        "segments",
        "pages",
        "blocks",
        "parts",
        "words",
        "dead_chunks",
        "vectors",
    ];
    for table in tables {
        let connection = Connection::open(&path).unwrap();
        let count = format!("SELECT count(*) FROM {table}");
        let rows: i64 = connection.query_row(&count, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0, "{table}");
    }
    assert_eq!(query::<String>(&path, "PRAGMA integrity_check"), ["ok"]);
}

#[tokio::test]
async fn what_was_in_a_dropped_index_is_not_listed_as_dead() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let documents = ["a", "b"].map(|uri| document(uri, &[("A", "a")]));
    store.put(documents.to_vec()).await.unwrap();
    store.drop_index("tests").await.unwrap();
    store.put(vec![document("a", &[])]).await.unwrap();
    store.remove(&[documents[1].id]).await.unwrap();
    let dead = "SELECT count(*) FROM dead_chunks";
    assert_eq!(query::<i64>(&path, dead), [0]);
}

/// The index of the first schema is dropped; the documents stay, and are found when they are written again.
#[tokio::test]
async fn a_store_of_an_earlier_release_keeps_its_documents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let first = sectile_migrations::Schema {
        migrations: &sectile_migrations::STORE_SQLITE.migrations[..1],
        ..sectile_migrations::STORE_SQLITE
    };
    let mut connection = Connection::open(&path).unwrap();
    let tables = sectile_migrations::Tables::default();
    sectile_migrations::sqlite::migrate(&mut connection, &first, &tables).unwrap();
    let old =
        "INSERT INTO documents VALUES (1, zeroblob(16), 'tests', 'd', 'markdown', zeroblob(32),
            'index-3', 'completed', NULL, '{}', NULL, 0, 0, 0, 0, 0, 1, 1);
        INSERT INTO segments VALUES (1, 'tests', 1, x'010101', x'0101');
        INSERT INTO blocks VALUES (1, 'apple', x'05', x'');
        INSERT INTO dead_chunks VALUES (7, 'tests', 1)";
    connection.execute_batch(old).unwrap();
    let store = SqliteStore::open(&path).await.unwrap();
    let documents = store.documents(&Scope::all()).await.unwrap();
    assert_eq!(documents[0].index_version, "index-3");
    assert_eq!(documents[0].checksum, None);
    let apple = SearchRequest::new("apple");
    assert_eq!(store.search(&apple).await.unwrap().hits, []);
    store
        .put(vec![document("d", &[("A", "apple")])])
        .await
        .unwrap();
    assert_eq!(store.search(&apple).await.unwrap().hits.len(), 1);
    assert_eq!(store.documents(&Scope::all()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_document_that_cannot_be_read_is_named_and_the_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let documents = ["first", "other"].map(|uri| document(uri, &[("A", "apple")]));
    store.put(documents.to_vec()).await.unwrap();
    let damage = "UPDATE documents SET metadata = CAST(x'7bff7d' AS TEXT),
        uri = CAST(x'6669727374ff' AS TEXT) WHERE uri = 'first'";
    let connection = Connection::open(&path).unwrap();
    assert_eq!(connection.execute(damage, []).unwrap(), 1);
    let error = store.documents(&Scope::all()).await.unwrap_err();
    let said = error.to_string();
    assert!(matches!(error, Error::Corrupt { .. }), "{said}");
    assert!(
        said.contains("`uri`") && said.contains("`first\u{fffd}`"),
        "{said}"
    );
    let found = store.found_documents().await.unwrap();
    let [first, other] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(first.record.uri, "first\u{fffd}");
    assert!(first.faults.has("uri") && first.faults.has("metadata"));
    assert!(!first.faults.has("collection"));
    assert_eq!(other.record.uri, "other");
    assert!(other.faults.first().is_none());
    let again = store
        .found_document(first.record.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(again.record, first.record);
    assert!(again.faults.has("uri") && again.faults.has("metadata"));
}

/// Where many processes write and only one may merge, segments pile up.
#[tokio::test]
async fn thousands_of_segments_are_merged_without_loss() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let sections = [("A", "apple"), ("B", "banana"), ("C", "cherry")];
    store.put(vec![document("d", &sections)]).await.unwrap();
    let copies = "WITH RECURSIVE copy (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM copy LIMIT 4499)
        INSERT INTO segments SELECT n, collection, chunks, terms, languages FROM copy, segments;
        INSERT INTO pages SELECT segment << 32, numbers, lengths FROM segments, pages
            WHERE segment > 1;
        INSERT INTO words SELECT segments.segment, words FROM segments, words
            WHERE segments.segment > 1;
        INSERT INTO blocks SELECT segments.segment, last_term, entries, positions
            FROM segments, blocks WHERE segments.segment > 1";
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(copies).unwrap();
    let chunks = "SELECT sum(chunks) FROM segments";
    assert_eq!(query::<i64>(&path, chunks), [13_500]);
    // The score says how many chunks hold the term, of how many.
    let before = store
        .search(&SearchRequest::new("apple"))
        .await
        .unwrap()
        .hits;
    store.optimize().await.unwrap();
    let after = store
        .search(&SearchRequest::new("apple"))
        .await
        .unwrap()
        .hits;
    assert_eq!((before.len(), before), (1, after));
    assert_eq!(query::<i64>(&path, chunks), [13_500]);
    assert_eq!(query::<i64>(&path, "SELECT count(*) FROM segments"), [1]);
}

#[tokio::test]
async fn a_store_can_be_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/store.db");
    let store = SqliteStore::open(&path).await.unwrap();
    store
        .put(vec![document("d", &[("A", "apple")])])
        .await
        .unwrap();
    store.close().await.unwrap();
    let again = SqliteStore::open(&path).await.unwrap();
    assert_eq!(
        again
            .search(&SearchRequest::new("apple"))
            .await
            .unwrap()
            .hits
            .len(),
        1
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_may_open_an_empty_store_at_once() {
    for _ in 0..8 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let open = |uri: String| {
            let path = path.clone();
            tokio::spawn(async move {
                let store = SqliteStore::open(path).await?;
                store.put(vec![document(&uri, &[("A", "apple")])]).await
            })
        };
        let opened: Vec<_> = (0..16).map(|n| open(n.to_string())).collect();
        for task in opened {
            task.await.unwrap().unwrap();
        }
        let store = SqliteStore::open(&path).await.unwrap();
        assert_eq!(store.totals().await.unwrap().documents, 16);
    }
}

#[tokio::test]
async fn a_store_of_a_newer_release_is_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    SqliteStore::open(&path)
        .await
        .unwrap()
        .close()
        .await
        .unwrap();
    query::<i64>(
        &path,
        "INSERT INTO sectile_migrations VALUES ('store', 99, 0)",
    );
    let error = SqliteStore::open(&path).await.unwrap_err();
    assert!(
        matches!(error, Error::NewerSchema { found: 99, known } if known < 99),
        "{error}"
    );
}

#[tokio::test]
async fn what_cannot_hold_a_store_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    for path in [Path::new(""), Path::new(":memory:"), folder.path()] {
        let error = SqliteStore::open(path).await.unwrap_err();
        assert!(matches!(error, Error::InvalidUrl { .. }), "{error}");
    }
    let file = folder.path().join("notes.txt");
    std::fs::write(
        &file,
        "not a database, but long enough to be looked at as one".repeat(40),
    )
    .unwrap();
    for opened in [
        SqliteStore::open(&file).await,
        SqliteStore::open_lazily(&file).await,
        SqliteStore::open_to_read(&file).await,
    ] {
        let error = opened.unwrap_err().to_string();
        assert!(error.contains("is not a SQLite database"), "{error}");
    }
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .starts_with("not a database")
    );
}

#[cfg(unix)]
#[tokio::test]
async fn only_a_folder_that_may_not_be_searched_needs_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a".repeat(300));
    let error = SqliteStore::open(&path).await.unwrap_err().to_string();
    assert!(error.contains("it cannot be reached"), "{error}");
    assert!(error.contains("check the path"), "{error}");
    assert!(!error.contains("owner"), "{error}");
}

#[tokio::test]
async fn a_file_of_another_program_is_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    for schema in [
        "CREATE TABLE users (id INTEGER)",
        "CREATE TABLE documents (id INTEGER)",
        "CREATE TABLE app_migrations (id INTEGER); CREATE TABLE sectile (id INTEGER)",
    ] {
        let path = folder.path().join("other.db");
        Connection::open(&path)
            .unwrap()
            .execute_batch(schema)
            .unwrap();
        let before = std::fs::read(&path).unwrap();
        let error = SqliteStore::open(&path).await.unwrap_err();
        assert!(matches!(error, Error::InvalidUrl { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains("belongs to another program"), "{said}");
        assert_eq!(std::fs::read(&path).unwrap(), before, "{schema}");
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, 1, "{schema}");
        std::fs::remove_file(&path).unwrap();
    }
}

#[tokio::test]
async fn a_store_stands_beside_checkpoints_but_not_where_its_tables_are_anothers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.db");
    let run = |sql| Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let tables = sectile_migrations::Tables::new(None, "app_").unwrap();
    let mut connection = Connection::open(&path).unwrap();
    let schema = &sectile_migrations::CHECKPOINT_SQLITE;
    sectile_migrations::sqlite::migrate(&mut connection, schema, &tables).unwrap();
    drop(connection);
    run("CREATE TABLE documents (id INTEGER)");
    let error = SqliteStore::open(&path).await.unwrap_err();
    assert!(matches!(error, Error::InvalidUrl { .. }), "{error}");
    let said = error.to_string();
    assert!(
        said.contains("name another file") && !said.contains("CREATE"),
        "{said}"
    );
    run("DROP TABLE documents");
    SqliteStore::open(&path).await.unwrap();
}

#[tokio::test]
async fn texts_are_read_packed_and_as_earlier_releases_wrote_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let text = "Apples are picked in autumn, and kept in a cool place until spring. ".repeat(9);
    let made = document("long", &[("Apples", &text), ("Pears", "short")]);
    let expected: Vec<String> = made.sections.iter().map(|of| of.content.clone()).collect();
    let id = made.id;
    store.put(vec![made]).await.unwrap();
    let is_packed = "SELECT packed IS NOT NULL AND content = '' FROM sections ORDER BY position";
    assert_eq!(query::<bool>(&path, is_packed), [true, false]);
    let smaller = "SELECT length(packed) < 200 FROM sections WHERE packed IS NOT NULL";
    assert_eq!(query::<bool>(&path, smaller), [true]);
    let read = async || store.content(id, 0..2).await.unwrap();
    assert_eq!(read().await, expected);
    let plain = "UPDATE sections SET packed = NULL,
        content = '# Apples' || char(10) || 'Plain.' WHERE packed IS NOT NULL RETURNING 1";
    query::<i64>(&path, plain);
    assert_eq!(read().await[0], "# Apples\nPlain.");
    let damaged = "UPDATE sections SET packed = x'ffffff7f00' WHERE position = 0 RETURNING 1";
    query::<i64>(&path, damaged);
    let error = store.content(id, 0..2).await.unwrap_err();
    assert!(matches!(error, Error::Corrupt { .. }), "{error}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_change_to_a_deleted_file_is_not_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open(&path).await.unwrap();
    store.put(vec![document("d", &[("A", "a")])]).await.unwrap();
    for file in ["store.db", "store.db-wal", "store.db-shm"] {
        std::fs::remove_file(folder.path().join(file)).unwrap();
    }
    let refused = [
        store.put(vec![document("e", &[("B", "b")])]).await,
        store.documents(&Scope::default()).await.map(drop),
    ];
    for refused in refused {
        assert!(
            matches!(&refused, Err(Error::FileReplaced { path: named }) if *named == path),
            "{refused:?}"
        );
    }
}
