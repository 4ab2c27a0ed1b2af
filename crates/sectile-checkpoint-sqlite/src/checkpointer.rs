//! The checkpointer: its traits over the other modules.

mod each_thread;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use sectile_checkpoint::{
    At, Checkpoint, CheckpointQuery, Damage, Error, Key, NamespaceSummary, PendingWrite, Progress,
    Prune, Records, Result, Saved, Sharing, StoredState, TaskWrites, ThreadQuery, ThreadSummary,
    Threads, Usage, check_thread_id,
};
use sectile_checkpoint_sql::{
    NewRow, NewWrites, Operation, Projecting, check, names_are_taken, protocol, read, table_names,
};
use sectile_migrations::{CHECKPOINT_MOVING, CHECKPOINT_SQLITE, Tables};
use sectile_sqlite::rusqlite::{Connection, OptionalExtension as _};
use sectile_sqlite::{Readers, now, write_ahead_log};
use serde_json::json;
use tracing::{Instrument as _, debug_span};

use crate::error::{migration, sqlite, unusable};
use crate::session::Session;
use crate::write::{Writer, in_transaction};
use crate::{SqliteCheckpointerBuilder, sql};

/// How many namespaces are read from a list at a time.
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

    /// Makes the tables or brings them up to date, turns the write-ahead log of the file on, and returns whether
    /// anything had to be done to the tables. Any number of processes may do so at once.
    ///
    /// # Errors
    ///
    /// [`Error::NewerSchema`] when a newer release migrated the file, [`Error::InvalidConfig`] when
    /// another program has tables with these names, and what SQLite reports; then nothing was
    /// changed. [`Error::Corrupt`] for damaged checkpoints of the first release; then all are moved,
    /// the damaged ones as they are.
    pub async fn migrate(&self) -> Result<bool> {
        let names = table_names(self.writer.tables.prefix());
        if let Some(other) = self.other_table().await?
            && names.contains(&other)
        {
            return Err(names_are_taken());
        }
        let log = |connection: &mut Connection| write_ahead_log(connection);
        let done = self.writer.connection.run(log).await.map_err(unusable)?;
        done.map_err(sqlite("turn the write-ahead log on"))?;
        let found = self.version().await?;
        let newest = CHECKPOINT_SQLITE.version();
        if found < CHECKPOINT_MOVING {
            self.migrate_to(CHECKPOINT_MOVING).await?;
        }
        let mut damaged = Vec::new();
        if found < newest {
            while let Some(moved) = self.move_some().await? {
                damaged.extend(moved);
            }
        }
        let done = self.migrate_to(newest).await?;
        self.is_ready.store(true, Ordering::Release);
        protocol::refuse_damaged(&damaged)?;
        Ok(done || found < newest)
    }

    /// Returns a table of the file, if all of them are those of another program: one with the name of
    /// a table for checkpoints, if there is one.
    ///
    /// # Errors
    ///
    /// What SQLite reports.
    pub async fn other_table(&self) -> Result<Option<String>> {
        let names = json!(table_names(self.writer.tables.prefix())).to_string();
        let found = self.writer.connection.run(move |connection| {
            let name = connection.query_row(sql::OTHER_TABLE, [names], |row| row.get(0));
            name.optional()
        });
        let found = found.await.map_err(unusable)?;
        found.map_err(sqlite("look at the tables"))
    }

    async fn migrate_to(&self, version: u32) -> Result<bool> {
        let writer = Arc::clone(&self.writer);
        let migrate = move |connection: &mut Connection| {
            let schema = CHECKPOINT_SQLITE.up_to(version);
            match sectile_migrations::sqlite::migrate(connection, &schema, &writer.tables) {
                // Another process came first.
                Err(sectile_migrations::Error::Newer { found, .. })
                    if found <= CHECKPOINT_SQLITE.version() =>
                {
                    Ok(false)
                }
                done => done.map_err(migration),
            }
        };
        self.writer
            .connection
            .run(migrate)
            .await
            .map_err(unusable)?
    }

    /// Moves some of what the tables of the first version hold, in a transaction of its own, and
    /// returns what was damaged; nothing if none was left.
    async fn move_some(&self) -> Result<Option<Vec<String>>> {
        let writer = Arc::clone(&self.writer);
        let work = move |connection: &mut Connection| {
            in_transaction(connection, |connection| {
                // Another process may have been the last one that moves.
                let (schema, tables) = (&CHECKPOINT_SQLITE, &writer.tables);
                let found = sectile_migrations::sqlite::version(connection, schema, tables)
                    .map_err(sqlite("read the version of the tables"))?;
                if found != CHECKPOINT_MOVING {
                    return Ok(None);
                }
                now(protocol::move_some(&mut Session::new(connection, tables)))
            })
        };
        self.writer.connection.run(work).await.map_err(unusable)?
    }

    /// Reads the version of the tables.
    async fn version(&self) -> Result<u32> {
        let writer = Arc::clone(&self.writer);
        let found = self.writer.connection.run(move |connection| {
            sectile_migrations::sqlite::version(connection, &CHECKPOINT_SQLITE, &writer.tables)
        });
        let found = found.await.map_err(unusable)?;
        found.map_err(sqlite("read the version of the tables"))
    }

    /// Writes the projections of a thread again from its checkpoints, whether or not projections
    /// are enabled.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for a thread without checkpoints, [`Error::Projection`] when a state is
    /// refused, and what SQLite reports; then nothing was changed.
    pub async fn rebuild_projections(&self, thread_id: &str) -> Result<()> {
        let thread_id = thread_id.to_owned();
        self.run(Operation::Rebuild { thread_id }).await.map(drop)
    }

    /// Says what each namespace of each thread takes.
    ///
    /// # Errors
    ///
    /// What SQLite reports.
    pub async fn usage(&self) -> Result<Vec<Usage>> {
        let mut all = Vec::new();
        let mut after = 0;
        loop {
            let page = self.read(move |session| {
                let heads = now(read::all_heads(session, after, THREADS_AT_A_TIME))?;
                let usages = heads.iter().map(|head| {
                    session.in_snapshot(|session| now(check::usage(session, head.thread_key)))
                });
                let usages = usages.collect::<Result<Vec<_>>>()?;
                Ok((usages, heads.last().map(|last| last.thread_key)))
            });
            let (usages, last) = page.await?;
            all.extend(usages.into_iter().flatten());
            let Some(last) = last else {
                return Ok(all);
            };
            after = last;
        }
    }

    /// Reads all that is kept, and returns what is damaged, SQLite's own structures included.
    ///
    /// # Errors
    ///
    /// What SQLite reports.
    pub async fn verify(&self) -> Result<Vec<Damage>> {
        let mut damages = self.read(|session| session.integrity()).await?;
        damages.extend(self.read(|session| now(check::tables(session))).await?);
        let mut after = 0;
        loop {
            let head = self.read(move |session| now(read::all_heads(session, after, 1)));
            let Some(head) = head.await?.into_iter().next() else {
                return Ok(damages);
            };
            after = head.thread_key;
            let found = self.read(move |session| {
                session.in_snapshot(|session| now(check::verify(session, head.thread_key)))
            });
            damages.extend(found.await?);
        }
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

    /// Checks that the tables are those that this release knows.
    async fn ready(&self) -> Result<()> {
        if self.is_ready.load(Ordering::Acquire) {
            return Ok(());
        }
        let found = self.version().await?;
        let known = CHECKPOINT_SQLITE.version();
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

    /// Reads on a thread where waiting blocks no one.
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

    /// Reads what is little without going to another thread, or nothing where that is not possible: in
    /// memory, and while the file is busy.
    async fn read_at_once<T>(
        &self,
        read: impl FnOnce(&mut Session<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        self.ready().await?;
        let Some(readers) = &self.readers else {
            return Ok(None);
        };
        let mut reader = readers.acquire().await.map_err(unusable)?;
        let mut session = Session::new(&mut reader, &self.writer.tables);
        match read(&mut session) {
            Err(Error::Busy { .. }) => Ok(None),
            found => found.map(Some),
        }
    }

    async fn load(
        &self,
        key: &Key,
        at: &At,
        load: Load,
    ) -> Result<Option<Checkpoint<StoredState>>> {
        let span = debug_span!("checkpoint.load", thread = %key.thread_id);
        let load = async {
            let at_once = self.read_at_once(|session| load(session, key, at));
            if let Some(found) = at_once.await? {
                return Ok(found);
            }
            let (key, at) = (key.clone(), at.clone());
            self.read(move |session| load(session, &key, &at)).await
        };
        load.instrument(span).await
    }
}

/// Loads a checkpoint.
type Load = fn(&mut Session<'_>, &Key, &At) -> Result<Option<Checkpoint<StoredState>>>;

#[async_trait]
impl Records for SqliteCheckpointer {
    async fn insert(&self, checkpoint: Checkpoint<StoredState>) -> Result<Saved> {
        let span = debug_span!("checkpoint.save", thread = %checkpoint.thread_id);
        let save = async {
            self.ready().await?;
            // To find a row, SQLite reads all of the rows on its way (they stand in an index).
            self.writer.save(NewRow::of_short(checkpoint)?).await
        };
        save.instrument(span).await
    }

    async fn fetch(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        self.load(key, at, |session, key, at| {
            session.read_twice(|session| now(read::fetch(session, key, at)))
        })
        .await
    }

    async fn fetch_typed(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        self.load(key, at, |session, key, at| {
            session.read_twice(|session| now(read::fetch_typed(session, key, at)))
        })
        .await
    }

    async fn select(
        &self,
        key: &Key,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StoredState>>> {
        let (key, query) = (key.clone(), query.clone());
        self.read(move |session| {
            session.read_twice(|session| now(read::select(session, &key, &query)))
        })
        .await
    }

    async fn insert_writes(&self, key: &Key, at: &At, writes: &TaskWrites) -> Result<()> {
        let span = debug_span!("checkpoint.write", thread = %key.thread_id);
        let (key, at, writes) = (key.clone(), at.clone(), writes.clone());
        let write = async {
            self.ready().await?;
            self.writer.put_writes(NewWrites { key, at, writes }).await
        };
        write.instrument(span).await
    }

    async fn select_writes(&self, key: &Key, at: &At) -> Result<Vec<PendingWrite>> {
        let at_once = self.read_at_once(|session| now(read::writes(session, key, at)));
        if let Some(found) = at_once.await? {
            return Ok(found);
        }
        let (key, at) = (key.clone(), at.clone());
        self.read(move |session| now(read::writes(session, &key, &at)))
            .await
    }

    async fn count_writes(&self, key: &Key, seqs: &[u64]) -> Result<Vec<u64>> {
        let (key, seqs) = (key.clone(), seqs.to_vec());
        self.read(move |session| now(read::count_writes(session, &key, &seqs)))
            .await
    }

    async fn sharing(&self, key: &Key, at: &At) -> Result<Option<Sharing>> {
        let (key, at) = (key.clone(), at.clone());
        self.read(move |session| {
            session.read_twice(|session| now(read::sharing(session, &key, &at)))
        })
        .await
    }

    async fn select_writes_of(&self, key: &Key, all: &[At]) -> Result<Vec<Vec<PendingWrite>>> {
        let (key, all) = (key.clone(), all.to_vec());
        self.read(move |session| now(read::writes_of_many(session, &key, &all)))
            .await
    }
}

#[async_trait]
impl Threads for SqliteCheckpointer {
    async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
        let query = query.clone();
        self.read(move |session| session.read_twice(|session| now(read::threads(session, &query))))
            .await
    }

    async fn namespaces(&self, thread_id: &str) -> Result<Vec<NamespaceSummary>> {
        let thread_id = thread_id.to_owned();
        self.read(move |session| now(read::namespaces(session, &thread_id)))
            .await
    }

    async fn fork(&self, thread_id: &str, seq: u64, new_thread_id: &str) -> Result<u64> {
        self.copy(thread_id, Some(seq), new_thread_id).await
    }

    async fn copy_thread(&self, thread_id: &str, new_thread_id: &str) -> Result<u64> {
        self.copy(thread_id, None, new_thread_id).await
    }

    async fn delete_namespace(&self, key: &Key) -> Result<u64> {
        let key = key.clone();
        self.run(Operation::DeleteNamespace { key }).await
    }

    async fn delete_runs(&self, run_ids: &[String]) -> Result<u64> {
        let mut progress = Progress::default();
        let ended = self.delete_each_run(run_ids, &mut progress).await;
        progress.end(ended)
    }

    async fn delete_thread(&self, thread_id: &str) -> Result<u64> {
        let thread_id = thread_id.to_owned();
        self.run(Operation::Delete { thread_id }).await
    }

    async fn prune(&self, prune: &Prune) -> Result<u64> {
        let mut progress = Progress::default();
        let ended = self.prune_each(prune, &mut progress).await;
        progress.end(ended)
    }
}
