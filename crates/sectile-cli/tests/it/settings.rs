//! The configuration file, the doctor, and how much is said.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use sectile::checkpoint::{Checkpoint, Checkpointer as _};
use sectile::{CheckpointOptions, Checkpoints};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

use super::workplace::{Workplace, stderr};

/// Returns what the doctor says of something, as its state and words.
fn finding(findings: &Value, what: &str) -> (String, String) {
    let is_it = |finding: &&Value| finding["what"] == what;
    let found = findings.as_array().unwrap().iter().find(is_it);
    let found = found.unwrap_or_else(|| panic!("nothing about {what} in {findings}"));
    let text = |name: &str| found[name].as_str().unwrap().to_owned();
    (text("state"), text("says"))
}

#[test]
fn what_is_set_holds_until_an_option_or_the_environment_says_otherwise() {
    let place = Workplace::new();
    place.write("docs/more.txt", "The checklist of another day.\n");
    place.stdout(&["ingest", "docs"]);
    let count = |arguments: &[&str]| place.json(arguments).as_array().unwrap().len();
    assert_eq!(count(&["search", "checklist", "--json"]), 2);
    place.stdout(&["config", "set", "limit", "1"]);
    assert_eq!(count(&["search", "checklist", "--json"]), 1);
    assert_eq!(count(&["search", "checklist", "--json", "--limit", "5"]), 2);

    // It means the same in other folders, too.
    let other = format!("sqlite:{}", place.path("other.db").display());
    place.stdout(&["config", "set", "store", "sqlite:other.db"]);
    assert_eq!(
        count(&["list", "--json"]),
        3,
        "the environment names a store"
    );
    let mut command = place.command(&["status", "--json"]);
    let output = command.env_remove("SECTILE_STORE").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(status["store"], other);
}

#[test]
fn settings_that_are_set_at_once_are_all_in_the_file() {
    let place = Workplace::new();
    let settings = [
        ("store", "sqlite:other.db"),
        ("embedder", "ollama:nomic-embed-text"),
        ("chat-model", "ollama:llama3.2"),
        ("reranker", "http://localhost:8080"),
        ("rerank", "handbook"),
        ("language", "handbook=de"),
        ("mode", "value"),
        ("limit", "3"),
    ];
    for round in 0..5 {
        let _ = std::fs::remove_file(place.path("config.toml"));
        let set = |(name, value): (&str, &str)| {
            let mut command = place.command(&["config", "set", name, value]);
            let command = command.stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().unwrap()
        };
        for mut process in settings.map(set) {
            assert!(process.wait().unwrap().success(), "round {round}");
        }
        let text = std::fs::read_to_string(place.path("config.toml")).unwrap();
        for (name, _) in settings {
            assert!(text.contains(&format!("{name} = ")), "{name}: {text}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_a_link_stays_one() {
    let place = Workplace::new();
    std::fs::create_dir(place.path("dotfiles")).unwrap();
    for before in [Some("limit = 3\n"), None] {
        let _ = std::fs::remove_file(place.path("config.toml"));
        let file = place.path("dotfiles/config.toml");
        match before {
            Some(text) => std::fs::write(&file, text).unwrap(),
            None => std::fs::remove_file(&file).unwrap(),
        }
        std::os::unix::fs::symlink("dotfiles/config.toml", place.path("config.toml")).unwrap();
        place.stdout(&["config", "set", "mode", "value"]);
        assert!(place.path("config.toml").is_symlink(), "{before:?}");
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(
            text,
            format!("{}mode = \"value\"\n", before.unwrap_or_default())
        );
    }
}

#[test]
fn the_file_keeps_its_comments_and_takes_no_nonsense() {
    let place = Workplace::new();
    place.write("config.toml", "# mine\nmode = 'text'\nlimit = 3 # few\n");
    place.stdout(&["config", "set", "mode", "value"]);
    place.stdout(&["config", "unset", "limit"]);
    let text = std::fs::read_to_string(place.path("config.toml")).unwrap();
    assert_eq!(text, "# mine\nmode = \"value\"\n");

    let refused = place.stderr(&["config", "set", "mode", "best"], 2);
    assert!(refused.contains("`best` is not a mode"), "{refused}");
    let refused = place.stderr(&["config", "set", "colour", "red"], 2);
    assert!(
        refused.contains("colour") && refused.contains("embedder"),
        "{refused}"
    );
    let refused = place.stderr(&["config", "set", "embedder", ""], 2);
    assert!(refused.contains("config unset embedder"), "{refused}");
    for store in [
        "postgress://db/app",
        "docs.db",
        "sqlite:",
        "sqlite::memory:",
    ] {
        let refused = place.stderr(&["config", "set", "store", store], 2);
        assert!(refused.contains("sqlite:PATH"), "{refused}");
    }
    let after = std::fs::read_to_string(place.path("config.toml")).unwrap();
    assert_eq!(after, text);
}

#[test]
fn a_broken_file_is_named_by_all_but_those_who_mend_it() {
    let place = Workplace::new();
    place.write("config.toml", "mode = best\n");
    let refused = place.stderr(&["list"], 2);
    assert!(refused.contains("config.toml cannot be used"), "{refused}");
    place.stdout(&["config", "path"]);
    let output = place.run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let findings = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(finding(&findings, "configuration").0, "problem");
}

#[test]
fn a_listed_address_hides_its_password() {
    let place = Workplace::new();
    let mut command = place.command(&["config"]);
    command.env("SECTILE_STORE", "postgres://me:secret@db/app");
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("postgres://db/app  (SECTILE_STORE)"),
        "{text}"
    );
}

#[test]
fn what_was_set_is_said_with_what_overrides_it() {
    let place = Workplace::new();
    let set = place.stdout(&["config", "set", "limit", "5"]);
    assert_eq!(set, "limit       5  (file)\n");
    let unset = place.stdout(&["config", "unset", "limit"]);
    assert_eq!(unset, "limit       10  (default)\n");
    let said = place.stderr(&["config", "unset", "limit"], 0);
    assert!(said.contains("did not set `limit`"), "{said}");
    let refused = place.stderr(&["config", "unset", "limti"], 2);
    assert!(refused.contains("`limti` is not a setting"), "{refused}");
    let said = place.stderr(&["config", "set", "store", "sqlite:other.db"], 0);
    assert!(said.contains("SECTILE_STORE is set"), "{said}");
    let row = place.json(&["config", "set", "mode", "value", "--json"]);
    assert_eq!(row["value"], "value");
    for name in ["embedder", "chat-model", "reranker"] {
        let refused = place.stderr(&["config", "set", name, "nonsense"], 2);
        assert!(refused.contains("nonsense"), "{refused}");
    }
    place.stdout(&["config", "set", "embedder", "ollama:nomic-embed-text"]);
}

#[test]
fn documents_have_the_language_that_is_set_for_their_collection() {
    let place = Workplace::new();
    let set = place.stdout(&["config", "set", "language", "handbook=german"]);
    assert_eq!(set, "language    handbook=de  (file)\n");
    let refused = place.stderr(&["config", "set", "language", "handbook=klingon"], 2);
    assert!(
        refused.contains("`klingon` is not known; write one of ar, "),
        "{refused}"
    );
    let languages = |collection: &str| {
        let rows = place.json(&["list", "--json", "--collection", collection]);
        let rows = rows.as_array().unwrap().iter();
        let languages: Vec<&str> = rows.map(|row| row["language"].as_str().unwrap()).collect();
        languages.join(" ")
    };
    for collection in ["handbook", "minutes"] {
        place.stdout(&["ingest", "docs", "--collection", collection]);
    }
    assert_eq!(languages("handbook"), "de de");
    assert_eq!(languages("minutes"), "en en");
    let status = place.stdout(&["status"]);
    assert!(
        status.contains(
            "collection handbook: 2 documents, language de\ncollection minutes: 2 documents\n"
        ),
        "{status}"
    );
    let status = place.json(&["status", "--json"]);
    assert_eq!(status["languages"], json!({ "handbook": "de" }));

    let guide = ["ingest", "docs/guide.md", "--collection", "handbook"];
    place.stdout(&[&guide[..], &["--language", "fr"]].concat());
    assert_eq!(languages("handbook"), "fr de");
    place.stdout(&[
        "search",
        "checklist",
        "--in",
        "docs",
        "--collection",
        "handbook",
    ]);
    assert_eq!(languages("handbook"), "de de");

    place.stdout(&["config", "set", "language", "minutes=nl"]);
    let (state, says) = finding(&place.json(&["doctor", "--json"]), "documents");
    assert_eq!(state, "warning");
    assert!(says.contains("2 indexed by another release"), "{says}");
    let said = place.stderr(&["ingest", "docs/guide.md", "--collection", "minutes"], 0);
    assert!(said.contains("reindexed 1 document that"), "{said}");
    assert_eq!(languages("minutes"), "nl nl");
    assert_eq!(languages("handbook"), "de de");
    let unset = place.stdout(&["config", "unset", "language"]);
    assert_eq!(unset, "language    none  (default)\n");
}

#[test]
fn a_variable_that_is_empty_is_not_set() {
    let place = Workplace::new();
    let mut command = place.command(&["ingest", "docs"]);
    for name in ["SECTILE_EMBEDDER", "SECTILE_CHAT_MODEL", "SECTILE_RERANKER"] {
        command.env(name, "");
    }
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // It means the same in other folders, too.
    let other = format!("sqlite:{}", place.path("other.db").display());
    place.stdout(&["config", "set", "store", "sqlite:other.db"]);
    let mut command = place.command(&["config", "--json"]);
    let output = command.env("SECTILE_STORE", "").output().unwrap();
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows[0]["value"], other);
    assert_eq!(rows[0]["source"], "file");
    let mut command = place.command(&["status", "--json"]);
    let output = command.env("SECTILE_STORE", "").output().unwrap();
    let status: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(status["store"], other);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_waited_for() {
    let place = Workplace::new();
    let made = Command::new("mkfifo")
        .arg(place.path("config.toml"))
        .status();
    assert!(made.unwrap().success());
    let refused = place.stderr(&["list"], 2);
    assert!(refused.contains("it is not a settings file"), "{refused}");
}

#[cfg(unix)]
#[test]
fn the_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Workplace::new();
    place.stdout(&["config", "set", "store", "postgres://me:secret@db/app"]);
    let file = std::fs::metadata(place.path("config.toml")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
}

#[test]
fn the_doctor_finds_a_healthy_store_healthy() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let findings = place.json(&["doctor", "--json"]);
    for finding in findings.as_array().unwrap() {
        assert_eq!(finding["state"], "fine", "{finding}");
    }
    assert!(finding(&findings, "engine").1.starts_with("SQLite 3."));
    let documents = finding(&findings, "documents").1;
    assert!(
        documents.starts_with("2 documents, 6 chunks, "),
        "{documents}"
    );
}

#[test]
fn the_doctor_makes_no_store() {
    let place = Workplace::new();
    let findings = place.json(&["doctor", "--json"]);
    assert_eq!(finding(&findings, "store").0, "warning");
    assert!(!place.path("store.db").exists());
}

#[test]
fn the_doctor_finds_damage() {
    let place = Workplace::new();
    let text: String = (0..20_000).fold(String::new(), |text, n| text + &format!("word{n} "));
    place.write("docs/long.txt", text);
    place.stdout(&["ingest", "docs"]);
    let mut bytes = std::fs::read(place.path("store.db")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8192].fill(0xa5);
    place.write("store.db", bytes);
    let output = place.run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let states = findings.as_array().unwrap().iter();
    let damaged = states.filter(|finding| finding["state"] == "problem");
    let words: Vec<String> = damaged.map(|finding| finding["what"].to_string()).collect();
    assert!(
        words
            .iter()
            .any(|what| what.contains("integrity") || what.contains("store")),
        "{findings}"
    );
}

/// Saves a checkpoint into the file of a store.
async fn save_checkpoint(place: &Workplace) {
    place.stdout(&["checkpoint", "migrate"]);
    let url = format!("sqlite:{}", place.path("store.db").display());
    let checkpoints = Checkpoints::connect(&url, &CheckpointOptions::default()).await;
    let checkpoints = checkpoints.unwrap();
    let checkpoint = Checkpoint::new("run", json!(1));
    checkpoints.records().save(&checkpoint).await.unwrap();
    checkpoints.close().await.unwrap();
}

/// Makes the first page of a table unreadable.
async fn damage(store: &Path, table: &str) {
    let options = SqliteConnectOptions::new().filename(store);
    let mut connection = options.connect().await.unwrap();
    let page = "SELECT rootpage FROM sqlite_master WHERE name = $1";
    let page = sqlx::query_scalar::<_, i64>(page).bind(table);
    let page = page.fetch_one(&mut connection).await.unwrap();
    let size = sqlx::query_scalar::<_, i64>("PRAGMA page_size");
    let size = size.fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let mut file = std::fs::OpenOptions::new().write(true).open(store).unwrap();
    let start = u64::try_from((page - 1) * size).unwrap();
    file.seek(SeekFrom::Start(start)).unwrap();
    file.write_all(&[0]).unwrap();
}

#[tokio::test]
async fn the_doctor_speaks_of_lost_checkpoints_where_there_are_some() {
    for has_checkpoints in [false, true] {
        let place = Workplace::new();
        place.stdout(&["ingest", "docs"]);
        if has_checkpoints {
            save_checkpoint(&place).await;
        }
        damage(&place.path("store.db"), "sections").await;
        let output = place.run(&["doctor", "--deep"]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        // Whoever restored a backup beside an old write-ahead log still has it.
        assert!(
            said.contains("restore it again after removing its `-wal`"),
            "{said}"
        );
        assert!(
            said.contains("otherwise move the file away and ingest again"),
            "{said}"
        );
        let loss = "checkpoints in it can only be restored from a backup";
        assert_eq!(said.contains(loss), has_checkpoints, "{said}");
    }
}

#[test]
fn the_doctor_names_documents_that_cannot_be_read() {
    let place = Workplace::new();
    place.write("docs/broken.pdf", "%PDF-1.4\nnothing\n");
    place.stderr(&["ingest", "docs"], 2);
    let findings = place.json(&["doctor", "--json"]);
    let (state, says) = finding(&findings, "documents");
    assert_eq!(state, "warning");
    assert!(says.contains("docs/broken.pdf"), "{says}");
}

#[test]
fn the_doctor_says_that_a_model_does_not_answer() {
    let place = Workplace::new();
    let name = "http://127.0.0.1:9/v1#nobody";
    let output = place.run(&["doctor", "--embedder", name, "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let findings = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(finding(&findings, "embedder").0, "problem");
}

#[test]
fn quiet_says_nothing_and_verbose_names_every_file() {
    let place = Workplace::new();
    place.write("docs/picture.png", b"\x89PNG\r\n\x1a\n");
    let normal = place.run(&["ingest", "docs"]);
    assert!(stderr(&normal).contains("skipped"), "{}", stderr(&normal));
    let quiet = place.run(&["ingest", "docs", "--quiet"]);
    assert_eq!(stderr(&quiet), "");
    let verbose = stderr(&place.run(&["ingest", "docs", "-v"]));
    assert!(verbose.contains("docs/guide.md: unchanged"), "{verbose}");
    assert!(!stderr(&normal).contains("unchanged"));
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Workplace::new();
    place.stdout(&["man", "--dir", "man"]);
    let page = std::fs::read_to_string(place.path("man/sectile-search.1")).unwrap();
    assert!(
        page.contains(".TH sectile-search 1") && page.contains("group\\-by"),
        "{page}"
    );
    assert!(place.path("man/sectile-checkpoint-prune.1").exists());
    assert!(!place.path("man/sectile-load-worker.1").exists());
}

#[test]
fn a_file_that_was_broken_before_is_named() {
    let place = Workplace::new();
    place.write("config.toml", "limti = 3\n");
    let said = place.stderr(&["config", "set", "mode", "text"], 2);
    assert!(
        said.contains("config.toml") && said.contains("limti"),
        "{said}"
    );
}
