"""Workers on a cluster, with the interface of `core.processes`: what they have to do comes back as futures.

Whatever a lost worker was doing is done again by another: a task must be a function of its item.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import ray

from philidor.core.processes import Worker
from philidor.core.ray import RayActorError, RayError, cause_of

_WAIT_S = 0.05
_MOST_TRIES = 4
"""Workers that may be lost over one item before it is taken for the cause."""
_CLOSE_S = 10.0


def cluster_cores() -> int:
    """Returns how many cores the cluster has."""
    return int(ray.cluster_resources().get("CPU", 1))


class WorkerPart:
    """A worker in a process of its own somewhere in the cluster."""

    def __init__(self, begin: Callable[[Any, Callable[[], bool]], Worker], argument: Any) -> None:
        self._is_stopped = False
        self._worker = begin(argument, lambda: self._is_stopped)

    def ready(self) -> bool:
        """Says that it is there."""
        return True

    def do(self, task: Callable[[Any, Any], Any], item: Any) -> Any:
        """Does something."""
        return task(self._worker, item)

    def stop(self) -> None:
        """Lets what is being done end soon."""
        self._is_stopped = True

    def close(self) -> None:
        """Ends what it holds."""
        self._worker.close()


class ClusterProcesses:
    """A number of workers on the cluster that this process has joined; see `philidor.core.processes.Processes`."""

    def __init__(self, begin: Callable[[Any, Callable[[], bool]], Any], argument: Any, count: int) -> None:
        """Workers that find no core wait for one; nodes that join later bring it."""
        options = {"num_cpus": 1, "max_concurrency": 2, "scheduling_strategy": "SPREAD"}
        self._make: Callable[[], Any] = lambda: ray.remote(WorkerPart).options(**options).remote(begin, argument)
        self._lock = threading.Lock()
        self._waiting: deque[tuple[Future[Any], Any, Any, int]] = deque()
        self._is_closed = False
        self._idle: list[Any] = []
        self._starting: dict[Any, Any] = {}
        self._busy: dict[Any, tuple[Any, tuple[Future[Any], Any, Any, int]]] = {}
        for _ in range(count):
            self._start()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def submit(self, task: Callable[[Any, Any], Any], item: Any) -> Future[Any]:
        """Has the next worker that is free do something."""
        future: Future[Any] = Future()
        with self._lock:
            self._waiting.append((future, task, item, 0))
        return future

    def ask_to_stop(self) -> None:
        """Lets every worker's `is_stopped` say so."""
        for actor in self._actors():
            actor.stop.remote()

    def close(self) -> None:
        """Asks to stop, drops what has not begun and ends the workers."""
        self._is_closed = True
        self._thread.join()
        self.ask_to_stop()
        with self._lock:
            for future, *_ in self._waiting:
                future.cancel()
            self._waiting.clear()
        works = list(self._busy)
        if works:
            ray.wait(works, num_returns=len(works), timeout=_CLOSE_S)
        for actor in self._actors():
            with contextlib.suppress(RayError):
                actor.close.remote()
                ray.kill(actor)

    def _actors(self) -> list[Any]:
        return [*self._idle, *self._starting.values(), *(actor for actor, _ in self._busy.values())]

    def _start(self) -> None:
        actor = self._make()
        self._starting[actor.ready.remote()] = actor

    def _run(self) -> None:
        while not self._is_closed:
            with self._lock:
                while self._idle and self._waiting:
                    job, actor = self._waiting.popleft(), self._idle.pop()
                    self._busy[actor.do.remote(job[1], job[2])] = (actor, job)
            out = [*self._busy, *self._starting]
            done = ray.wait(out, timeout=_WAIT_S)[0] if out else []
            for reference in done:
                self._ended(reference)
            if not out:
                time.sleep(_WAIT_S)

    def _ended(self, reference: Any) -> None:
        job = None
        if reference in self._starting:
            actor = self._starting.pop(reference)
        else:
            actor, job = self._busy.pop(reference)
        try:
            result = ray.get(reference)
        except RayError as error:
            self._failed(actor, job, error)
            return
        self._idle.append(actor)
        if job is not None:
            job[0].set_result(result)

    def _failed(self, actor: Any, job: tuple[Future[Any], Any, Any, int] | None, error: RayError) -> None:
        is_lost = isinstance(error, RayActorError)
        if is_lost:
            self._start()
        elif job is not None:
            self._idle.append(actor)
        if job is None:
            # It could not even begin: whoever waits is told, or all would wait for ever.
            with self._lock:
                job = self._waiting.popleft() if self._waiting else None
            if job is None:
                return
        future, task, item, tries = job
        if is_lost and tries + 1 < _MOST_TRIES:
            with self._lock:
                self._waiting.appendleft((future, task, item, tries + 1))
        else:
            future.set_exception(BrokenProcessPool(str(error)) if is_lost else cause_of(error))
