"""What the crates hand over as JSON."""

from __future__ import annotations

import json
from typing import Any


class Record(dict):
    """What was found: its members are attributes as well, `hit.document.uri`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class Answer(Record):
    """What a search found."""

    hits: list[Record]
    notes: list[str]
    about: list[Record]


def read(text: str) -> Any:
    """Reads JSON, objects as records."""
    return json.loads(text, object_hook=Record)
