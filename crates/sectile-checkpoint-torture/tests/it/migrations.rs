//! Tables made by many at once, by roles with few rights, and beside those of others.

use sectile::CheckpointOptions;
use sectile::Checkpoints;
use sectile::checkpoint::{Checkpoint, Checkpointer as _, Error};
use sectile_checkpoint_torture::{connect, numbered};

use crate::engine::{Engine, worker};
use crate::{on_both_engines, size};

on_both_engines!(
    twenty_processes_make_the_tables_at_once,
    nothing_is_saved_before_the_tables_are_made,
    tables_of_a_newer_release_are_refused,
    tables_stand_beside_those_of_an_application,
);

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
    engine
        .open()
        .await
        .save(&numbered("thread", 1))
        .await
        .unwrap();
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
