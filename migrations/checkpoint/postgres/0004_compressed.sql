-- From this version on pieces may be compressed, which earlier releases cannot read. A compressed piece is
-- an LZ4 block after its size (four bytes, little-endian), and its checksum is stored inverted. Pieces that
-- are there already stay as they are.
-- {} stands for the schema and the prefix of the tables.

-- The server need not try to compress them again.
ALTER TABLE {}checkpoint_pieces ALTER COLUMN piece SET STORAGE EXTERNAL;
