"""Documents that are kept and found."""

from __future__ import annotations

import asyncio
import functools
import queue
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from sectile._arguments import Filters, Name, Paths, as_json, check_model, form, named, paths_of, reading, scope, several
from sectile._operation import done
from sectile._record import Answer, Record, read
from sectile._sectile import Chunker, HitBatch
from sectile._sectile import Library as _Library
from sectile.models import ChatModel, Embedder, Reranker

Mode = Literal["text", "vector", "hybrid", "value", "tree"]
Group = Literal["chunk", "section", "document"]


class Library:
    """Documents in a store, in a SQLite file or in Postgres, and what finds them.

    Each call has a twin for event loops, with `a` before its name. Opening waits for the database and the models; on an
    event loop, `await Library.aopen(url)`. `with` and `async with` close a library at their end.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "guide.md").write_text("# Guide\\n\\n## Install\\n\\nRun the installer.\\n")
    >>> library = Library(f"sqlite:{folder / 'store.db'}")
    >>> library.ingest([folder]).added
    1
    >>> library.search("installer").hits[0].heading_path
    ['Guide', 'Install']
    """

    def __init__(
        self,
        url: str,
        *,
        embedder: str | Embedder | None = None,
        chat_model: str | ChatModel | None = None,
        chunker: Chunker | None = None,
        reranker: str | Reranker | None = None,
        rerank_depth: int = 50,
        rerank_timeout: float = 2.0,
        rerank_collections: Iterable[str] = (),
        languages: Mapping[str, str] | None = None,
        create: bool = True,
    ) -> None:
        """Opens `sqlite:PATH` or `postgres://…`, and makes it where it is missing, with its folders. Where `create` is
        false, a missing file raises `InvalidArgumentError`.

        `embedder` makes vectors of what is ingested and of questions, `chat_model` writes summaries and searches trees,
        and where a search asks for it `reranker` reads the best `rerank_depth` hits and ranks them again, in at most
        `rerank_timeout` seconds: each is a name, as for `--embedder`, `--chat-model` and `--rerank` of the program, or a
        function of yours. Searches of `rerank_collections` are always reranked, also without a name if the store has no
        others. `chunker` cuts sections into what is searched. `languages`, such as `{"handbook": "de"}`, are those of all documents of collections; the next ingest
        indexes documents again that are in another one.
        """
        check_model("embedder", embedder, "embed", Embedder)
        check_model("chat_model", chat_model, "complete", ChatModel)
        check_model("reranker", reranker, "rerank", Reranker)
        if rerank_depth < 0:
            raise ValueError(f"rerank_depth must be 0 or more, not {rerank_depth}")
        always = several(rerank_collections)
        if always and reranker is None:
            raise ValueError("rerank_collections changes nothing without a reranker: give one as reranker")
        self._opened: _Library | None = _Library.open(
            url,
            embedder=embedder,
            chat_model=chat_model,
            chunker=chunker,
            reranker=None if reranker is None else (reranker, rerank_depth, rerank_timeout, always),
            languages=None if languages is None else dict(languages),
            create=create,
        )

    @classmethod
    async def aopen(cls, url: str, **options: Any) -> Library:
        """Opens a library as the constructor does, in another thread."""
        return await asyncio.to_thread(cls, url, **options)

    def close(self) -> None:
        """Closes the library, once however often it is called. Calls that have begun come to their end."""
        self._opened = None

    async def aclose(self) -> None:
        """As `close`."""
        self.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Library:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    @property
    def _library(self) -> _Library:
        if self._opened is None:
            raise ValueError("the library is closed; open it again")
        return self._opened

    def ingest(
        self,
        paths: Paths,
        *,
        collection: str = "default",
        on_event: Callable[[Record], object] | None = None,
        language: str | None = None,
        whole_page: bool = False,
        ocr: str | None = None,
        password: str | None = None,
        timeout: float | None = None,
        max_file_size: int | None = None,
        max_memory: int | None = None,
        keep_options: bool = True,
    ) -> Record:
        """Brings what the store has of files and folders up to date.

        Returns how many documents were added, updated, unchanged and removed, and which files were skipped, failed or
        read in part, each with the reason. `on_event` is called with what happens, from other threads, and may call the
        library itself. The first exception that it raises is raised when the ingest has come to its end.

        `language`, such as `de`, is that of all documents; without it, each has that of its collection, or else the one
        that it states or looks like.
        `whole_page`, `ocr`, `password`, `timeout`, `max_file_size` and `max_memory` are those of `sectile.load`. A file
        that did not change is read again where they may bring more of its text. What was read with `whole_page` or `ocr`
        is read so from then on, unless `keep_options` is false.
        """
        how = reading(language, whole_page, ocr, password, timeout, max_file_size, max_memory, keep_options)
        return read(self._ingest(paths, collection, on_event, how).wait())

    async def aingest(
        self,
        paths: Paths,
        *,
        collection: str = "default",
        on_event: Callable[[Record], object] | None = None,
        language: str | None = None,
        whole_page: bool = False,
        ocr: str | None = None,
        password: str | None = None,
        timeout: float | None = None,
        max_file_size: int | None = None,
        max_memory: int | None = None,
        keep_options: bool = True,
    ) -> Record:
        """As `ingest`."""
        how = reading(language, whole_page, ocr, password, timeout, max_file_size, max_memory, keep_options)
        return read(await done(self._ingest(paths, collection, on_event, how)))

    def ingest_events(self, paths: Paths, *, collection: str = "default", **options: Any) -> Iterator[Record]:
        """Ingests, and yields what happens: what `on_event` of `ingest` is called with, and at the end the event `done`
        with the `report`. An iterator that is closed, or forgotten, stops the ingest between documents. `options` are the
        others of `ingest`.
        """
        events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        operation = self._ingest(paths, collection, events.put, reading(**options))
        operation.start(_Ends(events), None, None)
        try:
            while not isinstance(event := events.get(), _End):
                yield event
            yield event.done()
        finally:
            operation.stop()

    async def aingest_events(
        self, paths: Paths, *, collection: str = "default", **options: Any
    ) -> AsyncIterator[Record]:
        """As `ingest_events`."""
        loop, events = asyncio.get_running_loop(), asyncio.Queue()
        tell = functools.partial(loop.call_soon_threadsafe, events.put_nowait)
        work = loop.create_task(self.aingest(paths, collection=collection, on_event=tell, **options))
        work.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            yield Record(event="done", report=await work)
        finally:
            work.cancel()

    def embed(self, *, collection: str = "default") -> Record:
        """Makes the vectors that the documents of a collection lack, and reports how many (`embedded`).

        `failed` has the documents of which the model refused texts, with the reason; the others have their vectors.
        `truncated` says how many chunks are longer than the model reads, if there are any.
        """
        return read(self._library.embed(collection).wait())

    async def aembed(self, *, collection: str = "default") -> Record:
        """As `embed`."""
        return read(await done(self._library.embed(collection)))

    def search(
        self,
        query: str,
        *,
        mode: Mode = "text",
        limit: int = 10,
        collection: str | None = None,
        paths: Paths | None = None,
        filters: Filters | None = None,
        group_by: Group = "section",
        explain: bool = False,
        rerank: bool = False,
    ) -> Answer:
        """Answers a question with `hits`, best first, `notes` that a reader of them has to know, and `about`, what
        `sectile note` keeps on their documents.

        `collection`, `paths` and `filters` say where to search: without `collection` in all of them. If no document is
        there, a note says why: there is no such collection, or no document has a field. Files and folders in
        `paths` are searched as they were ingested; an empty list finds nothing. `filters` are values of metadata
        (`{"team": "red"}`; 1 finds 1.0 and the text `1`, but not true), or a list of conditions as `--filter` of the
        program takes them (`["heading=install", "level=1-2", "since=2026-01", "path=docs/*.md", "team=red"]`).
        `explain` asks for what each word brought.
        `rerank` has the reranker order the best hits; if it fails or takes too long a note says so.
        """
        asked = self._search(query, mode, limit, collection, paths, filters, group_by, explain, rerank)
        return Answer(read(asked.wait()))

    async def asearch(
        self,
        query: str,
        *,
        mode: Mode = "text",
        limit: int = 10,
        collection: str | None = None,
        paths: Paths | None = None,
        filters: Filters | None = None,
        group_by: Group = "section",
        explain: bool = False,
        rerank: bool = False,
    ) -> Answer:
        """As `search`."""
        asked = self._search(query, mode, limit, collection, paths, filters, group_by, explain, rerank)
        return Answer(read(await done(asked)))

    def search_batch(
        self,
        queries: Iterable[str],
        *,
        mode: Mode = "text",
        limit: int = 10,
        collection: str | None = None,
        paths: Paths | None = None,
        filters: Filters | None = None,
        group_by: Group = "section",
        rerank: bool = False,
    ) -> HitBatch:
        """Answers many questions, and returns the hits as a table for whatever reads Arrow streams.

        `pyarrow.table(batch)` or `polars.DataFrame(batch)` takes it. Its column `question` is the number of the question.
        """
        asked = self._search_batch(queries, mode, limit, collection, paths, filters, group_by, rerank=rerank)
        return asked.wait()

    async def asearch_batch(
        self,
        queries: Iterable[str],
        *,
        mode: Mode = "text",
        limit: int = 10,
        collection: str | None = None,
        paths: Paths | None = None,
        filters: Filters | None = None,
        group_by: Group = "section",
        rerank: bool = False,
    ) -> HitBatch:
        """As `search_batch`."""
        asked = self._search_batch(queries, mode, limit, collection, paths, filters, group_by, rerank=rerank)
        return await done(asked)

    def documents(
        self, *, collection: str | None = None, paths: Paths | None = None, filters: Filters | None = None
    ) -> list[Record]:
        """Lists the documents, or those in a collection or in files and folders to which filters apply, as in `search`."""
        return read(self._library.documents(scope(collection, paths, filters)).wait())

    async def adocuments(
        self, *, collection: str | None = None, paths: Paths | None = None, filters: Filters | None = None
    ) -> list[Record]:
        """As `documents`."""
        return read(await done(self._library.documents(scope(collection, paths, filters))))

    def totals(self) -> Record:
        """Counts what the store has: `documents`, those that `failed`, `collections` with the documents of each, `sections`,
        `chunks`, `vectors`, `tokens` and `bytes`, as `sectile status`."""
        return read(self._library.totals().wait())

    async def atotals(self) -> Record:
        """As `totals`."""
        return read(await done(self._library.totals()))

    def toc(self, uri: Name, *, collection: str | None = None) -> list[Record]:
        """Returns the sections of a document in order: its table of contents.

        Here and below a document is named by its path, as it was ingested, or by its URI (`hit.document.uri`).
        """
        return read(self._library.toc(named(uri), collection).wait())

    async def atoc(self, uri: Name, *, collection: str | None = None) -> list[Record]:
        """As `toc`."""
        return read(await done(self._library.toc(named(uri), collection)))

    def tree(self, uri: Name, *, collection: str | None = None) -> Record:
        """Returns the sections of a document as a tree, in the form of PageIndex, with the summaries that there are."""
        return read(self._library.tree(named(uri), collection).wait())

    async def atree(self, uri: Name, *, collection: str | None = None) -> Record:
        """As `tree`."""
        return read(await done(self._library.tree(named(uri), collection)))

    def summarize(self, uri: Name, *, collection: str | None = None) -> int:
        """Has the chat model write what each section says in short, where it is not short itself.

        Returns how many sections have a new summary.
        """
        return read(self._library.summarize(named(uri), collection).wait())

    async def asummarize(self, uri: Name, *, collection: str | None = None) -> int:
        """As `summarize`."""
        return read(await done(self._library.summarize(named(uri), collection)))

    def get(self, uri: Name, **part: Any) -> Record:
        """Reads a document, or a part, at most `max_tokens=` of it, from `cursor=` on.

        A part is a `heading=`, a `section=` by the id that hits have (`hit.section`), `lines=(first, last)`, or the sections
        on `pages=(first, last)`. `collection=` names that of the document, where several have it.
        """
        return read(self._library.get(named(uri), **part).wait())

    async def aget(self, uri: Name, **part: Any) -> Record:
        """As `get`."""
        return read(await done(self._library.get(named(uri), **part)))

    def remove(self, uri: Name, *, collection: str | None = None) -> Record:
        """Removes a document, and returns what it was."""
        return read(self._library.remove(named(uri), collection).wait())

    async def aremove(self, uri: Name, *, collection: str | None = None) -> Record:
        """As `remove`."""
        return read(await done(self._library.remove(named(uri), collection)))

    def remember(self, text: str, **metadata: Any) -> Record:
        """Keeps a text in the collection `memories`, once, and returns its `id` and whether it is new."""
        return read(self._library.remember(text, as_json("metadata", metadata)).wait())

    async def aremember(self, text: str, **metadata: Any) -> Record:
        """As `remember`."""
        return read(await done(self._library.remember(text, as_json("metadata", metadata))))

    def forget(self, id: str) -> None:
        """Removes a memory."""
        self._library.forget(id).wait()

    async def aforget(self, id: str) -> None:
        """As `forget`."""
        await done(self._library.forget(id))

    def learn(self, text: str, **metadata: Any) -> Record:
        """Keeps a text in the collection `knowledge`, as `remember` does in `memories`."""
        return read(self._library.learn(text, as_json("metadata", metadata)).wait())

    async def alearn(self, text: str, **metadata: Any) -> Record:
        """As `learn`."""
        return read(await done(self._library.learn(text, as_json("metadata", metadata))))

    def delete_knowledge(self, id: str) -> None:
        """Removes a piece of knowledge."""
        self._library.delete_knowledge(id).wait()

    async def adelete_knowledge(self, id: str) -> None:
        """As `delete_knowledge`."""
        await done(self._library.delete_knowledge(id))

    def _ingest(self, paths, collection, on_event, how):
        tell = on_event and (lambda event: on_event(read(event)))
        return self._library.ingest(paths_of(paths), collection, how, tell)

    def _search(self, query, *asked):
        return self._library.search(query, form(*asked))

    def _search_batch(self, queries, *asked, rerank):
        if isinstance(queries, str):
            raise TypeError("search_batch takes many questions, and this is one: give a list of it, or call search")
        return self._library.search_batch(list(queries), form(*asked, False, rerank))


class _End(NamedTuple):
    """What came of an operation."""

    value: Any
    error: BaseException | None

    def done(self) -> Record:
        if self.error is not None:
            raise self.error
        return Record(event="done", report=read(self.value))


class _Ends:
    """What an operation tells of its end, as it would an event loop."""

    def __init__(self, events: queue.SimpleQueue[Any]) -> None:
        self._events = events

    def call_soon_threadsafe(self, tell: None, future: None, value: Any, error: BaseException | None) -> None:
        self._events.put(_End(value, error))
