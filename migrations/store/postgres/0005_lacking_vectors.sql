-- The documents that lack vectors, so that a search can say so without reading all.
CREATE INDEX {prefix}documents_lacking_vectors ON {}documents (collection) WHERE vector_count < chunk_count;
