-- The content of a section in fewer bytes, where that saves any; `content` is empty then. It is a block of
-- LZ4 after the length of the content, four bytes with the lowest first.
ALTER TABLE sections ADD COLUMN packed BLOB;
