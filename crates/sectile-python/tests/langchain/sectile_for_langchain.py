"""A plugin of pytest: puts Sectile's splitters in the place of LangChain's, before LangChain's tests import them."""

import sys

import langchain_text_splitters as theirs

import sectile.langchain as ours

SWAPPED = [name for name in ours.__all__ if hasattr(theirs, name)]

for _name in SWAPPED:
    _original = getattr(theirs, _name)
    for _module in [module for key, module in sys.modules.items() if key.startswith("langchain_text_splitters")]:
        if getattr(_module, _name, None) is _original:
            setattr(_module, _name, getattr(ours, _name))


def pytest_report_header():
    return f"ours in the place of LangChain's: {', '.join(SWAPPED)}"
