"""Errors: one class a kind, each with what it is about."""

import copy
import os
import pickle
import re
from pathlib import Path

import pytest

from sectile import Chunker, Embedder, Error, Library, errors, load

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "crates" / "sectile-load" / "tests" / "fixtures"

CLASSES = [made for made in vars(errors).values() if isinstance(made, type) and issubclass(made, Error)]


def test_each_kind_has_a_class_of_its_name():
    assert len(CLASSES) > 30 and len({made.kind for made in CLASSES}) == len(CLASSES)
    for made in set(CLASSES) - {Error}:
        assert made.__name__ == f"{made.kind}Error" and made.__doc__
        assert Error in made.__bases__


def test_each_kind_of_the_documentation_has_a_class():
    text = (ROOT / "docs" / "checkpoints.md").read_text("utf-8")
    table = text.partition("## What to do about an error")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    kinds = [kind for row in rows for kind in re.findall(r"`(\w+)`", row)]
    assert len(kinds) > 15
    assert set(kinds) <= {made.kind for made in CLASSES}


@pytest.mark.parametrize("made", CLASSES)
def test_they_are_copied_and_pickled_with_their_fields(made):
    fields = [name for name in made.__annotations__ if name != "kind"]
    assert all(getattr(made, name) is None for name in fields)
    error = made("what", True, **{name: f"the {name}" for name in fields})
    for same in (error, copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert (type(same), str(same), same.is_retryable) == (made, "what", True)
        assert {name: getattr(same, name) for name in fields} == {name: f"the {name}" for name in fields}


# Files, with the class of the error and what is said.
FILES = [
    ("none.txt", None, errors.ReadError, {}),
    ("a.bin", bytes(range(256)) * 10, errors.UnsupportedFormatError, {}),
    ("a.docx", b"PK\x03\x04 no archive", errors.ParseError, {}),
    ("encrypted.pdf", "encrypted.pdf", errors.EncryptedError, {}),
    ("encrypted.pdf", "encrypted.pdf", errors.EncryptedError, {"password": "another"}),
    ("no-text.pdf", "no-text.pdf", errors.NoTextError, {}),
    ("a.txt", b"text", errors.LimitExceededError, {"max_file_size": 3}),
    ("book.pdf", "book.pdf", errors.TimedOutError, {"timeout": 1e-9}),
]


@pytest.mark.parametrize("name, content, kind, options", FILES)
def test_files_that_cannot_be_read_have_their_paths(tmp_path, name, content, kind, options):
    path = tmp_path / name
    if content is not None:
        path.write_bytes((FIXTURES / content).read_bytes() if isinstance(content, str) else content)
    with pytest.raises(Error) as raised:
        load(path, **options)
    assert (type(raised.value), raised.value.path) == (kind, str(path))
    assert name in str(raised.value) and not raised.value.is_retryable


def test_arguments_that_cannot_be_are_values_that_are_wrong():
    with pytest.raises(ValueError) as raised:
        Chunker("sentence", size=0)
    assert (type(raised.value), raised.value.argument) == (errors.InvalidArgumentError, "size")
    assert raised.value.reason


class TestOfDatabases:
    def test_tables_that_are_missing_or_of_a_newer_release(self, database):
        pytest.importorskip("langgraph.checkpoint.base")
        from sectile.langgraph import SectileSaver

        place = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
        with SectileSaver.from_conn_string(database, setup=False) as saver:
            with pytest.raises(errors.NotMigratedError) as raised:
                saver.get_tuple(place)
            assert raised.value.needed > 0 and not raised.value.is_retryable
            saver.setup()
            assert saver.get_tuple(place) is None

    def test_a_store_that_is_no_database(self, tmp_path):
        path = tmp_path / "store.db"
        path.write_bytes(b"no database " * 1000)
        with pytest.raises(errors.InvalidArgumentError, match="not a SQLite database") as raised:
            Library(f"sqlite:{path}").documents()
        assert str(path) in raised.value.url

    def test_a_file_that_takes_no_writes(self, tmp_path):
        if not hasattr(os, "geteuid") or os.geteuid() == 0:
            pytest.skip("root writes everywhere, and Windows has no modes")
        url = f"sqlite:{tmp_path}/store.db"
        with Library(url) as library:
            library.remember("Ada likes trains.")
        for path in tmp_path.iterdir():
            path.chmod(0o444)
        tmp_path.chmod(0o555)
        try:
            with pytest.raises(Error) as raised:
                Library(url).remember("Bob likes ships.")
        finally:
            tmp_path.chmod(0o755)
        assert type(raised.value) in (errors.ReadOnlyError, errors.PermissionDeniedError)

    def test_a_role_that_is_not_let_in(self):
        server = os.environ.get("SECTILE_TEST_POSTGRES")
        if not server:
            pytest.skip("SECTILE_TEST_POSTGRES names no server")
        pytest.importorskip("langgraph.checkpoint.base")
        from sectile.langgraph import SectileSaver

        wrong = re.sub(r"//([^:/@]+):[^@]+@", r"//\1:wrong@", server)
        if wrong == server:
            pytest.skip("the server is reached without a password")
        with pytest.raises(errors.UnauthenticatedError):
            SectileSaver.from_conn_string(f"{wrong}/postgres")
        with pytest.raises(errors.DatabaseNotFoundError) as raised:
            SectileSaver.from_conn_string(f"{server}/no_such_database")
        assert raised.value.reason

    def test_vectors_of_another_model(self, database, tmp_path):
        (tmp_path / "guide.md").write_text("# Guide\n\nRead me.\n")
        model = lambda name: Embedder(name, lambda texts: [[1.0, 2.0] for _ in texts])  # noqa: E731
        Library(database, embedder=model("one")).ingest(tmp_path / "guide.md")
        with pytest.raises(errors.VectorsError) as raised:
            Library(database, embedder=model("other")).ingest(tmp_path / "guide.md")
        assert (raised.value.collection, "one" in raised.value.stored, "other" in raised.value.asked) == ("default", True, True)

    def test_a_model_that_fails(self, database, tmp_path):
        def fails(texts):
            if texts == ["length"]:
                return [[1.0]]
            raise LookupError("no vectors today")

        (tmp_path / "guide.md").write_text("# Guide\n\nRead me.\n")
        with pytest.raises(errors.ModelError) as raised:
            Library(database, embedder=Embedder("fails", fails)).ingest(tmp_path / "guide.md")
        assert raised.value.model == "fails" and isinstance(raised.value.__cause__, LookupError)
