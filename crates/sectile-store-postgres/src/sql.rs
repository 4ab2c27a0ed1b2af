//! Every statement of the store. `{}` stands for the schema and the prefix of the tables.

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

/// Lists the chunks of documents with the headings of their sections.
pub(crate) const CHUNKS_IN: &str = "SELECT chunks.collection, chunks.document, chunk, level,
        heading_path
    FROM unnest($1::text[], $2::bigint[]) AS asked (collection, document)
    JOIN {}chunks AS chunks ON chunks.collection = asked.collection
        AND chunks.document = asked.document
    JOIN {}sections AS sections ON sections.collection = chunks.collection
        AND sections.document = chunks.document AND sections.uid = section_uid";

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
        error = CASE status WHEN 'processing' THEN NULL ELSE error END,
        status = CASE status WHEN 'processing' THEN 'completed' ELSE status END
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

/// Removes the chunks of some sections of a document, and lists those as dead that are in the index.
pub(crate) const DELETE_CHUNKS: &str = "WITH gone AS (DELETE FROM {}chunks
        WHERE collection = $1 AND document = $2 AND section_uid = ANY($3)
        RETURNING collection, document, chunk, section_uid)
    INSERT INTO {}dead_chunks SELECT collection, document, chunk
        FROM gone JOIN {}sections AS sections USING (collection, document)
        WHERE sections.uid = section_uid AND index_hash <> decode(repeat('00', 32), 'hex')";

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

/// Removes all that belongs to documents, table by table, and lists their chunks as dead that are in the index.
pub(crate) const REMOVE: [&str; 3] = [
    "WITH removed AS (DELETE FROM {}chunks AS old
         USING unnest($1::text[], $2::bigint[]) AS gone (c, d)
         WHERE old.collection = gone.c AND old.document = gone.d
         RETURNING collection, document, chunk, section_uid)
     INSERT INTO {}dead_chunks SELECT collection, document, chunk
         FROM removed JOIN {}sections AS sections USING (collection, document)
         WHERE sections.uid = section_uid AND index_hash <> decode(repeat('00', 32), 'hex')",
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

/// Reads the segments of a collection, or where that is null all.
pub(crate) const SEGMENTS: &str = "SELECT collection, segment, chunks, terms, languages
    FROM {}segments WHERE $1::text IS NULL OR collection = $1 ORDER BY collection, segment";

/// Reads pages by collection, segment and number.
pub(crate) const PAGES: &str = "SELECT asked.number AS asked, page, numbers, lengths
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY
        AS asked (collection, segment, place, number)
    JOIN {}pages AS pages ON pages.collection = asked.collection
        AND pages.segment = asked.segment AND page = place";

/// Reads parts by collection, segment and number; positions if $4.
pub(crate) const PARTS: &str = "SELECT asked.number AS asked, part, entries,
        CASE WHEN $4 THEN positions ELSE ''::bytea END AS positions
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY
        AS asked (collection, segment, place, number)
    JOIN {}parts AS parts ON parts.collection = asked.collection
        AND parts.segment = asked.segment AND part = place";

/// Reads the words of segments by collection and number.
pub(crate) const WORDS: &str = "SELECT asked.number AS asked, words
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (collection, segment, number)
    JOIN {}words AS words ON words.collection = asked.collection
        AND words.segment = asked.segment";

/// Finds the rows of some segments, $1 and $2, that have some terms $3; positions if $4.
pub(crate) const BLOCKS: &str = "SELECT asked.number AS asked, wanted.number AS wanted, last_term,
        entries, CASE WHEN $4 THEN positions ELSE ''::bytea END AS positions
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (collection, segment, number)
    CROSS JOIN unnest($3::text[]) WITH ORDINALITY AS wanted (term, number)
    CROSS JOIN LATERAL (SELECT * FROM {}blocks AS blocks
        WHERE blocks.collection = asked.collection AND blocks.segment = asked.segment
            AND blocks.last_term >= wanted.term
        ORDER BY blocks.last_term LIMIT 1) AS found";

/// Reads the chunks of a collection, or where that is null of all, that are in the index alone.
pub(crate) const DEAD: &str = "SELECT collection, document, chunk FROM {}dead_chunks
    WHERE $1::text IS NULL OR collection = $1";

/// Returns whether this transaction alone may merge segments of a collection, without waiting.
pub(crate) const LOCK_SEGMENTS: &str = "SELECT pg_try_advisory_xact_lock(
    hashtextextended('{}segments ' || $1, 0)) AS is_locked";

/// Lists the chunks of a collection, those of each document in the order of the text.
pub(crate) const INDEXED_CHUNKS: &str = "SELECT documents.uid, documents.document, chunk
    FROM {}documents AS documents
    JOIN {}chunks AS chunks ON chunks.collection = documents.collection
        AND chunks.document = documents.document
    JOIN {}sections AS sections ON sections.collection = chunks.collection
        AND sections.document = chunks.document AND sections.uid = section_uid
    WHERE documents.collection = $1 ORDER BY documents.document, position, chunk_index";

/// Makes the sections of a collection those of other texts, which are indexed when they are written.
pub(crate) const FORGET_HASHES: &str = "UPDATE {}sections
    SET index_hash = decode(repeat('00', 32), 'hex') WHERE collection = $1";

/// Notes what the versions of the documents of a collection begin with.
pub(crate) const PREFIX_VERSIONS: &str = "UPDATE {}documents
    SET index_version = $2 || ' ' || index_version WHERE collection = $1";

/// Adds a segment to a collection.
pub(crate) const ADD_SEGMENT: &str = "INSERT INTO {}segments
    (collection, segment, chunks, terms, languages)
    VALUES ($1, nextval('{}segment_numbers'), $2, $3, $4) RETURNING segment";

/// Adds pages of a segment.
pub(crate) const ADD_PAGES: &str = "INSERT INTO {}pages
    (collection, segment, page, numbers, lengths)
    SELECT $1, $2, * FROM unnest($3::bigint[], $4::bytea[], $5::bytea[])";

/// Adds the words of a segment.
pub(crate) const ADD_WORDS: &str =
    "INSERT INTO {}words (collection, segment, words) VALUES ($1, $2, $3)";

/// Adds parts of long lists.
pub(crate) const ADD_PARTS: &str = "INSERT INTO {}parts
    (collection, segment, part, entries, positions)
    SELECT $1, $2, * FROM unnest($3::bigint[], $4::bytea[], $5::bytea[])";

/// Adds rows of a segment.
pub(crate) const ADD_BLOCKS: &str = "INSERT INTO {}blocks
    (collection, segment, last_term, entries, positions)
    SELECT $1, $2, * FROM unnest($3::text[], $4::bytea[], $5::bytea[])";

/// Reads the pages of a segment, in order.
pub(crate) const PAGES_OF: &str = "SELECT page, numbers, lengths FROM {}pages
    WHERE collection = $1 AND segment = $2 ORDER BY page";

/// Reads the parts of a segment from one number up to another, in order.
pub(crate) const PARTS_OF: &str = "SELECT part, entries, positions FROM {}parts
    WHERE collection = $1 AND segment = $2 AND part >= $3 AND part < $4 ORDER BY part";

/// Reads rows of a segment after a term, in order.
pub(crate) const BLOCKS_AFTER: &str = "SELECT last_term, entries, positions FROM {}blocks
    WHERE collection = $1 AND segment = $2 AND last_term > $3 ORDER BY last_term LIMIT $4";

/// Removes some segments with all that they have.
pub(crate) const REMOVE_SEGMENTS: [&str; 5] = [
    "DELETE FROM {}pages WHERE collection = $1 AND segment = ANY($2)",
    "DELETE FROM {}blocks WHERE collection = $1 AND segment = ANY($2)",
    "DELETE FROM {}parts WHERE collection = $1 AND segment = ANY($2)",
    "DELETE FROM {}words WHERE collection = $1 AND segment = ANY($2)",
    "DELETE FROM {}segments WHERE collection = $1 AND segment = ANY($2)",
];

/// Removes chunks from those that are dead.
pub(crate) const REMOVE_DEAD: &str = "DELETE FROM {}dead_chunks AS dead
    USING unnest($2::bigint[], $3::bigint[]) AS gone (d, n)
    WHERE collection = $1 AND dead.document = gone.d AND dead.chunk = gone.n";

/// Reads the numbers of documents; $1 to $3 are the scope as in `DOCUMENTS`.
pub(crate) const NUMBERS: &str =
    "SELECT collection, document, uri, language, metadata FROM {}documents
    WHERE ($1::text IS NULL OR collection = $1)
      AND ($2::text[] IS NULL OR EXISTS (SELECT FROM unnest($2::text[], $3::text[])
           AS range (first, last) WHERE uri BETWEEN range.first AND range.last))";

/// Says where chunks stand, which are given by collection, document and number.
pub(crate) const PLACES: &str = "SELECT chunks.collection, chunks.document, chunks.chunk,
        uri, position, chunk_index
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS asked (collection, document, chunk)
    JOIN {}chunks AS chunks ON chunks.collection = asked.collection
        AND chunks.document = asked.document AND chunks.chunk = asked.chunk
    JOIN {}documents AS documents ON documents.collection = chunks.collection
        AND documents.document = chunks.document
    JOIN {}sections AS sections ON sections.collection = chunks.collection
        AND sections.document = chunks.document AND sections.uid = section_uid";

/// Reads the URIs of documents.
pub(crate) const URIS: &str = "SELECT documents.collection, documents.document, uri
    FROM unnest($1::text[], $2::bigint[]) AS asked (collection, document)
    JOIN {}documents AS documents ON documents.collection = asked.collection
        AND documents.document = asked.document";

/// Reads chunks with their sections and documents, in the order in which they are asked for.
pub(crate) const HITS: &str = "SELECT span_start, span_end, head_start, head_end,
        chunks.first_page, chunks.last_page,
        sections.uid AS section_uid, heading_path, first_line, content,
        documents.uid AS document_uid, documents.collection, documents.uri, format, metadata,
        language, section_count
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY
        AS asked (collection, document, chunk, number)
    JOIN {}chunks AS chunks ON chunks.collection = asked.collection
        AND chunks.document = asked.document AND chunks.chunk = asked.chunk
    JOIN {}documents AS documents ON documents.collection = chunks.collection
        AND documents.document = chunks.document
    JOIN {}sections AS sections ON sections.collection = chunks.collection
        AND sections.document = chunks.document AND sections.uid = section_uid
    ORDER BY asked.number";

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

/// Lists the chunks of a document in the order of its text.
pub(crate) const CHUNKS: &str = "SELECT chunks.collection, chunks.document, chunk, position,
        span_start, span_end
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

/// Sums up what the store holds, with its size on the disk. A table that is divided has only that of its partitions.
pub(crate) const TOTALS: &str = "SELECT
        count(*) AS documents, count(*) FILTER (WHERE status = 'failed') AS failed,
        coalesce(sum(section_count), 0)::bigint AS sections,
        coalesce(sum(chunk_count), 0)::bigint AS chunks,
        coalesce(sum(vector_count), 0)::bigint AS vectors,
        coalesce(sum(vector_count * dimensions * 4), 0)::bigint AS vector_bytes,
        coalesce(sum(token_count), 0)::bigint AS tokens,
        (SELECT sum(pg_total_relation_size(one.part))::bigint
            FROM unnest(ARRAY['{}documents'::regclass, '{}sections', '{}chunks', '{}segments',
                '{}pages', '{}blocks', '{}parts', '{}words', to_regclass('{}vectors')])
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

/// Puts jobs into a queue, in the order in which all lock them. Those that are there stay as they are, unless they
/// are of another version, have failed, or are done and $4 is set. One that is held is due when its claim would be
/// over: by then its holder knows that it has lost it.
pub(crate) const OFFER_JOBS: &str = "INSERT INTO {}jobs AS old (queue, name, version, state, due)
    SELECT $1, new.name, new.version, 'waiting', clock_timestamp()
    FROM unnest($2::text[], $3::text[]) AS new (name, version) ORDER BY new.name
    ON CONFLICT (queue, name) DO UPDATE SET
        version = excluded.version, state = 'waiting', attempts = 0, holder = NULL, error = NULL,
        due = CASE WHEN old.state = 'claimed' THEN old.due ELSE excluded.due END
    WHERE old.version <> excluded.version OR old.state = 'failed' OR old.state = 'done' AND $4";

/// Counts the jobs of a queue with some names and versions that are done.
pub(crate) const COUNT_DONE_JOBS: &str = "SELECT count(*) FROM {}jobs
    JOIN unnest($2::text[], $3::text[]) AS ours (name, version) USING (name, version)
    WHERE queue = $1 AND state = 'done'";

/// Claims the job of some names and versions that has been due longest, for $4 milliseconds. What others claim just
/// now is passed over.
pub(crate) const CLAIM_JOB: &str = "UPDATE {}jobs SET state = 'claimed', attempts = attempts + 1,
        holder = gen_random_uuid(), due = clock_timestamp() + $4 * interval '1 millisecond'
    WHERE queue = $1 AND name = (
        SELECT name FROM {}jobs AS job
        JOIN unnest($2::text[], $3::text[]) AS ours (name, version) USING (name, version)
        WHERE queue = $1 AND state IN ('waiting', 'claimed') AND due <= clock_timestamp()
        ORDER BY due, name LIMIT 1 FOR UPDATE OF job SKIP LOCKED)
    RETURNING name, attempts, holder";

/// Returns in how many milliseconds the next job of some names and versions is due.
pub(crate) const NEXT_JOB: &str = "SELECT
        ceil(extract(epoch FROM min(due) - clock_timestamp()) * 1000)::bigint AS next
    FROM {}jobs JOIN unnest($2::text[], $3::text[]) AS ours (name, version) USING (name, version)
    WHERE queue = $1 AND state IN ('waiting', 'claimed')";

/// Makes a claim last for $1 milliseconds from now.
pub(crate) const RENEW_JOB: &str =
    "UPDATE {}jobs SET due = clock_timestamp() + $1 * interval '1 millisecond'
    WHERE queue = $2 AND name = $3 AND holder = $4 AND state = 'claimed' RETURNING name";

/// Ends a claim with a state and an error; the job is due in $3 milliseconds.
pub(crate) const END_JOB: &str = "UPDATE {}jobs SET state = $1, error = $2, holder = NULL,
        due = clock_timestamp() + $3 * interval '1 millisecond'
    WHERE queue = $4 AND name = $5 AND holder = $6 AND state = 'claimed' RETURNING name";

/// Reads the jobs of a queue, or where it is null of all.
pub(crate) const JOBS: &str = "SELECT queue, name, version, state, attempts, error FROM {}jobs
    WHERE $1::text IS NULL OR queue = $1 ORDER BY queue, name";

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
        SAME_KEY,
        SET_KEY,
        PUT_SUMMARIES,
        CHUNKS_IN,
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
        SEGMENTS,
        PAGES,
        PARTS,
        WORDS,
        BLOCKS,
        DEAD,
        LOCK_SEGMENTS,
        INDEXED_CHUNKS,
        FORGET_HASHES,
        PREFIX_VERSIONS,
        ADD_SEGMENT,
        ADD_PAGES,
        ADD_WORDS,
        ADD_PARTS,
        ADD_BLOCKS,
        PAGES_OF,
        PARTS_OF,
        BLOCKS_AFTER,
        REMOVE_DEAD,
        NUMBERS,
        PLACES,
        URIS,
        HITS,
        NOTES,
        PUT_NOTE,
        REMOVE_NOTE,
        COLLECTION_NAMES,
        COLLECTIONS,
        OUTDATED,
        CHUNKS,
        LACKING_VECTORS,
        TOTALS,
        ENGINE,
        OFFER_JOBS,
        COUNT_DONE_JOBS,
        CLAIM_JOB,
        NEXT_JOB,
        RENEW_JOB,
        END_JOB,
        JOBS,
    ];

    #[test]
    fn no_statement_is_forgotten_here() {
        let constants = include_str!("sql.rs").matches("\npub(crate) const ");
        assert_eq!(ALL.len() + 3, constants.count());
    }

    #[tokio::test]
    async fn every_statement_fits_the_schema() {
        let url = sectile_test_postgres::database().await.unwrap();
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let tables = Tables::new(Some("library"), "my_").unwrap();
        sectile_migrations::postgres::migrate(&mut connection, &STORE_POSTGRES, &tables)
            .await
            .unwrap();
        for statement in ALL.iter().chain(&REMOVE).chain(&REMOVE_SEGMENTS) {
            let sql = AssertSqlSafe(tables.sql(statement)).into_sql_str();
            let prepared = connection.prepare(sql).await;
            assert!(prepared.is_ok(), "{statement}: {:?}", prepared.err());
        }
    }
}
