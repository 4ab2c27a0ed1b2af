"""Calls that are made again and again hold no memory.

`SECTILE_CALLS=100000 scripts/test-python --wheel crates/sectile-python/tests/test_memory.py` makes each of them so often.
"""

import asyncio
import gc
import os
import sys

import pytest

from sectile import Chunker, Embedder, Library, aload, count_tokens, load

# How often each call is made.
CALLS = int(os.environ.get("SECTILE_CALLS", 5_000))

# How often each of those that read a database or a file is made.
SLOW_CALLS = int(os.environ.get("SECTILE_CALLS", 1_000))

TEXT = "# Guide\n\nRead me first.\n\n## Install\n\nRun the installer. Then restart.\n" * 3

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc says how much memory there is")


def held():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def stays_flat(call, calls=CALLS):
    """Asserts that the second half of the calls holds no more than the first did, but for what an allocator does."""
    for _ in range(calls // 2):
        call()
    before = held()
    for _ in range(calls // 2):
        call()
    assert held() - before < 4 << 20


@pytest.mark.parametrize("strategy", ["recursive", "markdown", "sentence", "token", "sections"])
def test_chunks(strategy):
    chunker = Chunker(strategy)
    stays_flat(lambda: [(chunk.text, chunk.headings) for chunk in chunker.chunks(TEXT)])


def test_tokens_and_errors():
    stays_flat(lambda: count_tokens(TEXT))

    def fails():
        with pytest.raises(ValueError):
            Chunker("no")

    stays_flat(fails)


def test_the_splitter():
    from sectile.langchain import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=30, chunk_overlap=5)
    stays_flat(lambda: splitter.create_documents([TEXT], [{"a": 1}]))
    measured = RecursiveCharacterTextSplitter(chunk_size=30, chunk_overlap=5, length_function=lambda text: len(text))
    stays_flat(lambda: measured.split_text(TEXT))


def test_searches(tmp_path):
    (tmp_path / "guide.md").write_text(TEXT)
    library = Library(f"sqlite:{tmp_path}/store.db")
    library.ingest([tmp_path / "guide.md"])
    stays_flat(lambda: library.search("installer"))

    async def searches(count):
        for _ in range(count):
            await library.asearch("installer")

    stays_flat_on_a_loop(searches)


def stays_flat_on_a_loop(calls):
    """As `stays_flat`, where `calls` awaits as many as it is told."""
    asyncio.run(calls(SLOW_CALLS // 2))
    before = held()
    asyncio.run(calls(SLOW_CALLS // 2))
    assert held() - before < 4 << 20


def test_batches():
    pyarrow = pytest.importorskip("pyarrow")
    chunker, column = Chunker("markdown", size=30, overlap=0, unit="chars"), pyarrow.array([TEXT, None])
    stays_flat(lambda: pyarrow.table(chunker.batch(column)))
    stays_flat(lambda: chunker.batch([TEXT]))


def test_the_other_splitters():
    from sectile import langchain

    levels = [("#", "One"), ("##", "Two")]
    page = "<h1>A</h1><p>One.</p>"
    sizes = {"chunk_size": 30, "chunk_overlap": 5}
    placed = langchain.RecursiveCharacterTextSplitter(**sizes, add_start_index=True)
    stays_flat(lambda: placed.create_documents([TEXT], [{"list": [1]}]))
    for call in (
        lambda: langchain.CharacterTextSplitter(**sizes).create_documents([TEXT]),
        lambda: langchain.TokenTextSplitter(**sizes).split_text(TEXT),
        lambda: langchain.MarkdownHeaderTextSplitter(levels).split_text(TEXT),
        lambda: langchain.HTMLHeaderTextSplitter([("h1", "One")]).split_text(page),
    ):
        stays_flat(call)


def test_files_are_loaded():
    stays_flat(lambda: load("guide.md", data=TEXT.encode()), SLOW_CALLS)

    async def loads(count):
        for _ in range(count):
            await aload("guide.md", data=TEXT.encode())

    stays_flat_on_a_loop(loads)


def test_what_a_library_reads_and_keeps(tmp_path):
    (tmp_path / "guide.md").write_text(TEXT)
    embedder = Embedder("ones", lambda texts: [[1.0, 1.0] for _ in texts])
    library = Library(f"sqlite:{tmp_path}/store.db", embedder=embedder)
    library.ingest([tmp_path / "guide.md"])
    uri = library.documents()[0].uri
    for call in (
        lambda: library.documents(),
        lambda: library.toc(uri),
        lambda: library.tree(uri),
        lambda: library.get(uri, lines=(1, 3), max_tokens=5),
        lambda: library.search("installer", mode="hybrid"),
        lambda: library.search_batch(["installer"]),
        lambda: library.remember("Ada likes trains."),
    ):
        stays_flat(call, SLOW_CALLS)

    async def dropped(count):
        for _ in range(count):
            task = asyncio.ensure_future(library.asearch("installer"))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    stays_flat_on_a_loop(dropped)


def test_checkpoints(tmp_path):
    base = pytest.importorskip("langgraph.checkpoint.base")
    from sectile.langgraph import SectileSaver

    saver = SectileSaver.from_conn_string(f"sqlite:{tmp_path}/runs.db")
    place = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    made = base.empty_checkpoint() | {"channel_values": {"x": list(range(50))}, "channel_versions": {"x": "1"}}
    saver.put(place, made, {"source": "loop", "step": 1}, {})
    stays_flat(lambda: saver.get_tuple(place))
    stays_flat(lambda: saver.put(place, made, {"source": "loop", "step": 1}, {}))
    at = {"configurable": place["configurable"] | {"checkpoint_id": made["id"]}}
    stays_flat(lambda: saver.put_writes(at, [("x", 1)], "task"), SLOW_CALLS)
    stays_flat(lambda: list(saver.list(None)), SLOW_CALLS)
    stays_flat(lambda: next(saver.list(place)), SLOW_CALLS)

    async def awaited(count):
        for _ in range(count):
            await saver.aget_tuple(place)
            await saver.aput_writes(at, [("x", 1)], "task")
            assert [found async for found in saver.alist(place)]

    stays_flat_on_a_loop(awaited)
