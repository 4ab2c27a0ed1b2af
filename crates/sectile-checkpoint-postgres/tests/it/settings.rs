//! An application's own pool, and transactions that begin with settings.

use std::time::Duration;

use sectile_checkpoint::{Checkpoint, Checkpointer as _, ErrorKind, ThreadQuery, Threads as _};
use sectile_checkpoint_postgres::PostgresCheckpointer;
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, PgPool};
use tokio::time::timeout;

/// Lets a role without other rights see the threads of its tenant alone.
const POLICIES: &str = "CREATE ROLE {role} LOGIN PASSWORD 'tenant';
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {role};
    ALTER TABLE checkpoint_threads ENABLE ROW LEVEL SECURITY;
    CREATE POLICY of_tenant ON checkpoint_threads
        USING (split_part(thread_id, '/', 1) = current_setting('app.tenant', true));";

async fn pool(url: &str) -> PgPool {
    let options = PgPoolOptions::new().max_connections(2);
    options.connect(url).await.unwrap()
}

#[tokio::test]
async fn a_tenant_sees_and_saves_its_own_threads_alone() {
    let url = sectile_test_postgres::database().await.unwrap();
    let owner = PostgresCheckpointer::builder(&url).connect().await.unwrap();
    owner.migrate().await.unwrap();
    let admin = pool(&url).await;
    // Roles belong to the server, which other tests use.
    let role = format!("of_{}", url.rsplit('/').next().unwrap());
    let policies = AssertSqlSafe(POLICIES.replace("{role}", &role));
    sqlx::raw_sql(policies).execute(&admin).await.unwrap();

    let url = url.replace("postgres:postgres@", &format!("{role}:tenant@"));
    let shared = PostgresCheckpointer::builder(&url)
        .max_connections(2)
        .connect()
        .await
        .unwrap();
    let [red, blue] = ["red", "blue"].map(|tenant| shared.with_settings([("app.tenant", tenant)]));
    for round in 0..5 {
        let save = async |tenant: &PostgresCheckpointer, thread: &str| {
            tenant
                .save(&Checkpoint::new(thread, vec![round; 2000]))
                .await
        };
        let (by_red, by_blue) = tokio::join!(save(&red, "red/1"), save(&blue, "blue/1"));
        assert_eq!(
            (by_red.unwrap().seq, by_blue.unwrap().seq),
            (round + 1, round + 1)
        );
        let foreign = save(&red, "blue/1").await.unwrap_err();
        assert_eq!(foreign.kind(), ErrorKind::PermissionDenied, "{foreign:?}");
    }
    let seen = async |tenant: &PostgresCheckpointer| {
        let threads = tenant.threads(&ThreadQuery::default()).await.unwrap();
        threads
            .into_iter()
            .map(|thread| thread.thread_id)
            .collect::<Vec<_>>()
    };
    assert_eq!(seen(&red).await, ["red/1"]);
    assert_eq!(seen(&blue).await, ["blue/1"]);
    assert_eq!(seen(&shared).await, Vec::<String>::new());
    let own: Option<Checkpoint<Vec<u64>>> = red.load("red/1").await.unwrap();
    assert_eq!(own.map(|found| found.state), Some(vec![4; 2000]));
    let foreign: Option<Checkpoint<Vec<u64>>> = red.load("blue/1").await.unwrap();
    assert!(foreign.is_none());
}

#[tokio::test]
async fn a_pool_of_an_application_is_shared_and_left_open() {
    let url = sectile_test_postgres::database().await.unwrap();
    let pool = pool(&url).await;
    let checkpointer = PostgresCheckpointer::builder_on(pool.clone());
    let checkpointer = checkpointer
        .enable_projections(true)
        .connect()
        .await
        .unwrap();
    checkpointer.migrate().await.unwrap();
    let mut abandoned = 0;
    for at in 0..200 {
        let checkpoint = Checkpoint::new("t", at);
        let save = checkpointer.save(&checkpoint);
        let micros = Duration::from_micros(at * 20);
        abandoned += i64::from(timeout(micros, save).await.is_err());
        let load = checkpointer.load("t");
        let _: Result<sectile_checkpoint::Result<Option<Checkpoint<u64>>>, _> =
            timeout(micros, load).await;
    }
    assert!(abandoned > 0);
    assert!(pool.size() <= 2);
    checkpointer.clone().close().await;
    let closed = checkpointer
        .save(&Checkpoint::new("t", 0))
        .await
        .unwrap_err();
    assert_eq!(closed.kind(), ErrorKind::Unavailable, "{closed:?}");
    let count = sqlx::query_scalar("SELECT checkpoints FROM checkpoint_threads");
    let count: i64 = count.fetch_one(&pool).await.unwrap();
    // One that was abandoned before it had a connection did not begin.
    assert!(
        (200 - abandoned..=200).contains(&count),
        "{count} of 200, {abandoned} abandoned"
    );
    // No connection has come back with a transaction left behind.
    let idle = sqlx::query_scalar(
        "SELECT count(*) FROM pg_stat_activity \
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
    );
    let idle: i64 = idle.fetch_one(&pool).await.unwrap();
    assert_eq!(idle, 0);
}

#[tokio::test]
async fn tables_in_a_later_schema_of_the_path_are_refused() {
    let url = sectile_test_postgres::database().await.unwrap();
    let owner = PostgresCheckpointer::builder(&url).connect().await.unwrap();
    owner.migrate().await.unwrap();
    let made = sqlx::raw_sql("CREATE SCHEMA two")
        .execute(&pool(&url).await)
        .await;
    made.unwrap();
    let connect = async |schemas: &str| {
        let url = format!("{url}?options=-csearch_path%3D{schemas}");
        PostgresCheckpointer::builder(&url).connect().await
    };
    let refused = connect("two,public").await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidConfig, "{refused:?}");
    let message = refused.to_string();
    assert!(
        message.contains("`two`") && message.contains("`public`"),
        "{message}"
    );
    for (schemas, is_new) in [("public", false), ("two", true), ("two,public", false)] {
        let checkpointer = connect(schemas).await.unwrap();
        assert_eq!(checkpointer.migrate().await.unwrap(), is_new, "{schemas}");
    }
}

#[tokio::test]
async fn an_index_in_a_later_schema_of_the_path_replaces_none() {
    let url = sectile_test_postgres::database().await.unwrap();
    let pool = pool(&url).await;
    let made = sqlx::raw_sql("CREATE SCHEMA two").execute(&pool).await;
    made.unwrap();
    let mut checkpointer = None;
    for schemas in ["two", "public", "two,public"] {
        let url = format!("{url}?options=-csearch_path%3D{schemas}");
        let connected = PostgresCheckpointer::builder(&url).connect().await.unwrap();
        connected.migrate().await.unwrap();
        checkpointer = Some(connected);
    }
    let checkpointer = checkpointer.unwrap();
    assert_eq!(checkpointer.verify().await.unwrap(), []);
    let damage =
        "DROP INDEX two.checkpoints_by_run; ALTER TABLE two.messages DROP CONSTRAINT messages_pkey";
    sqlx::raw_sql(damage).execute(&pool).await.unwrap();
    let damages = checkpointer.verify().await.unwrap();
    let damages: Vec<String> = damages.iter().map(ToString::to_string).collect();
    assert_eq!(damages.len(), 2, "{damages:?}");
    for index in ["`checkpoints_by_run`", "`messages_pkey`"] {
        assert!(
            damages.iter().any(|damage| damage.contains(index)),
            "{damages:?}"
        );
    }
}

#[tokio::test]
async fn tables_of_another_program_are_left_alone() {
    let url = sectile_test_postgres::database().await.unwrap();
    let made = sqlx::raw_sql("CREATE TABLE checkpoints (thread_id text)");
    made.execute(&pool(&url).await).await.unwrap();
    let builder = PostgresCheckpointer::builder(&url);
    let refused = builder
        .connect()
        .await
        .unwrap()
        .migrate()
        .await
        .unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidConfig, "{refused:?}");
    let builder = PostgresCheckpointer::builder(&url).table_prefix("sectile_");
    assert!(builder.connect().await.unwrap().migrate().await.unwrap());
}
