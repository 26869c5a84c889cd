"""Threads for everything that thinks: as many as there are cores, so that more games wait and none stands still."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from philidor.core.thinking import Signal

MOVE, ADVICE, VERDICT = 0, 1, 2
"""What is urgent: a move before a hint, a hint before the eval bar."""

T = TypeVar("T")


class Workers:
    """A fixed number of slots, given to the most urgent that waits, and among these to who came first.

    Where there are several, one is kept for moves: advice can wait, an opponent should not.
    """

    def __init__(self, slots: int) -> None:
        self._pool = ThreadPoolExecutor(max_workers=slots, thread_name_prefix="search")
        self.slots = slots
        self._free = slots
        self._kept_for_moves = 1 if slots > 1 else 0
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._tickets = itertools.count()

    def has_room(self, urgency: int) -> bool:
        """Says whether work would begin at once."""
        return self._free > (0 if urgency == MOVE else self._kept_for_moves)

    @property
    def is_wanted(self) -> bool:
        """Whether somebody waits for a slot."""
        return any(not turn.done() for _, _, turn in self._waiting)

    async def run(self, work: Callable[[Signal], T], urgency: int, started: Callable[[], None] | None = None) -> T:
        """Waits for a slot and does the work in a thread. When cancelled, tells the work to stop and waits for it."""
        await self._take(urgency)
        if started is not None:
            started()
        stop = Signal()
        job = asyncio.get_running_loop().run_in_executor(self._pool, work, stop)
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            stop.give()
            # Whoever cancels may want to use the same player again: not before this thread has left it.
            await asyncio.wait([job])
            if not job.cancelled():
                job.exception()  # of no interest any more
            raise
        finally:
            self._give()

    async def _take(self, urgency: int) -> None:
        if self.has_room(urgency):
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (urgency, next(self._tickets), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give()  # the slot came in the same moment
            raise

    def _give(self) -> None:
        self._free += 1
        while self._waiting and self.has_room(self._waiting[0][0]):
            turn = heapq.heappop(self._waiting)[2]
            if not turn.done():
                turn.set_result(None)
                self._free -= 1

    def close(self) -> None:
        """Lets the threads end."""
        self._pool.shutdown(wait=False, cancel_futures=True)
