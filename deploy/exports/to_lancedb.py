"""Writes the chunks of a job into LanceDB: python to_lancedb.py OUTPUT DATABASE [QUESTION]

Needs: pip install lancedb pyarrow
"""

import sys

import lancedb
from lancedb.index import FTS
from lancedb.query import MultiMatchQuery

from chunks import batches, schema


def load(output, database):
    """Makes the table `chunks`, which can be searched by words in both fields, and by vectors."""
    table = lancedb.connect(database).create_table(
        "chunks", batches(output), schema=schema(output), mode="overwrite"
    )
    for field in ("text", "headings"):
        table.create_index(field, config=FTS())
    return table


def search(table, question, limit=10):
    """Searches by words; one in the heading path counts four times, as in Sectile."""
    query = MultiMatchQuery(question, ["text", "headings"], boosts=[1.0, 4.0])
    return table.search(query).limit(limit).to_list()


if __name__ == "__main__":
    output, database, *question = sys.argv[1:]
    table = load(output, database)
    print(f"{table.count_rows()} chunks")
    for hit in search(table, " ".join(question)) if question else []:
        print(f"{hit['_score']:.2f}  {hit['id']}  {hit['headings']}")
