//! A connection with the names of its tables.

use async_trait::async_trait;
use sectile_checkpoint::{Error, Result};
use sectile_checkpoint_sql::{Argument, Reader, RowTuple, ThreadTuple, Transaction};
use sectile_migrations::Tables;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{Arguments as _, AssertSqlSafe, FromRow, PgConnection};

use crate::error::postgres;

/// What is the same for every statement.
#[derive(Clone, Debug)]
pub(crate) struct Dialect {
    pub(crate) tables: Tables,
    /// Whether statements are prepared once and kept by name, which a pooler in transaction mode
    /// does not follow.
    pub(crate) is_persistent: bool,
}

/// A connection with the names of its tables.
pub(crate) struct Session<'c> {
    connection: &'c mut PgConnection,
    dialect: &'c Dialect,
}

impl<'c> Session<'c> {
    pub(crate) fn new(connection: &'c mut PgConnection, dialect: &'c Dialect) -> Self {
        Self {
            connection,
            dialect,
        }
    }

    async fn read<T>(&mut self, sql: &'static str, arguments: &[Argument<'_>]) -> Result<Vec<T>>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let sql = AssertSqlSafe(self.dialect.tables.sql(sql));
        sqlx::query_as_with(sql, bound(arguments)?)
            .persistent(self.dialect.is_persistent)
            .fetch_all(&mut *self.connection)
            .await
            .map_err(postgres("read checkpoints"))
    }
}

#[async_trait]
impl Reader for Session<'_> {
    async fn rows(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<RowTuple>> {
        self.read(sql, arguments).await
    }

    async fn pairs(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<(i64, String)>> {
        self.read(sql, arguments).await
    }

    async fn threads(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<ThreadTuple>> {
        self.read(sql, arguments).await
    }
}

#[async_trait]
impl Transaction for Session<'_> {
    async fn execute(&mut self, sql: &'static str, arguments: &[Argument<'_>]) -> Result<u64> {
        let sql = AssertSqlSafe(self.dialect.tables.sql(sql));
        let done = sqlx::query_with(sql, bound(arguments)?)
            .persistent(self.dialect.is_persistent)
            .execute(&mut *self.connection)
            .await
            .map_err(postgres("write checkpoints"))?;
        Ok(done.rows_affected())
    }
}

/// Binds arguments.
fn bound(arguments: &[Argument<'_>]) -> Result<PgArguments> {
    let mut bound = PgArguments::default();
    for argument in arguments {
        let added = match *argument {
            Argument::Integer(integer) => bound.add(integer),
            Argument::Text(text) => bound.add(text),
            Argument::MaybeText(text) => bound.add(text),
            Argument::MaybeReal(real) => bound.add(real),
        };
        added.map_err(|source| Error::Backend {
            doing: "bind an argument",
            source,
        })?;
    }
    Ok(bound)
}
