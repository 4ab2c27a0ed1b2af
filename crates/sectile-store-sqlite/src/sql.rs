//! Every statement of the store.

/// Finds a document's row.
pub(crate) const FIND_DOCUMENT: &str =
    "SELECT id FROM documents WHERE collection = $1 AND uri = $2";

/// Writes a new document.
pub(crate) const INSERT_DOCUMENT: &str = "INSERT INTO documents
    (collection, uri, format, content_hash, index_version, status, error, metadata,
     section_count, chunk_count, token_count, updated_at, uid, created_at)
    VALUES ($1, $2, $3, $4, $5, 'completed', NULL, $6, $7, $8, $9, $10, $11, $10)";

/// Replaces what is known of a document.
pub(crate) const UPDATE_DOCUMENT: &str = "UPDATE documents SET
    format = $3, content_hash = $4, index_version = $5, status = 'completed', error = NULL,
    metadata = $6, section_count = $7, chunk_count = $8, token_count = $9, updated_at = $10
    WHERE collection = $1 AND uri = $2";

/// Records a document that could not be read, leaving its earlier content as it is.
pub(crate) const FAIL_DOCUMENT: &str = "INSERT INTO documents
    (collection, uri, format, content_hash, index_version, status, error, metadata,
     section_count, chunk_count, token_count, updated_at, uid, created_at)
    VALUES ($1, $2, 'text', $3, $4, 'failed', $5, '{}', 0, 0, 0, $6, $7, $6)
    ON CONFLICT (collection, uri) DO UPDATE SET
        content_hash = excluded.content_hash, index_version = excluded.index_version,
        status = 'failed', error = excluded.error, updated_at = excluded.updated_at";

/// Lists what a document's sections were made of.
pub(crate) const SECTION_HASHES: &str =
    "SELECT uid, id, index_hash FROM sections WHERE document_id = $1";

/// Writes a section.
pub(crate) const INSERT_SECTION: &str = "INSERT INTO sections
    (document_id, position, parent, level, first_line, last_line, first_page, last_page, uid,
     heading_path, token_count, index_hash, content)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";

/// Moves a section whose content did not change.
pub(crate) const MOVE_SECTION: &str = "UPDATE sections SET
    position = $2, parent = $3, level = $4, first_line = $5, last_line = $6, first_page = $7,
    last_page = $8 WHERE id = $1";

/// Reads the sizes of a section's entries in the index.
pub(crate) const SECTION_SIZES: &str = "SELECT sz FROM chunk_index_docsize WHERE id IN
    (SELECT id FROM chunks WHERE section_id = $1)";

/// Reads the sizes of a document's entries in the index.
pub(crate) const DOCUMENT_SIZES: &str = "SELECT sz FROM chunk_index_docsize WHERE id IN
    (SELECT chunks.id FROM chunks JOIN documents ON documents.id = chunks.document_id
     WHERE documents.uid = $1)";

/// Writes what the index has in memory.
pub(crate) const FLUSH_INDEX: &str = "INSERT INTO chunk_index (chunk_index) VALUES ('flush')";

/// Reads the statistics of the index.
pub(crate) const STATISTICS: &str = "SELECT block FROM chunk_index_data WHERE id = 1";

/// Corrects the statistics of the index.
pub(crate) const CORRECT_STATISTICS: &str = "UPDATE chunk_index_data SET block = $1 WHERE id = 1";

/// Removes the entries of a section from the index.
pub(crate) const DELETE_SECTION_INDEX: &str = "DELETE FROM chunk_index WHERE rowid IN
    (SELECT id FROM chunks WHERE section_id = $1)";

/// Removes a section with its chunks.
pub(crate) const DELETE_SECTION: &str = "DELETE FROM sections WHERE id = $1";

/// Writes a chunk.
pub(crate) const INSERT_CHUNK: &str = "INSERT INTO chunks
    (section_id, document_id, chunk_index, span_start, span_end, token_count, first_page,
     last_page)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

/// Writes the terms of a chunk.
pub(crate) const INSERT_CHUNK_INDEX: &str =
    "INSERT INTO chunk_index (rowid, path, body) VALUES ($1, $2, $3)";

/// Removes a document's entries from the index.
pub(crate) const DELETE_DOCUMENT_INDEX: &str = "DELETE FROM chunk_index WHERE rowid IN
    (SELECT chunks.id FROM chunks JOIN documents ON documents.id = chunks.document_id
     WHERE documents.uid = $1)";

/// Removes a document with its sections and chunks.
pub(crate) const DELETE_DOCUMENT: &str = "DELETE FROM documents WHERE uid = $1";

/// Lists documents; $1 is a collection or null, $2 a JSON array of URI ranges or null.
pub(crate) const DOCUMENTS: &str = "SELECT * FROM documents
    WHERE ($1 IS NULL OR collection = $1)
      AND ($2 IS NULL OR EXISTS (SELECT 1 FROM json_each($2) AS range
           WHERE uri BETWEEN range.value ->> 0 AND range.value ->> 1))
    ORDER BY collection, uri";

/// Lists a document's sections without their content.
pub(crate) const SECTIONS: &str = "SELECT sections.uid, position, parent, level, heading_path,
        first_line, last_line, first_page, last_page, sections.token_count
    FROM sections JOIN documents ON documents.id = sections.document_id
    WHERE documents.uid = $1 ORDER BY position";

/// Reads the content of a document's sections from one position up to another.
pub(crate) const CONTENT: &str = "SELECT content
    FROM sections JOIN documents ON documents.id = sections.document_id
    WHERE documents.uid = $1 AND position >= $2 AND position < $3 ORDER BY position";

/// Finds the documents that hold a section; $2 and $3 are the scope as in `DOCUMENTS`.
pub(crate) const FIND_SECTION: &str = "SELECT documents.*, sections.position AS position
    FROM sections JOIN documents ON documents.id = sections.document_id
    WHERE sections.uid = $1 AND ($2 IS NULL OR collection = $2)
      AND ($3 IS NULL OR EXISTS (SELECT 1 FROM json_each($3) AS range
           WHERE uri BETWEEN range.value ->> 0 AND range.value ->> 1))
    ORDER BY collection, uri";

/// Finds the $2 best sections, or documents if $3, for the index expression $1, each with its best
/// chunk; $4 says that every document is in scope, $5 and $6 are the scope as in `DOCUMENTS`.
///
/// FTS5 gives better matches smaller, negative scores. With one `min`, SQLite takes the other
/// columns from the row that has it. Everything that ties with the last place is kept until names
/// decide, so that the order does not depend on when a document was written.
pub(crate) const SEARCH: &str = "WITH found AS MATERIALIZED
        (SELECT rowid AS id, rank AS score FROM chunk_index WHERE chunk_index MATCH $1),
    best AS MATERIALIZED
        (SELECT chunks.id, section_id, min(score) AS score
         FROM found JOIN chunks ON chunks.id = found.id
         WHERE $4 OR document_id IN (SELECT id FROM documents
             WHERE ($5 IS NULL OR collection = $5)
               AND ($6 IS NULL OR EXISTS (SELECT 1 FROM json_each($6) AS range
                    WHERE uri BETWEEN range.value ->> 0 AND range.value ->> 1)))
         GROUP BY iif($3, document_id, section_id)),
    top AS
        (SELECT best.id, score, document_id, section_id, collection, uri, position
         FROM best JOIN sections ON sections.id = section_id
             JOIN documents ON documents.id = document_id
         WHERE score <= coalesce((SELECT score FROM best ORDER BY score LIMIT 1 OFFSET $2 - 1), 0)
         ORDER BY score, collection, uri, position LIMIT $2)
    SELECT -score AS score, span_start, span_end, chunks.first_page, chunks.last_page,
        sections.uid AS section_uid, heading_path, first_line, content,
        documents.uid AS document_uid, documents.collection, documents.uri, format, metadata
    FROM top JOIN chunks ON chunks.id = top.id
        JOIN sections ON sections.id = top.section_id
        JOIN documents ON documents.id = top.document_id
    ORDER BY top.score, top.collection, top.uri, top.position";

/// Counts the documents of each collection.
pub(crate) const COLLECTIONS: &str =
    "SELECT collection, count(*) AS documents FROM documents GROUP BY collection";

/// Sums up what the store holds.
pub(crate) const TOTALS: &str = "SELECT
        count(*) AS documents,
        coalesce(sum(status = 'failed'), 0) AS failed,
        coalesce(sum(section_count), 0) AS sections,
        coalesce(sum(chunk_count), 0) AS chunks,
        coalesce(sum(token_count), 0) AS tokens
    FROM documents";

/// Reads the size of the database file.
pub(crate) const SIZE: &str =
    "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()";

/// Merges the index into one segment.
pub(crate) const OPTIMIZE_INDEX: &str = "INSERT INTO chunk_index (chunk_index) VALUES ('optimize')";

/// Gives the pages that the file no longer needs back.
pub(crate) const VACUUM: &str = "PRAGMA incremental_vacuum";

/// Moves the write-ahead log into the database file.
pub(crate) const CHECKPOINT: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

#[cfg(test)]
mod tests {
    use sectile_sqlite::rusqlite::Connection;

    use super::*;

    const ALL: &[&str] = &[
        FIND_DOCUMENT,
        INSERT_DOCUMENT,
        UPDATE_DOCUMENT,
        FAIL_DOCUMENT,
        SECTION_HASHES,
        INSERT_SECTION,
        MOVE_SECTION,
        SECTION_SIZES,
        DOCUMENT_SIZES,
        FLUSH_INDEX,
        STATISTICS,
        CORRECT_STATISTICS,
        DELETE_SECTION_INDEX,
        DELETE_SECTION,
        INSERT_CHUNK,
        INSERT_CHUNK_INDEX,
        DELETE_DOCUMENT_INDEX,
        DELETE_DOCUMENT,
        DOCUMENTS,
        SECTIONS,
        CONTENT,
        FIND_SECTION,
        SEARCH,
        COLLECTIONS,
        TOTALS,
        SIZE,
        OPTIMIZE_INDEX,
        VACUUM,
        CHECKPOINT,
    ];

    #[test]
    fn no_statement_is_forgotten_here() {
        let constants = include_str!("sql.rs")
            .matches("\npub(crate) const ")
            .count();
        assert_eq!(ALL.len(), constants);
    }

    #[tokio::test]
    async fn every_statement_fits_the_schema() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        crate::SqliteStore::open(&path).await.unwrap();
        let connection = Connection::open(&path).unwrap();
        for statement in ALL {
            let prepared = connection.prepare(statement);
            assert!(prepared.is_ok(), "{statement}: {:?}", prepared.err());
        }
    }
}
