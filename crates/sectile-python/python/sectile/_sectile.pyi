"""What is written in Rust."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypedDict, final

from sectile.models import ChatModel, Embedder, Reranker

__all__ = [
    "__version__",
    "Checkpoints",
    "Chunk",
    "ChunkBatches",
    "Chunker",
    "DocumentMaker",
    "HitBatch",
    "HtmlHeaders",
    "Library",
    "Listing",
    "Loader",
    "MarkdownHeaders",
    "Operation",
    "Splitter",
    "count_tokens",
    "main",
    "path_uri",
    "separators_for_language",
    "set_host",
]

__version__: str

_Strategy = Literal["markdown", "sentence", "token", "recursive", "sections"]
_Unit = Literal["chars", "cl100k_base", "o200k_base", "heuristic"]
_Typed = tuple[str, bytes]

@final
class Chunk:
    """A piece of a text that knows where it stands. What it says is made when it is looked at.

    A `Chunker` makes it. It can be pickled and copied; the copy holds its own text, not the whole one.
    """

    def __new__(
        cls,
        text: str,
        index: int,
        chars: tuple[int, int],
        bytes: tuple[int, int],
        lines: tuple[int, int],
        headings: Sequence[str],
        unit: str | None,
    ) -> Chunk: ...
    def __getnewargs__(
        self,
    ) -> tuple[str, int, tuple[int, int], tuple[int, int], tuple[int, int], tuple[str, ...], str | None]: ...
    @property
    def text(self) -> str:
        """The text; what a strategy adds to it (headings, for `markdown`) is in it."""
    @property
    def index(self) -> int:
        """The position among the chunks of the text, from 0."""
    @property
    def start(self) -> int:
        """Where it begins in the text, in characters: `text[chunk.start:chunk.end]`."""
    @property
    def end(self) -> int:
        """Where it ends in the text, in characters."""
    @property
    def start_byte(self) -> int:
        """Where it begins in the text as UTF-8."""
    @property
    def end_byte(self) -> int:
        """Where it ends in the text as UTF-8."""
    @property
    def first_line(self) -> int:
        """The first line that it touches, from 1."""
    @property
    def last_line(self) -> int:
        """The last line that it touches."""
    @property
    def tokens(self) -> int | None:
        """How many tokens its text has, where sizes are in tokens. It is counted each time.

        Sizes are sums over the sentences or blocks that a chunk is joined from, each counted alone: the strategies keep
        those within `size`, and the text as a whole may have fewer tokens, or a few more.
        """
    @property
    def headings(self) -> tuple[str, ...]:
        """The headings from the root to the section that it stands in, or that it begins in where a text with fewer than two
        headings is not cut at them. The strategies `sentence`, `token` and `recursive` know none."""

@final
class Chunker:
    """Cuts texts by a strategy, with its defaults where nothing else is said.

    `recursive` takes `separators`, coarsest first, or those of a `language` as LangChain names it; `keep_separator` says
    where they go, and `trim=False` keeps the white space at the ends of chunks. `long_sentences` of `sentence` is
    `split`, or `keep` for chunks that are larger than `size`. `markdown` merges sections smaller than `merge_below`
    with their neighbours; with `heading_path_in_text` the text of a chunk begins with the headings around it.

    Raises `ValueError` for settings that cannot be, and for an option that the strategy would ignore. Other threads run
    while it cuts.
    """

    def __new__(
        cls,
        strategy: _Strategy = "markdown",
        *,
        size: int | None = None,
        overlap: int | None = None,
        unit: _Unit | None = None,
        separators: Sequence[str] | None = None,
        language: str | None = None,
        keep_separator: _Keep | None = None,
        trim: bool = True,
        long_sentences: Literal["split", "keep"] | None = None,
        merge_below: int = 0,
        heading_path_in_text: bool = False,
    ) -> Chunker: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]: ...
    def chunks(self, text: str, *, name: str = "text.md") -> list[Chunk]:
        """Cuts a text. `name` is the path or address of its document.

        The name says what the text is, as for the program: source code (`a.py`), another markup (`a.rst`, `a.tex`), plain
        text (`a.txt`), or else Markdown, which is also what Sectile makes of PDF files, web pages and others.
        """
    def batch(self, texts: Iterable[str] | _ArrowArray | _ArrowStream, *, name: str = "text.md") -> ChunkBatches:
        """Cuts many texts on all cores: strings, or a column of them from pyarrow, polars, DuckDB, pandas or Daft.

        A table of one column is that column. Nulls have no chunks. The result is for whatever reads Arrow streams: `pyarrow.table(batch)`,
        `polars.DataFrame(batch)`.
        """

@final
class ChunkBatches:
    """Chunks of many texts, as Arrow record batches.

    The columns are `row`, the number of the text from 0, and those of a chunk: `index`, `text`, `start` and `end` in
    characters, `start_byte`, `end_byte`, `first_line`, `last_line`, `first_page` and `last_page`, which are null as texts
    have no pages, `tokens` and `headings`. `tokens` is here the sum that the strategy compares with `size`, over the parts
    of a chunk, and null where characters are counted. `headings` is an empty list, and not null, where no heading is above a
    chunk.
    """

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Length = _Unit | Literal["gpt2", "r50k_base"] | Callable[[str], float]
_Keep = Literal["start", "end", "none"]

@final
class Splitter:
    @staticmethod
    def recursive(
        size: float,
        overlap: float,
        separators: Sequence[str],
        *,
        regex: bool,
        keep: _Keep,
        trim: bool,
        length: _Length | None = None,
    ) -> Splitter: ...
    @staticmethod
    def character(
        size: float, overlap: float, separator: str, *, regex: bool, keep: _Keep, trim: bool, length: _Length | None = None
    ) -> Splitter: ...
    @staticmethod
    def tokens(size: int, overlap: int, encoding: str, whole_characters: bool) -> Splitter: ...
    def split(self, text: str) -> list[str]: ...
    def chunks(self, text: str) -> list[Chunk]: ...
    def documents(
        self,
        maker: DocumentMaker,
        texts: Sequence[str],
        metadatas: Sequence[dict[Any, Any]],
        *,
        copy: Callable[[dict[Any, Any]], dict[Any, Any]] | None = None,
        starts: bool = False,
        overlap: int | None = None,
    ) -> list[Any]: ...

@final
class DocumentMaker:
    def __new__(cls, class_: type, kind: str, /) -> DocumentMaker: ...

@final
class MarkdownHeaders:
    def __new__(
        cls,
        headers: Sequence[tuple[str, str | None]],
        each_line: bool,
        strip_headers: bool,
        patterns: Sequence[tuple[str, int]],
    ) -> MarkdownHeaders: ...
    def split(self, text: str) -> list[tuple[str, dict[str, str]]]: ...

@final
class HtmlHeaders:
    def __new__(
        cls, headers: Sequence[tuple[int, str]], each_element: bool, as_langchain: bool
    ) -> HtmlHeaders: ...
    def split(self, page: bytes) -> list[tuple[str, dict[str, str]]]: ...

@final
class Operation:
    def wait(self) -> Any: ...
    def start(
        self,
        event_loop: asyncio.AbstractEventLoop,
        future: asyncio.Future[Any],
        tell: Callable[[asyncio.Future[Any], Any, BaseException | None], None],
    ) -> None: ...
    def stop(self) -> None: ...

@final
class Listing:
    def next(self) -> Operation: ...

@final
class Checkpoints:
    @staticmethod
    def connect(
        url: str, *, schema: str | None = None, table_prefix: str = "", pgbouncer: bool = False
    ) -> Checkpoints: ...
    def migrate(self) -> Operation: ...
    def close(self) -> Operation: ...
    def save(
        self,
        key: tuple[str, str],
        names: tuple[str, str | None, str | None],
        rest: _Typed,
        values: Sequence[tuple[str, str, _Typed | list[_Typed]]],
        metadata: str,
    ) -> Operation: ...
    def load(self, key: tuple[str, str], id: str | None = None) -> Operation: ...
    def list(
        self,
        thread: str | None,
        namespace: str | None,
        *,
        id: str | None = None,
        before: str | None = None,
        limit: int | None = None,
        metadata: str = "{}",
    ) -> Listing: ...
    def write(
        self,
        key: tuple[str, str],
        id: str,
        task: tuple[str, str],
        run: str | None,
        writes: Sequence[tuple[str, _Typed]],
    ) -> Operation: ...
    def delete_thread(self, thread: str) -> Operation: ...
    def delete_runs(self, runs: Sequence[str]) -> Operation: ...
    def copy_thread(self, thread: str, new_thread: str) -> Operation: ...
    def prune(self, thread: str) -> Operation: ...

@final
class Library:
    @staticmethod
    def open(
        url: str,
        *,
        embedder: str | Embedder | None = None,
        chat_model: str | ChatModel | None = None,
        chunker: Chunker | None = None,
        reranker: tuple[str | Reranker, int, float, list[str]] | None = None,
        languages: dict[str, str] | None = None,
        create: bool = True,
    ) -> Library: ...
    def ingest(
        self,
        paths: Sequence[str | PathLike[str]],
        collection: str,
        options: _IngestOptions,
        on_event: Callable[[str], object] | None = None,
    ) -> Operation: ...
    def embed(self, collection: str) -> Operation: ...
    def search(self, query: str, form: _Form) -> Operation: ...
    def search_batch(self, queries: Sequence[str], form: _Form) -> Operation: ...
    def documents(self, scope: _Scope) -> Operation: ...
    def metadata(self, ids: Sequence[str]) -> Operation: ...
    def totals(self) -> Operation: ...
    def toc(self, uri: str, collection: str | None = None) -> Operation: ...
    def tree(self, uri: str, collection: str | None = None) -> Operation: ...
    def summarize(self, uri: str, collection: str | None = None) -> Operation: ...
    def get(
        self,
        uri: str,
        *,
        collection: str | None = None,
        heading: str | None = None,
        section: str | None = None,
        lines: tuple[int, int] | None = None,
        pages: tuple[int, int] | None = None,
        cursor: int = 0,
        max_tokens: int | None = None,
    ) -> Operation: ...
    def remove(self, uri: str, collection: str | None = None) -> Operation: ...
    def remember(self, text: str, metadata: str) -> Operation: ...
    def forget(self, id: str) -> Operation: ...
    def learn(self, text: str, metadata: str) -> Operation: ...
    def delete_knowledge(self, id: str) -> Operation: ...

class _Scope(TypedDict):
    collection: str | None
    paths: Sequence[str | PathLike[str]] | None
    filters: str

class _Form(TypedDict):
    mode: str
    limit: int
    scope: _Scope
    group_by: str
    explain: bool
    rerank: bool

@final
class HitBatch:
    """Hits of many questions, as an Arrow record batch.

    The columns are `question`, the number of the question from 0, `rank` from 1, `score`, `collection`, `uri`, `title`,
    `section`, `headings`, `text`, `first_line`, `last_line`, `first_page` and `last_page`. `notes` has the notes of the
    answers, each with the number of its question.
    """

    @property
    def notes(self) -> list[tuple[int, str]]: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _Limits(TypedDict):
    timeout: float | None
    max_file_size: int | None
    max_memory: int | None

class _IngestOptions(TypedDict):
    language: str | None
    whole_page: bool
    ocr: str | None
    password: str | None
    limits: _Limits
    keep_options: bool

class _LoadOptions(TypedDict):
    comments: bool
    whole_page: bool
    ocr: str | None
    password: str | None
    pages: list[int]
    keep_running_lines: bool
    guess_headings: bool
    headers_and_footers: bool
    limits: _Limits

@final
class Loader:
    def __new__(cls, options: _LoadOptions) -> Loader: ...
    def load(self, path: str | PathLike[str], data: bytes | None = None) -> Operation: ...

def count_tokens(text: str, unit: _Unit | Literal["gpt2", "r50k_base"] = "o200k_base") -> int:
    """Counts the tokens of a text."""

def path_uri(path: str | PathLike[str]) -> str: ...
def separators_for_language(name: str) -> list[str]: ...
def set_host(command: Sequence[str]) -> None: ...
def main(arguments: Sequence[str]) -> int: ...
