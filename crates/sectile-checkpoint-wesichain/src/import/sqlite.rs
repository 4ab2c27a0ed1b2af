//! Reads what `wesichain-checkpoint-sqlite` wrote.

use std::str::FromStr as _;

use sectile_checkpoint::Records;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};

use super::rows::{invalid_url, named, statement, unreadable};
use super::{Imported, Result, import};

/// The columns of the table, or nothing where there is no table.
const COLUMN_NAMES: &str = "SELECT name FROM pragma_table_info('checkpoints')";

/// [Imports](import()) all checkpoints of a file that `wesichain-checkpoint-sqlite` 0.3 wrote, given
/// as `sqlite:PATH`.
///
/// The file is opened for reading alone, whatever its journal mode is, and stays as it is. One with a
/// write-ahead log (`-wal`) in a folder that cannot be written to has to be copied first.
///
/// ```no_run
/// use sectile_checkpoint::MemoryCheckpointer;
/// use sectile_checkpoint_wesichain::import_sqlite;
///
/// # async fn run() -> Result<(), sectile_checkpoint_wesichain::ImportError> {
/// let records = MemoryCheckpointer::new();
/// let imported = import_sqlite("sqlite:agents.db", &records).await?;
/// println!("{} checkpoints of {} threads", imported.saved, imported.threads);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Those of [`import`](import()), [`InvalidUrl`](crate::ImportError::InvalidUrl),
/// [`NoTable`](crate::ImportError::NoTable) and [`Unreadable`](crate::ImportError::Unreadable).
pub async fn import_sqlite<R: Records + ?Sized>(url: &str, into: &R) -> Result<Imported> {
    let options = SqliteConnectOptions::from_str(url).map_err(invalid_url)?;
    let options = options
        .read_only(true)
        .create_if_missing(false)
        .disable_statement_logging();
    let mut connection = options.connect().await.map_err(unreadable)?;
    let imported = import_all(&mut connection, into).await;
    connection.close().await.map_err(unreadable)?;
    imported
}

async fn import_all<R: Records + ?Sized>(
    connection: &mut SqliteConnection,
    into: &R,
) -> Result<Imported> {
    let columns = sqlx::query_scalar(COLUMN_NAMES).fetch_all(&mut *connection);
    let columns: Vec<String> = columns.await.map_err(unreadable)?;
    let rows = sqlx::query_as(statement(&columns)?).fetch(connection);
    import(named(rows), into).await
}
