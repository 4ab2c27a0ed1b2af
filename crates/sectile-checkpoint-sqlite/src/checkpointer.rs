//! The checkpointer: its traits over the other modules.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use sectile_checkpoint::{
    At, Checkpoint, CheckpointQuery, Error, Prune, Records, Result, Saved, StateJson, ThreadQuery,
    ThreadSummary, Threads, check_thread_id,
};
use sectile_checkpoint_sql::{Operation, Projecting, StoredRow, read};
use sectile_migrations::{CHECKPOINT_SQLITE, Tables};
use sectile_sqlite::rusqlite::Connection;
use sectile_sqlite::{Readers, now};

use crate::SqliteCheckpointerBuilder;
use crate::error::{migration, sqlite, unusable};
use crate::session::Session;
use crate::write::Writer;

/// How many threads are pruned between two looks at the list of them.
const THREADS_AT_A_TIME: usize = 500;

/// Keeps checkpoints in one SQLite file. Clones share its connections.
#[derive(Clone, Debug)]
pub struct SqliteCheckpointer {
    writer: Arc<Writer>,
    /// Nothing for a database in memory, which one connection has.
    readers: Option<Readers>,
    /// Whether the tables are known to be up to date.
    is_ready: Arc<AtomicBool>,
}

impl SqliteCheckpointer {
    /// Returns what sets up a checkpointer in a file: `sqlite:PATH`, or `sqlite::memory:`, with
    /// `?mode=ro` for one that is only read.
    pub fn builder(url: &str) -> SqliteCheckpointerBuilder {
        SqliteCheckpointerBuilder::new(url)
    }

    pub(crate) async fn new(
        connection: sectile_sqlite::Writer,
        readers: Option<Readers>,
        tables: Tables,
        projecting: Option<Projecting>,
    ) -> Result<Self> {
        let checkpointer = Self {
            writer: Arc::new(Writer::new(connection, tables, projecting)),
            readers,
            is_ready: Arc::default(),
        };
        match checkpointer.ready().await {
            Ok(()) | Err(Error::NotMigrated { .. }) => Ok(checkpointer),
            Err(error) => Err(error),
        }
    }

    /// Makes the tables or brings them up to date, and returns whether anything had to be done.
    /// Any number of processes may do so at once.
    ///
    /// # Errors
    ///
    /// [`Error::NewerSchema`] when a newer release migrated the file, and what SQLite reports; then
    /// nothing was changed.
    pub async fn migrate(&self) -> Result<bool> {
        let writer = Arc::clone(&self.writer);
        let migrate = move |connection: &mut Connection| {
            sectile_migrations::sqlite::migrate(connection, &CHECKPOINT_SQLITE, &writer.tables)
        };
        let done = self.writer.connection.run(migrate).await;
        let done = done.map_err(unusable)?.map_err(migration)?;
        self.is_ready.store(true, Ordering::Release);
        Ok(done)
    }

    /// Writes the projections of a thread anew from its checkpoints, whether or not projections are
    /// enabled.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for a thread without checkpoints, [`Error::Projection`] when a state is
    /// refused, and what SQLite reports; then nothing was changed.
    pub async fn rebuild_projections(&self, thread_id: &str) -> Result<()> {
        let thread_id = thread_id.to_owned();
        self.run(Operation::Rebuild { thread_id }).await.map(drop)
    }

    /// Closes the connections, which moves the write-ahead log into the file. Clones cannot be used
    /// any more.
    ///
    /// # Errors
    ///
    /// What SQLite reports.
    pub async fn close(self) -> Result<()> {
        if let Some(readers) = &self.readers {
            readers.close().await.map_err(unusable)?;
        }
        self.writer.connection.close().await.map_err(unusable)
    }

    /// Makes sure that the tables are those that this release knows.
    async fn ready(&self) -> Result<()> {
        if self.is_ready.load(Ordering::Acquire) {
            return Ok(());
        }
        let schema = &CHECKPOINT_SQLITE;
        let writer = Arc::clone(&self.writer);
        let found = self.writer.connection.run(move |connection| {
            sectile_migrations::sqlite::version(connection, schema, &writer.tables)
        });
        let found = found.await.map_err(unusable)?;
        let found = found.map_err(sqlite("read the version of the tables"))?;
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
}

impl SqliteCheckpointer {
    async fn run(&self, operation: Operation) -> Result<u64> {
        self.ready().await?;
        self.writer.run(operation).await
    }

    async fn copy(&self, from: &str, up_to: Option<u64>, to: &str) -> Result<u64> {
        check_thread_id(to)?;
        let (from, to) = (from.to_owned(), to.to_owned());
        self.run(Operation::Copy { from, up_to, to }).await
    }

    /// Reads where waiting holds nobody up.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.ready().await?;
        let writer = Arc::clone(&self.writer);
        let work =
            move |connection: &mut Connection| work(&mut Session::new(connection, &writer.tables));
        let done = match &self.readers {
            Some(readers) => readers.run(work).await,
            None => self.writer.connection.run(work).await,
        };
        done.map_err(unusable)?
    }

    /// Reads a checkpoint without going to another thread, or nothing where that is not possible:
    /// in memory, and while the file is busy.
    async fn fetch_at_once(
        &self,
        thread_id: &str,
        at: &At,
    ) -> Result<Option<Option<Checkpoint<StateJson>>>> {
        self.ready().await?;
        let Some(readers) = &self.readers else {
            return Ok(None);
        };
        let mut reader = readers.acquire().await.map_err(unusable)?;
        let mut session = Session::new(&mut reader, &self.writer.tables);
        match now(read::fetch(&mut session, thread_id, at)) {
            Err(Error::Busy { .. }) => Ok(None),
            found => found.map(Some),
        }
    }

    async fn thread_ids(&self, after: &str) -> Result<Vec<String>> {
        let after = after.to_owned();
        self.read(move |session| now(read::thread_ids(session, &after, THREADS_AT_A_TIME)))
            .await
    }
}

#[async_trait]
impl Records for SqliteCheckpointer {
    async fn insert(&self, checkpoint: Checkpoint<StateJson>) -> Result<Saved> {
        self.ready().await?;
        self.writer.save(StoredRow::of(checkpoint)?).await
    }

    async fn fetch(&self, thread_id: &str, at: &At) -> Result<Option<Checkpoint<StateJson>>> {
        if let Some(found) = self.fetch_at_once(thread_id, at).await? {
            return Ok(found);
        }
        let (thread_id, at) = (thread_id.to_owned(), at.clone());
        self.read(move |session| now(read::fetch(session, &thread_id, &at)))
            .await
    }

    async fn select(
        &self,
        thread_id: &str,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StateJson>>> {
        let (thread_id, query) = (thread_id.to_owned(), query.clone());
        self.read(move |session| now(read::select(session, &thread_id, &query)))
            .await
    }
}

#[async_trait]
impl Threads for SqliteCheckpointer {
    async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
        let query = query.clone();
        self.read(move |session| now(read::threads(session, &query)))
            .await
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
