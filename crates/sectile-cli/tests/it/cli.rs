//! What the commands have in common.

use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

use super::workplace::{Workplace, stderr};

#[test]
fn one_command_goes_from_a_folder_to_an_answer() {
    let place = Workplace::new();
    let found = place.stdout(&[
        "search",
        "what is on the release checklist?",
        "--in",
        "docs",
    ]);
    assert!(found.starts_with("docs/notes.txt:1  "), "{found}");
    assert!(
        found.contains("The release checklist: tag, build"),
        "{found}"
    );
}

#[tokio::test]
async fn the_database_of_another_program_is_left_alone() {
    let mut place = Workplace::new();
    let path = place.path("app.db");
    let options = SqliteConnectOptions::new().filename(&path);
    let mut connection = options.create_if_missing(true).connect().await.unwrap();
    let schema = "CREATE TABLE documents (id INTEGER PRIMARY KEY, body TEXT)";
    sqlx::query(schema).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    place.store = format!("sqlite:{}", place.path("app.db").display());
    let before = std::fs::read(place.path("app.db")).unwrap();
    for arguments in [&["status"][..], &["ingest", "docs"], &["search", "cargo"]] {
        let said = place.stderr(arguments, 2);
        assert!(said.contains("belongs to another program"), "{said}");
        assert!(
            said.lines().count() < 4 && !said.contains("CREATE"),
            "{said}"
        );
    }
    for arguments in [&["doctor"][..], &["checkpoint", "threads"]] {
        place.run(arguments);
    }
    assert_eq!(std::fs::read(place.path("app.db")).unwrap(), before);
}

#[test]
fn a_password_in_an_address_is_not_shown() {
    let place = Workplace::new();
    let address = "http://me:hidden@127.0.0.1:9/";
    for arguments in [&["ingest", address][..], &["ingest", address, "--json"]] {
        let output = place.command(arguments).output().unwrap();
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8_lossy(&shown);
        assert!(
            shown.contains("127.0.0.1:9") && !shown.contains("hidden"),
            "{shown}"
        );
    }
}

#[test]
fn status_counts_what_is_there() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let status = place.json(&["status", "--json"]);
    assert_eq!(status["documents"], 2);
    assert_eq!(status["sections"], 6);
    assert!(
        place
            .stdout(&["status"])
            .contains("collection default: 2 documents")
    );
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let place = Workplace::new();
    place.write("docs/long.txt", "word ".repeat(200_000));
    let output = unread(&place, &["extract", "docs/long.txt"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// Runs a command whose results nobody reads.
fn unread(place: &Workplace, arguments: &[&str]) -> Output {
    let mut child = place
        .command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}

#[test]
fn work_that_failed_says_so_to_one_that_reads_nothing() {
    let place = Workplace::new();
    place.write("config.toml", "limit = 0\n");
    let doctor = unread(&place, &["doctor"]);
    assert_eq!(doctor.status.code(), Some(2), "{}", stderr(&doctor));
    std::fs::remove_file(place.path("config.toml")).unwrap();
    for (paths, code) in [(&["docs", "nope"][..], 2), (&["docs"], 0)] {
        let output = unread(&place, &[&["ingest"][..], paths].concat());
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    }
}

#[test]
fn help_completions_and_manual_are_there() {
    let place = Workplace::new();
    for command in [
        "search", "ingest", "list", "status", "rm", "toc", "get", "extract", "chunk", "tree",
    ] {
        let help = place.stdout(&[command, "--help"]);
        assert!(
            help.contains("Usage: sectile ") && help.contains(command),
            "{help}"
        );
    }
    assert!(place.stdout(&["completions", "bash"]).contains("_sectile"));
    assert!(place.stdout(&["man"]).contains(".TH sectile"));
}

#[test]
fn the_store_is_made_where_the_user_keeps_data() {
    let place = Workplace::new();
    let mut command = place.command(&["ingest", "docs"]);
    command
        .env_remove("SECTILE_STORE")
        .env("XDG_DATA_HOME", place.path("data"));
    assert!(command.output().unwrap().status.success());
    assert!(Path::new(&place.path("data/sectile/sectile.db")).exists());
}

/// The same commands say the same on Postgres.
#[cfg(feature = "postgres")]
#[tokio::test]
async fn a_store_in_postgres_answers_alike() {
    let (sqlite, mut postgres) = (Workplace::new(), Workplace::new());
    postgres.store = sectile_test_postgres::database().await.unwrap();
    let commands: [&[&str]; 7] = [
        &["search", "how do I install plugins?", "--in", "docs"],
        &["ingest", "docs"],
        &["search", "install NOT plugins"],
        &["list"],
        &["toc", "docs/guide.md"],
        &["get", "docs/guide.md", "--heading", "Guide > Use"],
        &["rm", "docs/notes.txt"],
    ];
    for command in commands {
        let outputs = [&sqlite, &postgres].map(|place| {
            let output = place.run(command);
            let folder = place.folder.path().display().to_string();
            let text = String::from_utf8_lossy(&output.stdout).replace(&folder, "");
            // How long it took is not compared.
            let untimed = text.split(" written in ").next().map(str::to_owned);
            (output.status.code(), untimed, stderr(&output).is_empty())
        });
        assert_eq!(outputs[0], outputs[1], "{command:?}");
        assert_ne!(outputs[0].0, Some(2), "{command:?}");
    }
    assert!(postgres.stdout(&["status"]).contains("documents  1"));
}

#[test]
fn a_store_that_cannot_be_used_says_which_and_the_way_out() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let whole = std::fs::read(place.path("store.db")).unwrap();
    place.write("store.db", &whole[..whole.len() / 4]);
    let said = place.stderr(&["search", "release"], 2);
    assert!(
        said.contains("store.db is damaged; if it was restored from a backup"),
        "{said}"
    );
    let found = String::from_utf8(place.run(&["doctor"]).stdout).unwrap();
    assert!(
        found.contains("→ if it was restored from a backup, restore it again"),
        "{found}"
    );
    assert!(found.contains("too damaged to tell"), "{found}");

    place.write("store.db", "A letter to somebody.\n");
    let said = place.stderr(&["search", "release"], 2);
    assert!(
        said.contains("store.db` cannot be used as a store: the file is not a SQLite database"),
        "{said}"
    );
    let found = String::from_utf8(place.run(&["doctor"]).stdout).unwrap();
    assert!(found.contains("ok       checkpoints    none"), "{found}");
    assert!(found.contains("→ name another file"), "{found}");
}

#[test]
fn the_log_says_what_took_how_long_and_no_text() {
    let place = Workplace::new();
    let ingested = place.command(&["-v", "ingest", "docs"]).output().unwrap();
    let said = String::from_utf8_lossy(&ingested.stderr).into_owned();
    assert!(
        said.contains("ingest{collection=\"default\" sources=1}"),
        "{said}"
    );
    assert!(said.contains("close time.busy="), "{said}");
    let mut search = place.command(&["search", "cargo checklist", "--log-format", "json"]);
    let searched = search.env("RUST_LOG", "sectile=debug").output().unwrap();
    let said = String::from_utf8_lossy(&searched.stderr).into_owned();
    let lines: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let span = |name: &str| {
        let is_it = |line: &&Value| line["span"]["name"] == name;
        lines.iter().find(is_it).map(|line| line["span"].clone())
    };
    assert_eq!(span("search").unwrap()["hits"], 2, "{said}");
    assert_eq!(span("search.leg").unwrap()["leg"], "text", "{said}");
    assert!(!said.contains("checklist"), "{said}");
}

#[test]
fn a_store_is_compared_with_itself() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    for arguments in [&["doctor", "--deep"][..], &["doctor", "--repair"]] {
        let said = place.stdout(arguments);
        assert!(
            said.contains("texts, metadata, sections, chunks, index and vectors agree"),
            "{said}"
        );
    }
    assert!(!place.stdout(&["doctor"]).contains("contents"));
}

#[tokio::test]
async fn a_damaged_index_is_named_and_built_anew() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let options = SqliteConnectOptions::new().filename(place.path("store.db"));
    let mut connection = options.connect().await.unwrap();
    let damage = "UPDATE words SET words = x'00112233'";
    sqlx::query(damage).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let said = place.stderr(&["search", "chekclist"], 2);
    assert!(
        said.contains("store.db is damaged; run `sectile doctor --repair`"),
        "{said}"
    );
    let compared = place.run(&["doctor", "--deep"]);
    let said = String::from_utf8(compared.stdout).unwrap();
    assert_eq!(compared.status.code(), Some(2), "{said}");
    assert!(
        said.contains("the index of its collection is damaged"),
        "{said}"
    );
    let said = place.stdout(&["doctor", "--repair"]);
    assert!(said.contains("2 documents reindexed"), "{said}");
    assert!(place.stdout(&["search", "chekclist"]).contains("checklist"));
    let said = place.stdout(&["doctor", "--deep"]);
    assert!(!said.contains("another release"), "{said}");
}

#[tokio::test]
async fn what_an_earlier_version_indexed_is_indexed_by_the_next_ingest_and_that_is_said() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let options = SqliteConnectOptions::new().filename(place.path("store.db"));
    let mut connection = options.connect().await.unwrap();
    let older = "UPDATE documents SET index_version = 'of an earlier version'";
    sqlx::query(older).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    place.write("docs/new.md", "# New\n\nA quince.\n");
    let note = "reindexed 2 documents that an earlier version had indexed";
    let said = place.stderr(&["ingest", "docs/new.md"], 0);
    assert!(said.contains(note), "{said}");
    let said = place.stderr(&["ingest", "docs/new.md"], 0);
    assert!(!said.contains(note), "{said}");
    let found = place.stdout(&["search", "release checklist"]);
    assert!(found.contains("notes.txt"), "{found}");
}
