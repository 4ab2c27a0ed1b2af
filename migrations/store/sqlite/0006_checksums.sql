-- A BLAKE3 of what is noted of a document and of its sections. There is none of what an earlier release wrote, nor of a
-- document whose newest version could not be read.
ALTER TABLE documents ADD COLUMN checksum BLOB;
