//! Many processes on one store at once.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use sectile::{Hit, Library, Scope, SearchRequest};
use tempfile::TempDir;

/// How many ingest, half of them the same folder, and how many search meanwhile.
const WRITERS: usize = 8;
const READERS: usize = 8;

/// How many files a folder has.
const FILES: usize = 40;

/// How often each reader asks.
const QUESTIONS: usize = 5;

fn text(folder: usize, file: usize) -> String {
    let part = |part| format!("## Part {part}\n\nApple {file} of {folder}, and pear {part}.\n\n");
    (0..5).fold(format!("# File {file}\n\n"), |text, number| {
        text + &part(number)
    })
}

/// Writes a folder that all ingest and one for each of the others.
fn write_folders(root: &Path) {
    for folder in 0..=WRITERS / 2 {
        let path = root.join(folder.to_string());
        std::fs::create_dir(&path).unwrap();
        for file in 0..FILES {
            std::fs::write(path.join(format!("{file}.md")), text(folder, file)).unwrap();
        }
    }
}

fn start(store: &str, arguments: &[&str], folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sectile"));
    command.args(["--store", store]).args(arguments).arg(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn check(output: &Output, codes: &[i32]) {
    let code = output.status.code();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        codes.iter().any(|&expected| code == Some(expected)),
        "{code:?}: {said}"
    );
}

/// Reads all there is: each document with its text, and the hits of some questions without what
/// each store has for itself.
async fn state(store: &str) -> (Vec<(String, String)>, Vec<Vec<Hit>>) {
    let library = Library::open(store).await.unwrap();
    let mut documents = Vec::new();
    for document in library.documents(&Scope::all()).await.unwrap() {
        let content = library.store().content(document.id, 0..100).await.unwrap();
        documents.push((document.uri, content.concat()));
    }
    let mut answers = Vec::new();
    for question in ["apple 7", "\"pear 3\" -apple", "file AND part"] {
        let request = SearchRequest::new(question).with_limit(50);
        let mut hits = library.search(&request).await.unwrap().hits;
        for hit in &mut hits {
            let none = sectile::core::DocumentId::new(0, [0; 10]);
            hit.document.id = none;
            for other in &mut hit.same_text {
                other.document.id = none;
            }
        }
        answers.push(hits);
    }
    (documents, answers)
}

async fn many_processes_leave_what_one_leaves(folder: &TempDir, store: &str) {
    write_folders(folder.path());
    let folder_of = |writer: usize| {
        let number = if writer.is_multiple_of(2) {
            0
        } else {
            writer.div_ceil(2)
        };
        folder.path().join(number.to_string())
    };
    let writers: Vec<Child> = (0..WRITERS)
        .map(|writer| start(store, &["ingest"], &folder_of(writer)))
        .collect();
    for _ in 0..QUESTIONS {
        let readers: Vec<Child> = (0..READERS)
            .map(|_| start(store, &["search"], Path::new("apple pear")))
            .collect();
        for reader in readers {
            // There may be nothing to be found yet.
            check(&reader.wait_with_output().unwrap(), &[0, 1]);
        }
    }
    for writer in writers {
        check(&writer.wait_with_output().unwrap(), &[0]);
    }

    let alone = format!("sqlite:{}", folder.path().join("alone.db").display());
    for writer in 0..WRITERS {
        let child = start(&alone, &["ingest"], &folder_of(writer));
        check(&child.wait_with_output().unwrap(), &[0]);
    }
    let (found, expected) = (state(store).await, state(&alone).await);
    assert_eq!(expected.0.len(), FILES * (WRITERS / 2 + 1));
    assert_eq!(found, expected);
}

#[tokio::test]
async fn many_processes_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("store.db").display());
    many_processes_leave_what_one_leaves(&folder, &store).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn many_processes_share_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let store = sectile_test_postgres::database().await.unwrap();
    many_processes_leave_what_one_leaves(&folder, &store).await;
}

/// How many processes share a folder.
#[cfg(feature = "postgres")]
const SHARING: usize = 4;

/// Starts processes that share a folder.
#[cfg(feature = "postgres")]
fn share(store: &str, folder: &Path) -> Vec<Child> {
    let arguments = ["ingest", "--shared", "--json"];
    (0..SHARING)
        .map(|_| start(store, &arguments, folder))
        .collect()
}

/// Waits for a process, and returns what it says it did.
#[cfg(feature = "postgres")]
fn report(process: Child) -> serde_json::Value {
    let output = process.wait_with_output().unwrap();
    check(&output, &[0]);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Ingests a folder by one process into a file of its own.
#[cfg(feature = "postgres")]
async fn state_of_one(folder: &Path) -> (Vec<(String, String)>, Vec<Vec<Hit>>) {
    let other = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", other.path().join("alone.db").display());
    check(
        &start(&store, &["ingest"], folder)
            .wait_with_output()
            .unwrap(),
        &[0],
    );
    state(&store).await
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn processes_that_share_a_folder_read_each_file_once() {
    let folder = tempfile::tempdir().unwrap();
    write_folders(folder.path());
    let files = (FILES * (WRITERS / 2 + 1)) as u64;
    let store = sectile_test_postgres::database().await.unwrap();
    let reports = share(&store, folder.path()).into_iter().map(report);
    let added = reports.map(|report| report["added"].as_u64().unwrap());
    assert_eq!(added.sum::<u64>(), files);
    assert_eq!(state(&store).await, state_of_one(folder.path()).await);

    // The next one looks at all again, also at the last file, which is not in the share that changes.
    let last = folder.path().join(format!("{}/9.md", WRITERS / 2));
    std::fs::remove_file(folder.path().join("0/0.md")).unwrap();
    std::fs::write(last, "# File 9\n\nApple 7.\n").unwrap();
    let again = report(start(
        &store,
        &["ingest", "--shared", "--json"],
        folder.path(),
    ));
    for (name, expected) in [("removed", 1), ("updated", 1), ("unchanged", files - 2)] {
        assert_eq!(again[name], expected, "{name}: {again}");
    }
    assert_eq!(state(&store).await, state_of_one(folder.path()).await);
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn each_process_names_the_files_that_another_one_could_not_read() {
    let folder = tempfile::tempdir().unwrap();
    write_folders(folder.path());
    std::fs::write(folder.path().join("0/broken.pdf"), "%PDF-1.7\nbroken").unwrap();
    let store = sectile_test_postgres::database().await.unwrap();
    for child in share(&store, folder.path()) {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let failed = report["failed"].as_array().unwrap();
        assert_eq!(failed.len(), 1, "{report}");
        let name = failed[0][0].as_str().unwrap();
        assert!(name.ends_with("0/broken.pdf"), "{report}");
    }
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn documents_of_one_shared_folder_that_is_empty_now_stay_where_another_has_files() {
    let held = tempfile::tempdir().unwrap();
    let folders = ["docs", "other"].map(|name| held.path().join(name));
    for folder in &folders {
        std::fs::create_dir(folder).unwrap();
        for file in 0..11 {
            std::fs::write(folder.join(format!("{file}.md")), text(0, file)).unwrap();
        }
    }
    let store = sectile_test_postgres::database().await.unwrap();
    let library = Library::open(&store).await.unwrap();
    let ingest = async || {
        let report = library.ingest_shared("docs", &folders, &|_| ()).await;
        report.unwrap()
    };
    assert_eq!(ingest().await.added, 22);
    for file in 0..11 {
        std::fs::remove_file(folders[0].join(format!("{file}.md"))).unwrap();
    }
    std::fs::remove_file(folders[1].join("0.md")).unwrap();
    let report = ingest().await;
    assert_eq!(
        (report.unchanged, report.removed, report.kept.len()),
        (10, 1, 11)
    );
}

#[cfg(all(unix, feature = "postgres"))]
#[tokio::test]
async fn what_a_link_led_to_before_is_removed_from_what_is_shared() {
    let held = tempfile::tempdir().unwrap();
    for (release, files) in [("rel1", 3), ("rel2", 2)] {
        let folder = held.path().join(release);
        std::fs::create_dir(&folder).unwrap();
        for file in 0..files {
            std::fs::write(folder.join(format!("{file}.md")), text(0, file)).unwrap();
        }
    }
    let current = [held.path().join("current")];
    let link = |release: &str| {
        let _ = std::fs::remove_file(&current[0]);
        std::os::unix::fs::symlink(held.path().join(release), &current[0]).unwrap();
    };
    let store = sectile_test_postgres::database().await.unwrap();
    let library = Library::open(&store).await.unwrap();
    let ingest = async || {
        let report = library.ingest_shared("docs", &current, &|_| ()).await;
        let report = report.unwrap();
        [report.added, report.unchanged, report.removed]
    };
    link("rel1");
    assert_eq!(ingest().await, [3, 0, 0]);
    link("rel2");
    assert_eq!(ingest().await, [2, 0, 3]);
    assert_eq!(ingest().await, [0, 2, 0]);
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn what_a_process_that_dies_had_in_hand_another_one_does() {
    use sectile::store::JobState;

    let folder = tempfile::tempdir().unwrap();
    write_folders(folder.path());
    let store = sectile_test_postgres::database().await.unwrap();
    let library = Library::open(&store).await.unwrap();
    let mut processes = share(&store, folder.path());
    let begun = std::time::Instant::now();
    while library.jobs().await.unwrap().is_empty() {
        assert!(
            begun.elapsed() < std::time::Duration::from_mins(2),
            "nothing is offered"
        );
    }
    processes[0].kill().unwrap();
    processes.remove(0).wait().unwrap();
    for process in processes {
        report(process);
    }
    let jobs = library.jobs().await.unwrap();
    assert!(!jobs.is_empty());
    assert!(
        jobs.iter().all(|job| job.state == JobState::Done),
        "{jobs:?}"
    );
    assert_eq!(state(&store).await, state_of_one(folder.path()).await);
}

#[test]
fn a_site_is_not_shared() {
    let arguments = ["ingest", "--shared", "https://docs.example.org"];
    let child = start("sqlite:none.db", &arguments, Path::new("."));
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("--shared is for files"), "{said}");
}
