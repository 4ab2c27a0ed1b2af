//! The checkpointer: its traits over the other modules.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use sectile_checkpoint::{
    At, Checkpoint, CheckpointQuery, Error, Prune, Records, Result, Saved, StateJson, ThreadQuery,
    ThreadSummary, Threads, check_thread_id,
};
use sectile_checkpoint_sql::{Operation, StoredRow, read};
use sectile_migrations::CHECKPOINT_POSTGRES;
use sectile_postgres::in_a_task;

use crate::PostgresCheckpointerBuilder;
use crate::error::{postgres, unusable};
use crate::read::{Read, Reader};
use crate::write::Writer;

/// How many threads are pruned between two looks at the list of them.
const THREADS_AT_A_TIME: usize = 500;

/// Keeps checkpoints in Postgres. Clones share its connections.
#[derive(Clone, Debug)]
pub struct PostgresCheckpointer {
    writer: Writer,
    /// Whether the tables are known to be up to date.
    is_ready: Arc<AtomicBool>,
}

impl PostgresCheckpointer {
    /// Returns what sets up a checkpointer on a server: `postgres://USER:PASSWORD@HOST/DATABASE`.
    pub fn builder(url: &str) -> PostgresCheckpointerBuilder {
        PostgresCheckpointerBuilder::new(url)
    }

    pub(crate) async fn new(writer: Writer) -> Result<Self> {
        let checkpointer = Self {
            writer,
            is_ready: Arc::default(),
        };
        match checkpointer.ready().await {
            Ok(()) | Err(Error::NotMigrated { .. }) => Ok(checkpointer),
            Err(error) => Err(error),
        }
    }

    /// Makes the tables or brings them up to date, and returns whether anything had to be done.
    /// Any number of processes may do so at once. Where nothing has to be done, the role needs no
    /// right to create tables.
    ///
    /// # Errors
    ///
    /// [`Error::NewerSchema`] when a newer release migrated the tables, and what the server
    /// reports; then nothing was changed.
    pub async fn migrate(&self) -> Result<bool> {
        let writer = self.writer.clone();
        let done = in_a_task(async move {
            let mut lease = writer.pool.acquire_alive().await.map_err(unusable)?;
            let (connection, tables) = (lease.connection(), &writer.dialect.tables);
            let done =
                sectile_migrations::postgres::migrate(connection, &CHECKPOINT_POSTGRES, tables)
                    .await
                    .map_err(migration)?;
            lease.keep();
            Ok(done)
        });
        let done = done.await.map_err(unusable)??;
        self.is_ready.store(true, Ordering::Release);
        Ok(done)
    }

    /// Writes the projections of a thread anew from its checkpoints, whether or not projections are
    /// enabled.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for a thread without checkpoints, [`Error::Projection`] when a state is
    /// refused, and what the server reports; then nothing was changed.
    pub async fn rebuild_projections(&self, thread_id: &str) -> Result<()> {
        let thread_id = thread_id.to_owned();
        self.run(Operation::Rebuild { thread_id }).await.map(drop)
    }

    /// Closes the connections. Clones cannot be used any more.
    pub async fn close(self) {
        self.writer.pool.close().await;
    }

    /// Makes sure that the tables are those that this release knows.
    async fn ready(&self) -> Result<()> {
        if self.is_ready.load(Ordering::Acquire) {
            return Ok(());
        }
        let schema = &CHECKPOINT_POSTGRES;
        let writer = self.writer.clone();
        let found = in_a_task(async move {
            let mut lease = writer.pool.acquire_alive().await.map_err(unusable)?;
            let (connection, tables) = (lease.connection(), &writer.dialect.tables);
            let found = sectile_migrations::postgres::version(connection, schema, tables)
                .await
                .map_err(postgres("read the version of the tables"))?;
            lease.keep();
            Ok(found)
        });
        let found = found.await.map_err(unusable)??;
        let known = schema.version();
        if found > known {
            return Err(Error::NewerSchema { found, known });
        }
        if found < known {
            return Err(Error::NotMigrated {
                found,
                needed: known,
            });
        }
        self.is_ready.store(true, Ordering::Release);
        Ok(())
    }

    async fn run(&self, operation: Operation) -> Result<u64> {
        self.ready().await?;
        self.writer.run(operation).await
    }

    async fn copy(&self, from: &str, up_to: Option<u64>, to: &str) -> Result<u64> {
        check_thread_id(to)?;
        let (from, to) = (from.to_owned(), to.to_owned());
        self.run(Operation::Copy { from, up_to, to }).await
    }

    async fn reader(&self) -> Result<Reader<'_>> {
        self.ready().await?;
        let lease = self.writer.pool.acquire().await.map_err(unusable)?;
        Reader::new(lease, &self.writer.dialect).await
    }

    async fn thread_ids(&self, after: &str) -> Result<Vec<String>> {
        let mut reader = self.reader().await?;
        loop {
            let ids = read::thread_ids(&mut reader.session(), after, THREADS_AT_A_TIME).await;
            match reader.end(ids).await? {
                Read::Done(ids) => return Ok(ids),
                Read::Again(renewed) => reader = renewed,
            }
        }
    }
}

#[async_trait]
impl Records for PostgresCheckpointer {
    async fn insert(&self, checkpoint: Checkpoint<StateJson>) -> Result<Saved> {
        self.ready().await?;
        self.writer.save(StoredRow::of(checkpoint)?).await
    }

    async fn fetch(&self, thread_id: &str, at: &At) -> Result<Option<Checkpoint<StateJson>>> {
        let mut reader = self.reader().await?;
        loop {
            let checkpoint = read::fetch(&mut reader.session(), thread_id, at).await;
            match reader.end(checkpoint).await? {
                Read::Done(checkpoint) => return Ok(checkpoint),
                Read::Again(renewed) => reader = renewed,
            }
        }
    }

    async fn select(
        &self,
        thread_id: &str,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StateJson>>> {
        let mut reader = self.reader().await?;
        loop {
            let checkpoints = read::select(&mut reader.session(), thread_id, query).await;
            match reader.end(checkpoints).await? {
                Read::Done(checkpoints) => return Ok(checkpoints),
                Read::Again(renewed) => reader = renewed,
            }
        }
    }
}

#[async_trait]
impl Threads for PostgresCheckpointer {
    async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
        let mut reader = self.reader().await?;
        loop {
            let threads = read::threads(&mut reader.session(), query).await;
            match reader.end(threads).await? {
                Read::Done(threads) => return Ok(threads),
                Read::Again(renewed) => reader = renewed,
            }
        }
    }

    async fn fork(&self, thread_id: &str, seq: u64, new_thread_id: &str) -> Result<u64> {
        self.copy(thread_id, Some(seq), new_thread_id).await
    }

    async fn copy_thread(&self, thread_id: &str, new_thread_id: &str) -> Result<u64> {
        self.copy(thread_id, None, new_thread_id).await
    }

    async fn delete_thread(&self, thread_id: &str) -> Result<u64> {
        let thread_id = thread_id.to_owned();
        self.run(Operation::Delete { thread_id }).await
    }

    async fn prune(&self, prune: &Prune) -> Result<u64> {
        let of = |thread_id| Operation::Prune {
            thread_id,
            prune: prune.clone(),
        };
        if let Some(thread_id) = &prune.thread_id {
            return self.run(of(thread_id.clone())).await;
        }
        // A transaction for each thread, so that no one waits long.
        let (mut pruned, mut after) = (0, String::new());
        loop {
            let ids = self.thread_ids(&after).await?;
            let Some(last) = ids.last() else {
                return Ok(pruned);
            };
            after.clone_from(last);
            for thread_id in ids {
                pruned += self.run(of(thread_id)).await?;
            }
        }
    }
}

/// Turns an error of the migration runner into one of a checkpointer.
fn migration(error: sectile_migrations::Error<sqlx::Error>) -> Error {
    match error {
        sectile_migrations::Error::Newer { found, known, .. } => {
            Error::NewerSchema { found, known }
        }
        sectile_migrations::Error::Database(error) => postgres("update the tables")(error),
        other => Error::Backend {
            doing: "update the tables",
            source: other.into(),
        },
    }
}
