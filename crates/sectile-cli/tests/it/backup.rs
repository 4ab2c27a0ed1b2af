//! Copies of a store that others use, and how they are restored.

use std::fs;
use std::process::Stdio;

use serde_json::json;

use super::mcp::Session;
use super::workplace::Workplace;

/// Has a server keep a text.
fn remember(session: &mut Session, id: u64, text: &str) {
    let params = json!({"name": "remember", "arguments": {"text": text}});
    let answer = session.ask(id, "tools/call", &params);
    let outcome = &answer["result"]["structuredContent"]["outcome"];
    assert_eq!(outcome, "ok", "{answer}");
}

#[test]
fn a_backup_has_what_an_open_server_acknowledged_and_is_restored_without_its_log() {
    let place = Workplace::new();
    place.stdout(&["checkpoint", "migrate"]);
    place.stdout(&["ingest", "docs"]);
    let mut server = Session::of(place.command(&["mcp"]).stderr(Stdio::piped()));
    server.initialize("2025-11-25");
    for (id, text) in [(2, "Deploys are on Tuesdays."), (3, "Lunch is at noon.")] {
        remember(&mut server, id, text);
    }
    let said = place.stdout(&["backup", "copy.db"]);
    assert!(
        said.starts_with("copy.db: ") && said.ends_with(" MB\n"),
        "{said}"
    );
    remember(&mut server, 4, "The office is closed in May.");
    let memories = |store: &str| {
        let arguments = ["list", "--collection", "memories", "--json"];
        let rows = place.json(&[&arguments[..], &["--store", store]].concat());
        rows.as_array().unwrap().len()
    };
    assert_eq!(memories("sqlite:copy.db"), 2);
    assert_eq!(memories(&place.store), 3);

    // A server that is killed leaves its log.
    let log = fs::read(place.path("store.db-wal")).unwrap();
    assert_eq!(server.end().0, Some(0));
    place.write("store.db-wal", log);
    for name in ["store.db-wal", "store.db-shm"] {
        // The second may be gone already.
        let _ = fs::remove_file(place.path(name));
    }
    fs::rename(place.path("copy.db"), place.path("store.db")).unwrap();
    assert_eq!(memories(&place.store), 2);
    let found = place.stdout(&["doctor", "--deep"]);
    // The tables of checkpoints are there, too.
    assert!(found.contains("no threads yet"), "{found}");
}

#[test]
fn a_backup_that_cannot_be_made_says_why() {
    let place = Workplace::new();
    let check = |arguments: &[&str], reason: &str| {
        let said = place.stderr(&[&["backup"], arguments].concat(), 2);
        assert!(said.contains(reason), "{arguments:?}: {said}");
        assert!(!said.contains("hunter2"), "{arguments:?}: {said}");
    };
    check(
        &["copy.db"],
        "does not exist, so there is nothing to back up",
    );
    place.stdout(&["ingest", "docs"]);
    check(&["docs/guide.md"], "exists already; name a new file");
    check(&["none/copy.db"], "none/copy.db` cannot be written");
    let server = "postgres://me:hunter2@127.0.0.1:9/app";
    check(
        &["copy.db", "--store", server],
        "back it up with `pg_dump -Fc`",
    );
    check(&["copy.db", "--store", "docs.db"], "sqlite:PATH");
    assert!(!place.path("copy.db").exists());
    let row = place.json(&["backup", "copy.db", "--json"]);
    let bytes = fs::metadata(place.path("copy.db")).unwrap().len();
    assert_eq!(row, json!({"file": "copy.db", "bytes": bytes}));
}
