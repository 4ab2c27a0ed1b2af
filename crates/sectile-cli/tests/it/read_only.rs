//! Stores that may be read and not written.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::serve::Served;
use crate::workplace::{Workplace, stderr};

/// Who has no rights but those of everybody, in place of root, whom no rights hold back.
const NOBODY: u32 = 65534;

/// A workplace whose files and folder cannot be written.
struct ReadOnly(Workplace);

impl ReadOnly {
    fn new() -> Self {
        let place = Self(Workplace::new());
        place.0.stdout(&["ingest", "docs"]);
        let program = place.0.path("sectile");
        let ours = env!("CARGO_BIN_EXE_sectile");
        if fs::hard_link(ours, &program).is_err() {
            fs::copy(ours, &program).unwrap();
        }
        place
    }

    fn lock(&self) {
        fs::set_permissions(self.0.path("store.db"), Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(self.0.folder.path(), Permissions::from_mode(0o555)).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let as_us = self.0.command(arguments);
        let mut command = Command::new(self.0.path("sectile"));
        command.args(arguments).current_dir(self.0.folder.path());
        for (name, value) in as_us.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if fs::metadata(self.0.folder.path()).unwrap().uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }
}

impl Drop for ReadOnly {
    fn drop(&mut self) {
        // Else nobody could remove it.
        let _ = fs::set_permissions(self.0.folder.path(), Permissions::from_mode(0o755));
    }
}

#[test]
fn a_store_that_cannot_be_written_is_read() {
    let place = ReadOnly::new();
    place.lock();
    let reading: [(&[&str], &str); 7] = [
        (&["search", "release checklist"], "notes.txt"),
        (
            &["search", "release checklist", "--in", "docs"],
            "notes.txt",
        ),
        (&["toc", "docs/guide.md"], "Install"),
        (&["get", "docs/notes.txt"], "The release checklist"),
        (&["list"], "guide.md"),
        (&["status"], "documents  2"),
        (&["doctor"], "this user can only read it"),
    ];
    for (arguments, word) in reading {
        let output = place.run(arguments);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}",
            stderr(&output)
        );
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
    let writing: [&[&str]; 4] = [
        &["rm", "--yes", "docs"],
        &["note", "x", "--in", "docs"],
        &["remember", "a word"],
        &["ingest", "sectile"],
    ];
    for arguments in writing {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = stderr(&output);
        assert!(
            said.contains("store.db` is read-only here"),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn a_store_that_cannot_be_written_is_backed_up() {
    let place = ReadOnly::new();
    let copies = place.0.path("copies");
    fs::create_dir(&copies).unwrap();
    fs::set_permissions(&copies, Permissions::from_mode(0o777)).unwrap();
    place.lock();
    for arguments in [
        &["backup", "copies/copy.db"][..],
        &["get", "docs/notes.txt", "--store", "sqlite:copies/copy.db"],
    ] {
        let output = place.run(arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    }
}

#[test]
fn a_store_in_a_folder_that_cannot_be_searched_is_not_missing() {
    let place = ReadOnly::new();
    let closed = place.0.path("closed");
    fs::create_dir(&closed).unwrap();
    let store = "sqlite:closed/store.db";
    place.0.stdout(&["remember", "a word", "--store", store]);
    fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
    for arguments in [
        &["doctor"][..],
        &["status"],
        &["search", "word"],
        &["backup", "copy.db"],
        &["mcp", "--read-only"],
        &["checkpoint", "threads"],
    ] {
        let output = place.run(&[arguments, &["--store", store]].concat());
        let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        for wrong in ["not exist", "there is no file", "create it"] {
            assert!(!said.contains(wrong), "{arguments:?}: {said}");
        }
    }
    fs::set_permissions(&closed, Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn agents_read_a_store_that_cannot_be_written() {
    let place = ReadOnly::new();
    place.lock();
    let mut session = Session::of(place.command(&["mcp"]).stderr(Stdio::piped()));
    session.initialize("2025-11-25");
    let mut ids = 2..;
    let mut call = |tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = session.ask(ids.next().unwrap(), "tools/call", &params);
        answer["result"]["structuredContent"].clone()
    };
    for (tool, arguments) in [
        ("status", json!({})),
        ("list", json!({})),
        ("search", json!({"query": "release checklist"})),
        ("toc", json!({"document": "docs/guide.md"})),
        ("get", json!({"document": "docs/notes.txt"})),
    ] {
        let answer = call(tool, arguments);
        assert_eq!(answer["outcome"], "ok", "{tool}: {answer}");
    }
    let refused = call("remember", json!({"text": "a word"}));
    assert_eq!(refused["outcome"], "refused", "{refused}");
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("read-only here"), "{refused}");
}

#[test]
fn a_store_that_cannot_be_written_is_shown_on_pages() {
    let place = ReadOnly::new();
    place.lock();
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    let served = Served::of(command.env("SECTILE_TOKEN", ""));
    for (path, part) in [
        ("/", "guide.md"),
        ("/search?q=release", "notes.txt"),
        ("/threads", "checkpoints"),
        ("/readyz", "ok"),
        ("/metrics", "sectile_held"),
    ] {
        let host = served.host();
        let request = format!("GET {path} HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
        let (status, answer) = served.raw(request.as_bytes());
        assert_eq!(status, 200, "{path}: {answer}");
        assert!(answer.contains(part), "{path}: {answer}");
    }
}

#[test]
fn what_was_written_last_is_not_left_out() {
    let place = ReadOnly::new();
    // As a program leaves it that was killed.
    place.0.write("store.db-wal", [1; 4096]);
    place.lock();
    let output = place.run(&["search", "release checklist"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("write-ahead log"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_only_reads_or_fails_makes_nothing() {
    let place = Workplace::new();
    let missing = format!("sqlite:{}", place.path("none/store.db").display());
    let id = "00000000-0000-7000-8000-000000000000";
    for arguments in [
        &["search", "word"][..],
        &["list"],
        &["status"],
        &["doctor"],
        &["toc", "docs/guide.md"],
        &["ingest", "nonexist", "--key", "product"],
        &["ingest", "docs", "--embedder", "nonexist"],
        &["search", "word", "--in", "nonexist"],
        &["rm", "docs", "--yes"],
        &["forget", id],
        &["note", "a word", "--collection", "nonexist"],
        &["note", "--remove", "--collection", "nonexist"],
        &["collection", "partition", "nonexist"],
        &["doctor", "--repair"],
        &["backup", "copy.db"],
    ] {
        let output = place
            .command(arguments)
            .env("SECTILE_STORE", &missing)
            .output()
            .unwrap();
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
        assert!(!place.path("none").exists(), "{arguments:?}");
    }
}

#[test]
fn a_file_without_a_store_is_not_changed_by_reading() {
    let place = Workplace::new();
    place.write("store.db", "");
    let reading = [
        &["search", "word"][..],
        &["list"],
        &["status"],
        &["doctor"],
        &["rm", "docs", "--yes"],
        &["checkpoint", "threads"],
    ];
    let check = || {
        let before = fs::read(place.path("store.db")).unwrap();
        for arguments in reading {
            place.run(arguments);
            let after = fs::read(place.path("store.db")).unwrap();
            assert!(after == before, "{arguments:?}");
        }
    };
    check();
    place.stdout(&["checkpoint", "migrate"]);
    check();
    place.stdout(&["ingest", "docs"]);
    assert!(place.stdout(&["list"]).contains("guide.md"));
}
