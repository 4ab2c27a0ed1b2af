//! Processes of the first release that are still connected after `migrate` moved the tables: they know
//! nothing of that, and go on with their statements.

use crate::engine::Engine;
use crate::on_both_engines;

on_both_engines!(
    calls_of_the_first_release_work_on_its_tables,
    calls_of_the_first_release_fail_on_later_tables_and_change_nothing,
);

/// The migrations on SQLite and on Postgres.
const MIGRATIONS: [(&str, &str); 5] = [
    (
        include_str!("../../../../migrations/checkpoint/sqlite/0001_checkpoints.sql"),
        include_str!("../../../../migrations/checkpoint/postgres/0001_checkpoints.sql"),
    ),
    (
        include_str!("../../../../migrations/checkpoint/sqlite/0002_pieces.sql"),
        include_str!("../../../../migrations/checkpoint/postgres/0002_pieces.sql"),
    ),
    (
        include_str!("../../../../migrations/checkpoint/sqlite/0003_moved.sql"),
        include_str!("../../../../migrations/checkpoint/postgres/0003_moved.sql"),
    ),
    (
        include_str!("../../../../migrations/checkpoint/sqlite/0004_compressed.sql"),
        include_str!("../../../../migrations/checkpoint/postgres/0004_compressed.sql"),
    ),
    (
        include_str!("../../../../migrations/checkpoint/sqlite/0005_values.sql"),
        include_str!("../../../../migrations/checkpoint/postgres/0005_values.sql"),
    ),
];

/// How the first release saved on SQLite.
const SAVE_ON_SQLITE: &str = "INSERT INTO checkpoints (thread_id, seq, created_at, node, \
     step, checkpoint_id, parent_seq, queue_json, metadata_json, state_json) VALUES ('a', \
     (SELECT latest + 1 FROM (SELECT coalesce((SELECT last_seq FROM checkpoint_threads \
      WHERE thread_id = 'a'), 0) AS latest) WHERE coalesce(NULL, 0) <= latest), \
     1, 'node', 1, NULL, NULL, '[]', '{}', '1') \
     ON CONFLICT (thread_id, checkpoint_id) WHERE checkpoint_id IS NOT NULL DO NOTHING \
     RETURNING seq";

/// How it saved on Postgres.
const SAVE_ON_POSTGRES: &str = "WITH taken AS (\
     INSERT INTO checkpoint_threads AS thread (thread_id, last_seq) \
     SELECT 'a', 1 WHERE NOT EXISTS (SELECT 1 FROM checkpoints \
         WHERE thread_id = 'a' AND checkpoint_id = NULL) \
     AND (NULL::bigint IS NULL OR EXISTS (SELECT 1 FROM checkpoint_threads \
         WHERE thread_id = 'a' AND last_seq >= NULL)) \
     ON CONFLICT (thread_id) DO UPDATE SET last_seq = thread.last_seq + 1 \
     RETURNING last_seq) \
     INSERT INTO checkpoints (thread_id, seq, created_at, node, step, checkpoint_id, \
     parent_seq, queue_json, metadata_json, state_json) \
     SELECT 'a', last_seq, 1, 'node', 1, NULL, NULL, '[]', '{}', '1' FROM taken RETURNING seq";

/// What its other calls did on both, each in a transaction. The last one deletes.
const CALLS: [&str; 11] = [
    "SELECT thread_id, seq, created_at, node, step, checkpoint_id, parent_seq, \
     queue_json, metadata_json, state_json \
     FROM checkpoints WHERE thread_id = 'a' ORDER BY seq DESC LIMIT 1",
    "SELECT thread_id, seq, created_at, node, step, checkpoint_id, parent_seq, \
     queue_json, metadata_json, state_json FROM checkpoints WHERE thread_id = 'a' AND seq = 1",
    "SELECT thread_id, seq, created_at, node, step, checkpoint_id, parent_seq, \
     queue_json, metadata_json, state_json \
     FROM checkpoints WHERE thread_id = 'a' AND checkpoint_id = 'id'",
    "SELECT thread_id, seq, created_at, node, step, checkpoint_id, parent_seq, \
     queue_json, metadata_json, state_json \
     FROM checkpoints WHERE thread_id = 'a' AND seq < 9 ORDER BY seq DESC LIMIT 9",
    "SELECT seq, metadata_json FROM checkpoints \
     WHERE thread_id = 'a' AND seq < 9 ORDER BY seq DESC LIMIT 9",
    "SELECT t.thread_id, t.last_seq, \
     (SELECT count(*) FROM checkpoints AS c WHERE c.thread_id = t.thread_id), \
     (SELECT c.created_at FROM checkpoints AS c \
      WHERE c.thread_id = t.thread_id ORDER BY c.seq DESC LIMIT 1) \
     FROM checkpoint_threads AS t WHERE t.thread_id > '' ORDER BY t.thread_id LIMIT 9",
    "SELECT seq, thread_id FROM checkpoints WHERE thread_id = 'a' AND seq = 1",
    "SELECT last_seq, thread_id FROM checkpoint_threads WHERE thread_id = 'a'; \
     INSERT INTO checkpoint_threads (thread_id, last_seq) VALUES ('b', 1) \
     ON CONFLICT (thread_id) DO NOTHING; \
     INSERT INTO checkpoints (thread_id, seq, created_at, node, step, checkpoint_id, parent_seq, \
     queue_json, metadata_json, state_json) \
     SELECT 'b', seq, created_at, node, step, checkpoint_id, parent_seq, \
     queue_json, metadata_json, state_json \
     FROM checkpoints WHERE thread_id = 'a' AND seq <= 1 ORDER BY seq",
    "SELECT seq, thread_id FROM checkpoints WHERE thread_id = 'a' ORDER BY seq DESC LIMIT 1 OFFSET 0; \
     DELETE FROM checkpoints WHERE thread_id = 'a' AND seq < 1 AND created_at < 9",
    "UPDATE checkpoint_threads SET last_seq = last_seq WHERE thread_id = 'a'; \
     DELETE FROM messages WHERE thread_id = 'a' AND position >= 0; \
     DELETE FROM graph_triples WHERE thread_id = 'a' AND position >= 0; \
     DELETE FROM sessions WHERE thread_id = 'a'; \
     SELECT thread_id, seq, created_at, node, step, checkpoint_id, parent_seq, \
     queue_json, metadata_json, state_json \
     FROM checkpoints WHERE thread_id = 'a' AND seq > 0 ORDER BY seq LIMIT 9",
    "DELETE FROM checkpoint_threads WHERE thread_id = 'a'; \
     DELETE FROM messages WHERE thread_id = 'a' AND position >= 0; \
     DELETE FROM graph_triples WHERE thread_id = 'a' AND position >= 0; \
     DELETE FROM sessions WHERE thread_id = 'a'; \
     DELETE FROM checkpoints WHERE thread_id = 'a'",
];

/// A thread with a checkpoint and a message, in the tables of all versions but the first.
const CONTENT: &str = "INSERT INTO checkpoint_threads (thread_id, namespace, last_seq, newest_seq, \
     checkpoints, updated_at, used_slot, last_piece) VALUES ('a', '', 1, 1, 1, 1, 0, 0); \
     INSERT INTO checkpoints (thread_key, seq, created_at, step, checksum, whole_bytes, form, \
     queue_json, metadata_json, state_json) \
     SELECT thread_key, 1, 1, 1, 0, 1, 0, '[]', '{}', '1' FROM checkpoint_threads; \
     INSERT INTO messages (thread_id, position, seq, created_at, chain, role, content) \
     VALUES ('a', 0, 1, 1, 'chain', 'user', 'text')";

/// Returns what each call does, in a transaction; saves come first.
fn calls(engine: &Engine) -> Vec<String> {
    let save = if engine.is_sqlite() {
        SAVE_ON_SQLITE
    } else {
        SAVE_ON_POSTGRES
    };
    let all = std::iter::once(save).chain(CALLS);
    all.map(|call| format!("BEGIN; {call}; COMMIT")).collect()
}

/// Makes the tables of a version.
async fn make_tables(engine: &Engine, version: usize) {
    for (on_sqlite, on_postgres) in &MIGRATIONS[..version] {
        let sql = if engine.is_sqlite() {
            on_sqlite
        } else {
            on_postgres
        };
        engine
            .execute(&sql.replace("{prefix}", "").replace("{}", ""))
            .await;
    }
}

async fn content(engine: &Engine) -> Vec<(String, String, String)> {
    let mut content = Vec::new();
    for sql in [
        "SELECT thread_id, CAST(last_seq AS TEXT), '' FROM checkpoint_threads",
        "SELECT CAST(thread_key AS TEXT), CAST(seq AS TEXT), state_json FROM checkpoints",
        "SELECT thread_id, role, content FROM messages",
    ] {
        content.extend(engine.rows(sql).await);
    }
    content
}

async fn calls_of_the_first_release_work_on_its_tables(engine: Engine) {
    make_tables(&engine, 1).await;
    for call in calls(&engine) {
        engine.execute(&call).await;
    }
}

async fn calls_of_the_first_release_fail_on_later_tables_and_change_nothing(first: Engine) {
    for version in 2..=MIGRATIONS.len() {
        let engine = first.another().await;
        make_tables(&engine, version).await;
        engine.execute(CONTENT).await;
        let before = content(&engine).await;
        assert_eq!(before.len(), 3);
        for call in calls(&engine) {
            let done = engine.try_execute(&call).await;
            assert!(done.is_err(), "version {version}: {call}");
            assert_eq!(content(&engine).await, before, "version {version}: {call}");
        }
    }
}
