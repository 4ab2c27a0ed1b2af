-- What users say of a collection, or of the documents in a folder or at an address.
CREATE TABLE {}notes (
    collection TEXT COLLATE "C" NOT NULL,
    prefix     TEXT COLLATE "C" NOT NULL,      -- of URIs: that of a document, a folder with its slash, or nothing
    note       TEXT NOT NULL,
    PRIMARY KEY (collection, prefix)
);
