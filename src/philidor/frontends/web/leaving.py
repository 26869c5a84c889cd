"""Ends the work of a request whose page has gone: nobody would read the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request
from starlette.requests import ClientDisconnect

T = TypeVar("T")


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Waits for the work, or cancels it when the connection ends. Raises ClientDisconnect then.

    The request's body must have been read: what comes after it is only the end.
    """
    job = asyncio.create_task(work)
    end = asyncio.create_task(_end_of(request))
    try:
        await asyncio.wait((job, end), return_when=asyncio.FIRST_COMPLETED)
        if not job.done():
            raise ClientDisconnect
        return job.result()
    finally:
        # Cancelling what is done changes nothing.
        job.cancel()
        end.cancel()
        await asyncio.gather(job, end, return_exceptions=True)


async def _end_of(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
