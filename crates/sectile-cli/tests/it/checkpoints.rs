//! `sectile checkpoint`, on both engines.

use std::process::{Command, Output};

use sectile::checkpoint::Checkpointer as _;
use sectile::checkpoint::{At, Checkpoint, Key, RecordsExt as _, TaskWrites, TypedValue};
use sectile::{CheckpointOptions, Checkpoints};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

#[path = "checkpoint_namespaces.rs"]
mod namespaces;

/// A database of checkpoints, and the program that is told of it.
struct Place {
    url: String,
    _folder: Option<tempfile::TempDir>,
}

impl Place {
    async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("runs.db").display());
        let place = Self {
            url,
            _folder: Some(folder),
        };
        place.fill().await;
        place
    }

    #[cfg(feature = "postgres")]
    async fn postgres() -> Self {
        let place = Self {
            url: sectile_test_postgres::database().await.unwrap(),
            _folder: None,
        };
        place.fill().await;
        place
    }

    /// Saves five checkpoints of one thread, a minute apart, and one of another.
    async fn fill(&self) {
        assert_eq!(self.stdout(&["migrate"]), "the tables are up to date now\n");
        let options = CheckpointOptions::default();
        let checkpoints = Checkpoints::connect(&self.url, &options).await.unwrap();
        let records = checkpoints.records();
        for number in 1..=5 {
            let checkpoint = Checkpoint::new("run", json!({ "number": number }))
                .at_step(number, "agent")
                .with_id(format!("id {number}"))
                .with_pending("tool", number + 1)
                .with_metadata("source", if number % 2 == 0 { "loop" } else { "input" })
                .with_created_at(1_700_000_000_000 + 60_000 * number);
            records.save(&checkpoint).await.unwrap();
        }
        let other = Checkpoint::new("other\u{1b}[2J", json!(null)).with_created_at(1);
        records.save(&other).await.unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sectile"));
        command.arg("checkpoint").args(arguments);
        command.env("SECTILE_STORE", &self.url).output().unwrap()
    }

    fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let arguments = [arguments, &["--json"]].concat();
        serde_json::from_str(&self.stdout(&arguments)).unwrap()
    }

    fn seqs(&self, arguments: &[&str]) -> Vec<u64> {
        let found = self.json(&[&["list", "run"], arguments].concat());
        let found = found.as_array().unwrap().iter();
        found.map(|row| row["seq"].as_u64().unwrap()).collect()
    }
}

/// Everything that can be asked, on one engine.
fn check(place: &Place) {
    assert_eq!(
        place.stdout(&["threads"]),
        "other\\u{1b}[2J  1 checkpoint, newest 1 of 1970-01-01T00:00:00Z\n\
         run  5 checkpoints, newest 5 of 2023-11-14T22:18:20Z\n"
    );
    assert_eq!(
        place.json(&["threads", "--limit", "1", "--after", "other"])[0]["latest_seq"],
        1
    );
    assert_eq!(
        place.stdout(&["list", "run", "--limit", "2"]),
        "5  2023-11-14T22:18:20Z  step 5  at agent  then tool  {\"source\":\"input\"}\n\
         4  2023-11-14T22:17:20Z  step 4  at agent  then tool  {\"source\":\"loop\"}\n"
    );
    for (arguments, more) in [
        (&["--limit", "2"][..], "3 more; `--before 4` shows them\n"),
        (
            &["--limit", "2", "--json"],
            "3 more; `--before 4` shows them\n",
        ),
        (
            &["--limit", "1", "--before", "3"],
            "there are more; `--before 2` shows them\n",
        ),
        (&["--limit", "5"], ""),
    ] {
        let output = place.run(&[&["list", "run"], arguments].concat());
        assert_eq!(String::from_utf8_lossy(&output.stderr), more);
    }
    let after = "there are more; `--after THREAD` lists those after the last one\n";
    for (arguments, count, said) in [
        (&["--limit", "1"][..], 1, after),
        (&["--limit", "1", "--by-use", "--json"], 1, after),
        (&["--limit", "2"], 2, ""),
        (&[], 2, ""),
    ] {
        let output = place.run(&[&["threads"], arguments].concat());
        assert_eq!(String::from_utf8_lossy(&output.stderr), said);
        let listed = place.json(&[&["threads"], &arguments[..arguments.len().min(2)]].concat());
        assert_eq!(listed.as_array().unwrap().len(), count, "{listed}");
    }
    for command in [&["threads"][..], &["list", "run"]] {
        let twice = ["--filter", "source=loop", "--filter", "source=input"];
        let output = place.run(&[command, &twice].concat());
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("`source` twice"), "{said}");
    }
    assert_eq!(place.seqs(&["--before", "3"]), [2, 1]);
    assert_eq!(place.seqs(&["--filter", "source=loop"]), [4, 2]);
    assert_eq!(
        place.seqs(&["--filter", "source=\"input\"", "--limit", "1"]),
        [5]
    );
    assert_eq!(
        place.json(&["show", "run"])["state"],
        json!({ "number": 5 })
    );
    assert_eq!(place.json(&["show", "run", "--seq", "2"])["id"], "id 2");
    assert_eq!(place.json(&["show", "run", "--id", "id 3"])["seq"], 3);
    assert!(
        place
            .stdout(&["show", "run"])
            .ends_with("{\n  \"number\": 5\n}\n")
    );

    assert_eq!(
        place.stdout(&["fork", "run", "branch", "--at", "3"]),
        "copied 3 checkpoints\n"
    );
    assert_eq!(
        place.json(&["fork", "branch", "again"]),
        json!({ "copied": 3 })
    );
    let pruned = place.json(&["prune", "--keep-latest", "2", "--thread", "branch"]);
    assert_eq!(pruned, json!({ "deleted": 1 }));
    assert_eq!(
        place.stdout(&["prune", "--older-than", "30days"]),
        "deleted 7 checkpoints\n"
    );
    assert_eq!(
        place.stdout(&["delete", "run", "again"]),
        "deleted 2 checkpoints\n"
    );
    assert_eq!(place.stdout(&["migrate"]), "the tables were up to date\n");
    refusals(place);
}

fn refusals(place: &Place) {
    for (arguments, status, message) in [
        (&["show", "nobody"][..], 1, "`nobody` is not a thread"),
        (&["list", "nobody"], 1, "`nobody` is not a thread"),
        (&["namespaces", "nobody"], 1, "`nobody` is not a thread"),
        (
            &["prune", "--keep-latest", "1", "--thread", "nobody"],
            1,
            "`nobody` is not a thread",
        ),
        (
            &["delete-runs", "nothing"],
            1,
            "no checkpoint belongs to `nothing`",
        ),
        (
            &["show", "branch", "--seq", "99"],
            1,
            "no such checkpoint of `branch`; `sectile checkpoint list branch`",
        ),
        (
            &["list", "branch", "--filter", "a=1"],
            1,
            "no checkpoint of `branch` has that metadata; ",
        ),
        (
            &["list", "branch", "--before", "1"],
            1,
            "no checkpoint of `branch` before 1 is kept; ",
        ),
        (
            &["list", "branch", "--namespace", "none", "--filter", "a=1"],
            1,
            "no such checkpoint of `branch`",
        ),
        (
            &["threads", "--filter", "user_id=nobody"],
            1,
            "no thread matches",
        ),
        (&["delete", "nobody"], 1, "`nobody` is not a thread"),
        (
            &["fork", "nobody", "new"],
            2,
            "thread `nobody` has no checkpoints; `sectile checkpoint threads` lists all",
        ),
        (
            &["fork", "branch", "branch"],
            2,
            "thread `branch` already exists",
        ),
        (
            &["fork", "branch", "new", "--at", "9"],
            2,
            "thread `branch` has no checkpoint 9; `sectile checkpoint list branch` lists its checkpoints",
        ),
        (&["prune"], 2, "--keep-latest"),
        (&["prune", "--keep-latest", "0"], 2, "--keep-latest"),
        (
            &["threads", "--table-prefix", "A b"],
            2,
            "must be at most 40 lower-case letters",
        ),
        (
            &["threads", "--table-prefix", "other_"],
            1,
            "; the first save of a run makes them",
        ),
    ] {
        let output = place.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}: {errors}"
        );
        assert!(errors.contains(message), "{arguments:?}: {errors}");
    }
}

#[tokio::test]
async fn tables_of_another_program_are_named() {
    let of_langgraph = "CREATE TABLE checkpoints (thread_id TEXT, checkpoint_ns TEXT);
        CREATE TABLE writes (idx INTEGER)";
    for (schema, table) in [
        (of_langgraph, "checkpoints"),
        ("CREATE TABLE users (id INTEGER)", "users"),
    ] {
        let mut place = super::workplace::Workplace::new();
        let file = place.path("app.db");
        let options = SqliteConnectOptions::new().filename(&file);
        let mut connection = options.create_if_missing(true).connect().await.unwrap();
        let made = sqlx::raw_sql(schema).execute(&mut connection).await;
        made.unwrap();
        connection.close().await.unwrap();
        place.store = format!("sqlite:{}", file.display());
        let before = std::fs::read(&file).unwrap();
        for command in ["threads", "verify", "du"] {
            let said = place.stderr(&["checkpoint", command], 1);
            let named = format!("such as `{table}`, are those of another program");
            assert!(said.contains(&named), "{said}");
            assert!(said.contains("import_checkpoints"), "{said}");
            assert!(said.contains("--table-prefix"), "{said}");
        }
        if table == "checkpoints" {
            let said = place.stderr(&["checkpoint", "migrate"], 2);
            assert!(
                said.contains("`table_prefix` must be another one"),
                "{said}"
            );
            assert_eq!(std::fs::read(&file).unwrap(), before);
        }
        place.stdout(&["checkpoint", "migrate", "--table-prefix", "sectile_"]);
        let said = place.stderr(&["checkpoint", "threads", "--table-prefix", "sectile_"], 1);
        assert!(said.starts_with("there are no checkpoints;"), "{said}");
    }
}

#[test]
fn a_store_without_checkpoints_has_none() {
    let place = super::workplace::Workplace::new();
    place.stdout(&["ingest", "docs"]);
    for (arguments, printed) in [
        (&["checkpoint", "threads"][..], ""),
        (&["checkpoint", "threads", "--json"], "[]\n"),
        (&["checkpoint", "show", "run", "--json"], "null\n"),
        (
            &["checkpoint", "fork", "run", "new", "--json"],
            "{\n  \"copied\": 0\n}\n",
        ),
        (
            &["checkpoint", "delete", "run", "--json"],
            "{\n  \"deleted\": 0\n}\n",
        ),
        (
            &["checkpoint", "delete-runs", "run", "--json"],
            "{\n  \"deleted\": 0\n}\n",
        ),
        (
            &["checkpoint", "prune", "--keep-latest", "1", "--json"],
            "{\n  \"deleted\": 0\n}\n",
        ),
        (&["checkpoint", "verify"], ""),
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), printed);
        assert_eq!(
            super::workplace::stderr(&output),
            format!(
                "there are no checkpoints in {}; the first save of a run makes them\n",
                place.store
            )
        );
    }
    let output = place.run(&["checkpoint", "du", "--json"]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        printed,
        json!({ "stored_bytes": 0, "whole_bytes": 0, "namespaces": [], "more": 0 })
    );
}

#[tokio::test]
async fn checkpoints_are_shown_and_tidied_in_sqlite() {
    check(&Place::sqlite().await);
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn checkpoints_are_shown_and_tidied_in_postgres() {
    check(&Place::postgres().await);
}

#[test]
fn a_file_that_is_not_there_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("missing.db");
    let place = Place {
        url: format!("sqlite:{}", file.display()),
        _folder: None,
    };
    let output = place.run(&["threads"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("missing.db"), "{errors}");
    assert!(!file.exists());
}

#[test]
fn a_password_is_not_shown() {
    let place = Place {
        url: "postgres://user:secret@127.0.0.1:9/app?connect_timeout=1".into(),
        _folder: None,
    };
    let output = place.run(&["threads"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("127.0.0.1:9/app") && !errors.contains("secret"),
        "{errors}"
    );
}
