"""Many texts at once, handed over by Arrow."""

import duckdb
import pandas
import polars
import pyarrow
import pytest

from sectile import Chunker

TEXTS = ["# Guide\n\nRéad me.\n\n## Install\n\nRun 漢字.\n", "", None, "No headings here."]


def columns():
    """The same texts from everywhere."""
    yield TEXTS
    yield pyarrow.array(TEXTS)
    yield pyarrow.array(TEXTS, pyarrow.large_string())
    yield pyarrow.array(TEXTS, pyarrow.string_view())
    yield pyarrow.chunked_array([TEXTS[:1], TEXTS[1:]], pyarrow.string())
    yield polars.Series(TEXTS)
    yield duckdb.sql("SELECT unnest($1) AS text", params=[TEXTS]).to_arrow_table()["text"]
    yield pandas.Series(TEXTS, dtype=pandas.ArrowDtype(pyarrow.string()))
    yield pyarrow.array(TEXTS).dictionary_encode()
    yield pyarrow.array([None, *TEXTS]).dictionary_encode()[1:]
    yield polars.Series(TEXTS, dtype=polars.Categorical)
    yield pandas.Series(TEXTS, dtype="category")
    # Tables of one column.
    yield pyarrow.table({"text": TEXTS})
    yield polars.DataFrame({"text": TEXTS})
    yield pandas.DataFrame({"text": pandas.Series(TEXTS, dtype=pandas.ArrowDtype(pyarrow.string()))})
    yield duckdb.sql("SELECT unnest($1) AS text", params=[TEXTS])
    yield pyarrow.array([{"text": "# Not this"}, *({"text": text} for text in TEXTS)])[1:]
    yield pyarrow.array([{"text": text} if text is not None else None for text in TEXTS])


@pytest.mark.parametrize("at", range(18))
def test_rows_are_those_of_chunks(at):
    texts = list(columns())[at]
    chunker = Chunker("markdown", size=20, overlap=0, unit="chars")
    if at == 0:
        texts = [text for text in texts if text is not None]
    table = pyarrow.table(chunker.batch(texts))
    rows = table.to_pylist()
    expected = []
    for row, text in enumerate(TEXTS if at else texts):
        for chunk in chunker.chunks(text or ""):
            expected.append((row, chunk.index, chunk.text, chunk.start, chunk.end, chunk.first_line, list(chunk.headings)))
    found = [
        (row["row"], row["index"], row["text"], row["start"], row["end"], row["first_line"], row["headings"])
        for row in rows
    ]
    assert found == expected and len(expected) >= 3
    for row in rows:
        assert TEXTS[row["row"] if at or row["row"] < 2 else 3][row["start"] : row["end"]] == row["text"]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary", "table", "chunks"])
def test_a_text_that_is_not_utf8_is_refused_by_its_row(kind):
    raw = [b"fine", None, b"cut inside \xf0\x9f"]
    as_strings = lambda raw, kind: pyarrow.array(raw, pyarrow.binary()).cast(pyarrow.string(), safe=False).cast(kind)  # noqa: E731
    if kind == "dictionary":
        column = pyarrow.DictionaryArray.from_arrays([0, None, 1], as_strings([raw[0], raw[2]], pyarrow.string()))
    elif kind == "table":
        column = pyarrow.table({"text": as_strings(raw, pyarrow.string())})
    elif kind == "chunks":
        column = pyarrow.chunked_array([as_strings(part, pyarrow.string()) for part in (raw[:1], raw[1:])])
    elif kind == "string_view":
        views = pyarrow.array(raw, pyarrow.binary_view())
        column = pyarrow.Array.from_buffers(pyarrow.string_view(), len(raw), views.buffers())
    else:
        column = as_strings(raw, getattr(pyarrow, kind)())
    chunker = Chunker("recursive", size=10, overlap=0, unit="chars")
    with pytest.raises(ValueError, match="row 2 is not valid UTF-8 from byte 11"):
        chunker.batch(column)
    # What stands where a text is null does not matter.
    assert len(chunker.batch(column[:2] if kind != "table" else column.slice(0, 2))) == 1


@pytest.mark.parametrize("strategy", ["markdown", "recursive", "sections", "sentence", "token"])
def test_a_chunk_below_no_heading_has_an_empty_list(strategy):
    options = {} if strategy == "sections" else {"overlap": 0}
    batches = Chunker(strategy, size=20, **options).batch(["No headings here."])
    assert pyarrow.table(batches)["headings"].to_pylist() == [[]]


def test_a_column_of_nulls_has_no_chunks():
    columns = [polars.Series([None, None]), polars.Series([]), polars.DataFrame({"text": [None]}), pyarrow.nulls(3)]
    columns += [pyarrow.table({"text": pyarrow.nulls(2)}), polars.Series([None]).cast(polars.String)]
    for column in columns:
        assert len(Chunker("recursive", size=10, overlap=0, unit="chars").batch(column)) == 0


def test_many_texts_stay_in_order(texts):
    chunker = Chunker("recursive", size=500, overlap=0, unit="chars")
    many = [text for text in texts for _ in range(20)]
    batches = chunker.batch(iter(many))
    table = polars.DataFrame(batches)
    assert len(batches) == len(table)
    assert table["row"].is_sorted()
    one_by_one = [chunk.text for text in many for chunk in chunker.chunks(text)]
    assert table["text"].to_list() == one_by_one


def test_each_reader_takes_it():
    batches = Chunker("sentence", size=20).batch(["One. Two. Three."])
    assert polars.DataFrame(batches)["text"].str.join("").item() == "One. Two. Three."
    # A name in the question is that of the variable.
    assert duckdb.sql("SELECT text, last_line FROM batches").fetchall() == [("One. Two. Three.", 1)]
    assert duckdb.from_arrow(batches).count("*").fetchall() == [(1,)]
    assert pyarrow.table(batches).to_pandas()["last_line"].tolist() == [1]
    assert pyarrow.table(batches)["first_page"].to_pylist() == [None]
    assert pyarrow.schema(batches).field("text").type == pyarrow.large_string()


def test_it_is_handed_over_without_a_copy():
    batches = Chunker("sentence", size=20).batch(["One. Two. Three."] * 100)
    first, second = pyarrow.table(batches), pyarrow.table(batches)
    assert first == second and first.num_rows > 1
    for name in ("text", "row", "start", "headings"):
        places = [[part and part.address for part in table[name].chunk(0).buffers()] for table in (first, second)]
        assert places[0] == places[1] and any(places[0]), name
    # What was handed over lasts longer than what handed it over.
    del batches, second
    assert first["text"].to_pylist()[0].startswith("One.")


def test_daft_gives_and_takes_it():
    daft = pytest.importorskip("daft")
    chunker = Chunker("markdown", size=20, overlap=0, unit="chars")
    expected = pyarrow.table(chunker.batch(pyarrow.array(TEXTS)))
    frame = daft.from_pydict({"text": TEXTS, "other": [1, 2, 3, 4]})
    for texts in (daft.Series.from_pylist(TEXTS), frame.select("text"), frame.to_arrow()["text"]):
        made = daft.from_arrow(chunker.batch(texts))
        assert made.to_pydict() == expected.to_pydict() and made.count_rows() == expected.num_rows == 3
    with pytest.raises(TypeError, match="has 2"):
        chunker.batch(frame)


@pytest.mark.parametrize("texts", ["one text", [1, 2], pyarrow.array([1, 2]), pyarrow.array([1, 2]).dictionary_encode(), 3])
def test_what_is_not_many_texts_is_refused(texts):
    with pytest.raises(TypeError):
        Chunker().batch(texts)


def test_no_texts_are_no_chunks():
    assert pyarrow.table(Chunker().batch([])).num_rows == 0
    nulls = pyarrow.array([None, None], pyarrow.string()).dictionary_encode()
    assert pyarrow.table(Chunker().batch(nulls)).num_rows == 0
