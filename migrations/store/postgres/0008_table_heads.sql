-- Where the head of the table that a chunk continues stands in its section's content: the row with the names of the
-- columns. There is none where a chunk begins in no table, or above its rows.
ALTER TABLE {}chunks ADD COLUMN head_start BIGINT, ADD COLUMN head_end BIGINT;
