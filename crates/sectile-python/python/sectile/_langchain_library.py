"""What `sectile.langchain` has for documents: it needs `langchain-core`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from os import PathLike, fsdecode
from typing import Any, Literal

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from sectile._operation import done
from sectile._record import read
from sectile.library import Group, Library, Mode
from sectile.loading import load


class SectileLoader(BaseLoader):
    """Loads files of any format that Sectile reads, as a `BaseLoader` of LangChain.

    `mode` is `single` for a document a file, `page` for one a page where the format has pages, and `section` for one a
    section. `options` are those of `sectile.load`.
    """

    def __init__(
        self,
        path: str | bytes | PathLike[str],
        *more: str | bytes | PathLike[str],
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
            metadata = {**loaded.metadata, "source": fsdecode(path), "format": loaded.format}
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

    `k` is how many are returned, ten where nothing is said. `mode`, `collection`, `filters`, `paths`, `group_by` and
    `rerank` are those of `Library.search`, and `search` has its other options. With `score_threshold` hits of a lower
    score are left out; the score, which is in the metadata, depends on the mode. `search_type="similarity"`, as vector stores name it, is
    `mode="vector"`. All of them can be given to a call: `retriever.invoke("how?", k=3)`.

    A document that is returned has the metadata of its document, such as the fields of its front matter, and that of the
    hit: `source`, `title`, `headings`, `first_line`, `last_line`, `page` and `score`. If nothing is found, the
    logger `sectile` warns with the notes that say why.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    library: Library
    k: int | None = Field(default=None, ge=0)
    mode: Mode | None = None
    collection: str | None = None
    filters: dict[str, Any] | list[str] | str | None = None
    paths: Any = None
    group_by: Group | None = None
    rerank: bool | None = None
    score_threshold: float | None = None
    search_type: Literal["similarity", "similarity_score_threshold"] | None = None
    search: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: Any, **options: Any) -> list[Document]:
        threshold, search = self._request(options)
        hits = _hits(self.library.search(query, **search), threshold)
        return _documents(hits, read(self.library._library.metadata(_ids(hits)).wait()))

    async def _aget_relevant_documents(self, query: str, *, run_manager: Any, **options: Any) -> list[Document]:
        threshold, search = self._request(options)
        hits = _hits(await self.library.asearch(query, **search), threshold)
        return _documents(hits, read(await done(self.library._library.metadata(_ids(hits)))))

    def _request(self, options: dict[str, Any]) -> tuple[float | None, dict[str, Any]]:
        """Returns the score that hits must have, and what `Library.search` takes."""
        own = {name: getattr(self, name) for name in _OPTIONS}
        search = {**self.search, **{name: value for name, value in own.items() if value is not None}, **options}
        threshold, search_type = search.pop("score_threshold", None), search.pop("search_type", None)
        if (k := search.pop("k", None)) is not None:
            search["limit"] = k
        if search_type is None:
            return threshold, search
        if search_type not in _SEARCH_TYPES:
            raise ValueError(f"search_type is {' or '.join(_SEARCH_TYPES)}, not {search_type!r}")
        if search_type == "similarity_score_threshold" and threshold is None:
            raise ValueError("search_type is similarity_score_threshold, and no score_threshold is given")
        return threshold, {"mode": "vector", **search}


_OPTIONS = ("k", "mode", "collection", "filters", "paths", "group_by", "rerank", "score_threshold", "search_type")

_SEARCH_TYPES = ("similarity", "similarity_score_threshold")


def _hits(answer, threshold):
    """Returns the hits with the score that they must have. Why there are none is logged."""
    if not answer.hits:
        for note in answer.notes:
            logging.getLogger("sectile").warning("%s", note)
    return [hit for hit in answer.hits if threshold is None or hit.score >= threshold]


def _ids(hits) -> list[str]:
    return [*{hit.document.id for hit in hits}]


def _documents(hits, metadata) -> list[Document]:
    return [_found(hit, metadata.get(hit.document.id, {})) for hit in hits]


def _found(hit, metadata) -> Document:
    own = {name: value for name, value in metadata.items() if not name.startswith("sectile_")}
    metadata = {
        **own,
        "source": hit.document.uri,
        "title": hit.document.get("title"),
        "headings": hit.heading_path,
        "first_line": hit.lines.first,
        "last_line": hit.lines.last,
        "score": hit.score,
    }
    if hit.get("pages"):
        metadata["page"] = hit.pages.first
    # Rows of a table say little without the names of their columns.
    parts = [hit.get("table_head"), hit.text]
    content = "\n".join(part for part in parts if part is not None)
    return Document(page_content=content, metadata=metadata, id=str(hit.section))

