//! Tables made by many at once, by roles with few rights, and beside those of others.

use std::time::Duration;

use sectile::CheckpointOptions;
use sectile::Checkpoints;
use sectile::checkpoint::{At, Checkpoint, Checkpointer as _, Error, RecordsExt as _};
use sectile_checkpoint_torture::{connect, numbered};

use crate::engine::{Engine, list, worker};
use crate::{on_both_engines, size};

on_both_engines!(
    twenty_processes_make_the_tables_at_once,
    nothing_is_saved_before_the_tables_are_made,
    tables_of_a_newer_release_are_refused,
    tables_stand_beside_those_of_an_application,
    tables_of_the_first_release_are_moved_though_it_is_killed,
    a_damaged_checkpoint_of_the_first_release_keeps_no_other_back,
);

/// The tables as the first release made them.
const FIRST_ON_SQLITE: &str =
    include_str!("../../../../migrations/checkpoint/sqlite/0001_checkpoints.sql");
const FIRST_ON_POSTGRES: &str =
    include_str!("../../../../migrations/checkpoint/postgres/0001_checkpoints.sql");

/// The threads of the first release, and how many checkpoints each has.
const THREADS: [(&str, u64); 3] = [("a", 700), ("b", 1), ("it's", 300)];

/// Makes a database as the first release left it, with one thread that is empty.
async fn first_release(engine: &Engine) {
    let (tables, bookkeeping) = if engine.is_sqlite() {
        (FIRST_ON_SQLITE, "applied_at INTEGER NOT NULL")
    } else {
        (FIRST_ON_POSTGRES, "applied_at BIGINT NOT NULL DEFAULT 0")
    };
    engine
        .execute(&tables.replace("{prefix}", "").replace("{}", ""))
        .await;
    engine
        .execute(&format!(
            "CREATE TABLE sectile_migrations (schema TEXT NOT NULL, version INTEGER NOT NULL, \
             {bookkeeping}, PRIMARY KEY (schema, version)); \
             INSERT INTO sectile_migrations VALUES ('checkpoint', 1, 0)"
        ))
        .await;
    for (thread, count) in THREADS {
        let thread = thread.replace('\'', "''");
        let mut rows = Vec::new();
        for seq in 1..=count {
            let checkpoint = numbered("", seq);
            let (state, step) = (checkpoint.state.to_string(), checkpoint.step);
            let metadata = serde_json::Value::from(checkpoint.metadata);
            let parent = seq - 1;
            rows.push(format!(
                "('{thread}', {seq}, {seq}, 'node', {step}, 'id {seq}', nullif({parent}, 0), \
                 '[]', '{metadata}', '{state}')"
            ));
        }
        engine
            .execute(&format!(
                "INSERT INTO checkpoints (thread_id, seq, created_at, node, step, checkpoint_id, \
                 parent_seq, queue_json, metadata_json, state_json) VALUES {}",
                rows.join(", ")
            ))
            .await;
    }
    let counters = if engine.is_sqlite() {
        ""
    } else {
        "INSERT INTO checkpoint_threads SELECT thread_id, max(seq) FROM checkpoints GROUP BY 1;"
    };
    engine
        .execute(&format!(
            "{counters} INSERT INTO checkpoint_threads VALUES ('empty', 4)"
        ))
        .await;
}

async fn tables_of_the_first_release_are_moved_though_it_is_killed(engine: Engine) {
    first_release(&engine).await;
    let before = connect(&engine.url).await.unwrap();
    let refused = before.records().load_as::<serde_json::Value>("a").await;
    assert!(
        matches!(refused, Err(Error::NotMigrated { found: 1, .. })),
        "{refused:?}"
    );
    for milliseconds in [2, 5, 10, 20, 30, 40, 60] {
        let mut process = worker(&["migrate", &engine.url]);
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        process.kill().await.unwrap();
    }
    let checkpoints = connect(&engine.url).await.unwrap();
    checkpoints.migrate().await.unwrap();
    assert!(!checkpoints.migrate().await.unwrap());
    let records = checkpoints.records();
    for (thread, count) in THREADS {
        let found = list(&records, thread).await;
        assert_eq!(found.len() as u64, count);
        for (seq, found) in (1..).zip(found) {
            let mut expected = numbered(thread, seq).with_id(format!("id {seq}"));
            expected.seq = seq;
            expected.created_at = seq;
            expected.parent_seq = (seq > 1).then(|| seq - 1);
            assert_eq!(found, expected);
        }
        assert_eq!(
            records.save(&numbered(thread, 1)).await.unwrap().seq,
            count + 1
        );
    }
    // Numbers go on where they were, though no checkpoint is left.
    assert_eq!(records.save(&numbered("empty", 1)).await.unwrap().seq, 5);
    assert_eq!(checkpoints.verify().await.unwrap(), []);
    let old = ["checkpoints_1", "checkpoint_threads_1"];
    for table in old {
        engine
            .execute(&format!("CREATE TABLE {table} (is_free INTEGER)"))
            .await;
    }
}

async fn a_damaged_checkpoint_of_the_first_release_keeps_no_other_back(engine: Engine) {
    first_release(&engine).await;
    let mut damaged = vec![("a", 400), ("a", 700)];
    let mut changes = vec![
        "metadata_json = '[', state_json = '{\"ü\": 1}' WHERE thread_id = 'a' AND seq = 400",
        "queue_json = 'node' WHERE thread_id = 'a' AND seq = 700",
    ];
    if engine.is_sqlite() {
        // Text that is not Unicode, which SQLite stores.
        damaged.push(("b", 1));
        changes.push("metadata_json = CAST(x'ff' AS TEXT) WHERE thread_id = 'b'");
    }
    for change in changes {
        let change = format!("UPDATE checkpoints SET {change}");
        engine.execute(&change).await;
    }
    let checkpoints = connect(&engine.url).await.unwrap();
    let moved = checkpoints.migrate().await;
    let Err(Error::Corrupt { what }) = moved else {
        panic!("{moved:?}");
    };
    let others = if engine.is_sqlite() {
        "2 others"
    } else {
        "1 other "
    };
    assert!(what.contains("checkpoint 400 of thread `a`"), "{what}");
    assert!(what.contains(others), "{what}");
    assert!(!checkpoints.migrate().await.unwrap());
    // Sizes are bytes: another one would say that the state is in pieces, so that none of the thread is ever deleted.
    let sizes = "SELECT CAST(whole_bytes AS TEXT), CAST(octet_length(state_json) AS TEXT), queue_json \
                 FROM checkpoints WHERE metadata_json = '['";
    let sizes = engine.rows(sizes).await;
    assert_eq!(sizes.len(), 1);
    assert_eq!(sizes[0].0, sizes[0].1);

    let records = checkpoints.records();
    for (thread, count) in THREADS {
        for seq in 1..=count {
            let found = records
                .load_at_as::<serde_json::Value>(thread, At::Seq(seq))
                .await
                .map(Option::unwrap);
            if damaged.contains(&(thread, seq)) {
                assert!(matches!(found, Err(Error::Corrupt { .. })), "{found:?}");
            } else {
                let expected = numbered(thread, seq);
                assert_eq!(found.unwrap().state, expected.state, "{thread} {seq}");
            }
        }
        let saved = records.save(&numbered(thread, 1)).await.unwrap();
        assert_eq!(saved.seq, count + 1);
    }
}

/// Lets many processes migrate an empty database at once.
async fn migrate_at_once(url: &str) {
    let running: Vec<_> = (0..20).map(|_| worker(&["migrate", url])).collect();
    for process in running {
        let output = process.wait_with_output().await.unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
    }
}

async fn twenty_processes_make_the_tables_at_once(first: Engine) {
    migrate_at_once(&first.url).await;
    for _ in 1..size(2, 10) {
        let engine = first.another().await;
        migrate_at_once(&engine.url).await;
        let records = engine.open().await;
        records.save(&numbered("thread", 1)).await.unwrap();
        engine.check(&records, "thread").await;
    }
}

async fn nothing_is_saved_before_the_tables_are_made(engine: Engine) {
    let checkpoints = connect(&engine.url).await.unwrap();
    let records = checkpoints.records();
    let refused = records.save(&numbered("thread", 1)).await;
    assert!(
        matches!(refused, Err(Error::NotMigrated { found: 0, .. })),
        "{refused:?}"
    );
    // Whoever makes them, whoever is connected finds them.
    assert!(connect(&engine.url).await.unwrap().migrate().await.unwrap());
    records.save(&numbered("thread", 1)).await.unwrap();
    assert!(!checkpoints.migrate().await.unwrap());
}

async fn tables_of_a_newer_release_are_refused(engine: Engine) {
    engine.save_first().await;
    let (columns, values) = if engine.is_sqlite() {
        ("schema, version, applied_at", "'checkpoint', 99, 0")
    } else {
        ("schema, version", "'checkpoint', 99")
    };
    engine
        .execute(&format!(
            "INSERT INTO sectile_migrations ({columns}) VALUES ({values})"
        ))
        .await;
    let refused = connect(&engine.url).await;
    assert!(
        matches!(refused, Err(Error::NewerSchema { found: 99, .. })),
        "{refused:?}"
    );
}

async fn tables_stand_beside_those_of_an_application(engine: Engine) {
    for table in ["_sqlx_migrations", "sessions", "messages", "checkpoints"] {
        engine
            .execute(&format!("CREATE TABLE {table} (mine INTEGER)"))
            .await;
        engine
            .execute(&format!("INSERT INTO {table} VALUES (7)"))
            .await;
    }
    let schema = (!engine.is_sqlite()).then(|| "runs".to_owned());
    for (schema, table_prefix) in [(None, "sectile_"), (schema, "also_")] {
        let options = CheckpointOptions {
            schema,
            table_prefix: table_prefix.to_owned(),
            enable_projections: true,
            ..CheckpointOptions::default()
        };
        let checkpoints = Checkpoints::connect(&engine.url, &options).await.unwrap();
        assert!(checkpoints.migrate().await.unwrap());
        let records = checkpoints.records();
        records.save(&numbered("thread", 1)).await.unwrap();
        let latest: Option<Checkpoint<serde_json::Value>> = records.load("thread").await.unwrap();
        assert_eq!(latest.unwrap().seq, 1);
    }
    for table in ["_sqlx_migrations", "sessions", "messages", "checkpoints"] {
        let mine = engine
            .rows(&format!("SELECT CAST(mine AS TEXT), '', '' FROM {table}"))
            .await;
        assert_eq!(mine, [("7".to_owned(), String::new(), String::new())]);
    }
}
