"""Runs LangGraph's conformance suite on one of our checkpointers.

    saver.py BRIDGE URL

BRIDGE is the program of benches/examples/checkpoint_bridge.rs, URL the database. Prints a JSON list
of [capability, case, error], where an error is nothing or a traceback.
"""

import asyncio
import base64
import json
import subprocess
import sys

from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.report import ProgressCallbacks


class Saver(BaseCheckpointSaver):
    """Passes each call to the bridge, one line of JSON each way, and waits for the answer.

    It turns channel values into text and back, and keeps and decides nothing.
    """

    def __init__(self, bridge):
        super().__init__()
        self.bridge = bridge

    def ask(self, verb, **arguments):
        """Returns what the bridge answers; raises what it reports."""
        self.bridge.stdin.write(json.dumps({"verb": verb, **arguments}) + "\n")
        self.bridge.stdin.flush()
        answer = json.loads(self.bridge.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["ok"]

    async def aput(self, config, checkpoint, metadata, new_versions):
        checkpoint_id = checkpoint["id"]
        versions = checkpoint["channel_versions"]
        values = checkpoint["channel_values"].items()
        self.ask(
            "save",
            key=key_of(config),
            id=checkpoint_id,
            parent=get_checkpoint_id(config),
            run=metadata.get("run_id"),
            rest={**checkpoint, "channel_values": {}},
            values={name: [str(versions.get(name, "")), self.typed(value)] for name, value in values},
            metadata=get_checkpoint_metadata(config, metadata),
        )
        return config_of(key_of(config), checkpoint_id)

    async def aput_writes(self, config, writes, task_id, task_path=""):
        self.ask(
            "write",
            key=key_of(config),
            id=get_checkpoint_id(config),
            task=task_id,
            path=task_path,
            writes=[[channel, self.typed(value)] for channel, value in writes],
        )

    async def aget_tuple(self, config):
        found = self.ask("load", key=key_of(config), id=get_checkpoint_id(config))
        return found and self.tuple_of(found)

    async def alist(self, config, *, filter=None, before=None, limit=None):
        if config is None or get_checkpoint_id(config):
            raise NotImplementedError("no case of the suite lists all threads, or one checkpoint")
        listed = self.ask(
            "list",
            key=key_of(config),
            before=before and get_checkpoint_id(before),
            limit=limit,
            metadata=filter or {},
        )
        for found in listed:
            yield self.tuple_of(found)

    async def adelete_thread(self, thread_id):
        self.ask("delete_thread", thread=thread_id)

    async def adelete_for_runs(self, run_ids):
        self.ask("delete_runs", runs=list(run_ids))

    async def acopy_thread(self, source_thread_id, target_thread_id):
        self.ask("copy_thread", thread=source_thread_id, new_thread=target_thread_id)

    async def aprune(self, thread_ids, *, strategy="keep_latest"):
        self.ask("prune", threads=list(thread_ids), strategy=strategy)

    def typed(self, value):
        """Returns a value as its kind and its bytes in base64."""
        kind, data = self.serde.dumps_typed(value)
        return [kind, base64.b64encode(data).decode()]

    def value(self, typed):
        kind, text = typed
        return self.serde.loads_typed((kind, base64.b64decode(text)))

    def tuple_of(self, found):
        values = {name: self.value(typed) for name, typed in found["values"].items()}
        writes = [(task, channel, self.value(typed)) for task, channel, typed, _ in found["writes"]]
        return CheckpointTuple(
            config=config_of(found["key"], found["id"]),
            checkpoint={**found["rest"], "channel_values": values},
            metadata=found["metadata"],
            parent_config=found["parent"] and config_of(found["key"], found["parent"]),
            pending_writes=writes,
        )


def key_of(config):
    """Returns the thread and the namespace in it; every case of the suite names both."""
    place = config["configurable"]
    return {"thread_id": place["thread_id"], "namespace": place["checkpoint_ns"]}


def config_of(key, checkpoint_id):
    place = {"thread_id": key["thread_id"], "checkpoint_ns": key["namespace"]}
    return {"configurable": {**place, "checkpoint_id": checkpoint_id}}


def run(command):
    """Runs every case, those of each capability with a bridge of their own; returns the results."""

    @checkpointer_test(name="Sectile")
    async def savers():
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bridge:
            yield Saver(bridge)

    results = []
    note = lambda capability, case, passed, error: results.append([capability, case, error])
    asyncio.run(validate(savers, progress=ProgressCallbacks(on_test_result=note)))
    return results


print(json.dumps(run(sys.argv[1:])))
