//! Partitions: a collection in tables of its own.

mod sql;

use sectile_migrations::Tables;
use sectile_store::Result;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::columns::column;
use crate::error::backend;
use crate::sql::query;

const DOING: &str = "move a collection into partitions";

/// Moves a collection into partitions of its own, within a transaction, and says whether it had none before. Others read
/// what was there until then, and wait to write.
pub(crate) async fn make(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
) -> Result<bool> {
    let name = query(tables, sql::NAME_COLLECTION).bind(collection);
    let named = name.execute(&mut *connection).await;
    named.map_err(backend(DOING))?;
    run(connection, tables, sql::LOCK).await?;
    if !says(connection, tables, sql::IS_DIVIDED).await? {
        run(connection, tables, sql::DIVIDE).await?;
    }
    if says(connection, tables, sql::HAS_PARTITIONS).await? {
        return Ok(false);
    }
    run(connection, tables, sql::MOVE).await?;
    Ok(true)
}

/// Checks the references of vectors, which are known to be right, so that the database knows it too.
pub(crate) async fn validate(connection: &mut PgConnection, tables: &Tables) -> Result<()> {
    run(connection, tables, sql::VALIDATE).await
}

async fn run(
    connection: &mut PgConnection,
    tables: &Tables,
    statements: &'static str,
) -> Result<()> {
    let statements = AssertSqlSafe(tables.sql(statements));
    let done = sqlx::raw_sql(statements).execute(connection).await;
    done.map(drop).map_err(backend(DOING))
}

async fn says(
    connection: &mut PgConnection,
    tables: &Tables,
    question: &'static str,
) -> Result<bool> {
    let row = query(tables, question).fetch_one(connection).await;
    column(&row.map_err(backend(DOING))?, "says")
}
