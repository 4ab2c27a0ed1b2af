"""Measures what history costs with a saver of LangGraph, for scripts/compare-checkpointers --history.

    langgraph_history.py SqliteSaver|PostgresSaver DATABASE MESSAGES

Saves a conversation at every message of 500 bytes, and prints the bytes that the database holds, those of the last
state, and the median milliseconds of a save early and late.
"""

import json
import os
import random
import sqlite3
import statistics
import sys
import time

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph_savers import CONNECTION, Thread

WINDOW = 500


def message(number):
    chance = random.Random(number)
    words = ["the", "run", "of", "a", "graph", "keeps", "state"]
    text = ""
    while len(text) < 500:
        text += f"{chance.choice(words)} {chance.getrandbits(12):x} "
    return {"role": "user", "content": text[:500]}


def save_all(saver, count):
    thread, times = Thread("conversation", {"messages": []}), []
    for step in range(1, count + 1):
        thread.state["messages"].append(message(step))
        start = time.perf_counter()
        thread.config = saver.put(*thread.next(step))
        times.append((time.perf_counter() - start) * 1_000)
    early, late = times[100:100 + WINDOW] or times, times[-WINDOW:]
    return {"early_ms": statistics.median(early), "late_ms": statistics.median(late),
            "last_bytes": len(json.dumps(thread.state["messages"]))}


def sqlite(path, count):
    connection = sqlite3.connect(path, check_same_thread=False)
    saver = SqliteSaver(connection)
    saver.setup()
    found = save_all(saver, count)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return found | {"bytes": os.path.getsize(path)}


def postgres(url, count):
    with psycopg.connect(url, **CONNECTION) as connection:
        saver = PostgresSaver(connection)
        saver.setup()
        found = save_all(saver, count)
        sizes = "SELECT sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class " \
            "WHERE relname LIKE 'checkpoint%' AND relkind = 'r'"
        return found | connection.execute(sizes).fetchone()


name, database, count = sys.argv[1:]
print(json.dumps({"SqliteSaver": sqlite, "PostgresSaver": postgres}[name](database, int(count))))
