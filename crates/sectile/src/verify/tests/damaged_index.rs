//! Indexes that are damaged, of texts that are intact.

use super::*;

/// Damage to the index of a collection whose texts are intact.
const INDEX_DAMAGE: [&str; 9] = [
    "UPDATE words SET words = x'00112233'",
    "DELETE FROM words",
    "UPDATE pages SET lengths = x'0101'",
    "UPDATE pages SET numbers = x'010101'",
    "DELETE FROM pages",
    "UPDATE segments SET chunks = chunks + 1",
    "UPDATE blocks SET entries = substr(entries, 1, length(entries) - 1)",
    "UPDATE blocks SET positions = substr(positions, 2)",
    "DELETE FROM blocks",
];

#[tokio::test]
async fn an_index_that_cannot_be_read_is_built_anew_from_the_texts() {
    for sql in INDEX_DAMAGE {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let memory = library.remember("Penguins swim.", Metadata::default());
        memory.await.unwrap();
        let vectors = embed(&library).await;
        change(folder.path(), sql);
        // What was read before is in memory.
        let library = empty_library(folder.path()).await;
        let misfits = faults(&library).await;
        let is_of_collection = |misfit: &Misfit| matches!(misfit.fault, Fault::Collection(_));
        assert!(misfits.iter().all(is_of_collection), "{sql}: {misfits:?}");
        assert_eq!(misfits.len(), 3, "{sql}");
        let done = library.repair(&misfits).await.unwrap();
        assert_eq!((done.indexed, done.marked, done.left), (3, 0, 0), "{sql}");
        assert_eq!(faults(&library).await.len(), 0, "{sql}");
        for word in ["Tuesdays", "tuesdys", "penguins"] {
            assert!(is_found(&library, word).await, "{sql}: {word}");
        }
        let documents = library.documents(&Scope::all()).await.unwrap();
        let is_whole = |of: &DocumentRecord| library.is_current(of) && !is_being_repaired(of);
        assert!(documents.iter().all(is_whole), "{sql}: {documents:?}");
        let noted: usize = documents.iter().map(|of| of.vectors).sum();
        assert_eq!(noted, vectors, "{sql}");
    }
}

#[tokio::test]
async fn a_position_that_changed_is_a_fault_of_its_document() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let file = rusqlite::Connection::open(folder.path().join("library.db")).unwrap();
    let read = "SELECT segment, last_term, positions FROM blocks";
    let (segment, term, mut positions): (i64, String, Vec<u8>) = file
        .query_row(read, (), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap();
    // Another number of one byte can be read as well.
    *positions.last_mut().unwrap() ^= 1;
    let write = "UPDATE blocks SET positions = ?3 WHERE segment = ?1 AND last_term = ?2";
    file.execute(write, (segment, term, positions)).unwrap();
    let misfits = faults(&library).await;
    assert_eq!(misfits.len(), 1, "{misfits:?}");
    assert!(matches!(misfits[0].fault, Fault::Index(_)), "{misfits:?}");
    library.repair(&misfits).await.unwrap();
    assert_eq!(faults(&library).await.len(), 0);
}

#[tokio::test]
async fn a_repair_that_was_broken_off_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let dropped = library.store().drop_index(DEFAULT_COLLECTION);
    dropped.await.unwrap();
    let documents = library.documents(&Scope::all()).await.unwrap();
    assert!(documents.iter().all(is_being_repaired));
    let misfits = faults(&library).await;
    assert_eq!(misfits.len(), 2, "{misfits:?}");
    library.repair(&misfits).await.unwrap();
    assert_eq!(faults(&library).await.len(), 0);
    assert!(is_found(&library, "Tuesdays").await);
}
