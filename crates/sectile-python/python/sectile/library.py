"""Documents that are kept and found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from os import PathLike
from typing import Any, Literal

from sectile._operation import done
from sectile._sectile import Library as _Library

Mode = Literal["text", "vector", "hybrid", "value", "tree"]


class Record(dict):
    """What was found: its members are attributes as well, `hit.document.uri`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class Library:
    """Documents in a store, in a SQLite file or in Postgres, and what finds them.

    Each call has a twin for event loops, with `a` before its name.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "guide.md").write_text("# Guide\\n\\n## Install\\n\\nRun the installer.\\n")
    >>> library = Library(f"sqlite:{folder / 'store.db'}")
    >>> library.ingest([folder]).added
    1
    >>> library.search("installer").hits[0].heading_path
    ['Guide', 'Install']
    """

    def __init__(self, url: str) -> None:
        """Opens `sqlite:PATH` or `postgres://…`, and makes it where it is missing."""
        self._library = _Library.open(url)

    def ingest(
        self,
        paths: Iterable[str | PathLike[str]] | str | PathLike[str],
        *,
        collection: str = "default",
        on_event: Callable[[Record], object] | None = None,
    ) -> Record:
        """Brings what the store has of files and folders up to date.

        Returns how many documents were added, updated, unchanged and removed, and which files were skipped, failed or
        read in part, each with the reason. `on_event` is called with what happens, from other threads.
        """
        return _read(self._ingest(paths, collection, on_event).wait())

    async def aingest(
        self,
        paths: Iterable[str | PathLike[str]] | str | PathLike[str],
        *,
        collection: str = "default",
        on_event: Callable[[Record], object] | None = None,
    ) -> Record:
        """As `ingest`."""
        return _read(await done(self._ingest(paths, collection, on_event)))

    def search(self, query: str, *, mode: Mode = "text", limit: int = 10, **where: Any) -> Record:
        """Answers a question with `hits`, best first, and `notes` that a reader of them has to know.

        `collection=` and `paths=` say where to search, `explain=True` asks for what each word brought.
        """
        return _read(self._library.search(query, mode=mode, limit=limit, **where).wait())

    async def asearch(self, query: str, *, mode: Mode = "text", limit: int = 10, **where: Any) -> Record:
        """As `search`."""
        return _read(await done(self._library.search(query, mode=mode, limit=limit, **where)))

    def documents(self, *, collection: str | None = None) -> list[Record]:
        """Lists the documents."""
        return _read(self._library.documents(collection).wait())

    async def adocuments(self, *, collection: str | None = None) -> list[Record]:
        """As `documents`."""
        return _read(await done(self._library.documents(collection)))

    def toc(self, uri: str, *, collection: str | None = None) -> list[Record]:
        """Returns the sections of a document in order: its table of contents."""
        return _read(self._library.toc(uri, collection).wait())

    async def atoc(self, uri: str, *, collection: str | None = None) -> list[Record]:
        """As `toc`."""
        return _read(await done(self._library.toc(uri, collection)))

    def get(self, uri: str, **part: Any) -> Record:
        """Reads a document, or a part: `heading=` or `lines=(first, last)`, at most `max_tokens=`, from `cursor=` on."""
        return _read(self._library.get(uri, **part).wait())

    async def aget(self, uri: str, **part: Any) -> Record:
        """As `get`."""
        return _read(await done(self._library.get(uri, **part)))

    def remove(self, uri: str, *, collection: str | None = None) -> Record:
        """Removes a document, and returns what it was."""
        return _read(self._library.remove(uri, collection).wait())

    async def aremove(self, uri: str, *, collection: str | None = None) -> Record:
        """As `remove`."""
        return _read(await done(self._library.remove(uri, collection)))

    def _ingest(self, paths, collection, on_event):
        if isinstance(paths, (str, PathLike)):
            paths = [paths]
        tell = on_event and (lambda event: on_event(_read(event)))
        return self._library.ingest(list(paths), collection, tell)


def _read(text: str) -> Any:
    return json.loads(text, object_hook=Record)
