-- The full-text index, made anew: what a search reads of it follows what matches. What the old one had is
-- indexed again by the next ingest.
DROP TABLE {}blocks;
DROP TABLE {}segments;
DELETE FROM {}dead_chunks;

CREATE TABLE {}segments (
    collection TEXT COLLATE "C" NOT NULL,
    segment    BIGINT NOT NULL,                -- from segment_numbers
    chunks     BIGINT NOT NULL,                -- how many it has
    terms      BIGINT NOT NULL,                -- how many terms these have together
    languages  TEXT NOT NULL,                  -- of its documents: codes, joined by commas
    PRIMARY KEY (collection, segment)
);

-- Which chunks a segment has, 16,384 a row.
CREATE TABLE {}pages (
    collection TEXT COLLATE "C" NOT NULL,
    segment    BIGINT NOT NULL,
    page       BIGINT NOT NULL,
    numbers    BYTEA NOT NULL,                 -- the chunks, in the order of their ordinals
    lengths    BYTEA NOT NULL,                 -- and how many terms each of them has
    PRIMARY KEY (collection, segment, page)
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

-- The chunks of terms that many hold, some thousand a row.
CREATE TABLE {}parts (
    collection TEXT COLLATE "C" NOT NULL,
    segment    BIGINT NOT NULL,
    part       BIGINT NOT NULL,
    entries    BYTEA NOT NULL,
    positions  BYTEA NOT NULL,
    PRIMARY KEY (collection, segment, part)
);

-- The words of a segment as they are written, for spellings and beginnings.
CREATE TABLE {}words (
    collection TEXT COLLATE "C" NOT NULL,
    segment    BIGINT NOT NULL,
    words      BYTEA NOT NULL,                 -- an automaton that maps each to how often it is there
    PRIMARY KEY (collection, segment)
);

-- They are read whole, and hardly become smaller.
ALTER TABLE {}pages ALTER COLUMN numbers SET STORAGE EXTERNAL;
ALTER TABLE {}pages ALTER COLUMN lengths SET STORAGE EXTERNAL;
ALTER TABLE {}blocks ALTER COLUMN entries SET STORAGE EXTERNAL;
ALTER TABLE {}blocks ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE {}parts ALTER COLUMN entries SET STORAGE EXTERNAL;
ALTER TABLE {}parts ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE {}words ALTER COLUMN words SET STORAGE EXTERNAL;
