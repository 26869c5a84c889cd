"""Plays many games at a time: in threads that drive programs, in processes where engines of ours play.

A thread that waits for a pipe costs nothing. Our own engines share a process's Python, so each worker has a process
to itself, and then no pipes lie between the engines and the rules: at fixed nodes this is the fast way.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event as ProcessEvent
from typing import Protocol

from philidor.arena.adjudication import GameRules
from philidor.arena.competitors import Competitor, competitor
from philidor.arena.engines import EngineSpec
from philidor.arena.game import GameResult, Pairing, play_game
from philidor.arena.limits import Limit


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
    """Plays one game at a time; its engines live on from game to game."""

    def __init__(self, lineup: Lineup, is_stopped: Callable[[], bool]) -> None:
        self._lineup, self._is_stopped = lineup, is_stopped
        self._engines: dict[int, Competitor] = {}

    def play(self, pairing: Pairing) -> GameResult:
        """Plays a game. Raises AbandonedError, ConfigError."""
        specs = (self._lineup.engines[pairing.white], self._lineup.engines[pairing.black])
        return play_game(
            pairing,
            (self._engine(pairing.white), self._engine(pairing.black)),
            (specs[0].name, specs[1].name),
            (specs[0].limit or self._lineup.limit, specs[1].limit or self._lineup.limit),
            self._lineup.rules,
            self._is_stopped,
        )

    def _engine(self, index: int) -> Competitor:
        if index not in self._engines:
            self._engines[index] = competitor(self._lineup.engines[index], self._lineup.options)
        return self._engines[index]

    def close(self) -> None:
        """Ends the engines."""
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()


class Workers(Protocol):
    """A number of workers; games are submitted and come back as futures."""

    def submit(self, pairing: Pairing) -> Future[GameResult]:
        """Has a game played by the next worker that is free."""

    def close(self) -> None:
        """Abandons the games that are under way and ends all engines."""


class ThreadWorkers:
    """Workers in threads of this process."""

    def __init__(self, lineup: Lineup, count: int) -> None:
        self._lineup = lineup
        self._stop = threading.Event()
        self._own = threading.local()
        self._workers: list[Worker] = []
        self._pool: Executor = ThreadPoolExecutor(count, thread_name_prefix="game")

    def submit(self, pairing: Pairing) -> Future[GameResult]:
        """Has a game played by the next worker that is free."""
        return self._pool.submit(self._play, pairing)

    def _play(self, pairing: Pairing) -> GameResult:
        if not hasattr(self._own, "worker"):
            self._own.worker = Worker(self._lineup, self._stop.is_set)
            self._workers.append(self._own.worker)
        worker: Worker = self._own.worker
        return worker.play(pairing)

    def close(self) -> None:
        """Abandons the games that are under way and ends all engines."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.close()


class ProcessWorkers:
    """Workers in processes of their own."""

    def __init__(self, lineup: Lineup, count: int) -> None:
        # A forked process would inherit threads' locks in whatever state they are.
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(count, context, initializer=_begin_process, initargs=(lineup, self._stop))

    def submit(self, pairing: Pairing) -> Future[GameResult]:
        """Has a game played by the next worker that is free."""
        return self._pool.submit(_play_in_process, pairing)

    def close(self) -> None:
        """Abandons the games that are under way and ends all engines."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)


def make_workers(lineup: Lineup, count: int) -> Workers:
    """Makes `count` workers of the kind that fits the engines."""
    if any(spec.is_in_process for spec in lineup.engines):
        return ProcessWorkers(lineup, count)
    return ThreadWorkers(lineup, count)


# The worker of this process, where it is one.
_worker: list[Worker] = []


def _begin_process(lineup: Lineup, stop: ProcessEvent) -> None:
    # Ctrl-C reaches the whole group of processes; the one that began the match decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker.append(Worker(lineup, stop.is_set))
    atexit.register(_end_process)


def _end_process() -> None:
    _worker.pop().close()


def _end_with_parent() -> None:
    """Ends this process when the one that began the match was killed: nobody else would."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _play_in_process(pairing: Pairing) -> GameResult:
    return _worker[0].play(pairing)
