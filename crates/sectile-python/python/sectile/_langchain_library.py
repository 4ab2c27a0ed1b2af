"""What `sectile.langchain` has for documents: it needs `langchain-core`."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any, Literal

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from sectile.library import Library
from sectile.loading import load


class SectileLoader(BaseLoader):
    """Loads files of any format that Sectile reads, as a `BaseLoader` of LangChain.

    `mode` is `single` for a document a file, `page` for one a page where the format has pages, and `section` for one a
    section. `options` are those of `sectile.load`.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *more: str | PathLike[str],
        mode: Literal["single", "page", "section"] = "single",
        **options: Any,
    ) -> None:
        if mode not in ("single", "page", "section"):
            raise ValueError(f"mode is single, page or section, not {mode!r}")
        self.paths = [path, *more]
        self.mode = mode
        self.options = options

    def lazy_load(self) -> Iterator[Document]:
        """Loads the files one after the other."""
        for path in self.paths:
            loaded = load(path, **self.options)
            metadata = {**loaded.metadata, "source": str(path), "format": loaded.format}
            # Places are bytes.
            content = loaded.text.encode()
            for text, place in self._parts(loaded, content):
                yield Document(page_content=text, metadata={**metadata, **place})

    def _parts(self, loaded, content):
        if self.mode == "page" and loaded.pages:
            for page in loaded.pages:
                yield content[page.span.start : page.span.end].decode(), {"page": page.number}
        elif self.mode == "section" and loaded.outline:
            yield from _sections(loaded.outline, content)
        else:
            yield loaded.text, {}


def _sections(outline, content):
    """Yields the text from each heading to the next, with the headings above it."""
    first = outline[0].span.start
    if content[:first].strip():
        yield content[:first].decode(), {"headings": []}
    above = []
    ends = [heading.span.start for heading in outline[1:]] + [len(content)]
    for heading, end in zip(outline, ends):
        above = [other for other in above if other.level < heading.level] + [heading]
        yield content[heading.span.start : end].decode(), {"headings": [other.title for other in above]}


class SectileRetriever(BaseRetriever):
    """Finds documents of a `sectile.Library`, as a retriever of LangChain.

    `search` are the options of `Library.search`: `mode`, `limit`, `collection`, `filters` and others.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    library: Library
    search: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return list(map(_found, self.library.search(query, **self.search).hits))

    async def _aget_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return list(map(_found, (await self.library.asearch(query, **self.search)).hits))


def _found(hit) -> Document:
    metadata = {
        "source": hit.document.uri,
        "title": hit.document.get("title"),
        "headings": hit.heading_path,
        "first_line": hit.lines.first,
        "last_line": hit.lines.last,
        "score": hit.score,
    }
    if hit.get("pages"):
        metadata["page"] = hit.pages.first
    return Document(page_content=hit.text, metadata=metadata, id=str(hit.section))

