"""Chunks as other frameworks want them: with their text as it stands in the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sectile._sectile import Chunk, Chunker


def placed(
    chunker: Chunker, text: str, metadata_of_text: Mapping[str, Any], name_field: str | None
) -> Iterator[tuple[Chunk, str, dict[str, Any]]]:
    """Yields each chunk with its text, which is `text[chunk.start:chunk.end]`, and its metadata.

    The header of a table, which `chunk.text` repeats before rows that stand further down, is in the metadata.
    `name_field` is where the metadata of the text has the path or address of its document.
    """
    name = metadata_of_text.get(name_field) if name_field else None
    for chunk in chunker.chunks(text, **({"name": str(name)} if name else {})):
        content = text[chunk.start : chunk.end]
        metadata = {
            "headings": list(chunk.headings),
            "first_line": chunk.first_line,
            "last_line": chunk.last_line,
        }
        # Without its separators the text of a chunk is another one.
        if chunk.text != content and chunk.text.endswith(content):
            metadata["table_header"] = chunk.text.removesuffix(content)
        yield chunk, content, metadata
