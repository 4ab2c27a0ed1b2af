//! What reading leaves as it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sectile_sqlite::rusqlite::Connection;
use sectile_store::{Note, Scope, SearchRequest, Store};
use sectile_store_sqlite::SqliteStore;

use crate::file::{document, query};

/// Makes a store of one document, and closes it.
async fn stored(path: &Path) {
    let store = SqliteStore::open(path).await.unwrap();
    let apple = document("d", &[("A", "apple")]);
    store.put(vec![apple]).await.unwrap();
    store.close().await.unwrap();
}

async fn apples(store: &SqliteStore) -> usize {
    let found = store.search(&SearchRequest::new("apple")).await;
    found.unwrap().hits.len()
}

/// Returns the files of a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    paths
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

#[tokio::test]
async fn who_reads_neither_waits_for_a_writer_nor_changes_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    stored(&path).await;
    let before = fs::read(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // The other connection holds the file for all of this. A call that waited for it would fail.
    for opened in [
        SqliteStore::open(&path).await,
        SqliteStore::open_lazily(&path).await,
        SqliteStore::open_to_read(&path).await,
    ] {
        let store = opened.unwrap();
        assert_eq!(apples(&store).await, 1);
        assert_eq!(store.totals().await.unwrap().documents, 1);
        store.close().await.unwrap();
    }
    other.execute_batch("ROLLBACK").unwrap();
    drop(other);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn the_way_a_file_is_written_stays_until_it_is_opened_to_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    stored(&path).await;
    let pragma = "PRAGMA journal_mode";
    let to_delete = "PRAGMA journal_mode = DELETE";
    assert_eq!(query::<String>(&path, to_delete), ["delete"]);
    let before = files(folder.path());
    let store = SqliteStore::open_to_read(&path).await.unwrap();
    assert_eq!(apples(&store).await, 1);
    store.close().await.unwrap();
    assert_eq!(files(folder.path()), before);
    let store = SqliteStore::open_lazily(&path).await.unwrap();
    store.close().await.unwrap();
    assert_eq!(query::<String>(&path, pragma), ["wal"]);
}

/// Makes a file that has checkpoints alone.
fn with_checkpoints(path: &Path) {
    let mut connection = Connection::open(path).unwrap();
    let schema = &sectile_migrations::CHECKPOINT_SQLITE;
    let tables = sectile_migrations::Tables::default();
    sectile_migrations::sqlite::migrate(&mut connection, schema, &tables).unwrap();
}

#[tokio::test]
async fn a_file_without_a_store_is_an_empty_one_until_something_is_written() {
    let missing: fn(&Path) = |_| ();
    let empty: fn(&Path) = |path| fs::write(path, "").unwrap();
    for make in [missing, empty, with_checkpoints] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        make(&path);
        let before = files(folder.path());
        let size = before.get(&path).map_or(0, Vec::len) as u64;
        for opened in [
            SqliteStore::open_to_read(&path).await,
            SqliteStore::open_lazily(&path).await,
        ] {
            let store = opened.unwrap();
            let id = document("d", &[]).id;
            assert_eq!(apples(&store).await, 0);
            assert_eq!(store.remove(&[id]).await.unwrap(), 0);
            store.put(Vec::new()).await.unwrap();
            store.put_note(&Note::new("tests", "", "")).await.unwrap();
            store.remove_vectors("tests").await.unwrap();
            store.optimize().await.unwrap();
            let totals = store.totals().await.unwrap();
            assert_eq!((totals.documents, totals.bytes), (0, size));
            store.close().await.unwrap();
        }
        assert_eq!(files(folder.path()), before);
        let store = SqliteStore::open_lazily(&path).await.unwrap();
        let apple = document("d", &[("A", "apple")]);
        store.put(vec![apple]).await.unwrap();
        assert_eq!(apples(&store).await, 1);
        assert_eq!(query::<String>(&path, "PRAGMA journal_mode"), ["wal"]);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_store_that_another_process_makes_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open_to_read(&path).await.unwrap();
    assert_eq!(store.documents(&Scope::all()).await.unwrap(), []);
    stored(&path).await;
    assert_eq!(apples(&store).await, 1);
}
