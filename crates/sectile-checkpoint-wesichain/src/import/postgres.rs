//! Reads what `wesichain-checkpoint-postgres` wrote.

use std::str::FromStr as _;

use sectile_checkpoint::Records;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Connection as _};

use super::rows::{invalid_url, named, statement, unreadable};
use super::{Imported, Result, import};

/// Begins a transaction that sees one state of the database and cannot change it.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// The columns of the table, or nothing where there is no table.
const COLUMN_NAMES: &str = "SELECT attname::text FROM pg_catalog.pg_attribute \
     WHERE attrelid = to_regclass('checkpoints') AND attnum > 0 AND NOT attisdropped";

/// [Imports](import()) all checkpoints of a database that `wesichain-checkpoint-postgres` 0.3 wrote,
/// given as `postgres://USER:PASSWORD@HOST/DATABASE`.
///
/// They are read in a transaction that cannot write. The table is the one that the role's search path
/// says; `?options=-csearch_path%3DSCHEMA` names another schema. The connection has TLS where the
/// program has it for sqlx, by `sectile-checkpoint-postgres/tls-rustls` for example.
///
/// # Errors
///
/// Those of [`import`](import()), [`InvalidUrl`](crate::ImportError::InvalidUrl),
/// [`NoTable`](crate::ImportError::NoTable) and [`Unreadable`](crate::ImportError::Unreadable).
pub async fn import_postgres<R: Records + ?Sized>(url: &str, into: &R) -> Result<Imported> {
    let options = PgConnectOptions::from_str(url).map_err(invalid_url)?;
    let options = options.disable_statement_logging();
    let mut connection = options.connect().await.map_err(unreadable)?;
    let imported = import_all(&mut connection, into).await;
    connection.close().await.map_err(unreadable)?;
    imported
}

async fn import_all<R: Records + ?Sized>(
    connection: &mut PgConnection,
    into: &R,
) -> Result<Imported> {
    let mut transaction = connection.begin_with(BEGIN).await.map_err(unreadable)?;
    let columns = sqlx::query_scalar(COLUMN_NAMES).fetch_all(&mut *transaction);
    let columns: Vec<String> = columns.await.map_err(unreadable)?;
    let rows = sqlx::query_as(statement(&columns)?).fetch(&mut *transaction);
    import(named(rows), into).await
}
