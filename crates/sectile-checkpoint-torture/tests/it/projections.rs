//! Projections are written with their checkpoint or not at all.

use std::sync::Arc;

use sectile::checkpoint::{
    Checkpoint, Checkpointer as _, Error, Records, RecordsExt as _, ThreadQuery, TypedValue,
};
use sectile::checkpoint_postgres::PostgresCheckpointer;
use sectile::checkpoint_sqlite::SqliteCheckpointer;
use sectile::{CheckpointOptions, Checkpoints};
use sectile_checkpoint::conformance::{do_as_the_model, fresh_seed};
use sectile_checkpoint_torture::numbered;
use serde_json::{Value, json};

use crate::engine::Engine;
use crate::on_both_engines;

on_both_engines!(
    a_projection_that_fails_takes_its_checkpoint_back,
    an_entry_is_stored_once_however_many_checkpoints_hold_it,
    a_conversation_that_was_rewritten_is_projected_anew,
    text_that_no_database_holds_is_replaced_in_projections,
    shapes_that_do_not_map_are_left_out,
    a_state_of_bytes_leaves_nothing_of_the_one_before,
    a_fork_has_projections_of_its_own,
    a_deleted_run_leaves_nothing_in_projections,
    a_run_is_deleted_without_projections,
    projections_stay_as_they_are_when_they_are_rebuilt,
);

/// What each statement of a projection does, and to which table.
const STATEMENTS: [(&str, &str); 6] = [
    ("INSERT", "sessions"),
    ("UPDATE", "sessions"),
    ("INSERT", "messages"),
    ("DELETE", "messages"),
    ("INSERT", "graph_triples"),
    ("DELETE", "graph_triples"),
];

/// Makes a statement fail.
async fn break_statement(engine: &Engine, what: &str, table: &str) {
    let sql = if engine.is_sqlite() {
        format!(
            "CREATE TRIGGER broken BEFORE {what} ON {table} \
             BEGIN SELECT RAISE(ABORT, 'broken'); END"
        )
    } else {
        format!(
            "CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN RAISE EXCEPTION 'broken'; END $$; \
             CREATE TRIGGER broken BEFORE {what} ON {table} \
             FOR EACH ROW EXECUTE FUNCTION broken()"
        )
    };
    engine.execute(&sql).await;
}

async fn mend_statement(engine: &Engine, table: &str) {
    if engine.is_sqlite() {
        engine.execute("DROP TRIGGER broken").await;
    } else {
        let sql = format!("DROP TRIGGER broken ON {table}; DROP FUNCTION broken()");
        engine.execute(&sql).await;
    }
}

async fn a_projection_that_fails_takes_its_checkpoint_back(engine: Engine) {
    let records = engine.open().await;
    for (what, table) in STATEMENTS {
        let thread_id = format!("{what} {table}");
        // The second of these rewrites the conversation and the triples of the first.
        let (before, after) = (numbered(&thread_id, 19), numbered(&thread_id, 41));
        let is_first = what == "INSERT";
        if !is_first {
            records.save(&before).await.unwrap();
        }
        break_statement(&engine, what, table).await;
        let refused = records.save(&after).await;
        assert!(
            matches!(refused, Err(Error::Projection { .. })),
            "{what} {table}: {refused:?}"
        );
        mend_statement(&engine, table).await;
        let stored = engine.check(&records, &thread_id).await;
        assert_eq!(stored.len(), usize::from(!is_first), "{what} {table}");

        let saved = records.save(&after).await.unwrap();
        assert_eq!(saved.seq, if is_first { 1 } else { 2 });
        engine.check(&records, &thread_id).await;
    }
}

async fn messages(engine: &Engine, thread_id: &str) -> Vec<(String, String, String)> {
    let sql = format!(
        "SELECT role, content, CAST(seq AS TEXT) FROM messages \
         WHERE thread_id = '{thread_id}' ORDER BY position"
    );
    engine.rows(&sql).await
}

async fn save(records: &Arc<dyn Records>, thread_id: &str, messages: Value) {
    let state = json!({ "messages": messages });
    records
        .save(&Checkpoint::new(thread_id, state))
        .await
        .unwrap();
}

fn row(role: &str, content: &str, seq: u64) -> (String, String, String) {
    (role.into(), content.into(), seq.to_string())
}

async fn an_entry_is_stored_once_however_many_checkpoints_hold_it(engine: Engine) {
    let records = engine.open().await;
    let entries: Vec<Value> = ["a", "b", "a"]
        .map(|text| json!({"role": "user", "content": text}))
        .to_vec();
    for count in [1, 1, 2, 3, 3, 3] {
        save(&records, "thread", json!(entries[..count])).await;
    }
    let expected = [
        row("user", "a", 1),
        row("user", "b", 3),
        row("user", "a", 4),
    ];
    assert_eq!(messages(&engine, "thread").await, expected);
}

async fn a_conversation_that_was_rewritten_is_projected_anew(engine: Engine) {
    let records = engine.open().await;
    let entry = |text: &str| json!({"role": "user", "content": text});
    save(
        &records,
        "thread",
        json!([entry("a"), entry("b"), entry("c")]),
    )
    .await;
    save(
        &records,
        "thread",
        json!([entry("a"), entry("x"), entry("c")]),
    )
    .await;
    let expected = [
        row("user", "a", 1),
        row("user", "x", 2),
        row("user", "c", 2),
    ];
    assert_eq!(messages(&engine, "thread").await, expected);
    save(&records, "thread", json!([entry("a")])).await;
    assert_eq!(messages(&engine, "thread").await, [row("user", "a", 1)]);
    save(&records, "thread", Value::Null).await;
    assert!(messages(&engine, "thread").await.is_empty());
}

async fn text_that_no_database_holds_is_replaced_in_projections(engine: Engine) {
    let records = engine.open().await;
    let state = json!({
        "messages": [{"role": "us\0er", "content": "a\0b"}],
        "triples": [["a\0", "\0b", "c\0d", 0.5]],
    });
    let checkpoint = Checkpoint::new("thread", state.clone()).with_metadata("title", "a\0b");
    records.save(&checkpoint).await.unwrap();
    let latest: Option<Checkpoint<Value>> = records.load("thread").await.unwrap();
    assert_eq!(latest.unwrap().state, state);
    assert_eq!(
        messages(&engine, "thread").await,
        [row("us\u{fffd}er", "a\u{fffd}b", 1)]
    );
    let triples = engine
        .rows("SELECT subject, predicate, object FROM graph_triples")
        .await;
    let texts = ["a\u{fffd}", "\u{fffd}b", "c\u{fffd}d"].map(str::to_owned);
    assert_eq!(triples, [texts.into()]);
    let titles = engine.rows("SELECT title, '', '' FROM sessions").await;
    assert_eq!(titles[0].0, "a\u{fffd}b");
}

async fn shapes_that_do_not_map_are_left_out(engine: Engine) {
    let records = engine.open().await;
    let odd = json!([{"role": "user", "content": 1}, {"role": "user", "content": "a"}, 7]);
    save(&records, "thread", odd).await;
    assert_eq!(messages(&engine, "thread").await, [row("user", "a", 1)]);
}

async fn a_state_of_bytes_leaves_nothing_of_the_one_before(engine: Engine) {
    let records = engine.open().await;
    records.save(&numbered("thread", 1)).await.unwrap();
    let bytes = TypedValue::new("msgpack", *b"\x80");
    let checkpoint = Checkpoint::new("thread", bytes);
    records.save_stored(checkpoint).await.unwrap();
    let none = ["0", "0", "0"].map(str::to_owned);
    assert_eq!(counted(&engine, "thread").await, none.into());
}

async fn a_fork_has_projections_of_its_own(engine: Engine) {
    let records = engine.open().await;
    for number in 1..=5 {
        records.save(&numbered("main", number)).await.unwrap();
    }
    records.fork("main", 3, "branch").await.unwrap();
    engine.check(&records, "branch").await;
    records.save(&numbered("branch", 30)).await.unwrap();
    engine.check(&records, "branch").await;
    engine.check(&records, "main").await;
    records.delete_thread("branch").await.unwrap();
    assert!(messages(&engine, "branch").await.is_empty());
    engine.check(&records, "main").await;
}

/// Returns how many rows of a thread each table of projections has.
async fn counted(engine: &Engine, thread_id: &str) -> (String, String, String) {
    let count = |table: &str| {
        format!("(SELECT CAST(count(*) AS TEXT) FROM {table} WHERE thread_id = '{thread_id}')")
    };
    let counts = ["sessions", "messages", "graph_triples"].map(count);
    let rows = engine.rows(&format!("SELECT {}", counts.join(", "))).await;
    rows.into_iter().next().unwrap()
}

async fn a_deleted_run_leaves_nothing_in_projections(engine: Engine) {
    let records = engine.open().await;
    for (number, run) in [(1, "a"), (2, "a"), (3, "b"), (25, "b")] {
        let checkpoint = numbered("thread", number).of_run(run);
        records.save(&checkpoint).await.unwrap();
    }
    let child = numbered("thread", 1).in_namespace("child").of_run("b");
    records.save(&child).await.unwrap();
    let delete = async |run: &str| records.delete_runs(&[run.to_owned()]).await.unwrap();
    assert_eq!(delete("b").await, 3);
    assert_eq!(engine.check(&records, "thread").await.len(), 2);
    assert_eq!(messages(&engine, "thread").await.len(), 3);
    assert_eq!(delete("a").await, 2);
    let none = ["0", "0", "0"].map(str::to_owned);
    assert_eq!(counted(&engine, "thread").await, none.into());
}

async fn a_run_is_deleted_without_projections(engine: Engine) {
    let records = engine.open().await;
    for (number, run) in [(1, "a"), (2, "b")] {
        let checkpoint = numbered("thread", number).of_run(run);
        records.save(&checkpoint).await.unwrap();
    }
    let options = CheckpointOptions::default();
    let plain = Checkpoints::connect(&engine.url, &options).await.unwrap();
    let deleted = plain.records().delete_runs(&["b".into()]).await;
    assert_eq!(deleted.unwrap(), 1);
    let none = ["0", "0", "0"].map(str::to_owned);
    assert_eq!(counted(&engine, "thread").await, none.into());
}

/// Returns all that is projected, without numbers and times: when a checkpoint is gone, it is not
/// known any more which one had an entry first.
async fn all_projected(engine: &Engine) -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for sql in [
        "SELECT thread_id, metadata_json, '' FROM sessions ORDER BY thread_id",
        "SELECT thread_id, role, content FROM messages ORDER BY thread_id, position",
        "SELECT thread_id, subject, object FROM graph_triples ORDER BY thread_id, position",
    ] {
        all.extend(engine.rows(sql).await);
    }
    all
}

async fn rebuild(engine: &Engine, thread_ids: &[String]) {
    if engine.is_sqlite() {
        let builder = SqliteCheckpointer::builder(&engine.url);
        let checkpointer = builder.connect().await.unwrap();
        for thread_id in thread_ids {
            checkpointer.rebuild_projections(thread_id).await.unwrap();
        }
    } else {
        let builder = PostgresCheckpointer::builder(&engine.url);
        let checkpointer = builder.connect().await.unwrap();
        for thread_id in thread_ids {
            checkpointer.rebuild_projections(thread_id).await.unwrap();
        }
    }
}

async fn projections_stay_as_they_are_when_they_are_rebuilt(engine: Engine) {
    let open = async || {
        let records = engine.open().await;
        let threads = records.threads(&ThreadQuery::default()).await.unwrap();
        let with_root = threads.into_iter().filter(|thread| thread.latest_seq > 0);
        let thread_ids: Vec<String> = with_root.map(|thread| thread.thread_id).collect();
        let projected = all_projected(&engine).await;
        for (thread_id, ..) in &projected {
            assert!(thread_ids.contains(thread_id), "`{thread_id}` has no root");
        }
        rebuild(&engine, &thread_ids).await;
        assert_eq!(all_projected(&engine).await, projected);
        records
    };
    for seed in [5, fresh_seed()] {
        do_as_the_model(seed, 200, &open).await;
    }
}
