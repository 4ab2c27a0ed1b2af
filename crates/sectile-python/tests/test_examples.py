"""The examples in the package."""

import doctest
import importlib

import pytest


NAMES = ["sectile"] + [
    f"sectile.{name}"
    for name in ("errors", "haystack", "langchain", "langgraph", "library", "llama_index", "loading", "models")
]


@pytest.mark.parametrize("name", NAMES)
def test_they_run(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0


def test_what_is_written_in_rust_has_examples_too():
    import sectile

    found = {each.name for each in doctest.DocTestFinder().find(sectile) if each.examples}
    assert {f"sectile.{name}" for name in ("Chunk", "ChunkBatches", "Chunker")} <= found
