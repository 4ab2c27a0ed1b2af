-- The language by whose rules the terms of a document were made: a code of two letters, or nothing where
-- they are older.
ALTER TABLE documents ADD COLUMN language TEXT NOT NULL DEFAULT '';
