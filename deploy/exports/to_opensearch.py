"""Writes the chunks of a job into OpenSearch: python to_opensearch.py OUTPUT URL [QUESTION]

Needs: pip install opensearch-py pyarrow
"""

import sys

from opensearchpy import OpenSearch, helpers

from chunks import batches, schema


def index(output):
    """Returns the settings of the index. Sectile's BM25 has the same k1 and b, which are OpenSearch's own."""
    text = {"type": "text", "analyzer": "english"}
    properties = {
        "uri": {"type": "keyword"},
        "headings": text,
        "text": text,
        "index": {"type": "integer"},
        "first_line": {"type": "integer"},
        "last_line": {"type": "integer"},
        "first_page": {"type": "integer"},
        "last_page": {"type": "integer"},
    }
    fields = schema(output)
    if "vector" in fields.names:
        size = fields.field("vector").type.list_size
        method = {"name": "hnsw", "engine": "faiss", "space_type": "innerproduct"}
        properties["vector"] = {"type": "knn_vector", "dimension": size, "method": method}
    return {"settings": {"index": {"knn": "vector" in properties}}, "mappings": {"properties": properties}}


def documents(output):
    """Yields what is written: a chunk's id makes it the same document each time."""
    for batch in batches(output):
        for row in batch.to_pylist():
            yield {"_index": "chunks", "_id": row.pop("id"), "_source": row}


def question_for(words):
    """Returns a search by words; one in the heading path counts four times, as in Sectile."""
    return {"multi_match": {"query": words, "type": "most_fields", "fields": ["text", "headings^4"]}}


if __name__ == "__main__":
    output, url, *question = sys.argv[1:]
    client = OpenSearch(url)
    client.indices.delete(index="chunks", ignore_unavailable=True)
    client.indices.create(index="chunks", body=index(output))
    written, _ = helpers.bulk(client, documents(output), refresh=True)
    print(f"{written} chunks")
    if question:
        answer = client.search(index="chunks", body={"query": question_for(" ".join(question))})
        for hit in answer["hits"]["hits"]:
            print(f"{hit['_score']:.2f}  {hit['_id']}  {hit['_source']['headings']}")
