//! A connection with the names of its tables.

use async_trait::async_trait;
use sectile_checkpoint::{Error, Result};
use sectile_checkpoint_sql::error::sqlite;
use sectile_checkpoint_sql::{Argument, Reader, RowTuple, ThreadTuple, Transaction};
use sectile_migrations::Tables;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments as _, AssertSqlSafe, FromRow, SqliteConnection};

/// A connection with the names of its tables.
pub(crate) struct Session<'c> {
    connection: &'c mut SqliteConnection,
    tables: &'c Tables,
}

impl<'c> Session<'c> {
    pub(crate) fn new(connection: &'c mut SqliteConnection, tables: &'c Tables) -> Self {
        Self { connection, tables }
    }

    async fn read<T>(&mut self, sql: &'static str, arguments: &[Argument<'_>]) -> Result<Vec<T>>
    where
        T: for<'r> FromRow<'r, SqliteRow> + Send + Unpin,
    {
        sqlx::query_as_with(AssertSqlSafe(self.tables.sql(sql)), bound(arguments)?)
            .fetch_all(&mut *self.connection)
            .await
            .map_err(sqlite("read checkpoints"))
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
        let done = sqlx::query_with(AssertSqlSafe(self.tables.sql(sql)), bound(arguments)?)
            .execute(&mut *self.connection)
            .await
            .map_err(sqlite("write checkpoints"))?;
        Ok(done.rows_affected())
    }
}

/// Binds arguments.
fn bound(arguments: &[Argument<'_>]) -> Result<SqliteArguments> {
    let mut bound = SqliteArguments::default();
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
