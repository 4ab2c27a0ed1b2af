-- Documents are containers, sections hold the text, chunks are spans of sections.

CREATE TABLE collections (
    collection TEXT PRIMARY KEY,
    key_fields TEXT NOT NULL                   -- JSON array: the metadata in the natural key
) STRICT;

CREATE TABLE documents (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    uid           BLOB    NOT NULL UNIQUE,     -- UUID of version 7
    collection    TEXT    NOT NULL,
    uri           TEXT    NOT NULL,
    format        TEXT    NOT NULL,
    content_hash  BLOB    NOT NULL,            -- BLAKE3 of the source's bytes
    index_version TEXT    NOT NULL,            -- the settings that cut and analysed it
    status        TEXT    NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
    error         TEXT,
    metadata      TEXT    NOT NULL,            -- JSON object
    natural_key   TEXT,                        -- JSON array of what it says in the key's fields
    section_count INTEGER NOT NULL,
    chunk_count   INTEGER NOT NULL,
    vector_count  INTEGER NOT NULL DEFAULT 0,  -- of its chunks, how many have a vector
    token_count   INTEGER NOT NULL,
    term_count    INTEGER NOT NULL,            -- of all chunks, those of their paths included
    created_at    INTEGER NOT NULL,            -- milliseconds of the Unix epoch
    updated_at    INTEGER NOT NULL,
    UNIQUE (collection, uri),
    UNIQUE (collection, natural_key)
) STRICT;

CREATE TABLE sections (
    id           INTEGER PRIMARY KEY,
    uid          BLOB    NOT NULL,             -- derived from URI, heading path and occurrence
    document_id  INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    position     INTEGER NOT NULL,             -- sections joined by position are the loaded text
    parent       INTEGER,                      -- position of the parent
    level        INTEGER NOT NULL,
    heading_path TEXT    NOT NULL,             -- JSON array, from the root to this heading
    first_line   INTEGER NOT NULL,
    last_line    INTEGER NOT NULL,
    first_page   INTEGER,
    last_page    INTEGER,
    token_count  INTEGER NOT NULL,
    index_hash   BLOB    NOT NULL,             -- BLAKE3 of all that its index entries are made of
    summary      TEXT,                         -- what it says in short, where that was asked for
    content      TEXT    NOT NULL,
    UNIQUE (document_id, uid)
) STRICT;

CREATE INDEX sections_by_position ON sections (document_id, position);
CREATE INDEX sections_by_uid ON sections (uid);

CREATE TABLE chunks (
    id          INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: the index may still have it
    section_id  INTEGER NOT NULL REFERENCES sections (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    chunk_index INTEGER NOT NULL,
    span_start  INTEGER NOT NULL,              -- bytes of the section's content
    span_end    INTEGER NOT NULL,
    token_count INTEGER NOT NULL,
    first_page  INTEGER,
    last_page   INTEGER,
    text_hash   BLOB    NOT NULL               -- half a BLAKE3 of what a model is given of it
) STRICT;

CREATE INDEX chunks_by_section ON chunks (section_id);
CREATE INDEX chunks_by_document ON chunks (document_id);

-- The index: what each segment has for each term. A change adds a segment to each collection that it
-- is about; many small ones are merged into a large one.
CREATE TABLE segments (
    segment    INTEGER PRIMARY KEY AUTOINCREMENT,
    collection TEXT    NOT NULL,
    chunks     INTEGER NOT NULL,               -- how many it has
    numbers    BLOB    NOT NULL,               -- which those are, in the order of their ordinals
    lengths    BLOB    NOT NULL                -- and how many terms each of them has
) STRICT;

CREATE INDEX segments_by_collection ON segments (collection);

-- A row is about terms that follow each other, so that there are not as many rows as terms.
CREATE TABLE blocks (
    segment    INTEGER NOT NULL,
    last_term  TEXT    NOT NULL,
    entries    BLOB    NOT NULL,               -- the terms, each with the chunks that hold it
    positions  BLOB    NOT NULL,               -- in the same order, where they do
    UNIQUE (segment, last_term)
) STRICT;

-- Chunks that are in the index and not in the store any more.
CREATE TABLE dead_chunks (
    chunk      INTEGER PRIMARY KEY,
    collection TEXT    NOT NULL,
    document   INTEGER NOT NULL
) STRICT;

CREATE INDEX dead_chunks_by_collection ON dead_chunks (collection);

-- The model of the vectors of each collection that has vectors.
CREATE TABLE models (
    id            INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: readers remember it
    collection    TEXT    NOT NULL UNIQUE,
    name          TEXT    NOT NULL,
    dimensions    INTEGER NOT NULL,
    is_normalized INTEGER NOT NULL,
    encoding      TEXT    NOT NULL CHECK (encoding IN ('f32', 'i8'))
) STRICT;

-- Vectors of length 1. They are read in the order of their numbers, of which none is used again.
CREATE TABLE vectors (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    model    INTEGER NOT NULL,
    document INTEGER NOT NULL,
    chunk    INTEGER NOT NULL UNIQUE REFERENCES chunks (id) ON DELETE CASCADE,
    vector   BLOB    NOT NULL
) STRICT;
