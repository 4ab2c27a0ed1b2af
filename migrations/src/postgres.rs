//! The runner for Postgres.

use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tracing::Instrument as _;

use crate::{Error, Schema, Tables, pending, span};

/// Says whether the bookkeeping table is in the schema that was given.
const HAS_BOOKKEEPING: &str = "SELECT to_regclass($1) IS NOT NULL";

/// Lists the schemas of the search path with a bookkeeping table that the role may read, and says of each whether it is
/// the one in which tables are made.
const BOOKKEEPINGS: &str = "SELECT nspname::text, nspname = current_schema() FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relname = $1 AND relkind IN ('r', 'p') AND nspname = ANY (current_schemas(false))
        AND (nspname = current_schema() OR has_table_privilege(pg_class.oid, 'SELECT'))
    ORDER BY array_position(current_schemas(false), nspname)";

/// Says whether a database schema is there.
const HAS_NAMESPACE: &str = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)";

/// Waits for others who migrate the same tables, until the end of the transaction.
const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";

/// Makes the bookkeeping table.
const CREATE_BOOKKEEPING: &str = "CREATE TABLE IF NOT EXISTS {}sectile_migrations (
    schema TEXT NOT NULL, version INTEGER NOT NULL,
    applied_at TIMESTAMPTZ NOT NULL DEFAULT now(), PRIMARY KEY (schema, version))";

/// Reads the version of a schema, 0 if it was never applied.
const VERSION: &str =
    "SELECT coalesce(max(version), 0) FROM {}sectile_migrations WHERE schema = $1";

/// Records that a migration was applied.
const RECORD: &str = "INSERT INTO {}sectile_migrations (schema, version) VALUES ($1, $2)";

/// Brings `schema` up to date and returns whether anything had to be done.
///
/// All missing migrations run in one transaction under an advisory lock that ends with it, so any
/// number of processes may start on an empty database at once, also behind a connection pooler. A
/// database that is up to date is only read, for which a role needs no right to create.
///
/// # Errors
///
/// [`Error::Newer`] when a newer release migrated the database, [`Error::LaterSchema`], or what the database
/// reports; then nothing was changed.
pub async fn migrate(
    connection: &mut PgConnection,
    schema: &Schema,
    tables: &Tables,
) -> Result<bool, Error<sqlx::Error>> {
    let found = version(connection, schema, tables).await?;
    if pending::<sqlx::Error>(schema, found)?.is_empty() {
        return Ok(false);
    }
    let mut transaction = connection.begin().await?;
    lock(&mut transaction, tables).await?;
    create_namespace(&mut transaction, tables).await?;
    sqlx::raw_sql(AssertSqlSafe(tables.sql(CREATE_BOOKKEEPING)))
        .execute(&mut *transaction)
        .await?;
    // Another process may have migrated while this one waited for the lock. The table is read
    // without a look whether it is there: `to_regclass` remembers within a transaction that it
    // was not.
    let found = read_version(&mut transaction, schema, tables).await?;
    let pending = pending::<sqlx::Error>(schema, found)?;
    let apply = async {
        for version in pending.clone() {
            let sql = tables.sql(schema.migrations[version as usize]);
            sqlx::raw_sql(AssertSqlSafe(sql))
                .execute(&mut *transaction)
                .await?;
            let record = sqlx::query(AssertSqlSafe(tables.sql(RECORD))).persistent(false);
            let record = record.bind(schema.name).bind((version + 1).cast_signed());
            record.execute(&mut *transaction).await?;
        }
        transaction.commit().await
    };
    apply.instrument(span(schema.name, &pending)).await?;
    Ok(!pending.is_empty())
}

/// Waits for others who migrate the same tables, and holds them off until the end of the transaction.
///
/// # Errors
///
/// What the database reports.
pub async fn lock(connection: &mut PgConnection, tables: &Tables) -> Result<(), sqlx::Error> {
    let lock = sqlx::query(LOCK).persistent(false);
    let lock = lock.bind(tables.sql("{}sectile_migrations"));
    lock.execute(connection).await.map(drop)
}

/// Makes the database schema, if one was given and is missing.
async fn create_namespace(
    connection: &mut PgConnection,
    tables: &Tables,
) -> Result<(), sqlx::Error> {
    let Some(name) = tables.schema() else {
        return Ok(());
    };
    let is_there: bool = sqlx::query_scalar(HAS_NAMESPACE)
        .persistent(false)
        .bind(name)
        .fetch_one(&mut *connection)
        .await?;
    if !is_there {
        let sql = format!("CREATE SCHEMA \"{name}\"");
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Reads the version of `schema` that the database has, 0 if it was never applied.
///
/// Unless [`Tables`] name a schema of Postgres, it is looked for where tables are made: in the first schema of the search
/// path.
///
/// It begins a transaction, so its future should not be dropped (transact-rs/sqlx#4385).
///
/// # Errors
///
/// [`Error::LaterSchema`] when only a later schema of the search path has these tables, or what the database reports.
pub async fn version(
    connection: &mut PgConnection,
    schema: &Schema,
    tables: &Tables,
) -> Result<u32, Error<sqlx::Error>> {
    // A pooler may give two statements two connections, but not within a transaction; and sqlx
    // prepares a statement and runs it in two steps.
    let mut transaction = connection.begin().await?;
    let version = if tables.schema().is_some() {
        version_in_schema(&mut transaction, schema, tables).await?
    } else {
        version_in_path(&mut transaction, schema, tables).await?
    };
    transaction.commit().await?;
    Ok(version)
}

async fn version_in_schema(
    connection: &mut PgConnection,
    schema: &Schema,
    tables: &Tables,
) -> Result<u32, sqlx::Error> {
    let is_there: bool = sqlx::query_scalar(HAS_BOOKKEEPING)
        .persistent(false)
        .bind(tables.sql("{}sectile_migrations"))
        .fetch_one(&mut *connection)
        .await?;
    if is_there {
        read_version(connection, schema, tables).await
    } else {
        Ok(0)
    }
}

async fn version_in_path(
    connection: &mut PgConnection,
    schema: &Schema,
    tables: &Tables,
) -> Result<u32, Error<sqlx::Error>> {
    let name = tables.sql("{}sectile_migrations");
    let bookkeepings: Vec<(String, bool)> = sqlx::query_as(BOOKKEEPINGS)
        .persistent(false)
        .bind(&*name)
        .fetch_all(&mut *connection)
        .await?;
    for (found, is_current) in bookkeepings {
        let version = version_in(connection, &found, &name, schema).await?;
        if is_current {
            return Ok(version);
        }
        if version > 0 {
            let current = current_schema(connection).await?;
            return Err(Error::LaterSchema { current, found });
        }
    }
    Ok(0)
}

/// Returns the schema in which tables are made. There is one, as the search path has a later one.
async fn current_schema(connection: &mut PgConnection) -> Result<String, sqlx::Error> {
    sqlx::query_scalar("SELECT current_schema()::text")
        .persistent(false)
        .fetch_one(connection)
        .await
}

/// Reads the version from the bookkeeping table of one schema of Postgres.
async fn version_in(
    connection: &mut PgConnection,
    namespace: &str,
    name: &str,
    schema: &Schema,
) -> Result<u32, sqlx::Error> {
    let namespace = namespace.replace('"', "\"\"");
    let sql =
        format!("SELECT coalesce(max(version), 0) FROM \"{namespace}\".{name} WHERE schema = $1");
    let version: i32 = sqlx::query_scalar(AssertSqlSafe(sql))
        .persistent(false)
        .bind(schema.name)
        .fetch_one(connection)
        .await?;
    Ok(version.unsigned_abs())
}

/// Reads the version from the bookkeeping table, which must be there: for who has begun a
/// transaction, as [`version`] would end it.
///
/// # Errors
///
/// What the database reports.
pub async fn read_version(
    connection: &mut PgConnection,
    schema: &Schema,
    tables: &Tables,
) -> Result<u32, sqlx::Error> {
    let version: i32 = sqlx::query_scalar(AssertSqlSafe(tables.sql(VERSION)))
        .persistent(false)
        .bind(schema.name)
        .fetch_one(connection)
        .await?;
    Ok(version.unsigned_abs())
}
