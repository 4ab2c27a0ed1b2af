//! What a list of threads reads follows what it lists.

use sectile_checkpoint::{Checkpoint, Checkpointer as _, ThreadOrder, ThreadQuery, Threads as _};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sectile_checkpoint_sql::sql::threads;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

/// How many threads there are, and how far apart they were used, in milliseconds.
const THREADS: i64 = 20_000;
const BETWEEN_USES: i64 = 66_000;

/// Copies two checkpoints to many threads: that with one entry of metadata, and to a hundred that with two.
const FILL: &str = "
CREATE TEMPORARY TABLE new AS SELECT i, CASE WHEN i % 200 = 0 THEN 'two' ELSE 'one' END AS of
    FROM generate_series(1, 20000) AS i;
INSERT INTO checkpoint_threads (thread_id, namespace, last_seq, newest_seq, checkpoints, updated_at,
    used_slot, last_piece) SELECT to_char(i * 7919 % 20000, 'FM000000'), '', 1, 1, 1, i * 66000::bigint,
    (i * 66000::bigint) >> 16, 0 FROM new;
CREATE TEMPORARY TABLE pair AS SELECT new.i, t.thread_key, seed.thread_key AS seed FROM new
    JOIN checkpoint_threads AS t ON t.updated_at = i * 66000::bigint
    JOIN checkpoint_threads AS seed ON seed.thread_id = new.of;
INSERT INTO checkpoints (thread_key, seq, created_at, step, checksum, whole_bytes, form, queue_json,
    metadata_json, state_json) SELECT pair.thread_key, seq, created_at, step, checksum, whole_bytes, form,
    queue_json, metadata_json, state_json FROM pair JOIN checkpoints AS c ON c.thread_key = pair.seed;
INSERT INTO checkpoint_metadata SELECT pair.thread_key, entry, block
    FROM pair JOIN checkpoint_metadata AS m ON m.thread_key = pair.seed;
ANALYZE checkpoint_threads; ANALYZE checkpoints; ANALYZE checkpoint_metadata";

/// Returns the entry of metadata that so many of the first two threads have.
async fn entry(connection: &mut PgConnection, count: i64) -> i64 {
    let sql = "SELECT entry FROM checkpoint_metadata JOIN checkpoint_threads USING (thread_key) \
               WHERE thread_id IN ('one', 'two') GROUP BY entry HAVING count(*) = $1";
    let found: (i64,) = sqlx::query_as(sql)
        .bind(count)
        .fetch_one(connection)
        .await
        .unwrap();
    found.0
}

/// Runs a statement with arguments, which the server plans for them, and returns how many rows of tables it
/// looked at.
async fn looked_at(
    connection: &mut PgConnection,
    template: &'static str,
    arguments: &[&str],
) -> f64 {
    let tables = sectile_migrations::Tables::new(None, "").unwrap();
    let mut sql = tables.sql(template).to_string();
    for (number, argument) in (1..).zip(arguments) {
        sql = sql.replace(&format!("${number}"), argument);
    }
    let sql = format!("EXPLAIN (ANALYZE, FORMAT JSON) {sql}");
    let row = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_one(connection);
    let plan: String = row.await.unwrap().try_get_unchecked(0).unwrap();
    let plan: Value = serde_json::from_str(&plan).unwrap();
    rows(&plan[0]["Plan"])
}

/// Returns how many rows of tables a part of a plan looked at.
fn rows(plan: &Value) -> f64 {
    let number = |name: &str| plan[name].as_f64().unwrap_or(0.0);
    let removed = ["Rows Removed by Filter", "Rows Removed by Index Recheck"].map(number);
    let own = match plan.get("Relation Name") {
        Some(_) => (number("Actual Rows") + removed[0] + removed[1]) * number("Actual Loops"),
        None => 0.0,
    };
    let parts = plan["Plans"].as_array().into_iter().flatten();
    own + parts.map(rows).sum::<f64>()
}

#[tokio::test]
async fn a_page_of_threads_is_found_without_looking_at_all() {
    let url = sectile_test_postgres::database().await.unwrap();
    let checkpointer = PostgresCheckpointer::builder(&url).connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    for thread_id in ["one", "two"] {
        let checkpoint = Checkpoint::new(thread_id, 1).with_created_at(1);
        let checkpoint = checkpoint.with_metadata("common", true);
        let checkpoint = match thread_id {
            "one" => checkpoint,
            _ => checkpoint.with_metadata("rare", true),
        };
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let filled = sqlx::raw_sql(FILL).execute(&mut connection).await;
    filled.unwrap();
    let common = entry(&mut connection, 2).await.to_string();
    let rare = entry(&mut connection, 1).await.to_string();

    let middle = THREADS / 2 * BETWEEN_USES;
    let since = middle - 30 * BETWEEN_USES;
    let numbers = [i64::MAX, middle, since, middle >> 16, since >> 16];
    let numbers = numbers.map(|number| number.to_string());
    let [most, time, since, to, from] = numbers.each_ref().map(String::as_str);
    let (common, rare) = (common.as_str(), rare.as_str());
    let (none, first, id) = ("NULL", "''", "'010000'");
    for (template, arguments) in [
        (threads::BY_ID, vec![none, "0", most, first, "50"]),
        (threads::BY_ID, vec![none, "0", most, id, "50"]),
        (threads::BY_ID, vec![common, "0", most, id, "50"]),
        (
            threads::USED,
            vec![none, since, time, first, "50", from, to],
        ),
        (
            threads::USED,
            vec![common, since, time, first, "50", from, to],
        ),
        (threads::WITH, vec![rare, "0", most, first, "50"]),
        (threads::WITH_BY_USE, vec![rare, "0", most, id, "50", time]),
        (
            threads::BY_USE,
            vec![none, "0", most, first, "50", "0", most, most],
        ),
        (
            threads::BY_USE,
            vec![none, "0", most, id, "50", "0", to, time],
        ),
        (
            threads::BY_USE,
            vec![common, "0", most, id, "50", "0", to, time],
        ),
        (threads::COUNT_WITH, vec![common, "1000"]),
        (threads::COUNT_WITH, vec![rare, "1000"]),
        (threads::COUNT_USED, vec!["0", most, "1000"]),
        (threads::LAST_USE, vec![id]),
    ] {
        let rows = looked_at(&mut connection, template, &arguments).await;
        assert!(
            rows < THREADS as f64 / 10.0,
            "{rows}: {template} {arguments:?}"
        );
    }
    connection.close().await.unwrap();

    // More than a few have it, so that threads are walked in their order.
    for (order, expected) in [
        (ThreadOrder::ById, ["000000", "000001", "000002"]),
        (ThreadOrder::ByLastUse, ["000000", "012081", "004162"]),
    ] {
        let mut query = ThreadQuery {
            limit: Some(3),
            order,
            ..ThreadQuery::default()
        };
        let _ = query.metadata.insert("common".to_owned(), true.into());
        let found = checkpointer.threads(&query).await.unwrap();
        let found = found.into_iter().map(|thread| thread.thread_id);
        assert_eq!(found.collect::<Vec<_>>(), expected, "{order:?}");
    }
}
