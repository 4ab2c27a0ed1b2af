"""The examples in the package."""

import doctest
import importlib

import pytest


NAMES = ["sectile"] + [
    f"sectile.{name}"
    for name in ("haystack", "langchain", "langgraph", "library", "llama_index", "loading", "models")
]


@pytest.mark.parametrize("name", NAMES)
def test_they_run(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0
