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
        self.ask(
            "save",
            namespace=namespace_of(config),
            id=checkpoint_id,
            parent=get_checkpoint_id(config),
            state=self.state_of(checkpoint),
            metadata=get_checkpoint_metadata(config, metadata),
        )
        return config_of(namespace_of(config), checkpoint_id)

    async def aget_tuple(self, config):
        found = self.ask("load", namespace=namespace_of(config), id=get_checkpoint_id(config))
        return found and self.tuple_of(found)

    async def alist(self, config, *, filter=None, before=None, limit=None):
        if config is None or get_checkpoint_id(config):
            raise NotImplementedError("no case of the suite lists all threads, or one checkpoint")
        listed = self.ask(
            "list",
            namespace=namespace_of(config),
            before=before and get_checkpoint_id(before),
            limit=limit,
            metadata=filter or {},
        )
        for found in listed:
            yield self.tuple_of(found)

    async def adelete_thread(self, thread_id):
        self.ask("delete_thread", thread=thread_id)

    async def acopy_thread(self, source_thread_id, target_thread_id):
        self.ask("copy_thread", thread=source_thread_id, new_thread=target_thread_id)

    async def aprune(self, thread_ids, *, strategy="keep_latest"):
        self.ask("prune", threads=list(thread_ids), strategy=strategy)

    # With these two the suite takes us for a checkpointer that has them, and runs their cases.

    async def aput_writes(self, config, writes, task_id, task_path=""):
        raise NotImplementedError("writes beside a checkpoint")

    async def adelete_for_runs(self, run_ids):
        raise NotImplementedError("deletion by run")

    def state_of(self, checkpoint):
        """Returns a checkpoint as JSON, with its channel values as the serializer writes them."""
        values = checkpoint["channel_values"].items()
        typed = {name: self.serde.dumps_typed(value) for name, value in values}
        texts = {name: [kind, base64.b64encode(data).decode()] for name, (kind, data) in typed.items()}
        return {**checkpoint, "channel_values": texts}

    def checkpoint_of(self, state):
        texts = state["channel_values"].items()
        typed = {name: (kind, base64.b64decode(text)) for name, (kind, text) in texts}
        values = {name: self.serde.loads_typed(value) for name, value in typed.items()}
        return {**state, "channel_values": values}

    def tuple_of(self, found):
        parent = found["parent"]
        return CheckpointTuple(
            config=config_of(found["namespace"], found["id"]),
            checkpoint=self.checkpoint_of(found["state"]),
            metadata=found["metadata"],
            parent_config=parent and config_of(found["namespace"], parent),
        )


def namespace_of(config):
    """Returns the thread and the namespace in it; every case of the suite names both."""
    return [config["configurable"]["thread_id"], config["configurable"]["checkpoint_ns"]]


def config_of(namespace, checkpoint_id):
    thread_id, name = namespace
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": name, "checkpoint_id": checkpoint_id}}


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
