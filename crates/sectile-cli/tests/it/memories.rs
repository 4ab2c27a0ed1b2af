//! Texts that are kept: each once, on both engines.

use std::process::{Command, Stdio};

use sectile::core::{Document, DocumentId, Metadata};
use sectile::{Kept, KeptOutcome, Library, MEMORIES, Scope};
use serde_json::Value;

use super::workplace::{Workplace, stderr};

const TEXT: &str = "Deploys are on Tuesdays.";

/// How many processes keep a text at once.
const PROCESSES: usize = 8;

fn noted(source: &str) -> Metadata {
    Metadata {
        extra: [("source".to_owned(), source.into())].into(),
        ..Metadata::default()
    }
}

async fn memories(library: &Library) -> Vec<sectile::store::DocumentRecord> {
    let scope = Scope::collection(MEMORIES);
    library.documents(&scope).await.unwrap()
}

#[test]
fn a_memory_is_read_and_removed_by_its_own_name() {
    let place = Workplace::new();
    let id = place.stdout(&["remember", TEXT]);
    let name = format!("memory:{}", id.trim());
    assert!(place.stdout(&["get", &name]).contains(TEXT));
    place.stdout(&["toc", &name]);
    place.stdout(&["note", "Still true", "--in", &name]);
    assert_eq!(
        place.stdout(&["note", "--in", &name]),
        format!("{name}: Still true\n")
    );
    place.stdout(&["rm", &name, "--yes"]);
    place.stderr(&["get", &name], 2);
}

#[test]
fn a_memory_has_the_date_of_its_storage_and_undated_documents_are_counted() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    place.stdout(&["remember", TEXT]);
    for (arguments, code, printed) in [
        (
            &["search", "deploys", "--filter", "since=2020"][..],
            0,
            "Deploys",
        ),
        (&["list", "--filter", "since=2020"], 0, "memory:"),
        (&["search", "deploys", "--filter", "until=2020"], 1, ""),
        (&["list", "--filter", "until=2020"], 1, ""),
    ] {
        let output = place.run(arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(
            said.contains("2 documents have no date"),
            "{arguments:?}: {said}"
        );
        let found = String::from_utf8_lossy(&output.stdout);
        assert!(found.contains(printed), "{arguments:?}: {found}");
        assert_eq!(
            found.is_empty(),
            printed.is_empty(),
            "{arguments:?}: {found}"
        );
    }
}

async fn the_same_text_is_kept_once(store: &str) {
    let library = Library::open(store).await.unwrap();
    let first = library.remember(TEXT, noted("chat")).await.unwrap();
    assert_eq!(first.outcome, KeptOutcome::Added);
    let again = |outcome| Kept { outcome, ..first };
    let spaced = format!(" {TEXT}\n");
    let same = library.remember(&spaced, Metadata::default()).await;
    assert_eq!(same.unwrap(), again(KeptOutcome::Unchanged));
    let same = library.remember(TEXT, noted("chat")).await.unwrap();
    assert_eq!(same, again(KeptOutcome::Unchanged));
    let other = library.remember(TEXT, noted("mail")).await.unwrap();
    assert_eq!(other, again(KeptOutcome::Updated));
    let kept = memories(&library).await;
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].metadata.extra, noted("mail").extra);

    let learned = library.learn(TEXT, noted("chat")).await.unwrap();
    assert_eq!(learned.outcome, KeptOutcome::Added);
    assert_ne!(learned.id, first.id);
    library.forget(first.id).await.unwrap();
    let anew = library.remember(TEXT, noted("chat")).await.unwrap();
    assert_eq!(anew, first);
}

/// Ids were made of the time once.
async fn what_an_earlier_version_kept_is_not_kept_twice(store: &str) {
    let library = Library::open(store).await.unwrap();
    let id: DocumentId = "01a1ffef-5bed-761e-baf7-2492a1746e15".parse().unwrap();
    let document = Document {
        text: TEXT.to_owned(),
        ..Document::default()
    };
    let uri = format!("memory:{id}");
    library.add(MEMORIES, &[(uri, document)]).await.unwrap();
    for outcome in [KeptOutcome::Updated, KeptOutcome::Unchanged] {
        let kept = library.remember(TEXT, noted("chat")).await.unwrap();
        assert_eq!(kept, Kept { id, outcome });
    }
    assert_eq!(memories(&library).await.len(), 1);
    library.forget(id).await.unwrap();
    assert_eq!(memories(&library).await.len(), 0);
}

async fn many_processes_keep_it_once(store: &str) {
    let children: Vec<_> = (0..PROCESSES)
        .map(|_| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sectile"));
            command.args([
                "--store",
                store,
                "--json",
                "remember",
                "Releases are tagged.",
            ]);
            command.stdout(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let id = |child: std::process::Child| {
        let output = child.wait_with_output().unwrap();
        let kept: Value = serde_json::from_slice(&output.stdout).unwrap();
        kept["id"].as_str().unwrap().to_owned()
    };
    let mut ids: Vec<String> = children.into_iter().map(id).collect();
    ids.dedup();
    assert_eq!(ids.len(), 1);
    let library = Library::open(store).await.unwrap();
    let kept = memories(&library).await;
    let uris: Vec<&str> = kept.iter().map(|document| &*document.uri).collect();
    assert_eq!(uris, [format!("memory:{}", ids[0])]);
}

#[tokio::test]
async fn a_file_keeps_the_same_text_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    the_same_text_is_kept_once(&store("same.db")).await;
    what_an_earlier_version_kept_is_not_kept_twice(&store("earlier.db")).await;
    many_processes_keep_it_once(&store("many.db")).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn a_database_keeps_the_same_text_once() {
    let database = || async { sectile_test_postgres::database().await.unwrap() };
    the_same_text_is_kept_once(&database().await).await;
    what_an_earlier_version_kept_is_not_kept_twice(&database().await).await;
    many_processes_keep_it_once(&database().await).await;
}

#[test]
fn a_person_is_told_that_a_text_was_kept_already() {
    let place = Workplace::new();
    let id = place.stdout(&["remember", TEXT]);
    let output = place.run(&["remember", TEXT]);
    assert_eq!(output.stdout, id.as_bytes());
    assert_eq!(super::workplace::stderr(&output), "already stored\n");
    let output = place.run(&["remember", TEXT, "--metadata", "source=chat", "--json"]);
    let kept: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(kept["outcome"], "updated");
}

#[test]
fn a_number_in_metadata_is_found_as_it_was_typed() {
    let place = Workplace::new();
    let typed = [
        "version=1.10",
        "zip=01234",
        "order=12345678901234567890123",
        "width=1e5",
        "year=2026",
        "ratio=0.5",
    ];
    let metadata = typed.iter().flat_map(|entry| ["--metadata", *entry]);
    let arguments: Vec<&str> = ["remember", TEXT].into_iter().chain(metadata).collect();
    place.stdout(&arguments);
    for entry in typed {
        let found = place.json(&["list", "--json", "--filter", entry]);
        assert_eq!(found.as_array().unwrap().len(), 1, "{entry}");
    }
    let found = place.json(&["list", "--json"]);
    let metadata = &found[0]["metadata"];
    assert_eq!(metadata["year"], 2026);
    assert_eq!(metadata["version"], "1.10");
}
