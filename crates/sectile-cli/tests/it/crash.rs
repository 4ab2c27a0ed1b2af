//! What is left when the program is killed.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sectile::{Library, Scope};
use sqlx::{Connection as _, SqliteConnection};

use crate::workplace::Workplace;

const FILES: usize = 500;
const KILLS: usize = 30;

/// The text of a file in one version: every part of it names the version.
fn text(file: usize, version: usize) -> String {
    let section = |part| format!("## Part {part}\n\nFile {file} in version {version}.\n\n");
    (0..4).fold(
        format!("# File {file}, version {version}\n\n"),
        |text, part| text + &section(part),
    )
}

fn write_files(folder: &Path, version: usize) {
    for file in 0..FILES {
        std::fs::write(folder.join(format!("{file}.md")), text(file, version)).unwrap();
    }
}

fn ingest(folder: &Path, store: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sectile"));
    command.args(["ingest", "--store", store]).arg(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[cfg(unix)]
#[test]
fn an_interrupted_ingest_says_what_is_left_and_goes_on() {
    // A model that never answers keeps the ingest from ending.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let model = format!("http://{}/v1#m", silent.local_addr().unwrap());
    let place = Workplace::new();
    let mut command = place.command(&["ingest", "docs", "--embedder", &model]);
    let child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn();
    let mut child = child.unwrap();
    let asked = silent.accept().unwrap();
    let interrupt = ["-INT", &child.id().to_string()];
    assert!(
        Command::new("kill")
            .args(interrupt)
            .status()
            .unwrap()
            .success()
    );
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_mins(1), "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(asked);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.contains("interrupted; finished work is in the store"),
        "{said}"
    );
    assert!(place.stdout(&["ingest", "docs"]).contains(" 0 failed"));
}

/// Reads every document back: the file's number with the version it is whole in.
async fn versions(store: &str, newest: usize) -> HashMap<usize, usize> {
    let library = Library::open(store).await.unwrap();
    let mut versions = HashMap::new();
    for document in library.documents(&Scope::all()).await.unwrap() {
        let content = library
            .store()
            .content(document.id, 0..100)
            .await
            .unwrap()
            .concat();
        let name = sectile::document_path(&document.uri).unwrap();
        let file: usize = name.file_stem().unwrap().to_str().unwrap().parse().unwrap();
        let version = (0..=newest)
            .rev()
            .find(|&version| text(file, version) == content);
        versions.insert(
            file,
            version.unwrap_or_else(|| panic!("{file} is torn: {content:?}")),
        );
    }
    versions
}

async fn check_integrity(store: &str) {
    let mut connection = SqliteConnection::connect(store).await.unwrap();
    for pragma in ["PRAGMA integrity_check", "PRAGMA foreign_key_check"] {
        let found: Vec<String> = sqlx::query_scalar(pragma)
            .fetch_all(&mut connection)
            .await
            .unwrap();
        assert!(found.is_empty() || found == ["ok"], "{pragma}: {found:?}");
    }
    // Every chunk is in the index, and what else the index has is known to be dead.
    let count = "SELECT (SELECT count(*) FROM chunks) + (SELECT count(*) FROM dead_chunks)
        - (SELECT sum(chunks) FROM segments)";
    let difference: i64 = sqlx::query_scalar(count)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(difference, 0, "chunks and index differ");
}

/// Returns a moment in the first `longest` of an ingest.
fn random_moment(longest: Duration, round: usize) -> Duration {
    let random = RandomState::new().hash_one(round) as f64 / u64::MAX as f64;
    longest.mul_f64(random)
}

#[tokio::test]
async fn a_killed_ingest_leaves_every_document_whole() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    std::fs::create_dir(&docs).unwrap();
    let store = format!("sqlite:{}", folder.path().join("store.db").display());
    write_files(&docs, 0);
    let start = Instant::now();
    assert!(ingest(&docs, &store).status().unwrap().success());
    let longest = start.elapsed();

    let mut before = versions(&store, 0).await;
    assert_eq!(before.len(), FILES);
    for round in 1..=KILLS {
        write_files(&docs, round);
        let mut child = ingest(&docs, &store).spawn().unwrap();
        std::thread::sleep(random_moment(longest, round));
        // On Unix this is SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
        let after = versions(&store, round).await;
        assert_eq!(after.len(), FILES);
        for (file, version) in &after {
            let is_old_or_new = *version == before[file] || *version == round;
            assert!(
                is_old_or_new,
                "{file} went from {} to {version}",
                before[file]
            );
        }
        check_integrity(&store).await;
        before = after;
    }
    assert!(ingest(&docs, &store).status().unwrap().success());
    let mended = versions(&store, KILLS).await;
    assert!(mended.values().all(|&version| version == KILLS));
}
