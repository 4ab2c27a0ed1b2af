//! The runner for SQLite.

use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection};

use crate::{Error, Schema, Tables, pending};

/// Counts the bookkeeping tables of a name: one or none.
const HAS_BOOKKEEPING: &str =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1";

/// Makes the bookkeeping table.
const CREATE_BOOKKEEPING: &str = "CREATE TABLE IF NOT EXISTS {}sectile_migrations (
    schema TEXT NOT NULL, version INTEGER NOT NULL, applied_at INTEGER NOT NULL,
    PRIMARY KEY (schema, version)) STRICT, WITHOUT ROWID";

/// Reads the version of a schema, 0 if it was never applied.
const VERSION: &str =
    "SELECT coalesce(max(version), 0) FROM {}sectile_migrations WHERE schema = $1";

/// Records that a migration was applied.
const RECORD: &str =
    "INSERT INTO {}sectile_migrations (schema, version, applied_at) VALUES ($1, $2, unixepoch())";

/// Brings `schema` up to date and returns whether anything had to be done.
///
/// All missing migrations run in one transaction that takes SQLite's write lock first, so any
/// number of processes may start on an empty database at once. A database that is up to date is
/// only read.
///
/// # Errors
///
/// [`Error::Newer`] when a newer release migrated the database, or what the database reports;
/// then nothing was changed.
pub async fn migrate(
    connection: &mut SqliteConnection,
    schema: &Schema,
    tables: &Tables,
) -> Result<bool, Error<sqlx::Error>> {
    let found = version(connection, schema, tables).await?;
    if pending::<sqlx::Error>(schema, found)?.is_empty() {
        return Ok(false);
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // Another process may have migrated while this one waited for the lock.
    let found = version(&mut transaction, schema, tables).await?;
    let pending = pending::<sqlx::Error>(schema, found)?;
    sqlx::query(AssertSqlSafe(tables.sql(CREATE_BOOKKEEPING)))
        .execute(&mut *transaction)
        .await?;
    for version in pending.clone() {
        let sql = tables.sql(schema.migrations[version as usize]);
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut *transaction)
            .await?;
        let record = sqlx::query(AssertSqlSafe(tables.sql(RECORD)));
        let record = record.bind(schema.name).bind(version + 1);
        record.execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(!pending.is_empty())
}

/// Reads the version of `schema` that the database has, 0 if it was never applied.
///
/// # Errors
///
/// What the database reports.
pub async fn version(
    connection: &mut SqliteConnection,
    schema: &Schema,
    tables: &Tables,
) -> Result<u32, sqlx::Error> {
    let count: u32 = sqlx::query_scalar(HAS_BOOKKEEPING)
        .bind(tables.sql("{}sectile_migrations"))
        .fetch_one(&mut *connection)
        .await?;
    if count == 0 {
        return Ok(0);
    }
    sqlx::query_scalar(AssertSqlSafe(tables.sql(VERSION)))
        .bind(schema.name)
        .fetch_one(connection)
        .await
}
