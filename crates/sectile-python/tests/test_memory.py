"""Calls that are made again and again hold no memory."""

import asyncio
import gc
import os
import sys

import pytest

from sectile import Chunker, Library, count_tokens

# How often each call is made.
CALLS = int(os.environ.get("SECTILE_CALLS", 5_000))

TEXT = "# Guide\n\nRead me first.\n\n## Install\n\nRun the installer. Then restart.\n" * 3

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc says how much memory there is")


def held():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def stays_flat(call):
    """Asserts that the second half of the calls holds no more than the first did, but for what an allocator does."""
    for _ in range(CALLS // 2):
        call()
    before = held()
    for _ in range(CALLS // 2):
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

    asyncio.run(searches(CALLS // 2))
    before = held()
    asyncio.run(searches(CALLS // 2))
    assert held() - before < 4 << 20


def test_checkpoints(tmp_path):
    base = pytest.importorskip("langgraph.checkpoint.base")
    from sectile.langgraph import SectileSaver

    saver = SectileSaver.from_conn_string(f"sqlite:{tmp_path}/runs.db")
    place = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    made = base.empty_checkpoint() | {"channel_values": {"x": list(range(50))}, "channel_versions": {"x": "1"}}
    saver.put(place, made, {"source": "loop", "step": 1}, {})
    stays_flat(lambda: saver.get_tuple(place))
    stays_flat(lambda: saver.put(place, made, {"source": "loop", "step": 1}, {}))
