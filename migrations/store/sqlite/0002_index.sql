-- The full-text index, made anew: what a search reads of it follows what matches. What the old one had is
-- indexed again by the next ingest.
DROP TABLE blocks;
DROP TABLE segments;
DELETE FROM dead_chunks;

CREATE TABLE segments (
    segment    INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: readers remember it
    collection TEXT    NOT NULL,
    chunks     INTEGER NOT NULL,               -- how many it has
    terms      INTEGER NOT NULL,               -- how many terms these have together
    languages  TEXT    NOT NULL                -- of its documents: codes, joined by commas
) STRICT;

CREATE INDEX segments_by_collection ON segments (collection);

-- Which chunks a segment has, 16,384 a row. Rows of this table and of parts have numbers that begin with
-- that of the segment: segment × 2³² + the place.
CREATE TABLE pages (
    page    INTEGER PRIMARY KEY,
    numbers BLOB NOT NULL,                     -- the chunks, in the order of their ordinals
    lengths BLOB NOT NULL                      -- and how many terms each of them has
) STRICT;

-- A row is about terms that follow each other, so that there are not as many rows as terms.
CREATE TABLE blocks (
    segment   INTEGER NOT NULL,
    last_term TEXT    NOT NULL,
    entries   BLOB    NOT NULL,                -- the terms, each with the chunks that hold it
    positions BLOB    NOT NULL,                -- in the same order, where they do
    UNIQUE (segment, last_term)
) STRICT;

-- The chunks of terms that many hold, some thousand a row.
CREATE TABLE parts (
    part      INTEGER PRIMARY KEY,
    entries   BLOB NOT NULL,
    positions BLOB NOT NULL
) STRICT;

-- The words of a segment as they are written, for spellings and beginnings.
CREATE TABLE words (
    segment INTEGER PRIMARY KEY,
    words   BLOB NOT NULL                      -- an automaton that maps each to how often it is there
) STRICT;
