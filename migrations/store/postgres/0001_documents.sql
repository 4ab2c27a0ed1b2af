-- Documents are containers, sections hold the text, chunks are spans of sections.
-- {} stands for the schema and the prefix of the tables, {prefix} for the prefix alone.
--
-- Collection and document lead every key, so that each table can be distributed or partitioned by
-- collection; nothing has to be unique beyond a collection. There are no foreign keys: a document
-- is written and removed under the lock of its row, and each would cost a look for every row.

CREATE TABLE {}collections (
    collection TEXT COLLATE "C" PRIMARY KEY,
    key_fields TEXT NOT NULL                   -- JSON array: the metadata in the natural key
);

CREATE SEQUENCE {}document_numbers;

CREATE TABLE {}documents (
    collection    TEXT COLLATE "C" NOT NULL,
    document      BIGINT NOT NULL,             -- from document_numbers
    uid           UUID NOT NULL,               -- of version 7
    uri           TEXT COLLATE "C" NOT NULL,
    format        TEXT NOT NULL,
    content_hash  BYTEA NOT NULL,              -- BLAKE3 of the source's bytes
    index_version TEXT NOT NULL,               -- the settings that cut and analysed it
    status        TEXT NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
    error         TEXT,
    metadata      TEXT NOT NULL,               -- JSON object
    natural_key   TEXT COLLATE "C",            -- JSON array of what it says in the key's fields
    section_count BIGINT NOT NULL,
    chunk_count   BIGINT NOT NULL,
    vector_count  BIGINT NOT NULL DEFAULT 0,   -- of its chunks, how many have a vector
    token_count   BIGINT NOT NULL,
    term_count    BIGINT NOT NULL,             -- of all chunks, those of their paths included
    next_chunk    BIGINT NOT NULL,             -- the number of the next new chunk
    created_at    BIGINT NOT NULL,             -- milliseconds of the Unix epoch
    updated_at    BIGINT NOT NULL,
    PRIMARY KEY (collection, document),
    UNIQUE (collection, uri),
    UNIQUE (collection, natural_key)
);

CREATE INDEX {prefix}documents_by_uid ON {}documents (uid);

CREATE TABLE {}sections (
    collection   TEXT COLLATE "C" NOT NULL,
    document     BIGINT NOT NULL,
    uid          UUID NOT NULL,                -- derived from URI, heading path and occurrence
    position     BIGINT NOT NULL,              -- sections joined by position are the loaded text
    parent       BIGINT,                       -- position of the parent
    level        SMALLINT NOT NULL,
    heading_path TEXT NOT NULL,                -- JSON array, from the root to this heading
    first_line   BIGINT NOT NULL,
    last_line    BIGINT NOT NULL,
    first_page   BIGINT,
    last_page    BIGINT,
    token_count  BIGINT NOT NULL,
    index_hash   BYTEA NOT NULL,               -- BLAKE3 of all that its index entries are made of
    summary      TEXT,                         -- what it says in short, where that was asked for
    content      TEXT NOT NULL,
    PRIMARY KEY (collection, document, uid)
);

CREATE INDEX {prefix}sections_by_position ON {}sections (collection, document, position);
CREATE INDEX {prefix}sections_by_uid ON {}sections (uid);

CREATE TABLE {}chunks (
    collection  TEXT COLLATE "C" NOT NULL,
    document    BIGINT NOT NULL,
    chunk       BIGINT NOT NULL,               -- a number that the document uses once
    section_uid UUID NOT NULL,
    chunk_index BIGINT NOT NULL,
    span_start  BIGINT NOT NULL,               -- bytes of the section's content
    span_end    BIGINT NOT NULL,
    token_count BIGINT NOT NULL,
    first_page  BIGINT,
    last_page   BIGINT,
    text_hash   BYTEA NOT NULL,                -- half a BLAKE3 of what a model is given of it
    PRIMARY KEY (collection, document, chunk)
);

CREATE INDEX {prefix}chunks_by_section ON {}chunks (collection, document, section_uid);

-- The index: what each segment has for each term. A change adds a segment to each collection that it
-- is about; many small ones are merged into a large one.
CREATE SEQUENCE {}segment_numbers;

CREATE TABLE {}segments (
    collection TEXT COLLATE "C" NOT NULL,
    segment    BIGINT NOT NULL,                -- from segment_numbers
    chunks     BIGINT NOT NULL,                -- how many it has
    numbers    BYTEA NOT NULL,                 -- which those are, in the order of their ordinals
    lengths    BYTEA NOT NULL,                 -- and how many terms each of them has
    PRIMARY KEY (collection, segment)
);

-- A row is about terms that follow each other, so that there are not as many rows as terms.
CREATE TABLE {}blocks (
    collection TEXT COLLATE "C" NOT NULL,
    segment    BIGINT NOT NULL,
    last_term  TEXT COLLATE "C" NOT NULL,
    entries    BYTEA NOT NULL,                 -- the terms, each with the chunks that hold it
    positions  BYTEA NOT NULL,                 -- in the same order, where they do
    PRIMARY KEY (collection, segment, last_term)
);

-- They are read whole, and hardly become smaller.
ALTER TABLE {}segments ALTER COLUMN numbers SET STORAGE EXTERNAL;
ALTER TABLE {}segments ALTER COLUMN lengths SET STORAGE EXTERNAL;
ALTER TABLE {}blocks ALTER COLUMN entries SET STORAGE EXTERNAL;
ALTER TABLE {}blocks ALTER COLUMN positions SET STORAGE EXTERNAL;

-- Chunks that are in the index and not in the store any more.
CREATE TABLE {}dead_chunks (
    collection TEXT COLLATE "C" NOT NULL,
    document   BIGINT NOT NULL,
    chunk      BIGINT NOT NULL,
    PRIMARY KEY (collection, document, chunk)
);

-- The model of the vectors of each collection that has vectors.
CREATE TABLE {}models (
    collection    TEXT COLLATE "C" PRIMARY KEY,
    name          TEXT NOT NULL,
    dimensions    BIGINT NOT NULL,
    is_normalized BOOLEAN NOT NULL
);
