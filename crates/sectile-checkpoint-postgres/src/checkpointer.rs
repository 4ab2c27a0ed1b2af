//! The checkpointer: its traits over the other modules.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use sectile_checkpoint::{
    At, Checkpoint, CheckpointQuery, Damage, Error, Key, NamespaceSummary, PendingWrite, Progress,
    Prune, Records, Result, Saved, Sharing, StoredState, TaskWrites, ThreadQuery, ThreadSummary,
    Threads, Usage, check_thread_id,
};
use sectile_checkpoint_sql::{NewRow, NewWrites, Operation, check, is_of_all, protocol, read};
use sectile_migrations::{CHECKPOINT_MOVING, CHECKPOINT_POSTGRES};
use sectile_postgres::in_a_task;

use sqlx::PgPool;
use tracing::{Instrument as _, debug_span};

use crate::PostgresCheckpointerBuilder;
use crate::builder::Server;
use crate::error::{migration, unusable};
use crate::read::{Read, Reader};
use crate::write::Writer;

/// How many namespaces are read from a list at a time.
const THREADS_AT_A_TIME: usize = 500;

/// Keeps checkpoints in Postgres. Clones share its connections.
#[derive(Clone, Debug)]
pub struct PostgresCheckpointer {
    writer: Writer,
    /// Whether the tables are known to be up to date.
    is_ready: Arc<AtomicBool>,
}

/// Reads through a connection, and once more through another if the server has left that one.
macro_rules! reading {
    ($checkpointer:ident, $read:path $(, $argument:expr)*) => {
        reading!(@ $checkpointer, false, $read $(, $argument)*)
    };
    (@ $checkpointer:ident, $is_snapshot:literal, $read:path $(, $argument:expr)*) => {{
        let mut reader = $checkpointer.reader($is_snapshot).await?;
        loop {
            let found = $read(&mut reader.session() $(, $argument)*).await;
            match reader.end(found).await {
                Ok(Read::Done(found)) => break Ok(found),
                Ok(Read::Again(renewed)) => reader = renewed,
                Err(error) => break Err(error),
            }
        }
    }};
}

/// Reads so, all as it is at one moment. Boxed, as this is rare: each reading would otherwise be moved with room for two.
macro_rules! reading_at_one_moment {
    ($checkpointer:ident, $read:path $(, $argument:expr)*) => {
        Box::pin(async { reading!(@ $checkpointer, true, $read $(, $argument)*) }).await
    };
}

/// Reads, and where something is damaged reads once more, all as it is at one moment: others may have
/// deleted what was only half read.
macro_rules! reading_twice {
    ($checkpointer:ident, $read:path $(, $argument:expr)*) => {
        match reading!($checkpointer, $read $(, $argument)*) {
            Err(Error::Corrupt { .. }) => {
                reading_at_one_moment!($checkpointer, $read $(, $argument)*)
            }
            found => found,
        }
    };
}

impl PostgresCheckpointer {
    /// Returns what sets up a checkpointer on a server: `postgres://USER:PASSWORD@HOST/DATABASE`.
    pub fn builder(url: &str) -> PostgresCheckpointerBuilder {
        PostgresCheckpointerBuilder::new(Server::Url(url.to_owned()))
    }

    /// Returns what sets up a checkpointer on the connections of an application's own pool (of sqlx
    /// 0.9). The pool stays open when the checkpointer is closed.
    pub fn builder_on(pool: PgPool) -> PostgresCheckpointerBuilder {
        PostgresCheckpointerBuilder::new(Server::Pool(pool))
    }

    /// Returns the same checkpointer, each of whose transactions begins with settings of the server,
    /// by name, as `SET LOCAL` makes them: `app.tenant` for a policy of row-level security, `role`,
    /// `statement_timeout`. It shares the connections, so one for each request costs little; what
    /// its calls read is read in transactions, too.
    ///
    /// [`migrate`](Self::migrate) is for a checkpointer without settings.
    #[must_use]
    pub fn with_settings<N: Into<String>, V: Into<String>>(
        &self,
        settings: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let settings = settings.into_iter();
        let settings = settings.map(|(name, value)| (name.into(), value.into()));
        Self {
            writer: Writer {
                pool: self.writer.pool.with_settings(settings.collect()),
                // Those with other settings must not be written in one transaction with these.
                waiting: Arc::default(),
                ..self.writer.clone()
            },
            is_ready: Arc::clone(&self.is_ready),
        }
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
    /// reports; then nothing was changed. [`Error::Corrupt`] for damaged checkpoints of the first
    /// release; then all are moved, the damaged ones as they are.
    pub async fn migrate(&self) -> Result<bool> {
        let found = self.version().await?;
        let newest = CHECKPOINT_POSTGRES.version();
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

    async fn migrate_to(&self, version: u32) -> Result<bool> {
        let writer = self.writer.clone();
        let done = in_a_task(async move {
            let mut lease = writer.pool.acquire_alive().await.map_err(unusable)?;
            let (connection, tables) = (lease.connection(), &writer.dialect.tables);
            let schema = CHECKPOINT_POSTGRES.up_to(version);
            let done = sectile_migrations::postgres::migrate(connection, &schema, tables).await;
            let done = match done {
                // Another process came first.
                Err(sectile_migrations::Error::Newer { found, .. })
                    if found <= CHECKPOINT_POSTGRES.version() =>
                {
                    false
                }
                done => done.map_err(migration)?,
            };
            lease.keep();
            Ok(done)
        });
        done.await.map_err(unusable)?
    }

    /// Moves some of what the tables of the first version hold, in a transaction of its own, and
    /// returns what was damaged; nothing if none was left.
    async fn move_some(&self) -> Result<Option<Vec<String>>> {
        let writer = self.writer.clone();
        let done = in_a_task(async move { writer.move_some().await });
        done.await.map_err(unusable)?
    }

    /// Reads the version of the tables.
    async fn version(&self) -> Result<u32> {
        let writer = self.writer.clone();
        let found = in_a_task(async move {
            let mut lease = writer.pool.acquire_alive().await.map_err(unusable)?;
            let (connection, tables) = (lease.connection(), &writer.dialect.tables);
            let found =
                sectile_migrations::postgres::version(connection, &CHECKPOINT_POSTGRES, tables)
                    .await
                    .map_err(migration)?;
            lease.keep();
            Ok(found)
        });
        found.await.map_err(unusable)?
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

    /// Says what each namespace of each thread takes.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn usage(&self) -> Result<Vec<Usage>> {
        let (mut all, mut after) = (Vec::new(), 0);
        loop {
            let heads = self.heads(after).await?;
            let Some(last) = heads.last() else {
                return Ok(all);
            };
            after = last.thread_key;
            for head in heads {
                all.extend(self.usage_of(head.thread_key).await?);
            }
        }
    }

    /// Reads all that is kept, and returns what is not as it was saved.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn verify(&self) -> Result<Vec<Damage>> {
        let (mut damages, mut after) = (self.verify_tables().await?, 0);
        loop {
            let heads = self.heads(after).await?;
            let Some(last) = heads.last() else {
                return Ok(damages);
            };
            after = last.thread_key;
            for head in heads {
                damages.extend(self.verify_one(head.thread_key).await?);
            }
        }
    }

    async fn usage_of(&self, thread_key: i64) -> Result<Option<Usage>> {
        reading_at_one_moment!(self, check::usage, thread_key)
    }

    async fn verify_one(&self, thread_key: i64) -> Result<Vec<Damage>> {
        reading_at_one_moment!(self, check::verify, thread_key)
    }

    async fn verify_tables(&self) -> Result<Vec<Damage>> {
        reading!(self, check::tables)
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
        Box::pin(self.check_version()).await
    }

    async fn check_version(&self) -> Result<()> {
        let found = self.version().await?;
        let known = CHECKPOINT_POSTGRES.version();
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

    async fn reader(&self, is_snapshot: bool) -> Result<Reader<'_>> {
        self.ready().await?;
        let lease = self.writer.pool.acquire().await.map_err(unusable)?;
        Reader::new(lease, &self.writer, is_snapshot).await
    }

    async fn heads(&self, after: i64) -> Result<Vec<read::Head>> {
        reading!(self, read::all_heads, after, THREADS_AT_A_TIME)
    }

    async fn heads_of(&self, thread_id: &str) -> Result<Vec<read::Head>> {
        reading!(self, read::heads, thread_id)
    }

    async fn keys_of_run(&self, run_id: &str, after: i64) -> Result<Vec<i64>> {
        reading!(self, read::keys_of_run, run_id, after, THREADS_AT_A_TIME)
    }

    async fn key(&self, thread_key: i64) -> Result<Option<Key>> {
        reading!(self, read::key, thread_key)
    }

    /// Runs operations on namespaces, a transaction for each, so that no one waits long. One that fails keeps
    /// no other from being done, unless all would fail.
    async fn run_each(
        &self,
        keys: Vec<i64>,
        of: impl Fn(i64) -> Operation + Send + Sync,
        progress: &mut Progress,
    ) -> Result<()> {
        for thread_key in keys {
            match self.run(of(thread_key)).await {
                Ok(done) => progress.add(done),
                Err(error) if is_of_all(&error) => return Err(error),
                Err(error) => {
                    let key = self.key(thread_key).await;
                    progress.fail(key.ok().flatten(), error);
                }
            }
        }
        Ok(())
    }

    async fn delete_run(&self, run_id: &str, progress: &mut Progress) -> Result<()> {
        let mut after = 0;
        loop {
            let keys = self.keys_of_run(run_id, after).await?;
            let Some(&last) = keys.last() else {
                return Ok(());
            };
            after = last;
            let of = |thread_key| Operation::DeleteRun {
                thread_key,
                run_id: run_id.to_owned(),
            };
            self.run_each(keys, of, progress).await?;
        }
    }

    async fn delete_each_run(&self, run_ids: &[String], progress: &mut Progress) -> Result<()> {
        for run_id in run_ids {
            self.delete_run(run_id, progress).await?;
        }
        Ok(())
    }

    async fn prune_each(&self, prune: &Prune, progress: &mut Progress) -> Result<()> {
        let of = |thread_key| Operation::Prune {
            thread_key,
            prune: prune.clone(),
        };
        if let Some(thread_id) = &prune.thread_id {
            let heads = self.heads_of(thread_id).await?;
            let keys = heads.iter().map(|head| head.thread_key).collect();
            return self.run_each(keys, of, progress).await;
        }
        let mut after = 0;
        loop {
            let heads = self.heads(after).await?;
            let Some(last) = heads.last() else {
                return Ok(());
            };
            after = last.thread_key;
            let keys = heads.iter().map(|head| head.thread_key).collect();
            self.run_each(keys, of, progress).await?;
        }
    }
}

#[async_trait]
impl Records for PostgresCheckpointer {
    async fn insert(&self, checkpoint: Checkpoint<StoredState>) -> Result<Saved> {
        let span = debug_span!("checkpoint.save", thread = %checkpoint.thread_id);
        let save = async {
            self.ready().await?;
            self.writer.save(NewRow::of(checkpoint)?).await
        };
        save.instrument(span).await
    }

    async fn fetch(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        let span = debug_span!("checkpoint.load", thread = %key.thread_id);
        let load = async { reading_twice!(self, read::fetch, key, at) };
        load.instrument(span).await
    }

    async fn fetch_typed(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        let span = debug_span!("checkpoint.load", thread = %key.thread_id);
        let load = async { reading_twice!(self, read::fetch_typed, key, at) };
        load.instrument(span).await
    }

    async fn select(
        &self,
        key: &Key,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StoredState>>> {
        reading_twice!(self, read::select, key, query)
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
        reading!(self, read::writes, key, at)
    }

    async fn count_writes(&self, key: &Key, seqs: &[u64]) -> Result<Vec<u64>> {
        reading!(self, read::count_writes, key, seqs)
    }

    async fn sharing(&self, key: &Key, at: &At) -> Result<Option<Sharing>> {
        reading_twice!(self, read::sharing, key, at)
    }

    async fn select_writes_of(&self, key: &Key, all: &[At]) -> Result<Vec<Vec<PendingWrite>>> {
        reading!(self, read::writes_of_many, key, all)
    }
}

#[async_trait]
impl Threads for PostgresCheckpointer {
    async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadSummary>> {
        reading_twice!(self, read::threads, query)
    }

    async fn namespaces(&self, thread_id: &str) -> Result<Vec<NamespaceSummary>> {
        reading!(self, read::namespaces, thread_id)
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
