//! Every statement of the store.

/// Finds a table of a file that has none of those in which Sectile keeps what it migrated, whatever
/// prefix they have.
pub(crate) const FOREIGN_TABLE: &str = "
    SELECT min(name) FROM sqlite_schema
    WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^' AND NOT EXISTS (
        SELECT 1 FROM sqlite_schema
        WHERE type = 'table' AND name LIKE '%sectile^_migrations' ESCAPE '^')";

/// Copies all of the file into a new one.
pub(crate) const COPY: &str = "VACUUM INTO $1";

/// Finds a document's row.
pub(crate) const FIND_DOCUMENT: &str =
    "SELECT id FROM documents WHERE collection = $1 AND uri = $2";

/// Writes a new document.
pub(crate) const INSERT_DOCUMENT: &str = "INSERT INTO documents
    (collection, uri, format, content_hash, index_version, status, error, metadata,
     section_count, chunk_count, token_count, term_count, updated_at, natural_key, language,
     checksum, uid, created_at)
    VALUES ($1, $2, $3, $4, $5, 'completed', NULL, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $11)";

/// Replaces what is known of a document.
pub(crate) const UPDATE_DOCUMENT: &str = "UPDATE documents SET
    format = $3, content_hash = $4, index_version = $5, status = 'completed', error = NULL,
    metadata = $6, section_count = $7, chunk_count = $8, token_count = $9, term_count = $10,
    updated_at = $11, natural_key = $12, language = $13, checksum = $14
    WHERE collection = $1 AND uri = $2";

/// Reads the fields of a collection's natural key, as JSON.
pub(crate) const KEY_FIELDS: &str = "SELECT key_fields FROM collections WHERE collection = $1";

/// Declares the fields of a collection's natural key.
pub(crate) const DECLARE_KEY: &str = "INSERT INTO collections (collection, key_fields)
    VALUES ($1, $2) ON CONFLICT (collection) DO UPDATE SET key_fields = excluded.key_fields";

/// Clears the natural keys of a collection.
pub(crate) const CLEAR_KEYS: &str = "UPDATE documents SET natural_key = NULL WHERE collection = $1";

/// Finds another document with a natural key.
pub(crate) const SAME_KEY: &str = "SELECT uri FROM documents
    WHERE collection = $1 AND natural_key = $2 AND uri <> $3";

/// Frees the natural key of a document.
pub(crate) const FREE_KEY: &str =
    "UPDATE documents SET natural_key = NULL WHERE collection = $1 AND uri = $2";

/// Sets the natural key of a document.
pub(crate) const SET_KEY: &str = "UPDATE documents SET natural_key = $2 WHERE uid = $1";

/// Counts the vectors of a document; without all of them it is not completed.
pub(crate) const COUNT_VECTORS: &str = "UPDATE documents
    SET vector_count = counted.vectors,
        status = iif(counted.vectors < chunk_count, 'processing', 'completed')
    FROM (SELECT count(*) AS vectors FROM chunks JOIN vectors ON vectors.chunk = chunks.id
        WHERE document_id = $1) AS counted
    WHERE documents.id = $1";

/// Records a document that could not be read, leaving its earlier content as it is.
pub(crate) const FAIL_DOCUMENT: &str = "INSERT INTO documents
    (collection, uri, format, content_hash, index_version, status, error, metadata,
     section_count, chunk_count, token_count, term_count, updated_at, uid, created_at)
    VALUES ($1, $2, 'text', $3, $4, 'failed', $5, '{}', 0, 0, 0, 0, $6, $7, $6)
    ON CONFLICT (collection, uri) DO UPDATE SET
        content_hash = excluded.content_hash, index_version = excluded.index_version,
        status = 'failed', error = excluded.error, updated_at = excluded.updated_at, checksum = NULL";

/// Lists what a document's sections were made of.
pub(crate) const SECTION_HASHES: &str =
    "SELECT uid, id, index_hash FROM sections WHERE document_id = $1";

/// Reads the vectors of a section's chunks, with what they were made of.
pub(crate) const SECTION_VECTORS: &str = "SELECT text_hash, vector
    FROM chunks JOIN vectors ON vectors.chunk = chunks.id WHERE section_id = $1";

/// Writes a section.
pub(crate) const INSERT_SECTION: &str = "INSERT INTO sections
    (document_id, position, parent, level, first_line, last_line, first_page, last_page, uid,
     heading_path, token_count, index_hash, content, packed)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";

/// Moves a section whose content did not change.
pub(crate) const MOVE_SECTION: &str = "UPDATE sections SET
    position = $2, parent = $3, level = $4, first_line = $5, last_line = $6, first_page = $7,
    last_page = $8 WHERE id = $1";

/// Lists the chunks of a section as dead, if it is in the index.
pub(crate) const BURY_SECTION: &str = "INSERT INTO dead_chunks (collection, document, chunk)
    SELECT collection, documents.id, chunks.id
    FROM chunks JOIN documents ON documents.id = chunks.document_id WHERE section_id = $1
        AND (SELECT index_hash FROM sections WHERE id = $1) <> zeroblob(32)";

/// Removes a section with its chunks.
pub(crate) const DELETE_SECTION: &str = "DELETE FROM sections WHERE id = $1";

/// Writes a chunk.
pub(crate) const INSERT_CHUNK: &str = "INSERT INTO chunks
    (section_id, document_id, chunk_index, span_start, span_end, token_count, first_page,
     last_page, text_hash, head_start, head_end)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

/// Lists the chunks of a document as dead, if they are in the index.
pub(crate) const BURY_DOCUMENT: &str = "INSERT INTO dead_chunks (collection, document, chunk)
    SELECT collection, documents.id, chunks.id
    FROM chunks JOIN documents ON documents.id = chunks.document_id
        JOIN sections ON sections.id = section_id
    WHERE documents.uid = $1 AND index_hash <> zeroblob(32)";

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

/// Lists documents from the index of their URIs alone, which may be intact where their table is damaged.
pub(crate) const DOCUMENT_NAMES: &str =
    "SELECT id, collection, uri FROM documents ORDER BY collection, uri";

/// Lists documents from their table alone.
pub(crate) const DOCUMENT_ROWS: &str =
    "SELECT id, collection, uri FROM documents NOT INDEXED ORDER BY collection, uri";

/// Reads a document by the number of its row.
pub(crate) const DOCUMENT_ROW: &str = "SELECT * FROM documents WHERE id = $1";

/// Finds a document by its id.
pub(crate) const DOCUMENT: &str = "SELECT * FROM documents WHERE uid = $1";

/// Lists a document's sections without their content.
pub(crate) const SECTIONS: &str = "SELECT sections.uid, position, parent, level, heading_path,
        first_line, last_line, first_page, last_page, sections.token_count, summary, index_hash
    FROM sections JOIN documents ON documents.id = sections.document_id
    WHERE documents.uid = $1 ORDER BY position";

/// Reads the content of a document's sections from one position up to another.
pub(crate) const CONTENT: &str = "SELECT content, packed
    FROM sections JOIN documents ON documents.id = sections.document_id
    WHERE documents.uid = $1 AND position >= $2 AND position < $3 ORDER BY position";

/// Finds the documents that hold a section; $2 and $3 are the scope as in `DOCUMENTS`.
pub(crate) const FIND_SECTION: &str = "SELECT documents.*, sections.position AS position
    FROM sections JOIN documents ON documents.id = sections.document_id
    WHERE sections.uid = $1 AND ($2 IS NULL OR collection = $2)
      AND ($3 IS NULL OR EXISTS (SELECT 1 FROM json_each($3) AS range
           WHERE uri BETWEEN range.value ->> 0 AND range.value ->> 1))
    ORDER BY collection, uri";

/// Keeps what a section says in short, if it is still made of the same.
pub(crate) const PUT_SUMMARY: &str = "UPDATE sections SET summary = $4
    WHERE document_id = (SELECT id FROM documents WHERE uid = $1) AND uid = $2 AND index_hash = $3";

/// Lists the chunks of a document with the headings of their sections.
pub(crate) const CHUNKS_IN: &str = "SELECT chunks.id AS chunk, level, heading_path
    FROM chunks JOIN sections ON sections.id = section_id WHERE chunks.document_id = $1";

/// Lists the models, with how many vectors of each there are.
pub(crate) const MODELS: &str = "SELECT models.*, (SELECT coalesce(sum(vector_count), 0)
        FROM documents WHERE documents.collection = models.collection) AS vectors FROM models";

/// Sets the model of a collection, if it has none.
pub(crate) const SET_MODEL: &str = "INSERT INTO models
    (collection, name, dimensions, is_normalized, encoding) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (collection) DO NOTHING";

/// Reads the model of a collection, or where that is null all models, without counting vectors.
pub(crate) const MODEL_OF: &str = "SELECT models.*, 0 AS vectors FROM models
    WHERE $1 IS NULL OR collection = $1";

/// Makes the documents of a collection wait for vectors.
pub(crate) const AWAIT_VECTORS: &str = "UPDATE documents SET status = 'processing'
    WHERE collection = $1 AND status = 'completed' AND vector_count < chunk_count";

/// Removes the model of a collection.
pub(crate) const REMOVE_MODEL: &str = "DELETE FROM models WHERE collection = $1";

/// Removes the vectors of a collection.
pub(crate) const REMOVE_VECTORS: &str = "DELETE FROM vectors
    WHERE model = (SELECT id FROM models WHERE collection = $1)";

/// Makes the documents of a collection wait for vectors no more.
pub(crate) const AWAIT_NOTHING: &str = "UPDATE documents
    SET vector_count = 0, error = iif(status = 'processing', NULL, error),
        status = iif(status = 'processing', 'completed', status) WHERE collection = $1";

/// Lists chunks of a collection that have no vector, after one of a document. The joins stand in the
/// order in which they are made, and the plus sign keeps SQLite from an index in another order: otherwise
/// it sorts all chunks that are left, each time.
pub(crate) const PENDING: &str = "SELECT collection, documents.id AS document, chunks.id AS chunk,
        uri, metadata, heading_path, content, packed, span_start, span_end, head_start, head_end
    FROM documents CROSS JOIN chunks ON chunks.document_id = documents.id
        CROSS JOIN sections ON sections.id = section_id
    WHERE +collection = $1 AND vector_count < chunk_count
        AND documents.id >= $2 AND (documents.id > $2 OR chunks.id > $3)
        AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.chunk = chunks.id)
    ORDER BY documents.id, chunks.id LIMIT $4";

/// Adds a vector to a chunk, if it is there and has none.
pub(crate) const PUT_VECTOR: &str = "INSERT INTO vectors (model, document, chunk, vector)
    SELECT $1, document_id, id, $3 FROM chunks WHERE id = $2
    ON CONFLICT (chunk) DO NOTHING";

/// Counts vectors that were added to a document, which may complete it.
pub(crate) const ADD_VECTORS: &str = "UPDATE documents SET vector_count = vector_count + $2,
        error = iif(status = 'processing' AND vector_count + $2 >= chunk_count, NULL, error),
        status = iif(status = 'processing' AND vector_count + $2 >= chunk_count, 'completed', status)
    WHERE id = $1";

/// Records why the documents of a collection still wait for vectors.
pub(crate) const VECTOR_ERROR: &str =
    "UPDATE documents SET error = $2 WHERE collection = $1 AND status = 'processing'";

/// Reads vectors after one, in the order of their numbers.
pub(crate) const VECTORS: &str =
    "SELECT id, model, document, chunk, vector FROM vectors WHERE id > $1 ORDER BY id";

/// Reads the vectors of a document that are of the model of its collection, with what that makes.
pub(crate) const DOCUMENT_VECTORS: &str = "SELECT vector, dimensions, encoding
    FROM documents JOIN chunks ON chunks.document_id = documents.id
        JOIN vectors ON vectors.chunk = chunks.id
        JOIN models ON models.id = vectors.model AND models.collection = documents.collection
    WHERE documents.uid = $1";

/// Returns which chunks, a JSON array, have a vector.
pub(crate) const HAVE_VECTORS: &str =
    "SELECT chunk FROM vectors WHERE chunk IN (SELECT value FROM json_each($1))";

/// Reads the segments of a collection, or where that is null all.
pub(crate) const SEGMENTS: &str = "SELECT collection, segment, chunks, terms, languages
    FROM segments WHERE $1 IS NULL OR collection = $1 ORDER BY segment";

/// Finds the rows of some segments $1 that have some terms $2, both JSON arrays; positions if $3.
pub(crate) const BLOCKS: &str =
    "SELECT asked.key AS asked, wanted.key AS wanted, last_term, entries,
        iif($3, positions, x'') AS positions
    FROM json_each($1) AS asked CROSS JOIN json_each($2) AS wanted CROSS JOIN blocks
    WHERE segment = asked.value AND last_term = (SELECT min(later.last_term) FROM blocks AS later
        WHERE later.segment = asked.value AND later.last_term >= wanted.value)";

/// Reads pages by their numbers, a JSON array.
pub(crate) const PAGES: &str = "SELECT asked.key AS asked, page, numbers, lengths
    FROM json_each($1) AS asked JOIN pages ON page = asked.value";

/// Reads parts by their numbers, a JSON array; positions if $2.
pub(crate) const PARTS: &str = "SELECT asked.key AS asked, part, entries,
        iif($2, positions, x'') AS positions
    FROM json_each($1) AS asked JOIN parts ON part = asked.value";

/// Reads the words of some segments, a JSON array.
pub(crate) const WORDS: &str = "SELECT asked.key AS asked, words
    FROM json_each($1) AS asked JOIN words ON segment = asked.value";

/// Reads the chunks of a collection, or where that is null of all, that are in the index alone.
pub(crate) const DEAD: &str = "SELECT collection, document, chunk FROM dead_chunks
    WHERE $1 IS NULL OR collection = $1";

/// Lists the chunks of a collection, those of each document in the order of the text.
pub(crate) const INDEXED_CHUNKS: &str =
    "SELECT documents.uid, documents.id AS document, chunks.id AS chunk
    FROM documents JOIN chunks ON chunks.document_id = documents.id
        JOIN sections ON sections.id = section_id
    WHERE collection = $1 ORDER BY documents.id, position, chunk_index";

/// Makes the sections of a collection those of other texts, which are indexed when they are written.
pub(crate) const FORGET_HASHES: &str = "UPDATE sections SET index_hash = zeroblob(32)
    WHERE document_id IN (SELECT id FROM documents WHERE collection = $1)";

/// Notes what the versions of the documents of a collection begin with.
pub(crate) const PREFIX_VERSIONS: &str =
    "UPDATE documents SET index_version = $2 || ' ' || index_version WHERE collection = $1";

/// Adds a segment to a collection.
pub(crate) const ADD_SEGMENT: &str =
    "INSERT INTO segments (collection, chunks, terms, languages) VALUES ($1, $2, $3, $4)";

/// Adds a page of a segment.
pub(crate) const ADD_PAGE: &str = "INSERT INTO pages (page, numbers, lengths) VALUES ($1, $2, $3)";

/// Adds the words of a segment.
pub(crate) const ADD_WORDS: &str = "INSERT INTO words (segment, words) VALUES ($1, $2)";

/// Adds a row of a segment.
pub(crate) const ADD_BLOCK: &str =
    "INSERT INTO blocks (segment, last_term, entries, positions) VALUES ($1, $2, $3, $4)";

/// Adds a part of a long list.
pub(crate) const ADD_PART: &str =
    "INSERT INTO parts (part, entries, positions) VALUES ($1, $2, $3)";

/// Reads the pages from one number up to another, in order.
pub(crate) const PAGES_BETWEEN: &str = "SELECT page, numbers, lengths FROM pages
    WHERE page >= $1 AND page < $2 ORDER BY page";

/// Reads the parts from one number up to another, in order.
pub(crate) const PARTS_BETWEEN: &str = "SELECT part, entries, positions FROM parts
    WHERE part >= $1 AND part < $2 ORDER BY part";

/// Reads rows of a segment after a term, in order.
pub(crate) const BLOCKS_AFTER: &str = "SELECT last_term, entries, positions FROM blocks
    WHERE segment = $1 AND last_term > $2 ORDER BY last_term LIMIT $3";

/// Removes the pages from one number up to another.
pub(crate) const REMOVE_PAGES: &str = "DELETE FROM pages WHERE page >= $1 AND page < $2";

/// Removes the parts from one number up to another.
pub(crate) const REMOVE_PARTS: &str = "DELETE FROM parts WHERE part >= $1 AND part < $2";

/// Removes a segment with its rows, but for its pages and parts.
pub(crate) const REMOVE_SEGMENT: [&str; 3] = [
    "DELETE FROM blocks WHERE segment = $1",
    "DELETE FROM words WHERE segment = $1",
    "DELETE FROM segments WHERE segment = $1",
];

/// Removes chunks from those that are dead.
pub(crate) const REMOVE_DEAD: &str =
    "DELETE FROM dead_chunks WHERE chunk IN (SELECT value FROM json_each($1))";

/// Says where chunks stand, which are given by number in a JSON array.
pub(crate) const PLACES: &str = "SELECT asked.key AS asked, position, chunk_index
    FROM json_each($1) AS asked JOIN chunks ON chunks.id = asked.value
        JOIN sections ON sections.id = section_id";

/// Reads the URIs of documents.
pub(crate) const URIS: &str = "SELECT collection, documents.id AS document, uri
    FROM json_each($1) AS asked JOIN documents ON documents.id = asked.value";

/// Reads chunks with their sections and documents, with their places among those that are asked for. The
/// database does not order them, as it would copy the texts of whole sections for that.
pub(crate) const HITS: &str = "SELECT asked.key AS asked, span_start, span_end, head_start, head_end,
        chunks.first_page, chunks.last_page,
        sections.uid AS section_uid, heading_path, first_line, content, packed,
        documents.uid AS document_uid, collection, uri, format, metadata, language, section_count
    FROM json_each($1) AS asked JOIN chunks ON chunks.id = asked.value
        JOIN sections ON sections.id = section_id JOIN documents ON documents.id = chunks.document_id";

/// Reads what users say of their documents.
pub(crate) const NOTES: &str = "SELECT * FROM notes ORDER BY collection, prefix";

/// Writes a note in place of another.
pub(crate) const PUT_NOTE: &str = "INSERT OR REPLACE INTO notes (collection, prefix, note)
    VALUES ($1, $2, $3)";

/// Removes a note.
pub(crate) const REMOVE_NOTE: &str = "DELETE FROM notes WHERE collection = $1 AND prefix = $2";

/// Reads the names of the collections, from each to the next by the index.
pub(crate) const COLLECTION_NAMES: &str = "WITH RECURSIVE names (collection) AS (
        SELECT min(collection) FROM documents
        UNION ALL
        SELECT (SELECT min(collection) FROM documents WHERE collection > names.collection)
        FROM names WHERE collection IS NOT NULL)
    SELECT collection FROM names WHERE collection IS NOT NULL";

/// Counts the documents of each collection.
pub(crate) const COLLECTIONS: &str =
    "SELECT collection, count(*) AS documents FROM documents GROUP BY collection";

/// Counts the documents that another version indexed.
pub(crate) const OUTDATED: &str = "SELECT count(*) AS outdated FROM documents
    WHERE index_version <> $1 AND substr(index_version, 1, length($1) + 7) <> $1 || ' given '
      AND section_count > 0";

/// Counts the documents of a collection that this version indexed in another language.
pub(crate) const IN_OTHER_LANGUAGE: &str = "SELECT count(*) AS others FROM documents
    WHERE collection = $1 AND language <> $2 AND section_count > 0
      AND (index_version = $3 OR substr(index_version, 1, length($3) + 7) = $3 || ' given ')";

/// Lists the chunks of a document in the order of its text.
pub(crate) const CHUNKS: &str = "SELECT collection, documents.id AS document, chunks.id AS chunk,
        position, span_start, span_end, head_start, head_end
    FROM chunks JOIN sections ON sections.id = section_id
        JOIN documents ON documents.id = chunks.document_id
    WHERE documents.uid = $1 ORDER BY position, chunk_index";

/// Counts the chunks and vectors of the collections in which a document lacks vectors: all, or one.
pub(crate) const LACKING_VECTORS: &str = "SELECT collection,
        sum(chunk_count) AS chunks, sum(vector_count) AS vectors
    FROM documents WHERE collection IN (
        SELECT collection FROM documents
        WHERE vector_count < chunk_count AND ($1 IS NULL OR collection = $1))
    GROUP BY collection";

/// Sums up what the store holds.
pub(crate) const TOTALS: &str = "SELECT
        count(*) AS documents,
        coalesce(sum(status = 'failed'), 0) AS failed,
        coalesce(sum(section_count), 0) AS sections,
        coalesce(sum(chunk_count), 0) AS chunks,
        coalesce(sum(vector_count), 0) AS vectors,
        coalesce(sum(token_count), 0) AS tokens
    FROM documents";

/// Reads the size of the database file.
pub(crate) const SIZE: &str =
    "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()";

/// Reads the version of the engine.
pub(crate) const ENGINE: &str = "SELECT sqlite_version() AS version";

/// Looks through the file for damage; one row with `ok` when there is none.
pub(crate) const CHECK: &str = "PRAGMA quick_check(10)";

/// Gives the pages that the file no longer needs back.
pub(crate) const VACUUM: &str = "PRAGMA incremental_vacuum";

/// Moves the write-ahead log into the database file.
pub(crate) const CHECKPOINT: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

#[cfg(test)]
mod tests;
