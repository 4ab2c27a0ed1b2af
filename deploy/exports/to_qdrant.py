"""Writes the chunks of a job into Qdrant: python to_qdrant.py OUTPUT URL [QUESTION]

Needs: pip install qdrant-client pyarrow. URL is that of a server, or a folder, in which this process keeps the data.

Words are sparse vectors, whose weights Qdrant multiplies with how rare each word is (`Modifier.IDF`). Text and headings have
one each, of the share of BM25 that is known of a chunk alone.
"""

import hashlib
import re
import sys
import uuid
from collections import Counter

from qdrant_client import QdrantClient, models

from chunks import batches

K1, B = 1.2, 0.75
# How many words a chunk and a heading path have on average. It has to be known before the first chunk is written.
AVERAGE = {"text": 250, "headings": 8}
# A word in the heading path counts four times, as in Sectile.
WEIGHT = {"text": 1.0, "headings": 4.0}


def sparse(text, average, weight):
    """Returns the words of a text, each by a number that is made of it, with their weights."""
    words = re.findall(r"\w+", text.lower())
    length = K1 * (1 - B + B * len(words) / average)
    weights = {}
    for word, count in Counter(words).items():
        number = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest(), "big")
        weights[number] = weights.get(number, 0) + weight * count * (K1 + 1) / (count + length)
    return models.SparseVector(indices=list(weights), values=list(weights.values()))


def asked(question):
    """Returns the words of a question, each once."""
    words = sparse(question, 1, 1.0).indices
    return models.SparseVector(indices=words, values=[1.0] * len(words))


def load(output, client):
    """Makes the collection `chunks` anew."""
    first = next(batches(output))
    size = first.schema.field("vector").type.list_size if "vector" in first.schema.names else None
    dense = {"meaning": models.VectorParams(size=size, distance=models.Distance.COSINE)} if size else {}
    idf = models.SparseVectorParams(modifier=models.Modifier.IDF)
    if client.collection_exists("chunks"):
        client.delete_collection("chunks")
    client.create_collection("chunks", vectors_config=dense, sparse_vectors_config=dict.fromkeys(AVERAGE, idf))
    for batch in batches(output):
        client.upsert("chunks", [point(row) for row in batch.to_pylist()])


def point(row):
    """Returns a chunk under a UUID that is made of its id, so that the same chunk is written over."""
    vectors = {field: sparse(row[field], AVERAGE[field], WEIGHT[field]) for field in AVERAGE}
    vector = row.pop("vector", None)
    if vector is not None:
        vectors["meaning"] = vector
    return models.PointStruct(id=str(uuid.uuid5(uuid.NAMESPACE_URL, row["id"])), vector=vectors, payload=row)


def search(client, question, limit=10):
    """Searches by words: the sum of what the text and the headings add."""
    scores, found = Counter(), {}
    for field in AVERAGE:
        answer = client.query_points("chunks", query=asked(question), using=field, limit=10 * limit, with_payload=True)
        for hit in answer.points:
            scores[hit.id] += hit.score
            found[hit.id] = hit.payload
    return [(score, found[id]) for id, score in scores.most_common(limit)]


if __name__ == "__main__":
    output, url, *question = sys.argv[1:]
    client = QdrantClient(url=url) if "://" in url else QdrantClient(path=url)
    load(output, client)
    print(f"{client.count('chunks').count} chunks")
    for score, chunk in search(client, " ".join(question)) if question else []:
        print(f"{score:.2f}  {chunk['id']}  {chunk['headings']}")
    client.close()
