//! The vectors that are nearest to that of a question: by looking at each where there are few, by an
//! index where there are many.

use pgvector::Vector;
use sectile_migrations::Tables;
use sectile_store::index::{Chunk, InScope};
use sectile_store::{QueryVector, Result, dot};
use sqlx::postgres::{PgArguments, PgRow, Postgres};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, PgConnection};

use super::{DOING, sql};
use crate::columns::{chunk, column, integer, number};
use crate::error::backend;
use crate::sql::query;

/// How many vectors of a size have an index, unless the store says otherwise. To look at as many takes
/// about 20 ms at 384 dimensions.
pub(crate) const INDEXED: usize = 50_000;

/// The most dimensions that an index can have.
const MOST_INDEXED: usize = 2_000;

/// How many are read at least beyond those that are asked for.
const BEYOND: usize = 16;

/// The most vectors that an index can be asked for.
const MOST_NEAR: usize = 1_000;

/// Makes an index for each size of which there are so many vectors, if it is missing and nobody else makes
/// it just now. Who writes vectors waits for that.
pub(crate) async fn prepare(
    connection: &mut PgConnection,
    tables: &Tables,
    indexed: usize,
) -> Result<()> {
    if super::models(connection, tables).await?.is_empty() {
        return Ok(());
    }
    let lock = query(tables, sql::LOCK_INDEXES)
        .fetch_one(&mut *connection)
        .await;
    if !column::<bool>(&lock.map_err(backend(DOING))?, "is_locked")? {
        return Ok(());
    }
    let sizes = query(tables, sql::SIZES).fetch_all(&mut *connection).await;
    for row in &sizes.map_err(backend(DOING))? {
        let dimensions = number(row, "dimensions")?;
        if number(row, "vectors")? < indexed || dimensions > MOST_INDEXED {
            continue;
        }
        let create = sqlx::raw_sql(of_size(tables, sql::CREATE_INDEX, dimensions));
        let created = create.execute(&mut *connection).await;
        created.map_err(backend("index vectors"))?;
    }
    Ok(())
}

/// Returns the chunks in the scope whose vectors are nearest to that of a question, and some more.
pub(crate) async fn nearest(
    connection: &mut PgConnection,
    tables: &Tables,
    question: &QueryVector,
    in_scope: &InScope,
    count: usize,
) -> Result<Vec<(Chunk, f32)>> {
    // The server adds in another order, so the last digits of its scores are others, and what is just
    // beyond the last place for it may stand before it.
    let count = count.saturating_mul(2).saturating_add(BEYOND);
    let dimensions = question.model.dimensions;
    let mut rows = Vec::new();
    if count <= MOST_NEAR && has_index(connection, tables, dimensions).await? {
        let look_at = sqlx::query(sql::LOOK_AT).bind(count.max(100).to_string());
        let done = look_at.execute(&mut *connection).await;
        done.map_err(backend(DOING))?;
        let near = sqlx::query(of_size(tables, sql::NEAR, dimensions));
        rows = fetch(near, connection, question, in_scope, count).await?;
    }
    if rows.len() < count {
        let nearest = query(tables, sql::NEAREST);
        rows = fetch(nearest, connection, question, in_scope, count).await?;
    }
    let scored = |row: &PgRow| {
        let vector: Vector = column(row, "embedding")?;
        Ok((chunk(row)?, dot(vector.as_slice(), &question.vector)))
    };
    rows.iter().map(scored).collect()
}

async fn has_index(
    connection: &mut PgConnection,
    tables: &Tables,
    dimensions: usize,
) -> Result<bool> {
    let row = sqlx::query(of_size(tables, sql::HAS_INDEX, dimensions));
    let row = row.fetch_one(connection).await;
    column(&row.map_err(backend(DOING))?, "has_index")
}

/// Returns a statement about vectors of one size, as an index needs it to be written.
fn of_size(tables: &Tables, statement: &'static str, dimensions: usize) -> AssertSqlSafe<String> {
    let statement = tables.sql(statement);
    AssertSqlSafe(statement.replace("{dimensions}", &dimensions.to_string()))
}

async fn fetch(
    query: Query<'_, Postgres, PgArguments>,
    connection: &mut PgConnection,
    question: &QueryVector,
    in_scope: &InScope,
    count: usize,
) -> Result<Vec<PgRow>> {
    let collections: Vec<String> = in_scope.collections().map(str::to_owned).collect();
    let documents = in_scope.documents().map(|documents| {
        let keys =
            documents.map(|(collection, document)| (collection.to_owned(), document.cast_signed()));
        keys.unzip::<String, i64, Vec<_>, Vec<_>>()
    });
    let (of_collections, documents) = documents.unzip();
    let chunks: Option<Vec<Chunk>> = in_scope.chunks().map(Iterator::collect);
    let each = |of: fn(&Chunk) -> i64| {
        chunks
            .as_ref()
            .map(|chunks| chunks.iter().map(of).collect::<Vec<_>>())
    };
    let chunk_collections = chunks.as_ref().map(|chunks| {
        let collections = chunks.iter().map(|chunk| chunk.collection.clone());
        collections.collect::<Vec<_>>()
    });
    let rows = query
        .bind(Vector::from(question.vector.clone()))
        .bind(collections)
        .bind(of_collections)
        .bind(documents)
        .bind(chunk_collections)
        .bind(each(|chunk| chunk.document.cast_signed()))
        .bind(each(|chunk| chunk.chunk.cast_signed()))
        .bind(integer(count))
        .fetch_all(connection)
        .await;
    rows.map_err(backend("compare vectors"))
}
