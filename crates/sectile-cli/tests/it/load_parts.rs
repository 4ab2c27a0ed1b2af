//! Documents from Parquet files, by one process and by several.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use sectile_arrow::DocumentBuilder;
use serde_json::Value;

use crate::workplace::{Workplace, stderr};

const DOCUMENTS: usize = 40;

fn write(folder: &Path, part: usize, version: &str) -> PathBuf {
    let uris = (0..DOCUMENTS).map(|at| format!("reports/{part}/{at}.md"));
    let texts = (0..DOCUMENTS).map(|at| {
        let body = format!("Turbine {part} number {at} is {version}.\n\n").repeat(20);
        format!("# Report {at} of {part}\n\n{body}## Findings\n\n{body}")
    });
    let columns: [(&str, ArrayRef); 2] = [
        ("uri", Arc::new(StringArray::from_iter_values(uris))),
        ("text", Arc::new(StringArray::from_iter_values(texts))),
    ];
    let path = folder.join(format!("part-{part:03}.parquet"));
    write_columns(&path, columns);
    path
}

fn write_columns(path: &Path, columns: [(&str, ArrayRef); 2]) {
    write_batch(path, &RecordBatch::try_from_iter(columns).unwrap());
}

fn write_batch(path: &Path, batch: &RecordBatch) {
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn parts(place: &Workplace, count: usize) -> PathBuf {
    let folder = place.path("parts");
    std::fs::create_dir(&folder).unwrap();
    for part in 0..count {
        write(&folder, part, "sound");
    }
    folder
}

/// Returns all that a store says of its documents but when and by whom they were written.
fn documents(place: &Workplace, store: &str) -> Vec<Value> {
    let listed = place.json(&["list", "--json", "--store", store]);
    let mut documents = listed.as_array().unwrap().clone();
    for document in &mut documents {
        let document = document.as_object_mut().unwrap();
        document.retain(|name, _| !matches!(&**name, "id" | "updated_at" | "created_at"));
        assert!(document["chunks"].as_u64() > Some(1), "{document:?}");
    }
    documents
}

fn hits(place: &Workplace, store: &str) -> String {
    let question = "turbine 7 findings";
    let found = place.stdout(&["search", question, "--store", store]);
    assert!(found.contains("reports/7/"), "{found}");
    found
}

#[test]
fn what_is_loaded_stays_until_it_changes() {
    let place = Workplace::new();
    let folder = parts(&place, 2);
    let load = |more: &[&str]| {
        let arguments = [&["load", "parts", "--json"], more].concat();
        serde_json::from_str::<Value>(&place.stdout(&arguments)).unwrap()
    };
    let report = load(&[]);
    assert_eq!(report["parts"], 2);
    assert_eq!(report["documents"]["added"], 2 * DOCUMENTS);
    assert_eq!(load(&[])["documents"]["unchanged"], 2 * DOCUMENTS);
    write(&folder, 1, "worn");
    let report = load(&[]);
    assert_eq!(report["documents"]["unchanged"], DOCUMENTS);
    assert_eq!(report["documents"]["updated"], DOCUMENTS);
    let found = place.stdout(&["search", "which turbine is worn?", "--limit", "1"]);
    assert!(found.contains("reports/1/"), "{found}");
}

/// Writes a part of some documents.
fn write_rows(path: &Path, rows: &[(&str, &str)]) {
    let (uris, texts): (Vec<&str>, Vec<&str>) = rows.iter().copied().unzip();
    let columns: [(&str, ArrayRef); 2] = [
        ("uri", Arc::new(StringArray::from(uris))),
        ("text", Arc::new(StringArray::from(texts))),
    ];
    write_columns(path, columns);
}

#[test]
fn what_is_found_in_a_document_with_pages_has_them() {
    let place = Workplace::new();
    std::fs::create_dir(place.path("parts")).unwrap();
    let file = "../sectile-load/tests/fixtures/three-levels.pdf";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let mut documents = DocumentBuilder::default();
    documents.append(Ok(sectile::load::load_file(file).unwrap()));
    let documents = RecordBatch::from(documents.finish());
    let uri: ArrayRef = Arc::new(StringArray::from(vec!["a.pdf"]));
    let names = documents.schema();
    let names = names.fields().iter().map(|field| field.name().clone());
    let columns = names.zip(documents.columns().iter().cloned());
    let columns = columns.chain([("uri".to_owned(), uri)]);
    let part = RecordBatch::try_from_iter(columns).unwrap();
    write_batch(&place.path("parts/p.parquet"), &part);
    place.json(&["load", "parts", "--json"]);
    let hits = place.json(&["search", "deep", "--json"]);
    assert_eq!(hits[0]["page_start"], 2);
    assert_eq!(hits[0]["page_end"], 2);
}

#[test]
fn documents_without_a_name_of_their_own_are_said() {
    let place = Workplace::new();
    std::fs::create_dir(place.path("parts")).unwrap();
    let rows = [
        ("a.md", "the first"),
        ("", "nameless"),
        ("a.md", "the second"),
    ];
    write_rows(&place.path("parts/p.parquet"), &rows);
    let output = place.run(&["load", "parts"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = stderr(&output);
    assert!(
        said.contains("a.md: its URI is in the part twice"),
        "{said}"
    );
    assert!(said.contains("its URI is empty"), "{said}");
    let summary = String::from_utf8_lossy(&output.stdout);
    assert!(
        summary.contains("1 added") && summary.contains("2 failed"),
        "{summary}"
    );
    assert!(place.stdout(&["search", "first"]).contains("a.md"));
}

#[test]
fn files_below_a_folder_are_loaded_but_not_what_is_unfinished() {
    let place = Workplace::new();
    for (folder, name) in [
        ("year=2025", "0.parquet"),
        ("year=2026", "0.PARQUET"),
        ("_temporary", "0.parquet"),
    ] {
        let folder = place.path("parts").join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let uri = format!("{}/a.md", folder.file_name().unwrap().display());
        write_rows(&folder.join(name), &[(&uri, "pumps")]);
    }
    let report = place.json(&["load", "parts", "--json"]);
    assert_eq!(report["parts"], 2);
    assert_eq!(report["documents"]["added"], 2);
}

#[test]
fn what_no_part_has_is_said_and_removed_when_asked() {
    let place = Workplace::new();
    std::fs::create_dir(place.path("parts")).unwrap();
    let part = place.path("parts/p.parquet");
    write_rows(&part, &[("a.md", "pumps"), ("b.md", "valves")]);
    place.stdout(&["load", "parts"]);
    write_rows(&part, &[("a.md", "pumps")]);
    let load = place.run(&["load", "parts"]);
    assert!(load.status.success(), "{load:?}");
    let said = stderr(&load);
    assert!(
        said.contains("has 1 document outside these files; --prune removes"),
        "{said}"
    );
    // It is no news if the files are some of a larger load.
    let load = place.run(&["load", "parts", "--partial"]);
    assert!(load.status.success(), "{load:?}");
    assert!(!stderr(&load).contains("outside these files"), "{load:?}");
    assert!(place.stdout(&["search", "valves"]).contains("b.md"));
    let report = place.json(&["load", "parts", "--prune", "--json"]);
    assert_eq!(report["documents"]["removed"], 1, "{report}");
    assert_eq!(report["documents"]["removals"][0][0], "b.md", "{report}");
    assert_eq!(place.json(&["list", "--json"]).as_array().unwrap().len(), 1);
    // Where a part cannot be read, nothing is known to be gone.
    write_rows(&part, &[("c.md", "seals")]);
    std::fs::write(place.path("parts/q.parquet"), "nothing of that kind").unwrap();
    let load = place.run(&["load", "parts", "--prune"]);
    assert_eq!(load.status.code(), Some(2), "{load:?}");
    let said = stderr(&load);
    assert!(said.contains("no document was pruned"), "{said}");
    assert_eq!(place.json(&["list", "--json"]).as_array().unwrap().len(), 2);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_opened_takes_nothing_from_the_others() {
    let place = Workplace::new();
    let folder = parts(&place, 1);
    std::os::unix::fs::symlink("nowhere", folder.join("gone.parquet")).unwrap();
    let load = place.run(&["load", "parts"]);
    assert_eq!(load.status.code(), Some(2), "{load:?}");
    assert!(stderr(&load).contains("gone.parquet: "), "{load:?}");
    let said = String::from_utf8_lossy(&load.stdout);
    assert!(said.contains("40 added"), "{said}");
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn a_copy_of_a_part_is_the_same_part() {
    let place = Workplace::new();
    let folder = parts(&place, 2);
    let store = sectile_test_postgres::database().await.unwrap();
    let load = |folder: &str| place.json(&["load", folder, "--json", "--store", &store]);
    assert_eq!(load("parts")["parts"], 2);
    std::fs::create_dir(place.path("copy")).unwrap();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let copy = place.path("copy").join(path.file_name().unwrap());
        // Its time of modification is another one.
        std::fs::write(copy, std::fs::read(path).unwrap()).unwrap();
    }
    let report = load("copy");
    assert_eq!(
        (&report["before"], &report["parts"]),
        (&2.into(), &0.into())
    );
}

/// How often two loads are started until they meet: on a busy machine the first may end too early.
#[cfg(feature = "postgres")]
const MOST_MEETINGS: u32 = 20;

#[cfg(feature = "postgres")]
#[tokio::test]
async fn two_loads_of_parts_with_the_same_names_do_not_swap_them() {
    let place = Workplace::new();
    parts(&place, 24);
    std::fs::create_dir(place.path("others")).unwrap();
    for part in 0..24 {
        write(&place.path("others"), part, "worn");
    }
    for _ in 0..MOST_MEETINGS {
        let store = sectile_test_postgres::database().await.unwrap();
        let first = start(&place, &store);
        until_a_part_is_done(&place, &store);
        place.stdout(&["load", "others", "--lease", "2", "--store", &store]);
        let first = first.wait_with_output().unwrap();
        let listed = documents(&place, &store);
        assert_eq!(listed.len(), 24 * DOCUMENTS);
        let again = place.json(&["load", "others", "--again", "--json", "--store", &store]);
        assert_eq!(again["documents"]["unchanged"], 24 * DOCUMENTS, "{again}");
        if !first.status.success() {
            assert_eq!(first.status.code(), Some(2), "{first:?}");
            let said = stderr(&first);
            assert!(
                said.contains("another load has offered another version of it"),
                "{said}"
            );
            return;
        }
    }
    panic!("the first load was never under way when the second began");
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn a_change_that_keeps_every_length_is_loaded() {
    let place = Workplace::new();
    std::fs::create_dir(place.path("parts")).unwrap();
    let store = sectile_test_postgres::database().await.unwrap();
    let load = |word: &str| {
        // The column's least and greatest texts, which the end of the file has, are others.
        let long = format!("m {word} {}", "filler ".repeat(20_000));
        let rows = [("a.md", "a"), ("m.md", &long), ("z.md", "z")];
        write_rows(&place.path("parts/p.parquet"), &rows);
        place.json(&["load", "parts", "--json", "--store", &store])
    };
    assert_eq!(load("north")["documents"]["added"], 3);
    let report = load("south");
    assert_eq!(report["documents"]["updated"], 1, "{report}");
}

#[test]
fn parts_that_cannot_be_read_are_named() {
    let place = Workplace::new();
    let folder = parts(&place, 1);
    std::fs::write(folder.join("other.parquet"), "nothing of that kind").unwrap();
    let output = place.run(&["load", "parts"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("40 added"), "{output:?}");
    assert!(
        stderr(&output).contains("other.parquet` is not a Parquet file, or is damaged"),
        "{output:?}"
    );
    let output = place.run(&["load", "nowhere"]);
    assert!(stderr(&output).contains("cannot read `nowhere`"));
    std::fs::create_dir(place.path("empty")).unwrap();
    let output = place.run(&["load", "empty"]);
    assert!(stderr(&output).contains("`empty` has no Parquet files"));
    std::fs::create_dir(place.path("again")).unwrap();
    write(&place.path("again"), 0, "twice");
    let output = place.run(&["load", "parts/part-000.parquet", "again"]);
    assert!(
        stderr(&output).contains("have the same file name"),
        "{output:?}"
    );
}

#[test]
fn options_of_sharing_are_refused_where_nothing_is_shared() {
    let place = Workplace::new();
    parts(&place, 1);
    for (option, value) in [("--attempts", "2"), ("--lease", "5")] {
        let output = place.run(&["load", "parts", option, value]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = stderr(&output);
        assert!(
            said.contains(&format!("{option} is for Postgres")),
            "{said}"
        );
    }
    // Nothing was loaded.
    let report = place.json(&["load", "parts", "--json"]);
    assert_eq!(report["parts"], 1);
    assert_eq!(report["documents"]["added"], DOCUMENTS);
}

/// Starts a process that loads parts.
fn start(place: &Workplace, store: &str) -> Child {
    let mut command = place.command(&["load", "parts", "--lease", "2", "--store", store]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits until a load has done some of its parts.
#[cfg(feature = "postgres")]
fn until_a_part_is_done(place: &Workplace, store: &str) {
    let begun = Instant::now();
    let is_one_done = || {
        let status = place.json(&["status", "--json", "--store", store]);
        let jobs = status["jobs"].as_array().cloned().unwrap_or_default();
        jobs.iter().any(|job| job["state"] == "done")
    };
    while !is_one_done() {
        assert!(
            begun.elapsed() < Duration::from_mins(2),
            "nothing is loaded"
        );
    }
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn four_processes_of_which_one_is_killed_make_what_one_makes() {
    let place = Workplace::new();
    parts(&place, 24);
    place.stdout(&["load", "parts"]);
    let one = place.store.clone();
    let many = sectile_test_postgres::database().await.unwrap();

    let mut processes: Vec<Child> = (0..4).map(|_| start(&place, &many)).collect();
    until_a_part_is_done(&place, &many);
    processes[0].kill().unwrap();
    processes.remove(0).wait().unwrap();
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    let made = documents(&place, &many);
    assert_eq!(made.len(), 24 * DOCUMENTS);
    assert_eq!(made, documents(&place, &one));
    assert_eq!(hits(&place, &many), hits(&place, &one));
    let status = place.stdout(&["status", "--store", &many]);
    let expected = "load default: 24 parts done, 0 under way, 0 waiting, 0 failed";
    assert!(status.contains(expected), "{status}");
    let again = place.run(&["load", "parts", "--store", &many]);
    assert!(
        stderr(&again).contains("24 of 24 parts loaded before"),
        "{again:?}"
    );
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn what_fails_is_in_the_status() {
    let place = Workplace::new();
    let folder = parts(&place, 1);
    std::fs::write(folder.join("other.parquet"), "nothing of that kind").unwrap();
    let store = sectile_test_postgres::database().await.unwrap();
    let load = ["load", "parts", "--attempts", "2", "--store", &store];
    let output = place.run(&load);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        stderr(&output).contains("retrying other.parquet"),
        "{output:?}"
    );
    let status = place.stdout(&["status", "--store", &store]);
    let expected = "load default: 1 part done, 0 under way, 0 waiting, 1 failed";
    assert!(status.contains(expected), "{status}");
    assert!(status.contains("other.parquet (2 attempts): "), "{status}");
    // Once it is mended, it is loaded.
    write(&folder, 1, "sound");
    std::fs::rename(
        folder.join("part-001.parquet"),
        folder.join("other.parquet"),
    )
    .unwrap();
    let output = place.run(&load);
    assert!(output.status.success(), "{output:?}");
}
