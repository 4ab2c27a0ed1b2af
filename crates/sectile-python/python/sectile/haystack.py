"""Chunkers as a component of Haystack.

>>> from haystack import Document
>>> from sectile.haystack import SectileSplitter
>>> splitter = SectileSplitter("markdown", size=20, overlap=0, unit="chars")
>>> documents = splitter.run([Document(content="# Guide\\n\\n## Install\\n\\nRun it.\\n")])["documents"]
>>> documents[-1].meta["headings"]
['Guide', 'Install']
"""

from __future__ import annotations

import copy
from typing import Any

from sectile._placed import placed
from sectile._sectile import Chunker

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError as error:
    raise ImportError("sectile.haystack needs Haystack: pip install haystack-ai") from error

__all__ = ["SectileSplitter"]


@component
class SectileSplitter:
    """Cuts documents by a strategy of `sectile.Chunker`.

    What it makes has the metadata of its document and, as Haystack's `DocumentSplitter` has, `source_id`, `split_id` and
    `split_idx_start`, with the `headings`, `first_line` and `last_line` of the chunk. Its content is the text that
    stands at `split_idx_start`. Rows of a table that is cut have the header of the table as `table_header`: name it among
    the `meta_fields_to_embed` of an embedder, with `headings`.

    The options are those of `sectile.Chunker`, but for `heading_path_in_text`, as the headings are in the metadata. With
    `name_field="file_path"` a document is cut as what the path in its metadata says: source code, for example.
    """

    def __init__(
        self,
        strategy: str = "markdown",
        size: int | None = None,
        overlap: int | None = None,
        unit: str | None = None,
        separators: list[str] | None = None,
        language: str | None = None,
        keep_separator: str | None = None,
        trim: bool = True,
        long_sentences: str | None = None,
        merge_below: int = 0,
        name_field: str | None = None,
    ) -> None:
        self._options = {
            "strategy": strategy,
            "size": size,
            "overlap": overlap,
            "unit": unit,
            "separators": separators,
            "language": language,
            "keep_separator": keep_separator,
            "trim": trim,
            "long_sentences": long_sentences,
            "merge_below": merge_below,
        }
        self._name_field = name_field
        self._chunker = Chunker(**self._options)

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Cuts documents. Raises `ValueError` for one without text."""
        made = []
        for document in documents:
            if document.content is None:
                raise ValueError(f"document {document.id} has no text to cut")
            for chunk, content, own in placed(self._chunker, document.content, document.meta, self._name_field):
                place = {"source_id": document.id, "split_id": chunk.index, "split_idx_start": chunk.start}
                made.append(Document(content=content, meta=copy.deepcopy(document.meta) | place | own))
        return {"documents": made}

    def to_dict(self) -> dict[str, Any]:
        """Writes the component as a pipeline does."""
        return default_to_dict(self, **self._options, name_field=self._name_field)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SectileSplitter:
        """Reads what `to_dict` wrote."""
        return default_from_dict(cls, data)
