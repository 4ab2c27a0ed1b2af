"""A plugin of pytest: puts Sectile's splitters in the place of LangChain's, before LangChain's tests import them.

LangChain's other splitters that build on them build on ours.
"""

import sys

import langchain_text_splitters as theirs
import pytest

import sectile.langchain as ours

SWAPPED = {
    getattr(theirs, name): getattr(ours, name)
    for name in ours.__all__
    if isinstance(getattr(theirs, name, None), type)
}


def replacement(value):
    """Returns our class for one of LangChain's, and nothing for anything else."""
    return SWAPPED.get(value) if isinstance(value, type) else None


def swap():
    """Replaces LangChain's classes in each of its modules, and as bases of its other classes."""
    for module in [module for key, module in sys.modules.items() if key.split(".")[0] == theirs.__name__]:
        for name, value in list(vars(module).items()):
            if own := replacement(value):
                setattr(module, name, own)
            elif isinstance(value, type) and any(map(replacement, value.__bases__)):
                value.__bases__ = tuple(replacement(base) or base for base in value.__bases__)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for module in {item.module for item in items}:
        if left := [name for name, value in vars(module).items() if replacement(value)]:
            raise pytest.UsageError(f"{module.__name__} has LangChain's own {', '.join(left)}")


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"ours in the place of LangChain's: {', '.join(own.__name__ for own in SWAPPED.values())}")


if not SWAPPED:
    raise pytest.UsageError("sectile.langchain has no class of LangChain's name")
swap()
