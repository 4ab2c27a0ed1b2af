"""A checkpointer for LangGraph, on SQLite and Postgres.

>>> from sectile.langgraph import SectileSaver
>>> import tempfile, os
>>> folder = tempfile.mkdtemp()
>>> saver = SectileSaver.from_conn_string("sqlite:" + os.path.join(folder, "runs.db"))
>>> saver.get_tuple({"configurable": {"thread_id": "1"}}) is None
True

Pass it to `compile(checkpointer=saver)`. One class serves `invoke` and `ainvoke`; it has all that LangGraph asks of a
checkpointer, with deletion by run, copying and pruning.
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple, get_checkpoint_metadata

from sectile._operation import done
from sectile._sectile import Checkpoints
from sectile.errors import IdConflictError, UnencodableError

__all__ = ["SectileSaver"]

# From how many entries on a list is kept entry by entry, so that one that grows is not stored anew.
LONG = 32


class SectileSaver(BaseCheckpointSaver):
    """Keeps the checkpoints of LangGraph's runs in a SQLite file or a Postgres database.

    What a step leaves as it was is stored once: a conversation costs what it has, not the square of that. Every
    checkpoint and write carries a hash that is checked when it is loaded. Where a call is awaited, values are serialized in
    other threads.
    """

    def __init__(self, checkpoints: Checkpoints, *, serde: Any = None) -> None:
        super().__init__(serde=serde)
        self._checkpoints = checkpoints
        # A copy, such as LangGraph makes of a saver for a graph's types, has the same connections.
        self._closed = threading.Event()

    @classmethod
    def from_conn_string(
        cls,
        conn_string: str,
        *,
        serde: Any = None,
        schema: str | None = None,
        table_prefix: str = "",
        pgbouncer: bool = False,
        setup: bool = True,
    ) -> SectileSaver:
        """Connects to `sqlite:PATH` or `postgres://…`, and makes the tables unless `setup` is false.

        It waits for the database: on an event loop, `await SectileSaver.afrom_conn_string(url)`. `with` and `async with`
        close the connections at their end.
        """
        checkpoints = Checkpoints.connect(conn_string, schema=schema, table_prefix=table_prefix, pgbouncer=pgbouncer)
        saver = cls(checkpoints, serde=serde)
        if setup:
            saver.setup()
        return saver

    @classmethod
    async def afrom_conn_string(cls, conn_string: str, **options: Any) -> SectileSaver:
        """As `from_conn_string`, in another thread."""
        return await asyncio.to_thread(cls.from_conn_string, conn_string, **options)

    def __enter__(self) -> SectileSaver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> SectileSaver:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def close(self) -> None:
        """Closes the connections, once however often it is called. Other calls raise an error from then on."""
        if not self._closed.is_set():
            self._closed.set()
            self._checkpoints.close().wait()

    async def aclose(self) -> None:
        """As `close`."""
        if not self._closed.is_set():
            self._closed.set()
            await done(self._checkpoints.close())

    def setup(self) -> None:
        """Makes the tables, or brings them up to date. Any number of processes may do so at once."""
        self._checkpoints.migrate().wait()

    async def asetup(self) -> None:
        """As `setup`."""
        await done(self._checkpoints.migrate())

    def get_next_version(self, current: str | int | float | None, channel: None) -> str:
        """Returns a version that sorts behind `current`."""
        number = 0 if current is None else int(str(current).split(".")[0])
        return f"{number + 1:032}"

    def put(self, config, checkpoint, metadata, new_versions):
        saved = _config(*_key(config), str(checkpoint["id"]))
        try:
            self._put(config, checkpoint, metadata).wait()
        except IdConflictError:
            if not _is_repeated(self.get_tuple(saved), config, checkpoint, metadata):
                raise
        return saved

    async def aput(self, config, checkpoint, metadata, new_versions):
        saved = _config(*_key(config), str(checkpoint["id"]))
        try:
            await done(await asyncio.to_thread(self._put, config, checkpoint, metadata))
        except IdConflictError:
            if not _is_repeated(await self.aget_tuple(saved), config, checkpoint, metadata):
                raise
        return saved

    def put_writes(self, config, writes, task_id, task_path=""):
        self._put_writes(config, writes, task_id, task_path).wait()

    async def aput_writes(self, config, writes, task_id, task_path=""):
        await done(await asyncio.to_thread(self._put_writes, config, writes, task_id, task_path))

    def get_tuple(self, config) -> CheckpointTuple | None:
        return self._tuple(self._get(config).wait())

    async def aget_tuple(self, config) -> CheckpointTuple | None:
        return await asyncio.to_thread(self._tuple, await done(self._get(config)))

    def list(self, config, *, filter=None, before=None, limit=None) -> Iterator[CheckpointTuple]:
        listing = self._list(config, filter, before, limit)
        while found := listing.next().wait():
            yield from map(self._tuple, found)

    async def alist(self, config, *, filter=None, before=None, limit=None) -> AsyncIterator[CheckpointTuple]:
        listing = self._list(config, filter, before, limit)
        while found := await done(listing.next()):
            for one in found:
                yield await asyncio.to_thread(self._tuple, one)

    def delete_thread(self, thread_id: str) -> None:
        self._checkpoints.delete_thread(str(thread_id)).wait()

    async def adelete_thread(self, thread_id: str) -> None:
        await done(self._checkpoints.delete_thread(str(thread_id)))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        self._checkpoints.delete_runs(_several("run_ids", run_ids)).wait()

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        await done(self._checkpoints.delete_runs(_several("run_ids", run_ids)))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        self._checkpoints.copy_thread(str(source_thread_id), str(target_thread_id)).wait()

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await done(self._checkpoints.copy_thread(str(source_thread_id), str(target_thread_id)))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        prune = self._pruner(strategy)
        for thread in _several("thread_ids", thread_ids):
            prune(thread).wait()

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        prune = self._pruner(strategy)
        for thread in _several("thread_ids", thread_ids):
            await done(prune(thread))

    def import_checkpoints(self, source: BaseCheckpointSaver) -> int:
        """Copies all checkpoints of another saver with their pending writes, oldest first, and returns how many.

        `SqliteSaver` and `PostgresSaver` read LangGraph's own tables. What was copied before stays as it is, so that an
        import that was broken off can be made again. Pending writes keep their order; a saver does not tell the paths
        of their tasks.
        """
        places = [found.config for found in source.list(None)]
        for place in reversed(places):
            found = source.get_tuple(place)
            if found is None:
                continue
            before = found.parent_config or _config(*_key(place), None)
            config = _config(*_key(place), found.checkpoint["id"])
            if self._get(config).wait() is None:
                self.put(before, found.checkpoint, found.metadata, {})
            tasks: dict[str, list] = {}
            for task, channel, value in found.pending_writes or []:
                tasks.setdefault(task, []).append((channel, value))
            for at, (task, writes) in enumerate(tasks.items()):
                self.put_writes(config, writes, task, f"{at:08}")
        return len(places)

    def _put(self, config, checkpoint, metadata):
        rest = {name: value for name, value in checkpoint.items() if name != "channel_values"}
        versions = checkpoint.get("channel_versions", {})
        values = [
            (name, str(versions.get(name, "")), self._given(value))
            for name, value in checkpoint.get("channel_values", {}).items()
        ]
        run = _run_id(config, metadata)
        metadata = get_checkpoint_metadata(config, metadata)
        _check_json(metadata, "metadata", _key(config)[0])
        return self._checkpoints.save(
            _key(config),
            (str(checkpoint["id"]), _id(config), run),
            self.serde.dumps_typed(rest),
            values,
            json.dumps(metadata),
        )

    def _put_writes(self, config, writes, task_id, task_path):
        values = [(channel, self.serde.dumps_typed(value)) for channel, value in writes]
        task = str(task_id), task_path
        return self._checkpoints.write(_key(config), _id(config), task, _run_id(config), values)

    def _get(self, config):
        return self._checkpoints.load(_key(config), _id(config))

    def _list(self, config, filter, before, limit):
        place = config["configurable"] if config else {}
        thread = place.get("thread_id")
        return self._checkpoints.list(
            thread if thread is None else str(thread),
            place.get("checkpoint_ns"),
            id=_id(config),
            before=_id(before),
            # As in SQLite, a negative limit is none.
            limit=None if limit is None or limit < 0 else limit,
            # As in SQLite, what JSON cannot hold is compared as text: a UUID, for example.
            metadata=json.dumps(filter or {}, default=str),
        )

    def _pruner(self, strategy):
        if strategy == "delete":
            return self._checkpoints.delete_thread
        if strategy == "keep_latest":
            return self._checkpoints.prune
        raise ValueError(f"strategy is keep_latest or delete, not {strategy!r}")

    def _given(self, value):
        if type(value) is list and len(value) >= LONG:
            return [self.serde.dumps_typed(entry) for entry in value]
        return self.serde.dumps_typed(value)

    def _value(self, given):
        if isinstance(given, list):
            return [self.serde.loads_typed(entry) for entry in given]
        return self.serde.loads_typed(given)

    def _tuple(self, found) -> CheckpointTuple | None:
        if found is None:
            return None
        (thread, namespace), checkpoint_id, parent, rest, values, metadata, writes = found
        values = {name: self._value(given) for name, given in values}
        return CheckpointTuple(
            config=_config(thread, namespace, checkpoint_id),
            checkpoint={**self.serde.loads_typed(rest), "channel_values": values},
            metadata=json.loads(metadata),
            parent_config=_config(thread, namespace, parent) if parent else None,
            pending_writes=[(task, channel, self.serde.loads_typed(value)) for task, channel, value, _ in writes],
        )


def _several(name, ids) -> list[str]:
    """Returns ids as a list. A string would be the ids of its letters."""
    if isinstance(ids, (str, bytes)):
        raise TypeError(f"{name} are several, and this is one: pass a list of it, [{ids!r}]")
    return [str(one) for one in ids]


def _is_repeated(kept, config, checkpoint, metadata) -> bool:
    """Says whether a checkpoint is kept already. Its bytes may differ: those of a set, or of what is encrypted."""
    if kept is None:
        return False
    metadata = json.loads(json.dumps(get_checkpoint_metadata(config, metadata)))
    checkpoint = {"channel_values": {}, **checkpoint}
    try:
        return (kept.checkpoint, kept.metadata, _id(kept.parent_config)) == (checkpoint, metadata, _id(config))
    except (TypeError, ValueError):
        # Not everything can be compared: arrays, for example.
        return False


def _run_id(config, metadata=None) -> str | None:
    """Returns the run that a config is of."""
    for place in (metadata, config.get("metadata"), config.get("configurable")):
        if run := (place or {}).get("run_id"):
            return str(run)
    return None


def _check_json(value, path, thread) -> None:
    """Refuses metadata that would not load as it was saved: it is stored as JSON, with integers of 64 bits."""
    if isinstance(value, dict):
        for name, one in value.items():
            _check_json(name, f"{path}.{name}", thread)
            _check_json(one, f"{path}.{name}", thread)
    elif isinstance(value, (list, tuple)):
        for at, one in enumerate(value):
            _check_json(one, f"{path}[{at}]", thread)
    elif reason := _not_json(value):
        message = f"the checkpoint of thread `{thread}` cannot be saved: {reason} at `{path}`"
        raise UnencodableError(message, thread_id=thread, path=path, reason=reason)


def _not_json(value) -> str | None:
    """Says why JSON cannot hold a value, if it cannot."""
    if isinstance(value, str):
        is_unicode = value.isascii() or value.encode(errors="ignore").decode() == value
        return None if is_unicode else "half of a surrogate pair"
    if isinstance(value, int):
        return None if -(2**63) <= value < 2**64 else f"{value} has more than 64 bits"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{value} is no number of JSON"
    return None if value is None else f"{type(value).__name__} is not a JSON type"


def _id(config) -> str | None:
    """Returns the id of the checkpoint that a config names; it may be a UUID."""
    found = config["configurable"].get("checkpoint_id") if config else None
    return str(found) if found else None


def _key(config):
    place = config["configurable"]
    return str(place["thread_id"]), place.get("checkpoint_ns") or ""


def _config(thread, namespace, checkpoint_id):
    place = {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": checkpoint_id}
    return {"configurable": place}
