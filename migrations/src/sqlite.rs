//! The runner for SQLite.

use sqlx::{Connection as _, SqliteConnection};

use crate::{Error, Schema};

/// Counts the bookkeeping tables: one or none.
const HAS_BOOKKEEPING: &str =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'sectile_migrations'";

/// Makes the bookkeeping table.
const CREATE_BOOKKEEPING: &str = "CREATE TABLE IF NOT EXISTS sectile_migrations (
    schema TEXT NOT NULL, version INTEGER NOT NULL, applied_at INTEGER NOT NULL,
    PRIMARY KEY (schema, version)) STRICT, WITHOUT ROWID";

/// Reads the version of a schema, 0 if it was never applied.
const VERSION: &str = "SELECT coalesce(max(version), 0) FROM sectile_migrations WHERE schema = $1";

/// Records that a migration was applied.
const RECORD: &str =
    "INSERT INTO sectile_migrations (schema, version, applied_at) VALUES ($1, $2, unixepoch())";

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
) -> Result<bool, Error<sqlx::Error>> {
    if pending(connection, schema).await?.is_empty() {
        return Ok(false);
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // Another process may have migrated while this one waited for the lock.
    let pending = pending(&mut transaction, schema).await?;
    sqlx::query(CREATE_BOOKKEEPING)
        .execute(&mut *transaction)
        .await?;
    for version in pending.clone() {
        let sql = schema.migrations[version as usize];
        sqlx::raw_sql(sql).execute(&mut *transaction).await?;
        let record = sqlx::query(RECORD).bind(schema.name).bind(version + 1);
        record.execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(!pending.is_empty())
}

/// Returns the indexes of the migrations that the database lacks.
async fn pending(
    connection: &mut SqliteConnection,
    schema: &Schema,
) -> Result<std::ops::Range<u32>, Error<sqlx::Error>> {
    let found = applied(connection, schema).await?;
    let known = schema.version();
    if found > known {
        let schema = schema.name;
        return Err(Error::Newer {
            schema,
            found,
            known,
        });
    }
    Ok(found..known)
}

/// Reads the version that the database has.
async fn applied(connection: &mut SqliteConnection, schema: &Schema) -> Result<u32, sqlx::Error> {
    let tables: u32 = sqlx::query_scalar(HAS_BOOKKEEPING)
        .fetch_one(&mut *connection)
        .await?;
    if tables == 0 {
        return Ok(0);
    }
    sqlx::query_scalar(VERSION)
        .bind(schema.name)
        .fetch_one(connection)
        .await
}
