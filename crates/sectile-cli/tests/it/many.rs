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
