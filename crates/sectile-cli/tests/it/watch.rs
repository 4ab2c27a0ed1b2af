//! `sectile watch`: what another program does to files is found by itself.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use sectile::store::WordKind;
use sectile::{Library, Scope, SearchRequest};
use serde_json::Value;

use super::workplace::Workplace;

/// How many files change at once.
const FILES: usize = 1000;

/// When a test that waits for something has failed.
const PATIENCE: Duration = Duration::from_mins(2);

/// A running `sectile watch`.
pub(crate) struct Watching {
    child: Child,
    events: Receiver<Value>,
}

impl Watching {
    /// Starts one and waits until the first ingest is done.
    pub(crate) fn start(place: &Workplace, arguments: &[&str]) -> Self {
        let arguments = [&["watch", "--json"], arguments].concat();
        let mut command = place.command(&arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, events) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                let event = serde_json::from_str(&line.unwrap()).unwrap();
                let _ = sender.send(event);
            }
        });
        let watching = Self { child, events };
        watching.until("watching");
        watching
    }

    /// Returns the next event of a kind.
    pub(crate) fn until(&self, kind: &str) -> Value {
        loop {
            let event = self.events.recv_timeout(PATIENCE).unwrap();
            if event["event"] == kind {
                return event;
            }
        }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }

    /// Ends it as Ctrl-C does, and returns its status.
    fn interrupt(mut self) -> Option<i32> {
        self.signal("-INT");
        self.child.wait().unwrap().code()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until something holds.
async fn wait_until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    while !holds().await {
        assert!(start.elapsed() < PATIENCE, "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Returns a word of letters alone that stands for a version of a file.
fn word(file: usize, version: usize) -> String {
    let letters = |number: usize| {
        let digits = number.to_string();
        digits
            .bytes()
            .map(|digit| char::from(digit + b'a' - b'0'))
            .collect::<String>()
    };
    format!("xq{}v{}z", letters(file), letters(version))
}

fn text(file: usize, version: usize) -> String {
    let word = word(file, version);
    format!("# File {file}\n\nIt says {word} here.\n\n## More\n\nNothing new.\n")
}

/// Returns the documents that are found by a word itself, not by one that is like it.
async fn found(library: &Library, word: &str) -> Vec<PathBuf> {
    let answer = library.search(&SearchRequest::new(word)).await.unwrap();
    if answer.reading.words[0].kind != WordKind::Word {
        return Vec::new();
    }
    let paths = answer
        .hits
        .iter()
        .map(|hit| sectile::document_path(&hit.document.uri));
    paths.collect::<Option<_>>().unwrap()
}

async fn documents(library: &Library) -> Vec<PathBuf> {
    let documents = library.documents(&Scope::all()).await.unwrap();
    let paths = documents
        .iter()
        .map(|document| sectile::document_path(&document.uri));
    paths.collect::<Option<_>>().unwrap()
}

/// Waits until a word is found in one file alone.
async fn wait_for(library: &Library, word: &str, path: &Path) {
    let is_found = async || found(library, word).await == [path];
    wait_until(
        &format!("`{word}` is not found in {}", path.display()),
        is_found,
    )
    .await;
}

/// Changes a file as one of the programs does that people use, and returns where its last version is.
fn change(folder: &Path, file: usize) -> Option<PathBuf> {
    let path = folder.join(format!("{file}.md"));
    let write = |path: &Path, version| std::fs::write(path, text(file, version)).unwrap();
    match file % 6 {
        // Written in place, more than once.
        0 => (1..4).for_each(|version| write(&path, version)),
        // Saved as an editor does: beside it, and then over it.
        1 => {
            let beside = folder.join(format!(".{file}.md.tmp"));
            for version in 1..4 {
                write(&beside, version);
                std::fs::rename(&beside, &path).unwrap();
            }
        }
        // Moved away, with a copy in place, as other editors do.
        2 => {
            let kept = folder.join(format!("{file}.md~"));
            std::fs::rename(&path, &kept).unwrap();
            write(&path, 3);
            std::fs::remove_file(&kept).unwrap();
        }
        // Moved to a folder that is made for it, then written.
        3 => {
            let below = folder.join(format!("new/{}", file % 50));
            std::fs::create_dir_all(&below).unwrap();
            let moved = below.join(format!("{file}.md"));
            std::fs::rename(&path, &moved).unwrap();
            write(&moved, 3);
            return Some(moved);
        }
        // Deleted, and made again.
        4 => {
            std::fs::remove_file(&path).unwrap();
            write(&path, 2);
            std::fs::remove_file(&path).unwrap();
            write(&path, 3);
        }
        _ => {
            write(&path, 3);
            std::fs::remove_file(&path).unwrap();
            return None;
        }
    }
    Some(path)
}

/// Searches until it is told to end, as a process each time, and returns how often.
fn search_until(place: &Workplace, is_over: &AtomicBool) -> usize {
    let mut searches = 0;
    while !is_over.load(Ordering::Relaxed) {
        let output = place.run(&["search", "file says more", "--limit", "5"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        searches += 1;
    }
    searches
}

#[tokio::test]
async fn the_last_version_of_each_of_a_thousand_files_is_found_while_others_search() {
    let place = Arc::new(Workplace::new());
    std::fs::create_dir(place.path("many")).unwrap();
    let folder = place.path("many").canonicalize().unwrap();
    for file in 0..FILES {
        std::fs::write(folder.join(format!("{file}.md")), text(file, 0)).unwrap();
    }
    let watching = Watching::start(&place, &["many"]);
    let library = Library::open(&place.store).await.unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let searchers = [(); 2].map(|()| {
        let (place, is_over) = (Arc::clone(&place), Arc::clone(&is_over));
        thread::spawn(move || search_until(&place, &is_over))
    });
    let mut last = Vec::new();
    for file in 0..FILES {
        last.push(change(&folder, file));
        // So that some are taken up while others change.
        thread::sleep(Duration::from_millis(3));
    }
    is_over.store(true, Ordering::Relaxed);
    for searcher in searchers {
        assert!(searcher.join().unwrap() > 0);
    }
    let expected: BTreeSet<PathBuf> = last.iter().flatten().cloned().collect();
    let newest = last.iter().rposition(Option::is_some).unwrap();
    wait_until("the documents are not those of the folder", async || {
        let found = documents(&library).await;
        found.len() == expected.len() && found.into_iter().collect::<BTreeSet<_>>() == expected
    })
    .await;
    wait_for(&library, &word(newest, 3), last[newest].as_ref().unwrap()).await;
    for (file, path) in last.iter().enumerate() {
        match path {
            Some(path) => wait_for(&library, &word(file, 3), path).await,
            None => assert_eq!(found(&library, &word(file, 3)).await, [] as [PathBuf; 0]),
        }
        for version in 0..3 {
            assert_eq!(
                found(&library, &word(file, version)).await,
                [] as [PathBuf; 0]
            );
        }
    }
    assert_eq!(watching.interrupt(), Some(130));
}

#[tokio::test]
async fn what_an_ingest_leaves_out_is_no_work_until_the_rules_change() {
    let place = Workplace::new();
    place.write("docs/.ignore", "*.log\nbuild/\n");
    let watching = Watching::start(&place, &["docs"]);
    std::fs::create_dir(place.path("docs/build")).unwrap();
    place.write("docs/build/out.md", "Made of quince.\n");
    place.write("docs/run.log", "A medlar.\n");
    place.write("docs/.hidden.md", "A sloe.\n");
    place.write("docs/seen.md", "A damson.\n");
    let update = watching.until("updated");
    assert_eq!(
        (&update["added"], &update["unchanged"]),
        (&1.into(), &0.into())
    );

    place.write("docs/.ignore", "seen.md\n");
    let update = watching.until("updated");
    assert_eq!(
        (&update["added"], &update["removed"]),
        (&2.into(), &1.into())
    );
    let library = Library::open(&place.store).await.unwrap();
    for (fruit, count) in [("quince", 1), ("medlar", 1), ("sloe", 0), ("damson", 0)] {
        assert_eq!(found(&library, fruit).await.len(), count, "{fruit}");
    }
}

#[tokio::test]
async fn folders_that_are_made_moved_and_made_again_are_watched() {
    let place = Workplace::new();
    let docs = place.path("docs").canonicalize().unwrap();
    let watching = Watching::start(&place, &["docs"]);
    let library = Library::open(&place.store).await.unwrap();
    let write = |path: &str, text: &str| {
        let path = docs.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    };
    let path = write("a/b/c.md", "One quince.\n");
    wait_for(&library, "quince", &path).await;
    let path = write("a/b/c.md", "One medlar.\n");
    wait_for(&library, "medlar", &path).await;

    std::fs::rename(docs.join("a"), docs.join("d")).unwrap();
    wait_for(&library, "medlar", &docs.join("d/b/c.md")).await;
    let path = write("d/b/c.md", "One sloe.\n");
    wait_for(&library, "sloe", &path).await;

    std::fs::remove_dir_all(docs.join("d")).unwrap();
    let path = write("d/b/c.md", "One damson.\n");
    wait_for(&library, "damson", &path).await;
    let path = write("d/b/e.md", "One rowan.\n");
    wait_for(&library, "rowan", &path).await;
    assert_eq!(documents(&library).await.len(), 4);
    assert_eq!(watching.interrupt(), Some(130));
}

#[tokio::test]
async fn a_folder_that_is_gone_keeps_its_documents_and_is_watched_when_it_is_back() {
    let place = Workplace::new();
    let docs = place.path("docs").canonicalize().unwrap();
    let watching = Watching::start(&place, &["docs"]);
    std::fs::rename(&docs, place.path("elsewhere")).unwrap();
    watching.until("gone");
    let library = Library::open(&place.store).await.unwrap();
    assert_eq!(documents(&library).await.len(), 2);
    // What is done to it meanwhile is found when it is back.
    place.write("elsewhere/more.md", "One quince.\n");
    std::fs::rename(place.path("elsewhere"), &docs).unwrap();
    watching.until("back");
    wait_for(&library, "quince", &docs.join("more.md")).await;
    place.write("docs/more.md", "One medlar.\n");
    wait_for(&library, "medlar", &docs.join("more.md")).await;
}

#[tokio::test]
async fn a_file_that_is_watched_may_be_replaced_and_those_beside_it_are_left_alone() {
    let place = Workplace::new();
    let guide = place.path("docs/guide.md").canonicalize().unwrap();
    place.stdout(&["ingest", "docs/notes.txt"]);
    let _watching = Watching::start(&place, &["docs/guide.md"]);
    std::fs::remove_file(place.path("docs/notes.txt")).unwrap();
    place.write("docs/other.md", "One medlar.\n");
    place.write("docs/new.md", "One quince.\n");
    std::fs::rename(place.path("docs/new.md"), &guide).unwrap();
    let library = Library::open(&place.store).await.unwrap();
    wait_for(&library, "quince", &guide).await;
    assert_eq!(found(&library, "medlar").await.len(), 0);
    assert_eq!(documents(&library).await.len(), 2);
}

#[tokio::test]
async fn a_file_that_is_written_all_the_time_holds_up_nothing() {
    let place = Workplace::new();
    let docs = place.path("docs").canonicalize().unwrap();
    let _watching = Watching::start(&place, &["docs"]);
    let is_over = Arc::new(AtomicBool::new(false));
    let (busy, ends) = (docs.join("busy.md"), Arc::clone(&is_over));
    let writer = thread::spawn(move || {
        let mut version = 0;
        while !ends.load(Ordering::Relaxed) {
            version += 1;
            std::fs::write(&busy, text(1, version)).unwrap();
            thread::sleep(Duration::from_millis(20));
        }
        version
    });
    place.write("docs/other.md", "One quince.\n");
    let library = Library::open(&place.store).await.unwrap();
    // The writer goes on until this is found.
    wait_for(&library, "quince", &docs.join("other.md")).await;
    is_over.store(true, Ordering::Relaxed);
    let last = writer.join().unwrap();
    wait_for(&library, &word(1, last), &docs.join("busy.md")).await;
}

#[tokio::test]
async fn files_are_polled_where_the_system_does_not_tell() {
    let place = Workplace::new();
    let docs = place.path("docs").canonicalize().unwrap();
    let watching = Watching::start(&place, &["docs", "--poll", "1"]);
    let library = Library::open(&place.store).await.unwrap();
    place.write("docs/guide.md", "One quince.\n");
    wait_for(&library, "quince", &docs.join("guide.md")).await;
    std::fs::remove_file(docs.join("guide.md")).unwrap();
    wait_until("the file is gone", async || {
        documents(&library).await.len() == 1
    })
    .await;
    std::fs::rename(&docs, place.path("elsewhere")).unwrap();
    watching.until("gone");
    std::fs::rename(place.path("elsewhere"), &docs).unwrap();
    watching.until("back");
    let said = place
        .command(&["watch", "docs", "--poll", "0"])
        .output()
        .unwrap();
    assert_eq!(said.status.code(), Some(2));
}

/// The system tells of 16,384 changes at most that nobody asked for yet.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn changes_that_the_system_forgot_are_found() {
    let place = Workplace::new();
    let docs = place.path("docs").canonicalize().unwrap();
    let watching = Watching::start(&place, &["docs"]);
    let limit = std::fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
    watching.signal("-STOP");
    for version in 0..limit.trim().parse::<usize>().unwrap() {
        // Equal events in a row count as one.
        place.write(["docs/a.md", "docs/b.md"][version % 2], "Some text.\n");
    }
    place.write("docs/late.md", "One quince.\n");
    watching.signal("-CONT");
    let library = Library::open(&place.store).await.unwrap();
    wait_for(&library, "quince", &docs.join("late.md")).await;
}

#[tokio::test]
async fn watchers_and_ingests_of_one_folder_take_turns() {
    let place = Workplace::new();
    let docs = place.path("docs").canonicalize().unwrap();
    let watchers = [(); 3].map(|()| Watching::start(&place, &["docs"]));
    for file in 0..50 {
        place.write(&format!("docs/{file}.md"), text(file, 1));
    }
    place.stdout(&["ingest", "docs"]);
    place.write("docs/49.md", text(49, 2));
    let library = Library::open(&place.store).await.unwrap();
    wait_for(&library, &word(49, 2), &docs.join("49.md")).await;
    for watching in watchers {
        assert_eq!(watching.interrupt(), Some(130));
    }
    assert_eq!(documents(&library).await.len(), 52);
    assert_eq!(found(&library, &word(7, 1)).await, [docs.join("7.md")]);
}

#[test]
fn a_path_that_is_not_there_is_an_error() {
    let place = Workplace::new();
    for arguments in [
        &["watch", "nowhere"][..],
        &["mcp", "--watch", "nowhere"],
        &["serve", "--listen", "127.0.0.1:0", "--watch", "nowhere"],
    ] {
        let said = place.stderr(arguments, 2);
        assert!(said.contains("`nowhere`"), "{said}");
    }
}

#[test]
fn a_path_that_is_gone_is_an_error_that_says_what_is_left() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    std::fs::remove_dir_all(place.path("docs")).unwrap();
    for arguments in [
        &["watch", "docs"][..],
        &["mcp", "--watch", "docs"],
        &["serve", "--listen", "127.0.0.1:0", "--watch", "docs"],
    ] {
        let said = place.stderr(arguments, 2);
        assert!(
            said.contains("`docs` is gone, and the store still has 2 documents from it"),
            "{said}"
        );
        assert!(!said.contains("listening"), "{said}");
    }
}

#[test]
fn a_person_is_told_in_lines() {
    let place = Workplace::new();
    let mut child = place
        .command(&["watch", "docs"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = output.next().unwrap().unwrap();
    assert!(first.starts_with("2 added, 0 updated"), "{first}");
    place.write("docs/guide.md", "# New\n\nOne quince.\n");
    place.write("docs/new.md", "# New\n\nOne medlar.\n");
    let second = output.next().unwrap().unwrap();
    assert!(second.starts_with("1 updated, 1 added in "), "{second}");
    let watching = Watching {
        child,
        events: mpsc::channel().1,
    };
    assert_eq!(watching.interrupt(), Some(130));
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn files_are_watched_and_questions_measured_on_postgres() {
    let mut place = Workplace::new();
    place.store = sectile_test_postgres::database().await.unwrap();
    let watching = Watching::start(&place, &["docs"]);
    place.write("docs/new.md", "# New\n\nOne quince.\n");
    wait_until("the new file is not found", async || {
        let found = place.run(&["search", "quince"]);
        String::from_utf8_lossy(&found.stdout).contains("new.md")
    })
    .await;
    assert_eq!(watching.interrupt(), Some(130));
    let question =
        r#"{"question": "quince", "answers": [{"document": "new.md", "heading": "New"}]}"#;
    place.write("questions.jsonl", question);
    let table = place.stdout(&["eval", "questions.jsonl", "--collection", "default"]);
    assert!(table.contains("3 documents"), "{table}");
    assert!(table.contains("1.000"), "{table}");
}
