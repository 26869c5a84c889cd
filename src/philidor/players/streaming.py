"""An analysis while it grows, of any player: as an iterator, or for programs that run an event loop."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor

from philidor.core.analysis import Analysis
from philidor.core.game import AnyState
from philidor.core.thinking import NO_LIMITS, Limits, Signal
from philidor.players.player import Player, check_state


def stream(player: Player, state: AnyState, limits: Limits = NO_LIMITS) -> Iterator[Analysis]:
    """Yields what the player has found so far, and last what it chose; leaving the loop ends the search.

    It thinks in a thread of its own, so it must not be asked anything else meanwhile.
    """
    check_state(state)
    found: queue.SimpleQueue[Analysis | None] = queue.SimpleQueue()
    stop = Signal()
    with ThreadPoolExecutor(1, "philidor-stream") as thread:
        thinking = thread.submit(player.think, state, limits, stop, found.put)
        thinking.add_done_callback(lambda _: found.put(None))
        try:
            while (news := found.get()) is not None:
                yield news
            yield thinking.result()
        finally:
            stop.give()


async def stream_async(player: Player, state: AnyState, limits: Limits = NO_LIMITS) -> AsyncIterator[Analysis]:
    """Yields the same without holding up the event loop; leaving the loop, or cancelling its task, ends the search."""
    check_state(state)
    loop = asyncio.get_running_loop()
    found: asyncio.Queue[Analysis | None] = asyncio.Queue()
    stop = Signal()

    def tell(analysis: Analysis) -> None:
        loop.call_soon_threadsafe(found.put_nowait, analysis)

    thinking = asyncio.ensure_future(asyncio.to_thread(player.think, state, limits, stop, tell))
    thinking.add_done_callback(lambda _: found.put_nowait(None))
    try:
        while (news := await found.get()) is not None:
            yield news
        yield await thinking
    finally:
        stop.give()
        await asyncio.wait({thinking})
