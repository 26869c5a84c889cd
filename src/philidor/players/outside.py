"""What all programs of anybody's have in common as players: a process that ends with its player, and can be stopped."""

from __future__ import annotations

import contextlib
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Generic, Protocol, TypeVar

from philidor.core.analysis import Analysis
from philidor.core.config import C
from philidor.core.game import AnyState
from philidor.core.thinking import NO_LIMITS, Limits, Report, Stop
from philidor.players.player import with_limits

# How often `stop` is asked.
_POLL_S = 0.02


class Process(Protocol):
    """A program that was started."""

    def quit(self) -> None:
        """Asks it to end, and ends it if it does not."""

    def kill(self) -> None:
        """Ends it at once."""


P = TypeVar("P", bound=Process)


class OutsidePlayer(ABC, Generic[C, P]):
    """A program that is started when it is first asked, and again after it has failed."""

    def __init__(self, config: C, /) -> None:
        """Takes the config; nothing is started yet."""
        self.config = config
        self._process: P | None = None
        self._ending: weakref.finalize[[P], OutsidePlayer[C, P]] | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.config!r})"

    def close(self) -> None:
        """Ends the program now, and not when the player is forgotten."""
        if self._ending is not None:
            self._ending()
        self._process = self._ending = None

    @abstractmethod
    def think(
        self,
        state: AnyState,
        /,
        limits: Limits = NO_LIMITS,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Analysis:
        """Lets the program think within the limits and the config's."""

    def analyse(self, state: AnyState, /, **limits: Any) -> Analysis:
        """Asks for one line; `limits` replace the config's."""
        if state.is_over():
            return Analysis(best=None)
        before = self.config
        self.config = with_limits(before, limits)
        try:
            return self.think(state)
        finally:
            self.config = before

    def _running(self, start: Callable[[], P]) -> P:
        """Returns the program, which `start` starts unless it runs."""
        if self._process is None:
            self._process = start()
            self._ending = weakref.finalize(self, _dismiss, self._process)
        return self._process


def _dismiss(process: Process) -> None:
    """Ends a program without waiting for it, as it may take its time."""
    try:
        threading.Thread(target=process.quit, name="quit").start()
    except RuntimeError:  # no threads any more: this program ends too
        process.kill()


@contextlib.contextmanager
def watching(stop: Stop | None, end: Callable[[threading.Event], None]) -> Iterator[None]:
    """Calls `end` when `stop` says so, while the caller waits for an answer; it is given an event that tells of one."""
    if stop is None:
        yield
        return
    has_answered = threading.Event()

    def watch() -> None:
        while not has_answered.wait(_POLL_S):
            if stop():
                end(has_answered)
                return

    watcher = threading.Thread(target=watch, name="stop", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        has_answered.set()
        watcher.join()
