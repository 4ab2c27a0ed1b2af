"""The checkpointer for LangGraph."""

import asyncio
import dataclasses
import inspect
import os
import sqlite3
import subprocess
import sys
import threading
import uuid
from pathlib import Path
from random import Random
from typing import Annotated

import pytest
from conftest import on_postgres
from typing_extensions import TypedDict

pytest.importorskip("langgraph.checkpoint.base")

from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint  # noqa: E402
from langgraph.checkpoint.base.id import uuid6  # noqa: E402
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer  # noqa: E402

from sectile import Error  # noqa: E402
from sectile.errors import IdConflictError, InvalidArgumentError, UnencodableError  # noqa: E402
from sectile.langgraph import SectileSaver  # noqa: E402

CASES = 81


def by_calls_that_wait():
    """The saver, whose awaited methods call those that are not."""

    def awaited(name):
        async def call(self, *given, **named):
            return getattr(self, name)(*given, **named)

        return call

    async def alist(self, *given, **named):
        for found in self.list(*given, **named):
            yield found

    names = ["get_tuple", "put", "put_writes", "delete_thread", "delete_for_runs", "copy_thread", "prune"]
    return type("ByCallsThatWait", (SectileSaver,), {f"a{name}": awaited(name) for name in names} | {"alist": alist})


@pytest.mark.parametrize("kind", [SectileSaver, by_calls_that_wait()])
def test_every_case_of_langgraphs_own_suite(database, kind):
    conformance = pytest.importorskip("langgraph.checkpoint.conformance")
    from langgraph.checkpoint.conformance.report import ProgressCallbacks

    @conformance.checkpointer_test(name="Sectile")
    async def savers():
        yield kind.from_conn_string(database)

    results = []
    note = lambda capability, case, passed, error: results.append((capability, case, error))  # noqa: E731
    asyncio.run(conformance.validate(savers, progress=ProgressCallbacks(on_test_result=note)))
    assert [result for result in results if result[2]] == []
    assert len(results) == CASES


# What LangGraph does with the other methods.
INHERITED = {"get", "aget", "get_delta_channel_history", "aget_delta_channel_history", "with_allowlist"}


def test_every_method_of_langgraphs_base_is_there_with_its_arguments():
    methods = {name for name, _ in inspect.getmembers(BaseCheckpointSaver, callable) if not name.startswith("_")}
    assert {name for name in methods if getattr(SectileSaver, name) is getattr(BaseCheckpointSaver, name)} == INHERITED
    for name in methods:
        own, base = (inspect.signature(getattr(each, name)).parameters for each in (SectileSaver, BaseCheckpointSaver))
        assert [*own] == [*base], name
        assert [one.kind for one in own.values()] == [one.kind for one in base.values()], name
        for one in base:
            assert own[one].default == base[one].default, name


def test_what_is_inherited_works(database):
    saver = SectileSaver.from_conn_string(database)
    place = saver.put(config("t"), checkpoint(1, {"x": [1]}), {"step": 1}, {})
    saver.put_writes(place, [("y", "a")], "task")
    place = saver.put(place, checkpoint(2, {"x": [1]}), {"step": 2}, {})
    saver.put_writes(place, [("y", "b")], "task")
    newest = saver.put(place, checkpoint(3, {"x": [1]}), {"step": 3}, {})
    assert saver.get(newest) == saver.get_tuple(newest).checkpoint == asyncio.run(saver.aget(newest))
    assert saver.get(config("none")) is None
    history = saver.get_delta_channel_history(config=newest, channels=["x", "y"])
    assert [value for _, _, value in history["y"]["writes"]] == ["a", "b"] and "seed" not in history["y"]
    assert history["x"] == {"writes": [], "seed": [1]}
    assert asyncio.run(saver.aget_delta_channel_history(config=newest, channels=["x", "y"])) == history
    assert saver.config_specs == BaseCheckpointSaver().config_specs


@dataclasses.dataclass
class Kept:
    value: int


def test_a_clone_with_other_types_reads_what_the_saver_wrote(database):
    strict = JsonPlusSerializer(allowed_msgpack_modules=None)
    saver = SectileSaver.from_conn_string(database, serde=strict)
    clone = saver.with_allowlist([(Kept.__module__, Kept.__name__)])
    assert type(clone) is SectileSaver and clone is not saver
    place = clone.put(config("t"), checkpoint(1, {"x": Kept(1)}), {"step": 1}, {})
    assert clone.get_tuple(place).checkpoint["channel_values"] == {"x": Kept(1)}
    assert saver.get_tuple(place).checkpoint["channel_values"] != {"x": Kept(1)}
    assert saver.with_allowlist([]) is saver
    saver.close()
    with pytest.raises(Error):
        clone.get_tuple(place)
    clone.close()
    saver.close()


def config(thread, checkpoint_id=None):
    place = {"thread_id": thread, "checkpoint_ns": ""}
    return {"configurable": place | ({"checkpoint_id": checkpoint_id} if checkpoint_id else {})}


def checkpoint(step, values):
    version = f"{step:032}"
    return empty_checkpoint() | {
        "id": str(uuid6(clock_seq=step)),
        "channel_values": values,
        "channel_versions": dict.fromkeys(values, version),
    }


def test_a_conversation_costs_what_it_has(tmp_path):
    saver = SectileSaver.from_conn_string(f"sqlite:{tmp_path}/runs.db")
    place, messages = config("t"), []
    for step in range(300):
        messages.append(f"{step} " + "words " * 80)
        place = saver.put(place, checkpoint(step, {"messages": messages}), {"source": "loop", "step": step}, {})
    assert saver.get_tuple(config("t")).checkpoint["channel_values"]["messages"] == messages
    size = sum(path.stat().st_size for path in Path(tmp_path).iterdir() if path.suffix == ".db")
    whole = sum(len(message) for message in messages)
    assert size < whole * 6


def test_all_threads_are_listed(database):
    saver = SectileSaver.from_conn_string(database)
    ids = []
    for step, thread in enumerate(["a", "b", "a", "c"]):
        made = checkpoint(step, {"x": step})
        saver.put(config(thread), made, {"source": "loop", "step": step, "user": thread}, {})
        ids.append(made["id"])
    child = {"configurable": {"thread_id": "b", "checkpoint_ns": "child:1"}}
    made = checkpoint(4, {"x": 4})
    saver.put(child, made, {"source": "loop", "step": 4, "user": "b"}, {})
    ids.append(made["id"])
    listed = [found.checkpoint["id"] for found in saver.list(None)]
    assert listed == ids[::-1]

    async def alisted():
        return [found.checkpoint["id"] async for found in saver.alist(None)]

    assert asyncio.run(alisted()) == listed
    assert [found.checkpoint["id"] for found in saver.list(None, limit=2)] == ids[:2:-1]
    assert [found.metadata["user"] for found in saver.list(None, filter={"user": "a"})] == ["a", "a"]
    assert [found.checkpoint["id"] for found in saver.list(None, before=config("a", ids[2]))] == ids[1::-1]


def test_a_dropped_await_leaves_a_whole_checkpoint_or_none(database):
    async def run():
        saver = SectileSaver.from_conn_string(database)
        for step in range(100):
            task = asyncio.ensure_future(saver.aput(config("t"), checkpoint(step, {"x": [step] * 50}), {"step": step}, {}))
            await asyncio.sleep(0.0002 * (step % 7))
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await saver.aput(config("t"), checkpoint(100, {"x": [100] * 50}), {"step": 100}, {})
        return [found async for found in saver.alist(config("t"))]

    for found in asyncio.run(run()):
        assert found.checkpoint["channel_values"]["x"] == [found.metadata["step"]] * 50


def test_the_latest_ones_are_listed_without_the_rest(database):
    saver = SectileSaver.from_conn_string(database)
    for thread in ("a", "b"):
        place = config(thread)
        for step in range(70):
            made = checkpoint(step, {"step": step})
            place = saver.put(place, made, {"step": step, "even": True if step % 2 == 0 else None}, {})
    assert len(list(saver.list(None))) == 140
    assert [found.metadata["step"] for found in saver.list(config("a"))] == [*range(69, -1, -1)]
    assert [found.metadata["step"] for found in saver.list(config("b"), limit=40)] == [*range(69, 29, -1)]
    assert [found.metadata["step"] for found in saver.list(config("b"), before=place)] == [*range(68, -1, -1)]
    # An id that is that of no checkpoint of `a`.
    assert len(list(saver.list(config("a"), before=place, limit=3))) == 3
    for missing in ({"even": None}, {"even": None, "none": None}):
        assert [found.metadata["step"] for found in saver.list(config("a"), filter=missing, limit=3)] == [69, 67, 65]
    assert len(list(saver.list(config("a"), limit=-1))) == 70
    assert list(saver.list(config("a"), limit=0)) == []

    async def first():
        async for found in saver.alist(config("a")):
            return found.metadata["step"]

    assert asyncio.run(first()) == 69


# Lists all checkpoints, or those of a thread, and prints how many there are and by how much the memory of its process
# grew: states are in Rust as well as in Python.
LISTING = """
import sys
from pathlib import Path

from sectile.langgraph import SectileSaver


def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


saver = SectileSaver.from_conn_string(sys.argv[1])
place = {"configurable": {"thread_id": sys.argv[2], "checkpoint_ns": ""}} if sys.argv[2:] else None
before = peak()
print(sum(1 for _ in saver.list(place)), peak() - before)
"""

# 400 states of 450 kB: all of them have 180 MB, and 32 have 15 MB, in Rust and in Python.
STATES = 400
MOST_MEMORY = 120_000_000


def state(step):
    return checkpoint(step, {"value": f"{step:03}" * 150_000})


def memory_of_listing(*arguments):
    if not Path("/proc/self/status").exists():
        pytest.skip("nothing says how much memory a process had")
    command = [sys.executable, "-c", LISTING, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    count, memory = done.stdout.split()
    assert int(count) == STATES
    return int(memory)


def test_a_listing_holds_some_checkpoints_only(tmp_path):
    database = f"sqlite:{tmp_path}/runs.db"
    saver = SectileSaver.from_conn_string(database)
    place = config("t")
    for step in range(STATES):
        place = saver.put(place, state(step), {"step": step}, {})
    assert memory_of_listing(database, "t") < MOST_MEMORY


def test_a_listing_of_many_threads_holds_some_states_only(tmp_path):
    database = f"sqlite:{tmp_path}/runs.db"
    saver = SectileSaver.from_conn_string(database)
    for step in range(STATES):
        saver.put(config(f"{step}"), state(step), {"step": step}, {})
    assert memory_of_listing(database) < MOST_MEMORY
    assert [found.metadata["step"] for found in saver.list(None)] == [*range(STATES - 1, -1, -1)]
    assert [found.checkpoint["channel_values"]["value"][:3] for found in saver.list(None, limit=2)] == ["399", "398"]
    listed = saver.list(None)
    assert next(listed).metadata["step"] == 399
    saver.delete_thread("150")
    assert [found.metadata["step"] for found in listed] == [step for step in range(398, -1, -1) if step != 150]


def savers_of_langgraph():
    """LangGraph's own savers, empty."""
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.checkpoint.sqlite import SqliteSaver

    sqlite = SqliteSaver(sqlite3.connect(":memory:", check_same_thread=False))
    sqlite.setup()
    return [InMemorySaver(), sqlite]


def ids_of(tuples):
    return [found.checkpoint["id"] for found in tuples]


def put_ids(saver, ids, thread="t"):
    for step, checkpoint_id in enumerate(ids):
        made = checkpoint(step, {"messages": [f"{at} " * 40 for at in range(40)]}) | {"id": checkpoint_id}
        saver.put(config(thread), made, {"source": "loop", "step": step, "half": step % 2 == 0}, {})


def paged(saver, size, **options):
    """All ids of a thread, by pages."""
    found, before = [], None
    while page := ids_of(saver.list(config("t"), before=before, limit=size, **options)):
        found += page
        before = config("t", page[-1])
    return found


@pytest.mark.parametrize("seed", range(6))
def test_the_newest_is_the_greatest_id_in_whatever_order_they_were_saved(database, seed):
    ids = [f"{at:03}" for at in range(70)]
    Random(seed).shuffle(ids)
    saver, *others = SectileSaver.from_conn_string(database), *savers_of_langgraph()
    for one in (saver, *others):
        put_ids(one, ids)
    lists = [dict(limit=limit) for limit in (0, 1, 31, 32, 33, 70)]
    lists += [dict(before=config("t", before)) for before in ("000", "001", "035", "069", "07")]
    lists += [dict(before=config("t", "050"), limit=5), dict(filter={"half": True}), dict(filter={"step": 7})]
    lists += [dict(filter={"half": 1, "source": "loop"}, limit=3, before=config("t", "040"))]
    for other in others:
        assert saver.get_tuple(config("t")).checkpoint["id"] == other.get_tuple(config("t")).checkpoint["id"] == "069"
        for options in [{}, *lists]:
            assert ids_of(saver.list(config("t"), **options)) == ids_of(other.list(config("t"), **options)), options
    for size in (1, 7, 33):
        assert paged(saver, size) == sorted(ids, reverse=True)
        assert paged(saver, size, filter={"half": True}) == sorted(ids[::2], reverse=True)
    saver.prune(["t"])
    assert ids_of(saver.list(config("t"))) == ["069"]
    assert saver.get_tuple(config("t")).checkpoint["id"] == "069"


def test_a_clock_that_is_behind_hides_no_checkpoint(database):
    saver = SectileSaver.from_conn_string(database)
    put_ids(saver, "bca")
    assert ids_of([saver.get_tuple(config("t"))]) == ["c"]
    assert ids_of(saver.list(config("t"), limit=1)) == ["c"]
    assert ids_of(saver.list(config("t"), before=config("t", "b"))) == ["a"]
    saver.prune(["t"])
    assert ids_of(saver.list(config("t"))) == ["c"]


def test_runs_of_one_thread_at_once_leave_a_history_in_order(database):
    from langgraph.graph import START, StateGraph

    class State(TypedDict):
        steps: Annotated[list, lambda one, other: one + other]

    async def node(state):
        await asyncio.sleep(0)
        return {"steps": ["step"]}

    saver = SectileSaver.from_conn_string(database)
    graph = StateGraph(State).add_node("a", node).add_node("b", node).add_edge(START, "a").add_edge("a", "b")
    graph = graph.compile(checkpointer=saver)

    async def run(thread):
        place = {"configurable": {"thread_id": thread}}
        await asyncio.gather(*[graph.ainvoke({"steps": [str(run)]}, place) for run in range(4)])
        id_of = lambda found: found.config["configurable"]["checkpoint_id"]  # noqa: E731
        history = [id_of(found) async for found in graph.aget_state_history(place)]
        assert history == sorted(history, reverse=True)
        assert id_of(await graph.aget_state(place)) == history[0]
        pages, before = [], None
        while page := [found async for found in graph.aget_state_history(place, limit=3, before=before)]:
            pages += map(id_of, page)
            before = page[-1].config
        assert pages == history

    for thread in "abcd":
        asyncio.run(run(thread))


def test_a_checkpoint_is_listed_by_its_id_whatever_its_namespace(database):
    saver = SectileSaver.from_conn_string(database)
    made = checkpoint(1, {"x": 1})
    for namespace in ("", "child:1"):
        place = {"configurable": {"thread_id": "t", "checkpoint_ns": namespace}}
        saver.put(place, checkpoint(0, {"x": 0}), {"step": 0}, {})
        saver.put(place, made, {"step": 1, "at": namespace}, {})
    saver.put(config("other"), made, {"step": 1}, {})
    anywhere = {"configurable": {"thread_id": "t", "checkpoint_id": made["id"]}}

    def listed(place, **options):
        return sorted(found.config["configurable"]["checkpoint_ns"] for found in saver.list(place, **options))

    async def alisted():
        return [found async for found in saver.alist(anywhere)]

    assert listed(anywhere) == ["", "child:1"] and len(asyncio.run(alisted())) == 2
    assert listed(config("t", made["id"])) == [""]
    assert listed(anywhere, filter={"at": "child:1"}) == ["child:1"]
    assert len(listed(anywhere, limit=1)) == 1 and listed(anywhere, limit=0) == []
    assert listed(anywhere, before=config("t", made["id"])) == []
    assert listed({"configurable": {"thread_id": "t", "checkpoint_id": str(uuid6())}}) == []


def test_one_id_is_not_taken_for_several(database):
    saver = SectileSaver.from_conn_string(database)
    for thread in ("t", "h", "th"):
        saver.put(config(thread), checkpoint(1, {"x": 1}), {"step": 1, "run_id": thread}, {})
    for call in (
        lambda: saver.prune("th", strategy="delete"),
        lambda: saver.delete_for_runs("th"),
        lambda: asyncio.run(saver.aprune("th", strategy="delete")),
        lambda: asyncio.run(saver.adelete_for_runs("th")),
    ):
        with pytest.raises(TypeError, match=r"\['th'\]"):
            call()
    with pytest.raises(ValueError, match="keep_latest or delete"):
        saver.prune([], strategy="all")
    assert len(list(saver.list(None))) == 3
    saver.prune(["th"], strategy="delete")
    assert len(list(saver.list(None))) == 2


def test_values_are_serialized_beside_the_event_loop(database):
    threads = set()

    class Watched(JsonPlusSerializer):
        def dumps_typed(self, value):
            threads.add(threading.get_ident())
            return super().dumps_typed(value)

        def loads_typed(self, data):
            threads.add(threading.get_ident())
            return super().loads_typed(data)

    async def run():
        saver = SectileSaver.from_conn_string(database, serde=Watched())
        place = await saver.aput(config("t"), checkpoint(1, {"x": [1]}), {"step": 1}, {})
        await saver.aput_writes(place, [("x", 2)], "task")
        found = await saver.aget_tuple(place)
        return found, [found async for found in saver.alist(config("t"))]

    found, listed = asyncio.run(run())
    assert found.checkpoint["channel_values"] == {"x": [1]} and found.pending_writes == [("task", "x", 2)]
    assert listed == [found]
    assert threads and threading.get_ident() not in threads


def test_numbers_of_metadata_stay_as_they_are(database):
    saver = SectileSaver.from_conn_string(database)
    kept = {"large": 2**64 - 1, "small": -(2**63), "nested": [{"true": True}, 1.0]}
    saver.put(config("t"), checkpoint(1, {}), kept, {})
    assert saver.get_tuple(config("t")).metadata == kept
    for wrong in (2**64, -(2**63) - 1):
        with pytest.raises(UnencodableError) as refused:
            saver.put(config("t"), checkpoint(2, {}), {"a": [0, {"b": wrong}]}, {})
        assert (refused.value.thread_id, refused.value.path) == ("t", "metadata.a[1].b")


def test_filters_find_what_python_calls_equal(database):
    """As LangGraph's own saver in memory does; of what is no list and no dictionary, that in SQLite too."""
    from langgraph.checkpoint.memory import InMemorySaver

    large = 2**53
    values = [1, 1.0, True, 0, 0.0, -0.0, False, "1", "true", "", None, 2, 2.0, 1.5, large, float(large), large + 1]
    values += [2**64 - 1, -(2**63), 1e300, [1, 2], [1.0, True, 2], [], {}, {"a": 1}, {"a": True}, {"a": 1, "b": None}]
    saver, theirs = SectileSaver.from_conn_string(database), InMemorySaver()
    for step, value in enumerate(values):
        for one in (saver, theirs):
            one.put(config("t"), checkpoint(step, {}), {"n": value, "step": step, "odd": step % 2}, {})
    for one in (saver, theirs):
        one.put(config("t"), checkpoint(len(values), {}), {"step": len(values), "odd": 0}, {})

    def steps(saver, wanted, **options):
        return [found.metadata["step"] for found in saver.list(config("t"), filter=wanted, **options)]

    for value in [*values, 3, [True, 2.0], "none"]:
        for more in ({}, {"odd": True}, {"odd": 0.0, "none": None}, {"step": 1.0}):
            wanted = {"n": value, **more}
            assert steps(saver, wanted) == steps(theirs, wanted), wanted
            assert steps(saver, wanted, limit=2) == steps(theirs, wanted, limit=2), wanted
    assert steps(saver, {"n": 1}) == [2, 1, 0] and steps(saver, {"n": [1, 2]}) == [20]
    assert steps(saver, {"n": True, "step": 1}) == [1]
    place = config("t", saver.get_tuple(config("t")).checkpoint["id"])
    assert [found.metadata["step"] for found in saver.list(place, filter={"odd": False})] == [len(values)]
    assert list(saver.list(place, filter={"odd": 1.0})) == []


def test_ids_may_be_numbers_and_uuids(database):
    saver = SectileSaver.from_conn_string(database)
    first, second, task = uuid.UUID(int=1), uuid.UUID(int=2), uuid.UUID(int=3)
    place = {"configurable": {"thread_id": 7, "checkpoint_ns": ""}}
    saver.put(place, checkpoint(1, {"x": 1}) | {"id": first}, {"step": 1, "user": str(task)}, {})
    of_first = {"configurable": place["configurable"] | {"checkpoint_id": first}}
    for _ in range(2):
        saver.put(of_first, checkpoint(2, {"x": 2}) | {"id": second, "ts": "now"}, {"step": 2}, {})
        saver.put_writes(of_first, [("x", 3)], task)
    found = saver.get_tuple(of_first)
    assert (found.metadata["step"], found.checkpoint["id"]) == (1, first)
    assert found.pending_writes == [(str(task), "x", 3)]
    newest = saver.get_tuple(place)
    assert newest.metadata["step"] == 2 and newest.parent_config == found.config
    assert saver.get_tuple({"configurable": place["configurable"] | {"checkpoint_id": ""}}) == newest
    assert asyncio.run(saver.aget_tuple(of_first)) == found
    assert list(saver.list(place)) == [newest, found] == list(saver.list({"configurable": {"thread_id": "7"}}))
    assert list(saver.list(of_first)) == [found]
    before = {"configurable": place["configurable"] | {"checkpoint_id": second}}
    assert list(saver.list(place, before=before)) == [found]
    assert list(saver.list(None, filter={"user": task})) == [found]
    saver.copy_thread(7, 8)
    saver.delete_thread(7)
    assert [one.config["configurable"]["thread_id"] for one in saver.list(None)] == ["8", "8"]


def test_namespaces_are_those_of_graphs_in_graphs(database):
    saver = SectileSaver.from_conn_string(database)
    nested = "|".join(f"researcher_{at}:{uuid.UUID(int=at)}" for at in range(40))
    names = ["", "child", "child:1", "child|grandchild:2", "|", ":", "漢字 %_\\'\"", nested]
    for step, name in enumerate(names):
        place = {"configurable": {"thread_id": "t", "checkpoint_ns": name}}
        saved = saver.put(place, checkpoint(step, {"of": name}), {"step": step}, {})
        saver.put_writes(saved, [("of", name)], "task")
    for step, name in enumerate(names):
        place = {"configurable": {"thread_id": "t", "checkpoint_ns": name}}
        found = saver.get_tuple(place)
        assert (found.checkpoint["channel_values"], found.pending_writes) == ({"of": name}, [("task", "of", name)])
        assert found.config["configurable"]["checkpoint_ns"] == name
        assert [one.metadata["step"] for one in saver.list(place)] == [step]
    assert len(list(saver.list({"configurable": {"thread_id": "t"}}))) == len(names)
    saver.copy_thread("t", "copy")
    saver.prune(["t"])
    assert len(list(saver.list(None))) == 2 * len(names)
    with pytest.raises(InvalidArgumentError, match="2559 bytes"):
        saver.put({"configurable": {"thread_id": "t", "checkpoint_ns": "x" * 2560}}, checkpoint(9, {}), {}, {})


def test_any_value_and_version_loads_as_it_was_saved(database):
    saver = SectileSaver.from_conn_string(database)
    values = {"none": None, "empty": {}, "list": [], "text": "", "zero": 0, "": "no name", "long": [None] * 50}
    versions = {"none": 1, "empty": 2.5, "list": "3.0.5", "text": f"{4:032}.{5:016}", "gone": 6, "long": None}
    made = empty_checkpoint() | {"channel_values": values, "channel_versions": versions}
    place = saver.put(config("t"), made, {}, versions)
    assert saver.get_tuple(place).checkpoint == made
    saver.put_writes(place, [("none", None), ("list", []), ("text", "")], "task")
    assert [value for _, _, value in saver.get_tuple(place).pending_writes] == [None, [], ""]
    # What LangGraph's savers take as well.
    bare = {"id": str(uuid6()), "ts": "now"}
    for _ in range(2):
        assert saver.get_tuple(saver.put(place, bare, {}, {})).checkpoint == bare | {"channel_values": {}}
    for current in (None, 3, 3.7, "3", f"{3:032}.5"):
        later = saver.get_next_version(current, None)
        assert int(later) == (1 if current is None else 4)


@pytest.mark.parametrize(
    "wrong", [float("nan"), float("-inf"), uuid.UUID(int=1), {1, 2}, b"bytes", "half \ud83d", object()]
)
def test_metadata_that_would_not_load_is_refused_with_its_path(tmp_path, wrong):
    saver = SectileSaver.from_conn_string(f"sqlite:{tmp_path}/runs.db")
    with pytest.raises(UnencodableError) as refused:
        saver.put(config("t"), checkpoint(1, {}), {"a": [{"b": wrong}]}, {})
    assert (refused.value.thread_id, refused.value.path) == ("t", "metadata.a[0].b")
    assert saver.get_tuple(config("t")) is None
    kept = {"pair": ("\U0001f600", None), 3: True, "zero": "\x00a"}
    saver.put(config("t"), checkpoint(1, {}), {"kept": kept}, {})
    assert saver.get_tuple(config("t")).metadata == {"kept": {"pair": ["\U0001f600", None], "3": True, "zero": "\x00a"}}


@pytest.mark.parametrize("where", ["metadata", "configurable"])
def test_what_a_run_wrote_goes_with_it(database, where):
    saver = SectileSaver.from_conn_string(database)
    kept = checkpoint(1, {"x": 1})
    saver.put(config("t"), kept, {"step": 1, "run_id": ""}, {})
    of_run = config("t", kept["id"])
    of_run.setdefault(where, {})["run_id"] = "run"
    saver.put_writes(of_run, [("x", 2)], "task")
    saver.put(of_run, checkpoint(2, {"x": 2}), {"step": 2}, {})
    assert saver.get_tuple(config("t", kept["id"])).pending_writes
    saver.delete_for_runs(["run"])
    found = saver.get_tuple(config("t"))
    assert (found.checkpoint["id"], found.pending_writes) == (kept["id"], [])


def test_errors_say_what_they_are_about(database):
    saver = SectileSaver.from_conn_string(database)
    made = checkpoint(1, {"x": 1})
    for _ in range(2):
        saver.put(config("t"), made, {"step": 1}, {})
    with pytest.raises(IdConflictError) as conflict:
        saver.put(config("t"), made, {"step": 2}, {})
    error = conflict.value
    assert (error.thread_id, error.id, error.seq, error.differs) == ("t", made["id"], 1, ["metadata"])


class TestDeltaChannels:
    """State that is made of the writes of many checkpoints."""

    def graph(self, saver, frequency=1000):
        graphs = pytest.importorskip("langgraph.graph")
        delta = pytest.importorskip("langgraph.channels.delta")
        add = lambda state, writes: [*(state or []), *(one for write in writes for one in write)]  # noqa: E731
        state = TypedDict("State", {"xs": Annotated[list, delta.DeltaChannel(add, snapshot_frequency=frequency)]})
        graph = graphs.StateGraph(state)
        graph.add_node("go", lambda _: {"xs": ["go"]})
        graph.add_edge(graphs.START, "go")
        for name in "hgfedcba":
            graph.add_node(name, lambda _, name=name: {"xs": [name]})
            graph.add_edge("go", name)
        return graph.compile(checkpointer=saver)

    def run(self, graph, run, **options):
        return graph.invoke({"xs": [run]}, config("t") | {"metadata": {"run_id": run}}, **options)["xs"]

    @pytest.mark.parametrize("durability", ["sync", "async", "exit"])
    def test_writes_load_in_the_order_in_which_they_were_applied(self, database, durability):
        graph = self.graph(SectileSaver.from_conn_string(database))
        for run in "12":
            state = self.run(graph, run, durability=durability)
            assert graph.get_state(config("t")).values["xs"] == state

    @pytest.mark.parametrize("frequency", [1, 2, 3, 5, 1000])
    def test_pruning_keeps_what_the_newest_needs(self, database, frequency):
        saver = SectileSaver.from_conn_string(database)
        graph = self.graph(saver, frequency)
        for run in "123":
            state = self.run(graph, run)
        before = len(list(saver.list(config("t"))))
        saver.prune(["t"])
        assert graph.get_state(config("t")).values["xs"] == state
        after = len(list(saver.list(config("t"))))
        assert after == before if frequency == 1000 else after < before
        assert self.run(graph, "4")[: len(state)] == state

    def test_a_run_that_a_later_one_needs_is_not_deleted(self, database):
        saver = SectileSaver.from_conn_string(database)
        graph = self.graph(saver)
        first, second = self.run(graph, "1"), self.run(graph, "2")
        with pytest.raises(InvalidArgumentError, match="`1`.*DeltaChannel") as refused:
            saver.delete_for_runs(["1"])
        assert refused.value.argument == "run_ids"
        assert graph.get_state(config("t")).values["xs"] == second
        saver.delete_for_runs(["2"])
        assert graph.get_state(config("t")).values["xs"] == first
        self.run(graph, "2")
        saver.delete_for_runs(["1", "2"])
        assert saver.get_tuple(config("t")) is None


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def source(request, tmp_path):
    """A saver of LangGraph's own."""
    if request.param == "memory":
        from langgraph.checkpoint.memory import InMemorySaver

        yield InMemorySaver()
    elif request.param == "sqlite":
        from langgraph.checkpoint.sqlite import SqliteSaver

        with SqliteSaver.from_conn_string(str(tmp_path / "langgraph.db")) as saver:
            yield saver
    else:
        from langgraph.checkpoint.postgres import PostgresSaver

        with PostgresSaver.from_conn_string(on_postgres(request.node.nodeid)) as saver:
            saver.setup()
            yield saver


def all_of(saver):
    """What a saver has, as far as its own tables say it."""
    found = {}
    for one in saver.list(None):
        place = one.config["configurable"]
        parent = one.parent_config and one.parent_config["configurable"]["checkpoint_id"]
        key = place["thread_id"], place["checkpoint_ns"], place["checkpoint_id"]
        found[key] = one.checkpoint, one.metadata, parent, sorted(one.pending_writes or [], key=str)
    return found


def test_what_langgraph_kept_is_taken_over(source, database):
    for thread in ("a", "b"):
        place = config(thread)
        for step in range(40):
            values = {"messages": [f"{thread} {at}" for at in range(step)], "step": step}
            version = f"{step:032}"
            place = source.put(
                place, checkpoint(step, values), {"source": "loop", "step": step}, dict.fromkeys(values, version)
            )
            source.put_writes(place, [("messages", step), ("step", None)], f"task {step}")
        source.put_writes(place, [("__interrupt__", "why?")], "asks")
    saver = SectileSaver.from_conn_string(database)
    for _ in range(2):
        assert saver.import_checkpoints(source) == 80
        assert all_of(saver) == all_of(source)
    assert saver.get_tuple(config("b")).checkpoint["channel_values"]["step"] == 39


def test_an_import_can_be_repeated_whatever_the_bytes(tmp_path):
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.checkpoint.serde.encrypted import EncryptedSerializer

    class Salted:
        """Bytes that are others each time."""

        def encrypt(self, text):
            salt = os.urandom(8)
            return "salted", salt + text

        def decrypt(self, name, text):
            return text[8:]

    source, place = InMemorySaver(), config("t")
    for step in range(3):
        made = checkpoint(step, {"step": step})
        place = source.put(place, made, {"step": step}, {"step": f"{step:032}"})
    for at, task in enumerate("zyx"):
        source.put_writes(place, [("step", at)], task, f"path {at}")
    saver = SectileSaver.from_conn_string(f"sqlite:{tmp_path}/runs.db", serde=EncryptedSerializer(Salted()))
    for _ in range(2):
        assert saver.import_checkpoints(source) == 3
        assert [task for task, _, _ in saver.get_tuple(config("t")).pending_writes] == ["z", "y", "x"]
    # The same save again is no conflict either, and another one is.
    before = source.get_tuple(place).parent_config
    saver.put(before, made, {"step": 2}, {})
    asyncio.run(saver.aput(before, made, {"step": 2}, {}))
    with pytest.raises(IdConflictError):
        saver.put(before, made | {"channel_values": {"step": 7}}, {"step": 2}, {})


def test_what_is_encrypted_is_not_in_the_file(tmp_path):
    from langgraph.checkpoint.serde.encrypted import EncryptedSerializer

    class Mask:
        """No cipher, but what LangGraph takes for one."""

        def encrypt(self, text):
            return "mask", bytes(byte ^ 0x5A for byte in text)

        def decrypt(self, name, text):
            assert name == "mask"
            return bytes(byte ^ 0x5A for byte in text)

    url = f"sqlite:{tmp_path}/runs.db"
    saver = SectileSaver.from_conn_string(url, serde=EncryptedSerializer(Mask()))
    values = {"messages": [f"whisper {at}" for at in range(50)], "one": "whisper"}
    place = saver.put(config("t"), checkpoint(1, values), {"source": "loop"}, {})
    saver.put_writes(place, [("one", "whisper again")], "task")
    found = saver.get_tuple(config("t"))
    assert found.checkpoint["channel_values"] == values
    assert found.pending_writes == [("task", "one", "whisper again")]
    assert all(b"whisper" not in path.read_bytes() for path in tmp_path.glob("runs.db*"))


def test_a_saver_is_closed_once_and_for_all(database):
    async def opened():
        async with await SectileSaver.afrom_conn_string(database) as saver:
            await saver.aput(config("t"), checkpoint(1, {"x": 1}), {"step": 1}, {})
        await saver.aclose()
        return saver

    saver = asyncio.run(opened())
    saver.close()
    with pytest.raises(Error):
        saver.get_tuple(config("t"))
    with SectileSaver.from_conn_string(database) as again:
        assert again.get_tuple(config("t")).metadata == {"step": 1}


def test_twenty_processes_set_up_at_once(database):
    program = "import sys; from sectile.langgraph import SectileSaver; SectileSaver.from_conn_string(sys.argv[1])"
    command = [sys.executable, "-c", program, database]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(20)]
    assert [process.communicate()[1].decode() for process in processes] == [""] * 20


def test_errors_say_their_kind(tmp_path):
    with pytest.raises(Error) as raised:
        SectileSaver.from_conn_string("postgres://postgres:wrong@127.0.0.1:1/none")
    assert raised.value.kind == "Unavailable"
    assert raised.value.is_retryable


def test_a_forked_process_is_told_to_connect(tmp_path):
    saver = SectileSaver.from_conn_string(f"sqlite:{tmp_path}/runs.db")
    child = os.fork()
    if child == 0:
        try:
            saver.get_tuple(config("t"))
        except RuntimeError:
            SectileSaver.from_conn_string(f"sqlite:{tmp_path}/runs.db").get_tuple(config("t"))
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
