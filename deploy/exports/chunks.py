"""Reads the chunks of `sectile-cluster run`, with their vectors where there are any, some thousand at a time."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

COLUMNS = ["id", "uri", "index", "first_line", "last_line", "first_page", "last_page", "headings", "text"]


def batches(output):
    """Yields record batches of a job's output: `headings` as a text such as "Guide > Install", and `vector` as the last
    column. A part of the chunks and the part of the vectors with the same name have the same rows."""
    for part in sorted(Path(output, "chunks").iterdir()):
        if part.suffix.lower() != ".parquet":
            continue
        chunks = pq.read_table(part, columns=COLUMNS)
        headings = chunks["headings"].cast(pa.list_(pa.string()))
        path = pc.fill_null(pc.binary_join(headings, " > "), "")
        chunks = chunks.set_column(COLUMNS.index("headings"), "headings", path)
        chunks = chunks.set_column(COLUMNS.index("text"), "text", chunks["text"].cast(pa.string()))
        vectors = Path(output, "vectors", part.name)
        if vectors.exists():
            chunks = with_vectors(chunks, pq.read_table(vectors))
        yield from chunks.to_batches(max_chunksize=2_000)


def with_vectors(chunks, vectors):
    """Adds the vectors of the chunks, as lists of one size."""
    of_chunks = vectors.take(pc.index_in(chunks["id"], vectors["id"].combine_chunks()))
    vector = of_chunks["vector"].combine_chunks()
    return chunks.append_column("vector", vector.cast(pa.list_(pa.float32(), len(vector[0]))))


def schema(output):
    """Returns the schema of the batches."""
    return next(batches(output)).schema
