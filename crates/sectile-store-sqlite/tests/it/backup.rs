//! Copies of a store's file.

use std::fs;
use std::path::{Path, PathBuf};

use sectile_sqlite::rusqlite::Connection;
use sectile_store::{Error, Store as _};
use sectile_store_sqlite::{SqliteStore, back_up};
use tempfile::TempDir;

use crate::file::document;

fn files() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (
        folder.path().join("store.db"),
        folder.path().join("copy.db"),
    );
    (folder, path, copy)
}

async fn store_with(path: &Path, uris: &[&str]) -> SqliteStore {
    let store = SqliteStore::open(path).await.unwrap();
    for uri in uris {
        let added = document(uri, &[("Apples", "are picked in autumn")]);
        store.put(vec![added]).await.unwrap();
    }
    store
}

/// Returns the names in a folder, in order.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> = entries
        .map(|entry| name(entry).into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_has_what_an_open_store_has_acknowledged_and_all_other_tables() {
    let (folder, path, copy) = files();
    let store = store_with(&path, &["a", "b"]).await;
    let runs = "CREATE TABLE runs (number INTEGER); INSERT INTO runs VALUES (7)";
    Connection::open(&path)
        .unwrap()
        .execute_batch(runs)
        .unwrap();
    store
        .put(vec![document("c", &[("Pears", "keep")])])
        .await
        .unwrap();
    // What was written last is in the write-ahead log alone.
    let log = folder.path().join("store.db-wal");
    assert!(fs::metadata(log).unwrap().len() > 0);

    let bytes = back_up(&path, &copy).await.unwrap();
    assert_eq!(bytes, fs::metadata(&copy).unwrap().len());
    let expected = ["copy.db", "store.db", "store.db-shm", "store.db-wal"];
    assert_eq!(names(&folder), expected);

    // What is written later is not in it.
    store
        .put(vec![document("d", &[("Plums", "do not")])])
        .await
        .unwrap();
    let copied = SqliteStore::open(&copy).await.unwrap();
    assert_eq!(copied.totals().await.unwrap().documents, 3);
    assert_eq!(store.totals().await.unwrap().documents, 4);
    let damage = copied.health().await.unwrap().damage;
    assert!(damage.is_empty(), "{damage:?}");
    let number = Connection::open(&copy)
        .unwrap()
        .query_row("SELECT number FROM runs", [], |row| row.get::<_, i64>(0));
    assert_eq!(number.unwrap(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_replaces_no_file() {
    let (folder, path, copy) = files();
    let _store = store_with(&path, &["a"]).await;
    for name in ["copy.db", "store.db"] {
        let taken = folder.path().join(name);
        if name == "copy.db" {
            fs::write(&copy, "mine").unwrap();
        }
        let error = back_up(&path, &taken).await.unwrap_err();
        assert!(
            matches!(&error, Error::Copy { path, .. } if *path == taken),
            "{error}"
        );
        assert!(error.to_string().contains("exists already"), "{error}");
    }
    assert_eq!(fs::read_to_string(&copy).unwrap(), "mine");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_fails_leaves_nothing() {
    let (folder, path, copy) = files();
    let missing = folder.path().join("none").join("copy.db");
    drop(store_with(&path, &["a"]).await);
    let error = back_up(&path, &missing).await.unwrap_err();
    assert!(matches!(error, Error::Copy { .. }), "{error}");

    let text = folder.path().join("notes.txt");
    fs::write(&text, "A text that is no database.").unwrap();
    for other in [text, folder.path().join("none.db")] {
        let error = back_up(&other, &copy).await.unwrap_err();
        assert!(matches!(error, Error::InvalidUrl { .. }), "{error}");
    }
    let left = names(&folder);
    let is_of_copy = |name: &String| name.starts_with("copy.db") || name == "none";
    assert!(!left.iter().any(is_of_copy), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_takes_the_place_of_one_that_was_interrupted() {
    let (folder, path, copy) = files();
    let _store = store_with(&path, &["a"]).await;
    fs::write(folder.path().join("copy.db.part"), "SQLite form").unwrap();
    back_up(&path, &copy).await.unwrap();
    let copied = SqliteStore::open(&copy).await.unwrap();
    assert_eq!(copied.totals().await.unwrap().documents, 1);
    assert!(!folder.path().join("copy.db.part").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_copy_stays_where_one_would_be_written() {
    let (folder, path, copy) = files();
    let _store = store_with(&path, &["a"]).await;
    let part = folder.path().join("copy.db.part");
    fs::write(&part, "half of a download").unwrap();
    let error = back_up(&path, &copy).await.unwrap_err();
    let said = error.to_string();
    assert!(matches!(error, Error::Copy { .. }), "{said}");
    assert!(said.contains("copy.db.part` is in its place"), "{said}");
    assert_eq!(fs::read_to_string(&part).unwrap(), "half of a download");
    fs::remove_file(&part).unwrap();
    fs::create_dir(&part).unwrap();
    assert!(back_up(&path, &copy).await.is_err());
    assert!(part.is_dir() && !copy.exists());
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_may_be_read_by_those_who_may_read_the_store() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, path, _) = files();
    let _store = store_with(&path, &["a"]).await;
    for mode in [0o600, 0o640] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let copy = folder.path().join(format!("{mode:o}.db"));
        back_up(&path, &copy).await.unwrap();
        let found = fs::metadata(&copy).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode);
    }
}
