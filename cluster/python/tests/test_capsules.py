"""The functions in DataFusion's Python package, beside the same queries in the program `sectile-sql`."""

import os
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest
from datafusion import SessionConfig, SessionContext, udf

import _sectile_datafusion

FIXTURES = Path(__file__).resolve().parents[3] / "crates/sectile-load/tests/fixtures"
PROGRAM = os.environ["SECTILE_SQL"]
SETTINGS = '{"strategy": "markdown", "size": 50, "unit": "cl100k_base"}'
NAMES = ["encrypted.pdf", "three-levels.pdf"]


@pytest.fixture
def context():
    config = SessionConfig().set("datafusion.execution.batch_size", "64")
    config = config.set("datafusion.optimizer.enable_leaf_expression_pushdown", "false")
    context = SessionContext(config)
    for function in _sectile_datafusion.functions():
        context.register_udf(udf(function))
    contents = [(FIXTURES / name).read_bytes() for name in NAMES]
    files = pa.record_batch({"name": NAMES, "bytes": pa.array(contents, pa.large_binary())})
    context.register_record_batches("files", [[files]])
    return context


def rows(context, sql):
    """Returns the rows of a query as lists of texts."""
    table = pa.Table.from_batches(context.sql(sql).collect())
    return [[str(value) for value in row.values()] for row in table.to_pylist()]


def rows_of_program(sql):
    """Returns the rows that the program prints as a table."""
    answer = subprocess.run([PROGRAM, FIXTURES], input=sql + "\n", capture_output=True, text=True, check=True)
    lines = [line for line in answer.stdout.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_all_functions_are_there():
    names = [function.name for function in _sectile_datafusion.functions()]
    assert names == ["sectile_extract", "sectile_sections", "sectile_chunk", "sectile_tokens", "sectile_embed"]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT sectile_tokens('hello world', 'cl100k_base') AS tokens",
        f"""SELECT name, chunk['index'] AS at, chunk['start'] AS start, chunk['end'] AS "end",
            chunk['tokens'] AS tokens, chunk['first_page'] AS page FROM
            (SELECT name, unnest(sectile_chunk(sectile_extract(bytes, name), '{SETTINGS}')) AS chunk FROM files
             WHERE name = 'three-levels.pdf') ORDER BY 1, 2""",
        """SELECT name, section['level'] AS level, section['first_line'] AS line FROM
            (SELECT name, unnest(sectile_sections(sectile_extract(bytes, name), name)) AS section FROM files
             WHERE name = 'three-levels.pdf') ORDER BY 1, 3""",
        "SELECT name, sectile_extract(bytes, name)['error'] IS NULL AS is_loaded FROM files "
        "WHERE name IN ('encrypted.pdf', 'three-levels.pdf') ORDER BY 1",
    ],
)
def test_the_rows_are_those_of_the_program(context, sql):
    sql = " ".join(sql.split())
    found = [[cell.lower() if cell in ("True", "False") else cell for cell in row] for row in rows(context, sql)]
    assert found
    assert found == rows_of_program(sql)


def test_what_is_wrong_is_said_while_planning(context):
    with pytest.raises(Exception, match="there is no encoding words"):
        context.sql("SELECT sectile_tokens('a', 'words')")
