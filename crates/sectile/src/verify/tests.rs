//! Stores that are damaged, and what becomes of them.

mod damaged_file;
mod damaged_index;

use std::path::Path;

use sectile_core::{EmbeddingModel, Metadata};
use sectile_store::{ChunkVector, PendingChunk, Scope, SearchRequest, VectorEncoding};

use super::*;
use crate::DEFAULT_COLLECTION;

const GUIDE: &str = "# Guide\n\nDeploys are on Tuesdays.\n\n## Install\n\nRun the installer.\n";
const NOTES: &str = "# Notes\n\n---\n\nBackups run at night.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";

/// What is done where one document can only be left.
const LEFT: Repairs = Repairs {
    indexed: 0,
    marked: 0,
    left: 1,
};

async fn library(folder: &Path) -> Library {
    let library = empty_library(folder).await;
    ingest_texts(&library, folder, [GUIDE, NOTES]).await;
    library
}

async fn empty_library(folder: &Path) -> Library {
    let store = format!("sqlite:{}", folder.join("library.db").display());
    Library::open(&store).await.unwrap()
}

async fn ingest_texts(library: &Library, folder: &Path, texts: [&str; 2]) {
    for (name, text) in ["guide.md", "notes.md"].into_iter().zip(texts) {
        std::fs::write(folder.join(name), text).unwrap();
    }
    ingest(library, folder).await;
}

/// A library whose documents are told apart by a field of their metadata.
async fn keyed_library(folder: &Path) -> Library {
    let library = empty_library(folder).await;
    let fields = ["product".to_owned()];
    let declared = library.declare_key(DEFAULT_COLLECTION, &fields);
    declared.await.unwrap();
    let texts = [("anvil", GUIDE), ("hammer", NOTES)];
    let texts = texts.map(|(product, text)| format!("---\nproduct: {product}\n---\n\n{text}"));
    ingest_texts(&library, folder, [&texts[0], &texts[1]]).await;
    library
}

async fn ingest(library: &Library, folder: &Path) {
    let paths = ["guide.md", "notes.md"].map(|name| folder.join(name));
    let report = library.ingest(DEFAULT_COLLECTION, &paths, &|_| ()).await;
    assert_eq!(report.unwrap().failed, []);
}

async fn faults(library: &Library) -> Vec<Misfit> {
    library.verify(&|_, _| ()).await.unwrap()
}

async fn is_found(library: &Library, question: &str) -> bool {
    let found = library.search(&SearchRequest::new(question)).await;
    !found.unwrap().hits.is_empty()
}

/// Writes a document as it is, with other terms in the index.
async fn spoil_index(library: &Library, name: &str) {
    let documents = library.documents(&Scope::all()).await.unwrap();
    let document = documents
        .iter()
        .find(|one| one.uri.ends_with(name))
        .unwrap();
    let mut first = library.made_again(document).await.unwrap().indexed;
    first.index_version = "another".to_owned();
    library.store().put(vec![first]).await.unwrap();
    let mut spoiled = library.made_again(document).await.unwrap().indexed;
    for chunk in spoiled
        .sections
        .iter_mut()
        .flat_map(|section| &mut section.chunks)
    {
        chunk.terms = "spoiled".to_owned();
    }
    library.store().put(vec![spoiled]).await.unwrap();
}

#[tokio::test]
async fn what_is_not_found_is_indexed_again() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    assert!(faults(&library).await.is_empty());
    spoil_index(&library, "guide.md").await;
    assert!(!is_found(&library, "deploys").await);
    let misfits = faults(&library).await;
    assert_eq!(misfits.len(), 1);
    assert!(misfits[0].document.uri.ends_with("guide.md"));
    assert!(matches!(misfits[0].fault, Fault::Index(_)), "{misfits:?}");
    let done = library.repair(&misfits).await.unwrap();
    assert_eq!((done.indexed, done.marked), (1, 0));
    assert!(is_found(&library, "deploys").await);
    assert!(faults(&library).await.is_empty());
}

#[tokio::test]
async fn what_changes_meanwhile_is_compared_again_after_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    spoil_index(&library, "notes.md").await;
    let mut documents = library.store().found_documents().await.unwrap();
    for found in &mut documents {
        found.record.tokens += 1;
    }
    let done = std::sync::Mutex::new(Vec::new());
    let on_document = |count: usize, _: usize| done.lock().unwrap().push(count);
    let misfits = library.misfits_of(documents, &on_document).await.unwrap();
    assert_eq!(misfits.len(), 1, "{misfits:?}");
    assert!(misfits[0].document.uri.ends_with("notes.md"));
    assert_eq!(*done.lock().unwrap(), [0, 0, 0, 1, 2]);
}

#[tokio::test]
async fn a_text_that_changed_in_the_store_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let file = rusqlite::Connection::open(folder.path().join("library.db")).unwrap();
    let change = "UPDATE sections SET content = replace(content, 'Tuesdays', 'Thursday')";
    file.execute(&format!("{change} WHERE content LIKE '%Tuesdays%'"), ())
        .map(|changed| assert_eq!(changed, 1))
        .unwrap();
    let misfits = faults(&library).await;
    assert_eq!(misfits.len(), 1);
    let says = misfits[0].fault.to_string();
    assert!(matches!(misfits[0].fault, Fault::Text(_)), "{says}");
    assert!(says.contains("lines 1-4"), "{says}");
    let done = library.repair(&misfits).await.unwrap();
    assert_eq!((done.indexed, done.marked), (0, 1));
    // The source has not changed, and is read all the same.
    ingest(&library, folder.path()).await;
    assert!(faults(&library).await.is_empty());
    assert!(is_found(&library, "Tuesdays").await);
}

/// Changes a store without its knowledge.
fn change(folder: &Path, sql: &str) {
    let file = rusqlite::Connection::open(folder.join("library.db")).unwrap();
    assert!(file.execute(sql, ()).unwrap() > 0, "{sql}");
}

/// Reads a text from a store without its knowledge.
fn read(folder: &Path, sql: &str) -> String {
    let file = rusqlite::Connection::open(folder.join("library.db")).unwrap();
    file.query_row(sql, (), |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn stored_metadata_is_compared() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let guide = "WHERE uri LIKE '%guide.md'";
    for (sql, is_made_again) in [
        ("UPDATE documents SET metadata = '{}'", false),
        (
            "UPDATE documents SET metadata = replace(metadata, 'content_hash', 'another')",
            false,
        ),
        (
            "UPDATE documents SET section_count = 0, chunk_count = 0",
            true,
        ),
        ("UPDATE documents SET token_count = token_count + 1", true),
        ("UPDATE documents SET index_version = 'another'", true),
        ("UPDATE documents SET language = 'de'", false),
        ("UPDATE sections SET first_line = 1, last_line = 2", true),
        ("UPDATE sections SET parent = NULL", true),
        (
            "UPDATE sections SET level = level + 1 WHERE level = 2",
            false,
        ),
    ] {
        let of = if sql.contains("documents") { guide } else { "" };
        change(folder.path(), &format!("{sql} {of}"));
        let misfits = faults(&library).await;
        assert!(!misfits.is_empty(), "{sql}");
        let is_index = |misfit: &Misfit| matches!(misfit.fault, Fault::Index(_));
        assert_eq!(
            misfits.iter().all(is_index),
            is_made_again,
            "{sql}: {misfits:?}"
        );
        library.repair(&misfits).await.unwrap();
        assert_eq!(faults(&library).await.len(), 0, "{sql}");
        ingest(&library, folder.path()).await;
        assert_eq!(faults(&library).await.len(), 0, "{sql}");
    }
}

#[tokio::test]
async fn the_places_of_chunks_and_of_the_heads_of_their_tables_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let library = empty_library(folder.path()).await;
    let row = |row: usize| format!("| anvil{row} | {row} |\n");
    let rows: String = (0..400).map(row).collect();
    let table = format!("# Prices\n\n| product | price |\n|---|---|\n{rows}");
    ingest_texts(&library, folder.path(), [GUIDE, &table]).await;
    assert!(faults(&library).await.is_empty());
    let below_a_head = "WHERE head_start IS NOT NULL";
    for (set, says) in [
        ("head_end = head_end - 1", "with the head of another table"),
        (
            "head_start = NULL, head_end = NULL",
            "with the head of another table",
        ),
        ("head_end = NULL", "head_end"),
        ("span_start = span_start + 1", "at another place"),
    ] {
        change(
            folder.path(),
            &format!("UPDATE chunks SET {set} {below_a_head}"),
        );
        let misfits = faults(&library).await;
        assert_eq!(misfits.len(), 1, "{set}: {misfits:?}");
        let fault = &misfits[0].fault;
        assert!(matches!(fault, Fault::Index(_)), "{set}: {fault:?}");
        assert!(fault.to_string().contains(says), "{set}: {fault}");
        library.repair(&misfits).await.unwrap();
        assert!(faults(&library).await.is_empty(), "{set}");
    }
}

#[tokio::test]
async fn checksums_of_another_release_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let other = "UPDATE documents SET checksum = zeroblob(32)";
    change(folder.path(), other);
    assert!(faults(&library).await.is_empty());
}

/// Gives each chunk that waits for it a vector, and returns how many did.
async fn embed(library: &Library) -> usize {
    let model = EmbeddingModel {
        name: "one".to_owned(),
        dimensions: 2,
        is_normalized: true,
    };
    let (store, encoding) = (library.store(), VectorEncoding::Float32);
    let set = store.set_model(DEFAULT_COLLECTION, &model, encoding);
    set.await.unwrap();
    let pending = store.pending(DEFAULT_COLLECTION, None, 99).await.unwrap();
    let vector = |pending: PendingChunk| ChunkVector {
        chunk: pending.chunk,
        vector: vec![0.6, 0.8],
    };
    let vectors: Vec<_> = pending.into_iter().map(vector).collect();
    let count = vectors.len();
    let put = store.put_vectors(DEFAULT_COLLECTION, &model, vectors);
    put.await.unwrap();
    count
}

#[tokio::test]
async fn damaged_vectors_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    assert!(embed(&library).await > 1);
    assert!(faults(&library).await.is_empty());
    for sql in [
        "UPDATE vectors SET vector = x'0000c07f0000c07f'",
        "UPDATE vectors SET vector = x'00'",
        "UPDATE vectors SET model = 9",
        "UPDATE documents SET vector_count = 9",
        "DELETE FROM vectors",
    ] {
        change(folder.path(), sql);
        let misfits = faults(&library).await;
        let is_of_vectors = |misfit: &Misfit| matches!(misfit.fault, Fault::Vectors(_));
        assert!(misfits.iter().all(is_of_vectors), "{misfits:?}");
        assert_eq!(misfits.len(), 2, "{sql}");
        library.repair(&misfits).await.unwrap();
        assert!(faults(&library).await.is_empty(), "{sql}");
        assert!(embed(&library).await > 1, "{sql}");
        assert!(faults(&library).await.is_empty(), "{sql}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_does_not_keep_the_rest_from_being_compared() {
    for sql in [
        "UPDATE documents SET metadata = CAST(x'7bff7d' AS TEXT) WHERE uri LIKE '%guide.md'",
        "UPDATE documents SET content_hash = x'00' WHERE uri LIKE '%guide.md'",
        "UPDATE documents SET uri = CAST(CAST(uri AS BLOB) || x'ff' AS TEXT) WHERE uri LIKE '%guide.md'",
        "UPDATE sections SET packed = NULL, content = CAST(x'ff' AS TEXT) WHERE content LIKE '%Tuesdays%'",
        "UPDATE sections SET heading_path = 'x' WHERE content LIKE '%Tuesdays%'",
        "UPDATE sections SET uid = x'00' WHERE content LIKE '%Tuesdays%'",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        spoil_index(&library, "notes.md").await;
        change(folder.path(), sql);
        let misfits = faults(&library).await;
        assert_eq!(misfits.len(), 2, "{sql}: {misfits:?}");
        let done = library.repair(&misfits).await.unwrap();
        assert_eq!((done.indexed, done.marked), (1, 1), "{sql}");
        ingest(&library, folder.path()).await;
        assert_eq!(faults(&library).await.len(), 0, "{sql}");
        assert!(is_found(&library, "Tuesdays").await, "{sql}");
    }
}

#[tokio::test]
async fn a_document_that_the_store_does_not_know_any_more_remains() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let damage = "UPDATE documents SET uid = x'00' WHERE uri LIKE '%guide.md'";
    change(folder.path(), damage);
    let misfits = faults(&library).await;
    assert!(
        matches!(
            misfits[..],
            [Misfit {
                fault: Fault::Identity(_),
                ..
            }]
        ),
        "{misfits:?}"
    );
    assert_eq!(library.repair(&misfits).await.unwrap(), LEFT);
    assert_eq!(faults(&library).await.len(), 1);
}

/// Does something to its end, as another process would meanwhile.
fn meanwhile<F: Future>(work: impl FnOnce() -> F + Send) {
    let run = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.unwrap().block_on(work());
    };
    std::thread::scope(|scope| scope.spawn(run).join().unwrap());
}

#[tokio::test]
async fn what_others_change_meanwhile_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let embeds = |done: usize, _: usize| {
        if done == 0 {
            meanwhile(|| embed(&library));
        }
    };
    let misfits = library.verify(&embeds).await.unwrap();
    assert!(misfits.is_empty(), "{misfits:?}");
    let ingests = |done: usize, _: usize| {
        if done == 0 {
            let texts = [
                "# Guide\n\nPenguins swim.\n\n## Install\n\nRun the script.\n",
                NOTES,
            ];
            meanwhile(|| ingest_texts(&library, folder.path(), texts));
        }
    };
    let misfits = library.verify(&ingests).await.unwrap();
    assert!(misfits.is_empty(), "{misfits:?}");
    assert!(is_found(&library, "penguins").await);
    let removes = |done: usize, _: usize| {
        if done == 0 {
            meanwhile(|| async { library.remove(&Scope::all()).await.unwrap() });
        }
    };
    let misfits = library.verify(&removes).await.unwrap();
    assert!(misfits.is_empty(), "{misfits:?}");
}

#[tokio::test]
async fn what_changed_since_it_was_compared_is_not_written_back() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let damage = "UPDATE sections SET content = replace(content, 'Tuesdays', 'Thursday')
        WHERE content LIKE '%Tuesdays%'";
    change(folder.path(), damage);
    let misfits = faults(&library).await;
    assert_eq!(misfits.len(), 1);
    let texts = ["# Guide\n\nDeploys are on Wednesdays.\n", NOTES];
    ingest_texts(&library, folder.path(), texts).await;
    let done = library.repair(&misfits).await.unwrap();
    assert_eq!(done, Repairs::default());
    let documents = library.documents(&Scope::all()).await.unwrap();
    let is_whole = |document: &DocumentRecord| document.error.is_none();
    assert!(documents.iter().all(is_whole), "{documents:?}");
    assert!(is_found(&library, "Wednesdays").await);

    change(folder.path(), &damage.replace("Tuesdays", "Wednesdays"));
    let misfits = faults(&library).await;
    assert_eq!(misfits.len(), 1);
    library.remove(&Scope::all()).await.unwrap();
    let done = library.repair(&misfits).await.unwrap();
    assert_eq!(done, Repairs::default());
    assert_eq!(library.documents(&Scope::all()).await.unwrap(), []);
}

#[tokio::test]
async fn a_memory_that_cannot_be_made_anew_is_left() {
    let unreadable = "UPDATE sections SET packed = NULL, content = CAST(x'61ff' AS TEXT)";
    let uri = "UPDATE documents SET uri = CAST(CAST(uri AS BLOB) || x'ff' AS TEXT)";
    let all =
        "SELECT hex(CAST(uri AS BLOB)) || hex(CAST(content AS BLOB)) || status || index_version
        || (SELECT count(*) FROM documents)
        FROM documents JOIN sections ON sections.document_id = documents.id";
    for damage in [&[unreadable][..], &[unreadable, uri]] {
        let folder = tempfile::tempdir().unwrap();
        let library = empty_library(folder.path()).await;
        let text = "Deploys are on Tuesdays.";
        let kept = library.remember(text, Metadata::default());
        kept.await.unwrap();
        for sql in damage {
            change(folder.path(), sql);
        }
        let before = read(folder.path(), all);
        let misfits = faults(&library).await;
        assert_eq!(misfits.len(), 1, "{damage:?}");
        assert_eq!(library.repair(&misfits).await.unwrap(), LEFT, "{damage:?}");
        assert_eq!(read(folder.path(), all), before, "{damage:?}");
        assert_eq!(faults(&library).await.len(), 1, "{damage:?}");
    }
}

const TUESDAYS: &str =
    "SELECT CAST(count(*) AS TEXT) FROM sections WHERE content LIKE '%Tuesdays%'";

const DAMAGED_URI: &str = "UPDATE documents SET uri = CAST(CAST(uri AS BLOB) || x'ff' AS TEXT)
    WHERE uri LIKE '%guide.md'";

#[tokio::test]
async fn a_text_stays_if_the_repair_of_its_uri_breaks_off() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    change(folder.path(), DAMAGED_URI);
    let misfits = faults(&library).await;
    let file = rusqlite::Connection::open(folder.path().join("library.db")).unwrap();
    let stop = "CREATE TRIGGER stop BEFORE INSERT ON documents
        BEGIN SELECT RAISE(ABORT, 'stopped'); END";
    file.execute_batch(stop).unwrap();
    library.repair(&misfits).await.unwrap_err();
    assert_eq!(read(folder.path(), TUESDAYS), "1");
    file.execute_batch("DROP TRIGGER stop").unwrap();
    let done = library.repair(&misfits).await.unwrap();
    assert_eq!((done.indexed, done.marked, done.left), (0, 1, 0));
    assert_eq!(read(folder.path(), TUESDAYS), "1");
    assert_eq!(faults(&library).await.len(), 0);
}

#[tokio::test]
async fn a_document_that_lacks_its_key_is_left_and_the_others_are_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let library = keyed_library(folder.path()).await;
    spoil_index(&library, "notes.md").await;
    let damage = "UPDATE documents SET metadata = CAST(x'7bff7d' AS TEXT)
        WHERE uri LIKE '%guide.md'";
    change(folder.path(), damage);
    let misfits = faults(&library).await;
    assert_eq!(misfits.len(), 2, "{misfits:?}");
    let done = library.repair(&misfits).await.unwrap();
    assert_eq!((done.indexed, done.marked, done.left), (1, 0, 1));
    let misfits = faults(&library).await;
    assert_eq!(misfits.len(), 1, "{misfits:?}");
    // Without its key, it is not written under another URI, either.
    change(folder.path(), DAMAGED_URI);
    let misfits = faults(&library).await;
    assert_eq!(library.repair(&misfits).await.unwrap(), LEFT);
    assert_eq!(read(folder.path(), TUESDAYS), "1");
}

#[tokio::test]
async fn a_document_with_a_key_is_written_under_another_uri() {
    let folder = tempfile::tempdir().unwrap();
    let library = keyed_library(folder.path()).await;
    change(folder.path(), DAMAGED_URI);
    let misfits = faults(&library).await;
    let done = library.repair(&misfits).await.unwrap();
    assert_eq!((done.indexed, done.marked, done.left), (0, 1, 0));
    assert_eq!(read(folder.path(), TUESDAYS), "1");
    assert_eq!(faults(&library).await.len(), 0);
}
