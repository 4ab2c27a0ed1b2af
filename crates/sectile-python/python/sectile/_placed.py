"""Chunks as other frameworks want them: with their text as it stands in the document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sectile._sectile import Chunk, Chunker


def placed(chunker: Chunker, text: str) -> Iterator[tuple[Chunk, str, dict[str, Any]]]:
    """Yields each chunk with its text, which is `text[chunk.start:chunk.end]`, and its metadata.

    The header of a table, which `chunk.text` repeats before rows that stand further down, is in the metadata.
    """
    for chunk in chunker.chunks(text):
        content = text[chunk.start : chunk.end]
        metadata = {
            "headings": list(chunk.headings),
            "first_line": chunk.first_line,
            "last_line": chunk.last_line,
        }
        if header := chunk.text.removesuffix(content):
            metadata["table_header"] = header
        yield chunk, content, metadata
