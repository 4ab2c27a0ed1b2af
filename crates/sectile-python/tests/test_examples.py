"""The examples in the package."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["sectile", "sectile.library", "sectile.langchain", "sectile.langgraph"])
def test_they_run(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0
