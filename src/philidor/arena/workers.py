"""Plays many games at a time, each worker in a process of its own.

Our own engines would share a process's Python, and programs would see their clocks run while the threads of sixteen
games wait for each other. Engines of ours play inside the worker, with no pipes between them and the rules: at fixed
nodes this is the fast way.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event as ProcessEvent
from multiprocessing.util import Finalize
from typing import TypeVar

from philidor.arena.adjudication import GameRules
from philidor.arena.competitors import Competitor, competitor
from philidor.arena.engines import EngineSpec
from philidor.arena.game import GameResult, Pairing, play_game
from philidor.arena.limits import Limit

Item = TypeVar("Item")
Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Lineup:
    """All that a worker must know to play any game of a match."""

    engines: tuple[EngineSpec, ...]
    limit: Limit
    """For engines without one of their own."""
    rules: GameRules
    options: dict[str, str] = field(default_factory=dict)
    """UCI options for every engine that has them."""


class Worker:
    """Does one thing at a time; its engines live on from game to game."""

    def __init__(self, lineup: Lineup, is_stopped: Callable[[], bool]) -> None:
        self._lineup, self._is_stopped = lineup, is_stopped
        self._engines: dict[int, Competitor] = {}

    def play(self, pairing: Pairing) -> GameResult:
        """Plays a game. Raises AbandonedError, ConfigError."""
        white, black = pairing.white, pairing.black
        return play_game(
            pairing,
            (self.engine(white), self.engine(black)),
            (self._lineup.engines[white].name, self._lineup.engines[black].name),
            (self.limit(white), self.limit(black)),
            self.rules,
            self._is_stopped,
        )

    @property
    def rules(self) -> GameRules:
        """When a game ends, and when an engine hangs."""
        return self._lineup.rules

    def limit(self, index: int) -> Limit:
        """Returns what an engine may use."""
        return self._lineup.engines[index].limit or self._lineup.limit

    def engine(self, index: int) -> Competitor:
        """Returns an engine of this worker."""
        if index not in self._engines:
            self._engines[index] = competitor(self._lineup.engines[index], self._lineup.options)
        return self._engines[index]

    def close(self) -> None:
        """Ends the engines."""
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()

    def kill(self) -> None:
        """Ends the engines without asking them; another thread may be in the middle of a game."""
        for engine in list(self._engines.values()):
            engine.kill()


class Workers:
    """A number of workers; what they have to do is submitted and comes back as futures."""

    def __init__(self, lineup: Lineup, count: int) -> None:
        # A forked process would inherit threads' locks in whatever state they are.
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(count, context, initializer=_begin_process, initargs=(lineup, self._stop))

    def submit(self, task: Callable[[Worker, Item], Done], item: Item) -> Future[Done]:
        """Has the next worker that is free do something, such as `Worker.play` a game."""
        return self._pool.submit(_do_in_process, task, item)

    def close(self) -> None:
        """Abandons the games that are under way and ends all engines."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)


# The worker of this process, where it is one.
_worker: list[Worker] = []


def _begin_process(lineup: Lineup, stop: ProcessEvent) -> None:
    # Ctrl-C reaches the whole group of processes; the one that began the match decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker.append(Worker(lineup, stop.is_set))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Not atexit: that waits for the threads first that speak with programs.
    Finalize(None, _end_process, exitpriority=1)


def _end_process() -> None:
    _worker.pop().close()


def _end_with_parent() -> None:
    """Ends this process when the one that began the match was killed: nobody else would."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    # Most programs end with their input; one that hangs would stay for ever.
    _worker[0].kill()
    os._exit(1)


def _do_in_process(task: Callable[[Worker, Item], Done], item: Item) -> Done:
    return task(_worker[0], item)
