//! A fresh database, looked at past the checkpointer.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::str::FromStr as _;
use std::sync::Arc;

use sectile::checkpoint::{
    Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer as _, Records,
    RecordsExt as _, ThreadQuery,
};
use sectile_checkpoint_torture::numbered;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection};
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// A fresh database of an engine.
pub(crate) struct Engine {
    pub(crate) url: String,
    /// The folder of a SQLite file.
    pub(crate) folder: Option<TempDir>,
}

impl Engine {
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("checkpoints.db");
        Self {
            url: format!("sqlite:{}", file.display()),
            folder: Some(folder),
        }
    }

    #[cfg(feature = "postgres")]
    pub(crate) async fn postgres() -> Self {
        Self::at(sectile_test_postgres::database().await.unwrap())
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn at(url: String) -> Self {
        Self { url, folder: None }
    }

    /// Returns another fresh database of the same engine.
    pub(crate) async fn another(&self) -> Self {
        #[cfg(feature = "postgres")]
        if !self.is_sqlite() {
            return Self::postgres().await;
        }
        Self::sqlite()
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        self.folder.is_some()
    }

    /// Opens a checkpointer with projections.
    pub(crate) async fn open(&self) -> Arc<dyn Records> {
        sectile_checkpoint_torture::open(&self.url).await.unwrap()
    }

    /// Saves the first checkpoint of the thread `thread`.
    pub(crate) async fn save_first(&self) {
        let records = self.open().await;
        records.save(&numbered("thread", 1)).await.unwrap();
    }

    /// Runs statements past the checkpointer.
    pub(crate) async fn execute(&self, sql: &str) {
        self.try_execute(sql).await.unwrap();
    }

    /// Runs statements past the checkpointer, which may fail.
    pub(crate) async fn try_execute(&self, sql: &str) -> sqlx::Result<()> {
        let sql = AssertSqlSafe(sql.to_owned());
        if self.is_sqlite() {
            let options = SqliteConnectOptions::from_str(&self.url).unwrap();
            let options = options.create_if_missing(true);
            let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
            let done = sqlx::raw_sql(sql).execute(&mut connection).await;
            connection.close().await.unwrap();
            done.map(drop)
        } else {
            let mut connection = PgConnection::connect(&self.url).await.unwrap();
            let done = sqlx::raw_sql(sql).execute(&mut connection).await;
            connection.close().await.unwrap();
            done.map(drop)
        }
    }

    /// Reads rows of three texts past the checkpointer.
    pub(crate) async fn rows(&self, sql: &str) -> Vec<(String, String, String)> {
        let sql = AssertSqlSafe(sql.to_owned());
        if self.is_sqlite() {
            let mut connection = SqliteConnection::connect(&self.url).await.unwrap();
            let rows = sqlx::query_as(sql)
                .fetch_all(&mut connection)
                .await
                .unwrap();
            connection.close().await.unwrap();
            rows
        } else {
            let mut connection = PgConnection::connect(&self.url).await.unwrap();
            let rows = sqlx::query_as(sql)
                .fetch_all(&mut connection)
                .await
                .unwrap();
            connection.close().await.unwrap();
            rows
        }
    }

    /// Checks that the numbers of a thread have no gap, that its projections are those of its
    /// newest checkpoint, and that the file is whole; returns its checkpoints, oldest first.
    pub(crate) async fn check(
        &self,
        records: &Arc<dyn Records>,
        thread_id: &str,
    ) -> Vec<Checkpoint<Value>> {
        let stored = loop {
            let stored = list(records, thread_id).await;
            let projected = self.projected(thread_id, stored.last()).await;
            // A save of a process that was killed may be committed between the two looks.
            if list(records, thread_id).await.len() == stored.len() {
                for (found, expected) in projected {
                    assert_eq!(found, expected);
                }
                break stored;
            }
        };
        let seqs = stored.iter().map(|checkpoint| checkpoint.seq);
        assert!(seqs.eq(1..=stored.len() as u64), "the numbers have a gap");
        if self.is_sqlite() {
            let whole = self
                .rows("SELECT integrity_check, '', '' FROM pragma_integrity_check")
                .await;
            assert_eq!(whole, [("ok".to_owned(), String::new(), String::new())]);
        }
        stored
    }

    /// Checks that the projections of all threads are those of their newest checkpoints, and that
    /// there are no others.
    pub(crate) async fn check_projections(&self, records: &Arc<dyn Records>) {
        let projected = "SELECT thread_id, '', '' FROM sessions \
             UNION SELECT thread_id, '', '' FROM messages \
             UNION SELECT thread_id, '', '' FROM graph_triples";
        let projected = self.rows(projected).await.into_iter();
        let threads = records.threads(&ThreadQuery::default()).await.unwrap();
        let threads = threads.into_iter().map(|thread| thread.thread_id);
        let all: BTreeSet<String> = projected.map(|(id, ..)| id).chain(threads).collect();
        for thread_id in &all {
            self.check_projection(records, thread_id).await;
        }
    }

    async fn check_projection(&self, records: &Arc<dyn Records>, thread_id: &str) {
        loop {
            let latest = records.load_as::<Value>(thread_id).await.unwrap();
            let projected = self.projected(thread_id, latest.as_ref()).await;
            // A save of a process that was killed may be committed between the two looks.
            let again = records.load_as::<Value>(thread_id).await.unwrap();
            if again.map(|again| again.seq) == latest.map(|latest| latest.seq) {
                for (found, expected) in projected {
                    assert_eq!(found, expected, "{thread_id}");
                }
                return;
            }
        }
    }

    /// Returns what is projected of a thread, each with what its newest checkpoint has.
    async fn projected(
        &self,
        thread_id: &str,
        latest: Option<&Checkpoint<Value>>,
    ) -> [(Value, Value); 3] {
        let of = |columns: &str, table: &str, order: &str| {
            format!("SELECT {columns} FROM {table} WHERE thread_id = '{thread_id}' {order}")
        };
        let messages = self
            .rows(&of("role, content, ''", "messages", "ORDER BY position"))
            .await;
        let messages = messages.into_iter();
        let messages: Vec<Value> = messages
            .map(|(role, content, _)| json!({"role": role, "content": content}))
            .collect();
        let columns = "subject, predicate, object";
        let triples = self
            .rows(&of(columns, "graph_triples", "ORDER BY position"))
            .await;
        let session = self.rows(&of("title, '', ''", "sessions", "")).await;
        let titles: Vec<String> = session.into_iter().map(|(title, ..)| title).collect();
        let of_state = |name: &str| latest.map_or(json!([]), |latest| latest.state[name].clone());
        let title = latest.map_or(json!([]), |latest| json!([latest.metadata["title"]]));
        [
            (json!(messages), of_state("messages")),
            (json!(triples), of_state("triples")),
            (json!(titles), title),
        ]
    }
}

/// Returns the checkpoints of a thread, oldest first.
pub(crate) async fn list(records: &Arc<dyn Records>, thread_id: &str) -> Vec<Checkpoint<Value>> {
    let query = CheckpointQuery::default();
    let mut stored: Vec<Checkpoint<Value>> = records.list(thread_id, &query).await.unwrap();
    stored.reverse();
    stored
}

/// Starts the program that the tests kill.
pub(crate) fn worker(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_checkpoint-worker"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}
