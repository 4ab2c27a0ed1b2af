"""Measures a saver for LangGraph, its own or that of the wheel, for scripts/compare-checkpointers.

    langgraph_savers.py NAME DATABASE STATE COUNT
    langgraph_savers.py reset URL

As `checkpoint-peers` does. `reset` makes the database of an address anew.
"""

import asyncio
import copy
import json
import sqlite3
import sys
import threading
import time
from datetime import datetime, timezone
from pathlib import Path

import psycopg
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

WRITERS, LISTED, LISTS = 8, 10, 100
CONNECTION = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}


class Thread:
    """The steps of a run: each gives what is put, with new messages and a new number."""

    def __init__(self, thread_id, state):
        self.config = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
        self.state = copy.deepcopy(state)

    def next(self, step):
        version = f"{step:032}.0"
        versions = {"messages": version, "step": version}
        checkpoint = empty_checkpoint() | {
            "id": str(uuid6(clock_seq=step)),
            "ts": datetime.now(timezone.utc).isoformat(),
            "channel_values": self.state | {"step": step},
            "channel_versions": versions,
        }
        return self.config, checkpoint, {"source": "loop", "step": step, "parents": {}}, versions


def rate(count, start):
    return count / (time.perf_counter() - start)


def save(saver, thread, count):
    for step in range(1, count + 1):
        thread.config = saver.put(*thread.next(step))


def load(saver, config, count):
    for _ in range(count):
        assert saver.get_tuple(config).checkpoint["channel_values"]["messages"]


def list_some(saver, config):
    for _ in range(LISTS):
        assert len(list(saver.list(config, limit=LISTED))) == LISTED


def save_at_once(saver, state, count):
    # Threads have versions of their own: Postgres keeps one blob for each.
    work = [threading.Thread(target=save, args=[saver, Offset("shared", state, writer), count // WRITERS])
            for writer in range(WRITERS)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()


class Offset(Thread):
    """The steps of one of several writers to a thread."""

    def __init__(self, thread_id, state, writer):
        super().__init__(thread_id, state)
        self.first = writer * 1_000_000

    def next(self, step):
        return super().next(self.first + step)


def measure(saver, state, count):
    thread, rates = Thread("thread", state), {}
    config = dict(thread.config)

    def timed(name, number, work):
        start = time.perf_counter()
        work()
        rates[name] = rate(number, start)

    timed("save", count, lambda: save(saver, thread, count))
    timed("load", count, lambda: load(saver, config, count))
    timed("list", LISTS, lambda: list_some(saver, config))
    timed("save_8", count // WRITERS * WRITERS, lambda: save_at_once(saver, state, count))
    return rates


async def save_async(saver, thread, count):
    for step in range(1, count + 1):
        thread.config = await saver.aput(*thread.next(step))


async def measure_async(saver, state, count):
    thread, rates = Thread("thread", state), {}
    config = dict(thread.config)
    start = time.perf_counter()
    await save_async(saver, thread, count)
    rates["save"] = rate(count, start)
    start = time.perf_counter()
    for _ in range(count):
        assert (await saver.aget_tuple(config)).checkpoint["channel_values"]["messages"]
    rates["load"] = rate(count, start)
    start = time.perf_counter()
    for _ in range(LISTS):
        assert len([row async for row in saver.alist(config, limit=LISTED)]) == LISTED
    rates["list"] = rate(LISTS, start)
    start, each = time.perf_counter(), count // WRITERS
    writers = [save_async(saver, Offset("shared", state, writer), each) for writer in range(WRITERS)]
    await asyncio.gather(*writers)
    rates["save_8"] = rate(each * WRITERS, start)
    return rates


async def asynchronous(saver_class, database, state, count):
    async with saver_class.from_conn_string(database) as saver:
        await saver.setup()
        return await measure_async(saver, state, count)


def sectile(url, state, count):
    from sectile.langgraph import SectileSaver

    with SectileSaver.from_conn_string(url) as saver:
        return measure(saver, state, count)


async def sectile_async(url, state, count):
    from sectile.langgraph import SectileSaver

    async with await SectileSaver.afrom_conn_string(url) as saver:
        return await measure_async(saver, state, count)


def sqlite(path, state, count):
    connection = sqlite3.connect(path, check_same_thread=False)
    saver = SqliteSaver(connection)
    saver.setup()
    # What the others are set to: the default of this build is looked at, not trusted.
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    return measure(saver, state, count)


def postgres(url, state, count):
    with psycopg.connect(url, **CONNECTION) as connection:
        saver = PostgresSaver(connection)
        saver.setup()
        return measure(saver, state, count)


def postgres_pool(url, state, count):
    with ConnectionPool(url, min_size=WRITERS, max_size=WRITERS, kwargs=CONNECTION) as pool:
        pool.wait()
        saver = PostgresSaver(pool)
        saver.setup()
        return measure(saver, state, count)


def reset(url):
    server, _, database = url.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{database}"')
        # What others wrote is not to be flushed while the next is measured.
        connection.execute("CHECKPOINT")


SAVERS = {
    "SqliteSaver": sqlite,
    "AsyncSqliteSaver": lambda *work: asyncio.run(asynchronous(AsyncSqliteSaver, *work)),
    "PostgresSaver": postgres,
    "PostgresSaver-pool": postgres_pool,
    "AsyncPostgresSaver": lambda *work: asyncio.run(asynchronous(AsyncPostgresSaver, *work)),
    "SectileSaver": lambda path, *work: sectile(f"sqlite:{path}", *work),
    "SectileSaver-async": lambda path, *work: asyncio.run(sectile_async(f"sqlite:{path}", *work)),
    "SectileSaver-postgres": sectile,
    "SectileSaver-postgres-async": lambda *work: asyncio.run(sectile_async(*work)),
}


def main():
    name, database, *work = sys.argv[1:]
    if name == "reset":
        return reset(database)
    state, count = work
    print(json.dumps(SAVERS[name](database, json.loads(Path(state).read_text()), int(count))))


if __name__ == "__main__":
    main()
