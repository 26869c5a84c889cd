"""Worker processes that live as long as the work, and no longer: each holds one thing, such as an engine, and uses it.

Processes and not threads: our own engines would share one Python, and programs would see their clocks run while the
threads of sixteen games wait for each other.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing.synchronize import Event as ProcessEvent
from multiprocessing.util import Finalize
from typing import Any, Generic, Protocol, TypeVar

from philidor.core.main_guard import check_main_guard

Item = TypeVar("Item")
Done = TypeVar("Done")


class Worker(Protocol):
    """What a process holds."""

    def close(self) -> None:
        """Ends what it holds, asking nicely."""

    def kill(self) -> None:
        """Ends it without asking; another thread may be in the middle of something."""


W = TypeVar("W", bound=Worker)


class Pool(Protocol):
    """Workers, wherever they are."""

    def submit(self, task: Callable[[Any, Item], Done], item: Item) -> Future[Done]:
        """Has the next worker that is free do something."""

    def ask_to_stop(self) -> None:
        """Lets every worker's `is_stopped` say so."""

    def close(self) -> None:
        """Asks to stop, drops what has not begun and ends the workers."""


BeginPool = Callable[[Callable[[Any, Callable[[], bool]], Any], Any, int], Pool]
"""Makes workers: `Processes` on this machine, `core.ray.processes.ClusterProcesses` on a cluster."""


class Processes(Generic[W]):
    """A number of worker processes; what they have to do is submitted and comes back as futures."""

    def __init__(self, begin: Callable[[Any, Callable[[], bool]], W], argument: Any, count: int) -> None:
        """Each process calls `begin(argument, is_stopped)` first; both must be picklable.

        Raises ScriptError in a script without `if __name__ == "__main__":`.
        """
        check_main_guard()
        # A forked process would inherit threads' locks in whatever state they are.
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(
            count, context, initializer=_begin_process, initargs=(begin, argument, self._stop)
        )

    def submit(self, task: Callable[[W, Item], Done], item: Item) -> Future[Done]:
        """Has the next worker that is free do something."""
        return self._pool.submit(_do_in_process, task, item)

    def ask_to_stop(self) -> None:
        """Lets every worker's `is_stopped` say so; what they hand back on that is theirs to decide."""
        self._stop.set()

    def close(self) -> None:
        """Asks to stop, drops what has not begun and ends the processes."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)


def kept_busy(
    submit: Callable[[int], Future[Done]], numbers: Iterator[int], concurrency: int, deadline: float | None
) -> Iterator[Done]:
    """Yields results as they come; all workers are busy, with one more job waiting so that none has to wait for us.

    Ends when there are no more numbers, or at the deadline (a time of `time.monotonic`).
    """
    waiting: set[Future[Done]] = set()
    while True:
        while len(waiting) <= concurrency and (number := next(numbers, None)) is not None:
            waiting.add(submit(number))
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        done, waiting = wait(waiting, timeout=left, return_when=FIRST_COMPLETED)
        if not done:  # nothing to do, or no time
            return
        for future in done:
            yield future.result()


# The worker of this process, where it is one.
_worker: list[Worker] = []


def _begin_process(begin: Callable[[Any, Callable[[], bool]], Worker], argument: Any, stop: ProcessEvent) -> None:
    # Ctrl-C reaches the whole group of processes; the one that began the work decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker.append(begin(argument, stop.is_set))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Not atexit: that waits first for threads, such as those that speak with programs.
    Finalize(None, _end_process, exitpriority=1)


def _end_process() -> None:
    _worker.pop().close()


def _end_with_parent() -> None:
    """Ends this process when the one that began the work was killed: nobody else would."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    # Most programs end with their input; one that hangs would stay for ever.
    _worker[0].kill()
    os._exit(1)


def _do_in_process(task: Callable[[Any, Item], Done], item: Item) -> Done:
    return task(_worker[0], item)
