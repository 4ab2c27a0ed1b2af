"""The exports, of chunks as `sectile-cluster run` writes them. LanceDB and Qdrant run in this process; of OpenSearch, which is
a server, only what would be sent to it is looked at."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from qdrant_client import QdrantClient

import to_lancedb
import to_opensearch
import to_qdrant
from chunks import batches

ROWS = [
    ("guide.md#0-30", ["Guide", "Install"], "Run it, then restart the pump."),
    ("guide.md#30-61", ["Guide", "Pump"], "Nothing to see here about that."),
    ("other.md#0-42", ["Other"], "The install of a pump takes one more pump."),
    ("plain.txt#0-16", None, "Unrelated words."),
]


@pytest.fixture(params=["with vectors", "without vectors"])
def output(request, tmp_path):
    ids = [row[0] for row in ROWS]
    numbers = pa.array(range(len(ROWS)), pa.uint64())
    chunks = {
        "uri": [id.split("#")[0] for id in ids],
        "id": ids,
        "index": numbers.cast(pa.uint32()),
        "text": pa.array([row[2] for row in ROWS], pa.large_string()),
        "first_line": numbers,
        "last_line": numbers,
        # Only some documents have pages.
        "first_page": pa.array([1, 2, None, None], pa.uint32()),
        "last_page": pa.array([1, 3, None, None], pa.uint32()),
        "headings": pa.array([row[1] for row in ROWS], pa.list_(pa.large_string())),
    }
    tables = {"chunks": pa.table(chunks)}
    if request.param == "with vectors":
        vectors = pa.array([[float(at), 1.0] for at in range(len(ROWS))], pa.list_(pa.float32()))
        # In another order than the chunks.
        tables["vectors"] = pa.table({"id": ids, "vector": vectors}).take([2, 0, 3, 1])
    for name, table in tables.items():
        (tmp_path / name).mkdir()
        pq.write_table(table, tmp_path / name / "part-00000.parquet")
    return tmp_path


def test_chunks_have_their_heading_paths_and_vectors(output):
    [rows] = [batch.to_pylist() for batch in batches(output)]
    assert [row["id"] for row in rows] == [row[0] for row in ROWS]
    assert [(row["first_page"], row["last_page"]) for row in rows] == [(1, 1), (2, 3), (None, None), (None, None)]
    assert [row["headings"] for row in rows] == ["Guide > Install", "Guide > Pump", "Other", ""]
    if "vector" in rows[0]:
        assert [row["vector"] for row in rows] == [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]


def test_lancedb_ranks_headings_first(output, tmp_path):
    for _ in range(2):
        table = to_lancedb.load(output, str(tmp_path / "lance"))
    assert table.count_rows() == len(ROWS)
    found = [hit["id"] for hit in to_lancedb.search(table, "pump")]
    assert found[0] == "guide.md#30-61" and set(found[1:]) == {"guide.md#0-30", "other.md#0-42"}


def test_qdrant_ranks_headings_first(output):
    client = QdrantClient(":memory:")
    for _ in range(2):
        to_qdrant.load(output, client)
    assert client.count("chunks").count == len(ROWS)
    found = [chunk["id"] for _, chunk in to_qdrant.search(client, "pump")]
    assert found[0] == "guide.md#30-61" and set(found[1:]) == {"guide.md#0-30", "other.md#0-42"}


def test_opensearch_is_sent_every_chunk_once(output):
    documents = list(to_opensearch.documents(output))
    assert [document["_id"] for document in documents] == [row[0] for row in ROWS]
    fields = to_opensearch.index(output)["mappings"]["properties"]
    assert all(document["_source"].keys() == fields.keys() for document in documents)
    assert "headings^4" in to_opensearch.question_for("pump")["multi_match"]["fields"]
