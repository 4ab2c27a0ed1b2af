//! Files with pages that SQLite cannot read.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// The types of the pages of SQLite that are leaves: those of tables and of indexes.
const TABLE_LEAF: u8 = 13;
const INDEX_LEAF: u8 = 10;

/// Makes a library of sixty documents, whose texts and names are on several pages each.
async fn many(folder: &Path) {
    let docs = folder.join("docs");
    std::fs::create_dir(&docs).unwrap();
    for number in 0..60_u32 {
        let name = format!("page-{number:02}-{}.md", "x".repeat(100));
        // Words that no compression makes shorter.
        let words = (1..=50).map(|word| (50 * number + word).wrapping_mul(2_654_435_761));
        let words: Vec<String> = words.map(|word| format!("{word:08x}")).collect();
        let words = words.join(" ");
        let text = format!("# Page\n\nMarker{number:02} stands here.\n\n{words}\n");
        std::fs::write(docs.join(name), text).unwrap();
    }
    let library = empty_library(folder).await;
    let report = library.ingest(DEFAULT_COLLECTION, &[docs], &|_| ()).await;
    assert_eq!(report.unwrap().added, 60);
}

/// Makes the leaves of a kind unreadable that hold a text.
fn damage(folder: &Path, kind: u8, text: &str) {
    let path = folder.join("library.db");
    let file = rusqlite::Connection::open(&path).unwrap();
    let number = |sql| file.query_row(sql, (), |row| row.get::<_, u32>(0)).unwrap();
    assert_eq!(number("PRAGMA wal_checkpoint(TRUNCATE)"), 0);
    let size = number("PRAGMA page_size") as usize;
    drop(file);
    let mut bytes = std::fs::read(&path).unwrap();
    let mut count = 0;
    for page in bytes.chunks_exact_mut(size) {
        let mut parts = page.windows(text.len());
        let has_text = parts.any(|part| part == text.as_bytes());
        if page[0] == kind && has_text {
            page[0] = 0;
            count += 1;
        }
    }
    assert!(count > 0, "{text}");
    std::fs::write(&path, bytes).unwrap();
}

#[tokio::test]
async fn the_documents_on_a_damaged_page_are_named_and_the_rest_is_compared() {
    for text in ["Marker30", "/docs/page-30-"] {
        let folder = tempfile::tempdir().unwrap();
        many(folder.path()).await;
        damage(folder.path(), TABLE_LEAF, text);
        let library = empty_library(folder.path()).await;
        let misfits = faults(&library).await;
        let is_it = |misfit: &Misfit| misfit.document.uri.contains("page-30-");
        assert!(misfits.iter().any(is_it), "{text}: {misfits:?}");
        assert!(misfits.len() < 30, "{text}: {misfits:?}");
        for misfit in &misfits {
            assert!(matches!(misfit.fault, Fault::Unreadable(_)), "{misfit:?}");
            assert_eq!(misfit.document.collection, DEFAULT_COLLECTION);
        }
        let done = library.repair(&misfits).await.unwrap();
        assert_eq!((done.indexed, done.marked), (0, 0), "{text}");
        assert_eq!(done.left, misfits.len(), "{text}");
    }
}

#[tokio::test]
async fn documents_are_compared_though_the_index_of_their_names_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    many(folder.path()).await;
    // The rows can still be read without the index of URIs.
    damage(folder.path(), INDEX_LEAF, "/docs/page-");
    let library = empty_library(folder.path()).await;
    let compared = AtomicUsize::new(0);
    let on_document = |done, _| compared.store(done, Ordering::Relaxed);
    let misfits = library.verify(&on_document).await.unwrap();
    assert_eq!(compared.into_inner(), 60);
    let is_of_index = |misfit: &Misfit| matches!(misfit.fault, Fault::UnreadableIndex(_));
    assert!(misfits.iter().all(is_of_index), "{misfits:?}");
}
