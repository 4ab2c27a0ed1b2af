//! The statements of the index.

/// Lists the chunks of documents with the headings of their sections.
pub(crate) const CHUNKS_IN: &str = "SELECT chunks.collection, chunks.document, chunk, level,
        heading_path
    FROM unnest($1::text[], $2::bigint[]) AS asked (collection, document)
    JOIN {}chunks AS chunks ON chunks.collection = asked.collection
        AND chunks.document = asked.document
    JOIN {}sections AS sections ON sections.collection = chunks.collection
        AND sections.document = chunks.document AND sections.uid = section_uid";

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

/// Reads the numbers of documents; $1 to $3 are the scope as in [`DOCUMENTS`](super::DOCUMENTS).
pub(crate) const NUMBERS: &str =
    "SELECT collection, document, uri, language, metadata, created_at FROM {}documents
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
