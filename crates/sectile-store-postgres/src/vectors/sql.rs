//! The statements that need pgvector. `{}` stands for the schema and the prefix of the tables.

/// Returns whether the database has pgvector, and whether the server has it.
pub(super) const EXTENSION: &str = "SELECT
    EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS is_created,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS is_available";

/// Gives pgvector to the database.
pub(super) const CREATE_EXTENSION: &str = "CREATE EXTENSION IF NOT EXISTS vector";

/// Returns whether vectors stand in their rows.
pub(super) const IS_IN_ROW: &str = "SELECT attstorage = 'p' AS is_in_row FROM pg_attribute
    WHERE attrelid = to_regclass('{}vectors') AND attname = 'embedding'";

/// Keeps vectors apart that are too large for their rows.
pub(super) const STORE_APART: &str =
    "ALTER TABLE {}vectors ALTER COLUMN embedding SET STORAGE EXTERNAL";

/// Lists chunks of a collection that have no vector, after one of a document.
pub(super) const PENDING: &str = "SELECT chunks.collection, chunks.document, chunks.chunk, uri,
        metadata, heading_path, content, span_start, span_end, head_start, head_end
    FROM {}documents AS documents
    JOIN {}chunks AS chunks ON chunks.collection = documents.collection
        AND chunks.document = documents.document
    JOIN {}sections AS sections ON sections.collection = chunks.collection
        AND sections.document = chunks.document AND sections.uid = section_uid
    WHERE documents.collection = $1 AND vector_count < chunk_count
      AND documents.document >= $2 AND (chunks.document, chunks.chunk) > ($2, $3)
      AND NOT EXISTS (SELECT FROM {}vectors AS vectors WHERE vectors.collection = chunks.collection
            AND vectors.document = chunks.document AND vectors.chunk = chunks.chunk)
    ORDER BY chunks.document, chunks.chunk LIMIT $4";

/// Adds vectors to chunks that are there and have none, and counts them, which may complete their
/// documents.
pub(super) const PUT_VECTORS: &str = "WITH added AS (
        INSERT INTO {}vectors (collection, document, chunk, dimensions, embedding)
        SELECT chunks.collection, chunks.document, chunks.chunk, $5, given.embedding
        FROM unnest($2::bigint[], $3::bigint[], $4::vector[]) AS given (document, chunk, embedding)
        JOIN {}chunks AS chunks ON chunks.collection = $1 AND chunks.document = given.document
            AND chunks.chunk = given.chunk
        ON CONFLICT DO NOTHING RETURNING document),
    counted AS (SELECT document, count(*) AS vectors FROM added GROUP BY document)
    UPDATE {}documents AS old SET vector_count = vector_count + vectors,
        error = CASE WHEN status = 'processing' AND vector_count + vectors >= chunk_count
            THEN NULL ELSE error END,
        status = CASE WHEN status = 'processing' AND vector_count + vectors >= chunk_count
            THEN 'completed' ELSE status END
    FROM counted WHERE old.collection = $1 AND old.document = counted.document";

/// Reads the vectors of the chunks of some sections, with what they were made of.
pub(super) const SECTION_VECTORS: &str = "SELECT text_hash, embedding
    FROM {}chunks AS chunks JOIN {}vectors AS vectors USING (collection, document, chunk)
    WHERE collection = $1 AND document = $2 AND section_uid = ANY($3)";

/// Reads the vectors of a document, with how many dimensions the model of its collection has.
pub(super) const DOCUMENT_VECTORS: &str = "SELECT embedding, models.dimensions AS dimensions
    FROM {}documents AS documents
    JOIN {}models AS models ON models.collection = documents.collection
    JOIN {}vectors AS vectors ON vectors.collection = documents.collection
        AND vectors.document = documents.document
    WHERE documents.uid = $1";

/// Gives vectors to new chunks of a document.
pub(super) const GIVE_VECTORS: &str = "INSERT INTO {}vectors
    (collection, document, chunk, dimensions, embedding)
    SELECT $1, $2, given.chunk, $5, given.embedding
    FROM unnest($3::bigint[], $4::vector[]) AS given (chunk, embedding)";

/// Counts the vectors of a document; without all of them it is not completed.
pub(super) const COUNT_VECTORS: &str = "UPDATE {}documents AS old
    SET vector_count = counted.vectors,
        status = CASE WHEN counted.vectors < chunk_count THEN 'processing' ELSE 'completed' END
    FROM (SELECT count(*) AS vectors FROM {}vectors
        WHERE collection = $1 AND document = $2) AS counted
    WHERE old.collection = $1 AND old.document = $2";

/// Removes the vectors of a collection.
pub(super) const REMOVE_VECTORS: &str = "DELETE FROM {}vectors WHERE collection = $1";

/// Counts the vectors of each size.
pub(super) const SIZES: &str =
    "SELECT dimensions, count(*) AS vectors FROM {}vectors GROUP BY dimensions";

/// Finds the vectors nearest to $1 by looking at all in some collections, $2, and there in some
/// documents, $3 with $4, or chunks, $5 to $7, if there are any; $8 of them and what ties with the
/// last.
pub(super) const NEAREST: &str = "SELECT collection, document, chunk, embedding
    FROM {}vectors
    WHERE collection = ANY($2)
      AND ($3::text[] IS NULL
        OR (collection, document) IN (SELECT * FROM unnest($3::text[], $4::bigint[])))
      AND ($5::text[] IS NULL OR (collection, document, chunk) IN
        (SELECT * FROM unnest($5::text[], $6::bigint[], $7::bigint[])))
    ORDER BY embedding <#> $1 FETCH FIRST $8 ROWS WITH TIES";

/// Finds vectors near to $1 by the index of those of `{dimensions}`; what follows is as in `NEAREST`.
pub(super) const NEAR: &str = "SELECT collection, document, chunk, embedding
    FROM {}vectors
    WHERE dimensions = {dimensions} AND collection = ANY($2)
      AND ($3::text[] IS NULL
        OR (collection, document) IN (SELECT * FROM unnest($3::text[], $4::bigint[])))
      AND ($5::text[] IS NULL OR (collection, document, chunk) IN
        (SELECT * FROM unnest($5::text[], $6::bigint[], $7::bigint[])))
    ORDER BY (embedding::vector({dimensions})) <#> $1 LIMIT $8";

/// Returns whether there is an index of vectors of `{dimensions}`. One in another schema of the search path is that of
/// another store.
pub(super) const HAS_INDEX: &str = "SELECT EXISTS (SELECT FROM pg_index WHERE indisvalid
        AND indrelid = to_regclass('{}vectors')
        AND indexrelid = to_regclass('{}vectors_near_{dimensions}')) AS has_index";

/// Returns whether this transaction alone may make indexes of vectors, without waiting.
pub(super) const LOCK_INDEXES: &str = "SELECT pg_try_advisory_xact_lock(
    hashtextextended('{}vectors indexes', 0)) AS is_locked";

/// Makes an index of vectors of `{dimensions}`.
pub(super) const CREATE_INDEX: &str = "CREATE INDEX IF NOT EXISTS
    {prefix}vectors_near_{dimensions} ON {}vectors
    USING hnsw ((embedding::vector({dimensions})) vector_ip_ops) WHERE dimensions = {dimensions}";

/// Looks at so many vectors of an index at once, and at more for as long as a condition leaves too few.
pub(super) const LOOK_AT: &str = "SELECT set_config('hnsw.ef_search', $1, true),
    set_config('hnsw.iterative_scan', 'strict_order', true),
    set_config('hnsw.max_scan_tuples', '200000', true)";

#[cfg(all(test, feature = "postgres"))]
mod tests {
    use sectile_migrations::{STORE_POSTGRES, Tables, VECTORS_POSTGRES};
    use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqlSafeStr as _};

    use super::*;

    const ALL: &[&str] = &[
        EXTENSION,
        CREATE_EXTENSION,
        IS_IN_ROW,
        STORE_APART,
        PENDING,
        PUT_VECTORS,
        SECTION_VECTORS,
        DOCUMENT_VECTORS,
        GIVE_VECTORS,
        COUNT_VECTORS,
        REMOVE_VECTORS,
        SIZES,
        NEAREST,
        NEAR,
        HAS_INDEX,
        LOCK_INDEXES,
        CREATE_INDEX,
        LOOK_AT,
    ];

    #[test]
    fn no_statement_is_forgotten_here() {
        let constants = include_str!("sql.rs").matches("\npub(super) const ");
        assert_eq!(ALL.len(), constants.count());
    }

    #[tokio::test]
    async fn every_statement_fits_the_schema() {
        let url = sectile_test_postgres::database().await.unwrap();
        let mut connection = PgConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(CREATE_EXTENSION)
            .execute(&mut connection)
            .await
            .unwrap();
        let tables = Tables::new(Some("library"), "my_").unwrap();
        for schema in [&STORE_POSTGRES, &VECTORS_POSTGRES] {
            sectile_migrations::postgres::migrate(&mut connection, schema, &tables)
                .await
                .unwrap();
        }
        for statement in ALL {
            let sql = tables.sql(statement).replace("{dimensions}", "3");
            let prepared = connection.prepare(AssertSqlSafe(sql).into_sql_str()).await;
            assert!(prepared.is_ok(), "{statement}: {:?}", prepared.err());
        }
    }
}
