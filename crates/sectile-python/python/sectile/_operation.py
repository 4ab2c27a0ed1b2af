"""How what is done in Rust is awaited."""

import asyncio
from typing import Any


async def done(operation: Any) -> Any:
    """Waits for an operation without holding the event loop."""
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    operation.start(loop, future, _tell)
    return await future


def _tell(future, value, error):
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)
