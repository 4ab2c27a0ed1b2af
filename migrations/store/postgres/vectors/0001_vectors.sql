-- The vectors of chunks, of length 1. These tables are made when the first collection gets a model,
-- as they need pgvector.
-- {} stands for the schema and the prefix of the tables.

CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE {}vectors (
    collection TEXT COLLATE "C" NOT NULL,
    document   BIGINT NOT NULL,
    chunk      BIGINT NOT NULL,
    dimensions BIGINT NOT NULL,                -- of the vector: an index is for vectors of one size
    embedding  VECTOR NOT NULL,
    PRIMARY KEY (collection, document, chunk),
    FOREIGN KEY (collection, document, chunk) REFERENCES {}chunks ON DELETE CASCADE
);

-- In the row: each question looks at all of them, and from elsewhere that takes four times as long.
ALTER TABLE {}vectors ALTER COLUMN embedding SET STORAGE PLAIN;
