"""How what is done in Rust is awaited."""

import asyncio
from typing import Any


async def done(operation: Any) -> Any:
    """Waits for an operation without holding the event loop. When the wait is cancelled, the operation stops."""
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    operation.start(loop, future, _tell)
    try:
        return await future
    finally:
        future.cancel()
        operation.stop()


def _tell(future, value, error):
    if future.done():
        return
    if error is None:
        future.set_result(value)
    elif isinstance(error, StopIteration):
        # It would end the coroutine that awaits, and no future takes it.
        stopped = RuntimeError("a function that was called raised StopIteration")
        stopped.__cause__ = error
        future.set_exception(stopped)
    else:
        future.set_exception(error)
