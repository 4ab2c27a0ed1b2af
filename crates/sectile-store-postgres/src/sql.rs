//! Every statement of the store. `{}` stands for the schema and the prefix of the tables.

pub(crate) mod index;
pub(crate) mod jobs;

use sectile_migrations::Tables;
use sqlx::AssertSqlSafe;
use sqlx::postgres::{PgArguments, Postgres};
use sqlx::query::Query;

/// Returns a statement on these tables.
pub(crate) fn query<'q>(tables: &Tables, sql: &'static str) -> Query<'q, Postgres, PgArguments> {
    sqlx::query(AssertSqlSafe(tables.sql(sql)))
}

/// Waits for a running swap of partitions, and blocks the next one until the transaction ends.
pub(crate) const AWAIT_SWAP: &str = "LOCK TABLE ONLY {}documents IN ACCESS SHARE MODE";

/// Does so for a transaction that writes, and also waits while the last changes are copied. As it comes first, the
/// transaction holds no other lock while it waits.
pub(crate) const AWAIT_SWAP_TO_WRITE: &str = "LOCK TABLE ONLY {}documents IN ROW EXCLUSIVE MODE";

/// Writes what is known of a document, in place of its earlier version; the row is locked until the
/// end of the transaction. Returns its number and that of its first new chunk; $10 is how many there
/// may be.
pub(crate) const PUT_DOCUMENT: &str = "INSERT INTO {}documents AS old
    (collection, document, uri, format, content_hash, index_version, status, error, metadata,
     section_count, chunk_count, token_count, term_count, next_chunk, updated_at, uid, created_at,
     natural_key, language, checksum)
    VALUES ($1, nextval('{}document_numbers'), $2, $3, $4, $5, 'completed', NULL, $6, $7, $8, $9,
            $12, $10, $11, $13, $11, $14, $15, $16)
    ON CONFLICT (collection, uri) DO UPDATE SET
        format = excluded.format, content_hash = excluded.content_hash,
        index_version = excluded.index_version, status = 'completed', error = NULL,
        metadata = excluded.metadata, section_count = excluded.section_count,
        chunk_count = excluded.chunk_count, token_count = excluded.token_count,
        term_count = excluded.term_count, next_chunk = old.next_chunk + excluded.next_chunk,
        updated_at = excluded.updated_at, natural_key = excluded.natural_key,
        language = excluded.language, checksum = excluded.checksum
    RETURNING document, next_chunk - $10";

/// Reads the fields of a collection's natural key, as JSON.
pub(crate) const KEY_FIELDS: &str = "SELECT key_fields FROM {}collections WHERE collection = $1";

/// Declares the fields of a collection's natural key.
pub(crate) const DECLARE_KEY: &str = "INSERT INTO {}collections (collection, key_fields)
    VALUES ($1, $2) ON CONFLICT (collection) DO UPDATE SET key_fields = excluded.key_fields";

/// Locks the documents of a collection, in the order in which all lock, without their keys.
pub(crate) const CLEAR_KEYS: &str = "UPDATE {}documents AS old SET natural_key = NULL
    FROM (SELECT document FROM {}documents WHERE collection = $1 ORDER BY uri FOR UPDATE) AS locked
    WHERE collection = $1 AND old.document = locked.document";

/// Frees the natural keys of some documents of a collection, which it locks in the order in which all lock.
pub(crate) const FREE_KEYS: &str = "UPDATE {}documents AS old SET natural_key = NULL
    FROM (SELECT document FROM {}documents WHERE collection = $1 AND uri = ANY($2) ORDER BY uri FOR UPDATE) AS locked
    WHERE collection = $1 AND old.document = locked.document";

/// Finds another document with a natural key.
pub(crate) const SAME_KEY: &str = "SELECT uri FROM {}documents
    WHERE collection = $1 AND natural_key = $2 AND uri <> $3";

/// Sets the natural key of a document.
pub(crate) const SET_KEY: &str =
    "UPDATE {}documents SET natural_key = $3 WHERE collection = $1 AND uri = $2";

/// Keeps what sections of a document say in short, if they are still made of the same.
pub(crate) const PUT_SUMMARIES: &str = "UPDATE {}sections AS old SET summary = new.summary
    FROM {}documents AS documents,
        unnest($2::uuid[], $3::bytea[], $4::text[]) AS new (uid, index_hash, summary)
    WHERE documents.uid = $1 AND old.collection = documents.collection
      AND old.document = documents.document AND old.uid = new.uid
      AND old.index_hash = new.index_hash";

/// Lists the models.
pub(crate) const MODELS: &str = "SELECT * FROM {}models";

/// Reads the model of a collection, which stays until the end of the transaction.
pub(crate) const MODEL_OF: &str = "SELECT * FROM {}models WHERE collection = $1 FOR SHARE";

/// Reads the model of a collection, which nobody else uses until the end of the transaction.
pub(crate) const LOCK_MODEL: &str = "SELECT * FROM {}models WHERE collection = $1 FOR UPDATE";

/// Sets the model of a collection, if it has none.
pub(crate) const SET_MODEL: &str = "INSERT INTO {}models
    (collection, name, dimensions, is_normalized) VALUES ($1, $2, $3, $4)
    ON CONFLICT (collection) DO NOTHING";

/// Removes the model of a collection.
pub(crate) const REMOVE_MODEL: &str = "DELETE FROM {}models WHERE collection = $1";

/// Locks the documents of a collection in the order in which all lock.
pub(crate) const LOCK_COLLECTION: &str =
    "SELECT document FROM {}documents WHERE collection = $1 ORDER BY uri FOR UPDATE";

/// Locks some documents of a collection in the order in which all lock.
pub(crate) const LOCK_NUMBERS: &str = "SELECT document FROM {}documents
    WHERE collection = $1 AND document = ANY($2) ORDER BY uri FOR UPDATE";

/// Makes the documents of a collection wait for vectors.
pub(crate) const AWAIT_VECTORS: &str = "UPDATE {}documents SET status = 'processing'
    WHERE collection = $1 AND status = 'completed' AND vector_count < chunk_count";

/// Makes the documents of a collection wait for vectors no more.
pub(crate) const AWAIT_NOTHING: &str = "UPDATE {}documents SET vector_count = 0,
        error = CASE WHEN status = 'processing' THEN NULL ELSE error END,
        status = CASE WHEN status = 'processing' THEN 'completed' ELSE status END
    WHERE collection = $1";

/// Records why the documents of a collection still wait for vectors.
pub(crate) const VECTOR_ERROR: &str =
    "UPDATE {}documents SET error = $2 WHERE collection = $1 AND status = 'processing'";

/// Records a document that could not be read, leaving its earlier content as it is; $8 are no
/// metadata.
pub(crate) const FAIL_DOCUMENT: &str = "INSERT INTO {}documents
    (collection, document, uri, format, content_hash, index_version, status, error, metadata,
     section_count, chunk_count, token_count, term_count, next_chunk, updated_at, uid, created_at)
    VALUES ($1, nextval('{}document_numbers'), $2, 'text', $3, $4, 'failed', $5, $8, 0, 0, 0, 0, 0, $6, $7,
            $6)
    ON CONFLICT (collection, uri) DO UPDATE SET
        content_hash = excluded.content_hash, index_version = excluded.index_version,
        status = 'failed', error = excluded.error, updated_at = excluded.updated_at, checksum = NULL";

/// Lists what the sections of documents were made of; `number` says of which document one is, from 1.
pub(crate) const SECTION_HASHES: &str = "SELECT number, uid, index_hash
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (collection, document, number)
    JOIN {}sections AS sections ON sections.collection = asked.collection
        AND sections.document = asked.document";

/// Lists the chunks of documents, each by its section and its place in it; `number` as in `SECTION_HASHES`.
pub(crate) const CHUNK_NUMBERS: &str = "SELECT number, section_uid, chunk_index, chunk
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (collection, document, number)
    JOIN {}chunks AS chunks ON chunks.collection = asked.collection
        AND chunks.document = asked.document";

/// Removes some sections of a document.
pub(crate) const DELETE_SECTIONS: &str =
    "DELETE FROM {}sections WHERE collection = $1 AND document = $2 AND uid = ANY($3)";

/// Lists the chunks of some sections of a document as dead that are in the index. It is not one statement with
/// [`DELETE_CHUNKS`], as Citus refuses that in a distributed schema.
pub(crate) const BURY_CHUNKS: &str = "INSERT INTO {}dead_chunks
    SELECT collection, document, chunk
        FROM {}chunks AS chunks JOIN {}sections AS sections USING (collection, document)
        WHERE collection = $1 AND document = $2 AND section_uid = ANY($3)
          AND sections.uid = section_uid AND index_hash <> decode(repeat('00', 32), 'hex')";

/// Removes the chunks of some sections of a document.
pub(crate) const DELETE_CHUNKS: &str =
    "DELETE FROM {}chunks WHERE collection = $1 AND document = $2 AND section_uid = ANY($3)";

/// Moves sections of a document whose content did not change.
pub(crate) const MOVE_SECTIONS: &str = "UPDATE {}sections AS old SET
    position = new.position, parent = new.parent, level = new.level, first_line = new.first_line,
    last_line = new.last_line, first_page = new.first_page, last_page = new.last_page
    FROM unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::smallint[], $7::bigint[], $8::bigint[],
        $9::bigint[], $10::bigint[]) AS new
        (uid, position, parent, level, first_line, last_line, first_page, last_page)
    WHERE old.collection = $1 AND old.document = $2 AND old.uid = new.uid";

/// Writes sections.
pub(crate) const COPY_SECTIONS: &str = "COPY {}sections
    (collection, document, uid, position, parent, level, first_line, last_line, first_page,
     last_page, heading_path, token_count, index_hash, content)
    FROM STDIN (FORMAT binary)";

/// Writes chunks.
pub(crate) const COPY_CHUNKS: &str = "COPY {}chunks
    (collection, document, chunk, section_uid, chunk_index, span_start, span_end, token_count,
     first_page, last_page, text_hash, head_start, head_end)
    FROM STDIN (FORMAT binary)";

/// Finds documents by their ids, and locks them in the order in which all lock.
pub(crate) const LOCK_DOCUMENTS: &str = "SELECT collection, document FROM {}documents
    WHERE uid = ANY($1) ORDER BY collection, uri FOR UPDATE";

/// Removes all that belongs to documents, table by table, and first lists their chunks as dead that are in the index.
pub(crate) const REMOVE: [&str; 4] = [
    "INSERT INTO {}dead_chunks SELECT chunks.collection, chunks.document, chunk
         FROM unnest($1::text[], $2::bigint[]) AS gone (c, d)
         JOIN {}chunks AS chunks ON chunks.collection = gone.c AND chunks.document = gone.d
         JOIN {}sections AS sections ON sections.collection = chunks.collection
             AND sections.document = chunks.document AND sections.uid = section_uid
         WHERE index_hash <> decode(repeat('00', 32), 'hex')",
    "DELETE FROM {}chunks AS old USING unnest($1::text[], $2::bigint[]) AS gone (c, d)
     WHERE old.collection = gone.c AND old.document = gone.d",
    "DELETE FROM {}sections AS old USING unnest($1::text[], $2::bigint[]) AS gone (c, d)
     WHERE old.collection = gone.c AND old.document = gone.d",
    "DELETE FROM {}documents AS old USING unnest($1::text[], $2::bigint[]) AS gone (c, d)
     WHERE old.collection = gone.c AND old.document = gone.d",
];

/// Lists documents; $1 is a collection or null, $2 and $3 are the ends of ranges of URIs or null.
pub(crate) const DOCUMENTS: &str = "SELECT * FROM {}documents
    WHERE ($1::text IS NULL OR collection = $1)
      AND ($2::text[] IS NULL OR EXISTS (SELECT FROM unnest($2::text[], $3::text[])
           AS range (first, last) WHERE uri BETWEEN range.first AND range.last))
    ORDER BY collection, uri";

/// Finds a document by its id.
pub(crate) const DOCUMENT: &str = "SELECT * FROM {}documents WHERE uid = $1";

/// Lists a document's sections without their content.
pub(crate) const SECTIONS: &str = "SELECT sections.uid, position, parent, level, heading_path,
        first_line, last_line, first_page, last_page, sections.token_count, summary, index_hash
    FROM {}sections AS sections JOIN {}documents AS documents USING (collection, document)
    WHERE documents.uid = $1 ORDER BY position";

/// Reads the content of a document's sections from one position up to another.
pub(crate) const CONTENT: &str = "SELECT content
    FROM {}sections AS sections JOIN {}documents AS documents USING (collection, document)
    WHERE documents.uid = $1 AND position >= $2 AND position < $3 ORDER BY position";

/// Finds the documents that hold a section; $2 to $4 are the scope as in `DOCUMENTS`.
pub(crate) const FIND_SECTION: &str = "SELECT documents.*, sections.position AS position
    FROM {}sections AS sections JOIN {}documents AS documents USING (collection, document)
    WHERE sections.uid = $1 AND ($2::text IS NULL OR collection = $2)
      AND ($3::text[] IS NULL OR EXISTS (SELECT FROM unnest($3::text[], $4::text[])
           AS range (first, last) WHERE uri BETWEEN range.first AND range.last))
    ORDER BY collection, uri";

/// Makes the sections of a collection those of other texts, which are indexed when they are written.
pub(crate) const FORGET_HASHES: &str = "UPDATE {}sections
    SET index_hash = decode(repeat('00', 32), 'hex') WHERE collection = $1";

/// Notes what the versions of the documents of a collection begin with.
pub(crate) const PREFIX_VERSIONS: &str = "UPDATE {}documents
    SET index_version = $2 || ' ' || index_version WHERE collection = $1";

/// Reads what users say of their documents.
pub(crate) const NOTES: &str = "SELECT * FROM {}notes ORDER BY collection, prefix";

/// Writes a note in place of another.
pub(crate) const PUT_NOTE: &str = "INSERT INTO {}notes (collection, prefix, note)
    VALUES ($1, $2, $3) ON CONFLICT (collection, prefix) DO UPDATE SET note = excluded.note";

/// Removes a note.
pub(crate) const REMOVE_NOTE: &str = "DELETE FROM {}notes WHERE collection = $1 AND prefix = $2";

/// Reads the names of the collections, from each to the next by the index.
pub(crate) const COLLECTION_NAMES: &str = "WITH RECURSIVE names (collection) AS (
        SELECT min(collection) FROM {}documents
        UNION ALL
        SELECT (SELECT min(collection) FROM {}documents WHERE collection > names.collection)
        FROM names WHERE collection IS NOT NULL)
    SELECT collection FROM names WHERE collection IS NOT NULL";

/// Counts the documents of each collection.
pub(crate) const COLLECTIONS: &str =
    "SELECT collection, count(*) AS documents FROM {}documents GROUP BY collection";

/// Counts the documents that another version indexed.
pub(crate) const OUTDATED: &str = "SELECT count(*) AS outdated FROM {}documents
    WHERE index_version <> $1 AND substr(index_version, 1, length($1) + 7) <> $1 || ' given '
      AND section_count > 0";

/// Counts the documents of a collection that this version indexed in another language.
pub(crate) const IN_OTHER_LANGUAGE: &str = "SELECT count(*) AS others FROM {}documents
    WHERE collection = $1 AND language <> $2 AND section_count > 0
      AND (index_version = $3 OR substr(index_version, 1, length($3) + 7) = $3 || ' given ')";

/// Lists the chunks of a document in the order of its text.
pub(crate) const CHUNKS: &str = "SELECT chunks.collection, chunks.document, chunk, position,
        span_start, span_end, head_start, head_end
    FROM {}documents AS documents
    JOIN {}chunks AS chunks ON chunks.collection = documents.collection
        AND chunks.document = documents.document
    JOIN {}sections AS sections ON sections.collection = chunks.collection
        AND sections.document = chunks.document AND sections.uid = section_uid
    WHERE documents.uid = $1 ORDER BY position, chunk_index";

/// Counts the chunks and vectors of the collections in which a document lacks vectors: all, or one.
pub(crate) const LACKING_VECTORS: &str = "SELECT collection,
        sum(chunk_count)::bigint AS chunks, sum(vector_count)::bigint AS vectors
    FROM {}documents WHERE collection IN (
        SELECT collection FROM {}documents
        WHERE vector_count < chunk_count AND ($1::text IS NULL OR collection = $1))
    GROUP BY collection";

/// Sums up what the store holds, with its size on the disk. A table that is divided has only that of its partitions. The
/// table of vectors may be missing, or be found in another schema of the search path: that of another store.
pub(crate) const TOTALS: &str = "SELECT
        count(*) AS documents, count(*) FILTER (WHERE status = 'failed') AS failed,
        coalesce(sum(section_count), 0)::bigint AS sections,
        coalesce(sum(chunk_count), 0)::bigint AS chunks,
        coalesce(sum(vector_count), 0)::bigint AS vectors,
        coalesce(sum(vector_count * dimensions * 4), 0)::bigint AS vector_bytes,
        coalesce(sum(token_count), 0)::bigint AS tokens,
        (SELECT sum(pg_total_relation_size(one.part))::bigint
            FROM unnest(ARRAY['{}documents'::regclass, '{}sections', '{}chunks', '{}segments',
                '{}pages', '{}blocks', '{}parts', '{}words', (SELECT vectors.oid
                    FROM pg_class AS vectors JOIN pg_class AS documents USING (relnamespace)
                    WHERE vectors.oid = to_regclass('{}vectors')
                        AND documents.oid = '{}documents'::regclass)::regclass])
                AS tables (whole),
            LATERAL (SELECT whole AS part UNION SELECT relid FROM pg_partition_tree(whole)) AS one)
            AS bytes
    FROM {}documents LEFT JOIN {}models USING (collection)";

/// Reads the versions of the server and of pgvector, if the database has it.
pub(crate) const ENGINE: &str = "SELECT current_setting('server_version') AS version,
    pg_is_in_recovery() AS is_read_only,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector";

/// Brings the tables into the form that is fastest to read. They are named one by one, as none may
/// stand in a transaction.
pub(crate) const OPTIMIZE: [&str; 8] = [
    "VACUUM (ANALYZE) {}documents",
    "VACUUM (ANALYZE) {}sections",
    "VACUUM (ANALYZE) {}chunks",
    "VACUUM (ANALYZE) {}segments",
    "VACUUM (ANALYZE) {}pages",
    "VACUUM (ANALYZE) {}blocks",
    "VACUUM (ANALYZE) {}parts",
    "VACUUM (ANALYZE) {}words",
];

#[cfg(all(test, feature = "postgres"))]
mod tests {
    use sectile_migrations::{STORE_POSTGRES, Tables};
    use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqlSafeStr as _};

    use super::*;

    const ALL: &[&str] = &[
        AWAIT_SWAP,
        AWAIT_SWAP_TO_WRITE,
        PUT_DOCUMENT,
        KEY_FIELDS,
        DECLARE_KEY,
        CLEAR_KEYS,
        FREE_KEYS,
        SAME_KEY,
        SET_KEY,
        PUT_SUMMARIES,
        index::CHUNKS_IN,
        MODELS,
        MODEL_OF,
        LOCK_MODEL,
        SET_MODEL,
        REMOVE_MODEL,
        LOCK_COLLECTION,
        LOCK_NUMBERS,
        AWAIT_VECTORS,
        AWAIT_NOTHING,
        VECTOR_ERROR,
        FAIL_DOCUMENT,
        SECTION_HASHES,
        CHUNK_NUMBERS,
        DELETE_SECTIONS,
        BURY_CHUNKS,
        DELETE_CHUNKS,
        MOVE_SECTIONS,
        COPY_SECTIONS,
        COPY_CHUNKS,
        LOCK_DOCUMENTS,
        DOCUMENTS,
        DOCUMENT,
        SECTIONS,
        CONTENT,
        FIND_SECTION,
        index::SEGMENTS,
        index::PAGES,
        index::PARTS,
        index::WORDS,
        index::BLOCKS,
        index::DEAD,
        index::LOCK_SEGMENTS,
        index::INDEXED_CHUNKS,
        FORGET_HASHES,
        PREFIX_VERSIONS,
        index::ADD_SEGMENT,
        index::ADD_PAGES,
        index::ADD_WORDS,
        index::ADD_PARTS,
        index::ADD_BLOCKS,
        index::PAGES_OF,
        index::PARTS_OF,
        index::BLOCKS_AFTER,
        index::REMOVE_DEAD,
        index::NUMBERS,
        index::PLACES,
        index::URIS,
        index::HITS,
        NOTES,
        PUT_NOTE,
        REMOVE_NOTE,
        COLLECTION_NAMES,
        COLLECTIONS,
        OUTDATED,
        IN_OTHER_LANGUAGE,
        CHUNKS,
        LACKING_VECTORS,
        TOTALS,
        ENGINE,
        jobs::OFFER_JOBS,
        jobs::OFFER_DONE_JOBS,
        jobs::COUNT_DONE_JOBS,
        jobs::CLAIM_JOB,
        jobs::NEXT_JOB,
        jobs::RENEW_JOB,
        jobs::END_JOB,
        jobs::JOBS,
    ];

    #[test]
    fn no_statement_is_forgotten_here() {
        let files = [
            include_str!("sql.rs"),
            include_str!("sql/index.rs"),
            include_str!("sql/jobs.rs"),
        ];
        let constants = files.map(|file| file.matches("\npub(crate) const ").count());
        assert_eq!(ALL.len() + 3, constants.iter().sum::<usize>());
    }

    #[tokio::test]
    async fn every_statement_fits_the_schema() {
        let url = sectile_test_postgres::database().await.unwrap();
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let tables = Tables::new(Some("library"), "my_").unwrap();
        sectile_migrations::postgres::migrate(&mut connection, &STORE_POSTGRES, &tables)
            .await
            .unwrap();
        for statement in ALL.iter().chain(&REMOVE).chain(&index::REMOVE_SEGMENTS) {
            let sql = AssertSqlSafe(tables.sql(statement)).into_sql_str();
            let prepared = connection.prepare(sql).await;
            assert!(prepared.is_ok(), "{statement}: {:?}", prepared.err());
        }
    }
}
