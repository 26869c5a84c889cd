"""Things that work in threads, one job at a time each, and that can all be stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")
Done = TypeVar("Done")
_POLL_S = 0.02


class Benches(Generic[T]):
    """As many threads as there are things; a job is given one that is free."""

    def __init__(self, things: Sequence[T], stop: Callable[[T], None]) -> None:
        """`stop` ends what a thing is doing, from any thread."""
        self._things, self._stop = things, stop
        self._free = SimpleQueue[T]()
        for thing in things:
            self._free.put(thing)
        self._pool = ThreadPoolExecutor(len(things), "bench")

    def submit(self, job: Callable[[T], Done]) -> Future[Done]:
        """Does a job as soon as a thing is free."""
        return self._pool.submit(self._run, job)

    def _run(self, job: Callable[[T], Done]) -> Done:
        thing = self._free.get()
        try:
            return job(thing)
        finally:
            self._free.put(thing)

    def close(self) -> None:
        """Ends all jobs, those under way too."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        # What was about to begin may not have heard the order; it is repeated until all have ended.
        while self._free.qsize() < len(self._things):
            for thing in self._things:
                self._stop(thing)
            time.sleep(_POLL_S)
        self._pool.shutdown()
