//! Every statement of the store.

/// Finds a document's row.
pub(crate) const FIND_DOCUMENT: &str =
    "SELECT id FROM documents WHERE collection = $1 AND uri = $2";

/// Writes a new document.
pub(crate) const INSERT_DOCUMENT: &str = "INSERT INTO documents
    (collection, uri, format, content_hash, index_version, status, error, metadata,
     section_count, chunk_count, token_count, term_count, updated_at, uid, created_at)
    VALUES ($1, $2, $3, $4, $5, 'completed', NULL, $6, $7, $8, $9, $10, $11, $12, $11)";

/// Replaces what is known of a document.
pub(crate) const UPDATE_DOCUMENT: &str = "UPDATE documents SET
    format = $3, content_hash = $4, index_version = $5, status = 'completed', error = NULL,
    metadata = $6, section_count = $7, chunk_count = $8, token_count = $9, term_count = $10,
    updated_at = $11
    WHERE collection = $1 AND uri = $2";

/// Records a document that could not be read, leaving its earlier content as it is.
pub(crate) const FAIL_DOCUMENT: &str = "INSERT INTO documents
    (collection, uri, format, content_hash, index_version, status, error, metadata,
     section_count, chunk_count, token_count, term_count, updated_at, uid, created_at)
    VALUES ($1, $2, 'text', $3, $4, 'failed', $5, '{}', 0, 0, 0, 0, $6, $7, $6)
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

/// Lists the chunks of a section as dead.
pub(crate) const BURY_SECTION: &str = "INSERT INTO dead_chunks (collection, document, chunk)
    SELECT collection, documents.id, chunks.id
    FROM chunks JOIN documents ON documents.id = chunks.document_id WHERE section_id = $1";

/// Removes a section with its chunks.
pub(crate) const DELETE_SECTION: &str = "DELETE FROM sections WHERE id = $1";

/// Writes a chunk.
pub(crate) const INSERT_CHUNK: &str = "INSERT INTO chunks
    (section_id, document_id, chunk_index, span_start, span_end, token_count, first_page,
     last_page)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

/// Lists the chunks of a document as dead.
pub(crate) const BURY_DOCUMENT: &str = "INSERT INTO dead_chunks (collection, document, chunk)
    SELECT collection, documents.id, chunks.id
    FROM chunks JOIN documents ON documents.id = chunks.document_id WHERE documents.uid = $1";

/// Reads the collection of a document.
pub(crate) const COLLECTION_OF: &str = "SELECT collection FROM documents WHERE uid = $1";

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

/// Reads all segments.
pub(crate) const ALL_SEGMENTS: &str =
    "SELECT collection, segment, numbers, lengths FROM segments ORDER BY segment";

/// Finds the rows of some segments $1 that have some terms $2, both JSON arrays; positions if $3.
pub(crate) const BLOCKS: &str =
    "SELECT asked.key AS asked, wanted.key AS wanted, last_term, entries,
        iif($3, positions, x'') AS positions
    FROM json_each($1) AS asked CROSS JOIN json_each($2) AS wanted CROSS JOIN blocks
    WHERE segment = asked.value AND last_term = (SELECT min(later.last_term) FROM blocks AS later
        WHERE later.segment = asked.value AND later.last_term >= wanted.value)";

/// Reads the chunks that are in the index alone.
pub(crate) const DEAD: &str = "SELECT collection, document, chunk FROM dead_chunks";

/// Reads those of a collection.
pub(crate) const DEAD_IN: &str = "SELECT document, chunk FROM dead_chunks WHERE collection = $1";

/// Adds a segment to a collection.
pub(crate) const ADD_SEGMENT: &str =
    "INSERT INTO segments (collection, chunks, numbers, lengths) VALUES ($1, $2, $3, $4)";

/// Adds a row of a segment.
pub(crate) const ADD_BLOCK: &str =
    "INSERT INTO blocks (segment, last_term, entries, positions) VALUES ($1, $2, $3, $4)";

/// Lists the segments of a collection.
pub(crate) const SEGMENTS: &str = "SELECT segment, chunks FROM segments WHERE collection = $1";

/// Reads the chunks of some segments, a JSON array.
pub(crate) const CHUNKS_OF: &str = "SELECT segment, numbers, lengths FROM segments
    WHERE segment IN (SELECT value FROM json_each($1))";

/// Reads rows of a segment after a term, in order.
pub(crate) const BLOCKS_AFTER: &str = "SELECT last_term, entries, positions FROM blocks
    WHERE segment = $1 AND last_term > $2 ORDER BY last_term LIMIT $3";

/// Removes the rows of some segments.
pub(crate) const REMOVE_BLOCKS: &str =
    "DELETE FROM blocks WHERE segment IN (SELECT value FROM json_each($1))";

/// Removes some segments.
pub(crate) const REMOVE_SEGMENTS: &str =
    "DELETE FROM segments WHERE segment IN (SELECT value FROM json_each($1))";

/// Removes chunks from those that are dead.
pub(crate) const REMOVE_DEAD: &str =
    "DELETE FROM dead_chunks WHERE chunk IN (SELECT value FROM json_each($1))";

/// Says where chunks stand, which are given by number in a JSON array.
pub(crate) const PLACES: &str = "SELECT collection, documents.id AS document, chunks.id AS chunk,
        uri, position, chunk_index
    FROM json_each($1) AS asked JOIN chunks ON chunks.id = asked.value
        JOIN sections ON sections.id = section_id JOIN documents ON documents.id = chunks.document_id";

/// Reads chunks with their sections and documents, in the order in which they are asked for.
pub(crate) const HITS: &str = "SELECT span_start, span_end, chunks.first_page, chunks.last_page,
        sections.uid AS section_uid, heading_path, first_line, content,
        documents.uid AS document_uid, collection, uri, format, metadata
    FROM json_each($1) AS asked JOIN chunks ON chunks.id = asked.value
        JOIN sections ON sections.id = section_id JOIN documents ON documents.id = chunks.document_id
    ORDER BY asked.key";

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
        BURY_SECTION,
        DELETE_SECTION,
        INSERT_CHUNK,
        BURY_DOCUMENT,
        COLLECTION_OF,
        DELETE_DOCUMENT,
        DOCUMENTS,
        SECTIONS,
        CONTENT,
        FIND_SECTION,
        ALL_SEGMENTS,
        BLOCKS,
        DEAD,
        DEAD_IN,
        ADD_SEGMENT,
        ADD_BLOCK,
        SEGMENTS,
        CHUNKS_OF,
        BLOCKS_AFTER,
        REMOVE_BLOCKS,
        REMOVE_SEGMENTS,
        REMOVE_DEAD,
        PLACES,
        HITS,
        COLLECTIONS,
        TOTALS,
        SIZE,
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
