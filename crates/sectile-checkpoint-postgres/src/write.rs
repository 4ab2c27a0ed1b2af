//! What writes. All of it runs in tasks of their own.
//!
//! sqlx 0.9.0 hands a connection back to its pool within a transaction when a `begin` is dropped at
//! the wrong moment, and what others then save on it is rolled back, acknowledged or not
//! (transact-rs/sqlx#4385). A task is not dropped with the future that waits for it.

use sectile_checkpoint::{At, Error, Result, Saved};
use sectile_checkpoint_sql::{Operation, Projecting, StoredRow, protocol, read};
use sqlx::{AssertSqlSafe, PgConnection, PgPool, Postgres};

use crate::error::{is_duplicate, postgres};
use crate::session::{Dialect, Session};
use crate::sql;

/// The pool, and how it is written through.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    pub(crate) pool: PgPool,
    pub(crate) dialect: Dialect,
    pub(crate) projecting: Option<Projecting>,
}

impl Writer {
    /// Saves a checkpoint, whole or not at all, whether or not anyone waits for it.
    pub(crate) async fn save(&self, row: StoredRow) -> Result<Saved> {
        let writer = self.clone();
        in_a_task(async move {
            if let Some(saved) = writer.insert_new(&row).await? {
                return Ok(saved);
            }
            writer.repeated(row).await
        })
        .await
    }

    /// Inserts a checkpoint, with its projections, unless its thread has one of its id.
    async fn insert_new(&self, row: &StoredRow) -> Result<Option<Saved>> {
        if self.projecting.is_none() && self.dialect.is_persistent {
            let mut connection = self.pool.acquire().await.map_err(postgres("connect"))?;
            return insert(&mut connection, &self.dialect, row).await;
        }
        let mut transaction = self.begin().await?;
        let saved = insert(&mut transaction, &self.dialect, row).await?;
        if let Some(saved) = saved {
            if let Some(projecting) = &self.projecting {
                let checkpoint = row.numbered(saved.seq)?;
                let mut session = Session::new(&mut transaction, &self.dialect);
                protocol::project(&mut session, projecting.mapping(), &checkpoint).await?;
            }
            commit(transaction).await?;
        }
        Ok(saved)
    }

    /// Says which checkpoint has the id of this one.
    async fn repeated(&self, row: StoredRow) -> Result<Saved> {
        let mut transaction = self.begin().await?;
        let mut session = Session::new(&mut transaction, &self.dialect);
        let at = At::Id(row.checkpoint_id.clone().unwrap_or_default());
        let kept = read::fetch(&mut session, &row.thread_id, &at).await?;
        let kept = kept.ok_or_else(|| Error::Conflict {
            source: "the checkpoint with this id was deleted at the same moment".into(),
        })?;
        kept.repeated_by(&row.into_checkpoint()?)
    }

    /// Runs an operation in a transaction, whether or not anyone waits for it.
    pub(crate) async fn run(&self, operation: Operation) -> Result<u64> {
        let writer = self.clone();
        in_a_task(async move {
            let mut transaction = writer.begin().await?;
            let mut session = Session::new(&mut transaction, &writer.dialect);
            let mapping = writer.projecting.as_ref().map(Projecting::mapping);
            let done = operation.run(&mut session, mapping).await?;
            commit(transaction).await?;
            Ok(done)
        })
        .await
    }

    pub(crate) async fn begin(&self) -> Result<sqlx::Transaction<'static, Postgres>> {
        self.pool
            .begin()
            .await
            .map_err(postgres("begin a transaction"))
    }
}

async fn commit(transaction: sqlx::Transaction<'_, Postgres>) -> Result<()> {
    let committed = transaction.commit().await;
    committed.map_err(postgres("commit a transaction"))
}

/// Runs to the end, even if the future that waits is dropped.
pub(crate) async fn in_a_task<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    match tokio::spawn(work).await {
        Ok(done) => done,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(error) => Err(Error::Unavailable {
            source: error.into(),
        }),
    }
}

/// Inserts a checkpoint, unless its thread has one of its id.
async fn insert(
    connection: &mut PgConnection,
    dialect: &Dialect,
    row: &StoredRow,
) -> Result<Option<Saved>> {
    let inserted: Result<Option<(i64,)>, sqlx::Error> =
        sqlx::query_as(AssertSqlSafe(dialect.tables.sql(sql::INSERT)))
            .persistent(dialect.is_persistent)
            .bind(&row.thread_id)
            .bind(row.created_at)
            .bind(&row.node)
            .bind(row.step)
            .bind(&row.checkpoint_id)
            .bind(row.parent_seq)
            .bind(&row.queue_json)
            .bind(&row.metadata_json)
            .bind(&row.state_json)
            .fetch_optional(connection)
            .await;
    match inserted {
        Ok(seq) => Ok(seq.map(|(seq,)| Saved {
            seq: seq.unsigned_abs(),
            is_new: true,
        })),
        // Another save with the same id, which this statement did not see, came first.
        Err(error) if row.checkpoint_id.is_some() && is_duplicate(&error) => Ok(None),
        Err(error) => Err(postgres("insert a checkpoint")(error)),
    }
}
