//! The runner for SQLite.

use rusqlite::{Connection, Result, TransactionBehavior};

use crate::{Error, Schema, Tables, pending, span};

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
pub fn migrate(
    connection: &mut Connection,
    schema: &Schema,
    tables: &Tables,
) -> Result<bool, Error<rusqlite::Error>> {
    let found = version(connection, schema, tables)?;
    if pending::<rusqlite::Error>(schema, found)?.is_empty() {
        return Ok(false);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have migrated while this one waited for the lock.
    let found = version(&transaction, schema, tables)?;
    let pending = pending::<rusqlite::Error>(schema, found)?;
    let _span = span(schema.name, &pending).entered();
    transaction.execute_batch(&tables.sql(CREATE_BOOKKEEPING))?;
    for version in pending.clone() {
        transaction.execute_batch(&tables.sql(schema.migrations[version as usize]))?;
        transaction.execute(&tables.sql(RECORD), (schema.name, version + 1))?;
    }
    transaction.commit()?;
    Ok(!pending.is_empty())
}

/// Reads the version of `schema` that the database has, 0 if it was never applied.
///
/// # Errors
///
/// What the database reports.
pub fn version(connection: &Connection, schema: &Schema, tables: &Tables) -> Result<u32> {
    let bookkeeping = tables.sql("{}sectile_migrations");
    let count: u32 = connection.query_row(HAS_BOOKKEEPING, [bookkeeping], |row| row.get(0))?;
    if count == 0 {
        return Ok(0);
    }
    connection.query_row(&tables.sql(VERSION), [schema.name], |row| row.get(0))
}
