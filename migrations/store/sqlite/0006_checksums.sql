-- A BLAKE3 of the stored metadata of a document and of its sections, with the version of what is hashed as its first
-- byte. There is none of what an earlier release wrote, nor of a document whose newest version could not be read.
ALTER TABLE documents ADD COLUMN checksum BLOB;
